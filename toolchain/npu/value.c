/* SPDX-License-Identifier: Apache-2.0 */
/* Values in network.c: arrays of numbers and members of rows. See value.h. */
#include "toolchain/npu/value.h"

#include <stdlib.h>
#include <string.h>

static const char *shown(const struct rp_aton_reader *reader, const struct rp_cinit *value) {
    return rp_cinit_text(reader->source.arena, value);
}

/* ---- arrays of numbers ---- */

struct number_type {
    const char *name;
    int64_t min, max; /* both 0: not an integer */
};

static const struct number_type *type_of(const struct rp_ctoken *word) {
    static const struct number_type types[] = {
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
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (rp_ctoken_is(word, types[i].name))
            return &types[i];
    return NULL;
}

bool rp_aton_read_array(struct rp_aton_reader *reader, struct rp_aton_arrays *arrays) {
    struct rp_csource *source = &reader->source;
    const struct rp_ctoken *name = rp_ctokens_name(&source->head, "[");
    const struct number_type *type =
        name != NULL && name != source->head.items ? type_of(name - 1) : NULL;
    struct rp_cinit_list list;
    struct rp_cinit item;
    if (type == NULL)
        return rp_csource_pass(source, NULL);
    if (!rp_csource_next(source) || !rp_csource_value(source))
        return false;
    const struct rp_cinit value = rp_cinit_of(source);
    if (!rp_cinit_items(&value, &list))
        return rp_aton_fail(reader, value.line, "'{' expected in front of '%s'",
                            shown(reader, &value));
    int64_t *integers = rp_alloc(source->arena, value.count, sizeof *integers);
    double *reals = rp_alloc(source->arena, value.count, sizeof *reals);
    size_t count = 0;
    for (; rp_cinit_next(&list, &item); count++) {
        struct rp_cvalue number = {0};
        bool ok = type->max == 0
                      ? rp_cinit_real(&item, &reals[count])
                      : rp_cexpr_eval(item.tokens, item.count, &number) && number.label.len == 0 &&
                            number.number >= type->min && number.number <= type->max;
        if (!ok)
            return rp_aton_fail(reader, item.line, "not a number of type %s: '%s'", type->name,
                                shown(reader, &item));
        integers[count] = number.number;
    }
    bool is_real = type->max == 0;
    *RP_PUSH(source->arena, arrays) =
        (struct rp_aton_array){.name = rp_aton_word(source, name),
                               .line = name->line,
                               .is_real = is_real,
                               .integers = {integers, is_real ? 0 : count},
                               .reals = {reals, is_real ? count : 0}};
    return rp_csource_expect(source, ";");
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

/* ---- members ---- */

bool rp_aton_member(const struct rp_aton_row *row, const char *name, struct rp_cinit *out) {
    size_t count = rp_cinit_member(&row->value, name, out);
    if (count > 1)
        rp_aton_fail(row->reader, out->line, ".%s is there twice in a row", name);
    else if (count == 1 && out->count == 0)
        rp_aton_fail(row->reader, out->line, "a member without a value");
    return out->count != 0;
}

static struct rp_cvalue eval(const struct rp_aton_reader *reader, const struct rp_cinit *value) {
    struct rp_cvalue out = {0};
    if (value->count != 0 && !rp_cexpr_eval(value->tokens, value->count, &out))
        rp_aton_fail(reader, value->line, "a value that is not understood: '%s'",
                     shown(reader, value));
    return out;
}

struct rp_cvalue rp_aton_value(const struct rp_aton_row *row, const char *name) {
    struct rp_cinit member;
    rp_aton_member(row, name, &member);
    return eval(row->reader, &member);
}

int64_t rp_aton_integer(const struct rp_aton_row *row, const char *name, int64_t missing) {
    struct rp_cinit member;
    if (!rp_aton_member(row, name, &member))
        return missing;
    const struct rp_cvalue value = eval(row->reader, &member);
    if (value.label.len != 0 || value.number > UINT32_MAX || value.number < INT32_MIN)
        rp_aton_fail(row->reader, member.line, "not a number of 32 bits: '%s'",
                     shown(row->reader, &member));
    return value.number;
}

const char *rp_aton_name_of(const struct rp_aton_reader *reader, const struct rp_cinit *value) {
    const struct rp_cvalue found = eval(reader, value);
    if (found.number != 0)
        rp_aton_fail(reader, value->line, "not a name: '%s'", shown(reader, value));
    return found.label.len != 0 ? rp_aton_word(&reader->source, &found.label) : NULL;
}

const char *rp_aton_name(const struct rp_aton_row *row, const char *name) {
    struct rp_cinit member;
    rp_aton_member(row, name, &member);
    return rp_aton_name_of(row->reader, &member);
}

const char *rp_aton_string(const struct rp_aton_row *row, const char *name) {
    struct rp_cinit member;
    if (!rp_aton_member(row, name, &member))
        return NULL;
    bool is_string = member.tokens->kind == RP_CTOKEN_STRING;
    const char *text = is_string ? rp_cinit_string(row->reader->source.arena, &member)
                                 : rp_aton_name_of(row->reader, &member);
    if (is_string == (text == NULL))
        rp_aton_fail(row->reader, member.line, "not a string: '%s'", shown(row->reader, &member));
    return text;
}

const struct rp_aton_array *rp_aton_member_array(const struct rp_aton_row *row, const char *name,
                                                 bool real) {
    const struct rp_aton_reader *reader = row->reader;
    const char *named = rp_aton_name(row, name);
    if (named == NULL)
        return NULL;
    const struct rp_aton_array *array = find_array(&reader->arrays, named);
    array = array != NULL ? array : find_array(&reader->globals, named);
    if (array != NULL && array->is_real == real)
        return array;
    struct rp_cinit member;
    rp_aton_member(row, name, &member);
    rp_aton_fail(reader, member.line, "there is no array '%s' of %s", named,
                 real ? "floating-point numbers" : "integers");
    return NULL;
}
