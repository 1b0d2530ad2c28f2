/* SPDX-License-Identifier: Apache-2.0 */
/* The supported device series: core, FPU, compiler flags. One table. */
#ifndef RP_TOOLCHAIN_BUILD_SERIES_H
#define RP_TOOLCHAIN_BUILD_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_target {
    const char *series;   /* "stm32h7", or "cortex-m7" for a generic core */
    const char *cpu;      /* -mcpu */
    const char *fpu;      /* -mfpu; NULL = soft float */
    const char *core;     /* "M7": the core that runs it on an emulated board */
    uint32_t cpuid;       /* part number, enum reloc_cpuid */
    uint32_t float_abi;   /* enum reloc_float_abi */
    const char *fpu_text; /* "double precision" … for people */
};

/* Row by position, NULL past the end. */
const struct rp_target *rp_target_at(size_t index);
/* stm32n6 as the Neural-ART runtime is built: the FPU in single precision, no MVE. */
extern const struct rp_target rp_target_neural_art;
/*
 * series: "stm32h7" or "h7", any case; mcu: "cortex-m7" or "m7"; exactly one is not NULL.
 * NULL + RP_E_USAGE with the list of what there is.
 */
const struct rp_target *rp_target_find(const char *series, const char *mcu, struct rp_error *err);
/* Appends -mcpu=… -mthumb -mfloat-abi=… -mfpu=…. */
void rp_target_flags(const struct rp_target *target, struct rp_arena *arena,
                     struct rp_strings *flags);

#endif
