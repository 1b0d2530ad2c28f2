/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes initialisers apart, by position or by the names of members. A value is the tokens that it
 * is written with (source.h collects them); its parts are read when they are asked for, so nothing
 * is allocated. What a value is worth, expr.h computes.
 */
#ifndef RP_TOOLCHAIN_CREAD_INIT_H
#define RP_TOOLCHAIN_CREAD_INIT_H

#include "toolchain/cread/source.h"

struct rp_cinit {
    const struct rp_ctoken *member; /* x of ".x = value"; NULL: the value has a place, not a name */
    const struct rp_ctoken *tokens; /* of the value */
    size_t count;                   /* 0: there is none */
    unsigned line;
};

struct rp_cinit_list {
    const struct rp_ctoken *at, *end;
};

/* The initialiser that was collected last. */
struct rp_cinit rp_cinit_of(const struct rp_csource *source);
/*
 * What the braces of a value hold, with or without a cast in front of them, or the arguments of
 * NAME(…). False when the value is neither.
 */
bool rp_cinit_items(const struct rp_cinit *value, struct rp_cinit_list *list);
/* NAME(…) in the middle of other tokens, as the value of the name with its arguments. */
bool rp_cinit_call(const struct rp_ctokens *tokens, const struct rp_ctoken *name,
                   struct rp_cinit *value);
/* The next of them; false after the last one. */
bool rp_cinit_next(struct rp_cinit_list *list, struct rp_cinit *item);
/* Is the value NAME(…)? */
bool rp_cinit_calls(const struct rp_cinit *value, const char *name);
/* How many values have the name of this member; item is the first, or has no tokens. */
size_t rp_cinit_member(const struct rp_cinit *value, const char *name, struct rp_cinit *item);
/* The value as it is written, on one line and shortened for a message. */
char *rp_cinit_text(struct rp_arena *arena, const struct rp_cinit *value);
/* A floating constant, maybe with a minus in front of it. */
bool rp_cinit_real(const struct rp_cinit *value, double *out);
/*
 * Adjacent string constants as one; NULL when the value is anything else. The backslash of an
 * escape stays, except before a quote or a backslash.
 */
char *rp_cinit_string(struct rp_arena *arena, const struct rp_cinit *value);

#endif
