/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs compared with others: see compare.h. */
#include "cli/tensors/compare.h"

#include <math.h>
#include <string.h>

#include "cli/tensors/value.h"

/* Share of the samples for which both say the same class. */
static double agreement(const struct rp_samples *got, const struct rp_samples *want) {
    struct rp_scores a = rp_scores_of(got), b = rp_scores_of(want);
    uint64_t same = 0;
    if (a.width == 1 || a.count != got->count)
        return NAN;
    for (uint64_t i = 0; i < a.count; i++)
        same += rp_scores_class(&a, i) == rp_scores_class(&b, i);
    return (double)same / (double)a.count;
}

/* Are the distance of two values, and their reference, such that one may be taken for the other? */
static bool is_near(double distance, double reference, const struct rp_tolerance *tolerance) {
    /* the same infinity has distance 0 */
    double relative = isfinite(reference) ? tolerance->relative * fabs(reference) : 0;
    return isfinite(distance) && distance <= tolerance->absolute + relative;
}

/*
 * Does a value of the tensor stand for the real number that was quantised to it? It is half a step
 * away at most, but the largest and smallest one are what all numbers beyond them are quantised to.
 * One step is accepted there: a probability of 1 is 255/256.
 */
static bool stands_for(const struct rp_tensor *tensor, double distance) {
    return distance <= 1.01 * tensor->scale; /* the reference may be of rounded floats */
}

/* Inferences that are not the same, and values of them that are further away than allowed. */
static void compare_inferences(struct rp_compared *out, struct rp_arena *arena,
                               const struct rp_samples *got, const bool *same, const bool *near) {
    size_t count = got->bytes.size / got->count / got->tensor->dtype->size_bytes;
    bool *far = rp_alloc(arena, got->count, sizeof *far);
    for (uint32_t i = got->count; i-- > 0;) {
        bool differs = false;
        for (size_t k = i * count; k < (i + 1) * count; k++) {
            differs = differs || !same[k];
            out->beyond += !same[k] && !near[k];
            far[i] = far[i] || (!same[k] && !near[k]);
        }
        out->different += differs;
        out->first = differs ? i : out->first;
    }
    out->far = far;
}

struct rp_compared rp_compare_samples(struct rp_arena *arena, const struct rp_samples *got,
                                      const struct rp_samples *want,
                                      const struct rp_tolerance *tolerance) {
    const struct rp_tensor *tensor = got->tensor;
    size_t step = tensor->dtype->size_bytes, count = got->bytes.size / step;
    struct rp_compared out = {.path = want->path, .has_values = true, .real = want->real != NULL};
    double *reference = rp_alloc(arena, count, sizeof *reference);
    double *output = rp_alloc(arena, count, sizeof *output);
    bool *near = rp_alloc(arena, count, sizeof *near), *same = rp_alloc(arena, count, sizeof *same);
    const struct rp_tolerance allowed = {
        tolerance->absolute, out.real || tensor->dtype->is_float ? tolerance->relative : 0};
    for (size_t i = 0; i < count; i++) {
        const uint8_t *a = got->bytes.data + i * step, *b = want->bytes.data + i * step;
        output[i] = rp_value_real(tensor, a);
        reference[i] = out.real ? want->real[i] : rp_value_real(tensor, b);
        double distance = out.real ? rp_distance(output[i], reference[i])
                                   : rp_value_distance(tensor->dtype, a, b);
        out.largest = fmax(out.largest, distance);
        near[i] = is_near(distance, reference[i], &allowed);
        same[i] = memcmp(a, b, step) == 0 && (!out.real || stands_for(tensor, distance));
    }
    rp_closeness_of(&out.figures, reference, output, count);
    out.agreement = agreement(got, want);
    compare_inferences(&out, arena, got, same, near);
    return out;
}
