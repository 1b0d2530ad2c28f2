/* SPDX-License-Identifier: Apache-2.0 */
/* Initialisers of network.c: arrays of numbers, rows of structs and their members. See value.h. */
#include "toolchain/npu/value.h"

#include <stdlib.h>
#include <string.h>

#include "toolchain/npu/tokens.h"

/* ---- values ---- */

/*
 * Collects tokens from the current one up to the , or } that ends a value, which is then the
 * current token. items NULL: only passes over them.
 */
static bool read_value(struct rp_aton_reader *reader, struct rp_ctoken *items, size_t room,
                       size_t *count) {
    unsigned line = reader->token.line;
    size_t depth = 0;
    for (*count = 0;; (*count)++) {
        const struct rp_ctoken *token = &reader->token;
        char c = token->kind == RP_CTOKEN_PUNCT ? *token->at : ' ';
        if (token->kind == RP_CTOKEN_END || c == ';')
            return rp_fail(reader->err, RP_E_INPUT, "%s:%u: an initialiser is not closed",
                           reader->lexer.path, line);
        if (depth == 0 && (c == ',' || c == '}'))
            return true;
        if (items != NULL && *count == room)
            return rp_aton_fail(reader, line, "an initialiser this long is not understood");
        if (items != NULL)
            items[*count] = *token;
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth != 0 && (c == ')' || c == ']' || c == '}');
        if (!rp_aton_advance(reader))
            return false;
    }
}

/* The tokens as they stand in the text, shortened for a message. */
static const char *shown(const struct rp_aton_reader *reader, const struct rp_ctoken *tokens,
                         size_t count) {
    if (count == 0)
        return "";
    const struct rp_ctoken *last = &tokens[count - 1];
    size_t len = (size_t)(last->at + last->len - tokens->at);
    return rp_strndup(reader->arena, tokens->at, len < 100 ? len : 100);
}

bool rp_aton_expect(struct rp_aton_reader *reader, const char *text) {
    if (!rp_ctoken_is(&reader->token, text))
        return rp_aton_fail(reader, reader->token.line, "'%s' expected in front of '%s'", text,
                            shown(reader, &reader->token, 1));
    return rp_aton_advance(reader);
}

/* ---- arrays of numbers ---- */

struct number_type {
    const char *name;
    int64_t min, max; /* both 0: not an integer */
};

static const struct number_type number_types[] = {
    {"float", 0, 0},
    {"double", 0, 0},
    {"uint8_t", 0, UINT8_MAX},
    {"int8_t", INT8_MIN, INT8_MAX},
    {"uint16_t", 0, UINT16_MAX},
    {"int16_t", INT16_MIN, INT16_MAX},
    {"uint32_t", 0, UINT32_MAX},
    {"int32_t", INT32_MIN, INT32_MAX},
    {"uint64_t", 0, INT64_MAX},
    {"int64_t", INT64_MIN, INT64_MAX},
};

static const struct number_type *type_of(const struct rp_ctoken *word) {
    for (size_t i = 0; i < sizeof number_types / sizeof number_types[0]; i++)
        if (rp_ctoken_is(word, number_types[i].name))
            return &number_types[i];
    return NULL;
}

static bool eval_real(const struct rp_ctoken *tokens, size_t count, double *out) {
    bool minus = count == 2 && rp_ctoken_is(tokens, "-");
    bool ok = (count == 1 || minus) && rp_cexpr_real(&tokens[count - 1], out);
    *out = ok && minus ? -*out : *out;
    return ok;
}

static bool eval_integer(const struct rp_ctoken *tokens, size_t count,
                         const struct number_type *type, int64_t *out) {
    struct rp_cvalue value;
    bool ok = rp_cexpr_eval(tokens, count, &value) && value.label.len == 0;
    *out = ok ? value.number : 0;
    return ok && *out >= type->min && *out <= type->max;
}

struct numbers {
    struct {
        int64_t *items;
        size_t count, capacity;
    } integers;
    struct {
        double *items;
        size_t count, capacity;
    } reals;
};

