/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in files as ONNX writes them: a TensorProto, such as input_0.pb of a model's test data.
 */
#ifndef RP_CLI_TENSORS_ONNX_PB_H
#define RP_CLI_TENSORS_ONNX_PB_H

#include "base/file.h"
#include "cli/tensors/numbers.h"

/*
 * Reads the bytes of a file; path is for messages. The numbers may borrow the bytes. float16 and
 * bfloat16 become float32. RP_E_INPUT when it is no whole tensor, its values are in another file,
 * or its type is none of rp_dtype.
 */
bool rp_onnx_pb_parse(struct rp_arena *arena, const char *path, const struct rp_bytes *bytes,
                      struct rp_numbers *out, struct rp_error *err);

#endif
