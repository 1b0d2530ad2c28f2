/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structural check of a relocatable image: bounded reading, ranges, words to rebase, trailer.
 * The whole check at the end is for the Cortex-M image; reloc_npu_core.h builds the Neural-ART
 * image's check from the same functions. They take what differs (RAM segment, size of the header)
 * as constants. In: the bytes of an image, none of them trusted, and their number. Out: a struct
 * reloc_view of offsets that are all known to be in bounds, or one code of reloc_errors.def.
 * Nothing is written except the copy of the data that is handed in to be rebased, and nothing is
 * allocated or called. The loader on the target, the host's image reader and the fuzzers include
 * this file. Offsets are 32-bit numbers and never turned into pointers without the image's base, so
 * it behaves the same on a 64-bit (little-endian) host.
 */
#ifndef RELOC_CORE_H
#define RELOC_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reloc_file.h"
#include "reloc_format.h"
#include "reloc_header.h"

/*@ predicate reloc_weights(struct reloc_view *v) =
      v->weights_start == 0 && v->weights_end == 0 && v->content_end >= v->rel_end ||
      v->rel_end <= v->weights_start < v->weights_end == v->content_end &&
      v->weights_start % 4 == 0 &&
      reloc_says(&v->header[0], RELOC_HDR_WEIGHTS_START, RELOC_SEG_FLASH, v->weights_start) &&
      reloc_says(&v->header[0], RELOC_HDR_WEIGHTS_END, RELOC_SEG_FLASH, v->weights_end);
    predicate reloc_content(struct reloc_view *v) =
      v->rel_end <= v->content_end <= v->size && v->content_end <= RELOC_OFFSET_MASK &&
      \valid_read(v->image + (0 .. v->content_end - 1)) &&
      (v->size == RELOC_SIZE_UNKNOWN && RELOC_REQUIRE_TRAILER ==>
         \valid_read(v->image + (0 .. v->content_end + 3 + RELOC_TRL_BYTES - 1)));
    predicate reloc_sections(struct reloc_view *v) =
      reloc_parts(v, RELOC_SEG_RAM) && reloc_bounds(v, RELOC_HDR_BYTES) && reloc_weights(v) &&
      reloc_content(v);
*/

/*
 * Both words are 0, or the range is empty: the weights are in a file of their own, or there are
 * none. Stops: weights elsewhere than at the end.
 */
/*@ requires \valid(v) && reloc_readable(v->image, v->size, &v->header[0]);
    requires reloc_parts(v, RELOC_SEG_RAM) && reloc_bounds(v, RELOC_HDR_BYTES);
    assigns v->weights_start, v->weights_end, v->content_end;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_parts(v, RELOC_SEG_RAM);
    ensures \result == RELOC_OK ==> reloc_bounds(v, RELOC_HDR_BYTES);
    ensures \result == RELOC_OK ==> reloc_weights(v);
    ensures \result == RELOC_OK ==> reloc_content(v);
*/
static inline uint32_t reloc_check_weights(struct reloc_view *v) {
    uint32_t start = reloc_get_le32(v->header, RELOC_HDR_WEIGHTS_START);
    uint32_t end = reloc_get_le32(v->header, RELOC_HDR_WEIGHTS_END);
    v->weights_start = v->weights_end = 0;
    v->content_end = v->rel_end;
    if (start == 0 && end == 0)
        return RELOC_OK;
    start = reloc_offset(start, RELOC_SEG_FLASH);
    end = reloc_offset(end, RELOC_SEG_FLASH);
    if (start < v->rel_end || start % 4u != 0 || end < start || end > RELOC_OFFSET_MASK)
        return RELOC_N_WEIGHTS;
    //@ assert end == reloc_word_of(v, RELOC_HDR_WEIGHTS_END) % (RELOC_OFFSET_MASK + 1);
    v->content_end = end;
    if (start != end) {
        v->weights_start = start;
        v->weights_end = end;
    }
    return end <= v->size ? RELOC_OK : RELOC_N_TRUNCATED;
}

