/* SPDX-License-Identifier: Apache-2.0 */
/* From an opened package to the objects of its units: see compile.h. */
#include "cli/pipeline/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "cli/pipeline/clang.h"
#include "cli/pipeline/r9.h"
#include "cli/pipeline/sources.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/flags.h"
#include "toolchain/compile/headers.h"
#include "toolchain/calls/declared.h"
#include "toolchain/compile/make.h"

/* What the compiler says of itself in an object: "GCC: (Debian …) 12.2.1 20221205". */
static const char *version_in(struct rp_package *package, const struct rp_unit *unit) {
    const bool is_clang = package->build_options.compiler != NULL;
    const char *const mark = is_clang ? "clang version " : "GCC: (", *const end =
                                                                         is_clang ? "" : ") ";
    const char *version = NULL;
    struct rp_elf elf = {.fd = -1};
    if (!rp_elf_open(&elf, package->arena, rp_build_object(&package->build, unit), NULL))
        return NULL;
    const struct rp_section *comment = rp_elf_section(&elf, ".comment");
    if (comment != NULL && comment->contents != NULL) {
        char *text = rp_strndup(package->arena, (const char *)comment->contents, comment->size);
        for (uint32_t i = 0; i < comment->size; i++)
            text[i] = text[i] != '\0' ? text[i] : '\n'; /* a list of strings */
        const char *at = strstr(text, mark);
        at = at != NULL ? strstr(at + strlen(mark), end) : NULL;
        size_t len = at != NULL ? strspn(at + strlen(end), "0123456789.") : 0;
        version = len != 0 ? rp_strndup(package->arena, at + strlen(end), len) : NULL;
    }
    rp_elf_close(&elf);
    return version;
}

/* Only where objects do not say it (-fno-ident) is the compiler asked. */
static bool find_version(struct rp_package *package, struct rp_error *err) {
    const struct rp_units *units = &package->build.units;
    size_t i = 0;
    if (package->compiler_version != NULL)
        return true;
    while (i < units->count && (units->items[i].waits || units->items[i].later))
        i++;
    if (i < units->count)
        package->compiler_version = version_in(package, &units->items[i]);
    if (package->compiler_version == NULL)
        package->compiler_version = rp_build_version(&package->build);
    return rp_build_is_recent(&package->build, package->compiler_version, err);
}

static bool plan_units(struct rp_package *package, bool is_static, struct rp_error *err) {
    struct rp_plan_flags *flags = &package->compiled.flags;
    *flags = (struct rp_plan_flags){.is_static = is_static,
                                    .hands = !is_static && package->decided.hands != NULL,
                                    .rewrites = package->input.copy_only || package->input.compact,
                                    .absolute = !is_static && package->decided.absolute,
                                    .free_r9 = !is_static && rp_package_may_free_r9(package)};
    rp_plan_flags(flags, &package->build, &package->model, &package->input);
    return rp_clang_takes_sources(package, err) && rp_sources_offer(package, err) &&
           package->model.dialect->plan(&package->model, &package->build, flags, err);
}

/* Nobody has preprocessed the sources of folders, so only their compilation misses headers. */
static bool compile(struct rp_package *package, struct rp_error *err) {
    struct rp_error missed = {0};
    if (rp_build_make(&package->build, "objects", &missed))
        return true;
    if (rp_build_lend_arduino(&package->build, "objects", 0))
        return rp_build_make(&package->build, "objects", err);
    *err = missed;
    return false;
}

static struct rp_verdict make_objects(struct rp_package *package, bool is_static,
                                      struct rp_error *err) {
    const bool is_clang = rp_package_convention(package) == RP_CONV_STATIC_BASE;
    bool more = true, patches = false;
    struct rp_verdict verdict = rp_verdict(RP_NEEDS_R9);
    if (!plan_units(package, is_static, err)) {
        if (!package->model.entry.is_missing || !rp_sources_wait(package))
            return rp_verdict(RP_FAILED);
        rp_sources_take_all(package); /* the entry may be in one of them */
        return rp_verdict(RP_NEEDS_SOURCES);
    }
    rp_package_keep_r9(package);
    if (!is_static)
        rp_package_hand(package);
    if (!is_static && !rp_clang_move_constants(package, err))
        return rp_verdict(RP_FAILED);
    while (more)
        if (!compile(package, err) || !rp_sources_need(package, &more, err))
            return rp_verdict(RP_FAILED);
        else if (more && is_clang && !is_static)
            return rp_verdict(RP_NEEDS_SOURCES); /* which constants are moved may change */
    if (is_static || package->options->build.dry_run)
        return rp_verdict(RP_SETTLED);
    if (!rp_declared_check_objects(&package->model, &package->build, err) ||
        !rp_package_take_r9(package, &verdict.units, err) ||
        !rp_clang_has_tables(package, &patches, err))
        return rp_verdict(RP_FAILED);
    if (verdict.units != NULL)
        return verdict;
    return rp_verdict(patches ? RP_NEEDS_PATCHES : RP_SETTLED);
}

/* A unit may be compiled several times, until its image is one that moves. */
static void note_crashes(struct rp_package *package) {
    struct rp_diagnostics *notes = &package->model.notes;
    for (size_t i = 0; i < package->build.units.count; i++) {
        const struct rp_unit *unit = &package->build.units.items[i];
        const char *text = rp_format(package->arena,
                                     "the compiler broke down on '%s': it is compiled without the "
                                     "pass combine (-fdisable-rtl-combine)",
                                     unit->source);
        bool known = !unit->crashed;
        for (size_t k = 0; !known && k < notes->count; k++)
            known = strcmp(notes->items[k].message, text) == 0;
        if (!known)
            rp_diagnose(package->arena, notes, "RP1067", text)->file = unit->source;
    }
}

struct rp_verdict rp_package_compile(struct rp_package *package, bool is_static,
                                     struct rp_error *err) {
    if (package->build.cc == NULL &&
        !rp_build_begin(&package->build, package->arena, &package->build_options, err))
        return rp_verdict(RP_FAILED);
    struct rp_verdict verdict = make_objects(package, is_static, err);
    if (verdict.kind == RP_FAILED || verdict.kind == RP_NEEDS_SOURCES ||
        package->options->build.dry_run)
        return verdict;
    if (!find_version(package, err))
        return rp_verdict(RP_FAILED);
    if (!is_static)
        note_crashes(package);
    return verdict;
}
