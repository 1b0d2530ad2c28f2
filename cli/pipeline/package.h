/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline, generated code in, image out, as one struct that the commands share: toolchain
 * makes a linked ELF file in a workspace, elfpack turns it into a layout and files.
 */
#ifndef RP_CLI_PIPELINE_PACKAGE_H
#define RP_CLI_PIPELINE_PACKAGE_H

#include "cli/report/diagnostics.h"
#include "elfpack/image.h"
#include "elfpack/layout.h"
#include "elfpack/linkmap.h"
#include "elfpack/reserved.h"
#include "elfpack/scan.h"
#include "elfpack/validate.h"
#include "toolchain/build/build.h"
#include "toolchain/build/clang_asm.h"
#include "toolchain/dialect.h"
#include "toolchain/build/flags.h"

/* What `generate` and `verify` both let the user say about a model. */
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
    struct rp_diagnosed diagnosed;
};

/* Are the C library's mathematical functions taken, and not ours? */
bool rp_math_is_libc(const struct rp_source_options *options);
/* Defaults, environment included (CROSS_COMPILE). */
#define RP_CROSS_COMPILE "arm-none-eabi-" /* when nobody says another one */
void rp_source_defaults(struct rp_source_options *options);

struct rp_package {
    struct rp_arena *arena;
    const struct rp_source_options *options;
    struct rp_input input;
    const struct rp_target *target;
    const char *data_dir;
    struct rp_build_options build_options;
    const struct rp_dialect *dialect;
    struct rp_model model;
    struct rp_build build;
    struct rp_plan_flags flags;
    struct rp_scan scan;
    uint64_t kept_constants; /* clang: bytes above the threshold that stay with the code */
    uint64_t kept_arrays;    /* and in the RAM */
    struct rp_asm_constants constants; /* clang: those that are moved, or could not be */
    struct rp_strings math;            /* functions added from runtime/math */
    struct rp_strings imports;         /* symbols of the firmware, by their index in the image */
    const char *compiler_version;
    /* after rp_package_link */
    struct rp_elf elf;
    struct rp_reserved reserved;     /* names that are the image's own */
    const char *reserved_in_archive; /* an archive that has one: a message, or NULL */
    const char *map_text;
    struct rp_linkmap map;
    struct rp_link link; /* as the objects say it */
    struct rp_layout layout;
    struct rp_weights_source weights; /* the first of a chain */
};

/* Finds templates/ and runtime/: RELOCPACK_DATADIR, beside the program, or where it was installed.
 */
const char *rp_data_dir(struct rp_arena *arena, struct rp_error *err);

/* Target, tools, dialect and model. */
bool rp_package_open(struct rp_package *package, struct rp_arena *arena,
                     const struct rp_source_options *options, struct rp_error *err);
/* Moves what was noted of the input to the notes of the command. */
void rp_package_take_notes(struct rp_package *package, struct rp_diagnostics *notes);
/* Creates the workspace and compiles; is_static: without position independence. */
bool rp_package_compile(struct rp_package *package, bool is_static, struct rp_error *err);
/* Adds our math functions for what the objects want, places large arrays, links, lays out. */
bool rp_package_link(struct rp_package *package, struct rp_error *err);
/* Compiles a static build, our math functions included; nothing is linked. */
bool rp_package_compile_static(struct rp_package *package, struct rp_error *err);
/*
 * For a static build that runs: a weights file becomes an array of the firmware, as
 * rp_static_weights and under the name that generated code has for it.
 */
bool rp_package_embed_weights(struct rp_package *package, struct rp_error *err);
/* Compiles and links a static build with templates/static.ld; elf and map are then of that. */
bool rp_package_link_static(struct rp_package *package, struct rp_error *err);
/* Writes the image (and the weights file unless weights_path is NULL). */
bool rp_package_write(struct rp_package *package, const char *image_path, const char *weights_path,
                      struct rp_image_result *result, struct rp_error *err);
void rp_package_close(struct rp_package *package);

/* The units of the build begin with so many of the model. */
size_t rp_package_model_units(const struct rp_package *package);
/*
 * The source that "obj/NNN.o" was compiled from, the tool's own by their plain names; other paths
 * as they are.
 */
const char *rp_package_source_of(const struct rp_package *package, const char *object);

#endif
