/* SPDX-License-Identifier: Apache-2.0 */
/* The options about model, target and tools that `generate` and `verify` share. */
#ifndef RP_CLI_PIPELINE_OPTIONS_H
#define RP_CLI_PIPELINE_OPTIONS_H

#include <stdbool.h>

#include "base/arena.h"
#include "toolchain/compile/build.h"
#include "toolchain/dialect.h"

struct rp_generated;

struct rp_generator_choice {
    const char *name;                /* --generator, or NULL: the input is code */
    struct rp_strings options;       /* --generator-options */
    const struct rp_generated *made; /* for another package of this run, or NULL */
};

struct rp_source_options {
    const char *model;     /* --model: the same as input.path, --input */
    struct rp_input input; /* what is packaged, and how; its target comes from the next member */
    struct rp_generator_choice generator;
    struct {
        const char *series; /* --target */
        const char *mcu;    /* --mcu */
    } target;
    const char *math; /* own (or NULL) or libc: whose mathematical functions are linked */
    struct {
        unsigned weights; /* constants of at least this many bytes are weights; 0: none are */
        unsigned acts; /* zeroed arrays of at least this many bytes are activations; 0: none are */
    } thresholds;
    unsigned heap; /* --heap: bytes of malloc's memory in each instance; 0: there is none */
    struct rp_build_options build; /* tools and workspace */
    struct rp_strings pass_env;    /* variables that reach compiler, linker and emulator */
    struct {
        unsigned verbose;
        bool quiet;
        bool no_color;
        const char *log;
    } console;
};

#define RP_CROSS_COMPILE "arm-none-eabi-" /* the default */

/* Defaults, environment included (CROSS_COMPILE). */
void rp_source_defaults(struct rp_source_options *options);
/* The prefix of the compiler's name: build.cross_compile, or the default where that is NULL. */
const char *rp_cross_compile(const struct rp_source_options *options);
/* Are the C library's mathematical functions linked instead of ours? */
bool rp_math_is_libc(const struct rp_source_options *options);
/* --heap rounded up to a multiple of 8, which an image has; 0: none. */
unsigned rp_heap_bytes(const struct rp_source_options *options);

#endif
