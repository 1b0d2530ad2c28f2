/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of operators that move, cut, join and repeat data without computing. */
#ifndef RP_TOOLCHAIN_OPS_INFER_MOVE_H
#define RP_TOOLCHAIN_OPS_INFER_MOVE_H

#include "toolchain/ops/infer.h"

rp_infer_shape_of rp_infer_reshape, rp_infer_flatten, rp_infer_transpose, rp_infer_concat,
    rp_infer_split, rp_infer_slice, rp_infer_squeeze, rp_infer_unsqueeze, rp_infer_pad,
    rp_infer_gather, rp_infer_expand, rp_infer_tile, rp_infer_depth_to_space,
    rp_infer_space_to_depth, rp_infer_top;

#endif
