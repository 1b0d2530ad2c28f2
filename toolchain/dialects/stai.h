/* SPDX-License-Identifier: Apache-2.0 */
/* Networks for the vendor's runtime with its newer C API. */
#ifndef RP_TOOLCHAIN_DIALECTS_STAI_H
#define RP_TOOLCHAIN_DIALECTS_STAI_H

#include "toolchain/dialect.h"

extern const struct rp_dialect rp_dialect_stai;

#endif
