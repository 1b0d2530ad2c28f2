/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that uses both loaders: the header of the Cortex-M loader and one of a Neural-ART pack or
 * of its loader, FIRST and SECOND in either order. What both define is the pack's; what each has
 * for itself is there. Compiled only.
 */
#include FIRST
#include SECOND

/* The pack's context, and ours under the name of its own. */
int both_headers(const struct ai_reloc_rt_ctx *pack, ai_handle net, uint32_t variant);
int both_headers(const struct ai_reloc_rt_ctx *pack, ai_handle net, uint32_t variant) {
    const ai_rel_rt_ctx *ctx = (const ai_rel_rt_ctx *)net;
    if (AI_RELOC_RT_VERSION_MAJOR != 8 || AI_RELOC_RT_GET_MAJOR(variant) != 2)
        return AI_RELOC_RT_ERR_PARAM;
    if ((ctx->state & AI_RELOC_RT_STATE_XIP_MODE) == 0 || ctx->obs_ctx.n_nodes == 0)
        return AI_RELOC_RT_ERR_NOT_SUPPORTED;
    return (int)(AI_RELOC_RT_GET_COPTS(variant) + AI_RELOC_RT_GET_CPUID(variant)) +
           (pack->rt_version == ctx->ram_alloc_addr) + AI_RELOC_RT_LOAD_MODE_XIP;
}
