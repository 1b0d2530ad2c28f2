/* SPDX-License-Identifier: Apache-2.0 */
/* From an opened model to its placed image: see build.h. */
#include "cli/generate/build.h"

#include "cli/pipeline/compare.h"
#include "cli/pipeline/compile.h"
#include "cli/pipeline/link.h"
#include "cli/pipeline/open.h"
#include "cli/report/figures.h"
#include "cli/terminal.h"

static bool compile_and_link(struct rp_generation *run, struct rp_error *err) {
    bool quiet = run->options->source.console.quiet;
    rp_progress(quiet, "compiling");
    if (!rp_package_compile(&run->package, false, err))
        return false;
    rp_progress(quiet, "linking");
    return rp_package_link(&run->package, err);
}

/* Packages again with another choice; what that does not change is not compiled again. */
static bool again(struct rp_generation *run, const struct rp_choice *choice, struct rp_error *err) {
    return rp_package_again(&run->package, choice, err) && compile_and_link(run, err);
}

/* Drops a compact table that saves no more than its boot code costs. */
static bool settle_compact(struct rp_generation *run, struct rp_error *err) {
    const struct rp_layout *layout = &run->package.placed.layout;
    struct rp_choice choice = run->package.choice;
    if (layout->words.compact.count == 0)
        return true;
    run->report.compact = (struct rp_report_compact){
        .tried = true,
        .words = layout->words.rel.count - layout->words.listed.count,
        .table_bytes = 4 * layout->words.compact.count,
        .code_bytes = layout->tables.compact_code,
        .saved_bytes = rp_layout_compact_saves(layout),
    };
    if (run->report.compact.saved_bytes > 0)
        return true;
    choice.compact = false;
    return again(run, &choice, err);
}

/* Leaves out the boot code that patches when the code is position-independent after all. */
static bool settle_copy_only(struct rp_generation *run, struct rp_error *err) {
    struct rp_choice choice = run->package.choice;
    if (!run->options->source.input.copy_only || run->options->source.build.dry_run ||
        run->package.placed.layout.words.text_patches != 0)
        return true;
    choice.copy_only = false;
    if (!again(run, &choice, err))
        return false;
    rp_report_say(&run->report, "note", "RP1064",
                  "-r copy-only was not needed: all code is position-independent, so the image has "
                  "nothing to patch and works in both modes");
    return true;
}

/* --compare-static and --compare-toolchains. */
static bool compare(struct rp_generation *run, struct rp_error *err) {
    const struct rp_source_options *source = &run->options->source;
    struct rp_package other;
    struct rp_image_result image;
    if (run->options->compare_static &&
        !rp_compare_static(run->arena, source, &run->report.static_sizes, err))
        return false;
    if (!run->options->compare_toolchains || run->options->source.build.dry_run)
        return true;
    bool ok = rp_compare_toolchains(&other, run->arena, source, &image, err);
    if (ok)
        run->report.other = rp_figures_of(&other, &image);
    rp_package_close(&other);
    return ok;
}

bool rp_generation_build(struct rp_generation *run, struct rp_error *err) {
    return compile_and_link(run, err) && settle_copy_only(run, err) && settle_compact(run, err) &&
           compare(run, err);
}
