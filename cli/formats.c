/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of images: see format.h. */
#include "base/grid.h"
#include "cli/generate/loader.h"
#include "cli/inspect/cortex_m.h"
#include "cli/inspect/npu.h"
#include "cli/pipeline/npu.h"
#include "cli/report/npu.h"
#include "cli/run/npu.h"
#include "cli/verify/npu.h"
#include "toolchain/dialects/st_ai.h"

static const struct rp_report_format report_cortex_m = {
    .series_mark = "",
    .weights_part = "weights",
    .acts_segment = "handed in",
    .copy_reason = "code that is not position-independent is patched in a copy",
    .getter_type = "const uint8_t *",
    .detail = rp_commas,
};

static const struct rp_verify_format verify_cortex_m = {.align = RELOC_RAM_ALIGN,
                                                        .bare_weights = true};

static const struct rp_run_format run_cortex_m = {
    .mailbox = MAILBOX_IMAGES_CORTEX_M, .nodes_min = 2, .nodes = &rp_dialect_st_ai};

static const struct rp_format formats[] = {
    {
        .image = &rp_format_cortex_m,
        .checked = &rp_checked_cortex_m,
        .package = &rp_package_cortex_m,
        .report = &report_cortex_m,
        .loader = &rp_loader_cortex_m,
        .inspect = &rp_inspect_cortex_m,
        .verify = &verify_cortex_m,
        .run = &run_cortex_m,
    },
    {
        .image = &rp_format_neural_art,
        .checked = &rp_checked_neural_art,
        .package = &rp_package_neural_art,
        .report = &rp_report_neural_art,
        .loader = &rp_loader_neural_art,
        .inspect = &rp_inspect_neural_art,
        .verify = &rp_verify_neural_art,
        .run = &rp_run_neural_art,
    },
};

const struct rp_format *rp_format_at(size_t index) {
    return index < sizeof formats / sizeof formats[0] ? &formats[index] : NULL;
}

const struct rp_format *rp_format_of(uint32_t major) {
    const struct rp_format *format = formats;
    while (format->image->major != major)
        format++;
    return format;
}
