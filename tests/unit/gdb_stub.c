/* SPDX-License-Identifier: Apache-2.0 */
/* A GDB server without a process and without time: see gdb_stub.h. It shares no code with the
 * client. */
#include "tests/unit/gdb_stub.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static const char target_xml[] =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>"
    "<architecture>arm</architecture><xi:include href=\"core.xml\"/></target>\n";
static const char core_xml[] =
    "<feature name=\"org.gnu.gdb.arm.m-profile\"><!-- <reg name='no' bitsize='32'/> -->"
    "<reg name=\"r0\" bitsize=\"32\"/><reg name='r1' bitsize='32'/><reg name='r2' bitsize='32'/>"
    "<reg name='r3' bitsize='32'/><reg name='r4' bitsize='32'/><reg name='r5' bitsize='32'/>"
    "<reg name='r6' bitsize='32'/><reg name='r7' bitsize='32'/><reg name='r8' bitsize='32'/>"
    "<reg name='r9' bitsize='32'/><reg name='r10' bitsize='32'/><reg name='r11' bitsize='32'/>"
    "<reg name='r12' bitsize='32'/><reg name='sp' bitsize='32'/><reg name='lr' bitsize='32'/>"
    "<reg name='pc' bitsize='32'/><reg name='xPSR' bitsize='32' regnum='25'/></feature>";
static const char memory_map[] =
    "<?xml version=\"1.0\"?><memory-map><memory type=\"flash\" start=\"0x08002000\" "
    "length=\"0x4000\"><property name=\"blocksize\">0x4000</property></memory>"
    "<memory type='flash' start='0x08000000' length='8192'><property name='blocksize'> 0x800 "
    "</property></memory><memory type='ram' start='0x20000000' length='0x4000'/></memory-map>";

uint32_t stub_random(struct stub *stub, uint32_t below) {
    stub->random = stub->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(stub->random >> 33) % below;
}

/* ---- the wire ---- */

static void damage(struct stub *stub, struct rp_buf *to, enum stub_fault fault, const char *unit,
                   size_t size) {
    size_t from = to->len;
    if (fault == STUB_NOISE)
        for (uint32_t i = 1 + stub_random(stub, 6); i > 0; i--) {
            char byte = (char)stub_random(stub, 256);
            rp_buf_append(to, &byte, 1);
        }
    if (fault == STUB_NAK)
        rp_buf_puts(to, "-");
    if (fault == STUB_DROP)
        return;
    from = to->len;
    rp_buf_append(to, unit, fault == STUB_CUT ? stub_random(stub, (uint32_t)size) : size);
    if (fault == STUB_REPEAT)
        rp_buf_append(to, unit, size);
    if (fault == STUB_GARBLE) /* one bit: two could leave the checksum right */
        to->data[from + stub_random(stub, (uint32_t)size)] ^= (char)(1 << stub_random(stub, 7));
}

/* Most do not take long; some take longer than the client waits, or than it waits three times. */
static void hold(struct stub *stub) {
    static const double seconds[] = {0.01, 0.01, 0.01, 3, 8, 25};
    if (!stub->is_held)
        stub->held_until = stub->now + seconds[stub_random(stub, COUNT(seconds))];
    stub->is_held = true;
}

/* Carries what was sent at once. is_mine: from the server, which alone can be held or closed. */
static void carry(struct stub *stub, bool is_mine, const char *unit, size_t size) {
    struct rp_buf *to = is_mine ? &stub->out : &stub->in;
    if (stub_random(stub, 1000) >= stub->per_mille) {
        rp_buf_append(is_mine && stub->is_held ? &stub->held : to, unit, size);
        return;
    }
    enum stub_fault fault = (enum stub_fault)stub_random(stub, STUB_FAULTS);
    stub->faulty++;
    bool is_end = fault == STUB_CLOSE || fault == STUB_HANG;
    if ((stub->faults & 1u << fault) == 0 || (is_end && stub_random(stub, 10) != 0))
        fault = (stub->faults & 1u << STUB_DROP) != 0 && stub_random(stub, 2) == 0 ? STUB_DROP
                                                                                   : STUB_LATE;
    if (fault == STUB_HOLD && is_mine)
        hold(stub);
    stub->is_gone = stub->is_gone || fault == STUB_CLOSE;
    stub->is_hanging = stub->is_hanging || fault == STUB_HANG;
    damage(stub, is_mine && stub->is_held ? &stub->held : to, fault, unit, size);
    if (fault == STUB_LATE && is_mine) { /* the client has gone on when it comes again */
        hold(stub);
        rp_buf_append(&stub->held, unit, size);
    }
}

