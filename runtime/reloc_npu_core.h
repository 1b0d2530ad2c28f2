/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structural check of a relocatable Neural-ART image (version 8.0) and of its params file. In:
 * bytes, none of them trusted, and their number. Out: a struct reloc_npu_view of offsets that are
 * all known to be in bounds, or one code of reloc_errors.def. Nothing is written, allocated or
 * called. reloc_core.h holds what this image has in common with the Cortex-M image.
 */
#ifndef RELOC_NPU_CORE_H
#define RELOC_NPU_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "reloc_core.h"
#include "reloc_format.h"
#include "reloc_npu_header.h"
#include "reloc_npu_pools.h"

/* ---- words to rebase ---- */

/* An installation: the addresses of offset 0 of the segments, and the copy of the file. */
struct reloc_npu_bases {
    uint32_t rom;
    uint32_t ram;
    uint32_t param_0;
    uint32_t param_1;
    uint32_t first;  /* file: what words[0] is a copy of: 0 in COPY mode, ro_bytes in XIP mode */
    uint32_t *words; /* NULL: nothing is installed, words are only checked */
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
    ensures to->words != \null ==> v->params_need == \old(v->params_need);
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
        room = (to->words != NULL ? v->params_need : v->params_room) - v->param_0_base;
        v->uses_param_0 = true;
        if (to->words == NULL && v->param_0_base + offset > v->params_need)
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
      to->words == \null ? 0 : (v->base.ro_bytes + v->base.got_end - to->first) / 4;
    predicate reloc_npu_installs(struct reloc_npu_view *v, struct reloc_npu_bases *to) =
      to->first <= v->base.ro_bytes && to->first % 4 == 0 &&
      \valid(to->words + (0 .. reloc_npu_copied(v, to) - 1)) &&
      \separated(to->words + (0 .. reloc_npu_copied(v, to) - 1), v, to) && \separated(v, to);
*/

/*
 * Rebases the word at an offset of the file that is known to be in the copy. Stops: a word that
 * leads out, and a word of the copy that is not the file's, because it was rebased already (a list
 * that is not sorted may name it twice) or changed after it was copied.
 */
/*@ requires \valid(v) && \valid_read(to) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires reloc_npu_reach(v) && reloc_npu_installs(v, to);
    requires at % 4 == 0 && to->first <= at && at + 4 <= v->base.ro_bytes + v->base.got_end;
    assigns v->params_need, v->uses_param_0, to->words[0 .. reloc_npu_copied(v, to) - 1];
    ensures \result ==> reloc_npu_reach(v);
    ensures to->words != \null ==> v->params_need == \old(v->params_need);
    ensures v->params_need >= \old(v->params_need);
*/
static inline bool reloc_npu_rebase(struct reloc_npu_view *v, const struct reloc_npu_bases *to,
                                    uint32_t at) {
    uint32_t word = reloc_get_le32(v->base.image, at), address;
    if (!reloc_npu_resolve(v, to, word, &address))
        return false;
    if (to->words == NULL)
        return true;
    uint32_t *copy = &to->words[(at - to->first) / 4u];
    if (*copy != word)
        return false;
    *copy = address;
    return true;
}

/*
 * All words to rebase: those of the GOT, then those that REL lists. Stops: writes outside the data
 * and (in COPY mode) the code, into the GOT, into the header, or across two words.
 */
/*@ requires \valid(v) && \valid_read(to) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires reloc_npu_entries(v) && v->base.data_end >= RELOC_NPU_CTX_BYTES;
    requires reloc_npu_reach(v) && reloc_npu_installs(v, to);
    assigns v->params_need, v->uses_param_0, v->needs_copy,
            to->words[0 .. reloc_npu_copied(v, to) - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_reach(v);
    ensures to->words != \null ==> v->params_need == \old(v->params_need);
    ensures v->params_need >= \old(v->params_need);
*/
static inline uint32_t reloc_npu_rebase_all(struct reloc_npu_view *v,
                                            const struct reloc_npu_bases *to) {
    const struct reloc_view *b = &v->base;
    //@ ghost uint32_t *words = to->words;
    //@ ghost uint32_t bytes = b->ro_bytes + b->got_end - to->first;
    //@ ghost uint32_t copied = to->words == NULL ? 0 : bytes / 4;
    //@ assert copied == reloc_npu_copied(v, to);
    /*@ loop invariant v->base.got_start <= at <= v->base.got_end && at % 4 == 0;
        loop invariant reloc_npu_reach(v) && v->params_need >= \at(v->params_need, Pre);
        loop invariant to->words != \null ==> v->params_need == \at(v->params_need, Pre);
        loop invariant to->words == words && to->first == \at(to->first, Pre);
        loop invariant v->base.ro_bytes == \at(v->base.ro_bytes, Pre);
        loop invariant v->base.got_end == \at(v->base.got_end, Pre);
        loop assigns at, v->params_need, v->uses_param_0, words[0 .. copied - 1];
        loop variant v->base.got_end - at;
    */
    for (uint32_t at = b->got_start; at < b->got_end; at += 4u)
        if (!reloc_npu_rebase(v, to, b->ro_bytes + at))
            return RELOC_N_GOT_WORD;
    v->needs_copy = false;
    /*@ loop invariant v->base.rel_start <= at <= v->base.rel_end && at % 4 == 0;
        loop invariant reloc_npu_reach(v) && v->params_need >= \at(v->params_need, Pre);
        loop invariant to->words != \null ==> v->params_need == \at(v->params_need, Pre);
        loop invariant to->words == words && to->first == \at(to->first, Pre);
        loop invariant v->base.ro_bytes == \at(v->base.ro_bytes, Pre);
        loop invariant v->base.got_end == \at(v->base.got_end, Pre);
        loop assigns at, v->params_need, v->uses_param_0, v->needs_copy,
                     words[0 .. copied - 1];
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

/* ---- integrity ---- */

/*@ predicate reloc_npu_params_crc(uint8_t *params, integer size, integer bytes, integer crc) =
      reloc_crc(0, params, bytes) == crc && (size == bytes || reloc_fill(params, size, bytes)) ||
      reloc_crc(0, params + (size - bytes), bytes) == crc;
*/

/*
 * Params without a trailer. The CRC covers params_bin_size bytes: the first ones, with only fill
 * behind them, or the last ones, because the vendor's packager does not count the ecblobs that it
 * puts in front. The caller has compared the sizes.
 */
/*@ requires \valid_read(v) && v->params_bin_size <= size;
    requires \valid_read(params + (0 .. size - 1));
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==>
      reloc_npu_params_crc(params, size, v->params_bin_size, v->params_bin_crc32);
*/
static inline uint32_t reloc_npu_check_params_crc(const struct reloc_npu_view *v,
                                                  const uint8_t *params, uint32_t size) {
    uint32_t bytes = v->params_bin_size;
    uint32_t more = size - bytes;
    if (reloc_crc32(0, params, bytes) == v->params_bin_crc32)
        return more == 0 || reloc_is_fill(params, size, bytes) ? RELOC_OK : RELOC_N_TRAILER;
    return more != 0 && reloc_crc32(0, params + more, bytes) == v->params_bin_crc32
               ? RELOC_OK
               : RELOC_N_PARAMS_CRC;
}

/*@ predicate reloc_npu_integrity(struct reloc_npu_view *v) =
      v->base.trailer == 0
        ? !RELOC_REQUIRE_TRAILER
        : reloc_trailer(v->base.image, v->base.size, v->base.trailer, RELOC_TRL_IMAGE) &&
          reloc_crcs(&v->base, reloc_npu_header_size(v->entry_count));
*/

/* The trailer; without one, the CRC of params in the file, or the fill behind the image. */
/*@ requires \valid(v) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES) && reloc_npu_entries(v);
    requires reloc_npu_layout(v) && reloc_npu_trailer_place(v);
    requires reloc_readable(v->base.image, v->base.size, &v->base.header[0]);
    assigns v->base.crc_ro, v->base.crc_data;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_integrity(v);
*/
static inline uint32_t reloc_npu_check_integrity(struct reloc_npu_view *v) {
    struct reloc_view *b = &v->base;
    if (b->trailer != 0) {
        uint32_t code = reloc_check_trailer_at(b->image, b->size, b->trailer, RELOC_TRL_IMAGE);
        return code != RELOC_OK ? code : reloc_check_crc(b, reloc_npu_header_bytes(v));
    }
    if (RELOC_REQUIRE_TRAILER)
        return RELOC_N_NO_TRAILER;
    if (b->size == RELOC_SIZE_UNKNOWN)
        return RELOC_OK;
    if (v->params_start != 0)
        return reloc_npu_check_params_crc(v, b->image + v->params_start, v->params_room);
    return b->size == b->rel_end || reloc_is_fill(b->image, b->size, b->rel_end) ? RELOC_OK
                                                                                 : RELOC_N_TRAILER;
}

/* ---- the whole check ---- */

/*@ predicate reloc_npu_same_word{A, B}(uint8_t *image, integer at) =
      \at(reloc_le32(image, at), A) == \at(reloc_le32(image, at), B);
*/

/*@ predicate reloc_npu_copied_word(struct reloc_npu_view *v, integer at) =
      reloc_le32(&v->base.header[0], at) == reloc_le32(v->base.image, at);
    // what an installation relies on
    predicate reloc_npu_view_ok(struct reloc_npu_view *v) =
      reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES) && v->base.ro_bytes % RELOC_NPU_ALIGN == 0 &&
      reloc_npu_entries(v) && reloc_npu_context(v) && reloc_npu_layout(v);
    predicate reloc_npu_pools_ok(struct reloc_npu_view *v) =
      reloc_npu_table(v) && reloc_npu_reach(v) && reloc_npu_rows(v, v->pool_count);
    predicate reloc_npu_checked(struct reloc_npu_view *v) =
      reloc_npu_view_ok(v) && reloc_npu_pools_ok(v) && reloc_npu_trailer_place(v) &&
      reloc_npu_integrity(v);
*/

/* Everything but magic and version, which the caller has checked. */
/*@ requires \valid(view);
    requires reloc_npu_readable(view->base.image, view->base.size, &view->base.header[0]);
    requires \separated(view, view->base.image + (0 .. RELOC_NPU_HDR_BYTES_13 - 1));
    requires view->base.size == RELOC_SIZE_UNKNOWN ==>
      \let at = reloc_npu_size_at(view->base.image, &view->base.header[0]);
      \separated(view, view->base.image + (at .. at + 3));
    assigns *view;
    ensures reloc_code(\result);
    ensures view->base.image == \old(view->base.image) && view->base.size == \old(view->base.size);
    ensures \result == RELOC_OK ==> reloc_npu_checked(view);
*/
static inline uint32_t reloc_npu_check_parts(struct reloc_npu_view *view) {
    static const struct reloc_npu_bases none = {0, 0, 0, 0, 0, NULL};
    uint32_t code;
    if ((code = reloc_check_order(&view->base, RELOC_NPU_SEG_RAM, RELOC_NPU_HDR_BYTES)) !=
            RELOC_OK ||
        (code = reloc_npu_check_entries(view)) != RELOC_OK)
        return code;
    if (view->base.ro_bytes % RELOC_NPU_ALIGN != 0)
        return RELOC_N_CODE;
    if ((code = reloc_npu_check_context(view)) != RELOC_OK)
        return code;
    /*@ assert reloc_le32(&view->base.header[0], RELOC_HDR_REL_END) ==
          \at(reloc_le32(&view->base.header[0], RELOC_HDR_REL_END), Pre); */
    /*@ assert reloc_le32(&view->base.header[0], RELOC_HDR_WEIGHTS_END) ==
          \at(reloc_le32(&view->base.header[0], RELOC_HDR_WEIGHTS_END), Pre); */
    //@ ghost uint32_t ctx_at = view->base.ro_bytes + view->base.ctx;
    //@ ghost uint32_t size_at = ctx_at + RELOC_NPU_CTX_PARAMS_BIN_SIZE;
    /*@ assert view->base.size == RELOC_SIZE_UNKNOWN ==>
          reloc_le32(view->base.image, size_at) ==
            \at(reloc_le32(view->base.image, \at(size_at, Here)), Pre); */
    if ((code = reloc_npu_check_layout(view)) != RELOC_OK ||
        (code = reloc_npu_check_pools(view)) != RELOC_OK)
        return code;
    if ((code = reloc_npu_rebase_all(view, &none)) != RELOC_OK)
        return code;
    //@ assert reloc_npu_rows(view, view->pool_count);
    return reloc_npu_check_integrity(view);
}

/*@ requires \valid(view) && reloc_npu_readable(image, size, image);
    requires \separated(view, image + (0 .. RELOC_NPU_HDR_BYTES_13 - 1));
    requires size == RELOC_SIZE_UNKNOWN ==>
      \separated(view, image + (reloc_npu_size_at(image, image) ..
                               reloc_npu_size_at(image, image) + 3));
    assigns *view;
    ensures reloc_code(\result);
    ensures view->base.image == image && view->base.size == size;
    ensures \result == RELOC_OK ==> reloc_npu_checked(view);
*/
static inline uint32_t reloc_npu_check_image(const uint8_t *image, uint32_t size,
                                             struct reloc_npu_view *view) {
    view->base.image = image;
    view->base.size = size;
    uint32_t code = reloc_check_identity(&view->base, RELOC_NPU_HDR_BYTES, RELOC_NPU_MAJOR);
    if (code != RELOC_OK)
        return code;
    //@ assert reloc_npu_copied_word(view, RELOC_HDR_DATA_DATA);
    //@ assert reloc_npu_copied_word(view, RELOC_NPU_HDR_PARAMS_OFFSET);
    //@ assert reloc_npu_copied_word(view, RELOC_NPU_HDR_BYTES - 4);
    //@ assert reloc_npu_same_word{Pre, Here}(image, RELOC_HDR_DATA_DATA);
    //@ assert reloc_npu_same_word{Pre, Here}(image, RELOC_NPU_HDR_PARAMS_OFFSET);
    //@ assert reloc_npu_same_word{Pre, Here}(image, RELOC_NPU_HDR_BYTES - 4);
    //@ assert reloc_npu_same_word{Pre, Here}(image, RELOC_NPU_HDR_BYTES_13 - 4);
    /*@ assert reloc_npu_size_at(image, &view->base.header[0]) ==
          \at(reloc_npu_size_at(image, image), Pre); */
    /*@ assert size == RELOC_SIZE_UNKNOWN ==>
          reloc_le32(image, \at(reloc_npu_size_at(image, image), Pre)) ==
            \at(reloc_le32(image, reloc_npu_size_at(image, image)), Pre); */
    /*@ assert size == RELOC_SIZE_UNKNOWN ==>
          reloc_npu_params_end(image, &view->base.header[0]) ==
            \at(reloc_npu_params_end(image, image), Pre); */
    return reloc_npu_check_parts(view);
}

/*
 * Checks size bytes at image and fills view (valid only on RELOC_OK). size may be
 * RELOC_SIZE_UNKNOWN: then params in the image are bounded only by their addresses. Returns
 * RELOC_OK, or a negative enum reloc_error from RELOC_E_TRUNCATED to RELOC_E_NO_TRAILER or from
 * RELOC_E_POOLS to RELOC_E_PARAMS_CRC. Time: linear, plus a pass over the params. A word that REL
 * lists twice is found only when it is installed, as in reloc_core_check.
 */
/*@ requires \valid(view) && reloc_npu_readable(image, size, image);
    requires \separated(view, image + (0 .. RELOC_NPU_HDR_BYTES_13 - 1));
    requires size == RELOC_SIZE_UNKNOWN ==>
      \separated(view, image + (reloc_npu_size_at(image, image) ..
                               reloc_npu_size_at(image, image) + 3));
    assigns *view;
    ensures \result == RELOC_OK ==> reloc_npu_checked(view);
*/
static inline int32_t reloc_npu_check(const uint8_t *image, uint32_t size,
                                      struct reloc_npu_view *view) {
    return reloc_result(reloc_npu_check_image(image, size, view));
}

/*@ predicate reloc_npu_apart(struct reloc_npu_view *v) =
      v->base.trailer != 0 &&
      reloc_le32(v->base.image, v->base.trailer + RELOC_TRL_FLAGS) % 2 == RELOC_TRL_SPLIT;
    predicate reloc_npu_same_build(uint8_t *a, uint8_t *b, integer end) =
      \forall integer i; RELOC_TRL_BUILD_ID <= i < end ==> a[i] == b[i];
    predicate reloc_npu_params_trailer(struct reloc_npu_view *v, uint8_t *params, integer size) =
      \let at = reloc_round16(v->params_bin_size);
      reloc_trailer(params, size, at, RELOC_TRL_WEIGHTS) &&
      reloc_le32(params, at + RELOC_TRL_CRC32) == reloc_crc(0, params, at) &&
      reloc_le32(params, at + RELOC_TRL_WEIGHTS_CRC32) == v->params_bin_crc32 &&
      reloc_npu_same_build(params + at, v->base.image + v->base.trailer, RELOC_TRL_WEIGHTS_LENGTH);
    // of params whose size nobody gave, what the context and a trailer declare
    predicate reloc_npu_params_readable(struct reloc_npu_view *v, uint8_t *params, integer size) =
      size < RELOC_SIZE_UNKNOWN
        ? \valid_read(params + (0 .. size - 1))
        : RELOC_REQUIRE_TRAILER &&
          \valid_read(params +
                      (0 .. reloc_round16(v->params_bin_size) + RELOC_TRL_BYTES - 1));
*/

/* The trailer of a params file that was written with an image whose trailer says "apart". */
/*@ requires \valid_read(v) && v->params_bin_size <= RELOC_OFFSET_MASK && v->base.trailer != 0;
    requires v->params_bin_size <= size && reloc_npu_trailer_place(v);
    requires reloc_npu_params_readable(v, params, size);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_params_trailer(v, params, size);
*/
static inline uint32_t reloc_npu_check_params_trailer(const struct reloc_npu_view *v,
                                                      const uint8_t *params, uint32_t size) {
    uint32_t at = reloc_weights_trailer(v->params_bin_size);
    if (size <= at)
        return RELOC_N_NO_TRAILER;
    uint32_t code = reloc_check_trailer_at(params, size, at, RELOC_TRL_WEIGHTS);
    if (code != RELOC_OK)
        return code;
    if (reloc_get_le32(params, at + RELOC_TRL_CRC32) != reloc_crc32(0, params, at))
        return RELOC_N_CRC;
    if (reloc_get_le32(params, at + RELOC_TRL_WEIGHTS_CRC32) != v->params_bin_crc32)
        return RELOC_N_PARAMS_CRC;
    const uint8_t *trailer = params + at, *image_trailer = v->base.image + v->base.trailer;
    /*@ loop invariant RELOC_TRL_BUILD_ID <= i <= RELOC_TRL_WEIGHTS_LENGTH;
        loop invariant reloc_npu_same_build(trailer, image_trailer, i);
        loop assigns i;
        loop variant RELOC_TRL_WEIGHTS_LENGTH - i;
    */
    for (uint32_t i = RELOC_TRL_BUILD_ID; i < RELOC_TRL_WEIGHTS_LENGTH; i++) {
        if (trailer[i] != image_trailer[i])
            return RELOC_N_BUILD_ID;
        //@ assert trailer[i] == image_trailer[i];
        //@ assert reloc_npu_same_build(trailer, image_trailer, i + 1);
    }
    return RELOC_OK;
}

/*@ predicate reloc_npu_params_ok(struct reloc_npu_view *v, uint8_t *params, integer size) =
      v->params_bin_size <= size && v->params_need <= size &&
      (reloc_npu_apart(v) ==> reloc_npu_params_trailer(v, params, size));
*/

/*@ requires \valid_read(view) && reloc_npu_sizes(view) && reloc_npu_trailer_place(view);
    requires reloc_npu_params_readable(view, params, size);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_params_ok(view, params, size);
*/
static inline uint32_t reloc_npu_check_params_file(const struct reloc_npu_view *view,
                                                   const uint8_t *params, uint32_t size) {
    const struct reloc_view *b = &view->base;
    if (size < view->params_bin_size || size < view->params_need)
        return RELOC_N_PARAMS_SIZE;
    if (b->trailer != 0 &&
        reloc_get_le32(b->image, b->trailer + RELOC_TRL_FLAGS) % 2u == RELOC_TRL_SPLIT)
        return reloc_npu_check_params_trailer(view, params, size);
    if (RELOC_REQUIRE_TRAILER && size == RELOC_SIZE_UNKNOWN)
        size = view->params_bin_size;
    return reloc_npu_check_params_crc(view, params, size);
}

/*
 * Checks size bytes of params that are not in the image against the image, which reloc_npu_check
 * has accepted. If the image's trailer says that the params are apart, they must have a trailer of
 * the same build; otherwise their CRC is compared. Returns RELOC_OK, RELOC_E_PARAMS_SIZE (shorter
 * than the model needs), RELOC_E_PARAMS_CRC, RELOC_E_NO_TRAILER, RELOC_E_TRAILER,
 * RELOC_E_TRUNCATED, RELOC_E_CRC or RELOC_E_BUILD_ID.
 */
/*@ requires \valid_read(view) && reloc_npu_sizes(view) && reloc_npu_trailer_place(view);
    requires reloc_npu_params_readable(view, params, size);
    assigns \nothing;
    ensures \result == RELOC_OK ==> reloc_npu_params_ok(view, params, size);
*/
static inline int32_t reloc_npu_check_params(const struct reloc_npu_view *view,
                                             const uint8_t *params, uint32_t size) {
    return reloc_result(reloc_npu_check_params_file(view, params, size));
}

/* ---- what an installation needs ---- */

/* Bytes of RAM: data, GOT and bss, and in COPY mode the read-only part before them. */
/*@ requires \valid_read(v) && v->base.bss_end <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures \result == reloc_npu_rounded(v->base.bss_end) && v->base.bss_end <= \result;
*/
static inline uint32_t reloc_npu_ram_xip(const struct reloc_npu_view *v) {
    return reloc_npu_round8(v->base.bss_end);
}

/*@ requires \valid_read(v) && v->base.bss_end <= RELOC_OFFSET_MASK;
    requires v->base.ro_bytes <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures \result == reloc_npu_rounded(v->base.bss_end) + v->base.ro_bytes;
*/
static inline uint32_t reloc_npu_ram_copy(const struct reloc_npu_view *v) {
    return reloc_npu_ram_xip(v) + v->base.ro_bytes;
}

#endif
