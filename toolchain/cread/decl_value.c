/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates integer constant expressions of C. See decl_value.h. Where the compiler's result would
 * differ from that of int64_t (it wraps, or loses a sign), there is no value.
 */
#include "toolchain/cread/decl_value.h"

#include <stdlib.h>
#include <string.h>

#include "toolchain/cread/token.h"

enum {
    DEPTH_MAX = 64, /* depth of parentheses; more would only serve to exhaust the stack */
    UNARY = 11      /* binds more strongly than any binary operator */
};

struct reader {
    struct rp_cdecl_scope *scope;
    struct rp_cdecl_range range;
    unsigned depth;
};

struct value {
    int64_t number; /* INT32_MIN to UINT32_MAX */
    bool has_no_sign;
};

static bool eval(struct reader *reader, unsigned least, struct value *out);

static bool at_is(const struct reader *reader, const char *text) {
    return reader->range.at != reader->range.end && rp_ctoken_is(reader->range.at, text);
}

static bool accept(struct reader *reader, const char *text) {
    bool is = at_is(reader, text);
    reader->range.at += is;
    return is;
}

static bool in_range(struct value *value) {
    value->has_no_sign = value->has_no_sign || value->number > INT32_MAX;
    return value->number <= UINT32_MAX && value->number >= (value->has_no_sign ? 0 : INT32_MIN);
}

/* ---- operands ---- */

static bool find_constant(const struct rp_cdecl_scope *scope, const struct rp_ctoken *token,
                          int64_t *value) {
    const struct rp_ctype *function = scope->function;
    for (size_t i = 0; function != NULL && i < function->param_count; i++)
        if (rp_ctoken_is(token, function->params[i].name))
            return false; /* a parameter hides the constant */
    for (size_t i = scope->constants.count; i-- > 0;)
        if (rp_ctoken_is(token, scope->constants.items[i].name)) {
            *value = scope->constants.items[i].value;
            return true;
        }
    return false;
}

static bool eval_number(const struct rp_ctoken *token, struct value *out) {
    char digits[16] = {0};
    char *stop;
    if (token->len > 12)
        return false;
    memcpy(digits, token->at, token->len);
    out->number = (int64_t)strtoull(digits, &stop, 0);
    out->has_no_sign = strpbrk(stop, "uU") != NULL;
    return stop[strspn(stop, "uUlL")] == '\0' && in_range(out);
}

/* 'a', or a backslash and one letter. */
static bool eval_character(const struct rp_ctoken *token, struct value *out) {
    static const char from[] = "0nrt\\'\"", to[] = "\0\n\r\t\\'\"";
    bool quoted = token->len == 4 && token->at[1] == '\\';
    if (token->kind != RP_CTOKEN_CHAR)
        return false;
    const char *found = quoted ? strchr(from, token->at[2]) : NULL;
    if (quoted ? found == NULL : token->len != 3)
        return false;
    out->number = quoted ? to[found - from] : token->at[1];
    return out->number >= 0;
}

static uint64_t size_of(const struct rp_ctype *type) {
    uint64_t count = 1;
    for (; type->kind == RP_CTYPE_ARRAY; type = type->of) {
        if (type->count == 0 || count > UINT32_MAX / type->count)
            return 0;
        count *= type->count;
    }
    uint64_t size = type->kind == RP_CTYPE_POINTER  ? 4
                    : type->kind == RP_CTYPE_NUMBER ? type->dtype->size_bytes
                                                    : 0;
    return size * count;
}

static uint64_t alignment_of(const struct rp_ctype *type) {
    while (type->kind == RP_CTYPE_ARRAY)
        type = type->of;
    return size_of(type); /* of numbers and pointers these are the same */
}

