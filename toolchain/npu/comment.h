/* SPDX-License-Identifier: Apache-2.0 */
/* Comments of network.c: the banner with the compiler's options, and the memory pools. */
#ifndef RP_TOOLCHAIN_NPU_COMMENT_H
#define RP_TOOLCHAIN_NPU_COMMENT_H

#include "toolchain/npu/reader.h"

/* Takes in what a comment says. */
bool rp_aton_comment(struct rp_aton_reader *reader, const struct rp_ctoken *comment);
/* At the end: gives each pool its used size and its label. */
bool rp_aton_finish_pools(struct rp_aton_reader *reader);

#endif
