/* SPDX-License-Identifier: Apache-2.0 */
/* The target's memory: see memory.h. */
#include "toolchain/probe/memory.h"

#include <stdio.h>
#include <string.h>

#include "toolchain/probe/session.h"

enum {
    PACKETS_MAX = 256, /* between two marks */
    WORD = 4,
    HEAD = sizeof "X12345678,12345678:" - 1,
    PIECE = 1 << 18 /* bytes compared at once */
};
#define ADDRESSES (UINT64_C(1) << 32)

struct transfer {
    struct rp_gdb *gdb;
    uint32_t address;
    size_t size;
    uint8_t *to;
    const uint8_t *from;
    char what[80];
};

void rp_gdb_on_progress(struct rp_gdb *gdb, const struct rp_gdb_progress *progress) {
    gdb->report = progress->report;
    gdb->report_context = progress->context;
}

static void report(const struct rp_gdb *gdb, uint32_t address, size_t done, size_t size) {
    if (gdb->report != NULL)
        gdb->report(gdb->report_context, address, done, size);
}

static bool is_range(uint32_t address, size_t size, struct rp_error *err) {
    return size <= ADDRESSES - address ||
           rp_fail(err, RP_E_GDB, "%zu bytes at 0x%08x go beyond the 32-bit addresses", size,
                   (unsigned)address);
}

/* The largest multiple of a word in room, but at most left. */
static size_t part_of(size_t left, size_t room) {
    return left <= room ? left : room - room % WORD;
}

/* ---- one packet ---- */

static bool fits_binary(const struct rp_request *request, const uint8_t *answer, size_t len) {
    return len == request->want + 1 && answer[0] == 'b';
}

static bool read_packet(struct transfer *transfer, size_t at, size_t *moved, struct rp_error *err) {
    struct rp_gdb *gdb = transfer->gdb;
    char head[32];
    size_t count = part_of(transfer->size - at, (gdb->talk.packet_max - RP_PACKET_FRAME) / 2);
    uint32_t address = transfer->address + (uint32_t)at;
    const struct rp_request request = {.head = head,
                                       .fits = gdb->has_binary_read ? fits_binary : rp_fits_hex,
                                       .want = count,
                                       .what = transfer->what,
                                       .hint = "is there memory at these addresses?"};
    struct rp_reply reply;
    (void)snprintf(head, sizeof head, "%c%x,%zx", gdb->has_binary_read ? 'x' : 'm',
                   (unsigned)address, count);
    (void)snprintf(transfer->what, sizeof transfer->what, "read %zu bytes at 0x%08x", count,
                   (unsigned)address);
    if (!rp_talk_ask(&gdb->talk, &request, &reply, err) ||
        !rp_talk_accepted(&gdb->talk, &request, &reply, err))
        return false;
    *moved = count;
    if (gdb->has_binary_read)
        memcpy(transfer->to + at, reply.data + 1, count);
    else if (!rp_packet_unhex(transfer->to + at, reply.data, count))
        return rp_fail(err, RP_E_GDB,
                       "cannot %s: the answer of the GDB server at '%s' has "
                       "characters other than hexadecimal digits",
                       request.what, gdb->talk.wire.where);
    return true;
}

static bool write_packet(struct transfer *transfer, size_t at, size_t *moved,
                         struct rp_error *err) {
    struct rp_gdb *gdb = transfer->gdb;
    bool binary = gdb->has_binary_write == RP_YES;
    size_t left = transfer->size - at, room = gdb->talk.packet_max - RP_PACKET_FRAME - HEAD;
    const uint8_t *from = transfer->from + at;
    char *head = gdb->text;
    size_t count = part_of(left, binary ? rp_packet_fit(from, left, room) : room / 2);
    uint32_t address = transfer->address + (uint32_t)at;
    const struct rp_request request = {.head = head,
                                       .data = from,
                                       .size = binary ? count : 0,
                                       .fits = rp_fits_ok,
                                       .what = transfer->what,
                                       .hint = "is there RAM at these addresses?"};
    struct rp_reply reply;
    int len = snprintf(head, HEAD + 1, "%c%x,%zx:", binary ? 'X' : 'M', (unsigned)address, count);
    if (!binary)
        rp_packet_hex(head + len, from, count);
    (void)snprintf(transfer->what, sizeof transfer->what, "write %zu bytes at 0x%08x", count,
                   (unsigned)address);
    *moved = count;
    return rp_talk_ask(&gdb->talk, &request, &reply, err) &&
           rp_talk_accepted(&gdb->talk, &request, &reply, err);
}

/* ---- many packets ---- */

