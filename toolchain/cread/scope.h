/* SPDX-License-Identifier: Apache-2.0 */
/* What the declarations that were read so far have declared. */
#ifndef RP_TOOLCHAIN_CREAD_SCOPE_H
#define RP_TOOLCHAIN_CREAD_SCOPE_H

#include "base/arena.h"
#include "toolchain/cread/token.h"
#include "toolchain/cread/type.h"

struct rp_cdecl_range {
    const struct rp_ctoken *at;
    const struct rp_ctoken *end;
};

struct rp_cdecl_scope;

/* Typedefs and integer constants so far. Of two with the same name, the later one counts. */
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
    const struct rp_ctype *function; /* the one whose parameters are being read, or NULL */
    bool cplusplus;
    unsigned nested; /* depth of types in expressions in types */
    /* The type that the tokens name, as in a cast or sizeof; NULL when they do not begin a type. */
    const struct rp_ctype *(*type_name)(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens);
};

#endif
