/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks through C text that is not preprocessed, declaration by declaration. In: text. Out: the
 * tokens of a declaration up to its initialiser or body, then either the tokens of the initialiser
 * (init.h takes these apart) or the place after it. Conditions are not evaluated: all branches are
 * read. The time is linear in the length of the text.
 */
#ifndef RP_TOOLCHAIN_CREAD_SOURCE_H
#define RP_TOOLCHAIN_CREAD_SOURCE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/cread/token.h"

struct rp_ctokens {
    struct rp_ctoken *items;
    size_t count;
    size_t capacity;
};

/* Set lexer, arena and err, and what is needed of the rest; rp_csource_next reads the first token.
 */
struct rp_csource {
    struct rp_clexer lexer;
    struct rp_ctoken token; /* the current one; never a comment or directive */
    struct rp_arena *arena;
    struct rp_error *err;
    enum rp_error_id unclear; /* id of errors about text that is C, but is not understood */
    /* Receives each comment and directive on the way, if it is not NULL; false: it has failed. */
    bool (*aside)(void *owner, const struct rp_ctoken *token);
    void *owner;             /* for aside and the functions that see calls */
    struct rp_ctokens head;  /* of the last declaration */
    struct rp_ctokens value; /* of the last initialiser */
};

/* Fails with "path:line: " in front of the text. Always false. */
bool rp_csource_fail(const struct rp_csource *source, enum rp_error_id id, unsigned line,
                     const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Moves to the next token. RP_E_INPUT: see rp_ctoken_next. */
bool rp_csource_next(struct rp_csource *source);
/* Moves past this operator; any other token is an error. */
bool rp_csource_expect(struct rp_csource *source, const char *text);
/*
 * Reads a declaration or statement into head, up to the ; = { or } that ends it, which becomes the
 * current token (or RP_CTOKEN_END). A brace ends it even in parentheses, because the branches of an
 * #if may open one twice.
 */
bool rp_csource_head(struct rp_csource *source);
/*
 * Collects an initialiser in value, from the token after its = up to the ; or , after it, which
 * becomes the current token. RP_E_INPUT: it does not end.
 */
bool rp_csource_value(struct rp_csource *source);
/*
 * Passes over { … }, from its opening brace to the token after it. see, if it is not NULL, receives
 * the words in it that a parenthesis follows. RP_E_INPUT: the brace is not closed.
 */
bool rp_csource_skip_braces(struct rp_csource *source,
                            void (*see)(void *owner, const struct rp_ctoken *word));
/*
 * Passes over what ends a head: an initialiser, from its = to the token after its semicolon, or one
 * token; nothing at the end of the text. see as above. RP_E_INPUT: an initialiser does not end.
 */
bool rp_csource_pass(struct rp_csource *source,
                     void (*see)(void *owner, const struct rp_ctoken *word));

/*
 * The name of what a head declares: the token before the first open, which is "[" or "(". An
 * attribute's parentheses do not count. NULL: there is none.
 */
const struct rp_ctoken *rp_ctokens_name(const struct rp_ctokens *head, const char *open);
bool rp_ctokens_have(const struct rp_ctokens *tokens, const char *word);
/* Is it extern "C", whose braces hold declarations? */
bool rp_ctokens_are_linkage(const struct rp_ctokens *head);

/*
 * Splits a directive into its words, without # and comments. Text that is not C ends them (#error
 * don't). words->items are used again.
 */
void rp_cdirective_split(struct rp_arena *arena, const struct rp_ctoken *directive,
                         struct rp_ctokens *words);
/* Is it "#define NAME value", where value is a constant expression with a number as its result? */
bool rp_cdirective_number(const struct rp_ctokens *words, int64_t *number);

#endif