/*
 * Moves all bytes, a series of packets at a time. A series in which something odd happened is
 * repeated. From then on, each packet is a series: in a longer one, a repeated answer to one packet
 * could be taken for the lost answer to the next.
 */
static bool move(struct transfer *transfer,
                 bool (*packet)(struct transfer *, size_t, size_t *, struct rp_error *),
                 struct rp_error *err) {
    struct rp_talk *talk = &transfer->gdb->talk;
    unsigned tries = 0;
    for (size_t done = 0; done < transfer->size;) {
        size_t at = done, moved = 0, packets = talk->is_lossy ? 1 : PACKETS_MAX;
        bool ok = true;
        if (!rp_talk_begin(talk, transfer->what, err))
            return false;
        for (size_t i = 0; ok && !talk->is_odd && i < packets && at < transfer->size; i++) {
            ok = packet(transfer, at, &moved, talk->own);
            at += ok ? moved : 0;
        }
        if (!ok && talk->has_given_up)
            return rp_talk_tell(talk, err);
        if (!rp_talk_end(talk, err))
            return false;
        if (talk->is_odd) {
            if (!rp_talk_again(talk, &tries, transfer->what, err))
                return false;
            continue;
        }
        if (!ok)
            return rp_talk_tell(talk, err);
        done = at;
        tries = 0;
        report(transfer->gdb, transfer->address, done, transfer->size);
    }
    return true;
}

bool rp_gdb_read(struct rp_gdb *gdb, uint32_t address, void *bytes, size_t size,
                 struct rp_error *err) {
    struct transfer transfer = {
        .gdb = gdb, .address = address, .size = size, .to = bytes, .what = "read memory"};
    return is_range(address, size, err) && move(&transfer, read_packet, err);
}

/* Asks with an empty X whether the server knows this packet. */
static bool choose_packet(struct rp_gdb *gdb, uint32_t address, struct rp_error *err) {
    char head[32];
    const struct rp_request request = {
        .head = head, .fits = rp_fits_ok, .what = "ask whether it takes binary data"};
    struct rp_reply reply;
    (void)snprintf(head, sizeof head, "X%x,0:", (unsigned)address);
    if (gdb->has_binary_write != RP_UNKNOWN)
        return true;
    if (!rp_talk_ask_alone(&gdb->talk, &request, &reply, err))
        return false;
    gdb->has_binary_write = rp_talk_is_refusal(&reply) ? RP_NO : RP_YES;
    return true;
}

bool rp_gdb_write(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                  struct rp_error *err) {
    struct transfer transfer = {
        .gdb = gdb, .address = address, .size = size, .from = bytes, .what = "write memory"};
    return is_range(address, size, err) && choose_packet(gdb, address, err) &&
           move(&transfer, write_packet, err);
}

bool rp_gdb_verify(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                   struct rp_error *err) {
    struct rp_arena arena = {0};
    const uint8_t *wanted = bytes;
    uint8_t *there = rp_alloc(&arena, size < PIECE ? size : PIECE, 1);
    bool ok = is_range(address, size, err);
    for (size_t done = 0; ok && done < size;) {
        size_t count = size - done < PIECE ? size - done : PIECE, i = 0;
        uint32_t at = address + (uint32_t)done;
        ok = rp_gdb_read(gdb, at, there, count, err);
        while (ok && i < count && there[i] == wanted[done + i])
            i++;
        if (ok && i < count) {
            ok = rp_fail(err, RP_E_GDB,
                         "the memory at 0x%08x holds 0x%02x after 0x%02x was "
                         "written to it",
                         (unsigned)(at + i), there[i], wanted[done + i]);
            rp_hint(err, "is there RAM, and does nothing else write to it?");
        }
        done += count;
    }
    rp_arena_release(&arena);
    return ok;
}

/* ---- flash ---- */

bool rp_gdb_map(struct rp_gdb *gdb, const struct rp_gdb_map **map, struct rp_error *err) {
    struct rp_buf text = {.arena = gdb->arena};
    if (gdb->has_map && !gdb->knows_map) {
        if (!rp_session_read(gdb, "memory-map", "", &text, err) ||
            !rp_describe_map(&gdb->map, gdb->arena, &text, err))
            return false;
        gdb->knows_map = true;
    }
    *map = &gdb->map;
    return true;
}

/* The region of flash that holds the address, or NULL. */
static const struct rp_gdb_region *flash_at(const struct rp_gdb_map *map, uint64_t address) {
    for (size_t i = 0; i < map->count; i++) {
        const struct rp_gdb_region *one = &map->items[i];
        if (one->kind == RP_GDB_FLASH && address >= one->address &&
            address - one->address < one->size)
            return one;
    }
    return NULL;
}

