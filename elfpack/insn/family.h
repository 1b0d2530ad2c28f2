/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the architecture that an instruction can belong to, and which of them a core has. */
#ifndef RP_ELFPACK_INSN_FAMILY_H
#define RP_ELFPACK_INSN_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/core.h"

/* Families: what a core needs to run an instruction. */
#define RP_FAMILIES(X)                                                                             \
    X(NONE, "an undefined instruction")                                                            \
    X(V6M, "Armv6-M")                                                                              \
    X(BASE, "Armv7-M or Armv8-M")                                                                  \
    X(V7M, "Armv7-M or Armv8-M Mainline")                                                          \
    X(DSP, "DSP extension")                                                                        \
    X(FP, "floating point")                                                                        \
    X(FP_DP, "floating point in double precision")                                                 \
    X(FPV5, "floating point of FPv5")                                                              \
    X(FP16, "floating point in half precision")                                                    \
    X(V8M, "Armv8-M")                                                                              \
    X(V8M_MAIN, "Armv8-M Mainline")                                                                \
    X(V81M, "Armv8.1-M")                                                                           \
    X(MVE, "vector extension (MVE)")                                                               \
    X(PACBTI, "pointer authentication (PACBTI)")                                                   \
    X(COPROCESSOR, "a coprocessor or custom datapath (CDE)")                                       \
    X(ARM, "Arm state (A32), which no Cortex-M has")                                               \
    X(OUTSIDE, "a branch that leads out of the image")

enum rp_family {
#define X(name, text) RP_FAMILY_##name,
    RP_FAMILIES(X)
#undef X
        RP_FAMILY_COUNT
};

/* The families that a core has, as bits. */
uint32_t rp_core_families(const struct rp_core *core, bool fpu, bool double_precision);
const char *rp_family_text(enum rp_family family);

#endif
