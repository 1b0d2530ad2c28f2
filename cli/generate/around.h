/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies around the files of a stamp: everything that may be read in the place of a file, or
 * where there was none. A header that comes first on the search path, a source in a folder, a link
 * that leads elsewhere. In: folders and names. Out: a text that changes when one of these does.
 */
#ifndef RP_CLI_GENERATE_AROUND_H
#define RP_CLI_GENERATE_AROUND_H

#include "base/buf.h"
#include "cli/generate/known.h"

/* All paths are absolute. */
struct rp_around {
    struct rp_arena *arena;     /* of the lists */
    struct rp_strings searched; /* folders in which the tools look for files, there or not */
    struct rp_strings read;     /* files: every end of such a path may be what was looked for */
    struct rp_strings ends;     /* what else was looked for: names as they stand in #include */
    struct rp_strings wrote;    /* outputs: not counted */
    struct rp_strings roots;    /* folders all of whose names count, and those below */
    const char *prefix;         /* "DIR/STEM": so do files beside it that may belong to a model */
};

/*
 * Appends the text. NULL, or a folder that cannot be listed: then nothing is known. start: when the
 * run began, or NULL. *later: then, the path of something that was found there and came after that,
 * or else unchanged.
 */
const char *rp_around_describe(struct rp_buf *out, const struct rp_around *around,
                               struct rp_known *known, const struct timespec *start,
                               const char **later);

#endif