/* ---- packets of the server ---- */

/* Runs of a digit become "0*" and a length; 6 and 7 repetitions have no form. */
static void add_runs(struct rp_buf *to, const char *body, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t run = 1;
        while (i + run < size && body[i + run] == body[i] && run < 90)
            run++;
        bool can = run > 4 && run - 1 + 29 != '#' && run - 1 + 29 != '$' && body[i] != '}' &&
                   body[i] != '*';
        rp_buf_append(to, body + i, 1);
        if (can)
            rp_buf_printf(to, "*%c", (char)(run - 1 + 29));
        i += can ? run : 1;
    }
}

static void send_reply(struct stub *stub, bool is_new) {
    if (is_new) {
        struct rp_buf body = stub->reply, *to = &stub->reply;
        unsigned char sum = 0;
        stub->reply = (struct rp_buf){.arena = stub->arena};
        rp_buf_puts(to, "$");
        if (stub->has_runs && (body.len == 0 || body.data[0] != 'b'))
            add_runs(to, rp_buf_text(&body), body.len);
        else
            rp_buf_append(to, rp_buf_text(&body), body.len);
        for (size_t i = 1; i < to->len; i++)
            sum = (unsigned char)(sum + (unsigned char)to->data[i]);
        rp_buf_printf(to, "#%02X", sum);
    }
    stub->is_awaiting = true;
    if (stub_random(stub, 2) == 0) {
        if (is_new)
            carry(stub, true, "+", 1);
        carry(stub, true, stub->reply.data, stub->reply.len);
    } else { /* in one piece, which is repeated or held as a whole */
        struct rp_buf both = {.arena = stub->arena};
        rp_buf_puts(&both, is_new ? "+" : "");
        rp_buf_append(&both, stub->reply.data, stub->reply.len);
        carry(stub, true, both.data, both.len);
    }
}

static void say(struct stub *stub, const char *body) {
    stub->reply.len = 0;
    rp_buf_puts(&stub->reply, body);
    send_reply(stub, true);
}

/* Something that nobody asked for: there is no acknowledgment before it. */
static void tell(struct stub *stub, const char *body) {
    unsigned char sum = 0;
    for (const char *c = body; *c != '\0'; c++)
        sum = (unsigned char)(sum + (unsigned char)*c);
    stub->reply.len = 0;
    rp_buf_printf(&stub->reply, "$%s#%02x", body, sum);
    stub->is_awaiting = true;
    carry(stub, true, stub->reply.data, stub->reply.len);
}

/* ---- requests ---- */

static uint8_t *memory_at(struct stub *stub, uint32_t address, size_t size) {
    if (address >= STUB_RAM && address - STUB_RAM <= STUB_RAM_BYTES &&
        size <= STUB_RAM_BYTES - (address - STUB_RAM))
        return stub->ram + (address - STUB_RAM);
    if (address >= STUB_FLASH && address - STUB_FLASH <= STUB_FLASH_BYTES &&
        size <= STUB_FLASH_BYTES - (address - STUB_FLASH))
        return stub->flash + (address - STUB_FLASH);
    return NULL;
}

static void read_memory(struct stub *stub, const char *text) {
    char *end;
    uint32_t address = (uint32_t)strtoul(text + 1, &end, 16);
    size_t size = strtoul(end + 1, NULL, 16);
    const uint8_t *from = memory_at(stub, address, size);
    stub->reply.len = 0;
    rp_buf_puts(&stub->reply, from == NULL ? "E0E" : text[0] == 'x' ? "b" : "");
    for (size_t i = 0; from != NULL && i < size; i++) {
        if (text[0] != 'x')
            rp_buf_printf(&stub->reply, "%02x", from[i]);
        else if (strchr("$#}*", from[i]) != NULL && from[i] != 0)
            rp_buf_printf(&stub->reply, "}%c", from[i] ^ 0x20);
        else
            rp_buf_append(&stub->reply, &from[i], 1);
    }
    send_reply(stub, true);
}