/* Widens [*start, *end) to whole blocks. */
static bool widen(struct rp_gdb *gdb, uint64_t *start, uint64_t *end, struct rp_error *err) {
    const struct rp_gdb_map *map;
    if (!rp_gdb_map(gdb, &map, err))
        return false;
    uint64_t first = *start, last = *end;
    for (uint64_t at = first; at < last;) {
        const struct rp_gdb_region *region = flash_at(map, at);
        if (region == NULL) {
            rp_fail(err, RP_E_GDB, "the GDB server at '%s' cannot program flash at 0x%08x",
                    gdb->talk.wire.where, (unsigned)at);
            return rp_hint(err, map->count == 0
                                    ? "it has no map of the target's memory"
                                    : "its map of the target's memory has no flash there");
        }
        uint64_t block = region->block_size, offset = at - region->address;
        if (at == first)
            *start = at - offset % block;
        at = region->address + region->size;
        if (at >= last)
            *end = region->address + (last - region->address + block - 1) / block * block;
    }
    return true;
}

static bool flash_packet(struct rp_gdb *gdb, const struct rp_request *request,
                         struct rp_error *err) {
    struct rp_reply reply;
    return rp_talk_ask_alone(&gdb->talk, request, &reply, err) &&
           rp_talk_accepted(&gdb->talk, request, &reply, err);
}

#define ERASE_S   300.0
#define PROGRAM_S 600.0 /* some servers do it all at the end */

static bool erase(struct rp_gdb *gdb, uint64_t start, uint64_t end, struct rp_error *err) {
    for (size_t i = 0; i < gdb->map.count; i++) {
        const struct rp_gdb_region *region = &gdb->map.items[i];
        uint64_t at = region->address > start ? region->address : start;
        uint64_t stop = region->address + region->size < end ? region->address + region->size : end;
        if (at >= stop)
            continue;
        char head[64], what[64];
        const struct rp_request request = {.head = head,
                                           .fits = rp_fits_ok,
                                           .what = what,
                                           .hint = "is the flash protected?",
                                           .seconds = ERASE_S,
                                           .once = true};
        (void)snprintf(head, sizeof head, "vFlashErase:%x,%x", (unsigned)at, (unsigned)(stop - at));
        (void)snprintf(what, sizeof what, "erase 0x%x bytes of flash at 0x%08x",
                       (unsigned)(stop - at), (unsigned)at);
        if (!flash_packet(gdb, &request, err))
            return false;
    }
    return true;
}

static bool program(struct rp_gdb *gdb, uint32_t address, const uint8_t *bytes, size_t size,
                    struct rp_error *err) {
    size_t room = gdb->talk.packet_max - RP_PACKET_FRAME - (sizeof "vFlashWrite:12345678:" - 1);
    for (size_t done = 0; done < size;) {
        size_t count = part_of(size - done, rp_packet_fit(bytes + done, size - done, room));
        char head[32], what[64];
        const struct rp_request request = {
            .head = head,
            .data = bytes + done,
            .size = count,
            .fits = rp_fits_ok,
            .what = what,
            .hint = "the flash is only partly programmed: program it again",
            .seconds = ERASE_S,
            .once = true};
        uint32_t at = address + (uint32_t)done;
        (void)snprintf(head, sizeof head, "vFlashWrite:%x:", (unsigned)at);
        (void)snprintf(what, sizeof what, "program %zu bytes of flash at 0x%08x", count,
                       (unsigned)at);
        if (!flash_packet(gdb, &request, err))
            return false;
        done += count;
        report(gdb, address, done, size);
    }
    return flash_packet(gdb,
                        &(struct rp_request){.head = "vFlashDone",
                                             .fits = rp_fits_ok,
                                             .what = "finish programming the flash",
                                             .hint = "the flash may hold a part only",
                                             .seconds = PROGRAM_S,
                                             .once = true},
                        err);
}

bool rp_gdb_flash(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                  struct rp_error *err) {
    struct rp_arena arena = {0};
    uint64_t start = address, end = address + (uint64_t)size;
    if (!is_range(address, size, err) || !widen(gdb, &start, &end, err))
        return false;
    size_t before = (size_t)(address - start), all = (size_t)(end - start);
    uint8_t *image = rp_alloc(&arena, all, 1);
    memcpy(image + before, bytes, size);
    bool ok = rp_gdb_read(gdb, (uint32_t)start, image, before, err) &&
              rp_gdb_read(gdb, address + (uint32_t)size, image + before + size, all - before - size,
                          err) &&
              erase(gdb, start, end, err) && program(gdb, (uint32_t)start, image, all, err);
    rp_arena_release(&arena);
    return ok;
}
