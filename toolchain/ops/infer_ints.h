/* SPDX-License-Identifier: Apache-2.0 */
/* Values of small tensors of integers. */
#ifndef RP_TOOLCHAIN_OPS_INFER_INTS_H
#define RP_TOOLCHAIN_OPS_INFER_INTS_H

#include "toolchain/ops/infer.h"

rp_infer_ints_of rp_ints_shape, rp_ints_size, rp_ints_fill, rp_ints_same, rp_ints_gather,
    rp_ints_concat, rp_ints_slice, rp_ints_transpose, rp_ints_arithmetic, rp_ints_where;

#endif
