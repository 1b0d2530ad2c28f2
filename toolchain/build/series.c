/* SPDX-License-Identifier: Apache-2.0 */
/* Device series: see series.h. */
#include "toolchain/build/series.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
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

const struct rp_target rp_target_neural_art = {
    "stm32n6",       "cortex-m55",     "fpv4-sp-d16",     "M55",
    RELOC_CPUID_M55, RELOC_FLOAT_HARD, "single precision"};

static bool matches(const char *full, const char *prefix, const char *name) {
    return strcasecmp(full, name) == 0 || (strncmp(full, prefix, strlen(prefix)) == 0 &&
                                           strcasecmp(full + strlen(prefix), name) == 0);
}

static bool is_word(const char *word, const char *words) {
    size_t len = strlen(word);
    for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " "))
        if (strcspn(words, " ") == len && strncasecmp(words, word, len) == 0)
            return true;
    return false;
}

/* Names that are not a target here: chips with another name, or chips that are not supported. */
static bool hint_other(const char *name, bool is_series, struct rp_error *err) {
    static const struct {
        const char *names;
        const char *core; /* NULL: its instructions are too few */
    } others[] = {{"cortex-m0 cortex-m0plus cortex-m0+ cortex-m1 cortex-m23 m0 m0plus m0+ m1 m23 "
                   "stm32f0 stm32g0 stm32l0 stm32c0 stm32u0 stm32wb0 f0 g0 l0 c0 u0 wb0",
                   NULL},
                  {"stm32f1 stm32f2 stm32l1 f1 f2 l1", "cortex-m3"},
                  {"stm32h5 stm32wba h5 wba", "cortex-m33"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is_word(name, others[i].names))
            return others[i].core != NULL
                       ? rp_hint(err, "its core is known: give --mcu %s", others[i].core)
                       : rp_hint(err, "images are for Armv7-M, Armv8-M Mainline and later: "
                                      "Cortex-M0, M0+, M1 and M23 lack the instructions that "
                                      "position-independent code needs");
    const char *series = ""; /* of "stm32h743zi": the longest that it begins with */
    for (size_t i = 0; is_series && i < TARGET_COUNT; i++) {
        size_t len = strlen(targets[i].series);
        if (len > strlen(series) && targets[i].series[0] == 's' &&
            strncasecmp(name, targets[i].series, len) == 0)
            series = targets[i].series;
    }
    if (series[0] != '\0')
        return rp_hint(err, "give the series of the chip: --target %s", series);
    for (size_t i = 0; i < TARGET_COUNT; i++) {
        bool is_core = rp_has_prefix(targets[i].series, "cortex-");
        if (is_core == is_series && matches(targets[i].series, is_core ? "cortex-" : "stm32", name))
            return rp_hint(err, "that is a %s: give %s %s", is_core ? "core" : "series",
                           is_core ? "--mcu" : "--target", targets[i].series);
    }
    return false;
}

/* A short name is compared with its prefix: "h8" as "stm32h8". */
static void hint_near(const char *name, const char *prefix, const char *known,
                      struct rp_error *err) {
    char full[RP_WORD_BYTES];
    bool is_short = strlen(name) <= 4 && !rp_has_prefix(name, prefix);
    snprintf(full, sizeof full, "%s%s", is_short ? prefix : "", name);
    rp_hint_nearest(err, full, "", known);
}

static bool fail_unknown(const char *what, const char *name, const char *prefix,
                         struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf list = {.arena = &arena};
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strncmp(targets[i].series, prefix, strlen(prefix)) == 0)
            rp_buf_printf(&list, " %s", targets[i].series);
    rp_fail(err, RP_E_USAGE, "%s '%s' is not known; there are:%s", what, name, list.data);
    hint_other(name, prefix[0] == 's', err);
    hint_near(name, prefix, list.data, err);
    rp_hint(err, "relocpack targets shows their cores and flags");
    rp_arena_release(&arena);
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
