/* SPDX-License-Identifier: Apache-2.0 */
/* What `generate` and `verify` both let the user say about a model, target and tools. */
#ifndef RP_CLI_PIPELINE_OPTIONS_H
#define RP_CLI_PIPELINE_OPTIONS_H

#include <stdbool.h>

#include "base/arena.h"
#include "toolchain/dialect.h"

struct rp_source_options {
    const char *model; /* -m, --model */
    const char *input; /* -i, --input */
    const char *series;
    const char *mcu;
    const char *name;
    const char *dialect;
    const char *entry;
    const char *custom;
    const char *pack_dir;
    const char *model_weights; /* --weights of generate */
    struct rp_strings sources;
    struct rp_strings runtime_libs;
    struct rp_strings include_dirs;
    struct rp_strings defines;
    struct rp_strings cflags;
    struct rp_strings imports;
    struct rp_npu_choice npu;
    bool copy_only;
    bool compact;
    const char *math;   /* own (or NULL) or libc: whose mathematical functions are linked */
    bool describe_only; /* nothing will be built: no tools are needed */
    const char *cross_compile;
    const char *launcher;
    struct rp_strings pass_env; /* variables that reach compiler, linker and emulator */
    unsigned jobs;
    unsigned weights_threshold;
    unsigned acts_threshold;
    const char *workspace;
    bool keep_workspace;
    bool dry_run;
    unsigned verbose;
    bool quiet;
    bool no_color;
    const char *log;
};

#define RP_CROSS_COMPILE "arm-none-eabi-" /* when nobody says another one */

/* Defaults, environment included (CROSS_COMPILE). */
void rp_source_defaults(struct rp_source_options *options);
/* Are the C library's mathematical functions taken, and not ours? */
bool rp_math_is_libc(const struct rp_source_options *options);

#endif
