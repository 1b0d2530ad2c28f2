/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through C text, declaration by declaration: see source.h. */
#include "toolchain/cread/source.h"

#include <stdarg.h>
#include <string.h>

#include "toolchain/cread/expr.h"

bool rp_csource_fail(const struct rp_csource *source, enum rp_error_id id, unsigned line,
                     const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const char *text = rp_vformat(source->arena, fmt, args);
    va_end(args);
    if (source->err != NULL && source->err->id != 0)
        return false; /* the place is that of the first error, too */
    rp_fail(source->err, id, "%s:%u: %s", source->lexer.path, line, text);
    return rp_fail_in(source->err, source->lexer.path, line);
}

bool rp_csource_next(struct rp_csource *source) {
    struct rp_ctoken token;
    while (rp_ctoken_next(&source->lexer, &token, source->err)) {
        if (token.kind != RP_CTOKEN_COMMENT && token.kind != RP_CTOKEN_DIRECTIVE) {
            source->token = token;
            return true;
        }
        if (source->aside != NULL && !source->aside(source->owner, &token))
            return false;
    }
    return rp_fail_in(source->err, source->lexer.path, token.line);
}

bool rp_csource_expect(struct rp_csource *source, const char *text) {
    const struct rp_ctoken *token = &source->token;
    if (rp_ctoken_is(token, text))
        return rp_csource_next(source);
    return rp_csource_fail(source, source->unclear, token->line, "'%s' expected in front of '%.*s'",
                           text, (int)(token->len < 100 ? token->len : 100), token->at);
}

/* One of these operators? Digraphs are what they stand for. */
static bool is_one_of(const struct rp_ctoken *token, const char *letters) {
    bool is = false;
    for (; token->kind == RP_CTOKEN_PUNCT && *letters != '\0' && !is; letters++)
        is = rp_ctoken_is(token, (const char[]){*letters, '\0'});
    return is;
}

bool rp_csource_head(struct rp_csource *source) {
    size_t depth = 0;
    source->head.count = 0;
    while (source->token.kind != RP_CTOKEN_END &&
           !is_one_of(&source->token, depth == 0 ? ";={}" : "{}")) {
        *RP_PUSH(source->arena, &source->head) = source->token;
        depth += is_one_of(&source->token, "([");
        depth -= depth != 0 && is_one_of(&source->token, ")]");
        if (!rp_csource_next(source))
            return false;
    }
    return true;
}

bool rp_csource_value(struct rp_csource *source) {
    const struct rp_ctoken *token = &source->token;
    unsigned line = token->line;
    source->value.count = 0;
    for (size_t depth = 0; depth != 0 || !is_one_of(token, ";,");) {
        if (token->kind == RP_CTOKEN_END || rp_ctoken_is(token, ";"))
            return rp_csource_fail(source, RP_E_INPUT, line, "an initialiser is not closed");
        *RP_PUSH(source->arena, &source->value) = *token;
        depth += is_one_of(token, "([{");
        depth -= depth != 0 && is_one_of(token, ")]}");
        if (!rp_csource_next(source))
            return false;
    }
    return true;
}

