/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/dialects/glow_header: any text gives a bundle whose tensors lie in its
 * mutable memory without overlapping, or an error.
 */
#include "tests/fuzz/fuzz.h"

#include "toolchain/dialects/glow_header.h"

static void require_bundle(const struct rp_glow *glow) {
    require(glow->entry != NULL && glow->prefix[0] != '\0' && glow->tensors.count != 0);
    require(glow->align != 0 && (glow->align & (glow->align - 1)) == 0);
    for (size_t i = 0; i < glow->tensors.count; i++) {
        const struct rp_glow_tensor *tensor = &glow->tensors.items[i];
        require(tensor->tensor.name[0] != '\0' && tensor->tensor.rank <= RP_RANK_MAX);
        require(tensor->offset <= glow->mutable_size);
        require(tensor->size <= glow->mutable_size - tensor->offset);
        if (i != 0 && tensor->size != 0 && tensor[-1].size != 0)
            require(tensor[-1].offset + tensor[-1].size <= tensor->offset);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_glow glow;
    const struct rp_glow_text text = {"fuzz.h", (const char *)data, size};
    bool ok = rp_glow_parse(&glow, &arena, &text, &err) && rp_glow_check(&glow, &err);
    require_error(ok, &err);
    if (ok) {
        require_bundle(&glow);
        ok = rp_glow_direct(&glow, &err);
        require_error(ok, &err);
    }
    rp_arena_release(&arena);
    return 0;
}
