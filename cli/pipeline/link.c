/* SPDX-License-Identifier: Apache-2.0 */
/* From objects to the linked file: see link.h. */
#include "cli/pipeline/link.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/pipeline/check.h"
#include "cli/pipeline/imports.h"
#include "cli/pipeline/parts.h"
#include "cli/pipeline/place.h"
#include "cli/pipeline/sources.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/flags.h"
#include "toolchain/compile/make.h"

enum { MAP_MAX = 256 << 20 };

/*
 * An image has no unwinding tables, but the functions that they name would bring in the unwinder,
 * and that malloc. A model's own functions of these names are kept.
 */
static void leave_unwinder(struct rp_package *package) {
    static const char *const names[] = {"__aeabi_unwind_cpp_pr0", "__aeabi_unwind_cpp_pr1",
                                        "__aeabi_unwind_cpp_pr2"};
    const struct rp_scan *scan = &package->linked.scan;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *option = rp_format(package->arena, "--defsym=%s=0", names[i]);
        if (rp_strings_have(&scan->wanted, names[i]) &&
            !rp_strings_have(&scan->defined, names[i]) &&
            !rp_strings_have(&scan->unwinder, names[i]) &&
            !rp_strings_have(&package->model.needs.link_options, option))
            rp_strings_push(package->arena, &package->model.needs.link_options, option);
    }
}

void rp_package_leave_lto(struct rp_package *package) {
    package->build.no_lto =
        !rp_strings_have(&package->linked.scan.defined, "__gnu_lto_slim"); /* they have only that */
}

static bool check_parts(const struct rp_package *package, struct rp_error *err) {
    const struct rp_layout *layout = &package->placed.layout;
    for (size_t i = 0; package->linked.no_parts && i < layout->words.fixups.count; i++) {
        uint32_t segment = layout->words.fixups.items[i].target & RELOC_SEG_MASK;
        if (segment == RELOC_SEG_WEIGHTS || segment == RELOC_SEG_ACTS)
            return rp_fail(err, RP_E_INTERNAL, "a word leads to a part that the image has not");
    }
    return true;
}

bool rp_package_open_linked(struct rp_package *package, struct rp_error *err) {
    struct rp_stage_linked *linked = &package->linked;
    struct rp_bytes text;
    if (!rp_file_read(package->arena, rp_build_path(&package->build, "image.map"), MAP_MAX, &text,
                      err))
        return false;
    linked->map_text = (const char *)text.data;
    rp_linkmap_parse(&linked->map, package->arena, linked->map_text);
    for (size_t i = 0; i < linked->map.count; i++)
        linked->map.items[i].file = rp_package_source_of(package, linked->map.items[i].file);
    return rp_elf_open(&linked->elf, package->arena, rp_build_path(&package->build, "image.elf"),
                       err);
}

struct rp_verdict rp_package_link(struct rp_package *package, struct rp_error *err) {
    struct rp_build *build = &package->build;
    if (package->options->build.dry_run) {
        rp_plan_link(build, &package->model, &package->compiled.flags);
        return rp_verdict(rp_build_make(build, "link", err) ? RP_SETTLED : RP_FAILED);
    }
    if (!rp_package_scan(package, err) || !rp_package_check_names(package, err) ||
        !rp_package_write_parts(package, err) || !rp_host_imports_settle(package, err))
        return rp_verdict(RP_FAILED);
    rp_package_leave_lto(package);
    if (!rp_package_add_functions(package, err))
        return rp_verdict(RP_FAILED);
    leave_unwinder(package); /* before the libraries, or else their unwinder is linked first */
    rp_plan_link(build, &package->model, &package->compiled.flags);
    if (!rp_build_make(build, "link", err)) {
        if (build->link_refused && package->linked.in_archive.id != 0)
            *err = package->linked.in_archive;
        return rp_verdict(RP_FAILED);
    }
    if (!rp_package_open_linked(package, err))
        return rp_verdict(RP_FAILED);
    if (rp_sources_miss(package, &package->linked.elf))
        return rp_verdict(RP_NEEDS_SOURCES);
    const struct rp_verdict verdict = rp_package_place(package, err);
    return verdict.kind == RP_SETTLED && !check_parts(package, err) ? rp_verdict(RP_FAILED)
                                                                    : verdict;
}
