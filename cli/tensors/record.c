/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs in the JSON of a run: see record.h. */
#include "cli/tensors/record.h"

#include <math.h>
#include <string.h>

#include "base/path.h"
#include "cli/document.h"
#include "cli/tensors/reference.h"
#include "elfpack/image/integrity.h"

enum { SHA256_TEXT = 2 * RELOC_SHA256_BYTES + 1 };

static void hash(char out[SHA256_TEXT], const struct rp_samples *samples, uint32_t index) {
    size_t size = samples->bytes.size / samples->count;
    struct rp_sum sum = rp_sum_bytes(samples->bytes.data + index * size, size);
    rp_hex(out, sum.sha256, sizeof sum.sha256);
}

/* ---- writing ---- */

/* JSON has no NaN and no infinity: what is not defined is left out. */
static void put_number(struct rp_json *object, const char *key, double value) {
    if (isfinite(value))
        rp_json_put_double(object, key, value);
}

static struct rp_json *output_json(const struct rp_samples *samples, struct rp_arena *arena) {
    const struct rp_tensor *tensor = samples->tensor;
    struct rp_json *json = rp_json_object();
    char sha256[SHA256_TEXT];
    if (tensor != NULL) {
        RP_JSON_PUT(json, RP_JSON_S("name", tensor->name), RP_JSON_S("dtype", tensor->dtype->name));
        struct rp_json *shape = rp_json_new_array(json, "shape");
        for (unsigned i = 0; i < tensor->rank; i++)
            rp_json_push_int(shape, tensor->shape[i]);
    }
    if (tensor != NULL && tensor->quantised) {
        rp_json_put_double(json, "scale", tensor->scale);
        rp_json_put_int(json, "zero_point", tensor->zero_point);
    }
    struct rp_json *hashes = rp_json_new_array(json, "sha256");
    for (uint32_t i = 0; i < samples->count; i++) {
        hash(sha256, samples, i);
        rp_json_push_string(hashes, sha256);
    }
    const char *saved = samples->path != NULL ? rp_path_absolute(arena, samples->path, NULL) : NULL;
    RP_JSON_PUT(json, RP_JSON_S("saved", saved));
    return json;
}

static struct rp_json *compared_json(const struct rp_compared *compared) {
    struct rp_json *json = RP_JSON_NEW(RP_JSON_S("file", compared->path),
                                       RP_JSON_B("bit_exact", compared->different == 0),
                                       RP_JSON_N("different", compared->different));
    if (compared->has_values) {
        rp_json_put_int(json, "beyond_tolerance", (int64_t)compared->beyond);
        put_number(json, "largest_difference", compared->largest);
        put_number(json, "acc", compared->agreement);
#define X(figure) put_number(json, #figure, compared->figures.figure);
        RP_CLOSENESS(X)
#undef X
    }
    return json;
}

static void put_compared(struct rp_json *root, const char *key, const struct rp_compared *list,
                         size_t count) {
    if (list == NULL)
        return;
    struct rp_json *array = rp_json_new_array(root, key);
    for (size_t i = 0; i < count; i++)
        rp_json_push(array, compared_json(&list[i]));
}

static void put_reference(struct rp_json *root, const struct rp_assessment *assessment) {
    const struct rp_reference *reference = assessment->reference;
    struct rp_json *json = rp_json_new_object(root, "reference");
    rp_json_put_string(json, "path", reference->path);
    rp_json_put_double(json, "rtol", reference->tolerance.relative);
    put_number(json, "atol", reference->tolerance.absolute);
    struct rp_json *sets = rp_json_new_array(json, "sets");
    for (size_t i = 0; i < reference->sets.count; i++) {
        const struct rp_reference_set *set = &reference->sets.items[i];
        bool equal = rp_reference_wrong(assessment, i) == assessment->count;
        rp_json_push(sets, RP_JSON_NEW(RP_JSON_S("folder", set->dir),
                                       RP_JSON_N("inferences", set->inferences),
                                       RP_JSON_B("equal", equal)));
    }
    put_compared(json, "outputs", assessment->against, assessment->count);
}

