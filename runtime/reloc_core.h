/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structural check of a relocatable image: bounded reading, ranges, words to rebase, trailer.
 * The whole check at the end is the Cortex-M image's; reloc_npu_core.h makes the Neural-ART image's
 * of the same functions. What differs (RAM segment, size of the header) they take as constants.
 * In: the bytes of an image, none of them trusted, and how many there are. Out: a struct
 * reloc_view of offsets that are all known to be in bounds, or one code of reloc_errors.def.
 * Nothing is written, allocated or called. The loader on the target, the host's image reader and
 * the fuzzers include this one file; offsets are 32-bit numbers and never turned into pointers
 * without the image's base, so it behaves the same on a 64-bit host.
 */
#ifndef RELOC_CORE_H
#define RELOC_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "reloc_format.h"

enum reloc_error {
    RELOC_OK = 0,
#define X(name, value, text) RELOC_E_##name = value,
#include "reloc_errors.def"
#undef X
};

/*
 * For callers of the plain API, which has no size: offsets are then bounded by each other and by
 * the ends that the header declares (28 bits), and nothing behind those ends is read.
 */
#define RELOC_SIZE_UNKNOWN UINT32_MAX

/* What a checked image says. All members but image and flags are offsets or sizes in bytes. */
struct reloc_view {
    const uint8_t *image;
    uint32_t size;          /* readable bytes, or RELOC_SIZE_UNKNOWN */
    uint32_t flags;         /* header word 1 */
    uint32_t ro_bytes;      /* FLASH: header, text and rodata; file offset of the data */
    uint32_t data_end;      /* RAM */
    uint32_t got_start;     /* RAM */
    uint32_t got_end;       /* RAM; also the size of the data's load image */
    uint32_t bss_end;       /* RAM */
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
};

/* Small readers are worth a call to no compiler that sees that they are one load. */
#if defined(__GNUC__)
#define RELOC_INLINE static inline __attribute__((always_inline))
#else
#define RELOC_INLINE static inline
#endif

/* ---- bounded reading ---- */

