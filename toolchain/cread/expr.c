/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates constant expressions. See expr.h. */
#include "toolchain/cread/expr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/cread/token.h"

enum { DEPTH_MAX = 64, NUMBER_MAX = 64 }; /* more depth would only serve to exhaust the stack */

struct reader {
    const struct rp_ctoken *at;
    const struct rp_ctoken *end;
    unsigned depth;
};

/* ---- constants ---- */

/* Copies a number and ends it with a 0, which strtoull and strtod need. */
static bool copy_number(const struct rp_ctoken *token, char text[NUMBER_MAX]) {
    if (token->kind != RP_CTOKEN_NUMBER || token->len >= NUMBER_MAX)
        return false;
    memcpy(text, token->at, token->len);
    text[token->len] = '\0';
    return true;
}

bool rp_cexpr_integer(const struct rp_ctoken *token, int64_t *out) {
    char text[NUMBER_MAX], *stop;
    if (!copy_number(token, text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, &stop, 0);
    if (errno != 0 || value > INT64_MAX || stop == text || strlen(stop) > 3)
        return false;
    *out = (int64_t)value;
    return stop[strspn(stop, "uUlL")] == '\0';
}

bool rp_cexpr_real(const struct rp_ctoken *token, double *out) {
    char text[NUMBER_MAX], *stop;
    if (!copy_number(token, text))
        return false;
    *out = strtod(text, &stop);
    return stop != text && strlen(stop) <= 1 && stop[strspn(stop, "fFlL")] == '\0';
}

/* ---- operators ---- */

static unsigned precedence(const struct rp_ctoken *token) {
    static const struct {
        const char *text;
        unsigned level;
    } rows[] = {{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4},
                {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6},  {"%", 6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (token->kind == RP_CTOKEN_PUNCT && rp_ctoken_is(token, rows[i].text))
            return rows[i].level;
    return 0;
}

static bool shift(int64_t value, int64_t by, bool to_left, int64_t *out) {
    if (value < 0 || by < 0 || by > 62 || (to_left && value > INT64_MAX >> by))
        return false;
    *out = to_left ? (int64_t)((uint64_t)value << by) : value >> by;
    return true;
}

static bool divide(int64_t a, int64_t b, bool rest, int64_t *out) {
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    *out = rest ? a % b : a / b;
    return true;
}

/* Both are numbers. Generated code has bit operators on non-negative ones only. */
static bool apply(char operation, int64_t a, int64_t b, int64_t *out) {
    switch (operation) {
    case '+':
        return !__builtin_add_overflow(a, b, out);
    case '-':
        return !__builtin_sub_overflow(a, b, out);
    case '*':
        return !__builtin_mul_overflow(a, b, out);
    case '/':
    case '%':
        return divide(a, b, operation == '%', out);
    case '<':
    case '>':
        return shift(a, b, operation == '<', out);
    default:
        if (a < 0 || b < 0)
            return false;
        *out = operation == '|' ? a | b : operation == '^' ? a ^ b : a & b;
        return true;
    }
}

/* Numbers may be added to and subtracted from a label; anything else is not an address. */
static bool combine(const struct rp_ctoken *operation, struct rp_cvalue *left,
                    const struct rp_cvalue *right) {
    bool plus = *operation->at == '+';
    if (left->label.len != 0 && (!(plus || *operation->at == '-') || right->label.len != 0))
        return false;
    if (right->label.len != 0) {
        if (!plus)
            return false;
        left->label = right->label;
        left->address_of = right->address_of;
    }
    return apply(*operation->at, left->number, right->number, &left->number);
}

/* ---- operands ---- */

static bool eval(struct reader *reader, unsigned least, struct rp_cvalue *out);

static bool at_text(const struct reader *reader, const char *text) {
    return reader->at != reader->end && rp_ctoken_is(reader->at, text);
}

/* Words that can only be part of a type. */
static bool is_type_word(const struct rp_ctoken *token) {
    static const char *const words[] = {"const",    "volatile",  "unsigned", "signed", "char",
                                        "short",    "int",       "long",     "void",   "float",
                                        "double",   "uintptr_t", "intptr_t", "size_t", "uint8_t",
                                        "uint16_t", "uint32_t",  "uint64_t", "int8_t", "int16_t",
                                        "int32_t",  "int64_t",   "struct"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (rp_ctoken_is(token, words[i]))
            return true;
    return false;
}

/*
 * The token behind the cast that starts with the ( at the reader; NULL when it is not a cast. With
 * an unknown word x, "(x) y" can only be a cast in a constant expression, but "(x) + y" need not
 * be.
 */
static const struct rp_ctoken *behind_cast(const struct reader *reader) {
    const struct rp_ctoken *at = reader->at + 1;
    bool sure = false;
    size_t words = 0;
    for (; at != reader->end && at->kind == RP_CTOKEN_WORD; at++, words++)
        sure = sure || is_type_word(at);
    for (; at != reader->end && words != 0 && rp_ctoken_is(at, "*"); at++)
        sure = true;
    if (words == 0 || reader->end - at < 2 || !rp_ctoken_is(at, ")"))
        return NULL;
    at++;
    bool operand = at->kind == RP_CTOKEN_WORD || at->kind == RP_CTOKEN_NUMBER || *at->at == '(';
    return sure || operand ? at : NULL;
}

static bool eval_parentheses(struct reader *reader, struct rp_cvalue *out) {
    reader->at++;
    if (!eval(reader, 1, out) || !at_text(reader, ")"))
        return false;
    reader->at++;
    return true;
}

static bool ends_with(const struct rp_ctoken *token, const char *suffix) {
    size_t len = strlen(suffix);
    return token->len >= len && memcmp(token->at + token->len - len, suffix, len) == 0;
}

static bool eval_word(struct reader *reader, struct rp_cvalue *out) {
    const struct rp_ctoken *word = reader->at++;
    if (at_text(reader, "("))
        return (ends_with(word, "_TO_PHYSICAL_ADDR") || ends_with(word, "_TO_VIRTUAL_ADDR")) &&
               eval_parentheses(reader, out);
    if (rp_ctoken_is(word, "true"))
        out->number = 1;
    else if (!rp_ctoken_is(word, "false") && !rp_ctoken_is(word, "NULL"))
        out->label = *word;
    return !is_type_word(word);
}

static bool eval_signed(struct reader *reader, struct rp_cvalue *out);

static bool eval_operand(struct reader *reader, struct rp_cvalue *out) {
    *out = (struct rp_cvalue){0};
    const struct rp_ctoken *token = reader->at;
    if (token == reader->end)
        return false;
    if (token->kind == RP_CTOKEN_WORD)
        return eval_word(reader, out);
    if (token->kind == RP_CTOKEN_NUMBER) {
        reader->at++;
        return rp_cexpr_integer(token, &out->number);
    }
    const struct rp_ctoken *behind = rp_ctoken_is(token, "(") ? behind_cast(reader) : NULL;
    if (behind != NULL) {
        reader->at = behind;
        return eval_signed(reader, out);
    }
    return rp_ctoken_is(token, "(") && eval_parentheses(reader, out);
}

/* An operand with the unary operators in front of it: + - ~ &. */
static bool eval_signed(struct reader *reader, struct rp_cvalue *out) {
    if (reader->at == reader->end || ++reader->depth > DEPTH_MAX)
        return false;
    const struct rp_ctoken *sign = reader->at;
    bool one = sign->len == 1 && strchr("+-~&", *sign->at) != NULL;
    reader->at += one;
    if (!(one ? eval_signed(reader, out) : eval_operand(reader, out)))
        return false;
    reader->depth--;
    if (!one || *sign->at == '+')
        return true;
    if (*sign->at == '&') {
        bool plain = out->label.len != 0 && out->number == 0 && !out->address_of;
        out->address_of = true;
        return plain;
    }
    if (out->label.len != 0 || out->number == INT64_MIN)
        return false;
    out->number = *sign->at == '-' ? -out->number : ~out->number;
    return true;
}

/* Precedence climbing: takes operators that bind at least as strongly as least. */
static bool eval(struct reader *reader, unsigned least, struct rp_cvalue *out) {
    if (!eval_signed(reader, out))
        return false;
    while (reader->at != reader->end) {
        const struct rp_ctoken *operation = reader->at;
        unsigned level = precedence(operation);
        struct rp_cvalue right;
        if (level < least || level == 0)
            return true;
        reader->at++;
        if (!eval(reader, level + 1, &right) || !combine(operation, out, &right))
            return false;
    }
    return true;
}

bool rp_cexpr_eval(const struct rp_ctoken *tokens, size_t count, struct rp_cvalue *out) {
    while (count >= 2 && rp_ctoken_is(&tokens[0], "{") && rp_ctoken_is(&tokens[count - 1], "}")) {
        tokens++;
        count -= 2;
        count -= count != 0 && rp_ctoken_is(&tokens[count - 1], ",");
    }
    struct reader reader = {tokens, tokens + count, 0};
    return eval(&reader, 1, out) && reader.at == reader.end;
}
