/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels and pooling windows of nodes. */
#ifndef RP_TOOLCHAIN_OPS_WINDOW_H
#define RP_TOOLCHAIN_OPS_WINDOW_H

#include "toolchain/ops/ops.h"

/* A kernel or pooling window, sizes in elements. 0 means not known; -1 does for the padding. */
struct rp_ops_window {
    size_t spatial; /* dimensions of the image */
    int64_t height, width;
    int64_t stride_height, stride_width;
    int64_t dilation_height, dilation_width;
    int64_t top, left, bottom, right;
    int64_t in_height, in_width, in_channels;
    int64_t out_height, out_width, out_channels;
    int64_t groups;
};
struct rp_ops_window rp_ops_window(const struct rp_ops *ops, const struct rp_ops_node *node);

#endif
