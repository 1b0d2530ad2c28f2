/* SPDX-License-Identifier: Apache-2.0 */
/* Values in network.c: arrays of numbers and members of rows. See value.h. */
#include "toolchain/npu/value.h"

#include <stdlib.h>
#include <string.h>

static const char *shown(const struct rp_aton_reader *reader, const struct rp_cinit *value) {
    return rp_cinit_text(reader->source.arena, value);
}

/* ---- arrays of numbers ---- */

/* Is the value a number of this type? uint64_t is read up to INT64_MAX. */
static bool read_integer(const struct rp_cinit *value, const struct rp_dtype *type, int64_t *out) {
    struct rp_cvalue found;
    if (!rp_cexpr_eval(value->tokens, value->count, &found) || found.label.len != 0)
        return false;
    unsigned bits = 8 * type->size_bytes - type->is_signed;
    int64_t max = bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX;
    *out = found.number;
    return *out <= max && *out >= (type->is_signed ? -max - 1 : 0);
}

bool rp_aton_read_array(struct rp_aton_reader *reader, struct rp_aton_arrays *arrays) {
    struct rp_csource *source = &reader->source;
    const struct rp_ctoken *name = rp_ctokens_name(&source->head, "[");
    const struct rp_dtype *type = name != NULL && name != source->head.items
                                      ? rp_aton_number_type(rp_aton_word(source, name - 1))
                                      : NULL;
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
    for (; rp_cinit_next(&list, &item); count++)
        if (!(type->is_float ? rp_cinit_real(&item, &reals[count])
                             : read_integer(&item, type, &integers[count])))
            return rp_aton_fail(reader, item.line, "not a number of type %s: '%s'", type->c_type,
                                shown(reader, &item));
    *RP_PUSH(source->arena, arrays) =
        (struct rp_aton_array){.name = rp_aton_word(source, name),
                               .line = name->line,
                               .is_real = type->is_float,
                               .integers = {integers, type->is_float ? 0 : count},
                               .reals = {reals, type->is_float ? count : 0}};
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
    size_t count = 0;
    *out = (struct rp_cinit){.line = row->line};
    for (size_t i = 0; i < row->count; i++)
        if (rp_ctoken_is(row->items[i].member, name) && count++ == 0)
            *out = row->items[i];
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
