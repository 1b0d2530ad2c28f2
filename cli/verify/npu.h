/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Neural-ART images: what a firmware must be like to accept the image, where the pools lie on the
 * emulated board, and what fills them for the static build.
 */
#ifndef RP_CLI_VERIFY_NPU_H
#define RP_CLI_VERIFY_NPU_H

#include "cli/verify/verification.h"

extern const struct rp_verify_format rp_verify_neural_art;

#endif
