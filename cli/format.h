/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A format of images as the program sees it: what the bytes are, and what pipeline, reports and
 * commands do for it. Each folder declares its own part, and cli/formats.c has the two formats.
 */
#ifndef RP_CLI_FORMAT_H
#define RP_CLI_FORMAT_H

#include "elfpack/elf/format.h"

struct rp_format {
    const struct rp_image_format *image;     /* how images are written and read */
    const struct rp_checked_format *checked; /* elfpack/check/validate.h */
    const struct rp_package_format *package; /* cli/pipeline/check.h */
    const struct rp_report_format *report;   /* cli/report/report.h */
    const struct rp_loader *loader;          /* cli/generate/loader.h */
    const struct rp_inspect_format *inspect; /* cli/inspect/parts.h */
    const struct rp_verify_format *verify;   /* cli/verify/verification.h */
    const struct rp_run_format *run;         /* cli/run/run.h */
};

/* A format by position, NULL past the end. */
const struct rp_format *rp_format_at(size_t index);
/* The format with that major version, which is one of them. */
const struct rp_format *rp_format_of(uint32_t major);

#endif
