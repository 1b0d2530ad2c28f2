/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/graph (TFLite, FlatBuffers): any bytes, with the identifier put in, give
 * a complete graph or an error.
 */
#include "tests/fuzz/fuzz_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + 1);
    require(copy != NULL);
    if (size != 0)
        memcpy(copy, data, size);
    if (size >= 8)
        memcpy(copy + 4, "TFL3", 4);
    require_graph(copy, size);
    free(copy);
    return 0;
}
