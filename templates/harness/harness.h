/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The harness's parts to each other: what start.c calls, and the back-end that the plan drives.
 * backend_loader.c installs images with the loader; backend_static.c calls a model that is linked
 * in; backend_ll_aton_loader.c and backend_ll_aton_static.c are the same for Neural-ART. A firmware
 * has exactly one of the four.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ai_reloc_types.h"
#include "memory.h"
#include "part.h"
#include "plan.h"

/* Where the host places the plan; defined on the linker's command line. */
extern uint8_t harness_plan[];

/* Index of the step under way, or HARNESS_NO_STEP. */
extern uint32_t harness_step;

struct harness_area_used {
    uint32_t address;
    uint32_t size_bytes;
};

/* The stack of the thread that carries plans out: multiples of 4. Size 0: it is not known. */
extern struct harness_area_used harness_stack;

/* What the step under way fills a part of memory with; index is that of an input or output. */
PART uint32_t harness_word(enum harness_guarded area, uint32_t index, enum harness_side side);

/* Carries the plan out; returns enum harness_exit. */
PART uint32_t harness_main(void);

/* Appends a FAULT record (FAULT_WORDS words) to result.bin and closes it. */
PART void harness_record_fault(const uint32_t *words);

/* ---- instances ---- */

struct harness_instance {
    ai_handle handle;     /* of the loader or, in a static build, of the model */
    ai_handle weights_at; /* what INIT passes on: weights.address, or where the image has them */
    bool created;         /* LOAD succeeded, DESTROY has not */
    bool initialized;
    struct harness_area_used image, ram, weights, acts; /* weights.address 0: in the image */
    uint32_t image_sum, weights_sum;                    /* before the first call */
    struct memory_guard guards[GUARDED_KINDS]; /* RAM, ACTS, IMAGE, WEIGHTS; size 0: none */
};

/* One call to the model: what goes in and what comes out. */
struct harness_job {
    struct harness_instance *instance;
    uint32_t mode;                        /* load: AI_RELOC_RT_LOAD_MODE_* */
    bool no_imports;                      /* load: the image imports nothing */
    const ai_buffer *input;               /* run */
    ai_buffer *output;                    /* run */
    ai_network_report *report;            /* report */
    ai_observer_node_cb notify;           /* observe, unobserve */
    const ai_observer_exec_ctx *observer; /* out, observe: what the model calls for that */
    bool done;                            /* out: the call succeeded */
    int32_t code;                         /* out: the loader's code, 0 if it has none */
    int32_t value;                        /* out: what the call returned */
    ai_error error;                       /* out */
};

/* ---- back-ends ---- */

/*
 * Calls to the model, measured as a whole: they do nothing else. NULL: this build cannot. The last
 * two are not measured.
 */
struct harness_backend {
    uint32_t kind;       /* enum harness_backend_kind */
    uint32_t instances;  /* how many can live at once */
    bool memory_at_load; /* LOAD, not INIT, takes weights and activations */
    void (*check)(struct harness_job *job);
    void (*load)(struct harness_job *job);
    void (*init)(struct harness_job *job);
    void (*report)(struct harness_job *job);
    void (*run)(struct harness_job *job);
    void (*observe)(struct harness_job *job);
    void (*unobserve)(struct harness_job *job);
    void (*destroy)(struct harness_job *job);
    void (*find_weights)(struct harness_job *job); /* before init: fills weights_at */
    void (*explain)(struct harness_job *job);      /* after a failure: fills code and error */
};
extern const struct harness_backend harness_backend;

#endif
