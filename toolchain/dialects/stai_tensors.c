/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of a network with the newer C API: see stai_tensors.h. */
#include "toolchain/dialects/stai_tensors.h"

#include <float.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/cread/expr.h"
#include "toolchain/cread/token.h"
#include "toolchain/dialect.h"
#include "toolchain/cread/define.h"

/* STAI_INIT_TENSOR(name, flags, format, size, shape, scale, zero point) */
enum { NAME, FLAGS, FORMAT, SIZE, SHAPE, SCALE, ZERO_POINT, ARGUMENTS };
enum { TOKENS_MAX = 64 };

struct reader {
    const struct rp_stai_text *text;
    struct rp_arena *arena;
    struct rp_clexer lexer;
    struct rp_ctoken token;
    struct rp_error *err;
};

struct tokens {
    struct rp_ctoken items[TOKENS_MAX];
    size_t count;
};

static bool next(struct reader *reader) {
    do
        if (!rp_ctoken_next(&reader->lexer, &reader->token, reader->err))
            return false;
    while (reader->token.kind == RP_CTOKEN_COMMENT || reader->token.kind == RP_CTOKEN_DIRECTIVE);
    return true;
}

static bool wrong(struct reader *reader, const char *what) {
    return rp_fail(reader->err, RP_E_INPUT,
                   "%s:%u: the table of inputs and outputs is not as its generator writes it: %s",
                   reader->text->path, reader->token.line, what);
}

static char *text_of(struct reader *reader, const struct rp_ctoken *token) {
    return rp_strndup(reader->arena, token->at, token->len);
}

/* Skips to the token behind a word, which has to come before another. */
static bool skip_to(struct reader *reader, const char *word, const char *before) {
    while (reader->token.kind != RP_CTOKEN_END && !rp_ctoken_is(&reader->token, word) &&
           !rp_ctoken_is(&reader->token, before))
        if (!next(reader))
            return false;
    return rp_ctoken_is(&reader->token, word)
               ? next(reader)
               : wrong(reader, rp_format(reader->arena, "there is no '%s'", word));
}

/* One argument, up to the comma or parenthesis that ends it. */
static bool read_argument(struct reader *reader, struct tokens *out) {
    unsigned depth = 0;
    out->count = 0;
    for (;; out->count++) {
        const struct rp_ctoken *token = &reader->token;
        bool opens = rp_ctoken_is(token, "("), closes = rp_ctoken_is(token, ")");
        if (token->kind == RP_CTOKEN_END || out->count == TOKENS_MAX)
            return wrong(reader, "an argument of STAI_INIT_TENSOR does not end");
        if (depth == 0 && (closes || rp_ctoken_is(token, ",")))
            return true;
        depth = depth + opens - closes;
        out->items[out->count] = *token;
        if (!next(reader))
            return false;
    }
}

/* STAI_DECLARE_ARRAY(type, size, values) or STAI_EMPTY_ARRAY(): -1 when it is neither. */
static int array_values(const struct tokens *tokens, double values[RP_RANK_MAX + 1]) {
    enum { FIRST = 6 };
    int count = 0;
    if (tokens->count != 0 && rp_ctoken_is(&tokens->items[0], "STAI_EMPTY_ARRAY"))
        return 0;
    if (tokens->count < FIRST || !rp_ctoken_is(&tokens->items[0], "STAI_DECLARE_ARRAY"))
        return -1;
    for (size_t i = FIRST; i + 1 < tokens->count && count <= RP_RANK_MAX; count++) {
        bool minus = rp_ctoken_is(&tokens->items[i], "-");
        i += minus;
        if (i + 1 >= tokens->count || !rp_cexpr_real(&tokens->items[i], &values[count]))
            return -1;
        values[count] = minus ? -values[count] : values[count];
        i += 2; /* the comma, or the last parenthesis */
    }
    return count;
}

static bool take_shape(struct reader *reader, const struct tokens *tokens,
                       struct rp_tensor *tensor) {
    double values[RP_RANK_MAX + 1];
    int count = array_values(tokens, values);
    if (count > RP_RANK_MAX)
        return rp_fail(reader->err, RP_E_TOO_LARGE, "%s:%u: a tensor has more than %u dimensions",
                       reader->text->path, reader->token.line, (unsigned)RP_RANK_MAX);
    for (int i = 0; i < count; i++) {
        if (values[i] < 1 || values[i] > UINT32_MAX)
            return wrong(reader, "a dimension");
        tensor->shape[tensor->rank++] = (uint32_t)values[i];
    }
    return count > 0 || wrong(reader, "a shape");
}

