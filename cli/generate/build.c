/* SPDX-License-Identifier: Apache-2.0 */
/* From an opened model to its placed image: see build.h. */
#include "cli/generate/build.h"

#include "cli/pipeline/compare.h"
#include "cli/pipeline/open.h"
#include "cli/pipeline/settle.h"
#include "cli/report/figures.h"

/* --compare-static and --compare-toolchains. */
static bool compare(struct rp_generation *run, struct rp_error *err) {
    const struct rp_source_options *source = &run->options->source;
    struct rp_package other;
    struct rp_image_result image;
    if (run->options->compare.with_static &&
        !rp_compare_static(run->arena, source, &run->report.static_sizes, err))
        return false;
    if (!run->options->compare.toolchains || run->options->source.build.dry_run)
        return true;
    bool ok = rp_compare_toolchains(&other, run->arena, source, &image, err);
    if (ok)
        run->report.other = rp_figures_of(&other, &image);
    rp_package_close(&other);
    return ok;
}

bool rp_generation_build(struct rp_generation *run, struct rp_error *err) {
    if (!rp_package_settle(&run->package, err))
        return false;
    if (run->options->source.input.copy_only && !run->package.decided.copy_only)
        rp_report_say(&run->report, "RP1064",
                      "-r copy-only was not needed: all code is position-independent, so the image "
                      "has nothing to patch and works in both modes");
    return compare(run, err);
}
