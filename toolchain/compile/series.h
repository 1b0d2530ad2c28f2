/* SPDX-License-Identifier: Apache-2.0 */
/* The supported device series, in one table (series.def): core, FPU, compiler flags. */
#ifndef RP_TOOLCHAIN_COMPILE_SERIES_H
#define RP_TOOLCHAIN_COMPILE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/core.h"
#include "base/error.h"

struct rp_target {
    const char *series; /* "stm32h7"; "cortex-m7" for a generic core */
    const struct rp_core *core;
    const char *fpu;      /* -mfpu; NULL = soft float */
    uint32_t float_abi;   /* enum reloc_float_abi */
    const char *fpu_text; /* "double precision" … for people */
    const char *vendor;   /* "ST"; "Arm" for a generic core */
    const char *source;   /* the document that describes it */
};

/* The rows by position, NULL past the end. */
const struct rp_target *rp_target_at(size_t index);
/* stm32n6 as the Neural-ART runtime is built for it: FPU in single precision, no MVE. */
extern const struct rp_target rp_target_neural_art;
/*
 * series: "stm32h7" or "h7", in any case; mcu: "cortex-m7" or "m7". Exactly one is not NULL.
 * Returns NULL + RP_E_USAGE with the list of all.
 */
const struct rp_target *rp_target_find(const char *series, const char *mcu, struct rp_error *err);
/* Armv6-M or Armv8-M Baseline: most instructions have 16 bits, and addresses are aligned. */
bool rp_target_is_baseline(const struct rp_target *target);
/* Appends -mcpu=… -mthumb -mfloat-abi=… -mfpu=…. */
void rp_target_flags(const struct rp_target *target, struct rp_arena *arena,
                     struct rp_strings *flags);

#endif
