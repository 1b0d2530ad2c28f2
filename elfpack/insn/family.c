/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the architecture that cores have: see family.h. */
#include "elfpack/insn/family.h"

#define BIT(family) (UINT32_C(1) << (family))

uint32_t rp_core_families(const struct rp_core *core, bool fpu, bool double_precision) {
    const uint32_t v6 = BIT(RP_FAMILY_V6M), v8_base = v6 | BIT(RP_FAMILY_BASE) | BIT(RP_FAMILY_V8M);
    uint32_t all = v6 | BIT(RP_FAMILY_BASE) | BIT(RP_FAMILY_V7M);
    if (core->arch == RP_V6M)
        return v6;
    if (core->arch == RP_V8M_BASE)
        return v8_base;
    if (core->arch != RP_V7M)
        all |= BIT(RP_FAMILY_DSP);
    if (fpu)
        all |= BIT(RP_FAMILY_FP);
    if (fpu && core->fp == RP_FP_FPV5)
        all |= BIT(RP_FAMILY_FPV5);
    if (fpu && double_precision)
        all |= BIT(RP_FAMILY_FP_DP);
    if (core->arch >= RP_V8M_MAIN)
        all |= v8_base | BIT(RP_FAMILY_V8M_MAIN);
    if (core->arch == RP_V81M_MAIN)
        all |= BIT(RP_FAMILY_V81M) | BIT(RP_FAMILY_MVE) | BIT(RP_FAMILY_FP16);
    return all;
}

const char *rp_family_text(enum rp_family family) {
    static const char *const texts[] = {
#define X(name, text) text,
        RP_FAMILIES(X)
#undef X
    };
    return texts[family];
}
