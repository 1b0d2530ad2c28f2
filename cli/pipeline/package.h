/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline from generated code to an image, as one struct: toolchain/ makes a linked ELF file
 * in a workspace, elfpack/ turns it into a layout and files. The steps are open.h, compile.h,
 * link.h, place.h and write.h, in this order.
 */
#ifndef RP_CLI_PIPELINE_PACKAGE_H
#define RP_CLI_PIPELINE_PACKAGE_H

#include "cli/format.h"
#include "cli/pipeline/options.h"
#include "elfpack/elf/exports.h"
#include "elfpack/image/image.h"
#include "elfpack/image/layout.h"
#include "elfpack/elf/linkmap.h"
#include "elfpack/check/r9.h"
#include "elfpack/elf/reserved.h"
#include "elfpack/elf/scan.h"
#include "elfpack/check/validate.h"
#include "toolchain/compile/build.h"
#include "toolchain/compile/clang_asm.h"
#include "toolchain/compile/flags.h"
#include "toolchain/dialect.h"
#include "toolchain/generators/generate.h"

/* What a round of the build does (settle.h). */
struct rp_decisions {
    bool copy_only; /* the image may patch its code in a copy of itself */
    bool tables;    /* with copy_only: objects have tables that would have to be patched */
    bool absolute;  /* with copy_only: patches the model's own code too, which needs no r9 then */
    bool compact;   /* the image rebases dense lists of words itself */
    const bool *keep_r9; /* units, by position, in which r9 has its meaning; NULL: none */
    unsigned r9_rounds;  /* how often more units were found that have to keep it */
    const bool *hands;   /* those that hand over what dialect->handed has; NULL: none */
};

/* What a step of a round found. */
enum rp_verdict_kind {
    RP_SETTLED,         /* nothing has to change */
    RP_FAILED,          /* the error says what is wrong */
    RP_NEEDS_SOURCES,   /* of folders, or their objects have changed what was made of others */
    RP_NEEDS_R9,        /* units compute the address of the GOT in another way than gcc does */
    RP_WRONG_R9,        /* placed.r9 has where; the error names a function */
    RP_NEEDS_PATCHES,   /* clang left tables of addresses with the code */
    RP_PATCHES_NOTHING, /* all code is position-independent */
    RP_SAVES_NOTHING,   /* compact: see rp_compact_tried */
};
struct rp_verdict {
    enum rp_verdict_kind kind;
    const bool *units; /* RP_NEEDS_R9: those that have to keep it, by position */
};
#define rp_verdict(kind) ((struct rp_verdict){kind, NULL})

/* -r compact: how much flash the table saves, or would have saved. */
struct rp_compact_tried {
    bool tried;
    size_t words;        /* number of words that the image rebases itself */
    size_t table_bytes;  /* size of the table that lists them */
    uint32_t code_bytes; /* size of the boot code that reads the table */
    int64_t saved_bytes; /* flash saved by all this; the table is used only if this is above 0 */
};

/* The objects, in the workspace. */
struct rp_stage_compiled {
    struct rp_plan_flags flags;
    struct rp_asm_constants constants; /* clang: those that are moved, or cannot be */
};

/* The linked file, and what went into it. */
struct rp_stage_linked {
    struct rp_scan scan;
    uint64_t kept_constants;          /* clang: bytes of large constants that stay with the code */
    uint64_t kept_arrays;             /* and of large arrays that stay in the RAM */
    struct rp_strings math;           /* functions added from runtime/math */
    struct rp_strings imports;        /* symbols of the firmware, by their index in the image */
    struct rp_weights_source weights; /* a file that holds the model's weights; path NULL: none */
    bool no_parts;                    /* neither weights nor activations */
    struct rp_reserved reserved;      /* names that belong to the image */
    struct rp_error in_archive;       /* RP_E_RESERVED: an archive defines one of them */
    struct rp_elf elf;
    const char *map_text;
    struct rp_linkmap map;
};

/* The image before it is written. */
struct rp_stage_placed {
    struct rp_link link; /* as the objects describe it */
    struct rp_layout layout;
    struct rp_weights_source weights; /* the first of a chain */
    int64_t declared_weights;         /* bytes that the context says; -1: as it is linked */
    struct rp_r9_found r9;
    uint32_t code_bytes; /* of its instructions */
};

struct rp_sources;

/* What was opened, and the stages that follow, each filled once. */
struct rp_package {
    struct rp_arena *arena;
    const struct rp_source_options *options;
    struct rp_decisions decided;
    struct {
        bool archive_patches;     /* code of the model's archive has to be patched */
        struct rp_strings rounds; /* why each further round was needed */
        struct rp_compact_tried compact;
    } settled;
    struct rp_input input;
    const char *model_file;        /* absolute; NULL: the input is code */
    struct rp_generated generated; /* from the model file */
    struct rp_exports exports;     /* of the firmware of --import-from */
    const struct rp_target *target;
    const char *data_dir;
    struct rp_build_options build_options;
    const struct rp_format *format; /* of the image */
    struct rp_model opened;         /* the model as it was opened: each round begins with it */
    struct rp_model model;          /* with what the steps of this round add */
    struct rp_build build;          /* all rounds share its workspace and what was made there */
    const char *compiler_version;
    struct rp_sources *sources; /* of folders (sources.h); NULL: not known */
    struct rp_stage_compiled compiled;
    struct rp_stage_linked linked;
    struct rp_stage_placed placed;
};

/* How code of this package finds its data. */
enum rp_convention rp_package_convention(const struct rp_package *package);
/* Number of leading units of the build that belong to the model. */
size_t rp_package_model_units(const struct rp_package *package);
/*
 * The source that "obj/NNN.o" was compiled from; one of the tool's own sources is given by its
 * plain name. Other paths are returned as they are.
 */
const char *rp_package_source_of(const struct rp_package *package, const char *object);
/*
 * The model's files in the order of the report: those that it used, a weights file once it is
 * linked, sources, libraries. One may be there twice.
 */
struct rp_strings rp_package_files(const struct rp_package *package);
/* Closes the files of the stages; the workspace stays. */
void rp_package_close_stages(struct rp_package *package);
/* Moves the notes about the input to the notes of the command. */
void rp_package_take_notes(struct rp_package *package, struct rp_diagnostics *notes);
void rp_package_close(struct rp_package *package);

#endif