/* Skips bytes that cannot matter inside braces; most of a model's text is numbers. */
static const char *skip_dull(const char *at, const char *end) {
    static const char dull[256] = {
        ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1,
        ['7'] = 1, ['8'] = 1, ['9'] = 1, ['.'] = 1, [','] = 1, [' '] = 1, ['-'] = 1,
        ['+'] = 1, ['f'] = 1, ['e'] = 1, ['x'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1,
        ['d'] = 1, ['u'] = 1, ['U'] = 1, ['F'] = 1, ['\t'] = 1};
    while (at < end && dull[(unsigned char)*at])
        at++;
    return at;
}

bool rp_csource_skip_braces(struct rp_csource *source,
                            void (*see)(void *owner, const struct rp_ctoken *word)) {
    const struct rp_ctoken *token = &source->token;
    unsigned line = token->line;
    for (size_t depth = 1; depth != 0;) {
        const struct rp_ctoken before = *token;
        if (see == NULL)
            source->lexer.at = skip_dull(source->lexer.at, source->lexer.end);
        if (!rp_csource_next(source))
            return false;
        if (token->kind == RP_CTOKEN_END)
            return rp_csource_fail(source, RP_E_INPUT, line, "a brace is not closed");
        if (see != NULL && before.kind == RP_CTOKEN_WORD && rp_ctoken_is(token, "("))
            see(source->owner, &before);
        depth += rp_ctoken_is(token, "{");
        depth -= rp_ctoken_is(token, "}");
    }
    return rp_csource_next(source);
}

bool rp_csource_pass(struct rp_csource *source,
                     void (*see)(void *owner, const struct rp_ctoken *word)) {
    const struct rp_ctoken *token = &source->token;
    struct rp_ctoken before = *token;
    bool initialiser = rp_ctoken_is(token, "=");
    while (initialiser && !rp_ctoken_is(token, ";")) {
        if (token->kind == RP_CTOKEN_END)
            return rp_csource_fail(source, RP_E_INPUT, token->line, "a declaration does not end");
        if (see != NULL && before.kind == RP_CTOKEN_WORD && rp_ctoken_is(token, "("))
            see(source->owner, &before);
        before = *token;
        if (!(rp_ctoken_is(token, "{") ? rp_csource_skip_braces(source, see)
                                       : rp_csource_next(source)))
            return false;
    }
    return token->kind == RP_CTOKEN_END || rp_csource_next(source);
}

/* ---- heads ---- */

const struct rp_ctoken *rp_ctokens_name(const struct rp_ctokens *head, const char *open) {
    bool attribute = false; /* inside the parentheses of one */
    size_t depth = 0;
    for (size_t i = 1; i < head->count; i++) {
        const struct rp_ctoken *token = &head->items[i], *before = token - 1;
        if (depth == 0)
            attribute = rp_ctoken_takes_parentheses(before);
        if (depth == 0 && !attribute && before->kind == RP_CTOKEN_WORD && rp_ctoken_is(token, open))
            return before;
        depth += is_one_of(token, "([");
        depth -= depth != 0 && is_one_of(token, ")]");
    }
    return NULL;
}

bool rp_ctokens_have(const struct rp_ctokens *tokens, const char *word) {
    bool have = false;
    for (size_t i = 0; i < tokens->count && !have; i++)
        have = rp_ctoken_is(&tokens->items[i], word);
    return have;
}

bool rp_ctokens_are_linkage(const struct rp_ctokens *head) {
    return head->count == 2 && rp_ctoken_is(&head->items[0], "extern") &&
           head->items[1].kind == RP_CTOKEN_STRING;
}

/* ---- directives ---- */

void rp_cdirective_split(struct rp_arena *arena, const struct rp_ctoken *directive,
                         struct rp_ctokens *words) {
    size_t mark = rp_ctoken_has_prefix(directive, "%:") ? 2 : 1;
    struct rp_clexer lexer = {.at = directive->at + mark,
                              .end = directive->at + directive->len,
                              .path = "",
                              .line = directive->line,
                              .in_line = true};
    struct rp_ctoken token;
    words->count = 0;
    while (rp_ctoken_next(&lexer, &token, NULL) && token.kind != RP_CTOKEN_END)
        if (token.kind != RP_CTOKEN_COMMENT)
            *RP_PUSH(arena, words) = token;
}

bool rp_cdirective_number(const struct rp_ctokens *words, int64_t *number) {
    struct rp_cvalue value;
    *number = 0;
    if (words->count < 3 || !rp_ctoken_is(&words->items[0], "define"))
        return false;
    const struct rp_ctoken *name = &words->items[1], *first = &words->items[2];
    bool parameters = rp_ctoken_is(first, "(") && first->at == name->at + name->len;
    if (name->kind != RP_CTOKEN_WORD || parameters ||
        !rp_cexpr_eval(first, words->count - 2, &value) || value.label.len != 0)
        return false;
    *number = value.number;
    return true;
}
