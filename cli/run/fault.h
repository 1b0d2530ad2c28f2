/* SPDX-License-Identifier: Apache-2.0 */
/* Where a core on the board was when it faulted or was stopped, and why. */
#ifndef RP_CLI_RUN_FAULT_H
#define RP_CLI_RUN_FAULT_H

#include "cli/run/run.h"

/*
 * An address in words: the function and the place in the image, or in the firmware. The function is
 * known when `generate --debug` has left NAME_rel.elf beside the image. image: NULL when none is
 * there yet.
 */
const char *rp_run_where(const struct rp_run *run, const struct rp_run_image *image,
                         uint32_t address);
/* The hint when the core did not answer: where it is. Returns false. */
bool rp_run_hint_late(const struct rp_run *run, const struct rp_run_image *image,
                      struct rp_error *err);
/* Fails with RP_E_FAULT: cause, place and registers. */
bool rp_run_fail_fault(const struct rp_run *run, const struct rp_run_image *image,
                       const struct rp_answer *answer, struct rp_error *err);

#endif
