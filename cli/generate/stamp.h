/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stamps: what files were made from, so that nothing is made again whose options, tools, inputs and
 * outputs are as they were. Contents are compared, not times. A stamp is a list of words, quoted as
 * in a response file: kind, SHA-256 and, of a file, its path.
 */
#ifndef RP_CLI_GENERATE_STAMP_H
#define RP_CLI_GENERATE_STAMP_H

#include "cli/generate/generation.h"

/* SHA-256 of files, each read once. Zero-initialise, with the arena, and release. */
struct rp_stamp_sums {
    struct rp_arena *arena;
    void *tree; /* of search.h */
};
void rp_stamp_sums_release(struct rp_stamp_sums *sums);

/*
 * Is everything that a stamp lists as it was? dir: the folder from which relative paths of the
 * options count (NULL: the current one). A stamp that is missing or damaged is not current. Not
 * seen are: parts of a compiler other than the driver, assembler and linker (cc1), which come with
 * it.
 */
bool rp_stamp_is_current(const struct rp_generate_options *options, const char *stamp,
                         const char *dir, struct rp_stamp_sums *sums);
/* Before anything is read: takes down options and time. To be called once, with --stamp only. */
void rp_stamp_begin(struct rp_generation *run);
/*
 * Adds the stamp to the outputs, all of which have to be staged. There is none, and so the next run
 * makes everything again, when a budget is exceeded, when an output is no file, and when an input
 * was changed since the run began. inputs: absolute paths. RP_E_SYSTEM, RP_E_NO_SPACE.
 */
bool rp_stamp_add(struct rp_generation *run, const struct rp_strings *inputs, struct rp_error *err);

#endif
