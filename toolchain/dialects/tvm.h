/* SPDX-License-Identifier: Apache-2.0 */
/* Models of TVM: Model Library Format, or C files of it. */
#ifndef RP_TOOLCHAIN_DIALECTS_TVM_H
#define RP_TOOLCHAIN_DIALECTS_TVM_H

#include "toolchain/dialect.h"

extern const struct rp_dialect rp_dialect_tvm;

#endif
