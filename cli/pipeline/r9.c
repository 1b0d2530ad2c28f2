/* SPDX-License-Identifier: Apache-2.0 */
/* Which units need no r9: see r9.h. */
#include "cli/pipeline/r9.h"
#include "toolchain/build/make.h"

#include <string.h>

static const char PLAIN[] = "-fno-pic", REGISTER[] = "-mpic-register=r9";

static bool scan_unit(struct rp_package *package, const struct rp_unit *unit, struct rp_scan *scan,
                      struct rp_error *err) {
    const struct rp_scan_options options = {
        .shown = unit->source, .culprits = true, .constructors_ok = true};
    *scan = (struct rp_scan){0};
    return rp_scan_file(scan, package->arena, rp_build_object(&package->build, unit), &options,
                        err);
}

/* gcc warns about the register without -fpic. The first such word is ours. */
static void swap_word(struct rp_unit *unit, const char *from, const char *to) {
    for (size_t i = 0; i < unit->cc.count; i++)
        if (strcmp(unit->cc.items[i], from) == 0) {
            unit->cc.items[i] = to;
            return;
        }
}

/* Changes the flags so that the unit is compiled with or without need of r9. */
static void change(struct rp_package *package, struct rp_unit *unit, bool plain) {
    swap_word(unit, plain ? REGISTER : PLAIN, plain ? PLAIN : REGISTER);
    if (plain) /* last, so that the user's flags do not undo it */
        rp_strings_push(package->arena, &unit->cc, PLAIN);
    else
        unit->cc.count--;
    unit->shown = false;
}

/* A function that may change r9 must not call one that finds the GOT through it. */
static bool calls_others(const struct rp_scan *scans, const bool *plain, size_t count,
                         const struct rp_scan *scan) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; !plain[i] && k < scan->wanted.count; k++)
            if (rp_strings_have(&scans[i].defined, scan->wanted.items[k]))
                return true;
    return false;
}

static void drop_callers(const struct rp_scan *scans, bool *plain, size_t count) {
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < count; i++)
            if (plain[i] && calls_others(scans, plain, count, &scans[i])) {
                plain[i] = false;
                again = true;
            }
    }
}

bool rp_package_free_r9(struct rp_package *package, struct rp_error *err) {
    struct rp_build *build = &package->build;
    size_t units = build->units.count;
    struct rp_scan *scans = rp_alloc(package->arena, units + 1, sizeof *scans), after;
    bool *plain = rp_alloc(package->arena, units + 1, sizeof *plain);
    for (size_t i = 0; i < units; i++) {
        if (!scan_unit(package, &build->units.items[i], &scans[i], err))
            return false;
        plain[i] = i < build->model_units && scans[i].got_uses == 0;
    }
    drop_callers(scans, plain, units);
    for (size_t i = 0; i < units; i++)
        if (plain[i])
            change(package, &build->units.items[i], true);
    if (!rp_build_make(build, "objects", err))
        return false;
    for (size_t i = 0; i < units; i++) {
        if (plain[i] && !scan_unit(package, &build->units.items[i], &after, err))
            return false;
        if (plain[i] && after.culprits.count != 0) {
            change(package, &build->units.items[i], false);
            plain[i] = false;
        }
        if (plain[i])
            package->compiled.plain = plain;
    }
    return rp_build_make(build, "objects", err);
}

void rp_package_use_free_r9(struct rp_package *package) {
    const bool *plain = package->choice.plain;
    for (size_t i = 0; i < package->build.model_units; i++)
        if (plain[i])
            change(package, &package->build.units.items[i], true);
    package->compiled.plain = plain;
}