/*@ predicate reloc_is_entry(integer word, integer header_bytes, integer ro_bytes) =
      \let entry = word - RELOC_SEG_FLASH; header_bytes <= entry < ro_bytes && entry % 2 != 0;
    predicate reloc_entries(uint8_t *header, integer end, integer header_bytes,
                            integer ro_bytes) =
      \forall integer at; RELOC_HDR_ENTRIES <= at < end && at % 4 == 0 ==>
        reloc_is_entry(reloc_le32(header, at), header_bytes, ro_bytes);
*/

/* Stops: entries outside the image, in the header, or in Arm state (a fault on every core). */
/*@ requires \valid_read(v) && v->ro_bytes <= RELOC_OFFSET_MASK;
    requires RELOC_HDR_ENTRIES + 4 * count <= RELOC_HDR_BYTES_MAX;
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==>
      reloc_entries(&v->header[0], RELOC_HDR_ENTRIES + 4 * count, header_bytes, v->ro_bytes);
*/
RELOC_INLINE uint32_t reloc_check_entries(const struct reloc_view *v, uint32_t count,
                                          uint32_t header_bytes) {
    const uint32_t end = RELOC_HDR_ENTRIES + 4u * count;
    /*@ loop invariant RELOC_HDR_ENTRIES <= at <= end && at % 4 == 0;
        loop invariant reloc_entries(&v->header[0], at, header_bytes, v->ro_bytes);
        loop assigns at;
        loop variant end - at;
    */
    for (uint32_t at = RELOC_HDR_ENTRIES; at < end; at += 4u) {
        uint32_t word = reloc_get_le32(v->header, at);
        uint32_t entry = reloc_offset(word, RELOC_SEG_FLASH);
        if (entry % 2u == 0 || entry < header_bytes || entry >= v->ro_bytes)
            return RELOC_N_ENTRY;
        //@ assert reloc_is_entry(word, header_bytes, v->ro_bytes);
    }
    return RELOC_OK;
}

/*@ predicate reloc_string(uint8_t *image, integer at, integer end) =
      \exists integer last; at <= last < end && image[last] == 0;
*/

/* Stops: a name that would be read past the read-only part. */
/*@ requires \valid_read(v) && \valid_read(v->image + (0 .. v->ro_bytes - 1));
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==>
      header_bytes <= at && reloc_string(v->image, at, v->ro_bytes);
*/
static inline uint32_t reloc_check_name(const struct reloc_view *v, uint32_t at,
                                        uint32_t header_bytes) {
    uint32_t i = at;
    if (i < header_bytes)
        return RELOC_N_NAME;
    /*@ loop invariant at <= i && (i <= v->ro_bytes || i == at);
        loop assigns i;
        loop variant v->ro_bytes - i;
    */
    while (i < v->ro_bytes && v->image[i] != 0)
        i++;
    return i < v->ro_bytes ? RELOC_OK : RELOC_N_NAME;
}

/* What an installation relies on. */
/*@ predicate reloc_view_ok(struct reloc_view *v) =
      reloc_bounds(v, RELOC_HDR_BYTES) && v->ctx + RELOC_CTX_BYTES <= v->data_end &&
      v->ctx % 4 == 0;
*/

/* The word at a RAM offset below got_end, as it is in the file. */
/*@ requires \valid_read(v) && reloc_bounds(v, RELOC_HDR_BYTES);
    requires ram_offset % 4 == 0 && ram_offset + 4 <= v->got_end;
    assigns \nothing;
    ensures \result == reloc_le32(v->image, v->ro_bytes + ram_offset);
*/
static inline uint32_t reloc_data_word(const struct reloc_view *v, uint32_t ram_offset) {
    return reloc_get_le32(v->image, v->ro_bytes + ram_offset);
}

