/* SPDX-License-Identifier: Apache-2.0 */
/* Directives of network.c: the LL_ATON release that it asks for, and the header of its blobs. */
#ifndef RP_TOOLCHAIN_NPU_DIRECTIVE_H
#define RP_TOOLCHAIN_NPU_DIRECTIVE_H

#include "toolchain/npu/reader.h"

/* Takes in what a directive says. */
bool rp_aton_directive(struct rp_aton_reader *reader, const struct rp_ctoken *directive);

#endif