static void put_confusion(struct rp_json *root, const struct rp_confusion *confusion) {
    struct rp_json *json =
        RP_JSON_NEW(RP_JSON_S("file", confusion->path), RP_JSON_N("output", confusion->output),
                    RP_JSON_N("classes", confusion->classes), RP_JSON_N("labels", confusion->total),
                    RP_JSON_N("right", confusion->right));
    rp_json_put_double(json, "accuracy", (double)confusion->right / (double)confusion->total);
    struct rp_json *cells = rp_json_new_array(json, "confusion");
    for (size_t i = 0; i < confusion->cells.count; i++) {
        const struct rp_confusion_cell *cell = &confusion->cells.items[i];
        rp_json_push(cells,
                     RP_JSON_NEW(RP_JSON_N("label", cell->label), RP_JSON_N("class", cell->class),
                                 RP_JSON_N("count", cell->count)));
    }
    rp_json_put(root, "labels", json);
}

void rp_record_put(struct rp_json *root, struct rp_arena *arena,
                   const struct rp_assessment *assessment) {
    rp_json_put_string(root, "inputs", assessment->inputs);
    struct rp_json *outputs = rp_json_new_array(root, "outputs");
    for (size_t i = 0; i < assessment->count; i++)
        rp_json_push(outputs, output_json(&assessment->outputs[i], arena));
    put_compared(root, "expected", assessment->expected, assessment->count);
    put_compared(root, "compared", assessment->other, assessment->count);
    if (assessment->reference != NULL)
        put_reference(root, assessment);
    if (assessment->confusion != NULL)
        put_confusion(root, assessment->confusion);
}

/* ---- reading ---- */

/* An output of the other run. */
struct other {
    struct rp_arena *arena;
    const char *path; /* of the JSON */
    const struct rp_json *json;
    size_t index;
    struct rp_tolerance tolerance;
};

static bool other_fails(const struct other *other, const char *what, struct rp_error *err) {
    return rp_fail(err, RP_E_INPUT, "'%s': output %zu %s", other->path, other->index, what);
}

/*
 * The values that belong to the record: where it says, or, when both were moved, beside it. Without
 * them, count stays 0.
 */
static bool read_values(const struct other *other, const struct rp_samples *got,
                        struct rp_samples *values, struct rp_error *err) {
    const char *saved = rp_json_text(other->json, "saved", NULL);
    char sha256[SHA256_TEXT];
    if (saved != NULL && !rp_path_is_file(saved))
        saved =
            rp_path_join(other->arena, rp_path_dir(other->arena, other->path), rp_path_base(saved));
    if (saved == NULL || got->tensor == NULL || !rp_path_is_file(saved))
        return true;
    if (!rp_tensor_read(other->arena, saved, got->tensor, values, err))
        return false;
    const struct rp_json *item = rp_json_first(rp_json_member(other->json, "sha256"));
    bool same = values->count == got->count;
    for (uint32_t i = 0; same && i < got->count; i++, item = rp_json_next(item)) {
        hash(sha256, values, i);
        same = strcmp(sha256, rp_json_string(item)) == 0;
    }
    return same || rp_fail(err, RP_E_INPUT,
                           "'%s' does not hold the values of output %zu that '%s' "
                           "is about",
                           saved, other->index, other->path);
}

/*
 * Models without a table of tensors record none. A size of 1 moves no value, and not every runtime
 * tells of it.
 */
