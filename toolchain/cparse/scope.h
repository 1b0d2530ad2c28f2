/* SPDX-License-Identifier: Apache-2.0 */
/* What is known while declarations are read, from the first to the one that is being read. */
#ifndef RP_TOOLCHAIN_CPARSE_SCOPE_H
#define RP_TOOLCHAIN_CPARSE_SCOPE_H

#include "base/arena.h"
#include "toolchain/cparse/token.h"
#include "toolchain/cparse/type.h"

struct rp_cdecl_range {
    const struct rp_ctoken *at;
    const struct rp_ctoken *end;
};

struct rp_cdecl_scope;

/* Typedefs and integer constants so far; of two of a name, the later one counts. */
struct rp_cdecl_scope {
    struct rp_arena *arena;
    struct {
        struct rp_cparam *items;
        size_t count;
        size_t capacity;
    } types;
    struct {
        struct {
            const char *name;
            int64_t value;
        } * items;
        size_t count;
        size_t capacity;
    } constants;
    const struct rp_ctype *function; /* whose parameters are being read, or NULL */
    unsigned nested;                 /* types in expressions in types */
    /* The type that the tokens name (of a cast, of sizeof); NULL: no type begins with the first. */
    const struct rp_ctype *(*type_name)(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens);
};

#endif
