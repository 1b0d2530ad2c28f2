/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One declaration of C, as tokens, into names and types: specifiers, then declarators, inside out.
 * What is not understood is of an unknown type; nothing is guessed.
 */
#ifndef RP_TOOLCHAIN_CPARSE_DECL_TYPE_H
#define RP_TOOLCHAIN_CPARSE_DECL_TYPE_H

#include "base/arena.h"
#include "toolchain/cparse/type.h"

enum rp_cdecl_token_kind {
    RP_CDECL_END,
    RP_CDECL_WORD,
    RP_CDECL_NUMBER,
    RP_CDECL_STRING, /* string or character constant */
    RP_CDECL_PUNCT   /* one character; { stands for all that is in the braces */
};

struct rp_cdecl_token {
    enum rp_cdecl_token_kind kind;
    const char *at;
    size_t len;
};

struct rp_cdecl_range {
    const struct rp_cdecl_token *at;
    const struct rp_cdecl_token *end;
};

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
};

struct rp_cdecl_declaration {
    bool is_typedef;
    bool is_static;
    bool is_extern;
    bool is_weak;
    bool is_constexpr;
    struct {
        struct rp_cparam *items; /* name and type; "" for what could not be read */
        size_t count;
        size_t capacity;
    } names;
};

bool rp_cdecl_is(const struct rp_cdecl_token *token, const char *text);
/* Reads a declaration without its ; or body. Initialisers are passed over. */
void rp_cdecl_read(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens,
                   struct rp_cdecl_declaration *out);
/* Does the word take parentheses that are not a function's? (__attribute__) */
bool rp_cdecl_takes_parentheses(const struct rp_cdecl_token *token);
/* Does a type begin with the token? */
bool rp_cdecl_is_type(const struct rp_cdecl_scope *scope, const struct rp_cdecl_token *token);
/* The type that the tokens name, without a declared name. */
const struct rp_ctype *rp_cdecl_type_name(struct rp_cdecl_scope *scope,
                                          struct rp_cdecl_range tokens);
/*
 * The value of an integer constant expression; false when it is none, or more than 32 bits. Moves
 * tokens->at behind it.
 */
bool rp_cdecl_eval(struct rp_cdecl_scope *scope, struct rp_cdecl_range *tokens, int64_t *value);
/* The constants of an enumeration: what stands in its braces. */
void rp_cdecl_read_enum(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens);

#endif