/* Takes a type in parentheses and moves behind them; NULL when there is none. */
static const struct rp_ctype *take_type(struct reader *reader) {
    struct rp_cdecl_range inside = {reader->range.at + 1, reader->range.at + 1};
    const struct rp_ctoken *at = inside.at;
    for (unsigned depth = 1; at != reader->range.end; at++) {
        depth += (unsigned)rp_ctoken_is(at, "(") - (unsigned)rp_ctoken_is(at, ")");
        if (depth == 0)
            break;
    }
    inside.end = at;
    const struct rp_ctype *type =
        at != reader->range.end ? reader->scope->type_name(reader->scope, inside) : NULL;
    if (type != NULL)
        reader->range.at = at + 1;
    return type;
}

/* Takes a cast that does not change the value. */
static bool eval_cast(struct reader *reader, const struct rp_ctype *type, struct value *out) {
    const struct rp_dtype *dtype = type->kind == RP_CTYPE_NUMBER ? type->dtype : NULL;
    if (dtype == NULL || dtype->is_float || strcmp(dtype->name, "bool") == 0)
        return false;
    unsigned bits = 8 * dtype->size_bytes - dtype->is_signed;
    int64_t most = bits < 32 ? (INT64_C(1) << bits) - 1 : UINT32_MAX;
    if (!eval(reader, UNARY, out) || out->number > most ||
        out->number < (dtype->is_signed ? -most - 1 : 0))
        return false;
    out->has_no_sign = !dtype->is_signed && dtype->size_bytes >= 4;
    return true;
}

/* Takes a type in parentheses, or a character, which is an int in C. */
static bool eval_size(struct reader *reader, uint64_t (*size)(const struct rp_ctype *type),
                      struct value *out) {
    const struct rp_ctoken *at = reader->range.at;
    const struct rp_ctype *type = at_is(reader, "(") ? take_type(reader) : NULL;
    out->number = type != NULL ? (int64_t)size(type) : 0;
    if (type == NULL && reader->range.end - at >= 3 && rp_ctoken_is(at, "(") &&
        eval_character(at + 1, out) && rp_ctoken_is(at + 2, ")")) {
        out->number = reader->scope->cplusplus ? 1 : 4;
        reader->range.at = at + 3;
    }
    out->has_no_sign = true;
    return out->number != 0 && in_range(out);
}

static bool eval_operand(struct reader *reader, struct value *out) {
    const struct rp_ctoken *token = reader->range.at;
    if (token == reader->range.end)
        return false;
    if (rp_ctoken_is(token, "(")) {
        const struct rp_ctype *type = take_type(reader);
        if (type != NULL)
            return eval_cast(reader, type, out);
        reader->range.at++;
        return eval(reader, 0, out) && accept(reader, ")");
    }
    reader->range.at++;
    if (rp_ctoken_is(token, "sizeof"))
        return eval_size(reader, size_of, out);
    if (rp_ctoken_is(token, "_Alignof") || rp_ctoken_is(token, "alignof"))
        return eval_size(reader, alignment_of, out);
    switch (token->kind) {
    case RP_CTOKEN_WORD:
        return find_constant(reader->scope, token, &out->number) && in_range(out);
    case RP_CTOKEN_NUMBER:
        return eval_number(token, out);
    case RP_CTOKEN_CHAR:
        return eval_character(token, out);
    case RP_CTOKEN_END:
    case RP_CTOKEN_STRING:
    case RP_CTOKEN_PUNCT:
    case RP_CTOKEN_COMMENT:
    case RP_CTOKEN_DIRECTIVE:
        break;
    }
    return false;
}

static bool eval_unary(struct reader *reader, struct value *out) {
    if (accept(reader, "+"))
        return eval(reader, UNARY, out);
    if (accept(reader, "-")) {
        bool ok = eval(reader, UNARY, out) && !out->has_no_sign;
        out->number = -out->number;
        return ok && in_range(out);
    }
    if (accept(reader, "~")) {
        bool ok = eval(reader, UNARY, out) && !out->has_no_sign;
        out->number = ~out->number;
        return ok && in_range(out);
    }
    if (accept(reader, "!")) {
        bool ok = eval(reader, UNARY, out);
        *out = (struct value){.number = out->number == 0};
        return ok;
    }
    return eval_operand(reader, out);
}

