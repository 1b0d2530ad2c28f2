/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing what the image computed with what the static build computed. */
#ifndef RP_CLI_VERIFY_COMPARE_H
#define RP_CLI_VERIFY_COMPARE_H

#include "cli/verify/verification.h"

/*
 * Compares every run with the static build's. Fails only when that is not possible; the verdict
 * says what came out.
 */
bool rp_verify_compare(struct rp_verification *verify, struct rp_error *err);
/*
 * Offset of the first byte in which two outputs differ, or the size of the shorter one. Bytes that
 * neither run has written are not compared: they still hold what the memory was filled with.
 */
uint64_t rp_output_compare(const struct rp_output *a, uint32_t fill_a, const struct rp_output *b,
                           uint32_t fill_b);
/* Fails with RP_E_OUTSIDE and names verdict.outside. */
bool rp_outside_fail(const struct rp_verification *verify, struct rp_error *err);
/* Fails with RP_E_VERIFY unless all outputs are the same. */
bool rp_verify_judge(const struct rp_verification *verify, struct rp_error *err);

#endif
