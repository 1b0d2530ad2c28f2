/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dialect turns one generator's output into a model and into compile units. Each is one file
 * with one struct rp_dialect; dialect.c recognises which one an input is of.
 */
#ifndef RP_TOOLCHAIN_DIALECT_H
#define RP_TOOLCHAIN_DIALECT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/build/build.h"
#include "toolchain/model.h"
#include "toolchain/build/series.h"

/* Who compiles. */
enum rp_compiler { RP_COMPILER_GCC, RP_COMPILER_LLVM, RP_COMPILER_ST_CLANG };

/* How it is built: items of -r. All but the compiler are for Neural-ART networks. */
struct rp_npu_choice {
    bool no_secure;
    bool no_dbg_info;
    bool ecblob_in_params;
    bool compatible; /* the vendor's --compatible-mode: enums as short as they can be (clang) */
    enum rp_compiler compiler;
};

/* What the user said. Strings are NULL or empty when not given. */
struct rp_input {
    const char *path;     /* file or folder */
    const char *name;     /* --name */
    const char *dialect;  /* --dialect */
    const char *entry;    /* --entry */
    const char *custom;   /* --custom file, or NULL */
    const char *pack_dir; /* --pack-dir */
    const char *weights;  /* --weights: raw file, instead of the one beside the code */
    struct rp_strings sources;
    struct rp_strings runtime_libs;
    struct rp_strings include_dirs;
    struct rp_strings defines;
    struct rp_strings cflags;
    struct rp_strings imports; /* --import */
    const struct rp_target *target;
    struct rp_npu_choice npu;
    bool copy_only;     /* code may be patched in a copy of the image: -r copy-only */
    bool compact;       /* the image rebases words of RAM itself: -r compact */
    bool describe_only; /* nothing will be built: the pack is not needed */
};

struct rp_plan_flags {
    const struct rp_target *target;
    struct rp_strings model; /* for generated code */
    struct rp_strings glue;  /* for our own code: no user flags */
    bool is_static;          /* a static build, for comparison */
    enum rp_compiler compiler;
};

struct rp_dialect {
    const char *name;
    /* Plain functions of compiled sources: compared with their declarations; the entry has to be
       there; sources that need no r9 are found out. */
    bool plain_functions;
    /* Its entry glue is not templates/glue_c.c: sizes of weights and activations are in its code.
     */
    bool own_glue;
    const char *constants; /* section of constants, besides those of its linker script; or NULL */
    /*
     * Does the input look like this generator's? A file: its text is given, ended by a 0 byte
     * (binary files have others inside). A folder: text is NULL.
     */
    bool (*recognise)(const char *path, const char *text);
    /* Files, names, sizes; sources and flags. */
    bool (*load)(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                 struct rp_error *err);
    /*
     * Adds the units for model and entry glue to build, flags already holding what every unit gets.
     * May preprocess sources to understand them.
     */
    bool (*plan)(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err);
};

extern const struct rp_dialect rp_dialect_c;
extern const struct rp_dialect rp_dialect_emlearn;
extern const struct rp_dialect rp_dialect_st_ai;
extern const struct rp_dialect rp_dialect_stai;
extern const struct rp_dialect rp_dialect_ll_aton;
extern const struct rp_dialect rp_dialect_glow;
extern const struct rp_dialect rp_dialect_tvm;

/*
 * Recognises the dialect and loads the model: NULL + RP_E_DIALECT, RP_E_INPUT, RP_E_MANIFEST,
 * RP_E_WEIGHTS.
 */
const struct rp_dialect *rp_dialect_load(struct rp_model *model, struct rp_arena *arena,
                                         const struct rp_input *input, struct rp_error *err);

#endif