static bool read_element(struct rp_aton_reader *reader, const struct number_type *type,
                         struct numbers *numbers) {
    unsigned line = reader->token.line;
    size_t count = 0;
    double real = 0;
    int64_t integer = 0;
    if (!read_value(reader, reader->row, RP_ATON_ROW_MAX, &count))
        return false;
    if (!(type->max == 0 ? eval_real(reader->row, count, &real)
                         : eval_integer(reader->row, count, type, &integer)))
        return rp_aton_fail(reader, line, "not a number of type %s: '%s'", type->name,
                            shown(reader, reader->row, count));
    if (type->max == 0)
        *RP_PUSH(reader->arena, &numbers->reals) = real;
    else
        *RP_PUSH(reader->arena, &numbers->integers) = integer;
    return true;
}

bool rp_aton_read_array(struct rp_aton_reader *reader, struct rp_aton_arrays *arrays) {
    const struct rp_ctoken *name = rp_aton_head_name(reader, "[");
    const struct number_type *type =
        name != NULL && name != reader->head ? type_of(name - 1) : NULL;
    if (type == NULL)
        return rp_aton_skip_initializer(reader);
    struct rp_aton_array array = {
        .name = rp_aton_word(reader, name), .line = name->line, .is_real = type->max == 0};
    struct numbers numbers = {0};
    if (!rp_aton_advance(reader) || !rp_aton_expect(reader, "{"))
        return false;
    while (!rp_ctoken_is(&reader->token, "}")) {
        if (!read_element(reader, type, &numbers))
            return false;
        if (rp_ctoken_is(&reader->token, ",") && !rp_aton_advance(reader))
            return false;
    }
    array.integers = (struct rp_aton_integers){numbers.integers.items, numbers.integers.count};
    array.reals = (struct rp_aton_reals){numbers.reals.items, numbers.reals.count};
    *RP_PUSH(reader->arena, arrays) = array;
    return rp_aton_advance(reader) && rp_aton_expect(reader, ";");
}

static int compare_arrays(const void *a, const void *b) {
    const struct rp_aton_array *x = a, *y = b;
    return strcmp(x->name, y->name);
}

bool rp_aton_sort_arrays(const struct rp_aton_reader *reader, const struct rp_aton_arrays *arrays) {
    if (arrays->count != 0)
        qsort(arrays->items, arrays->count, sizeof *arrays->items, compare_arrays);
    for (size_t i = 1; i < arrays->count; i++)
        if (compare_arrays(&arrays->items[i - 1], &arrays->items[i]) == 0)
            return rp_aton_fail(reader, arrays->items[i].line, "the array '%s' is there twice",
                                arrays->items[i].name);
    return true;
}

static const struct rp_aton_array *find_array(const struct rp_aton_arrays *arrays,
                                              const char *name) {
    struct rp_aton_array key = {.name = name};
    return arrays->count == 0
               ? NULL
               : bsearch(&key, arrays->items, arrays->count, sizeof *arrays->items, compare_arrays);
}

/* ".member = value"; used is the number of tokens in reader->row. */
static bool read_member(struct rp_aton_reader *reader, const struct rp_aton_rows *table,
                        struct rp_aton_row *row, size_t *used) {
    if (!rp_aton_expect(reader, "."))
        return false;
    struct rp_ctoken word = reader->token;
    size_t member = 0, count = 0;
    while (member < table->count && !rp_ctoken_is(&word, table->names[member]))
        member++;
    bool known = member != table->count;
    if (!rp_aton_advance(reader) || !rp_aton_expect(reader, "="))
        return false;
    if (known && row->members[member].count != 0)
        return rp_aton_fail(reader, word.line, ".%s is there twice in a row", table->names[member]);
    struct rp_ctoken *items = known ? reader->row + *used : NULL;
    if (!read_value(reader, items, RP_ATON_ROW_MAX - *used, &count))
        return false;
    if (count == 0)
        return rp_aton_fail(reader, word.line, "a member without a value");
    if (known) {
        row->members[member] = (struct rp_aton_member){word.line, items, count};
        *used += count;
    }
    return true;
}

