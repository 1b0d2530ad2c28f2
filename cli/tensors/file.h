/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors in files: .npy (NumPy), .pb (a tensor of ONNX), .csv and .txt (numbers in text, a sample
 * a line), anything else is raw bytes.
 *
 * What a tensor is, is said by a struct rp_tensor, of which name, dtype, shape, rank and, when they
 * are known, quantised, scale and zero_point are read: those of a model, or filled from what a
 * target reports.
 */
#ifndef RP_CLI_TENSORS_FILE_H
#define RP_CLI_TENSORS_FILE_H

#include "base/buf.h"
#include "base/diagnostic.h"
#include "base/file.h"
#include "cli/tensors/numbers.h"

/* What a tensor holds in several inferences, one after the other. */
struct rp_samples {
    const struct rp_tensor *tensor; /* NULL: only the runtime knows it */
    const char *path;               /* the file that has them, or NULL */
    struct rp_bytes bytes;          /* in the tensor's own type, little-endian */
    uint32_t count;                 /* inferences */
    const double *real; /* a file of real numbers: these, before they were quantised; or NULL */
    const struct rp_dtype *raw; /* in: the type of raw bytes; NULL: the tensor's */
};

/* The numbers of a file. On entry, out->dtype is the type of raw bytes. */
bool rp_numbers_read(struct rp_arena *arena, const char *path, struct rp_numbers *out,
                     struct rp_error *err);
/*
 * Reads the data of a tensor for one inference or several. tensor NULL: raw bytes or an .npy, as
 * one inference. Whole numbers in text are values of the tensor's own type; real numbers, in text
 * or a float .npy, are quantised for an integer tensor whose scale is known (rp_value_quantise).
 * RP_E_INPUT when the file is empty or damaged, when its type or shape does not fit, or a number
 * does not.
 */
bool rp_tensor_read(struct rp_arena *arena, const char *path, const struct rp_tensor *tensor,
                    struct rp_samples *out, struct rp_error *err);
/*
 * The same for what the user gives as an input: out has tensor, path and raw, whose numbers are
 * converted. Also RP_E_INPUT: without raw, raw bytes for a tensor of floats that are hardly floats.
 */
bool rp_input_read(struct rp_arena *arena, struct rp_samples *out, struct rp_error *err);
/*
 * The type of --input-type for these files; NULL, without an error: none was given. RP_E_USAGE: it
 * is not known, or none of the files is raw.
 */
const struct rp_dtype *rp_input_type(const char *name, const struct rp_strings *files,
                                     struct rp_error *err);
/* Notes (RP1078) how raw bytes were divided, when that is not one sample. */
void rp_samples_note(struct rp_arena *arena, const struct rp_samples *samples,
                     struct rp_diagnostics *notes);
/* The same from the bytes of a file: fills the rest of out, which has tensor and path. */
bool rp_tensor_parse(struct rp_arena *arena, const struct rp_bytes *bytes, struct rp_samples *out,
                     struct rp_error *err);
/*
 * The bytes of a file for the samples, in the form that the suffix of path asks for; an .npy has
 * the shape [inferences, the tensor's]. RP_E_USAGE when that needs a tensor and there is none, and
 * for .pb.
 */
bool rp_tensor_format(struct rp_buf *out, const char *path, const struct rp_samples *samples,
                      struct rp_error *err);

#endif
