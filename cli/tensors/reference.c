/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs and outputs that another framework has computed: see reference.h. */
#include "cli/tensors/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"

enum { VECTORS_MAX = 1000 };
static const char SET[] = "test_data_set_";

/* ---- which files there are ---- */

/* The number N of "input_N.pb" or "input_N.npy"; -1: it is no such name. */
static long number_of(const char *name, const char *kind) {
    size_t len = strlen(kind);
    char *end;
    if (strncmp(name, kind, len) != 0 || name[len] != '_' || name[len + 1] < '0' ||
        name[len + 1] > '9')
        return -1;
    long number = strtol(name + len + 1, &end, 10);
    bool is_plain = name[len + 1] != '0' || end == name + len + 2; /* not input_00 */
    return is_plain && (strcmp(end, ".pb") == 0 || strcmp(end, ".npy") == 0) ? number : -1;
}

/* Finds input_0, input_1, … in the folder of a set: each once, and none left out. */
static bool find_vectors(struct rp_strings *out, struct rp_arena *arena, const char *dir,
                         const char *kind, struct rp_error *err) {
    const char *found[VECTORS_MAX] = {NULL};
    struct rp_strings names = {0};
    size_t count = 0;
    if (!rp_list_dir(arena, dir, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        long number = number_of(names.items[i], kind);
        if (number < 0)
            continue;
        if (number >= VECTORS_MAX)
            return rp_fail(err, RP_E_INPUT, "'%s': '%s' is one of more than %d vectors", dir,
                           names.items[i], VECTORS_MAX);
        if (found[number] != NULL)
            return rp_fail(err, RP_E_INPUT, "'%s' has both '%s' and '%s'", dir, found[number],
                           names.items[i]);
        found[number] = names.items[i];
        count = (size_t)number >= count ? (size_t)number + 1 : count;
    }
    for (size_t i = 0; i < count; i++) {
        if (found[i] == NULL)
            return rp_fail(err, RP_E_INPUT, "'%s' has '%s', but no %s_%zu", dir, found[count - 1],
                           kind, i);
        rp_strings_push(arena, out, rp_path_join(arena, dir, found[i]));
    }
    return true;
}

/* Adds a folder that is a set; one without vectors is none. */
static bool add_set(struct rp_reference *reference, struct rp_arena *arena, const char *dir,
                    struct rp_error *err) {
    struct rp_reference_set set = {.dir = dir};
    for (size_t k = 0; k < 2; k++)
        if (!find_vectors(&set.files[k], arena, dir, reference->vectors[k].kind, err))
            return false;
    if (set.files[0].count == 0 && set.files[1].count == 0)
        return true;
    for (size_t k = 0; k < 2; k++) {
        struct rp_vectors *vectors = &reference->vectors[k];
        if (set.files[k].count == 0 && k == 1) /* a model of constants has no inputs */
            return rp_fail(err, RP_E_INPUT, "'%s' has no %s_0.pb or %s_0.npy", dir, vectors->kind,
                           vectors->kind);
        if (reference->sets.count == 0)
            vectors->count = set.files[k].count;
        if (vectors->count != set.files[k].count)
            return rp_fail(err, RP_E_INPUT, "'%s' has %zu %ss, '%s' has %zu",
                           reference->sets.items[0].dir, vectors->count, vectors->kind, dir,
                           set.files[k].count);
    }
    *RP_PUSH(arena, &reference->sets) = set;
    return true;
}

/* test_data_set_2 before test_data_set_10 */
static int by_number(const void *a, const void *b) {
    const char *const *x = a;
    const char *const *y = b;
    size_t x_len = strlen(*x), y_len = strlen(*y);
    return x_len != y_len ? (x_len < y_len ? -1 : 1) : strcmp(*x, *y);
}

static bool find_sets(struct rp_reference *reference, struct rp_arena *arena, const char *dir,
                      struct rp_error *err) {
    struct rp_strings names = {0};
    if (!rp_list_dir(arena, dir, &names, err))
        return false;
    if (names.count != 0)
        qsort(names.items, names.count, sizeof *names.items, by_number);
    for (size_t i = 0; i < names.count; i++) {
        const char *set = rp_path_join(arena, dir, names.items[i]);
        if (!rp_has_prefix(names.items[i], SET) || rp_path_is_file(set)) /* test_data_set_0.zip */
            continue;
        if (!rp_path_is_dir(set)) /* a link that leads nowhere: a set that has been forgotten */
            return rp_fail(err, RP_E_INPUT, "'%s' leads to no folder", set);
        size_t before = reference->sets.count;
        if (!add_set(reference, arena, set, err))
            return false;
        if (reference->sets.count == before)
            return rp_fail(err, RP_E_INPUT, "'%s' has no vectors: input_0.pb, output_0.pb", set);
    }
    return true;
}

bool rp_reference_find(struct rp_reference *reference, struct rp_arena *arena, const char *path,
                       struct rp_error *err) {
    bool is_folder = rp_path_is_dir(path);
    const char *dir = is_folder ? path : rp_path_dir(arena, path);
    *reference = (struct rp_reference){.path = path,
                                       .vectors = {{.kind = "input"}, {.kind = "output"}},
                                       .tolerance = {RP_REFERENCE_ATOL, RP_REFERENCE_RTOL}};
    if (!is_folder && !rp_pairing_names(reference->vectors, arena, path, err))
        return false;
    if (is_folder && !add_set(reference, arena, dir, err))
        return false;
    if (reference->sets.count != 0)
        return true;
    if (!find_sets(reference, arena, dir, err))
        return false;
    if (reference->sets.count != 0)
        return true;
    rp_fail(err, RP_E_INPUT, "--reference '%s': no test vectors: '%s' has no folder %s0%s", path,
            dir, SET, is_folder ? ", and no input_0.pb or input_0.npy" : "");
    return rp_hint(err, "save inputs and outputs of the original model, for example by "
                        "numpy.save, as input_0.npy and output_0.npy, and name their folder");
}

/* ---- values ---- */

/*
 * Reads one vector of all sets for out->tensor, one after the other. set->inferences is set, or has
 * to be right.
 */
static bool read_vector(const struct rp_reference *reference, struct rp_arena *arena,
                        const size_t place[2], struct rp_samples *out, struct rp_error *err) {
    struct rp_buf bytes = {.arena = arena}, real = {.arena = arena};
    const struct rp_tensor *tensor = out->tensor;
    out->path = reference->path;
    for (size_t i = 0; i < reference->sets.count; i++) {
        struct rp_reference_set *set = &reference->sets.items[i];
        const char *file = set->files[place[0]].items[place[1]];
        struct rp_samples one;
        if (!rp_tensor_read(arena, file, tensor, &one, err))
            return false;
        if (set->inferences != 0 && set->inferences != one.count)
            return rp_fail(err, RP_E_INPUT, "'%s' holds %u inferences, '%s' %u", file, one.count,
                           set->files[set->files[0].count == 0].items[0], set->inferences);
        if (i != 0 && (one.real != NULL) != (real.len != 0))
            return rp_fail(err, RP_E_INPUT,
                           "of '%s' and '%s', one has real numbers and one has values as stored",
                           reference->sets.items[0].files[place[0]].items[place[1]], file);
        set->inferences = one.count;
        out->count += one.count;
        rp_buf_append(&bytes, one.bytes.data, one.bytes.size);
        if (tensor != NULL && one.real != NULL)
            rp_buf_append(&real, one.real,
                          one.bytes.size / tensor->dtype->size_bytes * sizeof *one.real);
    }
    out->bytes = (struct rp_bytes){(const uint8_t *)rp_buf_text(&bytes), bytes.len};
    if (real.len != 0) { /* copied: a buffer of text is not aligned for numbers */
        double *numbers = rp_alloc(arena, real.len / sizeof *numbers, sizeof *numbers);
        memcpy(numbers, real.data, real.len);
        out->real = numbers;
    }
    return true;
}

struct rp_samples *rp_reference_inputs(struct rp_reference *reference, struct rp_arena *arena,
                                       const struct rp_tensors *tensors, struct rp_error *err) {
    struct rp_vectors *vectors = &reference->vectors[0];
    if (!rp_pairing_of(vectors, arena, &reference->sets.items[0].files[0], tensors, err))
        return NULL;
    struct rp_samples *samples = rp_alloc(arena, vectors->used, sizeof *samples);
    for (size_t i = 0; i < vectors->used; i++) {
        samples[i] = (struct rp_samples){.tensor = i < tensors->count ? &tensors->items[i] : NULL};
        if (!read_vector(reference, arena, (size_t[]){0, vectors->order[i]}, &samples[i], err))
            return NULL;
    }
    return samples;
}

bool rp_reference_compare(struct rp_assessment *assessment, struct rp_arena *arena,
                          struct rp_reference *reference, struct rp_error *err) {
    struct rp_tensors tensors = {0};
    for (size_t i = 0; i < assessment->count; i++) {
        if (assessment->outputs[i].tensor == NULL)
            return rp_fail(err, RP_E_USAGE,
                           "--reference: only the runtime knows the type of output %zu", i);
        *RP_PUSH(arena, &tensors) = *assessment->outputs[i].tensor;
    }
    if (!rp_pairing_of(&reference->vectors[1], arena, &reference->sets.items[0].files[1], &tensors,
                       err))
        return false;
    assessment->against = rp_alloc(arena, assessment->count, sizeof *assessment->against);
    for (size_t i = 0; i < assessment->count; i++) {
        struct rp_samples want = {.tensor = assessment->outputs[i].tensor};
        const size_t vector = reference->vectors[1].order[i];
        if (!read_vector(reference, arena, (size_t[]){1, vector}, &want, err))
            return false;
        if (want.count != assessment->outputs[i].count) /* of a model without inputs */
            return rp_fail(err, RP_E_INPUT, "'%s' holds %u outputs, there are %u inferences",
                           reference->sets.items[0].files[1].items[vector], want.count,
                           assessment->outputs[i].count);
        assessment->against[i] =
            rp_compare_samples(arena, &assessment->outputs[i], &want, &reference->tolerance);
    }
    assessment->reference = reference;
    return true;
}

/* ---- the judgement ---- */

size_t rp_reference_wrong(const struct rp_assessment *assessment, size_t set) {
    const struct rp_reference *reference = assessment->reference;
    uint32_t first = 0;
    for (size_t i = 0; i < set; i++)
        first += reference->sets.items[i].inferences;
    for (size_t i = 0; i < assessment->count; i++)
        for (uint32_t k = 0; k < reference->sets.items[set].inferences; k++)
            if (assessment->against[i].far[first + k])
                return i;
    return assessment->count;
}

bool rp_reference_judge(const struct rp_assessment *assessment, struct rp_error *err) {
    const struct rp_reference *reference = assessment->reference;
    for (size_t i = 0; i < reference->sets.count; i++) {
        size_t output = rp_reference_wrong(assessment, i);
        if (output == assessment->count)
            continue;
        const struct rp_compared *compared = &assessment->against[output];
        const struct rp_samples *got = &assessment->outputs[output];
        size_t file = reference->vectors[1].order[output];
        rp_fail(err, RP_E_VERIFY,
                "output %zu, %s, is not that of '%s': %llu of %llu values are further away than "
                "%g + %g * |reference|, the largest difference is %g",
                output, got->tensor->name, reference->sets.items[i].files[1].items[file],
                (unsigned long long)compared->beyond,
                (unsigned long long)(got->bytes.size / got->tensor->dtype->size_bytes),
                reference->tolerance.absolute,
                compared->real || got->tensor->dtype->is_float ? reference->tolerance.relative : 0,
                compared->largest);
        return compared->real
                   ? rp_hint(err,
                             "a step of this quantised output is %g: --tolerance %g allows one",
                             got->tensor->scale, got->tensor->scale)
                   : rp_hint(err, "--tolerance X allows absolute differences up to X");
    }
    return true;
}
