/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Neural-ART images: what the firmware has to be like to take the image, where the pools lie on the
 * emulated board, and what fills them for the static build.
 */
#ifndef RP_CLI_VERIFY_NPU_H
#define RP_CLI_VERIFY_NPU_H

#include "cli/verify/verification.h"

/* Sets the choices of the firmware's build to what the image's flags say. */
void rp_verify_npu_choose(struct rp_verification *verify);
/*
 * Keeps what is placed away from pools at fixed addresses. RP_E_VERIFY when image and model are
 * of different kinds, the pack's epochs do not run in software, or the board lacks the memory.
 */
bool rp_verify_npu_open(struct rp_verification *verify, struct rp_error *err);
/* Pack, flags and addresses of labels. */
void rp_verify_npu_harness(const struct rp_verification *verify, struct rp_harness *harness);
/* Room for the relative pools of the static build. */
bool rp_verify_npu_place(struct rp_verification *verify, struct rp_error *err);
/* Adds those without contents to what is filled. */
void rp_verify_npu_fill(struct rp_verification *verify);
/* Contents of pools for the static build: how many, RELOC_NPU_POOLS_MAX at most. */
size_t rp_verify_npu_blobs(const struct rp_verification *verify, struct rp_blob *blobs);

#endif
