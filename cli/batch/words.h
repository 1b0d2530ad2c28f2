/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a matrix that are options of `generate`, as words of a command line. Pure. */
#ifndef RP_CLI_BATCH_WORDS_H
#define RP_CLI_BATCH_WORDS_H

#include "base/json.h"
#include "cli/options.h"

/* An object of the matrix whose members are options. */
struct rp_batch_level {
    const struct rp_json *object;
    const char *where; /* for messages: "batch.json: models 'kws'" */
    const char *own;   /* members that are no options, separated by blanks */
    const char *alien; /* options that stand at other levels */
};

struct rp_batch_levels {
    struct rp_batch_level *items; /* from the general to the particular */
    size_t count;
    size_t capacity;
};

/*
 * Are all members its own, or options of `generate` that a matrix may have, each there once?
 * RP_E_MANIFEST names the one that is not, and what may have been meant.
 */
bool rp_batch_check_members(struct rp_arena *arena, const struct rp_batch_level *level,
                            struct rp_error *err);
/*
 * Adds the words of all options that the levels have. Of an option that may be repeated, each level
 * adds its values; of the others, the last level counts, which can be false. dir: folder of the
 * matrix, absolute, from which files and folders that are read count; folder: that of the cell,
 * from which those count that are written. RP_E_MANIFEST: a value is not of the option's kind.
 */
struct rp_batch_places {
    const char *dir, *folder;
};
bool rp_batch_words(struct rp_arena *arena, const struct rp_batch_levels *levels,
                    const struct rp_batch_places *places, struct rp_strings *words,
                    struct rp_error *err);

#endif
