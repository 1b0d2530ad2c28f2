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
#include "reloc_npu_words.h"

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
    requires reloc_npu_rows(v, v->pool_count);
    assigns v->base.crc_ro, v->base.crc_data;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_integrity(v);
    ensures \result == RELOC_OK ==> reloc_npu_rows(v, v->pool_count);
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
      \at(image[at], A) == \at(image[at], B) &&
      \at(image[at + 1], A) == \at(image[at + 1], B) &&
      \at(image[at + 2], A) == \at(image[at + 2], B) &&
      \at(image[at + 3], A) == \at(image[at + 3], B);
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

/*
 * What comes before the params: the parts, the entries and the context. Of an image whose size
 * nobody gave, the context says how far params, and so a trailer behind them, can be read.
 */
/*@ requires \valid(v);
    requires reloc_npu_readable(v->base.image, v->base.size, &v->base.header[0]);
    requires \separated(v, v->base.image + (0 .. RELOC_NPU_HDR_BYTES_13 - 1));
    requires v->base.size == RELOC_SIZE_UNKNOWN ==>
      \let at = reloc_npu_size_at(v->base.image, &v->base.header[0]);
      \separated(v, v->base.image + (at .. at + 3));
    assigns *v;
    ensures reloc_code(\result);
    ensures v->base.image == \old(v->base.image) && v->base.size == \old(v->base.size);
    ensures \result == RELOC_OK ==>
      reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES) && v->base.ro_bytes % RELOC_NPU_ALIGN == 0;
    ensures \result == RELOC_OK ==> reloc_npu_entries(v);
    ensures \result == RELOC_OK ==> reloc_npu_context(v);
    ensures \result == RELOC_OK ==>
      reloc_says(&v->base.header[0], RELOC_HDR_REL_END, RELOC_SEG_FLASH, v->base.rel_end);
    ensures reloc_readable(v->base.image, v->base.size, &v->base.header[0]);
    ensures \result == RELOC_OK ==> reloc_npu_room(v);
*/
static inline uint32_t reloc_npu_check_start(struct reloc_npu_view *v) {
    uint32_t code = reloc_check_order(&v->base, RELOC_NPU_SEG_RAM, RELOC_NPU_HDR_BYTES);
    if (code != RELOC_OK || (code = reloc_npu_check_entries(v)) != RELOC_OK)
        return code;
    /*@ assert v->base.size == RELOC_SIZE_UNKNOWN ==>
          reloc_npu_same_word{Pre, Here}(
            v->base.image, \at(reloc_npu_size_at(v->base.image, &v->base.header[0]), Pre)); */
    /*@ assert v->base.ro_bytes ==
          \at(reloc_word_of(&v->base, RELOC_HDR_DATA_DATA) % (RELOC_OFFSET_MASK + 1), Pre); */
    /*@ assert v->base.ctx <= RELOC_OFFSET_MASK ==>
          v->base.ctx == \at(reloc_npu_ctx_word(v->base.image, &v->base.header[0]) %
                                (RELOC_OFFSET_MASK + 1), Pre); */
    /*@ assert v->base.ctx <= RELOC_OFFSET_MASK ==>
          v->base.ro_bytes + v->base.ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE ==
            \at(reloc_npu_size_at(v->base.image, &v->base.header[0]), Pre); */
    /*@ assert v->base.ctx <= RELOC_OFFSET_MASK && v->base.size == RELOC_SIZE_UNKNOWN ==>
          reloc_le32(v->base.image,
                     v->base.ro_bytes + v->base.ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE) ==
            \at(reloc_le32(v->base.image,
                          reloc_npu_size_at(v->base.image, &v->base.header[0])), Pre); */
    if (v->base.ro_bytes % RELOC_NPU_ALIGN != 0)
        return RELOC_N_CODE;
    code = reloc_npu_check_context(v);
    /*@ assert code == RELOC_OK && v->base.size == RELOC_SIZE_UNKNOWN ==>
          reloc_word_of(&v->base, RELOC_NPU_HDR_PARAMS_OFFSET) % (RELOC_OFFSET_MASK + 1) +
              v->params_bin_size ==
            \at(reloc_npu_params_end(v->base.image, &v->base.header[0]), Pre); */
    return code;
}

/* The words to rebase, which are only read here. */
/*@ requires \valid(v) && reloc_bounds(&v->base, RELOC_NPU_HDR_BYTES);
    requires reloc_npu_vector(v) && v->base.data_end >= RELOC_NPU_CTX_BYTES;
    requires reloc_npu_reach(v) && reloc_npu_rows(v, v->pool_count);
    assigns v->params_need, v->uses_param_0, v->needs_copy;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_reach(v);
    ensures \result == RELOC_OK ==> reloc_npu_rows(v, v->pool_count);
*/
static inline uint32_t reloc_npu_check_words(struct reloc_npu_view *v) {
    static const struct reloc_npu_bases none = {0, 0, 0, 0, 0, NULL};
    return reloc_npu_rebase_all(v, &none);
}

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
    uint32_t code;
    if ((code = reloc_npu_check_start(view)) != RELOC_OK ||
        (code = reloc_npu_check_layout(view)) != RELOC_OK ||
        (code = reloc_npu_check_pools(view)) != RELOC_OK ||
        (code = reloc_npu_check_words(view)) != RELOC_OK)
        return code;
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
          \let at = \at(reloc_npu_size_at(image, image), Pre);
          image[at] == \at(image[at], Pre); */
    /*@ assert size == RELOC_SIZE_UNKNOWN ==>
          \let at = \at(reloc_npu_size_at(image, image), Pre) + 1;
          image[at] == \at(image[at], Pre); */
    /*@ assert size == RELOC_SIZE_UNKNOWN ==>
          \let at = \at(reloc_npu_size_at(image, image), Pre) + 2;
          image[at] == \at(image[at], Pre); */
    /*@ assert size == RELOC_SIZE_UNKNOWN ==>
          \let at = \at(reloc_npu_size_at(image, image), Pre) + 3;
          image[at] == \at(image[at], Pre); */
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

/* Whether two trailers are of the same build. */
/*@ requires \valid_read(a + (0 .. RELOC_TRL_BYTES - 1));
    requires \valid_read(b + (0 .. RELOC_TRL_BYTES - 1));
    assigns \nothing;
    ensures \result <==> reloc_npu_same_build(a, b, RELOC_TRL_WEIGHTS_LENGTH);
*/
static inline bool reloc_npu_is_same_build(const uint8_t *a, const uint8_t *b) {
    /*@ loop invariant RELOC_TRL_BUILD_ID <= i <= RELOC_TRL_WEIGHTS_LENGTH;
        loop invariant reloc_npu_same_build(a, b, i);
        loop assigns i;
        loop variant RELOC_TRL_WEIGHTS_LENGTH - i;
    */
    for (uint32_t i = RELOC_TRL_BUILD_ID; i < RELOC_TRL_WEIGHTS_LENGTH; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

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
    return reloc_npu_is_same_build(params + at, v->base.image + v->base.trailer) ? RELOC_OK
                                                                                 : RELOC_N_BUILD_ID;
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