/* The caller has checked that offset + 4 bytes are readable. Compiles to one load on the target. */
RELOC_INLINE uint32_t reloc_get_le32(const uint8_t *bytes, uint32_t offset) {
    const uint8_t *p = bytes + offset;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t reloc_round4(uint32_t size) {
    return (size + 3u) & ~UINT32_C(3);
}

/*
 * The offset that the segment address at where has in the given segment. When it names another
 * segment, the result is above RELOC_OFFSET_MASK, and so above every bound it is compared with.
 */
RELOC_INLINE uint32_t reloc_offset(const struct reloc_view *v, uint32_t where, uint32_t segment) {
    return reloc_get_le32(v->image, where) ^ segment;
}

/* CRC-32 as zlib's, four bits at a time: 64 bytes of table. */
static inline uint32_t reloc_crc32(const uint8_t *bytes, uint32_t size) {
    static const uint32_t nibble[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                        0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                        0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ nibble[crc & 15u];
        crc = crc >> 4 ^ nibble[crc & 15u];
    }
    return ~crc;
}

/* ---- the header ---- */

/* Stops: a file cut inside the header, another kind of file, another version, a damaged flag. */
static inline int32_t reloc_check_identity(struct reloc_view *v, uint32_t header_bytes,
                                           uint32_t major) {
    if (v->size < header_bytes)
        return RELOC_E_TRUNCATED;
    if (reloc_get_le32(v->image, RELOC_HDR_MAGIC) != RELOC_MAGIC)
        return RELOC_E_MAGIC;
    v->flags = reloc_get_le32(v->image, RELOC_HDR_FLAGS);
    if (RELOC_FLAGS_MAJOR(v->flags) != major || RELOC_FLAGS_MINOR(v->flags) != RELOC_MINOR)
        return RELOC_E_VERSION;
    return RELOC_FLAGS_FLOAT_ABI(v->flags) <= RELOC_FLOAT_HARD ? RELOC_OK : RELOC_E_FLAGS;
}

/*
 * Stops: RAM sections out of order or overlapping, a GOT of broken words, got_end < got_start. A
 * word of another segment is above the mask, and the ones after it cannot be below it.
 */
RELOC_INLINE int32_t reloc_check_ram(struct reloc_view *v, uint32_t ram_segment) {
    v->data_end = reloc_offset(v, RELOC_HDR_DATA_END, ram_segment);
    v->got_start = reloc_offset(v, RELOC_HDR_GOT_START, ram_segment);
    v->got_end = reloc_offset(v, RELOC_HDR_GOT_END, ram_segment);
    v->bss_end = reloc_offset(v, RELOC_HDR_BSS_END, ram_segment);
    uint32_t bss_start = reloc_offset(v, RELOC_HDR_BSS_START, ram_segment);
    if (reloc_get_le32(v->image, RELOC_HDR_DATA_START) != ram_segment ||
        v->data_end > RELOC_OFFSET_MASK)
        return RELOC_E_DATA;
    if (v->got_start < v->data_end || v->got_end < v->got_start || v->got_end > RELOC_OFFSET_MASK ||
        (v->got_start | v->got_end) % 4u != 0)
        return RELOC_E_GOT;
    if (bss_start < v->got_end || v->bss_end < bss_start || v->bss_end > RELOC_OFFSET_MASK)
        return RELOC_E_BSS;
    return RELOC_OK;
}

/*
 * Both words 0, or an empty range: the weights are in a file of their own, or there are none.
 * Stops: weights elsewhere than at the end.
 */
static inline int32_t reloc_check_weights(struct reloc_view *v) {
    uint32_t start = reloc_offset(v, RELOC_HDR_WEIGHTS_START, RELOC_SEG_FLASH);
    uint32_t end = reloc_offset(v, RELOC_HDR_WEIGHTS_END, RELOC_SEG_FLASH);
    v->weights_start = v->weights_end = 0;
    v->content_end = v->rel_end;
    if (start == RELOC_SEG_FLASH && end == RELOC_SEG_FLASH) /* the words are 0 */
        return RELOC_OK;
    if (start < v->rel_end || start % 4u != 0 || end < start || end > RELOC_OFFSET_MASK)
        return RELOC_E_WEIGHTS;
    v->content_end = end;
    if (start != end) {
        v->weights_start = start;
        v->weights_end = end;
    }
    return end <= v->size ? RELOC_OK : RELOC_E_TRUNCATED;
}

/*
 * File order: read-only part, load image of data and GOT, REL. Stops: parts that overlap or leave
 * the file. Offsets have 28 bits, so the one sum cannot wrap.
 */
RELOC_INLINE int32_t reloc_check_file(struct reloc_view *v, uint32_t header_bytes) {
    v->ro_bytes = reloc_offset(v, RELOC_HDR_DATA_DATA, RELOC_SEG_FLASH);
    v->rel_start = reloc_offset(v, RELOC_HDR_REL_START, RELOC_SEG_FLASH);
    v->rel_end = reloc_offset(v, RELOC_HDR_REL_END, RELOC_SEG_FLASH);
    if (v->ro_bytes < header_bytes || v->ro_bytes > RELOC_OFFSET_MASK || v->ro_bytes % 4u != 0)
        return RELOC_E_CODE;
    if (v->rel_start < v->ro_bytes + v->got_end || v->rel_end < v->rel_start ||
        v->rel_end > RELOC_OFFSET_MASK || (v->rel_start | v->rel_end) % 4u != 0)
        return RELOC_E_REL;
    return v->rel_end <= v->size ? RELOC_OK : RELOC_E_TRUNCATED;
}

/* Stops: calls to outside the image, into the header, or in Arm state (a fault on every core). */
RELOC_INLINE int32_t reloc_check_entries(const struct reloc_view *v, uint32_t count,
                                         uint32_t header_bytes) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry = reloc_offset(v, RELOC_HDR_ENTRIES + 4u * i, RELOC_SEG_FLASH);
        if (entry % 2u == 0 || entry < header_bytes || entry >= v->ro_bytes)
            return RELOC_E_ENTRY;
    }
    return RELOC_OK;
}