/* A word of the context, as it is in the file. */
/*@ requires \valid_read(v) && reloc_view_ok(v) && at % 4 == 0 && at + 4 <= RELOC_CTX_BYTES;
    assigns \nothing;
    ensures \result == reloc_le32(v->image, v->ro_bytes + v->ctx + at);
*/
static inline uint32_t reloc_context_word(const struct reloc_view *v, uint32_t at) {
    return reloc_get_le32(v->image, v->ro_bytes + v->ctx + at);
}

/*@ predicate reloc_context(struct reloc_view *v) =
      reloc_says(&v->header[0], RELOC_HDR_ENTRIES + 4 * RELOC_ENTRY_CTX, RELOC_SEG_RAM, v->ctx) &&
      v->ctx % 4 == 0 && v->ctx + RELOC_CTX_BYTES <= v->data_end &&
      v->acts_size <= RELOC_OFFSET_MASK && v->weights_size <= RELOC_OFFSET_MASK &&
      (v->weights_start == 0 || v->weights_end - v->weights_start >= v->weights_size) &&
      RELOC_HDR_BYTES <= v->c_name && reloc_string(v->image, v->c_name, v->ro_bytes);
*/

/*
 * Stops: a context outside the data, where the loader would write; weights cut short by a packager;
 * activations larger than any offset, whose size would round up to nothing.
 */
/*@ requires \valid(v) && reloc_bounds(v, RELOC_HDR_BYTES) && reloc_sections(v);
    assigns v->ctx, v->c_name, v->acts_size, v->weights_size;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_sections(v) && reloc_context(v);
*/
static inline uint32_t reloc_check_context(struct reloc_view *v) {
    uint32_t word = reloc_get_le32(v->header, RELOC_HDR_ENTRIES + 4u * RELOC_ENTRY_CTX);
    v->ctx = reloc_offset(word, RELOC_SEG_RAM);
    if (v->ctx % 4u != 0 || v->ctx > v->data_end || v->data_end - v->ctx < RELOC_CTX_BYTES)
        return RELOC_N_CONTEXT;
    uint32_t name = reloc_context_word(v, RELOC_CTX_C_NAME);
    uint32_t acts = reloc_context_word(v, RELOC_CTX_ACTS_SIZE);
    uint32_t weights = reloc_context_word(v, RELOC_CTX_WEIGHTS_SIZE);
    v->c_name = reloc_offset(name, RELOC_SEG_FLASH);
    v->acts_size = acts;
    v->weights_size = weights;
    if (v->acts_size > RELOC_OFFSET_MASK || v->weights_size > RELOC_OFFSET_MASK)
        return RELOC_N_CONTEXT;
    if (v->weights_start != 0 && v->weights_end - v->weights_start < v->weights_size)
        return RELOC_N_WEIGHTS_SIZE;
    //@ assert reloc_parts(v, RELOC_SEG_RAM) && reloc_bounds(v, RELOC_HDR_BYTES);
    //@ assert reloc_weights(v);
    //@ assert reloc_content(v);
    return reloc_check_name(v, v->c_name, RELOC_HDR_BYTES);
}

/* ---- words to rebase ---- */

/* An installation: the addresses of offset 0 of the two segments, and the copy of the data. */
struct reloc_bases {
    uint32_t rom;
    uint32_t ram;
    uint8_t *data; /* at ram; NULL: nothing is installed, words are only checked */
};

/* A segment of words to rebase: the first word that is too large, and what is added to others. */
struct reloc_segment {
    uint32_t end, add;
};

/*@ logic integer reloc_copied(struct reloc_view *v, uint8_t *copy) =
      copy == \null ? 0 : v->got_end;
*/

/*
 * All words to rebase: those of the GOT, then those that REL lists. 0 stays 0. The end of a part is
 * also allowed, because C has pointers one past the last element. Stops: writes outside the data,
 * into the GOT or across two words; a word that leads out of the image; a word of the copy that is
 * not the file's, because it was rebased already (REL may name it twice) or changed after it was
 * copied. The data has more than 4 bytes, because the context is inside it.
 */
