/* SPDX-License-Identifier: Apache-2.0 */
/* How close numbers are to a reference: see figures.h. */
#include "cli/tensors/figures.h"

#include <math.h>

/* A sum and what rounding has taken from it (Neumaier). */
struct sum {
    double total, lost;
};

static void add(struct sum *sum, double value) {
    double total = sum->total + value;
    sum->lost += fabs(sum->total) >= fabs(value) ? (sum->total - total) + value
                                                 : (value - total) + sum->total;
    sum->total = total;
}

static double sum_of(const struct sum *sum) {
    return sum->total + sum->lost;
}

/* Both numbers of a pair that counts as 0. */
static int is_void(double a, double b) {
    return (isnan(a) && isnan(b)) || (a == b && isinf(a));
}

static double ratio(double value, double by) {
    return by > 0 ? value / by : NAN;
}

/* Sum of the squares of the distances from the mean: of the reference, and of the error. */
static void spread(const double *reference, const double *output, size_t count,
                   const double means[2], double out[2]) {
    struct sum sums[2] = {{0}};
    for (size_t i = 0; i < count; i++) {
        int skip = is_void(reference[i], output[i]);
        double from_reference = (skip ? 0 : reference[i]) - means[0];
        double from_error = (skip ? 0 : reference[i] - output[i]) - means[1];
        add(&sums[0], from_reference * from_reference);
        add(&sums[1], from_error * from_error);
    }
    out[0] = sum_of(&sums[0]);
    out[1] = sum_of(&sums[1]);
}

void rp_closeness_of(struct rp_closeness *out, const double *reference, const double *output,
                     size_t count) {
    struct sum errors = {0}, absolute = {0}, squares = {0}, references = {0};
    struct sum reference_squares = {0}, output_squares = {0}, products = {0};
    double n = (double)count, spreads[2];
    for (size_t i = 0; i < count; i++) {
        if (is_void(reference[i], output[i]))
            continue;
        double error = reference[i] - output[i];
        add(&errors, error);
        add(&absolute, fabs(error));
        add(&squares, error * error);
        add(&references, reference[i]);
        add(&reference_squares, reference[i] * reference[i]);
        add(&output_squares, output[i] * output[i]);
        add(&products, reference[i] * output[i]);
    }
    const double means[2] = {ratio(sum_of(&references), n), ratio(sum_of(&errors), n)};
    double norms = sqrt(sum_of(&reference_squares)) * sqrt(sum_of(&output_squares));
    double cosine = ratio(sum_of(&products), norms);
    spread(reference, output, count, means, spreads);
    *out = (struct rp_closeness){
        .rmse = sqrt(ratio(sum_of(&squares), n)),
        .mae = ratio(sum_of(&absolute), n),
        .l2r = sqrt(ratio(sum_of(&squares), sum_of(&output_squares))),
        .mean = means[1],
        .std = sqrt(ratio(spreads[1], n - 1)),
        .nse = 1 - ratio(sum_of(&squares) / n, ratio(spreads[0], n - 1)),
        .cos = fabs(cosine) > 1 ? copysign(1, cosine) : cosine,
    };
}
