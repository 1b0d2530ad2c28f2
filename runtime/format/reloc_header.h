/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a checked image says (struct reloc_view), and the check of its header: what it is, and which
 * parts it has in which order. Part of reloc_core.h.
 */
#ifndef RELOC_HEADER_H
#define RELOC_HEADER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "reloc_file.h"
#include "reloc_format.h"

/* Setting of the loader: 1 refuses images without an integrity trailer. */
#ifndef RELOC_REQUIRE_TRAILER
#define RELOC_REQUIRE_TRAILER 0
#endif

enum { RELOC_HDR_BYTES_MAX = RELOC_NPU_HDR_BYTES_13 };

/*
 * What a checked image says. The header is read once, into header; whatever the image does
 * afterwards, these are the words that were checked. All members except image, flags, CRCs and
 * header are offsets or sizes in bytes.
 */
struct reloc_view {
    const uint8_t *image;
    uint32_t size; /* readable bytes, or RELOC_SIZE_UNKNOWN */
    uint32_t flags;
    uint32_t data_start;    /* RAM: 0 */
    uint32_t data_end;      /* RAM */
    uint32_t ro_bytes;      /* FLASH: header, text and rodata; file offset of the data */
    uint32_t bss_start;     /* RAM */
    uint32_t bss_end;       /* RAM */
    uint32_t got_start;     /* RAM */
    uint32_t got_end;       /* RAM; also the size of the data's load image */
    uint32_t rel_start;     /* file */
    uint32_t rel_end;       /* file */
    uint32_t weights_start; /* file; both 0 when the image has no weights in it */
    uint32_t weights_end;   /* file */
    uint32_t content_end;   /* file: end of the last section */
    uint32_t trailer;       /* file; 0 when there is none */
    uint32_t ctx;           /* RAM */
    uint32_t c_name;        /* file: a terminated string */
    uint32_t acts_size;     /* bytes of activations that the model needs */
    uint32_t weights_size;  /* bytes of weights that the model needs */
    uint32_t crc_ro;        /* with a trailer: reloc_crc32 up to ro_bytes */
    uint32_t crc_data;      /* with a trailer: the same up to the end of the data's load image */
    uint8_t header[RELOC_HDR_BYTES_MAX];
};

/* ---- the header ---- */

/*
 * What is readable: size bytes. Of an image whose size nobody gave, it is what lies before the ends
 * that the header declares, and place for a trailer behind them where one is required.
 */
/*@ logic integer reloc_word_of(struct reloc_view *v, integer at) = reloc_le32(&v->header[0], at);
    logic integer reloc_extent(integer word) =
      word % (RELOC_OFFSET_MASK + 1) + (RELOC_REQUIRE_TRAILER ? 3 + RELOC_TRL_BYTES : 0);
    predicate reloc_readable(uint8_t *image, integer size, uint8_t *header) =
      size < RELOC_SIZE_UNKNOWN
        ? \valid_read(image + (0 .. size - 1))
        : \valid_read(image + (0 .. RELOC_HDR_BYTES - 1)) &&
          \valid_read(image +
                      (0 .. reloc_extent(reloc_le32(header, RELOC_HDR_REL_END)) - 1)) &&
          \valid_read(image +
                      (0 .. reloc_extent(reloc_le32(header, RELOC_HDR_WEIGHTS_END)) - 1));
    predicate reloc_identity(struct reloc_view *v, integer header_bytes, integer major) =
      header_bytes <= v->size && \valid_read(v->image + (0 .. header_bytes - 1)) &&
      reloc_word_of(v, RELOC_HDR_MAGIC) == RELOC_MAGIC &&
      reloc_word_of(v, RELOC_HDR_FLAGS) == v->flags &&
      v->flags / 0x1000000 == major * 0x10 + RELOC_MINOR &&
      v->flags / 0x2000 % 4 <= RELOC_FLOAT_HARD;
*/

