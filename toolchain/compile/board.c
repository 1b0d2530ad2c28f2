/* SPDX-License-Identifier: Apache-2.0 */
/* The emulated boards: see board.h. */
#include "toolchain/compile/board.h"

#include <string.h>

static const struct rp_board_memory memories[] = {
#define X(board, id, address, bytes) {.name = #id, .area = {(address), (bytes)}},
    HARNESS_MEMORIES(X)
#undef X
};
/* The board of each row of the table above. */
static const enum harness_board owners[] = {
#define X(board, id, address, bytes) HARNESS_##board,
    HARNESS_MEMORIES(X)
#undef X
};

static struct rp_board boards[] = {
#define X(id, cpu, qemu, its_part, hz, reset, setting)                                             \
    [HARNESS_##id] = {.name = (qemu),                                                              \
                      .core = #id,                                                                 \
                      .series = (cpu),                                                             \
                      .machine = (qemu),                                                           \
                      .global = (setting),                                                         \
                      .part = (its_part),                                                          \
                      .clock_hz = (hz),                                                            \
                      .counts_instructions = true,                                                 \
                      .vectors = (reset)},
    HARNESS_BOARDS(X)
#undef X
};

static const uint32_t places[HARNESS_BOARD_COUNT][RP_PLACE_COUNT] = {
#define X(board, stack, plan, firmware) [HARNESS_##board] = {stack, plan, firmware},
    HARNESS_PLACES(X)
#undef X
};

/* The rows of a board are consecutive. */
static void fill(struct rp_board *board, enum harness_board id) {
    board->memory_count = 0;
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        if (owners[i] != id)
            continue;
        if (board->memory_count++ == 0)
            board->memories = &memories[i];
    }
    memcpy(board->places, places[id], sizeof board->places);
    for (size_t i = 0; board->runs_on == NULL; i++)
        if (strcmp(boards[i].machine, board->machine) == 0)
            board->runs_on = boards[i].core;
}

const struct rp_board *rp_board_find(const char *core) {
    for (size_t i = 0; i < HARNESS_BOARD_COUNT; i++) {
        if (strcmp(boards[i].core, core) != 0)
            continue;
        fill(&boards[i], (enum harness_board)i);
        return &boards[i];
    }
    return NULL;
}

const struct rp_board_memory *rp_board_memory(const struct rp_board *board, size_t index) {
    return index < board->memory_count ? &board->memories[index] : NULL;
}

struct rp_area rp_board_external(const struct rp_board *board) {
    for (size_t i = 0; i < board->memory_count; i++)
        if (strcmp(board->memories[i].name, "EXTERNAL") == 0)
            return board->memories[i].area;
    return (struct rp_area){0, 0};
}

uint32_t rp_board_place(const struct rp_board *board, enum rp_place place) {
    return board->places[place];
}
