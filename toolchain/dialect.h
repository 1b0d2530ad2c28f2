/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dialect turns one generator's output into a model and into compile units. This struct is the
 * whole of it: nobody else asks which dialect a model is of. The list of dialects is
 * toolchain/dialects/registry.c.
 */
#ifndef RP_TOOLCHAIN_DIALECT_H
#define RP_TOOLCHAIN_DIALECT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/model.h"

struct rp_build;
struct rp_compiler;
struct rp_target;

/* Items of -r for Neural-ART networks. */
struct rp_npu_choice {
    bool no_secure;
    bool no_dbg_info;
    bool polling; /* for firmware with LL_ATON_RT_POLLING, instead of LL_ATON_RT_ASYNC */
    bool ecblob_in_params;
    bool compatible; /* the vendor's --compatible-mode: enums as short as they can be (clang) */
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
    const char *import_from;   /* --import-from: a firmware's ELF file, or NULL */
    struct rp_strings offers;  /* what it offers, "NAME" or "NAME@VERSION" */
    const struct rp_target *target;
    const struct rp_compiler *compiler;
    struct rp_npu_choice npu;
    bool copy_only;              /* code may be patched in a copy of the image: -r copy-only */
    bool compact;                /* the image rebases words of RAM itself: -r compact */
    bool debug;                  /* debug information is kept: --debug of generate, … */
    bool debug_paths;            /* … and says in which folders the sources are */
    bool describe_only;          /* nothing will be built: the pack is not needed */
    bool allow_release_mismatch; /* --allow-release-mismatch */
    bool takes_fixed;            /* archives that do not move will do: an image's static build */
    bool custom_unsaid;          /* only a report names the custom file: it chooses no programs */
};

struct rp_plan_flags {
    const struct rp_target *target;
    struct rp_strings model; /* for generated code */
    struct rp_strings glue;  /* for our own code: no user flags */
    bool is_static;          /* a static build, for comparison */
    bool free_r9;            /* gcc may use r9 in generated code: elfpack/insn/got_base.h */
    bool rewrites;           /* the image patches its code, or rebases words itself */
    bool absolute;           /* generated code has its addresses patched and needs no r9 */
    bool hands;              /* some units have the header of dialect->handed */
    bool debug;              /* as in struct rp_input; not for a static build */
    bool debug_paths;
    const struct rp_compiler *compiler;
};

/* A format of images: how code for it is compiled and linked. */
struct rp_image_kind {
    uint32_t major;     /* version of the format: RELOC_MAJOR, RELOC_NPU_MAJOR */
    const char *script; /* of the linker, in the data folder */
    const char *kept;   /* section of the model's own that the script keeps, or NULL */
    bool clang_links;   /* what clang has compiled; otherwise gcc links it */
    /* Fills in flags, but for is_static. */
    void (*flags)(struct rp_plan_flags *flags, const struct rp_build *build,
                  const struct rp_model *model, const struct rp_input *input);
    /* Appends what the linking driver needs to know of core and libraries. */
    void (*link_flags)(struct rp_arena *arena, const struct rp_model *model,
                       const struct rp_plan_flags *flags, struct rp_strings *list);
};

/* What a user may say of a dialect's models. */
enum rp_takes {
    RP_TAKES_USUAL = 1,     /* --source, --import, -r copy-only and compact, --compare-… */
    RP_TAKES_ENTRY = 2,     /* --entry; without this bit, an input with --entry is dialect c */
    RP_TAKES_WEIGHTS = 4,   /* --weights */
    RP_TAKES_CUSTOM = 8,    /* --custom */
    RP_TAKES_NPU_ITEMS = 16 /* the members of struct rp_npu_choice */
};

/* A node of a model, as its run-time tells a call-back of it, and what it is called. */
struct rp_node {
    uint32_t type, id; /* given: of the platform observer API, or an epoch's flags and numbers */
    const char *type_name; /* "CONV2D", "epoch (SW)" */
    const char *name;      /* of the generated code's, or "" */
    const char *label;     /* of the layer that it was made from: "12"; or "-" */
};

/*
 * Functions that models call between their loops. With the header in front of generated code, calls
 * hand over the address of what they need, so that they do not find it by r9.
 */
struct rp_handed {
    const char *const *names; /* NULL behind the last one */
    const char *source;       /* of ours, that has them; in the data folder */
    const char *header;
};

struct rp_dialect {
    const char *name;   /* in --dialect and in reports */
    const char *models; /* in messages: "models of TVM" */
    unsigned takes;     /* enum rp_takes */
    const struct rp_image_kind *image;
    const struct rp_target *target; /* the only one that it is for, or NULL */
    /* Plain functions of compiled sources: they are compared with their declarations, the entry has
       to be there, and sources that need no r9 are found. */
    bool plain_functions;
    /* The entry glue is not templates/glue_c.c: sizes of weights and activations are in its code.
     */
    bool own_glue;
    /* The generator writes further C files beside the model: of several in a folder, the one that
       recognise takes is the model. */
    bool has_companions;
    const char *constants; /* section of constants, besides those of the script; or NULL */
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
    const struct rp_handed *handed; /* or NULL */
    /* Names the nodes, which are in the order of their execution. NULL: the run-time knows none. */
    void (*name_nodes)(const struct rp_model *model, struct rp_arena *arena, struct rp_node *nodes,
                       size_t count);
};

#endif
