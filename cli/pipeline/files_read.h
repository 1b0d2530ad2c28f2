/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a run reads: this program, the compiler and the linker. No output may replace one,
 * the depfile names them all, and those whose hashes are in the report must not change while the
 * model is built.
 */
#ifndef RP_CLI_PIPELINE_FILES_READ_H
#define RP_CLI_PIPELINE_FILES_READ_H

#include <sys/stat.h>

#include "cli/pipeline/package.h"

/* A file as it was when the run began. */
struct rp_read_state {
    const char *path;
    struct stat st;
    bool young; /* so recent that its time would not show another change: compare sum */
    struct rp_sum sum;
};

struct rp_files_read {
    struct rp_arena *arena;
    struct rp_strings read; /* by this program */
    struct {
        struct rp_read_state *items;
        size_t count;
        size_t capacity;
    } stamps;
};

/* From now on, notes what this program reads, until the end. */
void rp_files_read_begin(struct rp_files_read *inputs, struct rp_arena *arena);
void rp_files_read_end(struct rp_files_read *inputs);
/* Records the state of the model's files, before anything is compiled. */
bool rp_files_read_stamp(struct rp_files_read *inputs, const struct rp_package *package,
                         struct rp_error *err);
/* Are they still in that state? RP_E_CHANGED. */
bool rp_files_read_unchanged(const struct rp_files_read *inputs, struct rp_error *err);
/* All files outside the workspace that were read so far. */
void rp_files_read_list(const struct rp_files_read *inputs, struct rp_package *package,
                        struct rp_strings *names);
/* --log must not name a file that has been read. RP_E_USAGE. */
bool rp_files_read_spare_log(const struct rp_files_read *inputs, const struct rp_package *package,
                             struct rp_error *err);
/*
 * A makefile rule by which goal depends on these files. Files that the user did not name also get a
 * rule without a command, as with gcc -MP, so that make does not fail when a header is gone.
 */
void rp_files_read_depfile(struct rp_buf *out, const char *goal, const struct rp_strings *names,
                           const struct rp_package *package);

#endif
