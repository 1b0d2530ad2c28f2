/* SPDX-License-Identifier: Apache-2.0 */
/* Splits C text into tokens. See token.h. */
#include "toolchain/cread/token.h"

#include <ctype.h>
#include <string.h>

static size_t left(const struct rp_clexer *lexer) {
    return (size_t)(lexer->end - lexer->at);
}

static bool starts(const struct rp_clexer *lexer, const char *text) {
    size_t len = strlen(text);
    return left(lexer) >= len && memcmp(lexer->at, text, len) == 0;
}

/* The length of a backslash and line end at the position; 0 when there is none. */
static size_t splice(const struct rp_clexer *lexer) {
    return starts(lexer, "\\\n") ? 2 : starts(lexer, "\\\r\n") ? 3 : 0;
}

static void step(struct rp_clexer *lexer, size_t len) {
    for (; len != 0; len--)
        lexer->line += *lexer->at++ == '\n';
}

static void skip_blanks(struct rp_clexer *lexer) {
    while (lexer->at < lexer->end) {
        size_t len = splice(lexer);
        if (len == 0 && !isspace((unsigned char)*lexer->at))
            return;
        if (len == 0 && *lexer->at == '\n')
            lexer->in_line = false;
        step(lexer, len != 0 ? len : 1);
    }
}

/* Moves to the line end. A backslash before it continues the line. */
static void skip_line_comment(struct rp_clexer *lexer) {
    while (lexer->at < lexer->end && *lexer->at != '\n') {
        size_t len = splice(lexer);
        step(lexer, len != 0 ? len : 1);
    }
}

static bool skip_block_comment(struct rp_clexer *lexer) {
    for (step(lexer, 2); lexer->at < lexer->end; step(lexer, 1))
        if (starts(lexer, "*/")) {
            lexer->at += 2;
            return true;
        }
    return false;
}

/* Skips a string or character constant; false when its line or the text ends first. */
static bool skip_quoted(struct rp_clexer *lexer) {
    char quote = *lexer->at;
    for (step(lexer, 1); lexer->at < lexer->end && *lexer->at != '\n'; step(lexer, 1)) {
        size_t len = splice(lexer);
        if (*lexer->at == quote) {
            lexer->at++;
            return true;
        }
        if (len == 3)
            step(lexer, 2);
        else if (*lexer->at == '\\' && left(lexer) > 1)
            step(lexer, 1);
    }
    return false;
}

/*
 * Skips the rest of a raw string, of which R has been read: "x(…)x", up to the first )x" whatever
 * is in between. *raw: it is one. false when the text ends first.
 */
static bool skip_raw(struct rp_clexer *lexer, bool *raw) {
    enum { DELIMITER_MAX = 16 };
    const char *open = lexer->at + 1;
    size_t len = 0;
    while (len <= DELIMITER_MAX && open + len < lexer->end &&
           strchr(" ()\\\t\v\f\n\"", open[len]) == NULL)
        len++;
    *raw = len <= DELIMITER_MAX && open + len < lexer->end && open[len] == '(';
    if (!*raw)
        return true;
    step(lexer, len + 2);
    for (; left(lexer) >= len + 2; step(lexer, 1))
        if (*lexer->at == ')' && memcmp(lexer->at + 1, open, len) == 0 &&
            lexer->at[len + 1] == '"') {
            lexer->at += len + 2;
            return true;
        }
    return false;
}

/*
 * Moves to the end of the logical line. Quotes hide comments ("a//b.h"). A quote that is not closed
 * (#error don't) is a byte like any other.
 */
static bool skip_directive(struct rp_clexer *lexer) {
    while (lexer->at < lexer->end && *lexer->at != '\n') {
        size_t len = splice(lexer);
        if (starts(lexer, "/*")) {
            if (!skip_block_comment(lexer))
                return false;
        } else if (starts(lexer, "//")) {
            skip_line_comment(lexer);
        } else if (*lexer->at == '"' || *lexer->at == '\'') {
            struct rp_clexer ahead = *lexer;
            if (skip_quoted(&ahead))
                *lexer = ahead;
            else
                step(lexer, 1);
        } else {
            step(lexer, len != 0 ? len : 1);
        }
    }
    return true;
}

static bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* 0x1fUL, 1.5e-3f: a sign behind the letter of an exponent belongs to the number. */
static void skip_number(struct rp_clexer *lexer) {
    bool hex = starts(lexer, "0x") || starts(lexer, "0X");
    for (lexer->at++; lexer->at < lexer->end; lexer->at++) {
        char c = *lexer->at, before = (char)tolower((unsigned char)lexer->at[-1]);
        bool sign = (c == '+' || c == '-') && before == (hex ? 'p' : 'e');
        if (!sign && c != '.' && !is_word_byte(c))
            return;
    }
}

