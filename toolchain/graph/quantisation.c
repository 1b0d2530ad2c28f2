/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the quantisation of a model that the vendor's front end wrote. Such an ONNX file
 * (NAME_OE_*.onnx) has float weights, and no types between operators. The types are in
 * NAME_OE_*_Q.json next to it:
 *   {"tensors": {"Conv2D_3_weights": {"format": {"class": "integer", "type": "S8",
 *                                                "params": [[scales], [zero points]]}}}}
 * In: a graph and that file; out: types, scales and zero points of the graph's tensors. Source:
 * files of ST Edge AI Core 2.1 to 4.0.
 */
#include "toolchain/graph/quantisation.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static const struct {
    const char *name;
    enum rp_element element;
} types[] = {
    {"S4", RP_ELEMENT_INT4},         {"S8", RP_ELEMENT_INT8},
    {"U8", RP_ELEMENT_UINT8},        {"S16", RP_ELEMENT_INT16},
    {"U16", RP_ELEMENT_UINT16},      {"S32", RP_ELEMENT_INT32},
    {"U32", RP_ELEMENT_UINT32},      {"S64", RP_ELEMENT_INT64},
    {"U64", RP_ELEMENT_UINT64},      {"FLOAT16", RP_ELEMENT_FLOAT16},
    {"FLOAT32", RP_ELEMENT_FLOAT32}, {"FLOAT64", RP_ELEMENT_FLOAT64},
    {"BOOL", RP_ELEMENT_BOOL},
};

struct quantiser {
    struct rp_arena *arena;
    const char *path;
    const char *tensor;               /* name of the one being read, for messages */
    struct rp_graph_tensor **tensors; /* the graph's, sorted by name */
    size_t count;
    size_t known; /* number of the file's tensors that are in the graph */
    struct rp_error *err;
};

static bool fail(const struct quantiser *q, const char *why) {
    return rp_fail(q->err, RP_E_INPUT, "quantisation '%s': tensor '%s': %s", q->path, q->tensor,
                   why);
}

static int by_name(const void *a, const void *b) {
    const struct rp_graph_tensor *x = *(struct rp_graph_tensor *const *)a;
    const struct rp_graph_tensor *y = *(struct rp_graph_tensor *const *)b;
    return strcmp(x->name, y->name);
}

static struct rp_graph_tensor *find(const struct quantiser *q, const char *name) {
    struct rp_graph_tensor wanted = {.name = name}, *key = &wanted;
    struct rp_graph_tensor **found =
        bsearch(&key, q->tensors, q->count, sizeof *q->tensors, by_name);
    return found != NULL ? *found : NULL;
}

/* params has as many scales as zero points, or [null, null] for floats. */
static bool read_params(const struct quantiser *q, const struct rp_json *params,
                        struct rp_quantisation *out) {
    const struct rp_json *scale = params != NULL ? rp_json_first(params) : NULL;
    const struct rp_json *zero = scale != NULL ? rp_json_next(scale) : NULL;
    *out = (struct rp_quantisation){0};
    if (scale == NULL || rp_json_type_of(scale) == RP_JSON_NULL)
        return true;
    size_t count = rp_json_count(scale);
    if (zero == NULL || count == 0 || rp_json_count(zero) != count)
        return fail(q, "it has different numbers of scales and zero points");
    double *scales = rp_alloc(q->arena, count, sizeof *scales);
    int64_t *zeros = rp_alloc(q->arena, count, sizeof *zeros);
    scale = rp_json_first(scale);
    zero = rp_json_first(zero);
    for (size_t i = 0; i < count; i++) {
        if (rp_json_type_of(scale) != RP_JSON_NUMBER ||
            !rp_json_integer(zero, INT32_MIN, INT32_MAX, &zeros[i]))
            return fail(q, "a scale or zero point is not a number");
        scales[i] = rp_json_number(scale);
        scale = rp_json_next(scale);
        zero = rp_json_next(zero);
    }
    *out = (struct rp_quantisation){.scales = scales, .zero_points = zeros, .count = count};
    return true;
}

/* The values of a constant stay floats in the model file, so they are not of the new type. */
static bool quantise(struct quantiser *q, struct rp_graph_tensor *tensor,
                     const struct rp_json *format) {
    const struct rp_json *type = rp_json_member(format, "type");
    const char *name = type != NULL ? rp_json_string(type) : NULL;
    enum rp_element element = RP_ELEMENT_OTHER;
    for (size_t i = 0; name != NULL && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0)
            element = types[i].element;
    if (element == RP_ELEMENT_OTHER)
        return fail(q, "its type is missing or unknown");
    if (!read_params(q, rp_json_member(format, "params"), &tensor->quantisation))
        return false;
    if (tensor->element != element) {
        tensor->data = NULL;
        tensor->size_bytes = 0;
    }
    tensor->element = element;
    return true;
}

static bool read_tensors(struct quantiser *q, const struct rp_json *tensors) {
    for (const struct rp_json *t = rp_json_first(tensors); t != NULL; t = rp_json_next(t)) {
        q->tensor = rp_json_key(t);
        struct rp_graph_tensor *tensor = q->tensor != NULL ? find(q, q->tensor) : NULL;
        const struct rp_json *format = rp_json_member(t, "format");
        if (tensor == NULL)
            continue;
        if (format == NULL)
            return fail(q, "it has no format");
        if (!quantise(q, tensor, format))
            return false;
        q->known++;
    }
    return true;
}

static bool read_root(struct quantiser *q, const struct rp_json *root) {
    const struct rp_json *tensors = rp_json_member(root, "tensors");
    if (tensors == NULL || rp_json_type_of(tensors) != RP_JSON_OBJECT)
        return rp_fail(q->err, RP_E_INPUT, "quantisation '%s': it has no \"tensors\"", q->path);
    if (!read_tensors(q, tensors))
        return false;
    if (q->known == 0)
        return rp_fail(
            q->err, RP_E_INPUT,
            "quantisation '%s': it has none of the model's tensors, so it belongs to another model",
            q->path);
    return true;
}

bool rp_graph_quantise(struct rp_graph *graph, struct rp_arena *arena, const char *path,
                       const struct rp_bytes *text, struct rp_error *err) {
    struct quantiser q = {.arena = arena, .path = path, .count = graph->tensors.count, .err = err};
    struct rp_json *root = rp_json_parse((const char *)text->data, text->size, path, err);
    if (root == NULL)
        return false;
    q.tensors = rp_alloc(arena, q.count + 1, sizeof *q.tensors);
    for (size_t i = 0; i < q.count; i++)
        q.tensors[i] = &graph->tensors.items[i];
    qsort(q.tensors, q.count, sizeof *q.tensors, by_name);
    bool ok = read_root(&q, root);
    rp_json_free(root);
    return ok;
}