/* Stops: a file cut inside the header, another kind of file, another version, a damaged flag. */
/*@ requires RELOC_HDR_WEIGHTS_END + 4 <= header_bytes <= RELOC_HDR_BYTES && major <= 15;
    requires \valid(v) && reloc_readable(v->image, v->size, v->image);
    requires \separated(v, v->image + (0 .. header_bytes - 1));
    assigns v->flags, v->header[0 .. header_bytes - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_identity(v, header_bytes, major);
    ensures \result == RELOC_OK ==> reloc_readable(v->image, v->size, &v->header[0]);
    ensures \result == RELOC_OK ==> same_bytes(&v->header[0], v->image, header_bytes);
*/
static inline uint32_t reloc_check_identity(struct reloc_view *v, uint32_t header_bytes,
                                            uint32_t major) {
    if (v->size < header_bytes)
        return RELOC_N_TRUNCATED;
    memcpy(v->header, v->image, header_bytes);
    if (reloc_get_le32(v->header, RELOC_HDR_MAGIC) != RELOC_MAGIC)
        return RELOC_N_MAGIC;
    v->flags = reloc_get_le32(v->header, RELOC_HDR_FLAGS);
    if (v->flags / 0x1000000u != major * 0x10u + RELOC_MINOR)
        return RELOC_N_VERSION;
    return v->flags / 0x2000u % 4u <= RELOC_FLOAT_HARD ? RELOC_OK : RELOC_N_FLAGS;
}

/*@ predicate reloc_says(uint8_t *header, integer at, integer segment, integer offset) =
      reloc_le32(header, at) == segment + offset && offset <= RELOC_OFFSET_MASK;
    predicate reloc_parts(struct reloc_view *v, integer ram_segment) =
      v->data_start == 0 && reloc_word_of(v, RELOC_HDR_DATA_START) == ram_segment &&
      reloc_says(&v->header[0], RELOC_HDR_DATA_END, ram_segment, v->data_end) &&
      reloc_says(&v->header[0], RELOC_HDR_GOT_START, ram_segment, v->got_start) &&
      reloc_says(&v->header[0], RELOC_HDR_GOT_END, ram_segment, v->got_end) &&
      reloc_says(&v->header[0], RELOC_HDR_BSS_START, ram_segment, v->bss_start) &&
      reloc_says(&v->header[0], RELOC_HDR_BSS_END, ram_segment, v->bss_end) &&
      reloc_says(&v->header[0], RELOC_HDR_DATA_DATA, RELOC_SEG_FLASH, v->ro_bytes) &&
      reloc_says(&v->header[0], RELOC_HDR_REL_START, RELOC_SEG_FLASH, v->rel_start) &&
      reloc_says(&v->header[0], RELOC_HDR_REL_END, RELOC_SEG_FLASH, v->rel_end);
    predicate reloc_bounds(struct reloc_view *v, integer header_bytes) =
      v->data_end <= v->got_start <= v->got_end <= v->bss_start <= v->bss_end &&
      v->bss_end <= RELOC_OFFSET_MASK && header_bytes <= v->ro_bytes &&
      v->ro_bytes + v->got_end <= v->rel_start <= v->rel_end <= RELOC_OFFSET_MASK &&
      v->got_start % 4 == 0 && v->got_end % 4 == 0 && v->ro_bytes % 4 == 0 &&
      v->rel_start % 4 == 0 && v->rel_end % 4 == 0 &&
      v->rel_end <= v->size && \valid_read(v->image + (0 .. v->rel_end - 1));
*/

/* The offset that a word of the header has in a segment, above RELOC_OFFSET_MASK if in another. */
/*@ requires \valid_read(v) && segment <= RELOC_SEG_MASK;
    requires at % 4 == 0 && at + 4 <= RELOC_HDR_BYTES;
    assigns \nothing;
    ensures \result <= RELOC_OFFSET_MASK ==> reloc_says(&v->header[0], at, segment, \result);
*/
RELOC_INLINE uint32_t reloc_header_offset(const struct reloc_view *v, uint32_t at,
                                          uint32_t segment) {
    return reloc_offset(reloc_get_le32(v->header, at), segment);
}

/*
 * The parts in RAM, then those in the file: each begins at the end of the one before it or later.
 * Stops: parts out of order, overlapping, or in the wrong segment (an offset above the mask),
 * broken words, and a file that ends before REL does. Offsets have 28 bits, so the one sum cannot
 * wrap.
 */
