/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The installation of a checked Neural-ART image: code and data in the RAM of the instance, then
 * the pools. In: a struct plan that make_plan has accepted, and the RAM. Out: RELOC_OK, or a code.
 * Included by ll_aton_reloc_network.c only.
 */
#ifndef LL_ATON_RELOC_INSTALL_H
#define LL_ATON_RELOC_INSTALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ll_aton_lib.h"
#include "ll_aton_reloc_network.h"
#include "ll_aton_reloc_plan.h"
#include "ll_aton_reloc_verify.h"
#include "../loader/reloc_address.h"
#include "../format/reloc_npu_core.h"

typedef struct ai_reloc_rt_ctx context;

_Static_assert(offsetof(context, state) == RELOC_NPU_CTX_STATE &&
                   offsetof(context, file_addr) == RELOC_NPU_CTX_FILE_ADDR &&
                   offsetof(context, ram_addr) == RELOC_NPU_CTX_RAM_ADDR &&
                   offsetof(context, rom_addr) == RELOC_NPU_CTX_ROM_ADDR &&
                   offsetof(context, cbs) == RELOC_NPU_CTX_CALLBACKS &&
                   offsetof(context, rt_version) == RELOC_NPU_CTX_RT_VERSION &&
                   offsetof(context, itf_network) == (FIRMWARE_RT_VERSION >= RELOC_NPU_CTX_SINCE
                                                          ? RELOC_NPU_CTX_INTERFACE
                                                          : RELOC_NPU_CTX_INTERFACE_EARLY) &&
                   sizeof(context) <= RELOC_NPU_CTX_BYTES,
               "the context of this pack has another layout");

/* ---- pools ---- */

/* Whether the NPU's cache may hold lines of a pool: its own, or (a setting) another model's. */
/*@ assigns \nothing; */
static bool may_be_cached(uint32_t flags) {
    return NPU_CACHE_ALWAYS != 0 || is_cacheable(flags);
}

/*
 * Writes size bytes from source, or zeros if that is 0. The NPU's dirty lines are written back
 * first, so that they cannot overwrite them later. Here alone the loader writes outside of the RAM.
 * It is memory that neither the loader nor the call uses, so the proof sees no change.
 */
/*@ requires \valid_read(plan) && start + size <= UINT32_MAX + 1;
    requires npu_writable(&plan->kept[0], start, size);
    requires source != 0 ==> npu_in_params(&plan->kept[0], source, size);
    assigns \nothing;
*/
static void write_pool(const struct plan *plan, uint32_t flags, uint32_t start, uint32_t source,
                       uint32_t size)
#ifdef __FRAMAC__
    ;
#else
{
    void *pool = (void *)start;
    (void)plan;
    if (may_be_cached(flags))
        LL_ATON_RELOC_NPU_CACHE(start, size);
    if (source != 0)
        memcpy(pool, bytes_at(source), size);
    else
        memset(pool, 0, size);
    LL_ATON_RELOC_DCACHE_CLEAN(start, size);
}
#endif

/* Returns whether the pool is params that stay where they are. */
/*@ requires \valid_read(plan) && \valid_read(row) && npu_params_planned(plan);
    requires plan->kept[KEPT_EXT_RAM].start + plan->kept[KEPT_EXT_RAM].size <= UINT32_MAX + 1;
    requires npu_planned(&plan->kept[0], row->flags, row->foff, row->dst, row->size);
    assigns \nothing;
*/
static bool install_pool(const struct plan *plan, const struct reloc_npu_row *row) {
    uint32_t flags = row->flags, start = row->dst, size = reloc_npu_round8(row->size), source = 0;
    if (reloc_npu_row_has_params(flags))
        source = plan->kept[KEPT_PARAMS].start + row->foff;
    if (reloc_npu_row_is_relative(row))
        start = RELOC_NPU_POOL_GET_ID(flags) == RELOC_NPU_POOL_ID_EXT_RAM
                    ? plan->kept[KEPT_EXT_RAM].start
                    : source;
    bool stays = source != 0 && start == source;
    if (!stays && (source != 0 || (plan->config.mode & AI_RELOC_RT_LOAD_MODE_CLEAR) != 0))
        write_pool(plan, flags, start, source, size);
    else if (may_be_cached(flags)) /* not written, but the NPU's cached lines may be old */
        LL_ATON_RELOC_NPU_CACHE(start, size);
    return stays;
}

