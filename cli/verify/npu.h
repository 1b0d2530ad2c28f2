/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Neural-ART images: what a firmware must be like to accept the image, where the pools lie on the
 * emulated board, and what fills them for the static build.
 */
#ifndef RP_CLI_VERIFY_NPU_H
#define RP_CLI_VERIFY_NPU_H

#include "cli/verify/verification.h"

/* Sets the choices of the firmware's build to what the image's flags say. */
void rp_verify_npu_choose(struct rp_verification *verify);
/*
 * Keeps what is placed away from pools at fixed addresses. RP_E_VERIFY when image and model are of
 * different kinds, the pack's epochs do not run in software, or the board lacks the memory.
 */
bool rp_verify_npu_open(struct rp_verification *verify, struct rp_error *err);
/* Sets the pack, the flags and the addresses of labels. */
void rp_verify_npu_harness(const struct rp_verification *verify, struct rp_harness *harness);
/* Places the relative pools of the static build. */
bool rp_verify_npu_place(struct rp_verification *verify, struct rp_error *err);
/* Adds pools without contents to the memory that is filled. */
void rp_verify_npu_fill(struct rp_verification *verify);
/*
 * Lists the contents of pools for the static build. Returns how many, RELOC_NPU_POOLS_MAX at most.
 */
size_t rp_verify_npu_blobs(const struct rp_verification *verify, struct rp_blob *blobs);

#endif
