/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a Neural-ART image that an installation rebases: their check, and how they are
 * written. Part of reloc_npu_core.h.
 */
#ifndef RELOC_NPU_WORDS_H
#define RELOC_NPU_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "reloc_core.h"
#include "reloc_format.h"
#include "reloc_npu_header.h"
#include "reloc_npu_pools.h"

/* An installation: the addresses of offset 0 of the segments, and the copy of the file. */
struct reloc_npu_bases {
    uint32_t rom;
    uint32_t ram;
    uint32_t param_0;
    uint32_t param_1;
    uint32_t first; /* file: what copy[0] is a copy of: 0 in COPY mode, ro_bytes in XIP mode */
    uint8_t *copy;  /* NULL: nothing is installed, words are only checked */
};

/*@ predicate reloc_npu_leads(integer word, integer address, integer segment, integer base,
                              integer room) =
      \let offset = word % (RELOC_OFFSET_MASK + 1);
      word == segment + offset && offset <= room && address == (uint32_t)(base + offset);
    predicate reloc_npu_resolved(struct reloc_npu_view *v, struct reloc_npu_bases *to,
                                 integer word, integer address) =
      word == 0 && address == 0 ||
      reloc_npu_leads(word, address, RELOC_NPU_SEG_FLASH, to->rom, v->base.ro_bytes) ||
      reloc_npu_leads(word, address, RELOC_NPU_SEG_RAM, to->ram, v->base.bss_end) ||
      reloc_npu_leads(word, address, RELOC_NPU_SEG_PARAM_0, to->param_0,
                      v->params_need - v->param_0_base) && v->uses_param_0 != 0 ||
      reloc_npu_leads(word, address, RELOC_NPU_SEG_PARAM_1, to->param_1, v->ext_ram_size) &&
        v->has_ext_ram != 0;
*/

/*
 * The address that a word stands for; false if it leads out of the image and its memory. 0 stays 0.
 * The end of a part is also allowed, because C has pointers one past the last element. Stops: words
 * for the external RAM in an image without a pool there, because then nobody has to provide any.
 * The reach of words into the params is recorded while they are checked, and is the bound when they
 * are installed.
 */
/*@ requires \valid(v) && \valid_read(to) && \valid(address) && reloc_npu_reach(v);
    requires \separated(address, v) && \separated(address, to) && \separated(v, to);
    assigns *address, v->params_need, v->uses_param_0;
    ensures v->params_need >= \old(v->params_need) && v->param_0_base <= v->params_need;
    ensures to->copy != \null ==> v->params_need == \old(v->params_need);
    ensures \result ==> reloc_npu_reach(v);
    ensures \result ==> reloc_npu_resolved(v, to, word, *address);
    ensures \old(v->uses_param_0) != 0 ==> v->uses_param_0 != 0;
*/
static inline bool reloc_npu_resolve(struct reloc_npu_view *v, const struct reloc_npu_bases *to,
                                     uint32_t word, uint32_t *address) {
    uint32_t offset = word % (RELOC_OFFSET_MASK + 1u), base = 0, room = 0;
    switch (word - offset) {
    case RELOC_NPU_SEG_FLASH:
        base = to->rom;
        room = v->base.ro_bytes;
        break;
    case RELOC_NPU_SEG_RAM:
        base = to->ram;
        room = v->base.bss_end;
        break;
    case RELOC_NPU_SEG_PARAM_0:
        base = to->param_0;
        /* has more than 28 bits if it is not known */
        room = (to->copy != NULL ? v->params_need : v->params_room) - v->param_0_base;
        v->uses_param_0 = true;
        if (to->copy == NULL && v->param_0_base + offset > v->params_need)
            v->params_need = v->param_0_base + offset;
        break;
    case RELOC_NPU_SEG_PARAM_1:
        base = to->param_1;
        room = v->ext_ram_size;
        if (!v->has_ext_ram)
            return false;
        break;
    default:
        offset = word;
    }
    *address = base + offset;
    return offset <= room;
}

/*@ logic integer reloc_npu_copied(struct reloc_npu_view *v, struct reloc_npu_bases *to) =
      to->copy == \null ? 0 : v->base.ro_bytes + v->base.got_end - to->first;
    predicate reloc_npu_installs(struct reloc_npu_view *v, struct reloc_npu_bases *to) =
      to->first <= v->base.ro_bytes && to->first % 4 == 0 &&
      \valid(to->copy + (0 .. reloc_npu_copied(v, to) - 1)) &&
      \separated(to->copy + (0 .. reloc_npu_copied(v, to) - 1), v, to) && \separated(v, to);
*/

/*
 * Rebases the word at an offset of the file that is known to be in the copy. Stops: a word that
 * leads out, and a word of the copy that is not the file's, because it was rebased already (a list
 * that is not sorted may name it twice) or changed after it was copied.
 */
