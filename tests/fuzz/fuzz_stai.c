/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/dialects/stai_tensors: any text as source and header gives tensors whose
 * sizes and quantisation can be written in C, or an error.
 */
#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "toolchain/dialects/stai_tensors.h"

static void require_tensors(const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        require(tensor->dtype != NULL && tensor->name[0] != '\0');
        require(tensor->rank != 0 && tensor->rank <= RP_RANK_MAX);
        for (unsigned d = 0; d < tensor->rank; d++)
            require(tensor->shape[d] != 0);
        require(!tensor->quantised || (isfinite(tensor->scale) && tensor->scale > 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_model model = {0};
    const char *text = rp_strndup(&arena, (const char *)data, size);
    const struct rp_stai_text source = {"fuzz.c", text, text, "STAI_N_"};
    bool ok = rp_stai_tensors(&model, &arena, &source, &err);
    require_error(ok, &err);
    if (ok) {
        require_tensors(&model.inputs);
        require_tensors(&model.outputs);
    }
    rp_arena_release(&arena);
    return 0;
}
