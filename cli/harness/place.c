/* SPDX-License-Identifier: Apache-2.0 */
/* Placing areas in the memories of a board: see place.h. */
#include "cli/harness/place.h"

#include <string.h>

#include "base/buf.h"
#include "templates/harness/plan.h"

enum { SHIFT = 0x1230 };

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

void rp_space_of_ram(struct rp_space *space, const struct rp_board *board, bool set_up,
                     uint32_t guard) {
    *space = (struct rp_space){.board = board, .guard = guard};
    for (int external = 0; external < 2; external++)
        for (size_t i = 0; i < board->memory_count; i++) {
            const struct rp_board_memory *memory = &board->memories[i];
            if (memory->is_external == external && !memory->is_flash &&
                (set_up || !memory->needs_firmware))
                space->free[space->count++] = memory->area;
        }
}

void rp_space_begin(struct rp_space *space, const struct rp_board *board) {
    uint32_t stack = rp_board_place(board, RP_PLACE_STACK);
    uint32_t plan = rp_board_place(board, RP_PLACE_PLAN);
    rp_space_of_ram(space, board, true, HARNESS_GUARD_MAX);
    space->shift = SHIFT;
    cut(space, board->vectors, (uint64_t)board->vectors + HARNESS_VECTORS_BYTES);
    cut(space, stack, (uint64_t)stack + HARNESS_STACK_BYTES);
    cut(space, plan, (uint64_t)plan + HARNESS_PLAN_BYTES);
}

void rp_space_take(struct rp_space *space, struct rp_area area) {
    if (area.size != 0)
        cut(space, area.address > space->guard ? area.address - space->guard : 0,
            end_of(area) + space->guard);
}

struct rp_area rp_space_at(const struct rp_space *space, uint32_t address) {
    for (size_t i = 0; i < space->count; i++)
        if (address >= space->free[i].address && address < end_of(space->free[i]))
            return between(address, end_of(space->free[i]));
    return (struct rp_area){address, 0};
}

struct rp_area rp_space_largest(const struct rp_space *space, struct rp_area limits) {
    const uint32_t guard = space->guard;
    struct rp_area best = {0, 0};
    for (size_t i = 0; i < space->count; i++) {
        struct rp_area area = space->free[i];
        uint64_t start = area.address > limits.address ? area.address : limits.address;
        uint64_t end = end_of(area) < end_of(limits) ? end_of(area) : end_of(limits);
        if (end > start && end - start > 2 * guard && end - start - 2 * guard > best.size)
            best = between(start + guard, end - guard);
    }
    return best;
}

/* ---- one want ---- */

/*
 * The lowest or the highest address in a free piece, shift bytes away from its end, so that the
 * lower bits of addresses differ as well. Returns 0 when it does not fit.
 */
static uint32_t address_in(struct rp_area piece, const struct rp_want *want, bool from_end,
                           const struct rp_space *space) {
    uint64_t room = 2 * (uint64_t)space->guard + space->shift + want->size;
    uint64_t step = (uint64_t)want->align * (want->is_odd ? 2 : 1);
    uint64_t rest = want->is_odd ? want->align : 0;
    if (room > piece.size)
        return 0;
    uint64_t lowest = (uint64_t)piece.address + space->guard;
    lowest = lowest > want->above ? lowest : (uint64_t)want->above + 1;
    uint64_t highest = end_of(piece) - space->guard - want->size;
    uint64_t at = from_end ? highest - space->shift : lowest + space->shift;
    if (from_end)
        at -= (at + step - rest) % step;
    else
        at += (step + rest - at % step) % step;
    return at >= lowest && at <= highest && at != want->but_not ? (uint32_t)at : 0;
}

static bool can_hold(const struct rp_space *space, struct rp_area piece,
                     const struct rp_want *want) {
    for (size_t i = 0; want->for_code && i < space->board->memory_count; i++) {
        const struct rp_board_memory *memory = &space->board->memories[i];
        if (memory->no_execute && piece.address >= memory->area.address &&
            piece.address < end_of(memory->area))
            return false;
    }
    return true;
}

static bool place_in_piece(struct rp_space *space, const struct rp_want *want, bool from_end) {
    for (size_t i = 0; i < space->count; i++) {
        struct rp_area piece = space->free[from_end ? space->count - 1 - i : i];
        uint32_t at = can_hold(space, piece, want) ? address_in(piece, want, from_end, space) : 0;
        if (at == 0)
            continue;
        *want->place = (struct rp_area){at, want->size};
        rp_space_take(space, *want->place);
        return true;
    }
    return false;
}

/* Without the shift when there is no room for it. */
static bool place_one(struct rp_space *space, const struct rp_want *want, bool from_end) {
    const uint32_t shift = space->shift;
    bool placed = place_in_piece(space, want, from_end);
    space->shift = 0;
    placed = placed || (shift != 0 && place_in_piece(space, want, from_end));
    space->shift = shift;
    return placed;
}

bool rp_space_lacks(const struct rp_space *space, const char *what, uint64_t size,
                    struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf text = {.arena = &arena};
    const struct rp_area all = {0, UINT32_MAX};
    const struct rp_board_memory *memory;
    for (size_t i = 0; (memory = rp_board_memory(space->board, i)) != NULL; i++)
        if (!memory->is_flash)
            rp_buf_printf(&text, "%s%u KB at 0x%08x%s", i == 0 ? "" : ", ",
                          memory->area.size / 1024, memory->area.address,
                          memory->no_execute ? " (not for code)" : "");
    rp_fail(err, RP_E_VERIFY,
            "no room for %s (%llu bytes) on the %sboard %s: it has %s, and the largest piece that "
            "is still free has %u bytes",
            what, (unsigned long long)size, space->board->machine != NULL ? "emulated " : "",
            space->board->name, text.data, rp_space_largest(space, all).size);
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
