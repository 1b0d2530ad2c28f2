/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor data from files: raw bytes (.bin), or NumPy's .npy (format versions 1 to 3). */
#ifndef RP_CLI_TENSORS_FILE_H
#define RP_CLI_TENSORS_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "toolchain/model.h"

/*
 * Reads the data of one tensor, or of several, one after the other. tensor may be NULL when only
 * the runtime knows it. RP_E_INPUT when the file is empty, damaged, in Fortran order, big-endian or
 * of another dtype, or when its size is not a multiple of the tensor's.
 */
bool rp_tensor_read(struct rp_arena *arena, const char *path, const struct rp_tensor *tensor,
                    struct rp_bytes *out, struct rp_error *err);

#endif