static void write_memory(struct stub *stub, const char *text, size_t len) {
    char *end;
    uint32_t address = (uint32_t)strtoul(text + 1, &end, 16);
    size_t size = strtoul(end + 1, &end, 16);
    uint8_t *to = memory_at(stub, address, size);
    size_t left = len - (size_t)(end + 1 - text);
    if (to == NULL || *end != ':' || left != (text[0] == 'M' ? 2 * size : size)) {
        say(stub, "E0E");
        return;
    }
    for (size_t i = 0; i < size; i++) {
        unsigned byte = 0;
        if (text[0] == 'M')
            (void)sscanf(end + 1 + 2 * i, "%2x", &byte);
        to[i] = text[0] == 'M' ? (uint8_t)byte : (uint8_t)end[1 + i];
    }
    say(stub, "OK");
}

/* A part that was not erased, or that is programmed twice, is an error. */
static void do_flash(struct stub *stub, const char *text, size_t len) {
    char *end;
    const char *at = strchr(text, ':');
    uint32_t offset = at != NULL ? (uint32_t)strtoul(at + 1, &end, 16) - STUB_FLASH : 0;
    bool ok = offset < STUB_FLASH_BYTES;
    if (at == NULL) {
        ok = strcmp(text, "vFlashDone") == 0;
        memset(stub->written, 0, sizeof stub->written);
    } else if (strncmp(text, "vFlashErase:", 12) == 0) {
        size_t size = strtoul(end + 1, NULL, 16),
               block = offset < 0x2000 ? STUB_SMALL_BLOCK : 0x4000;
        ok = ok && size <= STUB_FLASH_BYTES - offset && offset % STUB_SMALL_BLOCK == 0 &&
             (offset + size) % STUB_SMALL_BLOCK == 0 && (block != 0x4000 || size == block);
        if (ok) {
            memset(stub->flash + offset, 0xFF, size);
            memset(stub->written + offset, 1, size);
        }
    } else {
        size_t size = len - (size_t)(end + 1 - text);
        ok = ok && *end == ':' && size <= STUB_FLASH_BYTES - offset;
        for (size_t i = 0; ok && i < size; i++) {
            ok = stub->written[offset + i] == 1;
            stub->written[offset + i] = 2;
            stub->flash[offset + i] = (uint8_t)end[1 + i];
        }
    }
    say(stub, ok ? "OK" : "E.flash");
}

static uint32_t *register_at(struct stub *stub, unsigned long number) {
    return number < 16 ? &stub->registers[number] : number == 25 ? &stub->registers[16] : NULL;
}

static void print_register(struct stub *stub, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        rp_buf_printf(&stub->reply, "%02x", value >> 8 * i & 0xFF);
}

static uint32_t scan_register(const char *text) {
    unsigned byte[4] = {0};
    (void)sscanf(text, "%2x%2x%2x%2x", &byte[0], &byte[1], &byte[2], &byte[3]);
    return byte[0] | byte[1] << 8 | byte[2] << 16 | byte[3] << 24;
}

static void do_register(struct stub *stub, const char *text, size_t len) {
    char *end;
    stub->reply.len = 0;
    /* without a description, there are 100 bytes before xPSR */
    size_t gap = stub->lacks_features ? 200 : 0;
    if (text[0] == 'g') {
        for (unsigned i = 0; i < STUB_REGISTERS; i++) {
            for (size_t k = 0; i == STUB_REGISTERS - 1 && k < gap; k++)
                rp_buf_puts(&stub->reply, "0");
            print_register(stub, stub->registers[i]);
        }
    } else if (text[0] == 'G') {
        bool ok = len == 1 + 8 * STUB_REGISTERS + gap;
        for (unsigned i = 0; ok && i < STUB_REGISTERS; i++)
            stub->registers[i] =
                scan_register(text + 1 + 8 * i + (i == STUB_REGISTERS - 1 ? gap : 0));
        rp_buf_puts(&stub->reply, ok ? "OK" : "E01");
    } else if (!stub->lacks_p) {
        uint32_t *one = register_at(stub, strtoul(text + 1, &end, 16));
        if (one == NULL)
            rp_buf_puts(&stub->reply, "E01");
        else if (text[0] == 'p')
            print_register(stub, *one);
        else
            *one = scan_register(end + 1), rp_buf_puts(&stub->reply, "OK");
    }
    send_reply(stub, true);
}

