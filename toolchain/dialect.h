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
#include "toolchain/build.h"
#include "toolchain/model.h"
#include "toolchain/series.h"

/* Who compiles. */
enum rp_compiler { RP_COMPILER_GCC, RP_COMPILER_LLVM, RP_COMPILER_ST_CLANG };

/* How a Neural-ART network is built: items of -r. */
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
    struct rp_strings runtime_libs;
    struct rp_strings include_dirs;
    struct rp_strings defines;
    struct rp_strings cflags;
    struct rp_strings imports; /* --import */
    const struct rp_target *target;
    struct rp_npu_choice npu;
    bool copy_only;     /* code may be patched in a copy of the image: -r copy-only */
    bool describe_only; /* nothing will be built: the pack is not needed */
};

struct rp_plan_flags {
    const struct rp_target *target;
    struct rp_strings model; /* for generated code */
    struct rp_strings glue;  /* for our own code: no user flags */
    bool is_static;          /* a static build, for comparison */
};

struct rp_dialect {
    const char *name;
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
extern const struct rp_dialect rp_dialect_st_ai;
extern const struct rp_dialect rp_dialect_stai;
extern const struct rp_dialect rp_dialect_ll_aton;

/*
 * Recognises the dialect and loads the model: NULL + RP_E_DIALECT, RP_E_INPUT, RP_E_MANIFEST,
 * RP_E_WEIGHTS.
 */
const struct rp_dialect *rp_dialect_load(struct rp_model *model, struct rp_arena *arena,
                                         const struct rp_input *input, struct rp_error *err);

/* --entry 'NAME(in:float[1,28,28], out:float[10])' into entry, tensors and arguments. */
bool rp_entry_parse(struct rp_model *model, struct rp_arena *arena, const char *spec,
                    struct rp_error *err);
/* A JSON manifest (docs/CLI.md, "Manifest"). */
bool rp_manifest_load(struct rp_model *model, struct rp_arena *arena, const char *path,
                      struct rp_error *err);
/* Adds a tensor and its place among the arguments. */
void rp_model_add_argument(struct rp_model *model, struct rp_arena *arena, bool is_output,
                           const struct rp_tensor *tensor);
/* model_glue.h for templates/glue_c.c. RP_E_TOO_LARGE. */
bool rp_glue_c_write(const struct rp_model *model, struct rp_build *build, uint32_t flags_word,
                     struct rp_error *err);
/* Adds templates/glue_c.c to the build, and writes that. */
bool rp_glue_c_add(const struct rp_model *model, struct rp_build *build,
                   const struct rp_plan_flags *flags, struct rp_error *err);

#endif
