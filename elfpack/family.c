/* SPDX-License-Identifier: Apache-2.0 */
/* What cores have: see family.h. */
#include "elfpack/family.h"

#include "runtime/reloc_format.h"

#define BIT(family) (UINT32_C(1) << (family))

uint32_t rp_core_families(uint32_t cpuid, bool fpu, bool double_precision) {
    uint32_t v6 = BIT(RP_FAMILY_V6M), v8_base = v6 | BIT(RP_FAMILY_BASE) | BIT(RP_FAMILY_V8M);
    uint32_t all = v6 | BIT(RP_FAMILY_BASE) | BIT(RP_FAMILY_V7M);
    bool v81 = cpuid == RELOC_CPUID_M52 || cpuid == RELOC_CPUID_M55 || cpuid == RELOC_CPUID_M85;
    if (cpuid == RELOC_CPUID_M0 || cpuid == RELOC_CPUID_M0P)
        return v6;
    if (cpuid == RELOC_CPUID_M23)
        return v8_base;
    if (cpuid != RELOC_CPUID_M3)
        all |= BIT(RP_FAMILY_DSP);
    if (fpu)
        all |= BIT(RP_FAMILY_FP);
    if (fpu && cpuid != RELOC_CPUID_M4)
        all |= BIT(RP_FAMILY_FPV5);
    if (fpu && double_precision)
        all |= BIT(RP_FAMILY_FP_DP);
    if (v81 || cpuid == RELOC_CPUID_M33)
        all |= v8_base | BIT(RP_FAMILY_V8M_MAIN);
    if (v81)
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
