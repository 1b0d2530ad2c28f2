/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix of models, targets and variants, expanded to cells. In: JSON text. Out: cells. Pure. */
#ifndef RP_CLI_BATCH_MATRIX_H
#define RP_CLI_BATCH_MATRIX_H

#include "base/arena.h"
#include "base/error.h"

/* An image to make. */
struct rp_cell {
    const char *model, *target;
    const char *variant;     /* NULL: none */
    const char *name;        /* "kws/stm32f4/split"; its folder in that of all outputs */
    struct rp_strings words; /* options of `generate`, without those that the batch adds */
};

struct rp_matrix {
    struct rp_cell *items; /* models, in them targets, in them variants; then what include adds */
    size_t count;
    size_t capacity;
    struct rp_strings budgets; /* "[PATTERN:]KEY=[warn:]SIZE" */
};

/* The text of a matrix, and where it stands. */
struct rp_matrix_text {
    const char *text;
    size_t size;
    const char *path;   /* for messages */
    const char *dir;    /* its folder, absolute */
    const char *output; /* folder of all outputs, absolute */
};

/*
 * Expands models x targets x variants. An entry of exclude removes the cells that match all that it
 * names. After that, an entry of include adds its options to all cells that match what it names, or
 * makes a cell if there is none. RP_E_MANIFEST: a member is unknown or of the wrong type, a name
 * cannot be that of a folder or is unknown, two cells have one folder, there is no cell.
 */
bool rp_matrix_read(struct rp_matrix *matrix, struct rp_arena *arena,
                    const struct rp_matrix_text *from, struct rp_error *err);
/*
 * Does the cell match the pattern? Patterns are taken apart at '/' and compared as a shell compares
 * file names; one that has fewer parts than the cell matches whatever follows.
 */
bool rp_cell_matches(const struct rp_cell *cell, struct rp_arena *arena, const char *pattern);

#endif
