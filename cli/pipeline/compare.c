/* SPDX-License-Identifier: Apache-2.0 */
/* The same model, built in another way: see compare.h. */
#include "cli/pipeline/compare.h"

#include "base/path.h"
#include "cli/pipeline/open.h"
#include "cli/pipeline/settle.h"
#include "cli/pipeline/static.h"
#include "cli/pipeline/write.h"
#include "toolchain/compile/compiler.h"

/* Gives the build a workspace of its own, inside the one that the user named. */
static struct rp_source_options *
options_for(struct rp_arena *arena, const struct rp_source_options *given, const char *folder) {
    struct rp_source_options *options = rp_alloc(arena, 1, sizeof *options);
    *options = *given;
    if (options->build.workspace != NULL)
        options->build.workspace = rp_path_join(arena, options->build.workspace, folder);
    return options;
}

static uint64_t section_size(const struct rp_package *package, const char *name) {
    const struct rp_section *section = rp_elf_section(&package->linked.elf, name);
    return section != NULL ? section->size : 0;
}

bool rp_compare_static(struct rp_arena *arena, const struct rp_source_options *options,
                       struct rp_static_sizes *sizes, struct rp_error *err) {
    struct rp_package fixed;
    bool ok = rp_package_open(&fixed, arena, options_for(arena, options, "static"), err) &&
              rp_package_link_static(&fixed, err);
    if (ok) {
        uint64_t loaded = section_size(&fixed, ".data");
        *sizes = (struct rp_static_sizes){true, section_size(&fixed, ".flash") + loaded,
                                          loaded + section_size(&fixed, ".bss")};
    }
    rp_package_close(&fixed);
    return ok;
}

bool rp_compare_toolchains(struct rp_package *other, struct rp_arena *arena,
                           const struct rp_source_options *options, struct rp_image_result *image,
                           struct rp_error *err) {
    bool clang = options->input.compiler->is_clang;
    struct rp_source_options *changed = options_for(arena, options, clang ? "gcc" : "llvm");
    changed->input.compiler = clang ? &rp_gcc : &rp_llvm;
    return rp_package_open(other, arena, changed, err) && rp_package_settle(other, err) &&
           rp_package_write(other, rp_build_path(&other->build, "compared_rel.bin"), NULL, image,
                            err);
}