/*@ requires \valid_read(v) && \valid_read(to) && reloc_view_ok(v);
    requires to->data != \null ==> \valid(to->data + (0 .. v->got_end - 1));
    requires \separated(to->data + (0 .. reloc_copied(v, to->data) - 1), v, to);
    assigns to->data[0 .. reloc_copied(v, to->data) - 1];
    ensures reloc_code(\result);
*/
static inline uint32_t reloc_rebase_all(const struct reloc_view *v, const struct reloc_bases *to) {
    /* indexed by the upper three bits of a word */
    struct reloc_segment segments[8] = {{1, 0}};
    segments[RELOC_SEG_FLASH >> 29].end = RELOC_SEG_FLASH + v->ro_bytes + 1u;
    segments[RELOC_SEG_FLASH >> 29].add = reloc_minus(to->rom, RELOC_SEG_FLASH);
    segments[RELOC_SEG_RAM >> 29].end = RELOC_SEG_RAM + v->bss_end + 1u;
    segments[RELOC_SEG_RAM >> 29].add = reloc_minus(to->ram, RELOC_SEG_RAM);
    const uint8_t *file = v->image + v->ro_bytes; /* the data, and REL behind it */
    const uint32_t last = v->data_end / 4u - 1u, rel_end = v->rel_end - v->ro_bytes;
    uint32_t got = v->got_end - v->got_start, rel = v->rel_start - v->ro_bytes;
    uint8_t *copy = to->data;
    /*@ loop invariant 0 <= got <= v->got_end - v->got_start && got % 4 == 0;
        loop invariant v->rel_start - v->ro_bytes <= rel <= rel_end && rel % 4 == 0;
        loop assigns got, rel, copy[0 .. reloc_copied(v, copy) - 1];
        loop variant got + (rel_end - rel);
    */
    for (;;) {
        uint32_t offset;
        if (got != 0) {
            offset = v->got_end - got;
            got -= 4u;
        } else {
            if (rel == rel_end)
                return RELOC_OK;
            offset = reloc_offset(reloc_get_le32(file, rel), RELOC_SEG_RAM);
            rel += 4u;
            if (reloc_index(offset) > last)
                return RELOC_N_REL_ENTRY;
        }
        uint32_t word = reloc_get_le32(file, offset);
        if (word >= segments[word / 0x20000000u].end)
            return rel == v->rel_start - v->ro_bytes ? RELOC_N_GOT_WORD : RELOC_N_REL_WORD;
        if (copy != NULL) {
            if (reloc_get_le32(copy, offset) != word)
                return RELOC_N_REL_DUPLICATE;
            reloc_put_le32(copy, offset, word + segments[word / 0x20000000u].add);
        }
    }
}

/* ---- the image's own tables ---- */

/*@ predicate reloc_tables(struct reloc_view *v) =
      \let start = reloc_le32(v->image, v->ro_bytes + v->ctx + RELOC_CTX_TABLES);
      \let crc = reloc_le32(v->image, v->ro_bytes + v->ctx + RELOC_CTX_TABLES_CRC32);
      \let offset = start - RELOC_SEG_FLASH;
      start == 0 || 0 <= offset <= v->ro_bytes &&
                      crc == reloc_crc(0, v->image + offset, v->ro_bytes - offset);
*/

/*
 * Stops: damaged tables (imports, fix-ups, compact). The image's boot code bounds their entries
 * where they are used. This check finds damage before anything is installed, including damage
 * within the bounds and in an image without a trailer. Two words of the context hold the tables'
 * start and their CRC; both are 0 in images of other packagers and in older ones.
 */
/*@ requires \valid_read(v) && reloc_view_ok(v);
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_tables(v);
*/
static inline uint32_t reloc_check_tables(const struct reloc_view *v) {
    uint32_t word = reloc_context_word(v, RELOC_CTX_TABLES);
    if (word == 0)
        return RELOC_OK;
    uint32_t start = reloc_offset(word, RELOC_SEG_FLASH), size = v->ro_bytes - start;
    if (start > v->ro_bytes)
        return RELOC_N_TABLES;
    //@ assert start == word - RELOC_SEG_FLASH && size == v->ro_bytes - start;
    return reloc_crc32(0, v->image + start, size) == reloc_context_word(v, RELOC_CTX_TABLES_CRC32)
               ? RELOC_OK
               : RELOC_N_TABLES;
}