static void send_document(struct stub *stub, const char *text) {
    const char *document = strstr(text, ":target.xml:") != NULL   ? target_xml
                           : strstr(text, ":core.xml:") != NULL   ? core_xml
                           : strstr(text, ":memory-map:") == NULL ? NULL
                           : stub->has_map                        ? memory_map
                                                                  : NULL;
    const char *range = strrchr(text, ':');
    unsigned offset, size;
    if (document == NULL || sscanf(range, ":%x,%x", &offset, &size) != 2 ||
        offset > strlen(document)) {
        say(stub, "E00");
        return;
    }
    size_t left = strlen(document) - offset;
    say(stub,
        rp_format(stub->arena, "%c%.*s", size < left ? 'm' : 'l', (int)size, document + offset));
}

static void run_command(struct stub *stub, const char *text) {
    if (strcmp(text, "qRcmd,6261642121") == 0) { /* bad!! */
        say(stub, "E42");
        return;
    }
    carry(stub, true, "+", 1);
    tell(stub, "O68656c");
    tell(stub, "O6c6f0a");
    tell(stub, "OK");
}

static void answer(struct stub *stub, const char *text, size_t len) {
    (void)snprintf(stub->last, sizeof stub->last, "%s", text);
    if (strncmp(text, "qSupported", 10) == 0)
        say(stub, rp_format(stub->arena, "%s%s%s%shwbreak+",
                            stub->packet_size != 0
                                ? rp_format(stub->arena, "PacketSize=%zx;", stub->packet_size)
                                : "",
                            stub->lacks_features ? "" : "qXfer:features:read+;",
                            stub->has_map ? "qXfer:memory-map:read+;" : "",
                            stub->has_binary_read ? "binary-upload+;" : ""));
    else if (strncmp(text, "qXfer:", 6) == 0)
        send_document(stub, text);
    else if (strncmp(text, "qRcmd,", 6) == 0)
        run_command(stub, text);
    else if (strcmp(text, "qC") == 0)
        say(stub, "QC1");
    else if (strcmp(text, "?") == 0)
        say(stub, "S05");
    else if (text[0] == 'm' || (text[0] == 'x' && stub->has_binary_read))
        read_memory(stub, text);
    else if (text[0] == 'M' || (text[0] == 'X' && !stub->lacks_x))
        write_memory(stub, text, len);
    else if (strchr("gGpP", text[0]) != NULL && text[0] != '\0')
        do_register(stub, text, len);
    else if (text[0] == 'Z' || text[0] == 'z') {
        if (!stub->lacks_z)
            stub->breakpoint = text[0] == 'Z' ? (uint32_t)strtoul(text + 3, NULL, 16) : 0;
        say(stub, stub->lacks_z ? "" : "OK");
    } else if (strcmp(text, "c") == 0) {
        stub->is_running = true;
        carry(stub, true, "+", 1);
    } else if (strcmp(text, "D") == 0 || strncmp(text, "vFlash", 6) == 0) {
        if (text[0] == 'D')
            say(stub, "OK");
        else
            do_flash(stub, text, len);
    } else {
        say(stub, "");
    }
}

