/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the harness is asked to do in one emulation: its memory and its steps, as
 * templates/harness/plan.h lays them out.
 */
#ifndef RP_CLI_VERIFY_PLAN_H
#define RP_CLI_VERIFY_PLAN_H

#include "base/buf.h"
#include "cli/verify/place.h"
#include "templates/harness/plan.h"
#include "toolchain/build/harness.h"

enum { RP_ICOUNT_SHIFT = 6 }; /* of the emulator */

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

#endif
