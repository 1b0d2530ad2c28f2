/* SPDX-License-Identifier: Apache-2.0 */
/* A further check of Neural-ART images: see npu.h. */
#include "cli/pipeline/npu.h"

#include <string.h>

#include "toolchain/npu/plan.h"

bool rp_npu_check_epochs(const struct rp_package *package, struct rp_error *err) {
    const struct rp_npu *npu = rp_npu_of(&package->model);
    const struct rp_layout *layout = &package->placed.layout;
    if (npu == NULL)
        return true;
    uint32_t want =
        (rp_parts_context_word(&layout->parts, RELOC_NPU_CTX_STRUCT_SIZES) >> 8 & 0xFFu) *
        (uint32_t)(npu->aton.epochs.count + 1);
    if (rp_parts_context_word(&layout->parts, RELOC_NPU_CTX_RT_VERSION) < RELOC_NPU_CTX_SINCE)
        return true;
    for (size_t i = 0; i < package->linked.elf.symbol_count; i++) {
        const struct rp_symbol *symbol = &package->linked.elf.symbols[i];
        if (strstr(symbol->name, "ll_atonn_rt_epoch_block_array") != NULL && symbol->size != want)
            return rp_fail(err, RP_E_ENTRY_ABI,
                           "the table of epochs of '%s' has %u bytes, the pack's runtime expects "
                           "%u: they were compiled with other macros",
                           npu->aton.network, symbol->size, want);
    }
    return true;
}
