/* SPDX-License-Identifier: Apache-2.0 */
/* What the harness answered: the records of one emulation (templates/harness/plan.h). */
#ifndef RP_CLI_HARNESS_RESULT_H
#define RP_CLI_HARNESS_RESULT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "templates/harness/plan.h"
#include "toolchain/model.h"

struct rp_step_result {
    uint32_t index, kind, instance, status;
    int32_t code;
    uint32_t error, value;
    uint64_t instructions;
    uint32_t stack, heap, ram_high, acts_high, where, area, pattern;
    /* worked out here */
    const char *mode;    /* mode of the instance's load: "static", "XIP", "COPY" */
    unsigned run_number; /* of a RUN step, from 1 since the load */
};

struct rp_output {
    uint32_t step, index;
    const uint8_t *data;
    uint32_t size;
};

struct rp_frame_result {
    uint32_t index, parent, function, calls;
    uint64_t time;
    uint32_t inside; /* of the hooks of one call, in the time */
};

/* What a node took in all runs of one OBSERVE; sizes in bytes, HARNESS_ANY: not known. */
struct rp_node_result {
    uint32_t index, type, id, runs;
    uint32_t in, out, weights, scratch; /* of its tensors */
    uint32_t weights_at;                /* address of the first of its weights, or 0 */
    uint64_t times[HARNESS_NODE_TIMES];
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
    struct {
        struct rp_frame_result *items;
        size_t count;
        size_t capacity;
    } frames;
    struct {
        struct rp_node_result *items;
        size_t count;
        size_t capacity;
    } observed; /* as first executed */
    const char *model_name;
    uint32_t nodes;
    struct rp_tensors tensors[2]; /* inputs, outputs: as the model itself reports them */
    bool ended;
    bool faulted;
    uint32_t fault[FAULT_WORDS];
};

/* Fails with RP_E_VERIFY when the bytes are not a whole answer. The answer borrows them. */
bool rp_answer_read(struct rp_answer *answer, struct rp_arena *arena, const struct rp_bytes *bytes,
                    struct rp_error *err);
/* The RUN step with this run_number, of the first instance that has one; or NULL. */
const struct rp_step_result *rp_answer_run(const struct rp_answer *answer, unsigned number);
/* Output number index of a step, or NULL. */
const struct rp_output *rp_answer_output(const struct rp_answer *answer, uint32_t step,
                                         uint32_t index);
/* What a value of the core's CFSR register says, in words; and whether it says "stack overflow". */
const char *rp_fault_cause(uint32_t cfsr);
bool rp_fault_is_overflow(uint32_t cfsr);
/* Fails with RP_E_VERIFY, which names the first step that failed and why. */
bool rp_answer_check(const struct rp_answer *answer, const char *what, struct rp_error *err);

#endif
