/* SPDX-License-Identifier: Apache-2.0 */
/* One verification: what it is about, what has been made for it so far, and what came out. */
#ifndef RP_CLI_VERIFY_VERIFICATION_H
#define RP_CLI_VERIFY_VERIFICATION_H

#include "cli/pipeline/files_read.h"
#include "cli/pipeline/package.h"
#include "cli/report/ci/diagnostics.h"
#include "cli/report/run.h"
#include "cli/harness/firmware.h"
#include "cli/harness/plan.h"
#include "cli/profile/profile.h"
#include "cli/harness/result.h"
#include "cli/harness/subject.h"
#include "cli/tensors/assess.h"
#include "cli/tensors/reference.h"

/* A run whose outputs were compared with the static build's run of the same number. */
struct rp_comparison {
    const struct rp_placement *placement;
    const struct rp_step_result *load, *init, *run;
    uint32_t outputs;
    uint32_t wrong_output; /* index of the first that differs */
    uint64_t wrong_byte;   /* offset of the first byte that differs */
    bool equal;
};

/* Bytes of an output that no run wrote, from the first to the last of them. */
struct rp_unwritten {
    uint32_t output;
    const char *name; /* or NULL */
    uint64_t first, last, bytes;
    uint64_t size; /* of the output */
};

struct rp_verify_result {
    const char *image;
    const struct rp_board *board;
    const struct rp_step_result *static_init, *static_run;
    uint64_t output_bytes;    /* of one run */
    uint64_t unwritten_bytes; /* of those, what no run wrote */
    struct {
        struct rp_unwritten *items;
        size_t count;
        size_t capacity;
    } unwritten;
    struct {
        struct rp_comparison *items;
        size_t count;
        size_t capacity;
    } comparisons;
    size_t fillings;        /* number of patterns that memory was filled with */
    bool once;              /* --once */
    bool xip_refused;       /* the loader refused XIP mode, as it must */
    const char *outside;    /* memory outside the model that changes its outputs, or NULL */
    bool outside_by_static; /* the outputs of the static build depend on it, too */
    bool outside_is_models; /* it is beside or in a buffer, or outside_by_static */
    struct rp_assessment assessment; /* of the image's outputs */
    bool equal;
    bool keeps_state;           /* the same input gives other outputs after other runs */
    struct rp_profile *profile; /* --profile; or NULL */
    struct {
        bool known;              /* the emulator has logged it */
        uint32_t executed_bytes; /* instructions of the image that some run executed */
        uint32_t code_bytes;     /* all instructions of the image; 0: not known */
    } coverage;
    bool has_inputs; /* of the user's, not seeded ones */
    struct {
        uint32_t bytes,
            peak; /* of --heap, and what the static build's runs used of them; 0: no heap */
    } heap;
};

struct rp_verify_options {
    struct rp_source_options source;
    struct rp_diagnosed diagnosed;
    const char *weights;
    const char *report;
    bool trust_report;
    struct rp_strings inputs;
    const char *input_type;
    const char *reference;
    struct rp_assess_options assess;
    struct rp_strings host_sources;
    const char *emulator;
    unsigned seed;
    unsigned timeout_s;
    bool once;
    bool strict;
    unsigned min_coverage; /* percent; 0: any */
    bool json;
    bool profile;
    const char *profile_file;
};

struct rp_verification;

/* What is done differently for images of a format; hooks may be NULL. */
struct rp_verify_format {
    uint32_t align;      /* of all addresses, at least */
    uint32_t above;      /* image, weights and activations must lie above this address; or 0 */
    bool memory_at_load; /* the load gets weights and activations, not the init */
    bool bare_weights;   /* they can be given without what follows them in their file */
    /* Sets the choices of the firmware's build to what the image's flags say. */
    void (*choose)(struct rp_verification *verify);
    /*
     * Keeps what is placed away from fixed addresses. RP_E_VERIFY when the model cannot be
     * emulated, or the board lacks the memory.
     */
    bool (*open)(struct rp_verification *verify, struct rp_error *err);
    /* Sets what the static build and the loader's firmware need. */
    void (*harness)(const struct rp_verification *verify, struct rp_harness *harness);
    /* Places pools of the static build, and adds those without contents to what is filled. */
    bool (*place)(struct rp_verification *verify, struct rp_error *err);
    void (*fill)(struct rp_verification *verify);
    /* Lists the contents of pools for the static build. At most RELOC_NPU_POOLS_MAX. */
    size_t (*blobs)(const struct rp_verification *verify, struct rp_blob *blobs);
};

struct rp_verification {
    struct rp_verify_options *options;
    struct rp_arena *arena;
    struct rp_subject subject;
    const struct rp_verify_format *format; /* of the image */
    struct rp_report_use report; /* the image's report; its path is NULL when there is none */
    struct rp_files_read read;
    struct {
        const char *path; /* file with the weights alone; NULL: there are none */
        uint32_t size;
    } bare_weights;
    struct rp_package model; /* the static build */
    const char *shared;      /* the object that both firmwares have */
    struct rp_build loader;  /* the firmware with the loader */
    const struct rp_board *board;
    struct rp_space space; /* what the model's own fixed addresses leave of the board */
    struct {
        struct rp_firmware fixed, loader;
    } firmware; /* the static build, and what loads the image */
    struct {
        struct rp_placement fixed;     /* of the static build */
        struct rp_placement images[2]; /* of the two emulations of the image */
        struct rp_area labels[2];      /* Neural-ART: relative pools of the static build, by id */
    } places;
    struct {
        struct rp_reference reference; /* --reference: sets.count 0: not asked for */
        struct rp_bytes bytes;
        const struct rp_dtype *type; /* --input-type, or NULL */
        uint32_t count;              /* of inferences: one for each input, at least 1 */
    } given;
    struct rp_answer fixed;
    struct rp_answer answers[2];
    struct rp_verify_result verdict;
};

#endif
