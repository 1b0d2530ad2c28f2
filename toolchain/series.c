/* SPDX-License-Identifier: Apache-2.0 */
/* Device series: see series.h. */
#include "toolchain/series.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "runtime/reloc_format.h"

#define M4(name)                                                                                   \
    { name, "cortex-m4", "fpv4-sp-d16", "M4", RELOC_CPUID_M4, RELOC_FLOAT_HARD, "single precision" }
#define M33(name)                                                                                  \
    {                                                                                              \
        name, "cortex-m33", "fpv5-sp-d16", "M33", RELOC_CPUID_M33, RELOC_FLOAT_HARD,               \
            "single precision"                                                                     \
    }

static const struct rp_target targets[] = {
    M4("stm32f3"),
    M4("stm32f4"),
    M4("stm32g4"),
    M4("stm32wb"),
    M4("stm32l4"),
    M4("stm32l4r"),
    M33("stm32l5"),
    M33("stm32u3"),
    M33("stm32u5"),
    {"stm32f7", "cortex-m7", "fpv5-sp-d16", "M7", RELOC_CPUID_M7, RELOC_FLOAT_HARD,
     "single precision"},
    {"stm32h7", "cortex-m7", "fpv5-d16", "M7", RELOC_CPUID_M7, RELOC_FLOAT_HARD,
     "double precision"},
    {"stm32n6", "cortex-m55", "auto", "M55", RELOC_CPUID_M55, RELOC_FLOAT_HARD,
     "double precision, MVE"},
    {"cortex-m3", "cortex-m3", NULL, "M3", RELOC_CPUID_M3, RELOC_FLOAT_SOFT, "none"},
    M4("cortex-m4"),
    {"cortex-m7", "cortex-m7", "fpv5-d16", "M7", RELOC_CPUID_M7, RELOC_FLOAT_HARD,
     "double precision"},
    M33("cortex-m33"),
    {"cortex-m55", "cortex-m55", "auto", "M55", RELOC_CPUID_M55, RELOC_FLOAT_HARD,
     "double precision, MVE"},
};
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

const struct rp_target *rp_target_at(size_t index) {
    return index < TARGET_COUNT ? &targets[index] : NULL;
}

const struct rp_target *rp_target_neural_art(void) {
    static const struct rp_target target = {
        "stm32n6",       "cortex-m55",     "fpv4-sp-d16",     "M55",
        RELOC_CPUID_M55, RELOC_FLOAT_HARD, "single precision"};
    return &target;
}

static bool matches(const char *full, const char *prefix, const char *name) {
    return strcasecmp(full, name) == 0 || (strncmp(full, prefix, strlen(prefix)) == 0 &&
                                           strcasecmp(full + strlen(prefix), name) == 0);
}

static bool fail_unknown(const char *what, const char *name, const char *prefix,
                         struct rp_error *err) {
    struct rp_buf list = {0};
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strncmp(targets[i].series, prefix, strlen(prefix)) == 0)
            rp_buf_printf(&list, " %s", targets[i].series);
    rp_fail(err, RP_E_USAGE, "%s '%s' is not known; there are:%s", what, name, list.data);
    rp_buf_release(&list);
    return false;
}

const struct rp_target *rp_target_find(const char *series, const char *mcu, struct rp_error *err) {
    const char *prefix = series != NULL ? "stm32" : "cortex-";
    const char *name = series != NULL ? series : mcu;
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strncmp(targets[i].series, prefix, strlen(prefix)) == 0 &&
            matches(targets[i].series, prefix, name))
            return &targets[i];
    fail_unknown(series != NULL ? "--target" : "--mcu", name, prefix, err);
    return NULL;
}

void rp_target_flags(const struct rp_target *target, struct rp_arena *arena,
                     struct rp_strings *flags) {
    rp_strings_push(arena, flags, rp_format(arena, "-mcpu=%s", target->cpu));
    rp_strings_push(arena, flags, "-mthumb");
    rp_strings_push(arena, flags,
                    target->float_abi == RELOC_FLOAT_HARD ? "-mfloat-abi=hard"
                                                          : "-mfloat-abi=soft");
    if (target->fpu != NULL)
        rp_strings_push(arena, flags, rp_format(arena, "-mfpu=%s", target->fpu));
}
