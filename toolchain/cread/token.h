/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits C text into tokens, preprocessed or not. Comments and directives are tokens too, because
 * generated code carries facts in both. In: bytes; out: one token per call. The time is linear in
 * the length of the text, and nothing is allocated.
 */
#ifndef RP_TOOLCHAIN_CREAD_TOKEN_H
#define RP_TOOLCHAIN_CREAD_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum rp_ctoken_kind {
    RP_CTOKEN_END,
    RP_CTOKEN_WORD,     /* identifier or keyword */
    RP_CTOKEN_NUMBER,   /* preprocessing number, with its suffix */
    RP_CTOKEN_STRING,   /* with its quotes; R"x(…)x" whole */
    RP_CTOKEN_CHAR,     /* with its quotes */
    RP_CTOKEN_PUNCT,    /* the longest operator that fits, or a digraph */
    RP_CTOKEN_COMMENT,  /* block or line comment, whole */
    RP_CTOKEN_DIRECTIVE /* from # to the end of its logical line, with the comments in it */
};

struct rp_ctoken {
    enum rp_ctoken_kind kind;
    unsigned line; /* of its first byte, from 1 */
    const char *at;
    size_t len;
};

/* Start with {.at = text, .end = text + size, .path = for messages, .line = 1}. */
struct rp_clexer {
    const char *at;
    const char *end;
    const char *path;
    unsigned line;
    bool in_line; /* the line already has something other than comments, so # is no directive */
};

/*
 * The next token; RP_CTOKEN_END at the end and whenever called again. RP_E_INPUT "path:line: ..."
 * for a string, character or comment that is not closed, with the line where it starts.
 */
bool rp_ctoken_next(struct rp_clexer *lexer, struct rp_ctoken *token, struct rp_error *err);
/* Does the token have this text? A digraph is what it stands for: <: is [. */
bool rp_ctoken_is(const struct rp_ctoken *token, const char *text);
/* Is it one of these, a list that ends with NULL? */
bool rp_ctoken_is_any(const struct rp_ctoken *token, const char *const *texts);
/* Is it a word such as __attribute__, whose parentheses are not those of a function? */
bool rp_ctoken_takes_parentheses(const struct rp_ctoken *token);
bool rp_ctoken_has_prefix(const struct rp_ctoken *token, const char *prefix);

#endif
