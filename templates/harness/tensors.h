/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs and outputs of a run: sizes from the model's report, places in the I/O area of the plan,
 * contents seeded or from the host, and the records that describe them to the host.
 */
#ifndef HARNESS_TENSORS_H
#define HARNESS_TENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "ai_reloc_types.h"
#include "harness.h"
#include "part.h"
#include "plan.h"

enum { TENSORS_MAX = 64 };

/* Buffers of one run; each has its own place, with at least a guard before and behind it. */
struct tensors {
    uint32_t inputs, outputs;
    ai_buffer input[TENSORS_MAX];
    ai_buffer output[TENSORS_MAX];
    uint32_t area, area_end; /* what was filled */
    uint32_t guard_bytes;
};

/* Bytes of a buffer's data. */
PART uint32_t tensor_bytes(const ai_buffer *buffer);

/* Places the buffers in the area, guard_bytes apart, and fills them and the space between them. */
PART enum harness_status tensors_place(struct tensors *tensors, const ai_network_report *report,
                                  struct harness_area_used area, uint32_t guard_bytes);

/* Fills the inputs: from size bytes at source, or seeded. */
PART enum harness_status tensors_load(const struct tensors *tensors, uint32_t source, uint32_t size);
PART void tensors_seed(const struct tensors *tensors, uint32_t seed);

/* Whether anything between the buffers was written. *which is GUARDED_INPUT or GUARDED_OUTPUT. */
PART bool tensors_guards_changed(const struct tensors *tensors, uint32_t *where, uint32_t *which);

/* Writes the INPUT or OUTPUT records of a run; the MODEL and TENSOR records of a report. */
PART void tensors_record(const ai_buffer *buffers, uint32_t count, enum harness_record type);
PART void tensors_describe(const ai_network_report *report);

#endif