static bool read_row(struct rp_aton_reader *reader, const struct rp_aton_rows *table) {
    struct rp_aton_row row = {.line = reader->token.line};
    size_t used = 0;
    if (!rp_aton_expect(reader, "{"))
        return false;
    while (!rp_ctoken_is(&reader->token, "}")) {
        if (!read_member(reader, table, &row, &used))
            return false;
        if (rp_ctoken_is(&reader->token, ",") && !rp_aton_advance(reader))
            return false;
    }
    return rp_aton_advance(reader) && table->take(reader, &row, table->context);
}

bool rp_aton_read_rows(struct rp_aton_reader *reader, const struct rp_aton_rows *table) {
    if (!rp_aton_advance(reader) || !rp_aton_expect(reader, "{"))
        return false;
    while (!rp_ctoken_is(&reader->token, "}")) {
        if (!read_row(reader, table))
            return false;
        if (rp_ctoken_is(&reader->token, ",") && !rp_aton_advance(reader))
            return false;
    }
    return rp_aton_advance(reader) && rp_aton_expect(reader, ";");
}

bool rp_aton_value(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                   struct rp_cvalue *out) {
    *out = (struct rp_cvalue){0};
    if (member->count == 0 || rp_cexpr_eval(member->tokens, member->count, out))
        return true;
    return rp_aton_fail(reader, member->line, "a value that is not understood: '%s'",
                        shown(reader, member->tokens, member->count));
}

bool rp_aton_integer(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                     int64_t missing, int64_t *out) {
    struct rp_cvalue value;
    *out = missing;
    if (member->count == 0)
        return true;
    if (!rp_aton_value(reader, member, &value))
        return false;
    if (value.label.len != 0 || value.number > UINT32_MAX || value.number < INT32_MIN)
        return rp_aton_fail(reader, member->line, "not a number of 32 bits: '%s'",
                            shown(reader, member->tokens, member->count));
    *out = value.number;
    return true;
}

bool rp_aton_flag(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                  bool *out) {
    int64_t value = 0;
    bool ok = rp_aton_integer(reader, member, 0, &value);
    *out = value != 0;
    return ok;
}

bool rp_aton_name(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                  const char **out) {
    struct rp_cvalue value;
    *out = NULL;
    if (!rp_aton_value(reader, member, &value))
        return false;
    if (value.number != 0)
        return rp_aton_fail(reader, member->line, "not a name: '%s'",
                            shown(reader, member->tokens, member->count));
    if (value.label.len != 0)
        *out = rp_aton_word(reader, &value.label);
    return true;
}

/* The backslash of an escape stays, except before a quote or a backslash. */
bool rp_aton_string(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                    const char **out) {
    *out = NULL;
    if (member->count != 0 && member->tokens->kind != RP_CTOKEN_STRING)
        return rp_aton_name(reader, member, out) &&
               (*out == NULL || rp_aton_fail(reader, member->line, "not a string: '%s'", *out));
    size_t room = 1, len = 0;
    for (size_t i = 0; i < member->count; i++)
        room += member->tokens[i].len;
    char *text = rp_alloc(reader->arena, room, 1);
    for (size_t i = 0; i < member->count; i++) {
        const struct rp_ctoken *token = &member->tokens[i];
        if (token->kind != RP_CTOKEN_STRING)
            return rp_aton_fail(reader, member->line, "not a string: '%s'",
                                shown(reader, member->tokens, member->count));
        for (size_t k = 1; k + 1 < token->len; k++) {
            bool escape = token->at[k] == '\\' && k + 2 < token->len;
            k += escape && strchr("\\\"", token->at[k + 1]) != NULL;
            text[len++] = token->at[k];
        }
    }
    *out = member->count != 0 ? text : NULL;
    return true;
}

bool rp_aton_member_array(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                          bool real, const struct rp_aton_array **out) {
    const char *name;
    *out = NULL;
    if (!rp_aton_name(reader, member, &name) || name == NULL)
        return name == NULL && reader->err->id == 0;
    *out = find_array(&reader->arrays, name);
    if (*out == NULL)
        *out = find_array(&reader->globals, name);
    if (*out == NULL || (*out)->is_real != real)
        return rp_aton_fail(reader, member->line, "there is no array '%s' of %s", name,
                            real ? "floating-point numbers" : "integers");
    return true;
}
