/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The harness's parts to each other: what start.c calls, and the back-end that the plan drives.
 * backend_loader.c installs images with the loader; backend_static.c calls a model that is linked
 * in. A firmware has exactly one of the two.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "ai_reloc_types.h"
#include "plan.h"

/* Defined by harness.ld: the thread stack, and where the host places the plan. */
extern uint8_t harness_stack_start[];
extern uint8_t harness_stack_end[];
extern const uint8_t harness_plan[];

/* Index of the step under way, or HARNESS_NO_STEP. */
extern uint32_t harness_step;

/* Carries the plan out; returns enum harness_exit. */
uint32_t harness_main(void);

/* Appends a FAULT record (FAULT_WORDS words) to result.bin and closes it. */
void harness_record_fault(const uint32_t *words);

#endif
