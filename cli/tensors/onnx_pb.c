/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in files as ONNX writes them: see onnx_pb.h. */
#include "cli/tensors/onnx_pb.h"

#include "toolchain/graph/read.h"

_Static_assert((int)RP_GRAPH_RANK_MAX <= (int)RP_NUMBERS_RANK_MAX, "each tensor's shape has room");

bool rp_onnx_pb_parse(struct rp_arena *arena, const char *path, const struct rp_bytes *bytes,
                      struct rp_numbers *out, struct rp_error *err) {
    static const char *const names[RP_ELEMENTS] = {
        [RP_ELEMENT_FLOAT32] = "float32", [RP_ELEMENT_FLOAT64] = "float64",
        [RP_ELEMENT_INT8] = "int8",       [RP_ELEMENT_UINT8] = "uint8",
        [RP_ELEMENT_INT16] = "int16",     [RP_ELEMENT_UINT16] = "uint16",
        [RP_ELEMENT_INT32] = "int32",     [RP_ELEMENT_UINT32] = "uint32",
        [RP_ELEMENT_INT64] = "int64",     [RP_ELEMENT_UINT64] = "uint64",
        [RP_ELEMENT_BOOL] = "bool"};
    struct rp_graph_tensor tensor;
    if (!rp_graph_read_tensor(&tensor, arena, bytes, path, err))
        return false;
    *out = (struct rp_numbers){.dtype = rp_dtype_find(names[tensor.element]),
                               .data = tensor.data,
                               .count = 1,
                               .rank = tensor.rank,
                               .name = tensor.name};
    for (unsigned i = 0; i < tensor.rank; i++) { /* the size was checked: no product overflows */
        out->shape[i] = (uint64_t)tensor.dims[i];
        out->count *= out->shape[i];
    }
    return true;
}
