/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `verify`: the plan that the harness carries out (verify_plan.c), the records that it
 * answers with (verify_result.c), what is printed (verify_print.c), and what Neural-ART images want
 * besides (verify_npu.c). Layouts of plan and records: templates/harness/plan.h.
 */
#ifndef RP_CLI_VERIFY_H
#define RP_CLI_VERIFY_H

#include "base/buf.h"
#include "base/file.h"
#include "cli/inputs.h"
#include "cli/package.h"
#include "elfpack/reader.h"
#include "templates/harness/plan.h"
#include "toolchain/harness.h"

/* The word that memory is filled with before a model gets it. */
#define RP_VERIFY_PATTERN UINT32_C(0xA5C3E187)

/* ---- the plan ---- */

/* Where everything is for one emulation. Sizes in bytes; address 0 = none. */
struct rp_placement {
    const char *label; /* "1", "2" */
    struct rp_area image;
    struct rp_area weights; /* a weights file */
    struct rp_area input;   /* given inputs, for one run after the other; size 0 = seeded */
    uint32_t runs;          /* inferences: how many inputs there are; at least 1 */
    struct rp_area ram[2];  /* as large as COPY mode needs */
    uint32_t ram_xip;       /* what XIP mode needs */
    struct rp_area acts[2];
    bool memory_at_load; /* Neural-ART: weights and activations (external RAM) go to the load */
    bool needs_copy;     /* the loader has to refuse XIP mode */
};

/*
 * Chooses areas on a board. second: the other addresses. RP_E_VERIFY when something is too large
 * for the board, with what and by how much.
 */
struct rp_sizes {
    uint32_t image, weights, input, ram_xip, ram_copy, acts;
    uint32_t runs;
    uint32_t align; /* that all addresses have at least */
};
bool rp_placement_choose(struct rp_placement *placement, const struct rp_board *board,
                         const struct rp_sizes *sizes, bool second, struct rp_error *err);
/*
 * XIP and COPY, two live instances each: all inputs through A, through B, the first through A once
 * more; then both are destroyed. Instances share the pools of a Neural-ART network that are at
 * fixed addresses: what runs is then one inference after the other.
 */
void rp_verify_plan(struct rp_buf *out, const struct rp_board *board,
                    const struct rp_placement *placement, uint32_t seed);
/* One static instance: all inputs, then the first once more. */
void rp_verify_plan_static(struct rp_buf *out, const struct rp_board *board,
                           const struct rp_placement *placement, uint32_t seed);

/* ---- the answer ---- */

struct rp_step_result {
    uint32_t index, kind, instance, status;
    int32_t code;
    uint32_t error, value;
    uint64_t instructions;
    uint32_t stack, ram_high, acts_high, where, area;
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
    bool xip_refused; /* by the loader, as it has to be */
    bool expected_given;
    double worst_difference; /* from --expected */
    bool equal;
};

/* ---- the command ---- */

struct rp_verify_options {
    struct rp_source_options source;
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
    struct rp_inputs read;
    struct rp_mapped image_file;
    struct rp_image_view image;
    struct rp_package model; /* the static build */
    struct rp_build loader;  /* the firmware with the loader */
    const struct rp_board *board;
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
 * Keeps the board's areas away from pools at fixed addresses. RP_E_VERIFY when image and model are
 * of different kinds, the pack's epochs do not run in software, or the board lacks the memory.
 */
bool rp_verify_npu_open(struct rp_verification *verify, struct rp_error *err);
/* Pack, flags and addresses of labels. */
void rp_verify_npu_harness(const struct rp_verification *verify, struct rp_harness *harness);
/* Contents of pools for the static build: how many, RELOC_NPU_POOLS_MAX at most. */
size_t rp_verify_npu_blobs(const struct rp_verification *verify, struct rp_blob *blobs);

/*
 * Compares every run with the static build's, the outputs with --expected, and writes
 * --save-output. false + an error only when that is not possible; the verdict says what came out.
 */
bool rp_verify_compare(struct rp_verification *verify, struct rp_error *err);
/* RP_E_VERIFY unless all outputs are the same and within the tolerance. */
bool rp_verify_judge(const struct rp_verification *verify, struct rp_error *err);

void rp_verdict_print(const struct rp_verdict *verdict);
void rp_verdict_print_json(const struct rp_verdict *verdict);

#endif
