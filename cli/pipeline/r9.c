/* SPDX-License-Identifier: Apache-2.0 */
/* Which units need no r9: see r9.h. */
#include "cli/pipeline/r9.h"

#include <string.h>

#include "base/path.h"
#include "elfpack/insn/got_base.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/flags.h"

enum { ROUNDS_MAX = 3 };

bool rp_package_may_free_r9(const struct rp_package *package) {
    return package->model.dialect->plain_functions && !package->input.copy_only &&
           !package->input.compiler->is_clang;
}

void rp_package_keep_r9(struct rp_package *package) {
    for (size_t i = 0; package->decided.keep_r9 != NULL && i < package->build.model_units; i++) {
        struct rp_strings *cc = &package->build.units.items[i].cc;
        for (size_t k = 0; package->decided.keep_r9[i] && k < cc->count; k++)
            if (strcmp(cc->items[k], RP_FREE_R9) == 0)
                cc->items[k] = "-msingle-pic-base";
    }
}

void rp_package_hand(struct rp_package *package) {
    for (size_t i = 0; package->decided.hands != NULL && i < package->build.model_units; i++) {
        struct rp_strings *cc = &package->build.units.items[i].cc, words = {0};
        for (size_t k = 0; package->decided.hands[i] && k < cc->count; k++) {
            if (strcmp(cc->items[k], "-c") == 0)
                RP_PUSH_WORDS(package->arena, &words, "-include",
                              rp_path_join(package->arena, package->data_dir,
                                           package->model.dialect->handed->header));
            rp_strings_push(package->arena, &words, cc->items[k]);
        }
        if (package->decided.hands[i])
            *cc = words;
    }
}

bool rp_package_take_r9(struct rp_package *package, const bool **units, struct rp_error *err) {
    struct rp_build *build = &package->build;
    const bool *before = package->decided.keep_r9;
    bool *keeps = rp_alloc(package->arena, build->units.count + 1, sizeof *keeps), any = false;
    *units = NULL;
    for (size_t i = 0; package->compiled.flags.free_r9 && i < build->model_units; i++) {
        const struct rp_unit *unit = &build->units.items[i];
        const char *other = NULL;
        bool kept = before != NULL && before[i];
        if (!unit->waits &&
            !rp_got_base_take(package->arena, rp_build_object(build, unit), &other, err))
            return false;
        if (other != NULL && kept)
            return rp_fail(err, RP_E_NOT_PIC,
                           "'%s': the address of the GOT at %s is not computed as gcc does it",
                           unit->source, other);
        keeps[i] = kept || other != NULL;
        any = any || other != NULL;
    }
    if (any)
        *units = keeps;
    return true;
}

static bool scan_unit(struct rp_package *package, const struct rp_unit *unit, struct rp_scan *scan,
                      struct rp_error *err) {
    const struct rp_scan_options options = {
        .shown = unit->source, .culprits = true, .constructors_ok = true};
    *scan = (struct rp_scan){0};
    return rp_scan_file(scan, package->arena, rp_build_object(&package->build, unit), &options,
                        err);
}

/* Adds the model's units that did something wrong with r9. False: none of them is new. */
static bool add_wrong(const struct rp_package *package, bool *keeps) {
    const struct rp_words *wrong = &package->placed.r9.wrong;
    bool added = false;
    for (size_t i = 0; i < wrong->count; i++) {
        const struct rp_contribution *part = rp_linkmap_find(&package->linked.map, wrong->items[i]);
        for (size_t k = 0; part != NULL && k < package->build.model_units; k++)
            if (!keeps[k] && strcmp(part->file, package->build.units.items[k].source) == 0)
                keeps[k] = added = true;
    }
    return added;
}

/* Are all functions linked, and ours? A model may bring its own, in more ways than its text shows.
 */
static bool are_ours(const struct rp_package *package, const struct rp_handed *handed) {
    const char *ours = rp_path_base(handed->source);
    bool are = true;
    for (size_t i = 0; are && i < package->model.code.sources.count; i++)
        are = strcmp(rp_path_base(package->model.code.sources.items[i]), ours) != 0;
    for (size_t i = 0; are && handed->names[i] != NULL; i++) {
        const struct rp_symbol *symbol = rp_elf_symbol(&package->linked.elf, handed->names[i]);
        const struct rp_contribution *part =
            symbol != NULL ? rp_linkmap_find(&package->linked.map, symbol->value & ~1u) : NULL;
        are = part != NULL && part->member == NULL && strcmp(part->file, ours) == 0;
    }
    return are;
}

static bool wants_all(const struct rp_scan *scan, const char *const *names) {
    while (*names != NULL && rp_strings_have(&scan->wanted, *names))
        names++;
    return *names == NULL;
}

/*
 * The units whose objects call all of them: where one is missing, its calls lead to something else.
 * NULL: there are none.
 */
static const bool *who_may_hand(struct rp_package *package, const struct rp_scan *scans) {
    const struct rp_handed *handed = package->model.dialect->handed;
    bool *units = rp_alloc(package->arena, package->build.units.count + 1, sizeof *units);
    bool any = false;
    if (handed == NULL || package->decided.hands != NULL || package->decided.keep_r9 != NULL ||
        !are_ours(package, handed))
        return NULL;
    for (size_t i = 0; i < package->build.model_units; i++) {
        units[i] = wants_all(&scans[i], handed->names);
        any = any || units[i];
    }
    return any ? units : NULL;
}

bool rp_package_mend_r9(struct rp_package *package, struct rp_decisions *next,
                        const struct rp_decisions **fallback) {
    const struct rp_build *build = &package->build;
    struct rp_scan *scans = rp_alloc(package->arena, build->units.count + 1, sizeof *scans);
    bool *keeps = rp_alloc(package->arena, build->units.count + 1, sizeof *keeps), free = false;
    for (size_t i = 0; i < build->model_units; i++) {
        if (!build->units.items[i].waits &&
            !scan_unit(package, &build->units.items[i], &scans[i], NULL))
            return false;
        keeps[i] = package->decided.keep_r9 != NULL && package->decided.keep_r9[i];
        free = free || !keeps[i];
    }
    if (!free)
        return false;
    struct rp_decisions *reserved = rp_alloc(package->arena, 1, sizeof *reserved);
    *reserved = *next;
    if (reserved->r9_rounds++ == ROUNDS_MAX || !add_wrong(package, keeps))
        memset(keeps, true, build->model_units);
    reserved->keep_r9 = keeps;
    reserved->hands = NULL;
    next->hands = who_may_hand(package, scans);
    if (next->hands != NULL)
        *fallback = reserved;
    else
        *next = *reserved;
    return true;
}

void rp_package_r9_sources(const struct rp_package *package, struct rp_strings *sources) {
    for (size_t i = 0; package->decided.keep_r9 != NULL && i < package->build.model_units; i++) {
        const struct rp_unit *unit = &package->build.units.items[i];
        if (package->decided.keep_r9[i] && !unit->waits)
            rp_strings_push(package->arena, sources, rp_path_base(unit->source));
    }
}
