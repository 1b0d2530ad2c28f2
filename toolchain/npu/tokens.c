/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations and braces of generated C, token by token: see tokens.h. */
#include "toolchain/npu/tokens.h"

#include <string.h>

#include "toolchain/npu/comment.h"
#include "toolchain/npu/directive.h"

bool rp_aton_advance(struct rp_aton_reader *reader) {
    for (;;) {
        struct rp_ctoken token;
        if (!rp_ctoken_next(&reader->lexer, &token, reader->err))
            return false;
        if (token.kind != RP_CTOKEN_COMMENT && token.kind != RP_CTOKEN_DIRECTIVE) {
            reader->token = token;
            return true;
        }
        if (reader->out == NULL && reader->see != NULL && token.kind == RP_CTOKEN_DIRECTIVE)
            reader->see(reader, &token);
        if (reader->out == NULL)
            continue;
        if (!(token.kind == RP_CTOKEN_COMMENT ? rp_aton_comment : rp_aton_directive)(reader,
                                                                                     &token))
            return false;
    }
}

static bool is_open(const struct rp_ctoken *token) {
    return token->kind == RP_CTOKEN_PUNCT && strchr("([", *token->at) != NULL;
}

static bool is_close(const struct rp_ctoken *token) {
    return token->kind == RP_CTOKEN_PUNCT && strchr(")]", *token->at) != NULL;
}

static bool ends_head(const struct rp_ctoken *token, size_t depth) {
    return token->kind == RP_CTOKEN_END || (token->kind == RP_CTOKEN_PUNCT && token->len == 1 &&
                                            depth == 0 && strchr(";={}", *token->at) != NULL);
}

bool rp_aton_read_head(struct rp_aton_reader *reader) {
    size_t depth = 0;
    reader->head_count = 0;
    while (!ends_head(&reader->token, depth)) {
        if (reader->head_count == RP_ATON_HEAD_MAX)
            return rp_aton_fail(reader, reader->head[0].line,
                                "a declaration of more than %d words is not understood",
                                RP_ATON_HEAD_MAX);
        reader->head[reader->head_count++] = reader->token;
        depth += is_open(&reader->token);
        depth -= depth != 0 && is_close(&reader->token);
        if (!rp_aton_advance(reader))
            return false;
    }
    return true;
}

/* Words that take parentheses of their own. */
static bool takes_parentheses(const struct rp_ctoken *token) {
    return rp_ctoken_is(token, "__attribute__") || rp_ctoken_is(token, "_Alignas") ||
           rp_ctoken_is(token, "__declspec");
}

const struct rp_ctoken *rp_aton_head_name(const struct rp_aton_reader *reader, const char *open) {
    bool own = false; /* inside the parentheses of such a word */
    size_t depth = 0;
    for (size_t i = 1; i < reader->head_count; i++) {
        const struct rp_ctoken *token = &reader->head[i], *before = token - 1;
        own = depth == 0 ? before->kind == RP_CTOKEN_WORD && takes_parentheses(before) : own;
        if (depth == 0 && !own && before->kind == RP_CTOKEN_WORD && rp_ctoken_is(token, open))
            return before;
        depth += is_open(token);
        depth -= depth != 0 && is_close(token);
    }
    return NULL;
}

bool rp_aton_head_has(const struct rp_aton_reader *reader, const char *word) {
    for (size_t i = 0; i < reader->head_count; i++)
        if (reader->head[i].kind == RP_CTOKEN_WORD && rp_ctoken_is(&reader->head[i], word))
            return true;
    return false;
}

bool rp_aton_head_is_linkage(const struct rp_aton_reader *reader) {
    return reader->head_count == 2 && rp_ctoken_is(&reader->head[0], "extern") &&
           reader->head[1].kind == RP_CTOKEN_STRING;
}

bool rp_aton_skip_braces(struct rp_aton_reader *reader,
                         void (*see)(struct rp_aton_reader *reader, const struct rp_ctoken *word)) {
    unsigned start = reader->token.line;
    struct rp_ctoken before = reader->token;
    for (size_t depth = 1; depth != 0;) {
        if (!rp_aton_advance(reader))
            return false;
        const struct rp_ctoken *token = &reader->token;
        if (token->kind == RP_CTOKEN_END)
            return rp_fail(reader->err, RP_E_INPUT, "%s:%u: a brace is not closed",
                           reader->lexer.path, start);
        if (token->kind == RP_CTOKEN_PUNCT) {
            if (see != NULL && before.kind == RP_CTOKEN_WORD && *token->at == '(')
                see(reader, &before);
            depth += (size_t)(*token->at == '{') - (size_t)(*token->at == '}');
        }
        before = *token;
    }
    return rp_aton_advance(reader);
}

bool rp_aton_skip_initializer(struct rp_aton_reader *reader) {
    while (!rp_ctoken_is(&reader->token, ";")) {
        if (reader->token.kind == RP_CTOKEN_END)
            return rp_fail(reader->err, RP_E_INPUT, "%s:%u: a declaration does not end",
                           reader->lexer.path, reader->token.line);
        bool brace = rp_ctoken_is(&reader->token, "{");
        if (!(brace ? rp_aton_skip_braces(reader, NULL) : rp_aton_advance(reader)))
            return false;
    }
    return rp_aton_advance(reader);
}