/* Stops: a name that is read past the read-only part. */
RELOC_INLINE int32_t reloc_check_name(const struct reloc_view *v, uint32_t at,
                                      uint32_t header_bytes) {
    uint32_t i = at;
    if (i < header_bytes)
        return RELOC_E_NAME;
    while (i < v->ro_bytes && v->image[i] != 0)
        i++;
    return i < v->ro_bytes ? RELOC_OK : RELOC_E_NAME;
}

/* Stops: a context outside the data, where the loader would write; weights cut by a packager. */
static inline int32_t reloc_check_context(struct reloc_view *v) {
    v->ctx = reloc_offset(v, RELOC_HDR_ENTRIES + 4u * RELOC_ENTRY_CTX, RELOC_SEG_RAM);
    if (v->ctx % 4u != 0 || v->ctx > v->data_end || v->data_end - v->ctx < RELOC_CTX_BYTES)
        return RELOC_E_CONTEXT;
    uint32_t in_file = v->ro_bytes + v->ctx;
    v->c_name = reloc_offset(v, in_file + RELOC_CTX_C_NAME, RELOC_SEG_FLASH);
    v->acts_size = reloc_get_le32(v->image, in_file + RELOC_CTX_ACTS_SIZE);
    v->weights_size = reloc_get_le32(v->image, in_file + RELOC_CTX_WEIGHTS_SIZE);
    if (v->weights_start != 0 && v->weights_end - v->weights_start < v->weights_size)
        return RELOC_E_WEIGHTS_SIZE;
    return reloc_check_name(v, v->c_name, RELOC_HDR_BYTES);
}

/* ---- words to rebase ---- */

/* 0 stays 0. The end of a part is allowed too: C has pointers one past the last element. */
static inline bool reloc_word_valid(const struct reloc_view *v, uint32_t word) {
    return word == 0 || (word ^ RELOC_SEG_FLASH) <= v->ro_bytes ||
           (word ^ RELOC_SEG_RAM) <= v->bss_end;
}

/* The word at a RAM offset below got_end, as the file has it. */
static inline uint32_t reloc_data_word(const struct reloc_view *v, uint32_t ram_offset) {
    return reloc_get_le32(v->image, v->ro_bytes + ram_offset);
}

static inline int32_t reloc_check_got(const struct reloc_view *v) {
    for (uint32_t at = v->got_start; at < v->got_end; at += 4u)
        if (!reloc_word_valid(v, reloc_data_word(v, at)))
            return RELOC_E_GOT_WORD;
    return RELOC_OK;
}

/* A REL list with more entries is sorted within each segment. */
enum { RELOC_REL_UNSORTED_MAX = 4096 };

/*
 * The entry at that offset against those before it, of which highest is the highest in the entry's
 * segment (0: none). Stops: a word rebased twice, the second time from an address; and a list that
 * would cost a search for each of many entries. Packagers sort, so that hardly any is searched for.
 */
static inline int32_t reloc_check_rel_order(const struct reloc_view *v, uint32_t at,
                                            uint32_t *highest) {
    uint32_t entry = reloc_get_le32(v->image, at);
    if (entry > *highest) {
        *highest = entry;
        return RELOC_OK;
    }
    if (entry != *highest && v->rel_end - v->rel_start > 4u * RELOC_REL_UNSORTED_MAX)
        return RELOC_E_REL;
    for (uint32_t i = v->rel_start; i < at; i += 4u)
        if (reloc_get_le32(v->image, i) == entry)
            return RELOC_E_REL_DUPLICATE;
    return RELOC_OK;
}

