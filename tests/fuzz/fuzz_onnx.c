/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target of toolchain/graph (ONNX, protobuf): any bytes give a complete graph or an error. */
#include "tests/fuzz/fuzz_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    require_graph(data, size);
    return 0;
}
