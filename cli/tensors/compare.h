/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of a model, and what came out when they were compared with others. */
#ifndef RP_CLI_TENSORS_COMPARE_H
#define RP_CLI_TENSORS_COMPARE_H

#include "cli/tensors/classes.h"
#include "cli/tensors/figures.h"

/*
 * How far a value may be from its reference: by absolute + relative * |reference|. Of integers,
 * only absolute counts, unless they are compared as real numbers.
 */
struct rp_tolerance {
    double absolute, relative;
};

/* An output compared with what it should be. */
struct rp_compared {
    const char *path;   /* of the file with what it should be */
    uint32_t different; /* inferences in which a value is not the same; 0: bit-exact */
    uint32_t first;     /* the first of these, from 0 */
    bool has_values;    /* the rest is known */
    bool real;          /* largest is about real numbers, otherwise about values as stored */
    uint64_t beyond;    /* values that are not the same, and further away than allowed */
    const bool *far;    /* for each inference: has it such values? */
    double largest;     /* absolute difference; infinite: a NaN on one side */
    double agreement;   /* share of samples of the same class; NaN: they are not one vector each */
    struct rp_closeness figures; /* of real numbers */
};

struct rp_reference;

struct rp_assessment {
    const char *inputs; /* what the outputs were computed from, as JSON has it: "seed 1" */
    struct rp_samples *outputs;
    size_t count;
    struct rp_compared *expected; /* one for each output; NULL: not asked for */
    struct rp_compared *other;
    struct rp_compared *against;          /* of the reference */
    const struct rp_reference *reference; /* --reference, or NULL */
    struct rp_tolerance tolerance;        /* of expected and other */
    const struct rp_confusion *confusion;
};

/* Compares two tensors of the same type and number of inferences; want may have real numbers. */
struct rp_compared rp_compare_samples(struct rp_arena *arena, const struct rp_samples *got,
                                      const struct rp_samples *want,
                                      const struct rp_tolerance *tolerance);

#endif
