/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan of an installation, made and checked before the first write: all memory that it uses,
 * and that each pool may be where the image wants it. In: a checked image, and the arguments of
 * ll_aton_reloc_install_sized. Out: a struct plan, or a code of reloc_errors.def without its sign.
 * Included by ll_aton_reloc_network.c only.
 */
#ifndef LL_ATON_RELOC_PLAN_H
#define LL_ATON_RELOC_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "ll_aton_reloc_checks.h"
#include "../ll_aton_reloc_loader.h"
#include "ll_aton_reloc_memory.h"
#include "ll_aton_reloc_port.h" /* and reloc_core.h, by its settings */
#include "../loader/reloc_address.h"
#include "../format/reloc_npu_core.h"

/* args and config are copies, so nothing that is written changes them. */
struct plan {
    struct reloc_npu_view view;
    ll_aton_reloc_install_args args;
    ll_aton_reloc_config config;
    bool sized;             /* args gives the sizes of image and params */
    bool ext_ram_is_region; /* the whole of the external RAM, besides args.regions */
    struct range kept[KEPT];
#ifdef LL_ATON_RELOC_SIGNED
    ai_reloc_signed_info *info; /* may be NULL */
#endif
};

/*@ // what an installation relies on, besides the pools
    predicate npu_parts(struct reloc_npu_view *v) =
      reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES) && reloc_npu_vector(v) &&
      v->base.ctx + RELOC_NPU_CTX_BYTES <= v->base.data_end && v->base.ctx % 4 == 0 &&
      v->base.ro_bytes % RELOC_NPU_ALIGN == 0;
*/

