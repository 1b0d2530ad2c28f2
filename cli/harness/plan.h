/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the harness is asked to do in one emulation: its memory and its steps, in the format of
 * templates/harness/plan.h.
 */
#ifndef RP_CLI_HARNESS_PLAN_H
#define RP_CLI_HARNESS_PLAN_H

#include "base/buf.h"
#include "cli/harness/place.h"
#include "templates/harness/plan.h"
#include "toolchain/compile/harness.h"

enum { RP_ICOUNT_SHIFT = 6 }; /* of the emulator */

/*
 * Words that fill memory before a model gets it. None is like another, and they are large and small
 * as integers and as floats, so that a result that depends on one of them shows.
 */
enum { RP_PATTERNS = 6 };
uint32_t rp_verify_pattern(size_t number);   /* 0: the static build's */
#define RP_OUTPUT_FILL(pattern) (~(pattern)) /* what outputs hold before the model writes them */

/* ---- any plan ---- */

/* The words before the steps. */
struct rp_plan_head {
    uint32_t counter; /* enum harness_counter */
    uint32_t clock_hz;
    uint32_t pattern;
    uint32_t guard_bytes;
    struct rp_area io;
};
/* Begins a plan in an empty buffer. */
void rp_plan_begin(struct rp_buf *out, const struct rp_plan_head *head);
/* Adds a step, whose other fields are 0: rp_put_le32(step + STEP_RAM, ...). */
char *rp_plan_step(struct rp_buf *out, uint32_t kind, uint32_t instance);

/* ---- the plans of verify ---- */

/* Where everything lies in one emulation. Sizes are in bytes; address 0: there is none. */
struct rp_placement {
    const char *label; /* "static", "1", "2" */
    struct rp_area image;
    struct rp_area weights; /* outside the image */
    bool checks_weights;    /* the area holds the whole file, with its trailer */
    struct rp_area input;   /* given inputs, one run after another; size 0: inputs are seeded */
    uint32_t runs;          /* inferences: the number of inputs, at least 1 */
    struct rp_area ram[2];  /* as large as COPY mode needs */
    uint32_t ram_xip;       /* what XIP mode needs */
    struct rp_area acts[2];
    struct rp_area io;      /* inputs and outputs of a run */
    struct rp_space unused; /* memory that holds nothing, which is filled */
    bool memory_at_load;    /* the load gets weights and activations, not the init */
    bool needs_copy;        /* the loader has to refuse XIP mode */
    bool once;              /* one inference in each mode, of one instance */
    size_t pattern;         /* number of the pattern for what is filled once */
    uint32_t guard_bytes;   /* around each buffer */
};

struct rp_sizes {
    uint32_t image, weights, input, ram_xip, ram_copy, acts;
    uint64_t io; /* inputs and outputs; 0: not known */
    uint32_t runs;
    uint32_t align; /* least alignment of all addresses */
    uint32_t above; /* image, weights and activations must lie above this address; or 0 */
    bool once;
};
/*
 * Places the runs of an image in the free memory of the board. other: the placement of the other
 * emulation, from which every address must differ, or NULL. RP_E_VERIFY says what is too large for
 * the board and what room there is.
 */
bool rp_placement_choose(struct rp_placement *placement, const struct rp_space *space,
                         const struct rp_sizes *sizes, const struct rp_placement *other,
                         struct rp_error *err);
/*
 * The same for the static build, which needs only inputs, outputs and the activations handed to it.
 */
bool rp_placement_choose_static(struct rp_placement *placement, const struct rp_space *space,
                                const struct rp_sizes *sizes, struct rp_error *err);
/*
 * XIP and COPY mode with two live instances each: all inputs go through A, then through B, then the
 * first one through A again; then both are destroyed. Instances share the pools of a Neural-ART
 * network that lie at fixed addresses, so one inference runs after the other. Each step fills
 * memory with another pattern. With once, each mode has instance A, and the first input only.
 */
void rp_verify_plan(struct rp_buf *out, const struct rp_board *board,
                    const struct rp_placement *placement, uint32_t seed);
/* One static instance: all inputs, then, without once, the first one again. */
void rp_verify_plan_static(struct rp_buf *out, const struct rp_board *board,
                           const struct rp_placement *placement, uint32_t seed);

/*
 * One instance in one mode: the first input twice, the second time with its nodes observed, whose
 * figures go to the given area. In place where that is possible.
 */
void rp_verify_plan_profile(struct rp_buf *out, const struct rp_board *board,
                            const struct rp_placement *placement, uint32_t seed,
                            struct rp_area nodes);

/* One of these runs, repeated with one part of the memory filled with something else. */
struct rp_probe {
    bool is_static;
    uint32_t load;             /* STEP_LOAD_XIP or STEP_LOAD_COPY */
    uint32_t instance;         /* whose areas are used */
    unsigned run;              /* 1: the first */
    uint32_t pattern;          /* the word for all memory … */
    enum harness_guarded area; /* … except this area; GUARDED_NONE: nothing is varied */
    enum harness_side side;    /* 0: all of it */
    uint32_t index;            /* of an input or output; HARNESS_ANY: all */
    uint32_t varied;           /* the word for the varied area */
    uint32_t guard_bytes;      /* 0: as in the placement */
};
void rp_verify_plan_probe(struct rp_buf *out, const struct rp_board *board,
                          const struct rp_placement *placement, uint32_t seed,
                          const struct rp_probe *probe);

#endif
