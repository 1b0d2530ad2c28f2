/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a Neural-ART image's table of pools. Part of reloc_npu_core.h.
 */
#ifndef RELOC_NPU_POOLS_H
#define RELOC_NPU_POOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "reloc_core.h"
#include "reloc_format.h"
#include "reloc_npu_header.h"

/* ---- pools ---- */

/*@ predicate reloc_npu_relative(integer flags) = flags / 0x1000000 == RELOC_NPU_POOL_RELOC;
    predicate reloc_npu_has_params(integer flags) =
      flags / 0x10000 % 0x100 != RELOC_NPU_POOL_ACTIV;
    predicate reloc_npu_in_ext_ram(integer flags) = flags % 0x100 == RELOC_NPU_POOL_ID_EXT_RAM;
    predicate reloc_npu_kind(integer flags) =
      \let plain = flags - flags / 0x400 % 2 * 0x400;
      plain == 0x01010100 || plain == 0x01020201 || plain == 0x01030201 ||
      plain == 0x02030200 || plain == 0x02010100 || plain == 0x03020200;
*/

/* Whether the params hold a pool's contents. */
/*@ assigns \nothing;
    ensures \result <==> reloc_npu_has_params(flags);
*/
static inline bool reloc_npu_row_has_params(uint32_t flags) {
    return RELOC_NPU_POOL_GET_DATA(flags) != RELOC_NPU_POOL_ACTIV;
}

/* The six kinds that exist, whatever their attribute "cacheable". */
/*@ assigns \nothing;
    ensures \result <==> reloc_npu_kind(flags);
*/
static inline bool reloc_npu_kind_valid(uint32_t flags) {
    static const uint32_t kinds[] = {
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_PARAM, RELOC_NPU_POOL_READ, 0),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_ACTIV, RELOC_NPU_POOL_WRITE, 1),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_MIXED, RELOC_NPU_POOL_WRITE, 1),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_MIXED, RELOC_NPU_POOL_WRITE, 0),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_PARAM, RELOC_NPU_POOL_READ, 0),
        RELOC_NPU_POOL_MAKE(RELOC_NPU_POOL_RESET, RELOC_NPU_POOL_ACTIV, RELOC_NPU_POOL_WRITE, 0)};
    uint32_t plain = flags - flags / 0x400u % 2u * 0x400u; /* RELOC_NPU_POOL_CACHEABLE */
    /*@ loop invariant 0 <= i <= 6;
        loop invariant \forall integer k; 0 <= k < i ==> plain != kinds[k];
        loop assigns i;
        loop variant 6 - i;
    */
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (plain == kinds[i])
            return true;
    return false;
}

/*@ requires \valid_read(row);
    assigns \nothing;
    ensures \result <==> reloc_npu_relative(row->flags);
*/
static inline bool reloc_npu_row_is_relative(const struct reloc_npu_row *row) {
    return RELOC_NPU_POOL_GET_TYPE(row->flags) == RELOC_NPU_POOL_RELOC;
}

/*@ // a relative pool lies in the params or the external RAM, another one at an address
    predicate reloc_npu_place(integer flags, integer dst, integer size, integer ext_ram_size) =
      1 <= size <= RELOC_OFFSET_MASK &&
      (reloc_npu_relative(flags)
         ? dst == 0 && (reloc_npu_in_ext_ram(flags) ==> size <= ext_ram_size)
         : dst + size <= UINT32_MAX + 1);
    predicate reloc_npu_contents(integer flags, integer foff, integer size, integer params_need) =
      reloc_npu_has_params(flags) ==>
        foff % 4 == 0 && foff + reloc_npu_rounded(size) <= params_need;
    predicate reloc_npu_named(struct reloc_npu_view *v) =
      v->entry_count <= RELOC_NPU_ENTRY_COUNT_13 &&
      \valid_read(v->base.image + (0 .. v->base.ro_bytes - 1));
    predicate reloc_npu_reach(struct reloc_npu_view *v) =
      v->param_0_base <= v->params_need <= v->params_room &&
      v->params_need <= 2 * RELOC_OFFSET_MASK + 1 && v->param_0_base <= RELOC_OFFSET_MASK;
*/

/*
 * Stops: a name without an end, other kinds of pools, a relative pool with an address or one that
 * wraps around, contents from outside the params, and a params file that a packager left empty.
 */
