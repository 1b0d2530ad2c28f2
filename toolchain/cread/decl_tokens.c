/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of one declaration: see decl_tokens.h. */
#include "toolchain/cread/decl_tokens.h"

size_t rp_decl_closing(const struct rp_ctokens *decl, size_t open) {
    unsigned depth = 0;
    for (size_t i = open; i < decl->count; i++) {
        depth += (unsigned)rp_ctoken_is(&decl->items[i], "(") -
                 (unsigned)rp_ctoken_is(&decl->items[i], ")");
        if (depth == 0)
            return i;
    }
    return 0;
}

size_t rp_decl_params(const struct rp_ctokens *decl) {
    for (size_t i = 1; i < decl->count; i++) {
        if (!rp_ctoken_is(&decl->items[i], "(") || decl->items[i - 1].kind != RP_CTOKEN_WORD)
            continue;
        if (!rp_ctoken_takes_parentheses(&decl->items[i - 1]))
            return i;
        i = rp_decl_closing(decl, i);
        if (i == 0)
            return 0;
    }
    return 0;
}

bool rp_decl_opens_enum(const struct rp_ctokens *decl) {
    size_t at = decl->count;
    while (at != 0 && !rp_ctoken_is(&decl->items[at - 1], "enum"))
        at--;
    if (at == 0)
        return false;
    while (at + 1 < decl->count && rp_ctoken_takes_parentheses(&decl->items[at])) {
        size_t close = rp_decl_closing(decl, at + 1);
        if (close == 0)
            return false;
        at = close + 1;
    }
    at += at < decl->count && decl->items[at].kind == RP_CTOKEN_WORD;
    if (at < decl->count && rp_ctoken_is(&decl->items[at], ":"))
        for (at++; at < decl->count && decl->items[at].kind == RP_CTOKEN_WORD;)
            at++;
    return at == decl->count;
}

void rp_decl_drop_parentheses(struct rp_ctokens *decl) {
    if (decl->count < 4)
        return;
    struct rp_ctoken *last = decl->items + decl->count;
    if (!rp_ctoken_is(&last[-1], ")") || last[-2].kind != RP_CTOKEN_WORD ||
        !rp_ctoken_is(&last[-3], "("))
        return;
    bool typed = last[-4].kind == RP_CTOKEN_WORD && !rp_ctoken_takes_parentheses(&last[-4]);
    for (size_t i = 0; !typed && rp_ctoken_is(&last[-4], "*"); i++) {
        if (rp_ctoken_is(&decl->items[i], "[") || rp_ctoken_is(&decl->items[i], "="))
            break; /* a product */
        typed = i + 4 == decl->count;
    }
    if (typed) {
        last[-3] = last[-2];
        decl->count -= 2;
    }
}
