/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates constant expressions. See expr.h. */
#include "toolchain/cread/expr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/cread/scope.h"

enum {
    DEPTH_MAX = 64, /* of parentheses and unary operators; more would only exhaust the stack */
    NUMBER_MAX = 64,
    UNARY = 11 /* binds more strongly than any binary operator */
};

struct reader {
    const struct rp_ctoken *at;
    const struct rp_ctoken *end;
    struct rp_cdecl_scope *scope; /* NULL: an initialiser of raw text */
    unsigned depth;
};

static bool eval(struct reader *reader, unsigned least, struct rp_cvalue *out);

static bool at_is(const struct reader *reader, const char *text) {
    return reader->at != reader->end && rp_ctoken_is(reader->at, text);
}

static bool accept(struct reader *reader, const char *text) {
    bool is = at_is(reader, text);
    reader->at += is;
    return is;
}

/* With a scope, a value is an int or an unsigned int: it has 32 bits. */
static bool in_range(const struct reader *reader, struct rp_cvalue *value) {
    if (reader->scope == NULL)
        return true;
    value->has_no_sign = value->has_no_sign || value->number > INT32_MAX;
    return value->number <= UINT32_MAX && value->number >= (value->has_no_sign ? 0 : INT32_MIN);
}

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

/* ---- operands of declarations ---- */

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