/* ---- integrity ---- */

/*@ predicate reloc_crcs(struct reloc_view *v, integer header_bytes) =
      \let crc_ro = reloc_crc(reloc_crc(0, &v->header[0], header_bytes), v->image + header_bytes,
                              v->ro_bytes - header_bytes);
      \let crc_data = reloc_crc(crc_ro, v->image + v->ro_bytes, v->got_end);
      \let data_end = v->ro_bytes + v->got_end;
      v->crc_ro == crc_ro && v->crc_data == crc_data &&
      reloc_crc(crc_data, v->image + data_end, v->trailer - data_end) ==
        reloc_le32(v->image, v->trailer + RELOC_TRL_CRC32);
*/

/*
 * The CRC of the image up to its trailer, with the header as it was read, and the CRCs of the parts
 * that an installation copies and computes again over the copy.
 */
/*@ requires \valid(v) && header_bytes <= v->ro_bytes && header_bytes <= RELOC_HDR_BYTES_MAX;
    requires v->ro_bytes + v->got_end <= v->trailer && v->trailer % 4 == 0;
    requires v->trailer + RELOC_TRL_BYTES <= UINT32_MAX;
    requires \valid_read(v->image + (0 .. v->trailer + RELOC_TRL_BYTES - 1));
    assigns v->crc_ro, v->crc_data;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_crcs(v, header_bytes);
*/
static inline uint32_t reloc_check_crc(struct reloc_view *v, uint32_t header_bytes) {
    uint32_t data_end = v->ro_bytes + v->got_end, tail = v->trailer - data_end;
    uint32_t rest = v->ro_bytes - header_bytes;
    uint32_t crc = reloc_crc32(0, v->header, header_bytes);
    //@ assert rest == v->ro_bytes - header_bytes;
    //@ assert data_end == v->ro_bytes + v->got_end && tail == v->trailer - data_end;
    v->crc_ro = reloc_crc32(crc, v->image + header_bytes, rest);
    v->crc_data = reloc_crc32(v->crc_ro, v->image + v->ro_bytes, v->got_end);
    /*@ assert v->crc_ro == reloc_crc(reloc_crc(0, &v->header[0], header_bytes),
                                      v->image + header_bytes, v->ro_bytes - header_bytes); */
    return reloc_crc32(v->crc_data, v->image + data_end, tail) ==
                   reloc_get_le32(v->image, v->trailer + RELOC_TRL_CRC32)
               ? RELOC_OK
               : RELOC_N_CRC;
}

/*@ predicate reloc_integrity(struct reloc_view *v) =
      v->trailer == 0 && !RELOC_REQUIRE_TRAILER ||
      v->content_end <= v->trailer < v->content_end + 4 && v->trailer % 4 == 0 &&
      \valid_read(v->image + (0 .. v->trailer + RELOC_TRL_BYTES - 1)) &&
      reloc_trailer(v->image, v->size, v->trailer, RELOC_TRL_IMAGE) &&
      reloc_crcs(v, RELOC_HDR_BYTES);
    // everything but the trailer, and with it: what the check of a Cortex-M image ensures
    predicate reloc_inside(struct reloc_view *v) =
      reloc_sections(v) && reloc_context(v) && reloc_tables(v) &&
      reloc_entries(&v->header[0], RELOC_HDR_ENTRIES + 4 * RELOC_ENTRY_CTX, RELOC_HDR_BYTES,
                    v->ro_bytes);
    predicate reloc_checked(struct reloc_view *v) = reloc_inside(v) && reloc_integrity(v);
*/

/*
 * Behind the content lies nothing, fill (no trailer), or a trailer. Anything else would be a
 * damaged trailer, or one that a damaged header has lost. If the size of the image is unknown, only
 * the place of a trailer is read, and only if one is required.
 */
