/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/probe: whatever a GDB server sends, a session ends with an error or with
 * answers, after a bounded number of waits; any document gives registers and regions within bounds.
 */
#include "tests/fuzz/fuzz.h"

#include <errno.h>

#include "toolchain/probe/memory.h"
#include "toolchain/probe/registers.h"
#include "toolchain/probe/session.h"

enum { WAITS_MAX = 100000, SENT_MAX = 1 << 26 };

/*
 * The server's bytes come in pieces: each time that the client waits, up to the next newline. At
 * the end, they begin again some times, as those of a server that goes on for ever.
 */
struct feed {
    const uint8_t *data;
    size_t size, at, open, rounds, waits, sent;
    double now;
};

static ssize_t put(struct rp_wire *wire, const void *data, size_t size) {
    struct feed *feed = wire->context;
    (void)data;
    feed->sent += size;
    require(feed->sent < SENT_MAX);
    return (ssize_t)size;
}

static ssize_t get(struct rp_wire *wire, void *data, size_t room) {
    struct feed *feed = wire->context;
    size_t count = feed->open - feed->at < room ? feed->open - feed->at : room;
    if (count == 0) {
        errno = EAGAIN;
        return feed->rounds < 8 ? -1 : 0;
    }
    memcpy(data, feed->data + feed->at, count);
    feed->at += count;
    return (ssize_t)count;
}

static void wait_for(struct rp_wire *wire, short events, double seconds) {
    struct feed *feed = wire->context;
    (void)events;
    require(++feed->waits < WAITS_MAX);
    if (feed->at != feed->open)
        return;
    if (feed->open == feed->size) {
        feed->at = feed->open = 0;
        feed->rounds++;
        feed->now += seconds;
        return;
    }
    const uint8_t *end = memchr(feed->data + feed->open, '\n', feed->size - feed->open);
    feed->open = end != NULL ? (size_t)(end - feed->data) + 1 : feed->size;
}

static double now(const struct rp_wire *wire) {
    const struct feed *feed = wire->context;
    return feed->now;
}

static void hold_session(struct rp_arena *arena, const uint8_t *data, size_t size) {
    static const struct rp_wire_link link = {put, get, wait_for, now};
    struct feed feed = {.data = data, .size = size};
    struct rp_wire wire = {.link = &link,
                           .context = &feed,
                           .fd = -1,
                           .where = "fuzz",
                           .input = rp_alloc(arena, RP_WIRE_INPUT, 1)};
    struct rp_error err = {0};
    struct rp_gdb *gdb = rp_gdb_open(arena, &wire, NULL, &err);
    struct rp_buf text = {.arena = arena};
    const struct rp_gdb_map *map;
    struct rp_gdb_stop stop;
    uint8_t bytes[300] = {0};
    uint32_t value = 0;
    bool supported;
    require_error(gdb != NULL, &err);
    if (gdb == NULL)
        return;
    (void)rp_gdb_get_register(gdb, "pc", &value, NULL);
    (void)rp_gdb_set_register(gdb, "xpsr", value, NULL);
    (void)rp_gdb_read(gdb, 0x20000000, bytes, sizeof bytes, NULL);
    (void)rp_gdb_write(gdb, 0x20000000, bytes, sizeof bytes, NULL);
    (void)rp_gdb_monitor(gdb, "reset halt", &text, NULL);
    require(text.len <= RP_TALK_CONSOLE_MAX + RP_TALK_MAX);
    require_error(rp_gdb_map(gdb, &map, &err), &err);
    (void)rp_gdb_flash(gdb, 0x08000000, bytes, sizeof bytes, NULL);
    (void)rp_gdb_break(gdb, &(struct rp_gdb_breakpoint){.address = 0x20000000}, true, &supported,
                       NULL);
    if (rp_gdb_continue(gdb, NULL) && rp_gdb_wait(gdb, 10, &text, &stop, NULL))
        (void)rp_gdb_interrupt(gdb, &stop, NULL);
    (void)rp_gdb_detach(gdb, NULL);
    rp_gdb_close(gdb);
}

/* Lines behind a "=" become packets: a checksum that is right by chance is rare. */
static struct rp_buf wrap(struct rp_arena *arena, const uint8_t *data, size_t size) {
    struct rp_buf text = {.arena = arena};
    for (size_t at = 1; at < size;) {
        const uint8_t *line = data + at, *end = memchr(line, '\n', size - at);
        size_t len = end != NULL ? (size_t)(end - line) : size - at;
        unsigned char sum = 0;
        for (size_t i = 0; i < len; i++)
            sum = (unsigned char)(sum + line[i]);
        rp_buf_puts(&text, "+$");
        rp_buf_append(&text, line, len);
        rp_buf_printf(&text, "#%02x\n", sum);
        at += len + 1;
    }
    return text;
}

static void describe(struct rp_arena *arena, const uint8_t *data, size_t size) {
    struct rp_error err = {0};
    struct rp_buf text = {.arena = arena};
    struct rp_gdb_registers registers = {0};
    struct rp_gdb_map map = {0};
    struct rp_strings includes = {0};
    rp_buf_append(&text, data, size);
    require_error(rp_describe_registers(&registers, arena, &text, &includes, &err), &err);
    err = (struct rp_error){0};
    bool ok = rp_describe_map(&map, arena, &text, &err);
    require_error(ok, &err);
    for (size_t i = 0; ok && i < map.count; i++) {
        const struct rp_gdb_region *one = &map.items[i];
        require(one->size != 0 && one->size <= (UINT64_C(1) << 32) - one->address);
        require(i == 0 || map.items[i - 1].address < one->address);
        require((one->kind == RP_GDB_FLASH) == (one->block_size != 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    describe(&arena, data, size);
    struct rp_buf packets = wrap(&arena, data, size);
    if (size != 0 && data[0] == '=' && packets.len != 0)
        hold_session(&arena, (const uint8_t *)packets.data, packets.len);
    else
        hold_session(&arena, data, size);
    rp_arena_release(&arena);
    return 0;
}