/* ---- operators ---- */

struct operation {
    const char *text;
    unsigned level;
};

static const struct operation *operation_at(const struct reader *reader) {
    static const struct operation all[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},
                                           {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<", 7},
                                           {">", 7},  {"<<", 8}, {">>", 8}, {"+", 9},  {"-", 9},
                                           {"*", 10}, {"/", 10}, {"%", 10}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (at_is(reader, all[i].text))
            return &all[i];
    return NULL;
}

static bool is_comparison(const char *operation) {
    return operation[1] == '=' || (strchr("<>", operation[0]) != NULL && operation[1] == '\0') ||
           strcmp(operation, "||") == 0 || strcmp(operation, "&&") == 0;
}

static int64_t compare(const char *operation, int64_t a, int64_t b) {
    switch (operation[0]) {
    case '|':
        return a != 0 || b != 0;
    case '&':
        return a != 0 && b != 0;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '<':
        return operation[1] == '=' ? a <= b : a < b;
    default:
        return operation[1] == '=' ? a >= b : a > b;
    }
}

static bool compute(char operation, int64_t a, int64_t b, int64_t *out) {
    bool divides = operation == '/' || operation == '%',
         shifts = operation == '<' || operation == '>';
    if ((divides && b == 0) || (shifts && (a < 0 || b < 0 || b > 31)))
        return false;
    switch (operation) {
    case '+':
        *out = a + b;
        return true;
    case '-':
        *out = a - b;
        return true;
    case '*':
        return !__builtin_mul_overflow(a, b, out);
    case '/':
        *out = a / b;
        return true;
    case '%':
        *out = a % b;
        return true;
    case '<':
        *out = a * (INT64_C(1) << b);
        return true;
    case '>':
        *out = a >> b;
        return true;
    default:
        *out = operation == '|' ? a | b : operation == '^' ? a ^ b : a & b;
        return a >= 0 && b >= 0;
    }
}

static bool apply(const char *operation, struct value *left, const struct value *right) {
    if ((left->number < 0 && right->has_no_sign) || (right->number < 0 && left->has_no_sign))
        return false; /* C would convert the negative one */
    if (is_comparison(operation)) {
        *left = (struct value){.number = compare(operation, left->number, right->number)};
        return true;
    }
    bool was_signed = !left->has_no_sign;
    bool shifts = operation[1] != '\0';
    left->has_no_sign = left->has_no_sign || (right->has_no_sign && !shifts);
    return compute(operation[0], left->number, right->number, &left->number) && in_range(left) &&
           (!shifts || !was_signed || left->number <= INT32_MAX);
}

/* Takes A : B of CONDITION ? A : B; the condition is in out. */
static bool eval_choice(struct reader *reader, struct value *out) {
    struct value yes = {0}, no = {0};
    if (!eval(reader, 0, &yes) || !accept(reader, ":") || !eval(reader, 0, &no) ||
        yes.has_no_sign != no.has_no_sign)
        return false;
    *out = out->number != 0 ? yes : no;
    return true;
}

/* Takes operators that bind at least as strongly as least; with 0, also ? :. */
static bool eval(struct reader *reader, unsigned least, struct value *out) {
    *out = (struct value){0};
    if (++reader->depth > DEPTH_MAX || !eval_unary(reader, out))
        return false;
    const struct operation *operation;
    while ((operation = operation_at(reader)) != NULL && operation->level >= least) {
        struct value right;
        reader->range.at++;
        if (!eval(reader, operation->level + 1, &right) || !apply(operation->text, out, &right))
            return false;
    }
    bool ok = least != 0 || !accept(reader, "?") || eval_choice(reader, out);
    reader->depth--;
    return ok;
}

bool rp_cdecl_eval(struct rp_cdecl_scope *scope, struct rp_cdecl_range *tokens, int64_t *value) {
    struct reader reader = {scope, *tokens, 0};
    struct value found;
    bool ok = eval(&reader, 0, &found);
    tokens->at = reader.range.at;
    *value = found.number;
    return ok;
}