/*@ requires \valid_read(plan);
    assigns \nothing;
    ensures \result <==> (plan->config.mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0;
*/
static bool is_copy(const struct plan *plan) {
    return (plan->config.mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0;
}

/*@ requires \valid_read(plan);
    assigns \nothing;
    ensures reloc_code(\result);
*/
static uint32_t plan_mode(const struct plan *plan) {
    uint32_t mode = plan->config.mode;
    uint32_t where = mode & (AI_RELOC_RT_LOAD_MODE_XIP | AI_RELOC_RT_LOAD_MODE_COPY);
    if ((mode & ~(where | AI_RELOC_RT_LOAD_MODE_CLEAR)) != 0 ||
        (where != AI_RELOC_RT_LOAD_MODE_XIP && where != AI_RELOC_RT_LOAD_MODE_COPY))
        return RELOC_N_MODE;
    return plan->view.needs_copy && !is_copy(plan) ? RELOC_N_NEEDS_COPY : RELOC_OK;
}

/*@ predicate npu_models(struct plan *plan) =
      \valid_read(plan->args.regions + (0 .. plan->args.region_count - 1)) &&
      npu_regions(plan->args.regions, plan->args.region_count) &&
      (plan->ext_ram_is_region != 0 && plan->config.ext_ram_addr != 0 ==>
         npu_given_to_models(plan->config.ext_ram_addr, plan->config.ext_ram_size));
*/

/*@ // what the check and the firmware say about pools
    predicate npu_pools_known(struct plan *plan) =
      reloc_npu_pools_ok(&plan->view) && npu_models(plan) &&
      \separated(plan, plan->args.regions + (0 .. plan->args.region_count - 1));
*/

/* From now on no pool may be in size bytes at start. */
/*@ requires \valid(plan) && which < KEPT && npu_pools_known(plan);
    assigns plan->kept[which].start, plan->kept[which].size;
    ensures plan->kept[which].start == start && plan->kept[which].size == size;
    ensures npu_pools_known(plan);
*/
static inline void keep(struct plan *plan, enum kept which, uint32_t start, uint32_t size) {
    plan->kept[which].start = start;
    plan->kept[which].size = size;
}

/* ---- params ---- */

/* Bytes of params that the model or the loader may read. */
/*@ requires \valid_read(v);
    assigns \nothing;
    ensures \result == (v->params_need > v->params_bin_size ? v->params_need : v->params_bin_size);
*/
static uint32_t params_bytes(const struct reloc_npu_view *v) {
    return v->params_need > v->params_bin_size ? v->params_need : v->params_bin_size;
}

/*@ // what may be read of the params is there, as far as the caller or the image says their size
    predicate npu_params_end(struct plan *plan) =
      plan->config.ext_param_addr != 0
        ? plan->kept[KEPT_PARAMS].start == plan->config.ext_param_addr &&
          (plan->sized != 0 ==> plan->kept[KEPT_PARAMS].size <= plan->args.params_size)
        : plan->view.params_start != 0 &&
          plan->kept[KEPT_PARAMS].start ==
            (uint32_t)(reloc_address(plan->view.base.image) + plan->view.params_start) &&
          plan->kept[KEPT_PARAMS].size <= plan->view.params_room;
    predicate npu_params_planned(struct plan *plan) =
      0 < plan->kept[KEPT_PARAMS].start && plan->kept[KEPT_PARAMS].start % RELOC_NPU_ALIGN == 0 &&
      plan->view.params_need <= plan->kept[KEPT_PARAMS].size &&
      plan->kept[KEPT_PARAMS].start + plan->kept[KEPT_PARAMS].size <= UINT32_MAX + 1;
    // params of the caller: a size is given, or a trailer tells it, or neither is read
    predicate npu_params_given(struct plan *plan) =
      plan->config.ext_param_addr != 0 &&
      (plan->sized != 0
         ? plan->config.ext_param_addr + plan->args.params_size <= UINT32_MAX + 1
         : RELOC_REQUIRE_TRAILER) ==>
        reloc_npu_params_readable(&plan->view, reloc_at(plan->config.ext_param_addr),
                                  plan->args.params_size);
*/

/* The caller's params take precedence over those in the image, as in the vendor's loader. */
/*@ requires \valid(plan) && reloc_npu_sizes(&plan->view) && reloc_npu_layout(&plan->view);
    requires reloc_npu_trailer_place(&plan->view) && npu_pools_known(plan);
    requires npu_params_given(plan);
    assigns plan->kept[KEPT_PARAMS].start, plan->kept[KEPT_PARAMS].size;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> npu_params_planned(plan);
    ensures \result == RELOC_OK ==> npu_params_end(plan);
    ensures npu_pools_known(plan);
*/
static uint32_t plan_params(struct plan *plan) {
    const struct reloc_npu_view *v = &plan->view;
    uint32_t external = plan->config.ext_param_addr, size = plan->args.params_size;
    uint32_t at = external, bytes = params_bytes(v);
    if (external == 0 && v->params_start != 0)
        at = reloc_address_of(v->base.image) + v->params_start;
    keep(plan, KEPT_PARAMS, at, bytes);
    if (at == 0 || at % RELOC_NPU_ALIGN != 0 || bytes > reloc_minus(0, at))
        return RELOC_N_PARAMS_ADDRESS;
    if (external == 0 || (!plan->sized && !RELOC_REQUIRE_TRAILER))
        return RELOC_OK;
    return !plan->sized || size <= reloc_minus(0, external)
               ? reloc_npu_check_params_file(v, bytes_at(external), size)
               : (uint32_t)RELOC_N_OBJECT;
}

/* ---- memory of the caller ---- */

/*
 * Bytes of the file, including params and trailer. Without a size the params end where they may be
 * read.
 */
/*@ requires \valid_read(v) && reloc_npu_sizes(v) && reloc_npu_layout(v);
    requires reloc_npu_trailer_place(v) && reloc_npu_reach(v) && v->base.rel_end <= v->base.size;
    assigns \nothing;
    ensures v->base.rel_end <= \result;
    ensures v->base.size != RELOC_SIZE_UNKNOWN ==> \result == v->base.size;
    ensures v->base.size == RELOC_SIZE_UNKNOWN && v->base.trailer != 0 ==>
      \result == v->base.trailer + RELOC_TRL_BYTES;
    ensures v->base.size == RELOC_SIZE_UNKNOWN && v->base.trailer == 0 && v->params_start != 0 ==>
      v->params_start + v->params_need <= \result;
*/
static uint32_t file_bytes(const struct reloc_npu_view *v) {
    if (v->base.size != RELOC_SIZE_UNKNOWN)
        return v->base.size;
    if (v->base.trailer != 0)
        return v->base.trailer + RELOC_TRL_BYTES;
    return v->params_start != 0 ? v->params_start + params_bytes(v) : v->base.content_end;
}

/*@ logic integer npu_need(struct reloc_npu_view *v, integer mode) =
      reloc_npu_rounded(v->base.bss_end) +
      ((mode & AI_RELOC_RT_LOAD_MODE_COPY) != 0 ? v->base.ro_bytes : 0);
    // the RAM has room for the image, and is apart from all of it that is read
    predicate npu_ram_planned(struct plan *plan) =
      0 < plan->kept[KEPT_RAM].start == plan->config.exec_ram_addr &&
      plan->kept[KEPT_RAM].start % RELOC_NPU_ALIGN == 0 &&
      plan->kept[KEPT_RAM].size == npu_need(&plan->view, plan->config.mode) &&
      plan->kept[KEPT_RAM].size <= plan->config.exec_ram_size &&
      reloc_apart(plan->kept[KEPT_RAM].start, plan->kept[KEPT_RAM].size,
                  reloc_address(plan->view.base.image), plan->view.base.rel_end);
    predicate npu_ext_ram_planned(struct plan *plan) =
      plan->kept[KEPT_EXT_RAM].start % RELOC_NPU_ALIGN == 0 &&
      plan->kept[KEPT_EXT_RAM].start + plan->kept[KEPT_EXT_RAM].size <= UINT32_MAX + 1 &&
      (plan->view.has_ext_ram != 0 ==>
        0 < plan->kept[KEPT_EXT_RAM].start == plan->config.ext_ram_addr &&
        plan->kept[KEPT_EXT_RAM].size == reloc_npu_rounded(plan->view.ext_ram_size) &&
        plan->kept[KEPT_EXT_RAM].size <= plan->config.ext_ram_size);
*/

/* The memory that the caller gives, apart from everything that the call uses. */
/*@ requires \valid(plan) && reloc_npu_view_ok(&plan->view);
    requires reloc_npu_trailer_place(&plan->view) && npu_pools_known(plan);
    assigns plan->kept[KEPT_IMAGE].start, plan->kept[KEPT_IMAGE].size,
            plan->kept[KEPT_RAM].start, plan->kept[KEPT_RAM].size,
            plan->kept[KEPT_EXT_RAM].start, plan->kept[KEPT_EXT_RAM].size,
            plan->kept[KEPT_STACK].start, plan->kept[KEPT_STACK].size;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> npu_ram_planned(plan);
    ensures \result == RELOC_OK ==>
      npu_clear(&plan->kept[0], KEPT_RAM, plan->kept[KEPT_RAM].start, plan->kept[KEPT_RAM].size);
    ensures \result == RELOC_OK ==> npu_ext_ram_planned(plan);
    ensures \result == RELOC_OK && plan->view.has_ext_ram != 0 ==>
      npu_clear(&plan->kept[0], KEPT_EXT_RAM, plan->kept[KEPT_EXT_RAM].start,
                plan->kept[KEPT_EXT_RAM].size);
    ensures npu_pools_known(plan);
*/
static uint32_t plan_memory(struct plan *plan) {
    const struct reloc_npu_view *v = &plan->view;
    const ll_aton_reloc_config *config = &plan->config;
    uint32_t ram = config->exec_ram_addr, ext = config->ext_ram_addr, low, high;
    uint32_t need = is_copy(plan) ? reloc_npu_ram_copy(v) : reloc_npu_ram_xip(v);
    uint32_t ext_need = v->has_ext_ram ? reloc_npu_round8(v->ext_ram_size) : 0;
    keep(plan, KEPT_IMAGE, reloc_address_of(v->base.image), file_bytes(v));
    keep(plan, KEPT_RAM, ram, need);
    keep(plan, KEPT_EXT_RAM, ext, ext_need);
    LL_ATON_RELOC_STACK_RANGE(low, high);
    keep(plan, KEPT_STACK, low, reloc_minus(high, low));
    if (ram == 0 || ram % RELOC_NPU_ALIGN != 0)
        return RELOC_N_RAM_ADDRESS;
    if (config->exec_ram_size < need || need > reloc_minus(0, ram))
        return RELOC_N_RAM_SIZE;
    if (!is_clear(plan->kept, KEPT_RAM, ram, need))
        return RELOC_N_RAM_OVERLAP;
    if (ext % RELOC_NPU_ALIGN != 0 ||
        (v->has_ext_ram &&
         (ext == 0 || config->ext_ram_size < ext_need || ext_need > reloc_minus(0, ext))))
        return RELOC_N_EXT_RAM;
    return !v->has_ext_ram || is_clear(plan->kept, KEPT_EXT_RAM, ext, ext_need) ? RELOC_OK
                                                                                : RELOC_N_OVERLAP;
}

/* ---- pools ---- */

/*@ // what is written outside of the RAM: a part of the external RAM, or memory for models that is
    // apart from all that the call uses
    predicate npu_writable(struct range *kept, integer start, integer size) =
      start == kept[KEPT_EXT_RAM].start && size <= kept[KEPT_EXT_RAM].size ||
      npu_for_models(start, size) && npu_clear(kept, KEPT, start, size);
    predicate npu_in_params(struct range *kept, integer start, integer size) =
      kept[KEPT_PARAMS].start <= start &&
      start + size <= kept[KEPT_PARAMS].start + kept[KEPT_PARAMS].size;
    predicate npu_planned(struct range *kept, integer flags, integer foff, integer dst,
                          integer size) =
      \let rounded = reloc_npu_rounded(size);
      1 <= size <= RELOC_OFFSET_MASK &&
      (reloc_npu_has_params(flags) ==> foff + rounded <= kept[KEPT_PARAMS].size) &&
      (reloc_npu_relative(flags)
         ? (reloc_npu_in_ext_ram(flags) ? rounded <= kept[KEPT_EXT_RAM].size
                                        : reloc_npu_has_params(flags))
         : reloc_npu_has_params(flags) && dst == kept[KEPT_PARAMS].start + foff ||
           npu_for_models(dst, rounded) && npu_clear(kept, KEPT, dst, rounded));
    predicate npu_pools_planned(struct range *kept, struct reloc_npu_row *rows, integer count) =
      \forall integer i; 0 <= i < count ==>
        npu_planned(kept, rows[i].flags, rows[i].foff, rows[i].dst, rows[i].size);
*/

/*@ assigns \nothing; */
static bool is_cacheable(uint32_t flags) {
    return (RELOC_NPU_POOL_GET_ATTR(flags) & RELOC_NPU_POOL_CACHEABLE) != 0;
}

/*
 * A relative pool lies in the params or in the external RAM. Stops: a cacheable one outside
 * external memory.
 */
/*@ requires \valid_read(plan) && \valid_read(row);
    assigns \nothing;
    ensures reloc_code(\result);
*/
static uint32_t plan_relative(const struct plan *plan, const struct reloc_npu_row *row) {
    uint32_t start = RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_EXT_RAM
                         ? plan->kept[KEPT_EXT_RAM].start
                         : plan->kept[KEPT_PARAMS].start;
    return is_cacheable(row->flags) && start <= RELOC_NPU_EXTERNAL_ADDR ? RELOC_N_CACHEABLE
                                                                        : RELOC_OK;
}

/* Whether params at a fixed address lie there already, so that nothing is copied or written. */
/*@ requires \valid_read(plan) && \valid_read(row) && npu_params_planned(plan);
    requires reloc_npu_contents(row->flags, row->foff, row->size, plan->kept[KEPT_PARAMS].size);
    requires 1 <= row->size <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures \result ==>
      reloc_npu_has_params(row->flags) && row->dst == plan->kept[KEPT_PARAMS].start + row->foff;
*/
static bool is_in_place(const struct plan *plan, const struct reloc_npu_row *row) {
    return RELOC_NPU_POOL_GET_TYPE(row->flags) == RELOC_NPU_POOL_COPY &&
           RELOC_NPU_POOL_GET_DATA(row->flags) == RELOC_NPU_POOL_PARAM &&
           row->dst == plan->kept[KEPT_PARAMS].start + row->foff;
}

/*@ requires \valid_read(plan) && npu_models(plan);
    assigns \nothing;
    ensures \result ==> npu_for_models(start, size);
*/
static bool is_allowed(const struct plan *plan, uint32_t start, uint32_t size) {
    if (is_in_region(plan->args.regions, plan->args.region_count, start, size))
        return true;
    return plan->ext_ram_is_region && plan->config.ext_ram_addr != 0 &&
           is_inside(start, size, plan->config.ext_ram_addr, plan->config.ext_ram_size);
}

/*@ predicate npu_apart_from_pools(integer params, struct reloc_npu_row *rows, integer count,
                                   integer start, integer size) =
      \forall integer i; 0 <= i < count ==>
        reloc_npu_relative(rows[i].flags) ||
        reloc_npu_has_params(rows[i].flags) && rows[i].dst == params + rows[i].foff ||
        npu_apart(start, size, rows[i].dst, reloc_npu_rounded(rows[i].size));
*/

/* Whether size bytes at start are apart from those of the first count pools that are written. */
/*@ requires \valid_read(plan) && count <= RELOC_NPU_POOLS_MAX && npu_params_planned(plan);
    requires reloc_npu_rows(&plan->view, count);
    assigns \nothing;
    ensures \result ==> npu_apart_from_pools(plan->kept[KEPT_PARAMS].start, &plan->view.rows[0],
                                             count, start, size);
*/
static bool is_apart_from_pools(const struct plan *plan, uint32_t count, uint32_t start,
                                uint32_t size) {
    /*@ loop invariant 0 <= i <= count;
        loop invariant npu_apart_from_pools(plan->kept[KEPT_PARAMS].start, &plan->view.rows[0], i,
                                            start, size);
        loop assigns i;
        loop variant count - i;
    */
    for (uint32_t i = 0; i < count; i++) {
        const struct reloc_npu_row *row = &plan->view.rows[i];
        //@ assert reloc_npu_row_ok(&plan->view, i);
        if (!reloc_npu_row_is_relative(row) && !is_in_place(plan, row) &&
            !are_apart(start, size, row->dst, reloc_npu_round8(row->size)))
            return false;
    }
    return true;
}

/* Stops: a pool over memory that is in use, over another pool, or outside the memory for models. */
/*@ requires \valid_read(plan) && index < RELOC_NPU_POOLS_MAX && npu_params_planned(plan);
    requires reloc_npu_row_ok(&plan->view, index) && reloc_npu_rows(&plan->view, index);
    requires npu_models(plan) && !reloc_npu_relative(plan->view.rows[index].flags);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==>
      npu_planned(&plan->kept[0], plan->view.rows[index].flags,
                  plan->view.rows[index].foff, plan->view.rows[index].dst,
                  plan->view.rows[index].size);
    ensures \result == RELOC_OK ==>
      plan->view.rows[index].dst == plan->kept[KEPT_PARAMS].start + plan->view.rows[index].foff ||
      npu_apart_from_pools(plan->kept[KEPT_PARAMS].start, &plan->view.rows[0], index,
                           plan->view.rows[index].dst,
                           reloc_npu_rounded(plan->view.rows[index].size));
*/
static uint32_t plan_absolute(const struct plan *plan, uint32_t index) {
    const struct reloc_npu_row *row = &plan->view.rows[index];
    uint32_t start = row->dst, size = reloc_npu_round8(row->size);
    if (is_in_place(plan, row))
        return RELOC_OK;
    if (!is_clear(plan->kept, KEPT, start, size) || !is_apart_from_pools(plan, index, start, size))
        return RELOC_N_OVERLAP;
    return is_allowed(plan, start, size) ? RELOC_OK : RELOC_N_POOL_REGION;
}

/*@ requires \valid_read(plan) && index < RELOC_NPU_POOLS_MAX && npu_params_planned(plan);
    requires reloc_npu_row_ok(&plan->view, index) && reloc_npu_rows(&plan->view, index);
    requires npu_models(plan) && npu_ext_ram_planned(plan);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==>
      npu_planned(&plan->kept[0], plan->view.rows[index].flags,
                  plan->view.rows[index].foff, plan->view.rows[index].dst,
                  plan->view.rows[index].size);
*/
static uint32_t plan_pool(const struct plan *plan, uint32_t index) {
    const struct reloc_npu_row *row = &plan->view.rows[index];
    return reloc_npu_row_is_relative(row) ? plan_relative(plan, row) : plan_absolute(plan, index);
}

/*@ requires \valid_read(plan) && npu_params_planned(plan) && npu_ext_ram_planned(plan);
    requires npu_pools_known(plan);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==>
      npu_pools_planned(&plan->kept[0], &plan->view.rows[0], plan->view.pool_count);
*/
static uint32_t plan_pools(const struct plan *plan) {
    /*@ loop invariant 0 <= i <= plan->view.pool_count;
        loop invariant npu_pools_planned(&plan->kept[0], &plan->view.rows[0], i);
        loop assigns i;
        loop variant plan->view.pool_count - i;
    */
    for (uint32_t i = 0; i < plan->view.pool_count; i++) {
        //@ assert reloc_npu_row_ok(&plan->view, i);
        uint32_t code = plan_pool(plan, i);
        if (code != RELOC_OK)
            return code;
    }
    return RELOC_OK;
}

/* Plans and checks everything; the image has been checked, and the caller's part is in kept. */
/*@ requires \valid(plan) && reloc_npu_checked(&plan->view) && npu_params_given(plan);
    requires npu_pools_known(plan);
    assigns plan->kept[KEPT_IMAGE .. KEPT - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> npu_params_planned(plan) && npu_params_end(plan);
    ensures \result == RELOC_OK ==> npu_ram_planned(plan) && npu_ext_ram_planned(plan);
    ensures \result == RELOC_OK ==>
      npu_pools_planned(&plan->kept[0], &plan->view.rows[0], plan->view.pool_count);
*/
static uint32_t make_plan(struct plan *plan) {
    uint32_t code;
    if ((code = check_flags(plan->view.base.flags)) != RELOC_OK ||
        (code = check_runtime(&plan->view)) != RELOC_OK || (code = plan_mode(plan)) != RELOC_OK ||
        (code = plan_params(plan)) != RELOC_OK || (code = plan_memory(plan)) != RELOC_OK)
        return code;
    return plan_pools(plan);
}

#endif
