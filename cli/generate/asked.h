/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of files that texts ask the compiler for: of #include, and of __has_include, whether
 * they are there or not. The list of what was read does not have them: a header that is not there
 * was not read, and gcc gives a header of the system its shortest name. In: paths and options.
 */
#ifndef RP_CLI_GENERATE_ASKED_H
#define RP_CLI_GENERATE_ASKED_H

#include "base/arena.h"

/*
 * Adds the names, each once. files: what was read, options: of the compiler. Returns the first text
 * with a name that does not stand in any of them, such as __has_include of a macro, or with
 * __TIMESTAMP__; or NULL.
 */
const char *rp_asked_names(struct rp_arena *arena, const struct rp_strings *files,
                           const struct rp_strings *options, struct rp_strings *names);

#endif
