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

#include "reloc_format.h"

/*
 * RELOC_E_name is negative. The functions here return RELOC_N_name, the same without its sign,
 * because such constants are shorter in Thumb; reloc_result restores the sign.
 */
enum reloc_error {
    RELOC_OK = 0,
#define X(name, value, text) RELOC_E_##name = value, RELOC_N_##name = -(value),
#include "reloc_errors.def"
#undef X
};

/*@ predicate reloc_code(integer code) = 0 <= code <= 0x7F; */

/*
 * The size of an image when nobody gave one (the documented API has none). Then offsets are bounded
 * by each other and by the ends that the header declares (28 bits), and nothing behind those ends
 * is read, except a trailer that is required. No caller can give this size: an image that long
 * would leave the address space.
 */
#define RELOC_SIZE_UNKNOWN UINT32_MAX

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

/* A small reader is one load; code that several places call is smaller as one function. */
#if defined(__GNUC__)
#define RELOC_INLINE  static inline __attribute__((always_inline))
#define RELOC_OUTLINE __attribute__((noinline, unused)) static
#else
#define RELOC_INLINE  static inline
#define RELOC_OUTLINE static
#endif

/* ---- bounded reading ---- */

/*@ logic integer reloc_le32(uint8_t *bytes, integer offset) =
      bytes[offset] + 0x100 * bytes[offset + 1] + 0x10000 * bytes[offset + 2] +
      0x1000000 * bytes[offset + 3];
*/

/*
 * A word at a multiple of 4 from an aligned address. On the target it is one load or store;
 * compilers that are not told so make four of it, as clang does by default.
 */
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && !defined(__ARM_BIG_ENDIAN)
typedef uint32_t __attribute__((may_alias)) reloc_word;
RELOC_INLINE uint32_t reloc_get_le32(const uint8_t *bytes, uint32_t offset) {
    return *(const reloc_word *)(const void *)(bytes + offset);
}
RELOC_INLINE void reloc_put_le32(uint8_t *bytes, uint32_t offset, uint32_t word) {
    *(reloc_word *)(void *)(bytes + offset) = word;
}
#else
/*@ requires offset % 4 == 0 && \valid_read(bytes + (offset .. offset + 3));
    assigns \nothing;
    ensures \result == reloc_le32(bytes, offset);
*/
RELOC_INLINE uint32_t reloc_get_le32(const uint8_t *bytes, uint32_t offset) {
    const uint8_t *p = bytes + offset;
    return p[0] + 0x100u * p[1] + 0x10000u * p[2] + 0x1000000u * p[3];
}
/*@ requires offset % 4 == 0 && \valid(bytes + (offset .. offset + 3));
    assigns bytes[offset .. offset + 3];
    ensures reloc_le32(bytes, offset) == word;
*/
RELOC_INLINE void reloc_put_le32(uint8_t *bytes, uint32_t offset, uint32_t word) {
    uint8_t *p = bytes + offset;
    uint32_t high = word / 0x10000u, low = word % 0x10000u;
    p[0] = (uint8_t)(low % 0x100u);
    p[1] = (uint8_t)(low / 0x100u);
    p[2] = (uint8_t)(high % 0x100u);
    p[3] = (uint8_t)(high / 0x100u);
}
#endif

/*@ ensures size < RELOC_SIZE_UNKNOWN - 3 ==> size <= \result < size + 4 && \result % 4 == 0;
    assigns \nothing;
*/
static inline uint32_t reloc_round4(uint32_t size) {
    return (size + 3u) / 4u * 4u;
}

/* a - b, which may wrap around. Compilers make one subtraction of it. */
/*@ assigns \nothing;
    ensures \result == (a >= b ? a - b : a - b + UINT32_MAX + 1);
*/
RELOC_INLINE uint32_t reloc_minus(uint32_t a, uint32_t b) {
    const uint64_t all = UINT64_C(1) << 32;
    return (uint32_t)((a + (all - b)) % all);
}

/*
 * The offset that a segment address has in the given segment. When it names another segment, the
 * result is above RELOC_OFFSET_MASK, and so above every bound it is compared with.
 */