/*@ requires \valid(v) && reloc_readable(v->image, v->size, &v->header[0]);
    requires reloc_inside(v);
    assigns v->trailer, v->crc_ro, v->crc_data;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_inside(v);
    ensures \result == RELOC_OK ==> reloc_integrity(v);
*/
static inline uint32_t reloc_check_trailer(struct reloc_view *v) {
    uint32_t at = reloc_round4(v->content_end), end = v->size;
    v->trailer = 0;
    if (end == RELOC_SIZE_UNKNOWN)
        end = RELOC_REQUIRE_TRAILER ? at + RELOC_TRL_BYTES : at;
    if (end <= at || reloc_is_fill(v->image, end, at))
        return RELOC_REQUIRE_TRAILER ? RELOC_N_NO_TRAILER : RELOC_OK;
    v->trailer = at;
    uint32_t code = reloc_check_trailer_at(v->image, v->size, at, RELOC_TRL_IMAGE);
    return code != RELOC_OK ? code : reloc_check_crc(v, RELOC_HDR_BYTES);
}

/* ---- the whole check ---- */

/* Everything but magic and version, which the caller has checked. */
/*@ requires \valid(view) && reloc_readable(view->image, view->size, &view->header[0]);
    assigns view->data_start, view->data_end, view->ro_bytes, view->bss_start, view->bss_end,
            view->got_start, view->got_end, view->rel_start, view->rel_end, view->weights_start,
            view->weights_end, view->content_end, view->trailer, view->ctx, view->c_name,
            view->acts_size, view->weights_size, view->crc_ro, view->crc_data;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_checked(view);
*/
RELOC_OUTLINE uint32_t reloc_check_parts(struct reloc_view *view) {
    uint32_t code;
    if ((code = reloc_check_order(view, RELOC_SEG_RAM, RELOC_HDR_BYTES)) != RELOC_OK ||
        (code = reloc_check_weights(view)) != RELOC_OK ||
        (code = reloc_check_entries(view, RELOC_ENTRY_CTX, RELOC_HDR_BYTES)) != RELOC_OK ||
        (code = reloc_check_context(view)) != RELOC_OK ||
        (code = reloc_check_tables(view)) != RELOC_OK)
        return code;
    return reloc_check_trailer(view);
}

/*@ requires \valid(view) && reloc_readable(image, size, image);
    requires \separated(view, image + (0 .. RELOC_HDR_BYTES - 1));
    assigns *view;
    ensures reloc_code(\result);
    ensures view->image == image && view->size == size;
    ensures \result == RELOC_OK ==>
      reloc_checked(view) && reloc_identity(view, RELOC_HDR_BYTES, RELOC_MAJOR);
*/
static inline uint32_t reloc_check_image(const uint8_t *image, uint32_t size,
                                         struct reloc_view *view) {
    view->image = image;
    view->size = size;
    uint32_t code = reloc_check_identity(view, RELOC_HDR_BYTES, RELOC_MAJOR);
    return code != RELOC_OK ? code : reloc_check_parts(view);
}

/* Where the trailer of a weights file is. */
/*@ logic integer reloc_round16(integer size) = (size + 15) / 16 * 16; */
/*@ requires weights_size <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures \result == reloc_round16(weights_size);
    ensures weights_size <= \result <= weights_size + 15 && \result % 16 == 0;
*/
static inline uint32_t reloc_weights_trailer(uint32_t weights_size) {
    return (weights_size + RELOC_WEIGHTS_ALIGN - 1u) / RELOC_WEIGHTS_ALIGN * RELOC_WEIGHTS_ALIGN;
}

/*@ predicate reloc_weights_file(struct reloc_view *v, uint8_t *weights, integer size) =
      v->weights_size <= size &&
      (v->trailer == 0 ||
       \let at = reloc_round16(v->weights_size);
       reloc_trailer(weights, size, at, RELOC_TRL_WEIGHTS) &&
       reloc_le32(weights + at, RELOC_TRL_CRC32) == reloc_crc(0, weights, at) &&
       same_bytes(weights + at + RELOC_TRL_BUILD_ID, v->image + v->trailer + RELOC_TRL_BUILD_ID,
                  RELOC_BUILD_ID_BYTES));
*/

