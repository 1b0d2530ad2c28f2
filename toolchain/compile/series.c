/* SPDX-License-Identifier: Apache-2.0 */
/* Device series: see series.h. */
#include "toolchain/compile/series.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "runtime/format/reloc_format.h"

#define CORE(id) &rp_cores[RP_CORE_##id]
#define M0       CORE(M0), NULL, RELOC_FLOAT_SOFT, "none"
#define M0P      CORE(M0P), NULL, RELOC_FLOAT_SOFT, "none"
#define M23      CORE(M23), NULL, RELOC_FLOAT_SOFT, "none"
#define M3       CORE(M3), NULL, RELOC_FLOAT_SOFT, "none"
#define M4F      CORE(M4), "fpv4-sp-d16", RELOC_FLOAT_HARD, "single precision"
#define M7F      CORE(M7), "fpv5-sp-d16", RELOC_FLOAT_HARD, "single precision"
#define M7D      CORE(M7), "fpv5-d16", RELOC_FLOAT_HARD, "double precision"
#define M33F     CORE(M33), "fpv5-sp-d16", RELOC_FLOAT_HARD, "single precision"
#define M52F     CORE(M52), "auto", RELOC_FLOAT_HARD, "double precision, MVE"
#define M55F     CORE(M55), "auto", RELOC_FLOAT_HARD, "double precision, MVE"
#define M85F     CORE(M85), "auto", RELOC_FLOAT_HARD, "double precision, MVE"

#define SERIES(vendor, name, core, document) {(name), core, (vendor), (document)},

static const struct rp_target targets[] = {
#include "toolchain/compile/series.def"
};
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

const struct rp_target *rp_target_at(size_t index) {
    return index < TARGET_COUNT ? &targets[index] : NULL;
}

const struct rp_target rp_target_neural_art = {
    "stm32n6", CORE(M55), "fpv4-sp-d16", RELOC_FLOAT_HARD, "single precision", "ST", "DS14791"};

/* The loader compares these. */
#define X(id, part, name, label, cpu, compiled_for, arch, fp)                                      \
    _Static_assert((part) == RELOC_CPUID_##id, "the part number of a core");
#include "base/cores.def"
#undef X

static bool matches(const char *full, const char *prefix, const char *name) {
    return strcasecmp(full, name) == 0 || (strncmp(full, prefix, strlen(prefix)) == 0 &&
                                           strcasecmp(full + strlen(prefix), name) == 0);
}

/* Is it one of the words, in any case? */
static bool is_word(const char *word, const char *words) {
    size_t len = strlen(word);
    for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " "))
        if (strcspn(words, " ") == len && strncasecmp(words, word, len) == 0)
            return true;
    return false;
}

static bool is_core(const struct rp_target *target) {
    return rp_has_prefix(target->series, "cortex-");
}

/* Hints for names that are not targets: other names of chips, or unsupported chips. */
static bool hint_other(const char *name, struct rp_error *err) {
    static const struct {
        const char *names;
        const char *hint;
    } others[] = {
        {"cortex-m0+ m0+", "give --mcu cortex-m0plus"},
        {"psoc4", "its core is a Cortex-M0 or M0+, by the part: give --mcu cortex-m0 or "
                  "cortex-m0plus"},
        {"cortex-m1 m1", "its core is not supported; code for it is that of a Cortex-M0"},
        {"nrf5340net nrf5340_net nrf5340_cpunet nrf5340_network lpc55s69_cpu1 mcxn947_cpu1",
         "its core is a Cortex-M33 without FPU and DSP instructions, which is not supported"},
        {"nrf52 nrf52805 nrf52810 nrf52811 nrf52820",
         "nrf52832, nrf52833 and nrf52840 are known; the other nRF52 parts have no FPU: give --mcu "
         "cortex-m3 and load with AI_RELOC_CPUID_SUPERSET"},
        {"alif e1 e3 e5 e7 ensemble-e1 ensemble-e3 ensemble-e5 ensemble-e7",
         "give the series of the chip: --target ensemble"},
        {"stm32f1 stm32f2 stm32l1 f1 f2 l1", "its core is known: give --mcu cortex-m3"}};
    if (strncasecmp(name, "cortex-", 7) == 0 && strncasecmp(name, "cortex-m", 8) != 0)
        return rp_hint(err, "images are for Cortex-M cores: relocpack targets lists them");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is_word(name, others[i].names))
            return rp_hint(err, "%s", others[i].hint);
    return false;
}