/*@ requires segment <= RELOC_SEG_MASK;
    assigns \nothing;
    ensures \result <= RELOC_OFFSET_MASK <==> segment <= address <= segment + RELOC_OFFSET_MASK;
    ensures address == segment + \result || \result > RELOC_OFFSET_MASK;
*/
RELOC_INLINE uint32_t reloc_offset(uint32_t address, uint32_t segment) {
    return reloc_minus(address, segment);
}

/* CRC-32 as in zlib, four bits at a time: 64 bytes of table. */
static const uint32_t reloc_nibbles[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

/*@ logic uint32_t reloc_crc_nibble(uint32_t crc) =
      (uint32_t)((crc >> 4) ^ reloc_nibbles[crc & 15]);
    logic uint32_t reloc_crc_bytes(uint32_t crc, uint8_t *bytes, integer size) =
      size <= 0 ? crc
                : reloc_crc_nibble(reloc_crc_nibble(
                    (uint32_t)(reloc_crc_bytes(crc, bytes, size - 1) ^ bytes[size - 1])));
    logic integer reloc_crc(integer crc, uint8_t *bytes, integer size) =
      UINT32_MAX - reloc_crc_bytes((uint32_t)(UINT32_MAX - crc), bytes, size);
*/

/* crc: 0, or the CRC of the bytes before these. */
/*@ requires \valid_read(bytes + (0 .. size - 1));
    assigns \nothing;
    ensures \result == reloc_crc(crc, bytes, size);
*/
static inline uint32_t reloc_crc32(uint32_t crc, const uint8_t *bytes, uint32_t size) {
    crc = UINT32_MAX - crc;
    /*@ loop invariant 0 <= i <= size;
        loop invariant crc == reloc_crc_bytes((uint32_t)(UINT32_MAX - \at(crc, Pre)), bytes, i);
        loop assigns i, crc;
        loop variant size - i;
    */
    for (uint32_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ reloc_nibbles[crc & 15u];
        crc = crc >> 4 ^ reloc_nibbles[crc & 15u];
    }
    return UINT32_MAX - crc;
}

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

/*@ predicate reloc_says(struct reloc_view *v, integer at, integer segment, integer offset) =
      reloc_word_of(v, at) == segment + offset && offset <= RELOC_OFFSET_MASK;
    predicate reloc_parts(struct reloc_view *v, integer ram_segment, integer header_bytes) =
      v->data_start == 0 && reloc_word_of(v, RELOC_HDR_DATA_START) == ram_segment &&
      reloc_says(v, RELOC_HDR_DATA_END, ram_segment, v->data_end) &&
      reloc_says(v, RELOC_HDR_GOT_START, ram_segment, v->got_start) &&
      reloc_says(v, RELOC_HDR_GOT_END, ram_segment, v->got_end) &&
      reloc_says(v, RELOC_HDR_BSS_START, ram_segment, v->bss_start) &&
      reloc_says(v, RELOC_HDR_BSS_END, ram_segment, v->bss_end) &&
      reloc_says(v, RELOC_HDR_DATA_DATA, RELOC_SEG_FLASH, v->ro_bytes) &&
      reloc_says(v, RELOC_HDR_REL_START, RELOC_SEG_FLASH, v->rel_start) &&
      reloc_says(v, RELOC_HDR_REL_END, RELOC_SEG_FLASH, v->rel_end) &&
      v->data_end <= v->got_start <= v->got_end <= v->bss_start <= v->bss_end &&
      header_bytes <= v->ro_bytes && v->ro_bytes + v->got_end <= v->rel_start <= v->rel_end &&
      v->got_start % 4 == 0 && v->got_end % 4 == 0 && v->ro_bytes % 4 == 0 &&
      v->rel_start % 4 == 0 && v->rel_end % 4 == 0 &&
      v->rel_end <= v->size && \valid_read(v->image + (0 .. v->rel_end - 1));
*/

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
    ensures \result == RELOC_OK ==> reloc_parts(v, ram_segment, header_bytes);
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
    /*@ loop invariant 0 <= i <= 8 && segment == (i <= 5 ? ram_segment : RELOC_SEG_FLASH);
        loop invariant least == (i == 0 ? 0 : part[i - 1]);
        loop invariant \forall integer k; 0 <= k < i ==> part[k] <= RELOC_OFFSET_MASK;
        loop invariant \forall integer k; 0 <= k < i ==>
          reloc_says(v, order[k][0], k < 5 ? ram_segment : RELOC_SEG_FLASH, part[k]);
        loop invariant \forall integer k; 0 <= k < i && order[k][1] >= WORDS ==> part[k] % 4 == 0;
        loop invariant \forall integer k; 0 <= k < i && (i <= 5 || 5 <= k) ==> part[k] <= least;
        loop invariant \forall integer j, k; 0 <= j <= k < i && (k < 5 || 5 <= j) ==>
          part[j] <= part[k];
        loop invariant i > 5 ==> header_bytes <= least;
        loop invariant \forall integer k; 5 <= k < i ==> header_bytes <= part[k];
        loop invariant \forall integer k; 6 <= k < i ==> part[5] + part[2] <= part[k];
        loop assigns i, segment, least, part[0 .. 7];
        loop variant 8 - i;
    */
    for (uint32_t i = 0; i < 8; i++) {
        if (i == 5) {
            segment = RELOC_SEG_FLASH;
            least = header_bytes;
        } else if (i == 6) {
            least += part[2];
        }
        uint32_t offset = reloc_offset(reloc_get_le32(v->header, order[i][0]), segment);
        if (offset > RELOC_OFFSET_MASK || offset < least ||
            (order[i][1] >= WORDS && offset % 4u != 0))
            return order[i][1] % WORDS;
        part[i] = least = offset;
    }
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

/*@ predicate reloc_weights(struct reloc_view *v) =
      v->weights_start == 0 && v->weights_end == 0 && v->content_end >= v->rel_end ||
      v->rel_end <= v->weights_start < v->weights_end == v->content_end &&
      v->weights_start % 4 == 0 &&
      reloc_says(v, RELOC_HDR_WEIGHTS_START, RELOC_SEG_FLASH, v->weights_start) &&
      reloc_says(v, RELOC_HDR_WEIGHTS_END, RELOC_SEG_FLASH, v->weights_end);
    predicate reloc_content(struct reloc_view *v) =
      v->rel_end <= v->content_end <= v->size && v->content_end <= RELOC_OFFSET_MASK &&
      \valid_read(v->image + (0 .. v->content_end - 1)) &&
      (v->size == RELOC_SIZE_UNKNOWN && RELOC_REQUIRE_TRAILER ==>
         \valid_read(v->image + (0 .. v->content_end + 3 + RELOC_TRL_BYTES - 1)));
    predicate reloc_sections(struct reloc_view *v) =
      reloc_parts(v, RELOC_SEG_RAM, RELOC_HDR_BYTES) && reloc_weights(v) && reloc_content(v);
*/

/*
 * Both words are 0, or the range is empty: the weights are in a file of their own, or there are
 * none. Stops: weights elsewhere than at the end.
 */
/*@ requires \valid(v) && reloc_readable(v->image, v->size, &v->header[0]);
    requires reloc_parts(v, RELOC_SEG_RAM, RELOC_HDR_BYTES);
    assigns v->weights_start, v->weights_end, v->content_end;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_sections(v);
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
    v->content_end = end;
    if (start != end) {
        v->weights_start = start;
        v->weights_end = end;
    }
    return end <= v->size ? RELOC_OK : RELOC_N_TRUNCATED;
}

/*@ predicate reloc_is_entry(struct reloc_view *v, integer index, integer header_bytes) =
      \let entry = reloc_word_of(v, RELOC_HDR_ENTRIES + 4 * index) - RELOC_SEG_FLASH;
      header_bytes <= entry < v->ro_bytes && entry % 2 == 1;
    predicate reloc_entries(struct reloc_view *v, integer count, integer header_bytes) =
      \forall integer i; 0 <= i < count ==> reloc_is_entry(v, i, header_bytes);
*/

/* Stops: entries outside the image, in the header, or in Arm state (a fault on every core). */
/*@ requires \valid_read(v) && v->ro_bytes <= RELOC_OFFSET_MASK;
    requires RELOC_HDR_ENTRIES + 4 * count <= RELOC_HDR_BYTES_MAX;
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_entries(v, count, header_bytes);
*/
RELOC_INLINE uint32_t reloc_check_entries(const struct reloc_view *v, uint32_t count,
                                          uint32_t header_bytes) {
    /*@ loop invariant 0 <= i <= count && reloc_entries(v, i, header_bytes);
        loop assigns i;
        loop variant count - i;
    */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = reloc_get_le32(v->header, RELOC_HDR_ENTRIES + 4u * i);
        uint32_t entry = reloc_offset(word, RELOC_SEG_FLASH);
        if (entry % 2u == 0 || entry < header_bytes || entry >= v->ro_bytes)
            return RELOC_N_ENTRY;
    }
    return RELOC_OK;
}