static unsigned digit(char c) {
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* A whole packet at the start of the text? Answers it, or says that it is garbled. */
static size_t take_packet(struct stub *stub, const char *text, size_t size) {
    const char *end = memchr(text, '#', size);
    const char *again = memchr(text + 1, '$', size - 1);
    if (again != NULL && (end == NULL || again < end))
        return (size_t)(again - text); /* the first one was cut */
    if (end == NULL || (size_t)(end - text) + 3 > size)
        return 0;
    char *body = rp_alloc(stub->arena, size, 1);
    size_t len = 0;
    unsigned sum = 0;
    for (const char *c = text + 1; c < end; c++) {
        sum += (unsigned char)*c;
        if (*c == '}' && c + 1 < end) {
            sum += (unsigned char)*++c;
            body[len++] = *c ^ 0x20;
        } else {
            body[len++] = *c;
        }
    }
    body[len] = '\0';
    if ((sum & 0xFF) != (digit(end[1]) << 4 | digit(end[2])))
        carry(stub, true, "-", 1);
    else
        answer(stub, body, len);
    return (size_t)(end - text) + 3;
}

static void serve(struct stub *stub) {
    while (stub->in_used < stub->in.len) {
        const char *at = stub->in.data + stub->in_used;
        size_t used = 1;
        if (stub->is_awaiting && (*at == '-' || (*at == '$' && stub->resends)))
            send_reply(stub, false);
        if (stub->is_awaiting && (*at == '+' || (*at == '$' && !stub->resends)))
            stub->is_awaiting = false;
        bool stops = stub->is_running && (*at == 3 || *at == '$'); /* as QEMU's server does */
        if (stops) {
            stub->is_running = false;
            tell(stub, "T02thread:1;");
        }
        if (*at == '$' && !stub->is_awaiting && !stops)
            used = take_packet(stub, at, stub->in.len - stub->in_used);
        if (used == 0)
            return;
        stub->in_used += used;
    }
}

/* ---- the client's end ---- */

static ssize_t put(struct rp_wire *wire, const void *data, size_t size) {
    struct stub *stub = wire->context;
    const char *at = data, *end = at + size;
    /* counted before the wire repeats them */
    stub->continued += memmem(at, size, "$c#", 3) != NULL;
    stub->commanded += memmem(at, size, "$qRcmd", 6) != NULL;
    while (at < end && !stub->is_gone) { /* acknowledgments on their own */
        size_t len = *at == '+' || *at == '-' ? 1 : (size_t)(end - at);
        carry(stub, false, at, len);
        at += len;
    }
    if (!stub->is_gone && !stub->is_hanging)
        serve(stub);
    if (!stub->is_gone)
        return (ssize_t)size;
    errno = EPIPE;
    return -1;
}

static ssize_t get(struct rp_wire *wire, void *data, size_t room) {
    struct stub *stub = wire->context;
    size_t left = stub->out.len - stub->out_used, count = left < room ? left : room;
    if (stub->is_gone)
        return 0;
    if (count == 0 || stub->is_hanging) {
        errno = EAGAIN;
        return -1;
    }
    if (count > 3 && stub_random(stub, 4) == 0) /* in pieces */
        count = 1 + stub_random(stub, (uint32_t)count);
    memcpy(data, stub->out.data + stub->out_used, count);
    stub->out_used += count;
    return (ssize_t)count;
}

static void wait_for(struct rp_wire *wire, short events, double seconds) {
    struct stub *stub = wire->context;
    (void)events;
    stub->waits++;
    if (stub->is_gone || (stub->out_used != stub->out.len && !stub->is_hanging))
        return; /* something is there */
    if (stub->is_held && stub->held_until <= stub->now + seconds) {
        rp_buf_append(&stub->out, rp_buf_text(&stub->held), stub->held.len);
        stub->held.len = 0;
        stub->is_held = false;
        stub->now = stub->held_until;
    } else if (stub->is_held) {
        stub->now += seconds;
    } else if (stub->is_running && !stub->never_stops) {
        stub->is_running = false;
        stub->now += 0.001;
        tell(stub, "O4869");
        tell(stub, "T05thread:1;swbreak:;");
    } else {
        stub->now += seconds;
    }
}

static double now(const struct rp_wire *wire) {
    const struct stub *stub = wire->context;
    return stub->now;
}

struct rp_wire stub_start(struct stub *stub, struct rp_arena *arena, uint64_t seed) {
    static const struct rp_wire_link link = {put, get, wait_for, now};
    stub->arena = stub->in.arena = stub->out.arena = stub->held.arena = stub->reply.arena = arena;
    stub->random = seed * 2 + 1;
    for (unsigned i = 0; i < 4; i++)
        (void)stub_random(stub, 2);
    return (struct rp_wire){.link = &link,
                            .context = stub,
                            .fd = -1,
                            .where = "stub",
                            .input = rp_alloc(arena, RP_WIRE_INPUT, 1)};
}