/*@ requires \valid(v) && \valid_read(to) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires reloc_npu_reach(v) && reloc_npu_installs(v, to);
    requires at % 4 == 0 && to->first <= at && at + 4 <= v->base.ro_bytes + v->base.got_end;
    assigns v->params_need, v->uses_param_0, to->copy[0 .. reloc_npu_copied(v, to) - 1];
    ensures \result ==> reloc_npu_reach(v);
    ensures to->copy != \null ==> v->params_need == \old(v->params_need);
    ensures v->params_need >= \old(v->params_need);
*/
static inline bool reloc_npu_rebase(struct reloc_npu_view *v, const struct reloc_npu_bases *to,
                                    uint32_t at) {
    uint32_t word = reloc_get_le32(v->base.image, at), address;
    if (!reloc_npu_resolve(v, to, word, &address))
        return false;
    if (to->copy == NULL)
        return true;
    if (reloc_get_le32(to->copy, at - to->first) != word)
        return false;
    reloc_put_le32(to->copy, at - to->first, address);
    return true;
}

/*
 * All words to rebase: those of the GOT, then those that REL lists. Stops: writes outside the data
 * and (in COPY mode) the code, into the GOT, into the header, or across two words.
 */
/*@ requires \valid(v) && \valid_read(to) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires reloc_npu_vector(v) && v->base.data_end >= RELOC_NPU_CTX_BYTES;
    requires reloc_npu_reach(v) && reloc_npu_installs(v, to);
    assigns v->params_need, v->uses_param_0, v->needs_copy,
            to->copy[0 .. reloc_npu_copied(v, to) - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_reach(v);
    ensures to->copy != \null ==> v->params_need == \old(v->params_need);
    ensures v->params_need >= \old(v->params_need);
*/
static inline uint32_t reloc_npu_rebase_all(struct reloc_npu_view *v,
                                            const struct reloc_npu_bases *to) {
    const struct reloc_view *b = &v->base;
    //@ ghost uint8_t *copy = to->copy;
    //@ ghost uint32_t bytes = b->ro_bytes + b->got_end - to->first;
    //@ ghost uint32_t copied = to->copy == NULL ? 0 : bytes;
    //@ assert copied == reloc_npu_copied(v, to);
    /*@ loop invariant v->base.got_start <= at <= v->base.got_end && at % 4 == 0;
        loop invariant reloc_npu_reach(v) && v->params_need >= \at(v->params_need, Pre);
        loop invariant to->copy != \null ==> v->params_need == \at(v->params_need, Pre);
        loop invariant to->copy == copy && to->first == \at(to->first, Pre);
        loop invariant v->base.ro_bytes == \at(v->base.ro_bytes, Pre);
        loop invariant v->base.got_end == \at(v->base.got_end, Pre);
        loop assigns at, v->params_need, v->uses_param_0, copy[0 .. copied - 1];
        loop variant v->base.got_end - at;
    */
    for (uint32_t at = b->got_start; at < b->got_end; at += 4u)
        if (!reloc_npu_rebase(v, to, b->ro_bytes + at))
            return RELOC_N_GOT_WORD;
    v->needs_copy = false;
    /*@ loop invariant v->base.rel_start <= at <= v->base.rel_end && at % 4 == 0;
        loop invariant reloc_npu_reach(v) && v->params_need >= \at(v->params_need, Pre);
        loop invariant to->copy != \null ==> v->params_need == \at(v->params_need, Pre);
        loop invariant to->copy == copy && to->first == \at(to->first, Pre);
        loop invariant v->base.ro_bytes == \at(v->base.ro_bytes, Pre);
        loop invariant v->base.got_end == \at(v->base.got_end, Pre);
        loop assigns at, v->params_need, v->uses_param_0, v->needs_copy,
                     copy[0 .. copied - 1];
        loop variant v->base.rel_end - at;
    */
    for (uint32_t at = b->rel_start; at < b->rel_end; at += 4u) {
        uint32_t entry = reloc_get_le32(b->image, at);
        uint32_t place = reloc_offset(entry, RELOC_NPU_SEG_RAM);
        if (place <= b->data_end - 4u) {
            place += b->ro_bytes;
        } else {
            place = reloc_offset(entry, RELOC_NPU_SEG_FLASH);
            v->needs_copy = true;
            if (place < reloc_npu_header_bytes(v) || place > b->ro_bytes - 4u)
                return RELOC_N_REL_ENTRY;
        }
        if (place % 4u != 0 || place < to->first)
            return RELOC_N_REL_ENTRY;
        if (!reloc_npu_rebase(v, to, place))
            return RELOC_N_REL_WORD;
    }
    return RELOC_OK;
}

#endif