/*@ predicate reloc_string(struct reloc_view *v, integer at, integer header_bytes) =
      header_bytes <= at && \exists integer end; at <= end < v->ro_bytes && v->image[end] == 0;
*/

/* Stops: a name that would be read past the read-only part. */
/*@ requires \valid_read(v) && \valid_read(v->image + (0 .. v->ro_bytes - 1));
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_string(v, at, header_bytes);
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

/*@ predicate reloc_context(struct reloc_view *v) =
      reloc_says(v, RELOC_HDR_ENTRIES + 4 * RELOC_ENTRY_CTX, RELOC_SEG_RAM, v->ctx) &&
      v->ctx % 4 == 0 && v->ctx + RELOC_CTX_BYTES <= v->data_end &&
      v->acts_size <= RELOC_OFFSET_MASK && v->weights_size <= RELOC_OFFSET_MASK &&
      (v->weights_start == 0 || v->weights_end - v->weights_start >= v->weights_size) &&
      reloc_string(v, v->c_name, RELOC_HDR_BYTES);
*/

/*
 * Stops: a context outside the data, where the loader would write; weights cut short by a packager;
 * activations larger than any offset, whose size would round up to nothing.
 */
/*@ requires \valid(v) && reloc_sections(v);
    requires reloc_entries(v, RELOC_ENTRY_CTX, RELOC_HDR_BYTES);
    assigns v->ctx, v->c_name, v->acts_size, v->weights_size;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_sections(v) && reloc_context(v);
    ensures reloc_entries(v, RELOC_ENTRY_CTX, RELOC_HDR_BYTES);
*/
static inline uint32_t reloc_check_context(struct reloc_view *v) {
    uint32_t word = reloc_get_le32(v->header, RELOC_HDR_ENTRIES + 4u * RELOC_ENTRY_CTX);
    v->ctx = reloc_offset(word, RELOC_SEG_RAM);
    if (v->ctx % 4u != 0 || v->ctx > v->data_end || v->data_end - v->ctx < RELOC_CTX_BYTES)
        return RELOC_N_CONTEXT;
    uint32_t ctx = v->ro_bytes + v->ctx;
    v->c_name = reloc_offset(reloc_get_le32(v->image, ctx + RELOC_CTX_C_NAME), RELOC_SEG_FLASH);
    v->acts_size = reloc_get_le32(v->image, ctx + RELOC_CTX_ACTS_SIZE);
    v->weights_size = reloc_get_le32(v->image, ctx + RELOC_CTX_WEIGHTS_SIZE);
    if (v->acts_size > RELOC_OFFSET_MASK || v->weights_size > RELOC_OFFSET_MASK)
        return RELOC_N_CONTEXT;
    if (v->weights_start != 0 && v->weights_end - v->weights_start < v->weights_size)
        return RELOC_N_WEIGHTS_SIZE;
    return reloc_check_name(v, v->c_name, RELOC_HDR_BYTES);
}

