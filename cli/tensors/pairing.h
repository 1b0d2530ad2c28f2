/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which test vector belongs to which tensor of an image. A vector has the name that the model file
 * gives to the input or output at its position; without one, that in the vector's own file. In C,
 * generators call a tensor the same, as an identifier, or with "tensor_" before it.
 */
#ifndef RP_CLI_TENSORS_PAIRING_H
#define RP_CLI_TENSORS_PAIRING_H

#include "base/error.h"
#include "toolchain/model.h"

/* The vectors of one kind, inputs or outputs. */
struct rp_vectors {
    const char *kind;        /* "input" */
    struct rp_strings names; /* that the model file gives them, by position; or none */
    struct rp_strings idle;  /* names in the model file that need no vector: constants, unused */
    size_t count;            /* in each set */
    const size_t *order;     /* the vector of each tensor */
    size_t used;             /* length of order */
};

/*
 * Reads the names of inputs, vectors[0], and outputs, vectors[1], from an ONNX file. RP_E_INPUT
 * when it is none, or one of them is no tensor.
 */
bool rp_pairing_names(struct rp_vectors *vectors, struct rp_arena *arena, const char *path,
                      struct rp_error *err);
/*
 * Fills vectors->order. files: those of a set. Names decide when each tensor has the name of a
 * vector, positions otherwise. tensors none: each vector is taken, by position. RP_E_INPUT when
 * there are more vectors than tensors, or fewer; or when a tensor has the name of a vector at
 * another position, but not all have names.
 */
bool rp_pairing_of(struct rp_vectors *vectors, struct rp_arena *arena,
                   const struct rp_strings *files, const struct rp_tensors *tensors,
                   struct rp_error *err);

#endif
