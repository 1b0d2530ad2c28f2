/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of a network with the newer C API: see stai_tensors.h. */
#include "toolchain/dialects/stai_tensors.h"

#include <float.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/cread/define.h"
#include "toolchain/cread/expr.h"
#include "toolchain/cread/init.h"
#include "toolchain/cread/source.h"
#include "toolchain/dialect.h"

/* STAI_INIT_TENSOR(name, flags, format, size, shape, scale, zero point) */
enum { NAME, FLAGS, FORMAT, SIZE, SHAPE, SCALE, ZERO_POINT, ARGUMENTS };

struct reader {
    const struct rp_stai_text *text;
    struct rp_csource source;
    unsigned line; /* of what is being read, for messages */
};

static bool wrong(const struct reader *reader, const char *what) {
    return rp_csource_fail(&reader->source, RP_E_INPUT, reader->line,
                           "the table of inputs and outputs is not as its generator writes it: %s",
                           what);
}

static bool missing(const struct reader *reader, const char *what) {
    return wrong(reader, rp_format(reader->source.arena, "there is no '%s'", what));
}

/*
 * STAI_DECLARE_ARRAY(type, size, values) or STAI_EMPTY_ARRAY(): -1 when it is neither, or has
 * another number of values than its size.
 */
static int array_values(const struct rp_cinit *value, double values[RP_RANK_MAX + 1]) {
    struct rp_cinit_list list;
    struct rp_cinit item;
    int64_t size;
    int count = 0;
    if (rp_cinit_calls(value, "STAI_EMPTY_ARRAY"))
        return 0;
    if (!rp_cinit_calls(value, "STAI_DECLARE_ARRAY") || !rp_cinit_items(value, &list) ||
        !rp_cinit_next(&list, &item) || !rp_cinit_next(&list, &item) || item.count != 1 ||
        !rp_cexpr_integer(item.tokens, &size))
        return -1;
    for (; count <= RP_RANK_MAX && rp_cinit_next(&list, &item); count++)
        if (!rp_cinit_real(&item, &values[count]))
            return -1;
    return count > RP_RANK_MAX || count == size ? count : -1;
}

static bool take_shape(const struct reader *reader, const struct rp_cinit *value,
                       struct rp_tensor *tensor) {
    double values[RP_RANK_MAX + 1];
    int count = array_values(value, values);
    if (count > RP_RANK_MAX)
        return rp_csource_fail(&reader->source, RP_E_TOO_LARGE, reader->line,
                               "a tensor has more than %u dimensions", (unsigned)RP_RANK_MAX);
    for (int i = 0; i < count; i++) {
        if (values[i] < 1 || values[i] > UINT32_MAX)
            return wrong(reader, "a dimension");
        tensor->shape[tensor->rank++] = (uint32_t)values[i];
    }
    return count > 0 || wrong(reader, "a shape");
}

static bool take_quantisation(const struct reader *reader, const struct rp_cinit *scale,
                              const struct rp_cinit *zero, struct rp_tensor *tensor) {
    double scales[RP_RANK_MAX + 1], zeros[RP_RANK_MAX + 1];
    int count = array_values(scale, scales), zero_count = array_values(zero, zeros);
    double low = tensor->dtype->is_signed ? INT8_MIN : 0, high = low + UINT8_MAX;
    if (count < 0 || zero_count < 0)
        return wrong(reader, "a scale or a zero point");
    if (count == 0 || tensor->dtype->is_float)
        return true;
    if (count > 1 || zero_count > 1)
        return wrong(reader, "a scale for each channel of an input or output");
    double zero_point = zero_count == 1 ? zeros[0] : 0;
    bool byte = tensor->dtype->size_bytes == 1;
    if (!(scales[0] >= (double)FLT_MIN && scales[0] <= (double)FLT_MAX) ||
        !(zero_point >= (byte ? low : INT32_MIN) && zero_point <= (byte ? high : INT32_MAX)))
        return wrong(reader, "a scale or a zero point that does not fit");
    tensor->quantised = true;
    tensor->scale = scales[0];
    tensor->zero_point = (int32_t)zero_point;
    return true;
}

/* "(STAI_FORMAT_S8)" of the header, as a dtype. */
static bool take_format(const struct reader *reader, const char *macro, struct rp_tensor *tensor) {
    static const struct {
        const char *format, *dtype;
    } rows[] = {{"FLOAT32", "float32"}, {"FLOAT64", "float64"}, {"S8", "int8"},   {"U8", "uint8"},
                {"S16", "int16"},       {"U16", "uint16"},      {"S32", "int32"}, {"U32", "uint32"},
                {"S64", "int64"},       {"U64", "uint64"},      {"BOOL", "bool"}};
    static const char prefix[] = "STAI_FORMAT_";
    const char *value = rp_find_define(reader->text->header, macro);
    if (value == NULL || !rp_has_prefix(value, prefix))
        return wrong(reader,
                     rp_format(reader->source.arena, "the header has no format '%s'", macro));
    value += strlen(prefix);
    const char *name = rp_strndup(reader->source.arena, value, strcspn(value, " \t)\r\n"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].format, name) == 0)
            tensor->dtype = rp_dtype_find(rows[i].dtype);
    return tensor->dtype != NULL || rp_fail(reader->source.err, RP_E_INPUT,
                                            "%s: %s is %s%s, a format that is not supported here",
                                            reader->text->path, macro, prefix, name);
}