/* ---- words to rebase ---- */

/* The word at a RAM offset below got_end, as it is in the file. */
/*@ requires \valid_read(v) && reloc_parts(v, RELOC_SEG_RAM, RELOC_HDR_BYTES);
    requires ram_offset % 4 == 0 && ram_offset + 4 <= v->got_end;
    assigns \nothing;
*/
static inline uint32_t reloc_data_word(const struct reloc_view *v, uint32_t ram_offset) {
    return reloc_get_le32(v->image, v->ro_bytes + ram_offset);
}

/* An installation: the addresses of offset 0 of the two segments, and the copy of the data. */
struct reloc_bases {
    uint32_t rom;
    uint32_t ram;
    uint8_t *data; /* at ram; NULL: nothing is installed, words are only checked */
};

/* A segment of words to rebase: number of valid offsets, and what is added to them. */
struct reloc_segment {
    uint32_t count, base;
};

/* What an installation relies on. */
/*@ predicate reloc_view_ok(struct reloc_view *v) =
      reloc_parts(v, RELOC_SEG_RAM, RELOC_HDR_BYTES) && reloc_context(v);
    logic integer reloc_copied(struct reloc_view *v, uint8_t *copy) =
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
    struct reloc_segment segments[8] = {{1, 0}, {v->ro_bytes + 1u, to->rom}};
    segments[RELOC_SEG_RAM >> 29].count = v->bss_end + 1u;
    segments[RELOC_SEG_RAM >> 29].base = to->ram;
    const uint32_t last = v->data_end - 4u;
    uint32_t got = v->got_start, rel = v->rel_start;
    uint8_t *copy = to->data;
    /*@ loop invariant v->got_start <= got <= v->got_end;
        loop invariant v->rel_start <= rel <= v->rel_end;
        loop invariant got % 4 == 0 && rel % 4 == 0;
        loop assigns got, rel, copy[0 .. reloc_copied(v, copy) - 1];
        loop variant v->got_end - got + v->rel_end - rel;
    */
    for (;;) {
        uint32_t offset = got;
        if (v->got_end - got >= 4u) {
            got += 4u;
        } else {
            if (v->rel_end - rel < 4u)
                return RELOC_OK;
            offset = reloc_offset(reloc_get_le32(v->image, rel), RELOC_SEG_RAM);
            rel += 4u;
            if (offset % 4u != 0 || offset > last)
                return RELOC_N_REL_ENTRY;
        }
        uint32_t word = reloc_get_le32(v->image, v->ro_bytes + offset);
        uint32_t in_segment = word % 0x20000000u;
        if (in_segment >= segments[word / 0x20000000u].count)
            return rel == v->rel_start ? RELOC_N_GOT_WORD : RELOC_N_REL_WORD;
        if (copy != NULL) {
            if (reloc_get_le32(copy, offset) != word)
                return RELOC_N_REL_DUPLICATE;
            reloc_put_le32(copy, offset, in_segment + segments[word / 0x20000000u].base);
        }
    }
}
_Static_assert(RELOC_SEG_FLASH >> 29 == 1, "the second of the segments");

