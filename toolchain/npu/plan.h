/* SPDX-License-Identifier: Apache-2.0 */
/* How a Neural-ART network is compiled and linked. */
#ifndef RP_TOOLCHAIN_NPU_PLAN_H
#define RP_TOOLCHAIN_NPU_PLAN_H

#include "toolchain/compile/build.h"
#include "toolchain/dialect.h"
#include "toolchain/npu/npu.h"

/* Neural-ART images: built with the flags of the pack's own makefiles. */
extern const struct rp_image_kind rp_image_neural_art;
/* The network of a model; NULL: it is not a Neural-ART one. */
const struct rp_npu *rp_npu_of(const struct rp_model *model);
/*
 * Adds the units (network, glue, seven sources of the pack) and writes npu_conf.h, npu_pools.h and
 * params_N.ld.
 */
bool rp_npu_plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err);

#endif