/*@ requires \valid(v) && reloc_readable(v->image, v->size, &v->header[0]);
    requires ram_segment <= RELOC_SEG_MASK && header_bytes <= RELOC_HDR_BYTES;
    assigns v->data_start, v->data_end, v->ro_bytes, v->bss_start, v->bss_end, v->got_start,
            v->got_end, v->rel_start, v->rel_end;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_parts(v, ram_segment);
    ensures \result == RELOC_OK ==> reloc_bounds(v, header_bytes);
*/
static inline uint32_t reloc_check_order(struct reloc_view *v, uint32_t ram_segment,
                                         uint32_t header_bytes) {
    enum { WORDS = 0x80 }; /* a multiple of 4 */
    static const uint8_t order[8][2] = {
        {RELOC_HDR_DATA_END, RELOC_N_DATA},         {RELOC_HDR_GOT_START, RELOC_N_GOT | WORDS},
        {RELOC_HDR_GOT_END, RELOC_N_GOT | WORDS},   {RELOC_HDR_BSS_START, RELOC_N_BSS},
        {RELOC_HDR_BSS_END, RELOC_N_BSS},           {RELOC_HDR_DATA_DATA, RELOC_N_CODE | WORDS},
        {RELOC_HDR_REL_START, RELOC_N_REL | WORDS}, {RELOC_HDR_REL_END, RELOC_N_REL | WORDS}};
    uint32_t part[8], segment = ram_segment, least = 0;
    v->data_start = 0;
    if (reloc_get_le32(v->header, RELOC_HDR_DATA_START) != ram_segment)
        return RELOC_N_DATA;
    /*@ loop invariant 0 <= i <= 8;
        loop invariant i <= 5 ==> segment == ram_segment;
        loop invariant i > 5 ==> segment == RELOC_SEG_FLASH;
        loop invariant i > 0 ==> least == part[i - 1];
        loop invariant \forall integer k; 0 <= k < i && (i <= 5 || 5 <= k) ==> part[k] <= least;
        loop invariant \forall integer j, k; 0 <= j < k < i && (k < 5 || 5 <= j) ==>
          part[j] <= part[k];
        loop invariant i > 5 ==> header_bytes <= part[5];
        loop invariant i > 6 ==> part[5] + part[2] <= part[6];
        loop invariant \forall integer k; 0 <= k < i ==> part[k] <= RELOC_OFFSET_MASK;
        loop invariant \forall integer k; 0 <= k < i ==>
          reloc_says(&v->header[0], order[k][0], k < 5 ? ram_segment : RELOC_SEG_FLASH, part[k]);
        loop invariant \forall integer k; 0 <= k < i && order[k][1] >= WORDS ==> part[k] % 4 == 0;
        loop assigns i, segment, least, part[0 .. 7];
        loop variant 8 - i;
    */
    for (uint32_t i = 0; i < 8; i++) {
        if (i == 5) {
            segment = RELOC_SEG_FLASH;
            least = header_bytes;
        } else if (i == 6) {
            least += part[2];
            //@ assert least == part[5] + part[2];
        }
        //@ assert \forall integer k; 0 <= k < i && (i < 5 || 5 <= k) ==> part[k] <= least;
        uint32_t offset = reloc_header_offset(v, order[i][0], segment);
        if (offset > RELOC_OFFSET_MASK || offset < least ||
            (order[i][1] >= WORDS && offset % 4u != 0)) {
            //@ assert order[i][1] % WORDS != 0;
            return order[i][1] % WORDS;
        }
        part[i] = least = offset;
    }
    //@ assert part[7] == reloc_word_of(v, RELOC_HDR_REL_END) % (RELOC_OFFSET_MASK + 1);
    v->data_end = part[0];
    v->got_start = part[1];
    v->got_end = part[2];
    v->bss_start = part[3];
    v->bss_end = part[4];
    v->ro_bytes = part[5];
    v->rel_start = part[6];
    v->rel_end = part[7];
    return v->rel_end <= v->size ? RELOC_OK : RELOC_N_TRUNCATED;
}

#endif
