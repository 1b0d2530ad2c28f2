/* SPDX-License-Identifier: Apache-2.0 */
/* What `generate` and `verify` both let the user say about a model, target and tools. */
#ifndef RP_CLI_PIPELINE_OPTIONS_H
#define RP_CLI_PIPELINE_OPTIONS_H

#include <stdbool.h>

#include "base/arena.h"
#include "toolchain/build/build.h"
#include "toolchain/dialect.h"

struct rp_source_options {
    const char *model;     /* --model: the same as input.path, --input */
    struct rp_input input; /* what is packaged, and how; its target is chosen by the next */
    struct {
        const char *series; /* --target */
        const char *mcu;    /* --mcu */
    } target;
    const char *math; /* own (or NULL) or libc: whose mathematical functions are linked */
    struct {
        unsigned weights; /* bytes from which on constants are weights; 0: none are */
        unsigned acts;    /* bytes from which on zeroed arrays are activations; 0: none are */
    } thresholds;
    struct rp_build_options build; /* tools and workspace: what the user may say of them */
    struct rp_strings pass_env;    /* variables that reach compiler, linker and emulator */
    struct {
        unsigned verbose;
        bool quiet;
        bool no_color;
        const char *log;
    } console;
};

#define RP_CROSS_COMPILE "arm-none-eabi-" /* when nobody says another one */

/* Defaults, environment included (CROSS_COMPILE). */
void rp_source_defaults(struct rp_source_options *options);
/* Are the C library's mathematical functions taken, and not ours? */
bool rp_math_is_libc(const struct rp_source_options *options);

#endif
