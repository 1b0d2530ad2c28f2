/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy files. Source: NumPy's NEP 1, format versions 1 to 3. */
#ifndef RP_CLI_TENSORS_NPY_H
#define RP_CLI_TENSORS_NPY_H

#include "base/buf.h"
#include "base/file.h"
#include "cli/tensors/numbers.h"

/*
 * Reads the bytes of a file; path is for messages. The numbers borrow the bytes. RP_E_INPUT when
 * it is no .npy file, damaged, in Fortran order, big-endian or of another dtype than rp_dtype has,
 * or when its data have another size than its shape says.
 */
bool rp_npy_parse(struct rp_arena *arena, const char *path, const struct rp_bytes *bytes,
                  struct rp_numbers *out, struct rp_error *err);
/* Appends the header, version 1, of an array of shape [count, the tensor's]. */
void rp_npy_header(struct rp_buf *out, const struct rp_tensor *tensor, uint64_t count);

#endif
