/* SPDX-License-Identifier: Apache-2.0 */
/* The cores that images are made for: see cores.def. */
#ifndef RP_BASE_CORE_H
#define RP_BASE_CORE_H

#include <stdint.h>

/* Armv6-M is part of all others; each Armv7 and Armv8 profile includes its predecessors. */
enum rp_arch { RP_V6M, RP_V7M, RP_V7EM, RP_V8M_BASE, RP_V8M_MAIN, RP_V81M_MAIN };
enum rp_core_fp { RP_FP_NONE, RP_FP_FPV4, RP_FP_FPV5 };

struct rp_core {
    uint32_t part;            /* of CPUID, enum reloc_cpuid */
    const char *name;         /* "M0PLUS" */
    const char *label;        /* "M0+", for people */
    const char *cpu;          /* "cortex-m0plus" */
    const char *compiled_for; /* -mcpu */
    enum rp_arch arch;
    enum rp_core_fp fp;
};

enum rp_core_id {
#define X(id, part, name, label, cpu, compiled_for, arch, fp) RP_CORE_##id,
#include "base/cores.def"
#undef X
    RP_CORES
};
extern const struct rp_core rp_cores[RP_CORES];

/* The core with this part number, or NULL. */
const struct rp_core *rp_core_of_part(uint32_t part);
/* "M0+" for a board's core "M0PLUS"; an unknown name is returned unchanged. */
const char *rp_core_label(const char *name);

#endif
