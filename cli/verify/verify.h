/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `verify`: the plan that the harness carries out (plan.c), the records that it
 * answers with (result.c), what is printed (print.c), and what Neural-ART images want
 * besides (npu.c); emulations (run.c); what made outputs differ (probe.c).
 * Layouts of plan and records: templates/harness/plan.h.
 */
#ifndef RP_CLI_VERIFY_VERIFY_H
#define RP_CLI_VERIFY_VERIFY_H

#include "base/buf.h"
#include "base/file.h"
#include "cli/generate/files_read.h"
#include "cli/pipeline/package.h"
#include "cli/report/diagnostics.h"
#include "cli/verify/place.h"
#include "elfpack/reader.h"
#include "templates/harness/plan.h"
#include "toolchain/build/harness.h"

/* ---- the plan ---- */

/*
 * Words that memory is filled with before a model gets it: none like another, large and small as
 * integers and as floats, so that a result that depends on one of them shows.
 */
enum { RP_PATTERNS = 6 };
uint32_t rp_verify_pattern(size_t number);   /* 0: the static build's */
#define RP_OUTPUT_FILL(pattern) (~(pattern)) /* what outputs hold before the model writes them */

/* Where everything is for one emulation. Sizes in bytes; address 0 = none. */
struct rp_placement {
    const char *label; /* "static", "1", "2" */
    struct rp_area image;
    struct rp_area weights; /* outside the image */
    bool checks_weights;    /* it is the whole file, with its trailer */
    struct rp_area input;   /* given inputs, for one run after the other; size 0 = seeded */
    uint32_t runs;          /* inferences: how many inputs there are; at least 1 */
    struct rp_area ram[2];  /* as large as COPY mode needs */
    uint32_t ram_xip;       /* what XIP mode needs */
    struct rp_area acts[2];
    struct rp_area io;      /* inputs and outputs of a run */
    struct rp_space unused; /* nothing is in it: it is filled */
    bool memory_at_load;    /* Neural-ART: weights and activations (external RAM) go to the load */
    bool needs_copy;        /* the loader has to refuse XIP mode */
    size_t pattern;         /* of what is filled once */
    uint32_t guard_bytes;   /* around each buffer */
};

struct rp_sizes {
    uint32_t image, weights, input, ram_xip, ram_copy, acts;
    uint64_t io; /* inputs and outputs; 0: not known */
    uint32_t runs;
    uint32_t align; /* that all addresses have at least */
    uint32_t above; /* that image, weights and activations have to lie above, or 0 */
};
/*
 * Places the runs of an image in what is free of the board; other: what has been placed before for
 * the other emulation, or NULL: every address is another one. RP_E_VERIFY when something is too
 * large for the board, with what and by how much.
 */
bool rp_placement_choose(struct rp_placement *placement, const struct rp_space *space,
                         const struct rp_sizes *sizes, const struct rp_placement *other,
                         struct rp_error *err);
/* The same for the static build: only inputs, outputs and activations that are handed over. */
bool rp_placement_choose_static(struct rp_placement *placement, const struct rp_space *space,
                                const struct rp_sizes *sizes, struct rp_error *err);
/*
 * XIP and COPY, two live instances each: all inputs through A, through B, the first through A once
 * more; then both are destroyed. Instances share the pools of a Neural-ART network that are at
 * fixed addresses: what runs is then one inference after the other. Each step fills with another
 * pattern.
 */
void rp_verify_plan(struct rp_buf *out, const struct rp_board *board,
                    const struct rp_placement *placement, uint32_t seed);
/* One static instance: all inputs, then the first once more. */
void rp_verify_plan_static(struct rp_buf *out, const struct rp_board *board,
                           const struct rp_placement *placement, uint32_t seed);

/* One run among those, made again, with one part of the memory filled with something else. */
struct rp_probe {
    bool is_static;
    uint32_t load;             /* STEP_LOAD_XIP or STEP_LOAD_COPY */
    uint32_t instance;         /* whose places are taken */
    unsigned run;              /* 1: the first */
    uint32_t pattern;          /* the word for all of the memory, … */
    enum harness_guarded area; /* … but this; GUARDED_NONE: nothing is varied */
    enum harness_side side;    /* 0: all of it */
    uint32_t index;            /* of an input or output; HARNESS_ANY: all */
    uint32_t varied;           /* the word for that */
    uint32_t guard_bytes;      /* 0: as in the placement */
};
void rp_verify_plan_probe(struct rp_buf *out, const struct rp_board *board,
                          const struct rp_placement *placement, uint32_t seed,
                          const struct rp_probe *probe);

/* ---- the answer ---- */

struct rp_step_result {
    uint32_t index, kind, instance, status;
    int32_t code;
    uint32_t error, value;
    uint64_t instructions;
    uint32_t stack, ram_high, acts_high, where, area, pattern;
    /* worked out here */
    const char *mode;    /* "static", "XIP", "COPY" of the instance's load */
    unsigned run_number; /* RUN: 1st, 2nd … since the load */
};

struct rp_output {
    uint32_t step, index;
    const uint8_t *data;
    uint32_t size;
};

struct rp_answer {
    struct {
        struct rp_step_result *items;
        size_t count;
        size_t capacity;
    } steps;
    struct {
        struct rp_output *items;
        size_t count;
        size_t capacity;
    } outputs;
    const char *model_name;
    bool ended;
    bool faulted;
    uint32_t fault_step, fault_pc, fault_cfsr;
};

/* RP_E_VERIFY when the bytes are not a whole answer. The answer borrows them. */
bool rp_answer_read(struct rp_answer *answer, struct rp_arena *arena, const struct rp_bytes *bytes,
                    struct rp_error *err);
