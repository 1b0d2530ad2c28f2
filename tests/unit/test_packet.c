/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/probe/packet.h, xml.h and describe.h. */
#include "tests/unit/unit.h"

#include "toolchain/probe/describe.h"
#include "toolchain/probe/packet.h"
#include "toolchain/probe/xml.h"

/* ---- packets ---- */

/* The events of the bytes, a letter each: + - P (with the body in brackets), ! for a garbled one.
 */
static const char *events(struct unit *u, const char *bytes, size_t size, size_t room) {
    struct rp_buf text = {.arena = &u->arena};
    uint8_t *input = unit_exact(bytes, size), *body = malloc(room + 1);
    struct rp_packet_reader reader = {.body = body, .room = room};
    for (size_t at = 0; at < size;) {
        size_t used = 0;
        enum rp_packet_event event = rp_packet_read(&reader, input + at, size - at, &used);
        assert_true(used > 0 && used <= size - at);
        at += used;
        if (event == RP_PACKET_WHOLE)
            rp_buf_printf(&text, "P(%.*s)", (int)reader.len, (const char *)reader.body);
        else
            rp_buf_puts(&text, event == RP_PACKET_ACK       ? "+"
                               : event == RP_PACKET_NAK     ? "-"
                               : event == RP_PACKET_GARBLED ? "!"
                                                            : "");
    }
    free(input);
    free(body);
    return rp_buf_text(&text);
}

static void reads_packets(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *bytes, *events;
    } cases[] = {
        {"$OK#9a", "P(OK)"},
        {"+$OK#9A-", "+P(OK)-"},
        {"$#00", "P()"},
        {"$OK#9b", "!"},
        {"$OK#9", ""},
        {"$OK#g9", "!"},
        {"$OK#9g", "!"},
        {"$OK$OK#9a", "P(OK)"}, /* the first one was cut */
        {"junk\003~$OK#9a#9a", "P(OK)"},
        {"$0* #7a", "P(0000)"},
        {"$0*\"1*\"#f9", "P(000000111111)"},
        {"$}]#da", "P(})"},
        {"$a}\003b#43", "P(a#b)"},
        {"$*\"#4c", "!"}, /* of nothing */
        {"$0*\037#79", "!"},
        {"$0*#5a", "!"},
        {"$}#7d", "!"},
        {"%Stop:T05#00+", "+"}, /* a notification is dropped, whatever its checksum */
        {"%Sto$OK#9a", "P(OK)"},
        {"$12345678#a4", "P(12345678)"},
        {"$123456789#dd", "!"}, /* longer than the room */
        {"$1*~#d9", "!"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t room = strstr(cases[i].bytes, "0*\"1") != NULL ? 12 : 8;
        const char *got = events(u, cases[i].bytes, strlen(cases[i].bytes), room);
        if (strcmp(got, cases[i].events) != 0)
            print_message("%s\n", cases[i].bytes);
        assert_string_equal(got, cases[i].events);
    }
}

/* Every byte survives, in pieces of any size. */
static void writes_what_it_reads(void **state) {
    (void)state;
    uint8_t data[256], frame[600], body[600];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7);
    size_t size = rp_packet_frame(frame, "X1,100:", data, sizeof data);
    assert_int_equal(size, 7 + 256 + 4 + RP_PACKET_FRAME);
    for (size_t piece = 1; piece < 40; piece++) {
        struct rp_packet_reader reader = {.body = body, .room = 7 + 256};
        enum rp_packet_event event = RP_PACKET_NOTHING;
        for (size_t at = 0, used; at < size; at += used) {
            assert_int_equal(event, RP_PACKET_NOTHING);
            event =
                rp_packet_read(&reader, frame + at, piece < size - at ? piece : size - at, &used);
        }
        assert_int_equal(event, RP_PACKET_WHOLE);
        assert_memory_equal(body, "X1,100:", 7);
        assert_memory_equal(body + 7, data, sizeof data);
    }
}

static void counts_what_fits(void **state) {
    (void)state;
    const uint8_t data[] = "a#b$";
    static const size_t wanted[] = {0, 1, 1, 2, 3, 3, 4, 4};
    for (size_t room = 0; room < COUNT(wanted); room++)
        assert_int_equal(rp_packet_fit(data, 4, room), wanted[room]);
}

static void reads_digits(void **state) {
    (void)state;
    uint8_t bytes[4] = {0x12, 0xAb, 0, 0xFF};
    char text[9];
    rp_packet_hex(text, bytes, 4);
    assert_string_equal(text, "12ab00ff");
    memset(bytes, 7, 4);
    assert_true(rp_packet_unhex(bytes, (const uint8_t *)"12AB", 2));
    assert_memory_equal(bytes, "\x12\xab\x07\x07", 4);
    static const char *const bad[] = {"1", "1g", "g1", "xx", "1 ", "@1", "`1", "/1", ":1"};
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(rp_packet_unhex(bytes, (const uint8_t *)bad[i], 1));
}

/* ---- documents ---- */

static struct rp_buf text_of(struct unit *u, const char *text) {
    size_t len = strlen(text);
    char *exact = rp_alloc(&u->arena, len + 1, 1);
    memcpy(exact, text, len);
    return (struct rp_buf){.arena = &u->arena, .data = exact, .len = len, .room = len};
}

