/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How close numbers are to a reference, in the figures of the vendor's `validate` command. Source
 * of the names: ST Edge AI Core, "Evaluation report and metrics"; of what they are exactly:
 * published reports of that command, which agree with these formulas. Pure.
 */
#ifndef RP_CLI_TENSORS_FIGURES_H
#define RP_CLI_TENSORS_FIGURES_H

#include <stddef.h>

/*
 * The error is reference - output. A figure that is not defined is NaN: std and nse of one number,
 * nse of a constant reference, l2r and cos of zeros.
 */
struct rp_closeness {
    double rmse; /* root of the mean square of the error */
    double mae;  /* mean absolute error */
    double l2r;  /* norm of the error / norm of the output */
    double mean; /* of the error */
    double std;  /* of the error, with N - 1 */
    double
        nse; /* Nash-Sutcliffe: 1 - mean square of the error / variance of the reference (N - 1) */
    double cos; /* cosine of the angle between reference and output */
};

/* X(member): all of them, in the order in which they are shown. */
#define RP_CLOSENESS(X) X(rmse) X(mae) X(l2r) X(mean) X(std) X(nse) X(cos)

/*
 * Where both numbers are NaN, or the same infinity, both count as 0. Sums are compensated, so that
 * millions of small errors are not lost in a large one.
 */
void rp_closeness_of(struct rp_closeness *out, const double *reference, const double *output,
                     size_t count);

#endif