/* ---- the image's own tables ---- */

/*@ predicate reloc_tables(struct reloc_view *v) =
      \let start = reloc_le32(v->image, v->ro_bytes + v->ctx + RELOC_CTX_TABLES);
      \let crc = reloc_le32(v->image, v->ro_bytes + v->ctx + RELOC_CTX_TABLES_CRC32);
      start == 0 ||
      RELOC_SEG_FLASH <= start <= RELOC_SEG_FLASH + v->ro_bytes &&
      crc == reloc_crc(0, v->image + (start - RELOC_SEG_FLASH),
                       RELOC_SEG_FLASH + v->ro_bytes - start);
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
    uint32_t ctx = v->ro_bytes + v->ctx;
    uint32_t start = reloc_get_le32(v->image, ctx + RELOC_CTX_TABLES);
    if (start == 0)
        return RELOC_OK;
    start = reloc_offset(start, RELOC_SEG_FLASH);
    return start <= v->ro_bytes && reloc_crc32(0, v->image + start, v->ro_bytes - start) ==
                                       reloc_get_le32(v->image, ctx + RELOC_CTX_TABLES_CRC32)
               ? RELOC_OK
               : RELOC_N_TABLES;
}

/* ---- integrity trailer ---- */

/*@ predicate reloc_trailer(uint8_t *file, integer size, integer at, integer kind) =
      at + RELOC_TRL_BYTES <= size &&
      reloc_le32(file, at + RELOC_TRL_MAGIC) == RELOC_TRAILER_MAGIC &&
      reloc_le32(file, at + RELOC_TRL_SELF_CRC32) ==
        reloc_crc(0, file + at, RELOC_TRL_SELF_CRC32) &&
      reloc_le32(file, at + RELOC_TRL_VERSION) == 1 &&
      reloc_le32(file, at + RELOC_TRL_SIZE) == RELOC_TRL_BYTES &&
      reloc_le32(file, at + RELOC_TRL_KIND) == kind &&
      reloc_le32(file, at + RELOC_TRL_LENGTH) == at &&
      at + RELOC_TRL_BYTES + reloc_le32(file, at + RELOC_TRL_SIGNATURE_SIZE) <= size;
*/