/*@ requires \valid(v) && \valid_read(row) && reloc_npu_reach(v);
    requires reloc_npu_named(v);
    requires \separated(row, &v->params_need, &v->param_0_base);
    assigns v->params_need, v->param_0_base;
    ensures reloc_code(\result);
    ensures reloc_npu_reach(v) && v->params_need >= \old(v->params_need);
    ensures \result == RELOC_OK ==> reloc_npu_kind(row->flags) && reloc_npu_name(v, row->name);
    ensures \result == RELOC_OK ==>
      reloc_npu_place(row->flags, row->dst, row->size, v->ext_ram_size);
    ensures \result == RELOC_OK ==>
      reloc_npu_contents(row->flags, row->foff, row->size, v->params_need);
*/
RELOC_OUTLINE uint32_t reloc_npu_check_row(struct reloc_npu_view *v,
                                           const struct reloc_npu_row *row) {
    bool relative = reloc_npu_row_is_relative(row);
    uint32_t size = reloc_npu_round8(row->size);
    uint32_t code = reloc_check_name(&v->base, row->name, reloc_npu_header_bytes(v));
    if (code != RELOC_OK)
        return code;
    if (!reloc_npu_kind_valid(row->flags) || row->size == 0 || row->size > RELOC_OFFSET_MASK ||
        (relative ? row->dst != 0 : UINT32_MAX - row->dst < size - 1u) ||
        (relative && RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_EXT_RAM &&
         row->size > v->ext_ram_size))
        return RELOC_N_POOL;
    if (!reloc_npu_row_has_params(row->flags))
        return RELOC_OK;
    if (row->foff % 4u != 0 || size > v->params_bin_size || row->foff > v->params_room ||
        row->foff > RELOC_OFFSET_MASK || size > v->params_room - row->foff)
        return RELOC_N_POOL_PARAMS;
    if (row->foff + size > v->params_need)
        v->params_need = row->foff + size;
    if (relative && RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_PARAM)
        v->param_0_base = row->foff;
    return RELOC_OK;
}

/*@ predicate reloc_npu_row_ok(struct reloc_npu_view *v, integer i) =
      reloc_npu_kind(v->rows[i].flags) && reloc_npu_name(v, v->rows[i].name) &&
      reloc_npu_place(v->rows[i].flags, v->rows[i].dst, v->rows[i].size, v->ext_ram_size) &&
      reloc_npu_contents(v->rows[i].flags, v->rows[i].foff, v->rows[i].size, v->params_need) &&
      (reloc_npu_relative(v->rows[i].flags) && reloc_npu_in_ext_ram(v->rows[i].flags) ==>
         v->has_ext_ram != 0);
    predicate reloc_npu_rows(struct reloc_npu_view *v, integer count) =
      \forall integer i; 0 <= i < count ==> reloc_npu_row_ok(v, i);
    predicate reloc_npu_table(struct reloc_npu_view *v) =
      v->pool_count <= RELOC_NPU_POOLS_MAX && v->pools % 4 == 0 &&
      v->pools + RELOC_NPU_POOL_BYTES * v->pool_count + 4 <= v->base.data_end;
*/

/* A row as it is in the file; the caller has read its name. */
/*@ requires at % 4 == 0 && at <= 2 * RELOC_OFFSET_MASK && \valid(row);
    requires \valid_read(image + (at .. at + RELOC_NPU_POOL_BYTES - 1));
    assigns *row;
*/
static inline void reloc_npu_read_row(const uint8_t *image, uint32_t at, uint32_t name,
                                      struct reloc_npu_row *row) {
    row->name = reloc_offset(name, RELOC_NPU_SEG_FLASH);
    row->flags = reloc_get_le32(image, at + RELOC_NPU_POOL_FLAGS);
    row->foff = reloc_get_le32(image, at + RELOC_NPU_POOL_FOFF);
    row->dst = reloc_get_le32(image, at + RELOC_NPU_POOL_DST);
    row->size = reloc_get_le32(image, at + RELOC_NPU_POOL_SIZE);
}

/*
 * Reads the row at an offset of the file, checks it, and makes it the one behind count others.
 * Stops: an id given twice.
 */
