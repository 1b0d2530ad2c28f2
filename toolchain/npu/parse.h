/* SPDX-License-Identifier: Apache-2.0 */
/* Reading network.c: text in, struct rp_aton out. */
#ifndef RP_TOOLCHAIN_NPU_PARSE_H
#define RP_TOOLCHAIN_NPU_PARSE_H

#include "toolchain/npu/network.h"

/*
 * Reads network.c. Every error says "path:line: …". RP_E_ATON: the file is not a network of this
 * compiler, or holds two; pool comments or labels do not fit together; something in a table is not
 * understood. RP_E_INPUT: the file is not C (cread/token.h). An empty internal table is only
 * recorded.
 *
 * A label belongs to the relative pool whose postfix or name it contains:
 * _mem_pool_<postfix>_<network>. When the network has another name there, it belongs to the only
 * pool that fits. The order of pools decides nothing. A used relative pool without a label is an
 * error.
 */
bool rp_aton_parse(struct rp_aton *out, struct rp_arena *arena, const struct rp_aton_text *text,
                   struct rp_error *err);

#endif