/*
 * The trailer at offset at of a file of size bytes (at <= size), of the given kind. Stops: damage
 * in it, a file cut inside the trailer (TRAILER) or the signature (TRUNCATED). The caller compares
 * the CRC of the bytes before it.
 */
/*@ requires at <= size && at % 4 == 0 && at + RELOC_TRL_BYTES <= UINT32_MAX;
    requires at + RELOC_TRL_BYTES <= size ==> \valid_read(file + (0 .. at + RELOC_TRL_BYTES - 1));
    assigns \nothing;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_trailer(file, size, at, kind);
*/
static inline uint32_t reloc_check_trailer_at(const uint8_t *file, uint32_t size, uint32_t at,
                                              uint32_t kind) {
    if (size - at < RELOC_TRL_BYTES ||
        reloc_get_le32(file, at + RELOC_TRL_MAGIC) != RELOC_TRAILER_MAGIC ||
        reloc_get_le32(file, at + RELOC_TRL_SELF_CRC32) !=
            reloc_crc32(0, file + at, RELOC_TRL_SELF_CRC32) ||
        reloc_get_le32(file, at + RELOC_TRL_VERSION) != 1u ||
        reloc_get_le32(file, at + RELOC_TRL_SIZE) != RELOC_TRL_BYTES ||
        reloc_get_le32(file, at + RELOC_TRL_KIND) != kind ||
        reloc_get_le32(file, at + RELOC_TRL_LENGTH) != at)
        return RELOC_N_TRAILER;
    return reloc_get_le32(file, at + RELOC_TRL_SIGNATURE_SIZE) <= size - at - RELOC_TRL_BYTES
               ? RELOC_OK
               : RELOC_N_TRUNCATED;
}

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
    requires v->ro_bytes + v->got_end <= v->trailer <= RELOC_OFFSET_MASK + 3 && v->trailer % 4 == 0;
    requires \valid_read(v->image + (0 .. v->trailer + RELOC_TRL_BYTES - 1));
    assigns v->crc_ro, v->crc_data;
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_crcs(v, header_bytes);
*/
static inline uint32_t reloc_check_crc(struct reloc_view *v, uint32_t header_bytes) {
    uint32_t data_end = v->ro_bytes + v->got_end;
    uint32_t crc = reloc_crc32(0, v->header, header_bytes);
    v->crc_ro = reloc_crc32(crc, v->image + header_bytes, v->ro_bytes - header_bytes);
    v->crc_data = reloc_crc32(v->crc_ro, v->image + v->ro_bytes, v->got_end);
    return reloc_crc32(v->crc_data, v->image + data_end, v->trailer - data_end) ==
                   reloc_get_le32(v->image, v->trailer + RELOC_TRL_CRC32)
               ? RELOC_OK
               : RELOC_N_CRC;
}

/*@ predicate reloc_fill(uint8_t *file, integer size, integer at) =
      (file[at] == 0 || file[at] == 0xFF) &&
      \forall integer i; at <= i < size ==> file[i] == file[at];
*/