/* A value that is one word or constant, as it is written; any other one is "". */
static char *text_of(const struct reader *reader, const struct rp_cinit *value) {
    return value->count == 1
               ? rp_strndup(reader->source.arena, value->tokens->at, value->tokens->len)
               : rp_strdup(reader->source.arena, "");
}

/* A string in the text, or of a macro; NULL when there is none. */
static const char *name_of(const struct reader *reader, const struct rp_cinit *value) {
    const char *text = text_of(reader, value);
    const char *macro = rp_find_define(reader->text->header, text);
    text = macro != NULL ? macro : text;
    return text[0] == '"' ? rp_strndup(reader->source.arena, text + 1, strcspn(text + 1, "\"\n"))
                          : NULL;
}

/* Packed bits, for one, take other sizes than their elements say. */
static bool check_size(const struct reader *reader, const struct rp_cinit *value,
                       const struct rp_tensor *tensor) {
    const char *macro = text_of(reader, value);
    int64_t bytes = rp_find_number(reader->text->header, macro);
    return (uint64_t)bytes == rp_tensor_bytes(tensor) ||
           rp_csource_fail(&reader->source, RP_E_INPUT, reader->line,
                           "'%s' is %lld in the header, shape and format make %llu bytes", macro,
                           (long long)bytes, (unsigned long long)rp_tensor_bytes(tensor));
}

static bool read_tensor(struct reader *reader, const struct rp_cinit *value,
                        struct rp_tensor *tensor) {
    struct rp_cinit arguments[ARGUMENTS];
    struct rp_cinit_list list;
    size_t count = 0;
    reader->line = value->line;
    if (rp_cinit_items(value, &list))
        while (count < ARGUMENTS && rp_cinit_next(&list, &arguments[count]))
            count++;
    if (count < ARGUMENTS || list.at != list.end)
        return wrong(reader, "STAI_INIT_TENSOR has other arguments");
    tensor->name = name_of(reader, &arguments[NAME]);
    return take_format(reader, text_of(reader, &arguments[FORMAT]), tensor) &&
           take_shape(reader, &arguments[SHAPE], tensor) &&
           check_size(reader, &arguments[SIZE], tensor) &&
           take_quantisation(reader, &arguments[SCALE], &arguments[ZERO_POINT], tensor);
}

/* Takes as many tensors of a member of the table as the header says. */
static bool read_tensors(struct reader *reader, const struct rp_cinit *table,
                         struct rp_model *model, bool output) {
    struct rp_arena *arena = reader->source.arena;
    const char *macro = rp_format(arena, "%s%s_NUM", reader->text->prefix, output ? "OUT" : "IN");
    const char *name = output ? "outputs" : "inputs";
    int64_t count = rp_find_number(reader->text->header, macro);
    struct rp_cinit member, value;
    struct rp_cinit_list list;
    if (count < 0)
        return wrong(reader, rp_format(arena, "the header has no number '%s'", macro));
    if (rp_cinit_member(table, name, &member) == 0)
        return missing(reader, name);
    reader->line = member.line;
    if (!rp_cinit_items(&member, &list))
        return wrong(reader, rp_format(arena, "'%s' is not a list", name));
    for (int64_t i = 0; i < count; i++) {
        struct rp_tensor tensor = {0};
        if (!rp_cinit_next(&list, &value) || !rp_cinit_calls(&value, "STAI_INIT_TENSOR"))
            return missing(reader, "STAI_INIT_TENSOR");
        if (!read_tensor(reader, &value, &tensor))
            return false;
        rp_model_add_argument(model, arena, output, &tensor);
    }
    return true;
}

/* Reads up to the initialiser of the first variable of type stai_network_info. */
static bool find_table(struct reader *reader) {
    struct rp_csource *source = &reader->source;
    bool found = false, ok = rp_csource_next(source);
    while (ok && !found && source->token.kind != RP_CTOKEN_END) {
        ok = rp_csource_head(source);
        found = rp_ctoken_is(&source->token, "=") &&
                rp_ctokens_have(&source->head, "stai_network_info");
        reader->line = source->token.line;
        ok = ok && (found ? rp_csource_next(source) : rp_csource_pass(source, NULL));
    }
    return ok && (found || missing(reader, "stai_network_info")) && rp_csource_value(source);
}

bool rp_stai_tensors(struct rp_model *model, struct rp_arena *arena,
                     const struct rp_stai_text *text, struct rp_error *err) {
    struct reader reader = {.text = text,
                            .source = {.lexer = {.at = text->source,
                                                 .end = text->source + strlen(text->source),
                                                 .path = text->path,
                                                 .line = 1},
                                       .arena = arena,
                                       .err = err}};
    if (!find_table(&reader))
        return false;
    const struct rp_cinit table = rp_cinit_of(&reader.source);
    return read_tensors(&reader, &table, model, false) &&
           read_tensors(&reader, &table, model, true);
}
