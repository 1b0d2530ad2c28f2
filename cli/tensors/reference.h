/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs of a model, and what another framework computed from them: the data sets that ONNX models
 * come with, or files of any framework. A set is a folder with input_0, input_1, … and output_0, …,
 * each as .pb (onnx_pb.h) or .npy. Vectors and the model's tensors are paired by name where they
 * have the same names, otherwise by position; shapes and types have to fit in any case.
 */
#ifndef RP_CLI_TENSORS_REFERENCE_H
#define RP_CLI_TENSORS_REFERENCE_H

#include "cli/tensors/compare.h"
#include "cli/tensors/pairing.h"

/* ONNX's own runner of tests has these. Source: onnx/backend/test/runner of ONNX. */
#define RP_REFERENCE_RTOL 1e-3
#define RP_REFERENCE_ATOL 1e-7

struct rp_reference_set {
    const char *dir;
    struct rp_strings files[2]; /* inputs, outputs */
    uint32_t inferences;        /* in each file */
};

struct rp_reference {
    const char *path;
    struct rp_vectors vectors[2]; /* inputs, outputs */
    struct {
        struct rp_reference_set *items;
        size_t count;
        size_t capacity;
    } sets;
    struct rp_tolerance tolerance;
};

/*
 * Finds the data sets of path: a model file (.onnx) with folders test_data_set_0, … beside it, a
 * folder that has such folders, or one that is a set itself. RP_E_INPUT when there is none, when a
 * vector is missing, is there twice, or sets have different numbers of them; or when the model's
 * inputs or outputs are no tensors.
 */
bool rp_reference_find(struct rp_reference *reference, struct rp_arena *arena, const char *path,
                       struct rp_error *err);
/*
 * Reads the inputs of all sets: one rp_samples for each tensor, or for each vector when the tensors
 * are not known (none); vectors[0].used of them. NULL and RP_E_INPUT when vectors and tensors do
 * not fit together.
 */
struct rp_samples *rp_reference_inputs(struct rp_reference *reference, struct rp_arena *arena,
                                       const struct rp_tensors *tensors, struct rp_error *err);
/* Compares the assessment's outputs with the vectors: fills assessment->against. */
bool rp_reference_compare(struct rp_assessment *assessment, struct rp_arena *arena,
                          struct rp_reference *reference, struct rp_error *err);
/* The first output of a set that has values further away than allowed, or assessment->count. */
size_t rp_reference_wrong(const struct rp_assessment *assessment, size_t set);
/* Fails with RP_E_VERIFY when a set has one; the text names set, output and figures. */
bool rp_reference_judge(const struct rp_assessment *assessment, struct rp_error *err);

#endif