/* Whether all bytes from at to the end look like erased or cleared memory: all ones, or 0. */
/*@ requires at < size && \valid_read(file + (at .. size - 1));
    assigns \nothing;
    ensures \result <==> reloc_fill(file, size, at);
*/
static inline bool reloc_is_fill(const uint8_t *file, uint32_t size, uint32_t at) {
    uint8_t fill = file[at];
    /*@ loop invariant \at(at, Pre) <= at <= size;
        loop invariant \forall integer i; \at(at, Pre) <= i < at ==> file[i] == fill;
        loop assigns at;
        loop variant size - at;
    */
    while (at < size && file[at] == fill)
        at++;
    return at == size && (fill == 0 || fill == 0xFF);
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
      reloc_entries(v, RELOC_ENTRY_CTX, RELOC_HDR_BYTES);
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
    ensures \result == RELOC_OK ==> reloc_checked(v);
*/
static inline uint32_t reloc_check_trailer(struct reloc_view *v) {
    uint32_t at = reloc_round4(v->content_end), end = v->size;
    v->trailer = 0;
    if (end == RELOC_SIZE_UNKNOWN)
        end = RELOC_REQUIRE_TRAILER ? at + RELOC_TRL_BYTES : at;
    if (end <= at || reloc_is_fill(v->image, end, at))
        return RELOC_REQUIRE_TRAILER ? RELOC_N_NO_TRAILER : RELOC_OK;
    uint32_t code = reloc_check_trailer_at(v->image, v->size, at, RELOC_TRL_IMAGE);
    v->trailer = at;
    return code != RELOC_OK ? code : reloc_check_crc(v, RELOC_HDR_BYTES);
}

/* ---- the whole check ---- */

/* Everything but magic and version, which the caller has checked. */
/*@ requires \valid(view) && reloc_readable(view->image, view->size, &view->header[0]);
    assigns *view;
    ensures reloc_code(\result);
    ensures view->image == \old(view->image) && view->size == \old(view->size);
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

/*@ logic integer reloc_round16(integer size) = (size + 15) / 16 * 16;
    predicate reloc_weights_file(struct reloc_view *v, uint8_t *weights, integer size) =
      v->weights_size <= size &&
      (v->trailer == 0 ||
       \let at = reloc_round16(v->weights_size);
       reloc_trailer(weights, size, at, RELOC_TRL_WEIGHTS) &&
       reloc_le32(weights, at + RELOC_TRL_CRC32) == reloc_crc(0, weights, at) &&
       \forall integer i; 0 <= i < RELOC_BUILD_ID_BYTES ==>
         (weights + at + RELOC_TRL_BUILD_ID)[i] == (v->image + v->trailer + RELOC_TRL_BUILD_ID)[i]);
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
    uint32_t at =
        (view->weights_size + RELOC_WEIGHTS_ALIGN - 1u) / RELOC_WEIGHTS_ALIGN * RELOC_WEIGHTS_ALIGN;
    if (size < view->weights_size)
        return RELOC_N_WEIGHTS_SIZE;
    if (view->trailer == 0)
        return RELOC_OK;
    if (size <= at)
        return RELOC_N_NO_TRAILER;
    uint32_t code = reloc_check_trailer_at(weights, size, at, RELOC_TRL_WEIGHTS);
    if (code != RELOC_OK)
        return code;
    if (reloc_get_le32(weights, at + RELOC_TRL_CRC32) != reloc_crc32(0, weights, at))
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
 * superset it may also be a core of the same architecture version that has every instruction of the
 * other: Armv7-M M3 < Armv7E-M M4 < M7, Armv8-M Mainline M33 < Armv8.1-M M55. An M33 does not take
 * an M4 image, because its DSP extension is optional. The FPU is checked separately.
 */
/*@ assigns \nothing;
    ensures image_part == core_part ==> \result;
    ensures \result && image_part != core_part ==> superset;
*/
static inline bool reloc_cpu_accepts(uint32_t image_part, uint32_t core_part, bool superset) {
    if (image_part == core_part || !superset)
        return image_part == core_part;
    switch (image_part) {
    case RELOC_CPUID_M3:
        return core_part == RELOC_CPUID_M4 || core_part == RELOC_CPUID_M7;
    case RELOC_CPUID_M4:
        return core_part == RELOC_CPUID_M7;
    case RELOC_CPUID_M33:
        return core_part == RELOC_CPUID_M55;
    default:
        return false;
    }
}

#endif