static void reads_registers(void **state) {
    struct unit *u = *state;
    struct rp_gdb_registers list = {0};
    struct rp_strings includes = {0};
    struct rp_buf text = text_of(
        u, "<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY a 'b'>]><!-- <reg name=\"no\" "
           "bitsize=\"32\"/> --><target><xi:include href=\"a.xml\"/><reg name='r0' bitsize='32'/>"
           "<reg bitsize = \"32\" name = \"R13\"/><xi:include href='b.xml'/>"
           "<reg name='x>y' bitsize='8' regnum='25'/><reg name='d0' bitsize='64'/></target>");
    ACCEPTED(u, rp_describe_registers(&list, &u->arena, &text, &includes, &u->err));
    assert_int_equal(includes.count, 2);
    assert_string_equal(includes.items[1], "b.xml");
    assert_int_equal(list.count, 4);
    assert_int_equal(rp_describe_find(&list, "sp")->number, 1);
    assert_int_equal(rp_describe_find(&list, "x>y")->number, 25);
    assert_int_equal(rp_describe_find(&list, "D0")->number, 26);
    assert_int_equal(rp_describe_find(&list, "D0")->bits, 64);
    assert_null(rp_describe_find(&list, "no"));
    assert_null(rp_describe_find(&list, "pc"));
    rp_describe_default(&list, &u->arena);
    assert_int_equal(rp_describe_find(&list, "PC")->number, 15);
    assert_int_equal(rp_describe_find(&list, "r15")->number, 15);
    static const char *const bad[] = {"<reg bitsize='32'/>", "<reg name='a'/>",
                                      "<reg name='a' bitsize='0'/>", "<reg name='a' bitsize='x'/>",
                                      "<reg name='a' bitsize='32' regnum='99999'/>"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        text = text_of(u, bad[i]);
        REFUSED(u, rp_describe_registers(&list, &u->arena, &text, &includes, &u->err), RP_E_GDB,
                "target description");
    }
    struct rp_buf bomb = {.arena = &u->arena};
    for (unsigned i = 0; i < 2000; i++)
        rp_buf_puts(&bomb, "<reg name='a' bitsize='1'/>");
    REFUSED(u, rp_describe_registers(&list, &u->arena, &bomb, &includes, &u->err), RP_E_GDB,
            "more registers");
}

static void reads_memory_maps(void **state) {
    struct unit *u = *state;
    struct rp_gdb_map map = {0};
    struct rp_buf text = text_of(
        u, "<memory-map><memory type=\"ram\" start=\"0x20000000\" length=\"0x8000\"/>"
           "<memory type='flash' start='0' length='0x1000'><property name=\"blocksize\">\n 0x400\n"
           "</property></memory><memory type=\"rom\" start=\"0xfffff000\" length=\"4096\"/>"
           "<memory type='ram' start='1' length='0'/></memory-map>");
    ACCEPTED(u, rp_describe_map(&map, &u->arena, &text, &u->err));
    assert_int_equal(map.count, 3);
    assert_int_equal(map.items[0].kind, RP_GDB_FLASH);
    assert_int_equal(map.items[0].block_size, 0x400);
    assert_int_equal(map.items[1].kind, RP_GDB_RAM);
    assert_int_equal(map.items[1].address, 0x20000000);
    assert_int_equal(map.items[2].kind, RP_GDB_ROM);
    assert_int_equal(map.items[2].size, 0x1000);
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"<memory type='ram' start='0'/>", "32-bit addresses"},
        {"<memory start='0' length='1'/>", "32-bit addresses"},
        {"<memory type='ram' start='0x100000000' length='1'/>", "32-bit addresses"},
        {"<memory type='ram' start='0xffffffff' length='2'/>", "32-bit addresses"},
        {"<memory type='ram' start='-1' length='2'/>", "32-bit addresses"},
        {"<memory type='ram' start='0' length='99999999999999999999999'/>", "32-bit addresses"},
        {"<memory type='ram' start='0' length='9'/><memory type='ram' start='8' length='9'/>",
         "overlap"},
        {"<memory type='flash' start='0' length='8'/>", "whole blocks"},
        {"<memory type='flash' start='0' length='8'><property name='blocksize'>3</property>",
         "whole blocks"},
        {"<memory type='flash' start='0' length='8'><property name='blocksize'>0</property>",
         "whole blocks"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        map = (struct rp_gdb_map){0};
        text = text_of(u, bad[i].text);
        REFUSED(u, rp_describe_map(&map, &u->arena, &text, &u->err), RP_E_GDB, bad[i].why);
    }
}

/* Whatever is cut off, nothing beyond it is read. */
static void reads_cut_documents(void **state) {
    struct unit *u = *state;
    static const char whole[] = "<a><!-- > --><memory type='flash' start = \"0x0\" length='0x10' x>"
                                "<property name='blocksize'> 0x4 </property></memory><reg/>";
    for (size_t size = 0; size <= sizeof whole - 1; size++) {
        char *exact = unit_exact(whole, size);
        struct rp_xml xml = {.text = exact, .end = exact + size};
        unsigned tags = 0;
        while (rp_xml_next(&xml)) {
            uint64_t number;
            tags++;
            (void)rp_xml_number(&xml, "length", &number);
            (void)rp_xml_content(&xml, &number);
        }
        assert_true(size != sizeof whole - 1 || tags == 6);
        struct rp_gdb_map map = {0};
        struct rp_buf text = {.arena = &u->arena, .data = exact, .len = size, .room = size};
        (void)rp_describe_map(&map, &u->arena, &text, NULL);
        free(exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_packets),       UNIT(writes_what_it_reads), UNIT(counts_what_fits),
        UNIT(reads_digits),        UNIT(reads_registers),      UNIT(reads_memory_maps),
        UNIT(reads_cut_documents),
    };
    return RUN(tests);
}
