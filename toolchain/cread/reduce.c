/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves out the numbers of initialisers. See reduce.h. */
#include "toolchain/cread/reduce.h"

#include <string.h>

#include "base/error.h"
#include "toolchain/cread/token.h"

/* Is a token in braces certainly not a macro, a directive, a declaration or part of a trigraph? */
static bool is_plain(const struct rp_ctoken *token) {
    return token->kind == RP_CTOKEN_NUMBER || token->kind == RP_CTOKEN_STRING ||
           token->kind == RP_CTOKEN_CHAR || token->kind == RP_CTOKEN_COMMENT ||
           (token->kind == RP_CTOKEN_PUNCT && *token->at != '?');
}

static void append_line_ends(struct rp_buf *out, const char *from, const char *to) {
    for (const char *at = from; at < to; at++)
        if (*at == '\n')
            rp_buf_append(out, at, 1);
}

bool rp_cdecl_reduce(const char *text, size_t len, struct rp_buf *out) {
    struct rp_clexer lex = {.at = text, .end = text + len, .path = "", .line = 1};
    struct rp_ctoken token = {.kind = RP_CTOKEN_PUNCT};
    const char *brace = NULL; /* after the last brace, if everything since is plain */
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        lex.at += 3; /* a byte order mark: compilers take it at the start of a file alone */
    const char *next = lex.at; /* what out does not have yet */
    while (token.kind != RP_CTOKEN_END) {
        if (!rp_ctoken_next(&lex, &token, NULL))
            return false;
        if (brace != NULL && rp_ctoken_is(&token, "}")) {
            append_line_ends(out, brace, token.at);
            next = token.at;
        }
        if (rp_ctoken_is(&token, "{"))
            brace = lex.at;
        else if (!is_plain(&token) || rp_ctoken_is(&token, "}"))
            brace = NULL;
        if (brace == NULL || brace == lex.at) {
            rp_buf_append(out, next, (size_t)(lex.at - next));
            next = lex.at;
        }
    }
    return true;
}