/* 'a', or a backslash and one letter. */
static bool eval_character(const struct rp_ctoken *token, struct rp_cvalue *out) {
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

/* Takes a type in parentheses and moves to after them; NULL when there is none. */
static const struct rp_ctype *take_type(struct reader *reader) {
    struct rp_cdecl_range inside = {reader->at + 1, reader->at + 1};
    const struct rp_ctoken *at = inside.at;
    for (unsigned depth = 1; at != reader->end; at++) {
        depth += (unsigned)rp_ctoken_is(at, "(") - (unsigned)rp_ctoken_is(at, ")");
        if (depth == 0)
            break;
    }
    inside.end = at;
    const struct rp_ctype *type =
        at != reader->end ? reader->scope->type_name(reader->scope, inside) : NULL;
    if (type != NULL)
        reader->at = at + 1;
    return type;
}

/* Takes a cast that does not change the value. */
static bool eval_cast(struct reader *reader, const struct rp_ctype *type, struct rp_cvalue *out) {
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
                      struct rp_cvalue *out) {
    const struct rp_ctoken *at = reader->at;
    const struct rp_ctype *type = at_is(reader, "(") ? take_type(reader) : NULL;
    out->number = type != NULL ? (int64_t)size(type) : 0;
    if (type == NULL && reader->end - at >= 3 && rp_ctoken_is(at, "(") &&
        eval_character(at + 1, out) && rp_ctoken_is(at + 2, ")")) {
        out->number = reader->scope->cplusplus ? 1 : 4;
        reader->at = at + 3;
    }
    out->has_no_sign = true;
    return out->number != 0 && in_range(reader, out);
}

/* ---- operands of initialisers ---- */

/* Words that can only be part of a type. */
static bool is_type_word(const struct rp_ctoken *token) {
    static const char *const words[] = {
        "const",    "volatile", "unsigned", "signed", "char",      "short",    "int",     "long",
        "void",     "float",    "double",   "struct", "uintptr_t", "intptr_t", "size_t",  "uint8_t",
        "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t",   "int32_t",  "int64_t", NULL};
    return rp_ctoken_is_any(token, words);
}

/*
 * The token after the cast that starts with the ( at the reader; NULL when it is not a cast. With
 * an unknown word x, "(x) y" can only be a cast in a constant expression, but "(x) + y" need not
 * be.
 */
static const struct rp_ctoken *after_cast(const struct reader *reader) {
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

static bool ends_with(const struct rp_ctoken *token, const char *suffix) {
    size_t len = strlen(suffix);
    return token->len >= len && memcmp(token->at + token->len - len, suffix, len) == 0;
}

/* Takes the word that was just read: a label, a constant, or a call that changes no address. */
static bool eval_word(struct reader *reader, const struct rp_ctoken *word, struct rp_cvalue *out) {
    if (accept(reader, "("))
        return (ends_with(word, "_TO_PHYSICAL_ADDR") || ends_with(word, "_TO_VIRTUAL_ADDR")) &&
               eval(reader, 0, out) && accept(reader, ")");
    if (rp_ctoken_is(word, "true"))
        out->number = 1;
    else if (!rp_ctoken_is(word, "false") && !rp_ctoken_is(word, "NULL"))
        out->label = *word;
    return !is_type_word(word);
}

/* ---- operands ---- */

static bool eval_parentheses(struct reader *reader, struct rp_cvalue *out) {
    const struct rp_ctype *type = reader->scope != NULL ? take_type(reader) : NULL;
    const struct rp_ctoken *operand = reader->scope == NULL ? after_cast(reader) : NULL;
    if (type != NULL)
        return eval_cast(reader, type, out);
    if (operand != NULL) {
        reader->at = operand;
        return eval(reader, UNARY, out);
    }
    reader->at++;
    return eval(reader, 0, out) && accept(reader, ")");
}

static bool eval_operand(struct reader *reader, struct rp_cvalue *out) {
    const struct rp_ctoken *token = reader->at;
    const bool has_scope = reader->scope != NULL;
    if (token == reader->end)
        return false;
    if (rp_ctoken_is(token, "("))
        return eval_parentheses(reader, out);
    reader->at++;
    if (has_scope && rp_ctoken_is(token, "sizeof"))
        return eval_size(reader, size_of, out);
    if (has_scope && (rp_ctoken_is(token, "_Alignof") || rp_ctoken_is(token, "alignof")))
        return eval_size(reader, alignment_of, out);
    if (token->kind == RP_CTOKEN_WORD)
        return has_scope
                   ? find_constant(reader->scope, token, &out->number) && in_range(reader, out)
                   : eval_word(reader, token, out);
    if (token->kind == RP_CTOKEN_NUMBER) {
        out->has_no_sign = has_scope && (memchr(token->at, 'u', token->len) != NULL ||
                                         memchr(token->at, 'U', token->len) != NULL);
        return rp_cexpr_integer(token, &out->number) && in_range(reader, out);
    }
    return has_scope && eval_character(token, out);
}

/* Takes an operand with the unary operators in front of it: + - ~ ! and, of a label, &. */
static bool eval_unary(struct reader *reader, struct rp_cvalue *out) {
    if (reader->scope == NULL && accept(reader, "&")) {
        bool plain =
            eval(reader, UNARY, out) && out->label.len != 0 && out->number == 0 && !out->address_of;
        out->address_of = true;
        return plain;
    }
    if (accept(reader, "+"))
        return eval(reader, UNARY, out);
    bool negates = at_is(reader, "-"), is_not = reader->scope != NULL && at_is(reader, "!");
    if (!negates && !is_not && !at_is(reader, "~"))
        return eval_operand(reader, out);
    reader->at++;
    if (!eval(reader, UNARY, out) || out->label.len != 0)
        return false;
    if (is_not) {
        *out = (struct rp_cvalue){.number = out->number == 0};
        return true;
    }
    if (out->has_no_sign || out->number == INT64_MIN)
        return false;
    out->number = negates ? -out->number : ~out->number;
    return in_range(reader, out);
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
    bool divides = operation == '/' || operation == '%';
    if (divides && (b == 0 || (a == INT64_MIN && b == -1)))
        return false;
    switch (operation) {
    case '+':
        return !__builtin_add_overflow(a, b, out);
    case '-':
        return !__builtin_sub_overflow(a, b, out);
    case '*':
        return !__builtin_mul_overflow(a, b, out);
    case '/':
        *out = a / b;
        return true;
    case '%':
        *out = a % b;
        return true;
    case '<':
    case '>':
        if (a < 0 || b < 0 || b > 62 || (operation == '<' && a > INT64_MAX >> b))
            return false;
        *out = operation == '<' ? (int64_t)((uint64_t)a << b) : a >> b;
        return true;
    default:
        *out = operation == '|' ? a | b : operation == '^' ? a ^ b : a & b;
        return a >= 0 && b >= 0;
    }
}

/* Numbers may be added to and subtracted from a label; anything else is not an address. */
static bool take_label(char operation, struct rp_cvalue *left, const struct rp_cvalue *right) {
    bool both = left->label.len != 0 && right->label.len != 0;
    if (both || !(operation == '+' || (operation == '-' && right->label.len == 0)))
        return false;
    if (right->label.len != 0) {
        left->label = right->label;
        left->address_of = right->address_of;
    }
    return true;
}

static bool apply(const struct reader *reader, const char *operation, struct rp_cvalue *left,
                  const struct rp_cvalue *right) {
    if ((left->label.len != 0 || right->label.len != 0) &&
        (operation[1] != '\0' || !take_label(operation[0], left, right)))
        return false;
    if ((left->number < 0 && right->has_no_sign) || (right->number < 0 && left->has_no_sign))
        return false; /* C would convert the negative one */
    if (is_comparison(operation) && reader->scope == NULL)
        return false; /* its result depends on the types */
    if (is_comparison(operation)) {
        *left = (struct rp_cvalue){.number = compare(operation, left->number, right->number)};
        return true;
    }
    bool shifts = operation[1] != '\0', was_signed = !left->has_no_sign;
    left->has_no_sign = left->has_no_sign || (right->has_no_sign && !shifts);
    if (!compute(operation[0], left->number, right->number, &left->number))
        return false;
    return reader->scope == NULL || (in_range(reader, left) && !(shifts && right->number > 31) &&
                                     !(shifts && was_signed && left->number > INT32_MAX));
}

/* Takes A : B of CONDITION ? A : B; the condition is in out. */
static bool eval_choice(struct reader *reader, struct rp_cvalue *out) {
    struct rp_cvalue yes = {0}, no = {0};
    if (!eval(reader, 0, &yes) || !accept(reader, ":") || !eval(reader, 0, &no) ||
        yes.has_no_sign != no.has_no_sign)
        return false;
    *out = out->number != 0 ? yes : no;
    return true;
}

/* Takes operators that bind at least as strongly as least (precedence climbing). With 0, also ? :,
 * if there is a scope.
 */
static bool eval(struct reader *reader, unsigned least, struct rp_cvalue *out) {
    *out = (struct rp_cvalue){0};
    if (++reader->depth > DEPTH_MAX || !eval_unary(reader, out))
        return false;
    const struct operation *operation;
    while ((operation = operation_at(reader)) != NULL && operation->level >= least) {
        struct rp_cvalue right;
        reader->at++;
        if (!eval(reader, operation->level + 1, &right) ||
            !apply(reader, operation->text, out, &right))
            return false;
    }
    bool ok =
        least != 0 || reader->scope == NULL || !accept(reader, "?") || eval_choice(reader, out);
    reader->depth--;
    return ok;
}

bool rp_cexpr_eval(const struct rp_ctoken *tokens, size_t count, struct rp_cvalue *out) {
    while (count >= 2 && rp_ctoken_is(&tokens[0], "{") && rp_ctoken_is(&tokens[count - 1], "}")) {
        tokens++;
        count -= 2;
        count -= count != 0 && rp_ctoken_is(&tokens[count - 1], ",");
    }
    if (count == 0)
        return false;
    struct reader reader = {.at = tokens, .end = tokens + count};
    return eval(&reader, 0, out) && reader.at == reader.end;
}

bool rp_cdecl_eval(struct rp_cdecl_scope *scope, struct rp_cdecl_range *tokens, int64_t *value) {
    struct reader reader = {.at = tokens->at, .end = tokens->end, .scope = scope};
    struct rp_cvalue found;
    bool ok = eval(&reader, 0, &found);
    tokens->at = reader.at;
    *value = found.number;
    return ok;
}