/*
 * Stops: a loader led to write outside the data, into the GOT, or across two words. The data has
 * more than 4 bytes, because the context is inside it.
 */
static inline int32_t reloc_check_rel(const struct reloc_view *v) {
    uint32_t highest = 0;
    for (uint32_t at = v->rel_start; at < v->rel_end; at += 4u) {
        uint32_t entry = reloc_get_le32(v->image, at);
        uint32_t offset = entry ^ RELOC_SEG_RAM;
        if (offset % 4u != 0 || offset > v->data_end - 4u)
            return RELOC_E_REL_ENTRY;
        int32_t code = reloc_check_rel_order(v, at, &highest);
        if (code != RELOC_OK)
            return code;
        if (!reloc_word_valid(v, reloc_data_word(v, offset)))
            return RELOC_E_REL_WORD;
    }
    return RELOC_OK;
}

/* ---- integrity trailer ---- */

/*
 * The trailer at offset at of a file of size bytes (at <= size), of the given kind. Stops: damage
 * anywhere before or in it, a file cut inside the trailer (TRAILER) or the signature (TRUNCATED).
 */
static inline int32_t reloc_check_trailer_at(const uint8_t *file, uint32_t size, uint32_t at,
                                             uint32_t kind) {
    const uint8_t *t = file + at;
    if (size - at < RELOC_TRL_BYTES || reloc_get_le32(t, RELOC_TRL_MAGIC) != RELOC_TRAILER_MAGIC ||
        reloc_get_le32(t, RELOC_TRL_SELF_CRC32) != reloc_crc32(t, RELOC_TRL_SELF_CRC32) ||
        reloc_get_le32(t, RELOC_TRL_VERSION) != 1u ||
        reloc_get_le32(t, RELOC_TRL_SIZE) != RELOC_TRL_BYTES ||
        reloc_get_le32(t, RELOC_TRL_KIND) != kind || reloc_get_le32(t, RELOC_TRL_LENGTH) != at)
        return RELOC_E_TRAILER;
    if (reloc_get_le32(t, RELOC_TRL_SIGNATURE_SIZE) > size - at - RELOC_TRL_BYTES)
        return RELOC_E_TRUNCATED;
    return reloc_get_le32(t, RELOC_TRL_CRC32) == reloc_crc32(file, at) ? RELOC_OK : RELOC_E_CRC;
}

/* What the image's trailer says of the weights, against the header. */
static inline int32_t reloc_check_trailer_weights(const struct reloc_view *v) {
    const uint8_t *t = v->image + v->trailer;
    uint32_t split = reloc_get_le32(t, RELOC_TRL_FLAGS) & RELOC_TRL_SPLIT;
    uint32_t embedded = v->weights_end - v->weights_start;
    if (split != 0)
        return v->weights_start == 0 ? RELOC_OK : RELOC_E_TRAILER;
    return reloc_get_le32(t, RELOC_TRL_WEIGHTS_LENGTH) <= embedded ? RELOC_OK : RELOC_E_TRAILER;
}

/* Whether all bytes from at to the end are as in erased or cleared memory: all ones, or 0. */
static inline bool reloc_is_fill(const uint8_t *file, uint32_t size, uint32_t at) {
    uint8_t fill = file[at];
    while (at < size && file[at] == fill)
        at++;
    return at == size && (fill == 0 || fill == 0xFF);
}

/*
 * Behind the content lies nothing, fill (no trailer), or a trailer. Nothing else: that would be a
 * damaged trailer, or one that a damaged header has lost.
 */
static inline int32_t reloc_check_trailer(struct reloc_view *v) {
    uint32_t at = reloc_round4(v->content_end);
    v->trailer = 0;
    if (v->size == RELOC_SIZE_UNKNOWN || v->size <= at || reloc_is_fill(v->image, v->size, at))
        return RELOC_OK;
    v->trailer = at;
    int32_t code = reloc_check_trailer_at(v->image, v->size, at, RELOC_TRL_IMAGE);
    return code != RELOC_OK ? code : reloc_check_trailer_weights(v);
}

