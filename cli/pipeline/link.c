/* SPDX-License-Identifier: Apache-2.0 */
/* From objects to the linked file: see link.h. */
#include "cli/pipeline/link.h"

#include "base/file.h"
#include "cli/pipeline/check.h"
#include "cli/pipeline/clang.h"
#include "cli/pipeline/imports.h"
#include "cli/pipeline/parts.h"
#include "cli/pipeline/place.h"
#include "cli/pipeline/r9.h"
#include "toolchain/build/flags.h"
#include "toolchain/build/make.h"

enum { MAP_MAX = 256 << 20 };

/*
 * Tables for unwinding are left out of an image, but what they name brings the unwinder along, and
 * that malloc. What the model has of its own is kept.
 */
static void leave_unwinder(struct rp_package *package) {
    static const char *const names[] = {"__aeabi_unwind_cpp_pr0", "__aeabi_unwind_cpp_pr1",
                                        "__aeabi_unwind_cpp_pr2"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *option = rp_format(package->arena, "--defsym=%s=0", names[i]);
        if (rp_strings_have(&package->scan.wanted, names[i]) &&
            !rp_strings_have(&package->scan.defined, names[i]) &&
            !rp_strings_have(&package->scan.unwinder, names[i]) &&
            !rp_strings_have(&package->model.needs.link_options, option))
            rp_strings_push(package->arena, &package->model.needs.link_options, option);
    }
}

bool rp_package_open_linked(struct rp_package *package, struct rp_error *err) {
    struct rp_bytes text;
    if (!rp_file_read(package->arena, rp_build_path(&package->build, "image.map"), MAP_MAX, &text,
                      err))
        return false;
    package->map_text = (const char *)text.data;
    rp_linkmap_parse(&package->map, package->arena, package->map_text);
    for (size_t i = 0; i < package->map.count; i++)
        package->map.items[i].file = rp_package_source_of(package, package->map.items[i].file);
    return rp_elf_open(&package->elf, package->arena, rp_build_path(&package->build, "image.elf"),
                       err);
}

static bool link_objects(struct rp_package *package, struct rp_error *err) {
    if (!rp_clang_patch_tables(package, err) || !rp_package_scan(package, err) ||
        !rp_package_check_names(package, err) || !rp_package_write_parts(package, err) ||
        !rp_host_imports_settle(package, err))
        return false;
    rp_package_add_math(package);
    leave_unwinder(package);
    rp_plan_link(&package->build, &package->model, &package->flags);
    if (!rp_build_make(&package->build, "link", err)) {
        rp_package_blame_names(package, err);
        return false;
    }
    return rp_package_open_linked(package, err) && rp_package_place(package, err);
}

/* Of a model in several sources, some may work on pointers alone. Archives are as they are. */
static bool may_free_r9(const struct rp_package *package) {
    return package->build.model_units > 1 && package->model.code.libraries.count == 0 &&
           package->model.dialect->plain_functions && !package->input.copy_only &&
           !rp_is_clang(package);
}

bool rp_package_link(struct rp_package *package, struct rp_error *err) {
    if (package->options->build.dry_run) {
        rp_plan_link(&package->build, &package->model, &package->flags);
        return rp_build_make(&package->build, "link", err);
    }
    size_t units = package->build.units.count, plain = 0;
    if (may_free_r9(package) && !rp_package_free_r9(package, &plain, err))
        return false;
    if (link_objects(package, err))
        return true;
    if (err->id != RP_E_R9 || plain == 0)
        return false;
    *err = (struct rp_error){0};
    package->build.units.count = units;
    package->math.count = 0;
    package->scan = (struct rp_scan){0};
    package->map = (struct rp_linkmap){0};
    package->layout = (struct rp_layout){0};
    rp_link_close(&package->link);
    rp_elf_close(&package->elf);
    return rp_package_keep_r9(package, err) && link_objects(package, err);
}
