/* SPDX-License-Identifier: Apache-2.0 */
/* Takes initialisers apart: see init.h. */
#include "toolchain/cread/init.h"

#include <ctype.h>
#include <string.h>

#include "toolchain/cread/expr.h"

struct rp_cinit rp_cinit_of(const struct rp_csource *source) {
    const struct rp_ctokens *value = &source->value;
    return (struct rp_cinit){.tokens = value->items,
                             .count = value->count,
                             .line = value->count != 0 ? value->items->line : source->token.line};
}

/* 1 for a bracket that opens, -1 for one that closes, 0 for any other token. */
static int bracket(const struct rp_ctoken *token) {
    if (token->kind != RP_CTOKEN_PUNCT || token->len > 2)
        return 0;
    char c = *token->at;
    if (token->len == 2) /* a digraph, or an operator */
        return rp_ctoken_is(token, "[") || rp_ctoken_is(token, "{")   ? 1
               : rp_ctoken_is(token, "]") || rp_ctoken_is(token, "}") ? -1
                                                                      : 0;
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* The bracket that closes the one at open, or end. */
static const struct rp_ctoken *closing(const struct rp_ctoken *open, const struct rp_ctoken *end) {
    long depth = 0;
    for (const struct rp_ctoken *at = open; at != end; at++) {
        depth += bracket(at);
        if (depth <= 0)
            return at;
    }
    return end;
}

bool rp_cinit_items(const struct rp_cinit *value, struct rp_cinit_list *list) {
    if (value->count == 0)
        return false;
    const struct rp_ctoken *at = value->tokens, *end = at + value->count;
    bool call = value->count > 1 && at->kind == RP_CTOKEN_WORD && rp_ctoken_is(&at[1], "(");
    if (call)
        at++;
    else if (rp_ctoken_is(at, "(")) { /* (type[2]){…} */
        at = closing(at, end);
        at += at != end;
    }
    if (at == end || !(call || rp_ctoken_is(at, "{")) || closing(at, end) + 1 != end)
        return false;
    *list = (struct rp_cinit_list){at + 1, end - 1};
    return true;
}

bool rp_cinit_call(const struct rp_ctokens *tokens, const struct rp_ctoken *name,
                   struct rp_cinit *value) {
    const struct rp_ctoken *end = tokens->items + tokens->count;
    bool calls = name + 1 < end && name->kind == RP_CTOKEN_WORD && rp_ctoken_is(&name[1], "(");
    const struct rp_ctoken *close = calls ? closing(name + 1, end) : end;
    *value = (struct rp_cinit){NULL, name, (size_t)(close - name) + 1, name->line};
    return close != end;
}

bool rp_cinit_next(struct rp_cinit_list *list, struct rp_cinit *item) {
    if (list->at == list->end)
        return false;
    *item = (struct rp_cinit){.line = list->at->line};
    if (list->end - list->at > 2 && rp_ctoken_is(&list->at[0], ".") &&
        list->at[1].kind == RP_CTOKEN_WORD && rp_ctoken_is(&list->at[2], "=")) {
        item->member = &list->at[1];
        list->at += 3;
    }
    item->tokens = list->at;
    for (long depth = 0; list->at != list->end; list->at++) {
        if (depth == 0 && rp_ctoken_is(list->at, ","))
            break;
        depth += bracket(list->at);
        depth = depth > 0 ? depth : 0;
    }
    item->count = (size_t)(list->at - item->tokens);
    list->at += list->at != list->end;
    return true;
}

bool rp_cinit_calls(const struct rp_cinit *value, const char *name) {
    struct rp_cinit_list ignored;
    return value->count != 0 && rp_ctoken_is(value->tokens, name) &&
           rp_cinit_items(value, &ignored);
}

size_t rp_cinit_member(const struct rp_cinit *value, const char *name, struct rp_cinit *item) {
    struct rp_cinit_list list;
    struct rp_cinit one;
    size_t count = 0;
    *item = (struct rp_cinit){.line = value->line};
    if (rp_cinit_items(value, &list))
        while (rp_cinit_next(&list, &one))
            if (one.member != NULL && rp_ctoken_is(one.member, name) && count++ == 0)
                *item = one;
    return count;
}

char *rp_cinit_text(struct rp_arena *arena, const struct rp_cinit *value) {
    enum { TEXT_MAX = 100 };
    char *text = rp_alloc(arena, TEXT_MAX + 1, 1);
    const struct rp_ctoken *last = value->count != 0 ? &value->tokens[value->count - 1] : NULL;
    const char *at = last != NULL ? value->tokens->at : "",
               *end = last != NULL ? last->at + last->len : at;
    for (size_t len = 0; at < end && len < TEXT_MAX; at++) {
        bool blank = isspace((unsigned char)*at);
        if (!blank || text[len - 1] != ' ') /* the first one is not blank */
            text[len++] = *at;
        if (blank)
            text[len - 1] = ' ';
    }
    return text;
}

bool rp_cinit_real(const struct rp_cinit *value, double *out) {
    bool minus = value->count == 2 && rp_ctoken_is(value->tokens, "-");
    bool ok = (value->count == 1 || minus) && rp_cexpr_real(value->tokens + minus, out);
    *out = !ok ? 0 : minus ? -*out : *out;
    return ok;
}

char *rp_cinit_string(struct rp_arena *arena, const struct rp_cinit *value) {
    size_t room = 1, len = 0;
    for (size_t i = 0; i < value->count; i++)
        room += value->tokens[i].len;
    char *text = rp_alloc(arena, room, 1);
    for (size_t i = 0; i < value->count; i++) {
        const struct rp_ctoken *token = &value->tokens[i];
        if (token->kind != RP_CTOKEN_STRING)
            return NULL;
        for (size_t k = 1; k + 1 < token->len; k++) {
            bool escape = token->at[k] == '\\' && k + 2 < token->len;
            k += escape && strchr("\\\"", token->at[k + 1]) != NULL;
            text[len++] = token->at[k];
        }
    }
    return value->count != 0 ? text : NULL;
}
