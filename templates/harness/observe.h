/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the nodes of a model whose run-time calls back before and after each of them. In: the
 * call-backs of a run, and an area for the nodes' figures. Out: NODE records (plan.h). What the
 * call-back itself costs is measured and taken off.
 */
#ifndef HARNESS_OBSERVE_H
#define HARNESS_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness.h"
#include "part.h"

/* What a call-back is about. */
struct observed_node {
    uint32_t key;                   /* another one for each node */
    uint32_t type;                  /* of the run-time's own kinds */
    uint32_t id;                    /* that the generator gave it */
    const ai_tensor_chain *tensors; /* or NULL */
};

/*
 * Forgets all nodes. Their figures will be kept in the area; size 0: call-backs are only counted.
 * observer: the function that the run-time will call, with its cookie, which is called here to
 * measure what it costs.
 */
PART void observe_begin(struct harness_area_used area, const ai_observer_exec_ctx *observer);

/*
 * A moment in the execution of a node: 0 is its start; after the last one, which the run-time
 * chooses, it has ended. Times are between one moment and the next.
 */
PART void observe_moment(const struct observed_node *node, uint32_t moment);

/* The call-back of the platform observer API: moments 0 and 1. */
PART ai_u32 observe_node(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node);

/* Call-backs since this was last called. */
PART uint32_t observe_events(void);

/* Writes a NODE record for each node; false: there were more nodes than fit in the area. */
PART bool observe_record(void);

#endif
