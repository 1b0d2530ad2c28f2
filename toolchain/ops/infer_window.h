/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of operators that slide a window over an image, or resize it. */
#ifndef RP_TOOLCHAIN_OPS_INFER_WINDOW_H
#define RP_TOOLCHAIN_OPS_INFER_WINDOW_H

#include "toolchain/ops/infer.h"

rp_infer_shape_of rp_infer_conv, rp_infer_conv_transposed, rp_infer_pool, rp_infer_pool_all,
    rp_infer_resize;

#endif