/* Output number index of the step, or NULL. */
const struct rp_output *rp_answer_output(const struct rp_answer *answer, uint32_t step,
                                         uint32_t index);
/* RP_E_VERIFY with the first step that failed and why. */
bool rp_answer_check(const struct rp_answer *answer, const char *what, struct rp_error *err);

/* ---- what came out ---- */

/* A run whose outputs were compared with the static build's run of the same number. */
struct rp_comparison {
    const struct rp_placement *placement;
    const struct rp_step_result *load, *init, *run;
    uint32_t outputs;
    uint32_t wrong_output; /* index of the first that differs */
    uint64_t wrong_byte;   /* offset of the first byte that differs */
    bool equal;
};

struct rp_verdict {
    const char *image;
    const struct rp_board *board;
    const struct rp_step_result *static_init, *static_run;
    uint64_t output_bytes; /* of one run */
    struct {
        struct rp_comparison *items;
        size_t count;
        size_t capacity;
    } comparisons;
    bool xip_refused;       /* by the loader, as it has to be */
    const char *outside;    /* memory that is none of the model's and changes outputs, or NULL */
    bool outside_by_static; /* in the static build as well */
    bool outside_is_models; /* it is beside or in a buffer, or by the static build as well */
    bool expected_given;
    double worst_difference; /* from --expected */
    bool equal;
};

/* ---- emulations ---- */

enum { RP_ICOUNT_SHIFT = 6, RP_JOBS_MAX = 4 };

/* A linked firmware. */
struct rp_firmware {
    const char *path;
    uint32_t entry;
    struct rp_area area; /* all that it has in memory */
};

struct rp_verification;

/* One emulation. The plan is released by the run. */
struct rp_job {
    const char *label; /* of its folder */
    bool is_static;
    const struct rp_placement *placement;
    struct rp_buf plan;
    struct rp_answer answer; /* out: read, not judged */
};
/* Runs up to RP_JOBS_MAX side by side. */
bool rp_verify_emulate(struct rp_verification *verify, struct rp_job *jobs, size_t count,
                       struct rp_error *err);

/* ---- the command ---- */

struct rp_verify_options {
    struct rp_source_options source;
    struct rp_diagnosed diagnosed;
    const char *weights;
    const char *report;
    struct rp_strings inputs;
    struct rp_strings expected;
    struct rp_strings outputs;
    struct rp_strings host_sources;
    const char *tolerance;
    const char *emulator;
    unsigned seed;
    unsigned timeout_s;
    bool json;
};

struct rp_verification {
    struct rp_verify_options *options;
    struct rp_arena *arena;
    const char *image_path;
    const char *weights_path; /* NULL: none, or inside */
    const char *report_path;  /* of a report without paths; or NULL */
    struct rp_files_read read;
    const char *bare_weights; /* what the model needs of them, in a file; NULL: none */
    uint32_t bare_weights_size;
    struct rp_mapped image_file;
    struct rp_image_view image;
    struct rp_package model; /* the static build */
    struct rp_build loader;  /* the firmware with the loader */
    const struct rp_board *board;
    struct rp_space space;         /* what the model's own fixed addresses leave of it */
    struct rp_area label_areas[2]; /* Neural-ART: relative pools of the static build, by id */
    struct rp_firmware firmware_static, firmware_loader;
    struct rp_placement placement_static;
    struct rp_placement placements[2];
    struct rp_bytes input;
    uint32_t runs; /* inputs given */
    struct rp_answer fixed;
    struct rp_answer answers[2];
    struct rp_verdict verdict;
};

/* Sets the choices of the firmware's build to what the image's flags say. */
void rp_verify_npu_choose(struct rp_verification *verify);
/*
 * Keeps what is placed away from pools at fixed addresses. RP_E_VERIFY when image and model are
 * of different kinds, the pack's epochs do not run in software, or the board lacks the memory.
 */
bool rp_verify_npu_open(struct rp_verification *verify, struct rp_error *err);
/* Pack, flags and addresses of labels. */
void rp_verify_npu_harness(const struct rp_verification *verify, struct rp_harness *harness);
/* Room for the relative pools of the static build. */
bool rp_verify_npu_place(struct rp_verification *verify, struct rp_error *err);
/* Adds those without contents to what is filled. */
void rp_verify_npu_fill(struct rp_verification *verify);
/* Contents of pools for the static build: how many, RELOC_NPU_POOLS_MAX at most. */
size_t rp_verify_npu_blobs(const struct rp_verification *verify, struct rp_blob *blobs);

/*
 * Compares every run with the static build's, the outputs with --expected, and writes
 * --save-output. false + an error only when that is not possible; the verdict says what came out.
 */
bool rp_verify_compare(struct rp_verification *verify, struct rp_error *err);
/*
 * Where a byte of two outputs differs, or the size of a. What neither run has written is not
 * compared: there is still what the memory was filled with.
 */
uint64_t rp_output_compare(const struct rp_output *a, uint32_t fill_a, const struct rp_output *b,
                           uint32_t fill_b);
/*
 * After outputs have been found to differ, or a core has faulted: does memory outside the model's
 * buffers change them? Fills in verdict.outside.
 */
bool rp_verify_explain(struct rp_verification *verify, struct rp_error *err);
/* Links the static build once more, with its sections in another order. */
bool rp_verify_relink(struct rp_verification *verify, struct rp_error *err);
/* RP_E_OUTSIDE, of verdict.outside. */
bool rp_outside_fail(const struct rp_verification *verify, struct rp_error *err);
/* RP_E_VERIFY unless all outputs are the same and within the tolerance. */
bool rp_verify_judge(const struct rp_verification *verify, struct rp_error *err);

void rp_verdict_print(const struct rp_verdict *verdict);
void rp_verdict_print_json(const struct rp_verdict *verdict);

#endif