/* Returns whether params are used where they are. */
/*@ requires \valid_read(plan) && npu_params_planned(plan);
    requires plan->kept[KEPT_EXT_RAM].start + plan->kept[KEPT_EXT_RAM].size <= UINT32_MAX + 1;
    requires plan->view.pool_count <= RELOC_NPU_POOLS_MAX;
    requires npu_pools_planned(&plan->kept[0], &plan->view.rows[0], plan->view.pool_count);
    assigns \nothing;
*/
static bool install_pools(const struct plan *plan) {
    bool in_place = plan->view.uses_param_0;
    /*@ loop invariant 0 <= i <= plan->view.pool_count;
        loop assigns i, in_place;
        loop variant plan->view.pool_count - i;
    */
    for (uint32_t i = 0; i < plan->view.pool_count; i++)
        if (install_pool(plan, &plan->view.rows[i]))
            in_place = true;
    return in_place && plan->kept[KEPT_PARAMS].size != 0;
}

/* ---- code and data ---- */

/* Whether the NPU's cache is in use. If it is not, it may not even have a clock. */
/*@ requires \valid_read(v) && v->pool_count <= RELOC_NPU_POOLS_MAX;
    assigns \nothing;
*/
static bool uses_npu_cache(const struct reloc_npu_view *v) {
    /*@ loop invariant 0 <= i <= v->pool_count;
        loop assigns i;
        loop variant v->pool_count - i;
    */
    for (uint32_t i = 0; i < v->pool_count; i++)
        if (is_cacheable(v->rows[i].flags))
            return true;
    return NPU_CACHE_ALWAYS != 0;
}

/*@ predicate npu_mode(struct reloc_npu_view *v, integer code_bytes) =
      code_bytes == 0 || code_bytes == v->base.ro_bytes;
    // RAM, apart from all that is read while it is written
    predicate npu_usable(struct reloc_npu_view *v, uint8_t *block, integer bytes) =
      \valid(block + (0 .. bytes - 1)) &&
      \separated(block + (0 .. bytes - 1), v->base.image + (0 .. v->base.rel_end - 1));
*/

/*
 * In COPY mode, the code_bytes of code come first in the RAM, then the data. The image may have
 * changed since it was checked (by DMA, another core, or because it is a file in external flash).
 * So the copy gets the header words that were checked, and the CRC is computed again over it.
 */
/*@ requires \valid_read(v) && npu_parts(v) && npu_mode(v, code_bytes);
    requires code_bytes + v->base.bss_end <= need && npu_usable(v, block, need);
    requires \separated(block + (0 .. need - 1), v);
    assigns block[0 .. need - 1];
    ensures reloc_code(\result);
*/
static uint32_t copy_code(const struct reloc_npu_view *v, uint8_t *block, uint32_t code_bytes,
                          uint32_t need) {
    uint32_t bytes = code_bytes + v->base.got_end;
    memcpy(block, v->base.image + (v->base.ro_bytes - code_bytes), bytes);
    if (v->base.trailer != 0 &&
        reloc_crc32(code_bytes != 0 ? 0 : v->base.crc_ro, block, bytes) != v->base.crc_data)
        return RELOC_N_CRC;
    if (code_bytes != 0)
        memcpy(block, v->base.header, reloc_npu_header_bytes(v));
    memset(block + bytes, 0, need - bytes);
    return RELOC_OK;
}

/* The words of the context that are the loader's. */
/*@ requires \valid(ctx + (0 .. RELOC_NPU_CTX_BYTES - 1)) && \valid_read(plan);
    requires \valid_read(bases);
    assigns ctx[0 .. RELOC_NPU_CTX_BYTES - 1];
*/
static void write_context(uint8_t *ctx, const struct plan *plan,
                          const struct reloc_npu_bases *bases, uint32_t interface) {
    reloc_put_le32(ctx, offsetof(context, state),
                   is_copy(plan) ? (uint32_t)RELOC_STATE_INITIALIZED
                                 : (uint32_t)(RELOC_STATE_INITIALIZED | RELOC_STATE_XIP));
    reloc_put_le32(ctx, offsetof(context, file_addr), plan->kept[KEPT_IMAGE].start);
    reloc_put_le32(ctx, offsetof(context, ram_addr), bases->ram);
    reloc_put_le32(ctx, offsetof(context, rom_addr), bases->rom);
    reloc_put_le32(ctx, offsetof(context, cbs), plan->kept[KEPT_CALLBACKS].start);
    reloc_put_le32(ctx, offsetof(context, ll_instance), plan->kept[KEPT_INSTANCE].start);
    reloc_put_le32(ctx, offsetof(context, itf_network), interface);
}

