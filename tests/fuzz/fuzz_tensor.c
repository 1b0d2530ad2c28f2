/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of cli/tensors: any bytes, taken for an .npy, a text, raw data or an ONNX tensor,
 * give whole samples or an error. What was read is written and read as the same values again, and
 * is as close to itself as can be. The first byte chooses the tensor and the form.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "cli/tensors/compare.h"
#include "cli/tensors/file.h"
#include "cli/tensors/value.h"

static const char *const dtypes[] = {"float32", "float64", "int8",   "uint8", "int16",
                                     "uint16",  "int32",   "uint32", "int64", "bool"};
static const char *const paths[] = {"x.npy", "x.csv", "x.bin", "x.pb"};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0], WRITTEN = 3, READ = 4 };

/* Text has one NaN, other forms have all of them. */
static void require_same(const struct rp_samples *a, const struct rp_samples *b) {
    const struct rp_dtype *dtype = a->tensor->dtype;
    require(a->count == b->count && a->bytes.size == b->bytes.size);
    for (size_t at = 0; at < a->bytes.size; at += dtype->size_bytes)
        require(rp_value_distance(dtype, a->bytes.data + at, b->bytes.data + at) == 0);
}

static void require_round_trip(struct rp_arena *arena, const struct rp_samples *samples) {
    bool is_bool = strcmp(samples->tensor->dtype->name, "bool") == 0;
    for (size_t i = 0; i < WRITTEN; i++) {
        if (i == 1 && is_bool) /* raw bytes may be more than 0 and 1, text may not */
            continue;
        struct rp_error err = {0};
        struct rp_buf file = {.arena = arena};
        struct rp_samples again = {.tensor = samples->tensor, .path = paths[i]};
        require(rp_tensor_format(&file, paths[i], samples, &err));
        const struct rp_bytes bytes = {(const uint8_t *)rp_buf_text(&file), file.len};
        require(rp_tensor_parse(arena, &bytes, &again, &err));
        require_same(samples, &again);
    }
}

static void require_close(struct rp_arena *arena, const struct rp_samples *samples) {
    struct rp_samples whole = *samples;
    whole.real = NULL;
    struct rp_compared same = rp_compare_samples(arena, &whole, &whole, &(struct rp_tolerance){0});
    require(same.different == 0 && same.largest == 0);
    require(isnan(same.agreement) || same.agreement == 1);
    struct rp_scores scores = rp_scores_of(&whole);
    for (uint64_t i = 0; i < scores.count; i++)
        require(rp_scores_class(&scores, i) < scores.classes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    unsigned choice = size != 0 ? data[0] : 0;
    const struct rp_tensor tensor = {.name = "x",
                                     .dtype = rp_dtype_find(dtypes[choice % DTYPES]),
                                     .shape = {1, 2, choice & 64 ? 3 : 1},
                                     .rank = 3,
                                     .quantised = (choice & 128) != 0,
                                     .scale = 0.125,
                                     .zero_point = -7};
    struct rp_samples samples = {.tensor = &tensor, .path = paths[choice / DTYPES % READ]};
    uint8_t *copy = rp_alloc(&arena, size + 1, 1); /* with the 0 that files have behind them */
    if (size != 0)
        memcpy(copy, data + 1, size - 1);
    const struct rp_bytes bytes = {copy, size != 0 ? size - 1 : 0};
    bool ok = rp_tensor_parse(&arena, &bytes, &samples, &err);
    require_error(ok, &err);
    if (ok) {
        require(samples.count != 0);
        require(samples.bytes.size == samples.count * rp_tensor_bytes(&tensor));
        require_round_trip(&arena, &samples);
        require_close(&arena, &samples);
    }
    rp_arena_release(&arena);
    return 0;
}