/*
 * Weights of size bytes. If the image has no trailer (another packager's), only their length is
 * checked.
 */
/*@ requires \valid_read(view) && reloc_checked(view) && \valid_read(weights + (0 .. size - 1));
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_weights_file(view, weights, size);
*/
static inline uint32_t reloc_check_weights_file(const struct reloc_view *view,
                                                const uint8_t *weights, uint32_t size) {
    uint32_t at = reloc_weights_trailer(view->weights_size);
    if (size < view->weights_size)
        return RELOC_N_WEIGHTS_SIZE;
    if (view->trailer == 0)
        return RELOC_OK;
    if (size <= at)
        return RELOC_N_NO_TRAILER;
    uint32_t code = reloc_check_trailer_at(weights, size, at, RELOC_TRL_WEIGHTS);
    if (code != RELOC_OK)
        return code;
    if (reloc_get_le32(weights + at, RELOC_TRL_CRC32) != reloc_crc32(0, weights, at))
        return RELOC_N_CRC;
    return memcmp(weights + at + RELOC_TRL_BUILD_ID,
                  view->image + view->trailer + RELOC_TRL_BUILD_ID, RELOC_BUILD_ID_BYTES) == 0
               ? RELOC_OK
               : RELOC_N_BUILD_ID;
}

/* The words to rebase in an image that reloc_check_image has accepted. */
/*@ requires \valid_read(view) && reloc_view_ok(view);
    assigns \nothing;
    ensures reloc_code(\result);
*/
static inline uint32_t reloc_check_words(const struct reloc_view *view) {
    static const struct reloc_bases none = {0, 0, NULL};
    return reloc_rebase_all(view, &none);
}

/* The code that public functions return: as in reloc_errors.def, negative. */
/*@ requires reloc_code(code);
    assigns \nothing;
    ensures \result == -code;
*/
static inline int32_t reloc_result(uint32_t code) {
    return -(int32_t)code;
}

/*
 * Checks size bytes at image and fills view (valid only on RELOC_OK). size may be
 * RELOC_SIZE_UNKNOWN. Returns RELOC_OK or a negative enum reloc_error from RELOC_E_TRUNCATED to
 * RELOC_E_TABLES. Time: linear. A word that REL lists twice is found only when it is rebased:
 * finding it before would need memory to remember the others.
 */
/*@ requires \valid(view) && reloc_readable(image, size, image);
    requires \separated(view, image + (0 .. RELOC_HDR_BYTES - 1));
    assigns *view;
    ensures \result == RELOC_OK ==>
      reloc_checked(view) && reloc_identity(view, RELOC_HDR_BYTES, RELOC_MAJOR);
*/
static inline int32_t reloc_core_check(const uint8_t *image, uint32_t size,
                                       struct reloc_view *view) {
    uint32_t code = reloc_check_image(image, size, view);
    return reloc_result(code != RELOC_OK ? code : reloc_check_words(view));
}

/*
 * Checks a weights file of size bytes against its image, which reloc_core_check has accepted. If
 * the image has a trailer, the weights must have theirs. Returns RELOC_OK, RELOC_E_WEIGHTS_SIZE
 * (shorter than the model needs), RELOC_E_NO_TRAILER, RELOC_E_TRAILER, RELOC_E_TRUNCATED,
 * RELOC_E_CRC, or RELOC_E_BUILD_ID (of another build than the image).
 */
/*@ requires \valid_read(view) && reloc_checked(view) && \valid_read(weights + (0 .. size - 1));
    assigns \nothing;
    ensures \result == RELOC_OK ==> reloc_weights_file(view, weights, size);
*/
static inline int32_t reloc_core_check_weights(const struct reloc_view *view,
                                               const uint8_t *weights, uint32_t size) {
    return reloc_result(reloc_check_weights_file(view, weights, size));
}

