/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of Neural-ART images: see npu.h. */
#include "cli/pipeline/npu.h"

#include <string.h>

#include "toolchain/npu/plan.h"

/*
 * Was the table of epochs compiled with the struct that the pack's runtime expects? Macros change
 * that struct. The context of LL_ATON 1.1.0 does not give its size.
 */
static bool check_epochs(const struct rp_package *package, struct rp_error *err) {
    const struct rp_npu *npu = rp_npu_of(&package->model);
    const struct rp_layout *layout = &package->placed.layout;
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

static size_t own_words(struct rp_own_word *own, const struct rp_package *package,
                        const uint8_t *bytes, const struct rp_image_result *result) {
    uint32_t ctx = rp_parts_context(&package->placed.layout.parts);
    (void)bytes;
    own[0] = (struct rp_own_word){ctx + (uint32_t)RELOC_NPU_CTX_PARAMS_BIN_SIZE,
                                  (uint32_t)rp_weights_size(&package->placed.weights)};
    own[1] =
        (struct rp_own_word){ctx + (uint32_t)RELOC_NPU_CTX_PARAMS_BIN_CRC32, result->params_crc32};
    return 2;
}

const struct rp_package_format rp_package_neural_art = {.check_linked = check_epochs,
                                                        .own_words = own_words};