static void skip_operator(struct rp_clexer *lexer) {
    static const char *const longer[] = {
        "...", "<<=", ">>=", "<<", ">>", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=",
        "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "##", "<:", ":>", "<%", "%>", "%:"};
    bool may = left(lexer) > 1 && strchr("<>-+&|=.#:%", lexer->at[1]) != NULL; /* usually not */
    /* of C++: A<::b> */
    may = may && !(starts(lexer, "<::") && !starts(lexer, "<:::") && !starts(lexer, "<::>"));
    for (size_t i = 0; may && i < sizeof longer / sizeof longer[0]; i++)
        if (*longer[i] == *lexer->at && starts(lexer, longer[i])) {
            lexer->at += strlen(longer[i]);
            return;
        }
    lexer->at++;
}

static bool begins_raw(const struct rp_ctoken *token, const struct rp_clexer *lexer) {
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    const struct rp_ctoken word = {.at = token->at, .len = (size_t)(lexer->at - token->at)};
    return rp_ctoken_is_any(&word, prefixes);
}

/* Reads a token, of which there is at least one byte. Returns what is not closed, or NULL. */
static const char *read_token(struct rp_clexer *lexer, struct rp_ctoken *token) {
    char c = *lexer->at;
    if (starts(lexer, "/*")) {
        token->kind = RP_CTOKEN_COMMENT;
        return skip_block_comment(lexer) ? NULL : "a comment";
    }
    if (starts(lexer, "//")) {
        token->kind = RP_CTOKEN_COMMENT;
        skip_line_comment(lexer);
        return NULL;
    }
    bool first = !lexer->in_line;
    lexer->in_line = true;
    if ((c == '#' || starts(lexer, "%:")) && first) {
        token->kind = RP_CTOKEN_DIRECTIVE;
        return skip_directive(lexer) ? NULL : "a comment";
    }
    if (c == '"' || c == '\'') {
        token->kind = c == '"' ? RP_CTOKEN_STRING : RP_CTOKEN_CHAR;
        return skip_quoted(lexer) ? NULL : "a string";
    }
    bool dot = c == '.' && left(lexer) > 1;
    if (isdigit((unsigned char)(dot ? lexer->at[1] : c))) {
        token->kind = RP_CTOKEN_NUMBER;
        skip_number(lexer);
    } else if (is_word_byte(c)) {
        token->kind = RP_CTOKEN_WORD;
        while (lexer->at < lexer->end && is_word_byte(*lexer->at))
            lexer->at++;
        bool raw = false;
        if (lexer->at < lexer->end && *lexer->at == '"' && begins_raw(token, lexer) &&
            !skip_raw(lexer, &raw))
            return "a string";
        token->kind = raw ? RP_CTOKEN_STRING : token->kind;
    } else {
        token->kind = RP_CTOKEN_PUNCT;
        skip_operator(lexer);
    }
    return NULL;
}

bool rp_ctoken_next(struct rp_clexer *lexer, struct rp_ctoken *token, struct rp_error *err) {
    skip_blanks(lexer);
    *token = (struct rp_ctoken){RP_CTOKEN_END, lexer->line, lexer->at, 0};
    if (lexer->at == lexer->end)
        return true;
    const char *open = read_token(lexer, token);
    token->len = (size_t)(lexer->at - token->at);
    if (open != NULL)
        return rp_fail(err, RP_E_INPUT, "%s:%u: %s is not closed", lexer->path, token->line, open);
    return true;
}

/* What a digraph stands for; 0: it is none. */
static char digraph(const char *text) {
    static const char rows[][4] = {"<:[", ":>]", "<%{", "%>}", "%:#"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (text[0] == rows[i][0] && text[1] == rows[i][1])
            return rows[i][2];
    return 0;
}

bool rp_ctoken_is(const struct rp_ctoken *token, const char *text) {
    if (token->len == 2 && text[0] != '\0' && text[1] == '\0')
        return digraph(token->at) == text[0];
    return token->len == strlen(text) && memcmp(token->at, text, token->len) == 0;
}

bool rp_ctoken_is_any(const struct rp_ctoken *token, const char *const *texts) {
    for (; *texts != NULL; texts++)
        if (rp_ctoken_is(token, *texts))
            return true;
    return false;
}

bool rp_ctoken_takes_parentheses(const struct rp_ctoken *token) {
    static const char *const words[] = {"__attribute__", "__attribute", "__asm__",    "__asm",
                                        "asm",           "_Alignas",    "__declspec", "__typeof__",
                                        "alignas",       NULL};
    return rp_ctoken_is_any(token, words);
}

bool rp_ctoken_has_prefix(const struct rp_ctoken *token, const char *prefix) {
    size_t len = strlen(prefix);
    return token->len >= len && memcmp(token->at, prefix, len) == 0;
}