/* ---- the whole check ---- */

/* All but magic and version, which the caller has looked at. */
static inline int32_t reloc_check_parts(struct reloc_view *view) {
    int32_t code;
    if ((code = reloc_check_ram(view, RELOC_SEG_RAM)) != RELOC_OK ||
        (code = reloc_check_file(view, RELOC_HDR_BYTES)) != RELOC_OK ||
        (code = reloc_check_weights(view)) != RELOC_OK ||
        (code = reloc_check_entries(view, RELOC_ENTRY_CTX, RELOC_HDR_BYTES)) != RELOC_OK ||
        (code = reloc_check_context(view)) != RELOC_OK ||
        (code = reloc_check_got(view)) != RELOC_OK || (code = reloc_check_rel(view)) != RELOC_OK)
        return code;
    return reloc_check_trailer(view);
}

/*
 * Checks size bytes at image and fills view (valid only on RELOC_OK). size may be
 * RELOC_SIZE_UNKNOWN. Returns RELOC_OK or a negative enum reloc_error from RELOC_E_TRUNCATED to
 * RELOC_E_CRC. Time: linear, but quadratic in the entries of a REL list that is not sorted, which
 * has RELOC_REL_UNSORTED_MAX at most.
 */
static inline int32_t reloc_core_check(const uint8_t *image, uint32_t size,
                                       struct reloc_view *view) {
    view->image = image;
    view->size = size;
    int32_t code = reloc_check_identity(view, RELOC_HDR_BYTES, RELOC_MAJOR);
    return code != RELOC_OK ? code : reloc_check_parts(view);
}

/*
 * Checks a weights file of size bytes against the image it belongs to, which reloc_core_check has
 * accepted. When the image has no trailer (another packager's), only the length is checked; when
 * it has one, the weights must have theirs. Returns RELOC_OK, RELOC_E_WEIGHTS_SIZE (shorter than
 * the model needs), RELOC_E_NO_TRAILER, RELOC_E_TRAILER, RELOC_E_TRUNCATED, RELOC_E_CRC, or
 * RELOC_E_BUILD_ID (of another build than the image).
 */
static inline int32_t reloc_core_check_weights(const struct reloc_view *view,
                                               const uint8_t *weights, uint32_t size) {
    if (size < view->weights_size)
        return RELOC_E_WEIGHTS_SIZE;
    uint32_t pad = (0u - view->weights_size) % RELOC_WEIGHTS_ALIGN;
    if (view->trailer == 0)
        return RELOC_OK;
    if (size - view->weights_size <= pad)
        return RELOC_E_NO_TRAILER;
    uint32_t at = view->weights_size + pad;
    int32_t code = reloc_check_trailer_at(weights, size, at, RELOC_TRL_WEIGHTS);
    for (uint32_t i = RELOC_TRL_BUILD_ID; code == RELOC_OK && i < RELOC_TRL_WEIGHTS_LENGTH; i++)
        if (weights[at + i] != view->image[view->trailer + i])
            code = RELOC_E_BUILD_ID;
    return code;
}

/* ---- what an installation needs ---- */

/* Bytes of RAM: data, GOT and bss, and in COPY mode the read-only part before them. */
static inline uint32_t reloc_ram_xip(const struct reloc_view *v) {
    return reloc_round4(v->bss_end);
}

static inline uint32_t reloc_ram_copy(const struct reloc_view *v) {
    return reloc_ram_xip(v) + reloc_round4(v->ro_bytes);
}

/*
 * Whether a core of part core_part (CPUID bits 15..4) may run an image built for image_part. With
 * superset also a core of the same architecture version that has every instruction of the other:
 * Armv7-M M3 < Armv7E-M M4 < M7, Armv8-M Mainline M33 < Armv8.1-M M55. An M4 image is not taken on
 * an M33, whose DSP extension is optional. The FPU is a check of its own.
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