/* Each word to rebase is checked as it stands in the RAM. */
/*@ requires \valid(plan) && npu_parts(&plan->view) && reloc_npu_reach(&plan->view);
    requires npu_mode(&plan->view, code_bytes);
    requires code_bytes + plan->view.base.bss_end <= plan->kept[KEPT_RAM].size;
    requires npu_usable(&plan->view, block, plan->kept[KEPT_RAM].size);
    requires \separated(block + (0 .. plan->kept[KEPT_RAM].size - 1), plan);
    assigns plan->view.params_need, plan->view.uses_param_0, plan->view.needs_copy,
            block[0 .. plan->kept[KEPT_RAM].size - 1];
    ensures reloc_code(\result);
    ensures plan->view.params_need == \old(plan->view.params_need);
*/
static uint32_t install_code(struct plan *plan, uint8_t *block, uint32_t code_bytes) {
    struct reloc_npu_view *v = &plan->view;
    uint32_t ram = plan->kept[KEPT_RAM].start, interface = 0;
    struct reloc_npu_bases bases;
    bases.rom = code_bytes != 0 ? ram : plan->kept[KEPT_IMAGE].start;
    bases.ram = ram + code_bytes;
    bases.param_0 = plan->kept[KEPT_PARAMS].start + v->param_0_base;
    bases.param_1 = plan->kept[KEPT_EXT_RAM].start;
    bases.first = v->base.ro_bytes - code_bytes;
    bases.copy = block;
    uint32_t code = copy_code(v, block, code_bytes, plan->kept[KEPT_RAM].size);
    if (code == RELOC_OK)
        code = rebase(plan, &bases, code_bytes + v->base.got_end);
    if (code != RELOC_OK)
        return code;
    (void)reloc_npu_resolve(v, &bases, v->interface_word, &interface); /* it is in the image */
    write_context(block + (code_bytes + v->base.ctx), plan, &bases, interface);
    return RELOC_OK;
}

/* ---- the whole ---- */

/*@ predicate npu_all_planned(struct plan *plan) =
      npu_parts(&plan->view) && reloc_npu_reach(&plan->view) &&
      plan->view.pool_count <= RELOC_NPU_POOLS_MAX && npu_params_planned(plan) &&
      npu_ram_planned(plan) && npu_ext_ram_planned(plan) &&
      npu_pools_planned(&plan->kept[0], &plan->view.rows[0], plan->view.pool_count);
*/

/* Makes what was written visible to the NPU and as instructions. */
/*@ requires \valid_read(plan);
    assigns \nothing;
*/
static void clean_caches(const struct plan *plan, bool params_in_place) {
    const struct reloc_view *v = &plan->view.base;
    uint32_t rom = is_copy(plan) ? plan->kept[KEPT_RAM].start : plan->kept[KEPT_IMAGE].start;
    LL_ATON_RELOC_DCACHE_CLEAN(plan->kept[KEPT_RAM].start, plan->kept[KEPT_RAM].size);
    if (!is_copy(plan)) /* the image and the params may just have been received */
        LL_ATON_RELOC_DCACHE_CLEAN(rom, v->ro_bytes);
    if (params_in_place)
        LL_ATON_RELOC_DCACHE_CLEAN(plan->kept[KEPT_PARAMS].start, plan->kept[KEPT_PARAMS].size);
    LL_ATON_RELOC_ICACHE_INVALIDATE(rom, v->ro_bytes);
    reloc_barrier();
}

/* Carries out a plan. */
/*@ requires \valid(plan) && npu_all_planned(plan);
    requires npu_usable(&plan->view, block, plan->kept[KEPT_RAM].size);
    requires \separated(block + (0 .. plan->kept[KEPT_RAM].size - 1), plan);
    assigns plan->view.params_need, plan->view.uses_param_0, plan->view.needs_copy,
            block[0 .. plan->kept[KEPT_RAM].size - 1];
    ensures reloc_code(\result);
*/
static uint32_t install(struct plan *plan, uint8_t *block) {
    uint32_t code_bytes = is_copy(plan) ? plan->view.base.ro_bytes : 0;
    if (uses_npu_cache(&plan->view))
        LL_ATON_RELOC_NPU_CACHE(plan->kept[KEPT_RAM].start, plan->kept[KEPT_RAM].size);
    uint32_t code = install_code(plan, block, code_bytes);
    if (code == RELOC_OK)
        clean_caches(plan, install_pools(plan));
    return code;
}

/* Installs a checked image in the RAM of the config, if all of it can be where it is wanted. */
/*@ requires \valid(plan) && reloc_npu_checked(&plan->view) && npu_params_given(plan);
    requires npu_pools_known(plan) && reloc_address(ram) == plan->config.exec_ram_addr;
    requires \valid(ram + (0 .. plan->config.exec_ram_size - 1));
    requires \separated(ram + (0 .. plan->config.exec_ram_size - 1), plan);
    assigns *plan, ram[0 .. plan->config.exec_ram_size - 1];
    ensures reloc_code(\result);
*/
static uint32_t place(struct plan *plan, uint8_t *ram) {
    uint32_t code = make_plan(plan);
    if (code != RELOC_OK)
        return code;
    //@ assert npu_ram_planned(plan);
    /*@ assert \separated(ram + (0 .. plan->kept[KEPT_RAM].size - 1),
                          plan->view.base.image + (0 .. plan->view.base.rel_end - 1)); */
    return install(plan, ram);
}

#endif