/*@ requires \valid(v) && count < RELOC_NPU_POOLS_MAX && at % 4 == 0;
    requires at <= 2 * RELOC_OFFSET_MASK && reloc_npu_named(v) && reloc_npu_reach(v);
    requires \valid_read(v->base.image + (at .. at + RELOC_NPU_POOL_BYTES - 1));
    requires reloc_npu_rows(v, count);
    assigns v->params_need, v->param_0_base, v->has_ext_ram, v->has_param_0, v->rows[count];
    ensures reloc_code(\result) && reloc_npu_reach(v) && reloc_npu_named(v);
    ensures v->pools == \old(v->pools) && v->base.ro_bytes == \old(v->base.ro_bytes);
    ensures v->base.data_end == \old(v->base.data_end);
    ensures \result == RELOC_OK ==> reloc_npu_row_ok(v, count);
    ensures \result == RELOC_OK ==> reloc_npu_rows(v, count);
    ensures \result == RELOC_OK ==> reloc_npu_rows(v, count + 1);
*/
static inline uint32_t reloc_npu_add_row(struct reloc_npu_view *v, uint32_t at, uint32_t name,
                                         uint32_t count) {
    struct reloc_npu_row *row = &v->rows[count];
    reloc_npu_read_row(v->base.image, at, name, row);
    uint32_t code = reloc_npu_check_row(v, row);
    if (code != RELOC_OK || !reloc_npu_row_is_relative(row))
        return code;
    if (RELOC_NPU_POOL_GET_ID(row->flags) == RELOC_NPU_POOL_ID_EXT_RAM) {
        if (v->has_ext_ram)
            return RELOC_N_POOL_ID;
        v->has_ext_ram = true;
    } else {
        if (v->has_param_0)
            return RELOC_N_POOL_ID;
        v->has_param_0 = true;
    }
    return RELOC_OK;
}

/* Reads and checks the rows. Stops: a table that leaves the data or never ends. */
/*@ requires \valid(v) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires v->entry_count <= RELOC_NPU_ENTRY_COUNT_13;
    assigns v->pools, v->pool_count, v->params_need, v->param_0_base, v->has_ext_ram,
            v->has_param_0, v->uses_param_0, v->rows[0 .. RELOC_NPU_POOLS_MAX - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_table(v) && reloc_npu_reach(v);
    ensures \result == RELOC_OK ==> reloc_npu_rows(v, v->pool_count);
*/
static inline uint32_t reloc_npu_check_pools(struct reloc_npu_view *v) {
    const uint8_t *image = v->base.image;
    uint32_t pools =
        reloc_offset(reloc_get_le32(v->base.header, RELOC_NPU_HDR_POOLS), RELOC_NPU_SEG_RAM);
    v->pools = pools;
    v->params_need = v->param_0_base = 0;
    v->has_ext_ram = v->has_param_0 = v->uses_param_0 = false;
    if (pools % 4u != 0 || pools > v->base.data_end)
        return RELOC_N_POOLS;
    uint32_t at = v->base.ro_bytes + pools, end = v->base.ro_bytes + v->base.data_end, count = 0;
    //@ assert at == v->base.ro_bytes + pools && at % 4 == 0;
    //@ assert end == v->base.ro_bytes + v->base.data_end;
    //@ ghost uint32_t first = at;
    //@ ghost uint32_t readable = v->base.rel_end;
    //@ assert end <= readable && \valid_read(image + (0 .. readable - 1));
    /*@ loop invariant 0 <= count <= RELOC_NPU_POOLS_MAX && at % 4 == 0 && at <= end;
        loop invariant at == first + RELOC_NPU_POOL_BYTES * count;
        loop invariant v->pools == pools && first == v->base.ro_bytes + pools;
        loop invariant end == v->base.ro_bytes + v->base.data_end;
        loop invariant reloc_npu_named(v) && reloc_npu_reach(v);
        loop invariant reloc_npu_rows(v, count);
        loop assigns at, count, v->pool_count, v->params_need, v->param_0_base,
                     v->has_ext_ram, v->has_param_0, v->rows[0 .. RELOC_NPU_POOLS_MAX - 1];
        loop variant end - at;
    */
    for (; end - at >= 4u; at += RELOC_NPU_POOL_BYTES, count++) {
        uint32_t name = reloc_get_le32(image, at + RELOC_NPU_POOL_NAME);
        v->pool_count = count;
        if (name == 0)
            return RELOC_OK;
        if (end - at < RELOC_NPU_POOL_BYTES || count == RELOC_NPU_POOLS_MAX)
            return RELOC_N_POOLS;
        uint32_t code = reloc_npu_add_row(v, at, name, count);
        if (code != RELOC_OK)
            return code;
    }
    return RELOC_N_POOLS;
}

#endif