static bool has_shape(const struct rp_json *shape, const struct rp_tensor *tensor) {
    unsigned i = 0;
    int64_t size = 0;
    for (const struct rp_json *item = rp_json_first(shape); item != NULL;
         item = rp_json_next(item)) {
        while (i < tensor->rank && tensor->shape[i] == 1)
            i++;
        if (!rp_json_integer(item, 1, UINT32_MAX, &size) ||
            (size != 1 && (i == tensor->rank || size != tensor->shape[i++])))
            return false;
    }
    while (i < tensor->rank && tensor->shape[i] == 1)
        i++;
    return shape == NULL || (rp_json_type_of(shape) == RP_JSON_ARRAY && i == tensor->rank);
}

static bool compare_output(const struct other *other, const struct rp_samples *got,
                           struct rp_compared *out, struct rp_error *err) {
    const struct rp_json *hashes = rp_json_member(other->json, "sha256");
    const char *dtype = rp_json_text(other->json, "dtype", NULL);
    struct rp_samples values = {0};
    char sha256[SHA256_TEXT];
    uint32_t i = 0, different = 0, first = 0;
    if (hashes == NULL || rp_json_type_of(hashes) != RP_JSON_ARRAY ||
        rp_json_count(hashes) != got->count)
        return other_fails(other, "is of another number of inferences", err);
    if (dtype != NULL && got->tensor != NULL && strcmp(dtype, got->tensor->dtype->name) != 0)
        return other_fails(other, "is of another type", err);
    if (got->tensor != NULL && !has_shape(rp_json_member(other->json, "shape"), got->tensor))
        return other_fails(other, "has another shape", err);
    for (const struct rp_json *item = rp_json_first(hashes); item != NULL;
         item = rp_json_next(item), i++) {
        if (rp_json_string(item) == NULL)
            return other_fails(other, "has a SHA-256 that is no text", err);
        hash(sha256, got, i);
        if (strcmp(sha256, rp_json_string(item)) != 0 && different++ == 0)
            first = i;
    }
    if (!read_values(other, got, &values, err))
        return false;
    if (values.count != 0)
        *out = rp_compare_samples(other->arena, got, &values, &other->tolerance);
    out->path = other->path;
    out->different = different;
    out->first = first;
    return true;
}

static bool compare_outputs(struct rp_assessment *assessment, struct other *other,
                            const struct rp_json *root, struct rp_error *err) {
    /* a run on a board may be of several images; outputs of one can be compared */
    const struct rp_json *images = rp_json_member(root, "images");
    if (rp_json_count(images) == 1)
        root = rp_json_first(images);
    const struct rp_json *outputs = rp_json_member(root, "outputs");
    const char *inputs = rp_json_text(root, "inputs", NULL);
    if (outputs == NULL || inputs == NULL || rp_json_type_of(outputs) != RP_JSON_ARRAY)
        return rp_fail(err, RP_E_INPUT,
                       "'%s' is not what --json prints for a run: it has no inputs and outputs",
                       other->path);
    if (strcmp(inputs, assessment->inputs) != 0)
        return rp_fail(err, RP_E_INPUT, "'%s' is of other inputs: %.100s, here: %s", other->path,
                       inputs, assessment->inputs);
    if (rp_json_count(outputs) != assessment->count)
        return rp_fail(err, RP_E_INPUT, "'%s' has %zu outputs, the model has %zu", other->path,
                       rp_json_count(outputs), assessment->count);
    assessment->other = rp_alloc(other->arena, assessment->count, sizeof *assessment->other);
    other->json = rp_json_first(outputs);
    for (; other->json != NULL; other->json = rp_json_next(other->json), other->index++)
        if (!compare_output(other, &assessment->outputs[other->index],
                            &assessment->other[other->index], err))
            return false;
    return true;
}

bool rp_record_compare(struct rp_assessment *assessment, struct rp_arena *arena, const char *path,
                       struct rp_error *err) {
    struct other other = {.arena = arena, .path = path, .tolerance = assessment->tolerance};
    struct rp_json *root = rp_document_read(arena, path, err);
    bool ok = root != NULL && compare_outputs(assessment, &other, root, err);
    rp_json_free(root);
    return ok;
}
