/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of the image's code the runs executed. The emulator logs each block of instructions
 * when it translates it, which is when the block is about to be executed. Only the runs in place at
 * the first addresses are logged, or the copied ones of an image that needs a copy: the others
 * execute the same code with the same inputs.
 */
#ifndef RP_CLI_VERIFY_COVERAGE_H
#define RP_CLI_VERIFY_COVERAGE_H

#include "cli/verify/run.h"

/*
 * Takes the size of the image's code from its report. RP_E_USAGE: --min-coverage is above 100, or
 * the report does not say it.
 */
bool rp_coverage_begin(struct rp_verification *verify, struct rp_error *err);
/* Has a job logged. */
void rp_coverage_ask(struct rp_verification *verify, struct rp_job *job);
/* Reads its log for the verdict. */
void rp_coverage_read(struct rp_verification *verify, const struct rp_job *job);
/* Share of the code that was executed, rounded down. The size of the code has to be known. */
unsigned rp_coverage_percent(const struct rp_verify_result *verdict);
/* RP_E_COVERAGE: less than --min-coverage; RP_E_VERIFY: the emulator has not logged it. */
bool rp_coverage_judge(const struct rp_verification *verify, struct rp_error *err);

#endif
