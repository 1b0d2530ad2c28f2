/* SPDX-License-Identifier: Apache-2.0 */
/* Reading network.c: text in, struct rp_aton out. */
#ifndef RP_TOOLCHAIN_NPU_PARSE_H
#define RP_TOOLCHAIN_NPU_PARSE_H

#include "toolchain/npu/network.h"

/*
 * Reads network.c. Errors, all "path:line: …": RP_E_ATON when it is not such a file, two networks
 * are in it, pool comments or labels do not fit together, or something in a table is not
 * understood; RP_E_INPUT when it is not C (see ctoken.h). That the internal table is empty
 * is recorded only.
 *
 * A label belongs to the relative pool with whose postfix or name it is made:
 * _mem_pool_<postfix>_<network>; when the network is called otherwise there, to the only pool that
 * fits. Never by order. A used relative pool without a label is an error.
 */
bool rp_aton_parse(struct rp_aton *out, struct rp_arena *arena, const struct rp_aton_text *text,
                   struct rp_error *err);

#endif
