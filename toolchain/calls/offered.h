/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which sources of a folder may define a name, before any of them is compiled. Their text is read,
 * with that of the headers they include, as far as these are in the folders given for headers or
 * beside them. The toolchain's own headers are taken to define nothing and to make no names. The
 * answer may be yes for more sources than define the name, but not for fewer.
 */
#ifndef RP_TOOLCHAIN_CALLS_OFFERED_H
#define RP_TOOLCHAIN_CALLS_OFFERED_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_offered;

/*
 * Reads sources for a compiler with these flags (-I DIR, -D NAME=TEXT and so on). NULL without an
 * error: flags or folders have something that is not followed, so all sources are to be compiled.
 * RP_E_INPUT: a source cannot be read.
 */
struct rp_offered *rp_offered_read(struct rp_arena *arena, const struct rp_strings *sources,
                                   const struct rp_strings *flags, struct rp_error *err);
/* May the source at that position define anything at all? Then it is not worth asking for names. */
bool rp_offered_is_unclear(const struct rp_offered *offered, size_t source);
/* May it define the name, as the linker sees it? */
bool rp_offered_may_define(const struct rp_offered *offered, size_t source, const char *name);

#endif
