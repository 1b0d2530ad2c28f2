/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a verdict for people and as JSON. */
#ifndef RP_CLI_VERIFY_PRINT_H
#define RP_CLI_VERIFY_PRINT_H

#include "cli/verify/verification.h"

void rp_verdict_print(const struct rp_verify_result *verdict, struct rp_arena *arena);
void rp_verdict_print_json(const struct rp_verify_result *verdict, struct rp_arena *arena);

/* The runs as test cases of --junit. */
void rp_verdict_cases(const struct rp_verify_result *verdict, struct rp_arena *arena,
                      struct rp_cases *cases);

/* A test case for each data set of --reference. */
void rp_reference_cases(const struct rp_verify_result *verdict, struct rp_arena *arena,
                        struct rp_cases *cases);

#endif
