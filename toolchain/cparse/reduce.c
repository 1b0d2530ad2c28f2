/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves out the numbers of initialisers. See reduce.h. */
#include "toolchain/cparse/reduce.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "toolchain/cparse/token.h"

/* Is a token in braces certainly not a macro, a directive, a declaration or part of a trigraph? */
static bool is_plain(const struct rp_ctoken *token) {
    return token->kind == RP_CTOKEN_NUMBER || token->kind == RP_CTOKEN_STRING ||
           token->kind == RP_CTOKEN_CHAR || token->kind == RP_CTOKEN_COMMENT ||
           (token->kind == RP_CTOKEN_PUNCT && *token->at != '?');
}

bool rp_cdecl_reduce(const char *text, size_t len, struct rp_buf *out) {
    struct rp_clexer lex = {.at = text, .end = text + len, .path = "", .line = 1};
    struct rp_ctoken token = {.kind = RP_CTOKEN_PUNCT};
    size_t start = SIZE_MAX; /* in out, after the last brace: everything since is plain */
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        lex.at += 3; /* a byte order mark: compilers take it at the start of a file alone */
    while (token.kind != RP_CTOKEN_END) {
        const char *from = lex.at;
        if (!rp_ctoken_next(&lex, &token, NULL))
            return false;
        if (start != SIZE_MAX && rp_ctoken_is(&token, "}")) {
            size_t lines = 0;
            for (size_t i = start; i < out->len; i++)
                lines += out->data[i] == '\n';
            for (const char *at = from; at < token.at; at++)
                lines += *at == '\n';
            out->len = start;
            while (lines-- != 0)
                rp_buf_append(out, "\n", 1);
            from = token.at;
            start = SIZE_MAX;
        }
        rp_buf_append(out, from, (size_t)(lex.at - from));
        if (rp_ctoken_is(&token, "{"))
            start = out->len;
        else if (!is_plain(&token))
            start = SIZE_MAX;
    }
    return true;
}
