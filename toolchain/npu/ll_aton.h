/* SPDX-License-Identifier: Apache-2.0 */
/* Networks of the Neural-ART compiler for the STM32N6 NPU. */
#ifndef RP_TOOLCHAIN_NPU_LL_ATON_H
#define RP_TOOLCHAIN_NPU_LL_ATON_H

#include "toolchain/dialect.h"

extern const struct rp_dialect rp_dialect_ll_aton;

#endif