static bool take_quantisation(struct reader *reader, const struct tokens *scale,
                              const struct tokens *zero, struct rp_tensor *tensor) {
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
static bool take_format(struct reader *reader, const char *macro, struct rp_tensor *tensor) {
    static const struct {
        const char *format, *dtype;
    } rows[] = {{"FLOAT32", "float32"}, {"FLOAT64", "float64"}, {"S8", "int8"},   {"U8", "uint8"},
                {"S16", "int16"},       {"U16", "uint16"},      {"S32", "int32"}, {"U32", "uint32"},
                {"S64", "int64"},       {"U64", "uint64"},      {"BOOL", "bool"}};
    static const char prefix[] = "STAI_FORMAT_";
    const char *value = rp_find_define(reader->text->header, macro);
    if (value != NULL)
        value += strspn(value, " \t(");
    if (value == NULL || !rp_has_prefix(value, prefix))
        return wrong(reader, rp_format(reader->arena, "the header has no format '%s'", macro));
    value += strlen(prefix);
    const char *name = rp_strndup(reader->arena, value, strcspn(value, " \t)\r\n"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].format, name) == 0)
            tensor->dtype = rp_dtype_find(rows[i].dtype);
    return tensor->dtype != NULL ||
           rp_fail(reader->err, RP_E_INPUT, "%s: %s is %s%s, a format that is not supported here",
                   reader->text->path, macro, prefix, name);
}

/* A string in the text, or of a macro; NULL when there is none. */
static const char *name_of(struct reader *reader, const struct tokens *tokens) {
    const char *text = tokens->count == 1 ? text_of(reader, &tokens->items[0]) : "";
    const char *value = rp_find_define(reader->text->header, text);
    if (value != NULL)
        text = value + strspn(value, " \t(");
    return text[0] == '"' ? rp_strndup(reader->arena, text + 1, strcspn(text + 1, "\"\n")) : NULL;
}

/* Packed bits, for one, take other sizes than their elements say. */
static bool check_size(struct reader *reader, const struct tokens *size,
                       const struct rp_tensor *tensor) {
    const char *macro = size->count == 1 ? text_of(reader, &size->items[0]) : "";
    int64_t bytes = rp_find_number(reader->text->header, macro);
    return (uint64_t)bytes == rp_tensor_bytes(tensor) ||
           rp_fail(reader->err, RP_E_INPUT,
                   "%s:%u: '%s' is %lld in the header, shape and format make %llu bytes",
                   reader->text->path, reader->token.line, macro, (long long)bytes,
                   (unsigned long long)rp_tensor_bytes(tensor));
}

static bool read_tensor(struct reader *reader, struct rp_tensor *tensor) {
    struct tokens arguments[ARGUMENTS];
    for (size_t i = 0; i < ARGUMENTS; i++) {
        if (!rp_ctoken_is(&reader->token, i == 0 ? "(" : ","))
            return wrong(reader, "STAI_INIT_TENSOR has other arguments");
        if (!next(reader) || !read_argument(reader, &arguments[i]))
            return false;
    }
    if (!rp_ctoken_is(&reader->token, ")"))
        return wrong(reader, "STAI_INIT_TENSOR has other arguments");
    tensor->name = name_of(reader, &arguments[NAME]);
    return (arguments[FORMAT].count == 1 || wrong(reader, "a format")) &&
           take_format(reader, text_of(reader, &arguments[FORMAT].items[0]), tensor) &&
           take_shape(reader, &arguments[SHAPE], tensor) &&
           check_size(reader, &arguments[SIZE], tensor) &&
           take_quantisation(reader, &arguments[SCALE], &arguments[ZERO_POINT], tensor);
}

static bool read_tensors(struct reader *reader, struct rp_model *model, bool output) {
    const char *macro =
        rp_format(reader->arena, "%s%s_NUM", reader->text->prefix, output ? "OUT" : "IN");
    int64_t count = rp_find_number(reader->text->header, macro);
    if (count < 0)
        return wrong(reader, rp_format(reader->arena, "the header has no number '%s'", macro));
    if (!skip_to(reader, output ? "outputs" : "inputs", "activations"))
        return false;
    for (int64_t i = 0; i < count; i++) {
        struct rp_tensor tensor = {0};
        if (!skip_to(reader, "STAI_INIT_TENSOR", output ? "activations" : "outputs") ||
            !read_tensor(reader, &tensor))
            return false;
        rp_model_add_argument(model, reader->arena, output, &tensor);
    }
    return true;
}

bool rp_stai_tensors(struct rp_model *model, struct rp_arena *arena,
                     const struct rp_stai_text *text, struct rp_error *err) {
    struct reader reader = {
        .text = text,
        .arena = arena,
        .lexer = {.at = text->source,
                  .end = text->source + strlen(text->source),
                  .path = text->path,
                  .line = 1},
        .err = err,
    };
    return next(&reader) && skip_to(&reader, "stai_network_info", "activations") &&
           read_tensors(&reader, model, false) && read_tensors(&reader, model, true);
}