/* ---- what an installation needs ---- */

/* Bytes of RAM: data, GOT and bss, and in COPY mode the read-only part before them. */
/*@ requires \valid_read(v) && v->bss_end <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures v->bss_end <= \result < v->bss_end + 4 && \result % 4 == 0;
*/
static inline uint32_t reloc_ram_xip(const struct reloc_view *v) {
    return reloc_round4(v->bss_end);
}

/*@ requires \valid_read(v) && v->bss_end <= RELOC_OFFSET_MASK && v->ro_bytes <= RELOC_OFFSET_MASK;
    assigns \nothing;
    ensures v->bss_end + v->ro_bytes <= \result < v->bss_end + v->ro_bytes + 4;
*/
static inline uint32_t reloc_ram_copy(const struct reloc_view *v) {
    return reloc_ram_xip(v) + v->ro_bytes;
}

/*
 * Whether a core of part core_part (CPUID bits 15..4) may run an image built for image_part. With
 * superset it may also be a core that has every instruction of the other: Armv6-M M0 = M0+ < all
 * others; Armv7-M M3 < Armv7E-M M4 < M7; Armv8-M Baseline M23 < Mainline M33 < Armv8.1-M M52, M55,
 * M85; these three have the same instructions. An M33 does not take an M4 image, because its DSP
 * extension is optional. The FPU is checked separately.
 */
/*@ predicate reloc_is_v81(integer p) =
      p == RELOC_CPUID_M52 || p == RELOC_CPUID_M55 || p == RELOC_CPUID_M85;
    predicate reloc_is_v8(integer p) =
      p == RELOC_CPUID_M23 || p == RELOC_CPUID_M33 || reloc_is_v81(p);
    predicate reloc_is_v7(integer p) =
      p == RELOC_CPUID_M3 || p == RELOC_CPUID_M4 || p == RELOC_CPUID_M7;
    predicate reloc_is_v6(integer p) = p == RELOC_CPUID_M0 || p == RELOC_CPUID_M0P;
*/
/*@ assigns \nothing;
    ensures image_part == core_part ==> \result;
    ensures \result && image_part != core_part ==>
      superset &&
      (reloc_is_v6(image_part) &&
         (reloc_is_v6(core_part) || reloc_is_v7(core_part) || reloc_is_v8(core_part)) ||
       reloc_is_v7(image_part) && reloc_is_v7(core_part) && image_part < core_part ||
       image_part == RELOC_CPUID_M23 && reloc_is_v8(core_part) ||
       image_part == RELOC_CPUID_M33 && reloc_is_v81(core_part) ||
       reloc_is_v81(image_part) && reloc_is_v81(core_part));
*/
static inline bool reloc_cpu_accepts(uint32_t image_part, uint32_t core_part, bool superset) {
    if (image_part == core_part || !superset)
        return image_part == core_part;
    bool core_v81 = core_part == RELOC_CPUID_M52 || core_part == RELOC_CPUID_M55 ||
                    core_part == RELOC_CPUID_M85;
    bool core_v8 = core_part == RELOC_CPUID_M23 || core_part == RELOC_CPUID_M33 || core_v81;
    bool core_v7 =
        core_part == RELOC_CPUID_M3 || core_part == RELOC_CPUID_M4 || core_part == RELOC_CPUID_M7;
    switch (image_part) {
    case RELOC_CPUID_M0:
    case RELOC_CPUID_M0P:
        return core_part == RELOC_CPUID_M0 || core_part == RELOC_CPUID_M0P || core_v7 || core_v8;
    case RELOC_CPUID_M3:
    case RELOC_CPUID_M4:
    case RELOC_CPUID_M7:
        return core_v7 && image_part < core_part; /* the parts are in the order of the cores */
    case RELOC_CPUID_M23:
        return core_v8;
    case RELOC_CPUID_M33:
    case RELOC_CPUID_M52:
    case RELOC_CPUID_M55:
    case RELOC_CPUID_M85:
        return core_v81;
    default:
        return false;
    }
}

#endif
