/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a run reads, whoever reads them: this program, the compiler, the linker. No output
 * may replace one, the depfile names them all, and those that the report has hashes of must not
 * change while the model is built.
 */
#ifndef RP_CLI_GENERATE_FILES_READ_H
#define RP_CLI_GENERATE_FILES_READ_H

#include <sys/stat.h>

#include "cli/pipeline/package.h"

/* A file as it was when the run began. */
struct rp_stamp {
    const char *path;
    struct stat st;
    bool young; /* changed so lately that its time would hide another change: sum counts */
    struct rp_sum sum;
};

struct rp_files_read {
    struct rp_arena *arena;
    struct rp_strings read; /* by this program */
    struct {
        struct rp_stamp *items;
        size_t count;
        size_t capacity;
    } stamps;
};

/* Notes from now on what this program reads. */
void rp_files_read_begin(struct rp_files_read *inputs, struct rp_arena *arena);
void rp_files_read_end(struct rp_files_read *inputs);
/* Remembers how the model's files are. Once they are known, before anything is compiled. */
bool rp_files_read_stamp(struct rp_files_read *inputs, const struct rp_package *package,
                         struct rp_error *err);
/* Are they still so? RP_E_CHANGED. */
bool rp_files_read_unchanged(const struct rp_files_read *inputs, struct rp_error *err);
/* All files outside the workspace that were read so far. */
void rp_files_read_list(const struct rp_files_read *inputs, struct rp_package *package,
                        struct rp_strings *names);
/* --log must not name a file that has been read. RP_E_USAGE. */
bool rp_files_read_spare_log(const struct rp_files_read *inputs, const struct rp_package *package,
                             struct rp_error *err);
/*
 * A makefile rule: goal from these files. Those that were not named by the user get a rule without
 * a command, as with gcc -MP: a header that is gone is no error of make's.
 */
void rp_files_read_depfile(struct rp_buf *out, const char *goal, const struct rp_strings *names,
                           const struct rp_package *package);

#endif
