/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target of toolchain/onnx*.c and protobuf.c: any bytes give a whole graph or an error. */
#include "tests/fuzz/fuzz_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    require_graph(data, size);
    return 0;
}
