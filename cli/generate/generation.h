/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `generate`: what it was asked for, and what has been made so far. */
#ifndef RP_CLI_GENERATE_GENERATION_H
#define RP_CLI_GENERATE_GENERATION_H

#include <time.h>

#include "base/output.h"
#include "cli/pipeline/files_read.h"
#include "cli/generate/options.h"
#include "cli/pipeline/package.h"
#include "cli/report/report.h"

/* With --stamp: what was true when the run began. */
struct rp_stamp_start {
    struct timespec start; /* of the clock of files */
    struct timespec unset; /* of a clock that nobody sets */
    const char *options;   /* SHA-256 of options and tools */
};

struct rp_generation {
    struct rp_generate_options *options;
    struct rp_arena *arena;
    struct rp_package package;
    struct rp_outputs outputs;
    struct rp_report report;
    struct timespec start;
    struct rp_files_read inputs;
    struct rp_stamp_start stamp;
};

#endif