/* The series that a chip's name begins with ("stm32h743zi"), or the option that takes the name. */
static bool hint_target(const char *name, bool is_series, struct rp_error *err) {
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *series = "";                              /* the longest */
    bool is_chip = strspn(name, letters) == strlen(name); /* "imxrt1170_cm4" names another core */
    for (size_t i = 0; is_series && is_chip && i < TARGET_COUNT; i++) {
        size_t len = strlen(targets[i].series);
        if (len > strlen(series) && !is_core(&targets[i]) &&
            strncasecmp(name, targets[i].series, len) == 0)
            series = targets[i].series;
    }
    if (series[0] != '\0')
        return rp_hint(err, "give the series of the chip: --target %s", series);
    for (size_t i = 0; i < TARGET_COUNT; i++) {
        bool core = is_core(&targets[i]);
        if (core == is_series && matches(targets[i].series, core ? "cortex-" : "stm32", name))
            return rp_hint(err, "that is a %s: give %s %s", core ? "core" : "series",
                           core ? "--mcu" : "--target", targets[i].series);
    }
    return false;
}

/* Hints at series that begin with the name: "ra6". */
static void hint_longer(const char *name, const char *known, struct rp_arena *arena,
                        struct rp_error *err) {
    struct rp_buf list = {.arena = arena};
    size_t len = strlen(name), count = 0;
    for (size_t width; *(known += strspn(known, " ")) != '\0'; known += width) {
        width = strcspn(known, " ");
        if (width > len && strncasecmp(known, name, len) == 0)
            rp_buf_printf(&list, "%s%.*s", count++ == 0 ? "" : " or ", (int)width, known);
    }
    if (count != 0 && len >= 3)
        rp_hint(err, "did you mean %s?", list.data);
}

/* A short name is compared with its prefix, too, if its first letter is right: "h8", "m5". */
static void hint_near(const char *name, const char *prefix, const char *known,
                      struct rp_error *err) {
    char full[RP_WORD_BYTES], found[RP_WORD_BYTES];
    size_t len = strlen(prefix) + 1;
    snprintf(full, sizeof full, "%s%s", prefix, name);
    char few[3][RP_WORD_BYTES];
    if (strlen(name) <= 4 && rp_nearest(found, full, known) && strncasecmp(found, full, len) == 0)
        rp_hint(err, "did you mean %s?", found);
    size_t count = rp_nearest_few(few, 3, name, known);
    if (count != 0)
        rp_hint(err, "did you mean %s%s%s%s%s? relocpack targets lists all", few[0],
                count == 3   ? ", "
                : count == 2 ? " or "
                             : "",
                count > 1 ? few[1] : "", count == 3 ? " or " : "", count == 3 ? few[2] : "");
}

static bool fail_unknown(const char *option, const char *name, bool is_series,
                         struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf list = {.arena = &arena};
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (is_core(&targets[i]) != is_series)
            rp_buf_printf(&list, " %s", targets[i].series);
    rp_fail(err, RP_E_USAGE, "unknown %s '%s'", option, name);
    hint_other(name, err);
    hint_target(name, is_series, err);
    hint_longer(name, list.data, &arena, err);
    hint_near(name, is_series ? "stm32" : "cortex-", list.data, err);
    rp_hint(err,
            "%srelocpack targets shows all, with their cores and flags, and the parts that "
            "--device takes",
            is_series ? "for any other chip, give its core: --mcu cortex-m4; " : "");
    rp_arena_release(&arena);
    return false;
}

const struct rp_target *rp_target_find(const char *series, const char *mcu, struct rp_error *err) {
    bool is_series = series != NULL;
    const char *name = is_series ? series : mcu;
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (is_core(&targets[i]) != is_series &&
            matches(targets[i].series, is_series ? "stm32" : "cortex-", name))
            return &targets[i];
    fail_unknown(is_series ? "--target" : "--mcu", name, is_series, err);
    return NULL;
}

bool rp_target_is_baseline(const struct rp_target *target) {
    return target->core->arch == RP_V6M || target->core->arch == RP_V8M_BASE;
}

void rp_target_flags(const struct rp_target *target, struct rp_arena *arena,
                     struct rp_strings *flags) {
    rp_strings_push(arena, flags, rp_format(arena, "-mcpu=%s", target->core->compiled_for));
    rp_strings_push(arena, flags, "-mthumb");
    rp_strings_push(arena, flags,
                    target->float_abi == RELOC_FLOAT_HARD ? "-mfloat-abi=hard"
                                                          : "-mfloat-abi=soft");
    if (target->fpu != NULL)
        rp_strings_push(arena, flags, rp_format(arena, "-mfpu=%s", target->fpu));
}
