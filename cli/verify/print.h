/* SPDX-License-Identifier: Apache-2.0 */
/* What came out, for people and as JSON. */
#ifndef RP_CLI_VERIFY_PRINT_H
#define RP_CLI_VERIFY_PRINT_H

#include "cli/verify/verification.h"

void rp_verdict_print(const struct rp_verdict *verdict);
void rp_verdict_print_json(const struct rp_verdict *verdict);

#endif
