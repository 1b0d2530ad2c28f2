/* SPDX-License-Identifier: Apache-2.0 */
/* Placing areas in the memories of a board: see place.h. */
#include "cli/harness/place.h"

#include <string.h>

#include "base/buf.h"

enum { GUARD = 4096 /* HARNESS_GUARD_MAX */, SHIFT = 0x1230 };

static uint64_t end_of(struct rp_area area) {
    return (uint64_t)area.address + area.size;
}

static struct rp_area between(uint64_t start, uint64_t end) {
    return (struct rp_area){(uint32_t)start, end > start ? (uint32_t)(end - start) : 0};
}

/* Removes [start, end) from the free memory. */
static void cut(struct rp_space *space, uint64_t start, uint64_t end) {
    struct rp_area kept[RP_SPACE_MAX] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < space->count; i++) {
        struct rp_area area = space->free[i];
        uint64_t from = area.address, to = end_of(area);
        const struct rp_area parts[2] = {between(from, start < to ? start : to),
                                         between(end > from ? end : from, to)};
        bool is_apart = end <= from || start >= to;
        for (size_t k = 0; k < (is_apart ? 1 : 2); k++) {
            struct rp_area part = is_apart ? area : parts[k];
            if (part.size != 0 && count < RP_SPACE_MAX)
                kept[count++] = part;
        }
    }
    memcpy(space->free, kept, count * sizeof kept[0]);
    space->count = count;
}

void rp_space_begin(struct rp_space *space, const struct rp_board *board) {
    uint32_t stack = rp_board_place(board, RP_PLACE_STACK);
    uint32_t plan = rp_board_place(board, RP_PLACE_PLAN);
    const struct rp_board_memory *memory;
    *space = (struct rp_space){.board = board};
    while ((memory = rp_board_memory(board, space->count)) != NULL)
        space->free[space->count++] = memory->area;
    cut(space, board->vectors, (uint64_t)board->vectors + HARNESS_VECTORS_BYTES);
    cut(space, stack, (uint64_t)stack + HARNESS_STACK_BYTES);
    cut(space, plan, (uint64_t)plan + HARNESS_PLAN_BYTES);
}

void rp_space_take(struct rp_space *space, struct rp_area area) {
    if (area.size != 0)
        cut(space, area.address > GUARD ? area.address - GUARD : 0, end_of(area) + GUARD);
}

struct rp_area rp_space_at(const struct rp_space *space, uint32_t address) {
    for (size_t i = 0; i < space->count; i++)
        if (address >= space->free[i].address && address < end_of(space->free[i]))
            return between(address, end_of(space->free[i]));
    return (struct rp_area){address, 0};
}

struct rp_area rp_space_largest(const struct rp_space *space, struct rp_area limits) {
    struct rp_area best = {0, 0};
    for (size_t i = 0; i < space->count; i++) {
        struct rp_area area = space->free[i];
        uint64_t start = area.address > limits.address ? area.address : limits.address;
        uint64_t end = end_of(area) < end_of(limits) ? end_of(area) : end_of(limits);
        if (end > start && end - start > 2 * GUARD && end - start - 2 * GUARD > best.size)
            best = between(start + GUARD, end - GUARD);
    }
    return best;
}

/* ---- one want ---- */

/*
 * The lowest or the highest address in a free piece, shift bytes away from its end, so that the
 * lower bits of addresses differ as well. Returns 0 when it does not fit.
 */
static uint32_t address_in(struct rp_area piece, const struct rp_want *want, bool from_end,
                           uint32_t shift) {
    uint64_t room = 2 * GUARD + (uint64_t)shift + want->size;
    uint64_t step = (uint64_t)want->align * (want->is_odd ? 2 : 1);
    uint64_t rest = want->is_odd ? want->align : 0;
    if (room > piece.size)
        return 0;
    uint64_t lowest = (uint64_t)piece.address + GUARD;
    lowest = lowest > want->above ? lowest : (uint64_t)want->above + 1;
    uint64_t highest = end_of(piece) - GUARD - want->size;
    uint64_t at = from_end ? highest - shift : lowest + shift;
    if (from_end)
        at -= (at + step - rest) % step;
    else
        at += (step + rest - at % step) % step;
    return at >= lowest && at <= highest && at != want->but_not ? (uint32_t)at : 0;
}

static bool place_one(struct rp_space *space, const struct rp_want *want, bool from_end) {
    for (uint32_t shift = SHIFT;; shift = 0) {
        for (size_t i = 0; i < space->count; i++) {
            struct rp_area piece = space->free[from_end ? space->count - 1 - i : i];
            uint32_t at = address_in(piece, want, from_end, shift);
            if (at == 0)
                continue;
            *want->place = (struct rp_area){at, want->size};
            rp_space_take(space, *want->place);
            return true;
        }
        if (shift == 0)
            return false;
    }
}

bool rp_space_lacks(const struct rp_space *space, const char *what, uint64_t size,
                    struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf text = {.arena = &arena};
    const struct rp_area all = {0, UINT32_MAX};
    const struct rp_board_memory *memory;
    for (size_t i = 0; (memory = rp_board_memory(space->board, i)) != NULL; i++)
        rp_buf_printf(&text, "%s%u KB at 0x%08x", i == 0 ? "" : ", ", memory->area.size / 1024,
                      memory->area.address);
    rp_fail(err, RP_E_VERIFY,
            "no room for %s (%llu bytes) on the emulated board %s: it has %s, and the largest "
            "piece that is still free has %u bytes",
            what, (unsigned long long)size, space->board->machine, text.data,
            rp_space_largest(space, all).size);
    rp_arena_release(&arena);
    return false;
}

bool rp_space_place(struct rp_space *space, const struct rp_want *wants, size_t count,
                    bool from_end, struct rp_error *err) {
    bool done[RP_WANTS_MAX] = {false};
    for (size_t round = 0; round < count; round++) {
        size_t next = 0;
        while (next + 1 < count && done[next])
            next++;
        for (size_t i = next; i < count; i++)
            if (!done[i] && wants[i].size > wants[next].size)
                next = i;
        done[next] = true;
        *wants[next].place = (struct rp_area){0, 0};
        if (wants[next].size != 0 && !place_one(space, &wants[next], from_end))
            return rp_space_lacks(space, wants[next].what, wants[next].size, err);
    }
    return true;
}
