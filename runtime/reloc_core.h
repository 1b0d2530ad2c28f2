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

enum { RELOC_HDR_WORDS_MAX = RELOC_NPU_HDR_BYTES_13 / 4 };

/*
 * What a checked image says. The words of the header are read once, into header; whatever the image
 * does afterwards, these are the ones that were checked. All members except image, flags, CRCs and
 * header are offsets or sizes in bytes.
 */
struct reloc_view {
    const uint8_t *image;
    uint32_t size; /* readable bytes, or RELOC_SIZE_UNKNOWN */
    union {
        uint32_t part[RELOC_HDR_ENTRIES / 4]; /* by the position of the word in the header */
        struct {
            uint32_t magic;
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
        };
    };
    uint32_t content_end;  /* file: end of the last section */
    uint32_t trailer;      /* file; 0 when there is none */
    uint32_t ctx;          /* RAM */
    uint32_t c_name;       /* file: a terminated string */
    uint32_t acts_size;    /* bytes of activations that the model needs */
    uint32_t weights_size; /* bytes of weights that the model needs */
    uint32_t crc_ro;       /* with a trailer: reloc_crc32 up to ro_bytes */
    uint32_t crc_data;     /* with a trailer: the same up to the end of the data's load image */
    uint32_t header[RELOC_HDR_WORDS_MAX];
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

/*
 * The caller has checked that offset + 4 bytes are readable. This is one load on the target, where
 * everything read this way is aligned; compilers that are not told so make four loads of it, as
 * clang does by default.
 */
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && !defined(__ARM_BIG_ENDIAN)
typedef uint32_t __attribute__((may_alias)) reloc_word;
RELOC_INLINE uint32_t reloc_get_le32(const uint8_t *bytes, uint32_t offset) {
    return *(const reloc_word *)(const void *)(bytes + offset);
}
#else
RELOC_INLINE uint32_t reloc_get_le32(const uint8_t *bytes, uint32_t offset) {
    const uint8_t *p = bytes + offset;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
#endif

static inline uint32_t reloc_round4(uint32_t size) {
    return (size + 3u) & ~UINT32_C(3);
}

/*
 * The offset that a segment address has in the given segment. When it names another segment, the
 * result is above RELOC_OFFSET_MASK, and so above every bound it is compared with.
 */
RELOC_INLINE uint32_t reloc_offset(uint32_t address, uint32_t segment) {
    return address ^ segment;
}

/*
 * CRC-32 as in zlib, four bits at a time: 64 bytes of table. crc: 0, or the CRC of the bytes before
 * these.
 */
static inline uint32_t reloc_crc32(uint32_t crc, const uint8_t *bytes, uint32_t size) {
    static const uint32_t nibble[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                        0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                        0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    crc = ~crc;
    for (uint32_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ nibble[crc & 15u];
        crc = crc >> 4 ^ nibble[crc & 15u];
    }
    return ~crc;
}

/* ---- the header ---- */

/* The words of the header from first up to end; the caller knows that they are readable. */
static inline void reloc_read_header(struct reloc_view *v, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++)
        v->header[i] = reloc_get_le32(v->image, 4u * i);
}

/* Stops: a file cut inside the header, another kind of file, another version, a damaged flag. */
static inline uint32_t reloc_check_identity(struct reloc_view *v, uint32_t header_bytes,
                                            uint32_t major) {
    if (v->size < header_bytes)
        return RELOC_N_TRUNCATED;
    reloc_read_header(v, 0, header_bytes / 4u);
    if (v->header[RELOC_HDR_MAGIC / 4] != RELOC_MAGIC)
        return RELOC_N_MAGIC;
    v->flags = v->header[RELOC_HDR_FLAGS / 4];
    if (v->flags >> 24 != (major << 4 | RELOC_MINOR))
        return RELOC_N_VERSION;
    return RELOC_FLAGS_FLOAT_ABI(v->flags) <= RELOC_FLOAT_HARD ? RELOC_OK : RELOC_N_FLAGS;
}

/*
 * The parts in RAM, then those in the file: each begins at the end of the one before it or later.
 * Stops: parts out of order, overlapping, or in the wrong segment (an offset above the mask),
 * broken words, and a file that ends before REL does. Offsets have 28 bits, so the one sum cannot
 * wrap.
 */
static inline uint32_t reloc_check_order(struct reloc_view *v, uint32_t ram_segment,
                                         uint32_t header_bytes) {
    enum { WORDS = 0x80, WORD = 0x7F }; /* WORDS: a multiple of 4 */
    static const uint8_t order[][2] = {{RELOC_HDR_DATA_END / 4, RELOC_N_DATA},
                                       {RELOC_HDR_GOT_START / 4 | WORDS, RELOC_N_GOT},
                                       {RELOC_HDR_GOT_END / 4 | WORDS, RELOC_N_GOT},
                                       {RELOC_HDR_BSS_START / 4, RELOC_N_BSS},
                                       {RELOC_HDR_BSS_END / 4, RELOC_N_BSS},
                                       {RELOC_HDR_DATA_DATA / 4 | WORDS, RELOC_N_CODE},
                                       {RELOC_HDR_REL_START / 4 | WORDS, RELOC_N_REL},
                                       {RELOC_HDR_REL_END / 4 | WORDS, RELOC_N_REL}};
    uint32_t segment = ram_segment, least = 0;
    v->data_start = 0;
    if (v->header[RELOC_HDR_DATA_START / 4] != ram_segment)
        return RELOC_N_DATA;
    for (uint32_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        uint32_t word = order[i][0] & WORD;
        if (word == RELOC_HDR_DATA_DATA / 4) {
            segment = RELOC_SEG_FLASH;
            least = header_bytes;
        } else if (word == RELOC_HDR_REL_START / 4) {
            least += v->got_end;
        }
        uint32_t offset = reloc_offset(v->header[word], segment);
        if (offset > RELOC_OFFSET_MASK || offset < least ||
            ((order[i][0] & WORDS) != 0 && offset % 4u != 0))
            return order[i][1];
        v->part[word] = least = offset;
    }
    return v->rel_end <= v->size ? RELOC_OK : RELOC_N_TRUNCATED;
}

/*
 * Both words are 0, or the range is empty: the weights are in a file of their own, or there are
 * none. Stops: weights elsewhere than at the end.
 */
static inline uint32_t reloc_check_weights(struct reloc_view *v) {
    uint32_t start = reloc_offset(v->header[RELOC_HDR_WEIGHTS_START / 4], RELOC_SEG_FLASH);
    uint32_t end = reloc_offset(v->header[RELOC_HDR_WEIGHTS_END / 4], RELOC_SEG_FLASH);
    v->weights_start = v->weights_end = 0;
    v->content_end = v->rel_end;
    if (start == RELOC_SEG_FLASH && end == start) /* the words are 0 */
        return RELOC_OK;
    if (start < v->rel_end || start % 4u != 0 || end < start || end > RELOC_OFFSET_MASK)
        return RELOC_N_WEIGHTS;
    v->content_end = end;
    if (start != end) {
        v->weights_start = start;
        v->weights_end = end;
    }
    return end <= v->size ? RELOC_OK : RELOC_N_TRUNCATED;
}

/* Stops: entries outside the image, in the header, or in Arm state (a fault on every core). */
RELOC_INLINE uint32_t reloc_check_entries(const struct reloc_view *v, uint32_t count,
                                          uint32_t header_bytes) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry = reloc_offset(v->header[RELOC_HDR_ENTRIES / 4 + i], RELOC_SEG_FLASH);
        if (entry % 2u == 0 || entry < header_bytes || entry >= v->ro_bytes)
            return RELOC_N_ENTRY;
    }
    return RELOC_OK;
}

/* Stops: a name that would be read past the read-only part. */
static inline uint32_t reloc_check_name(const struct reloc_view *v, uint32_t at,
                                        uint32_t header_bytes) {
    uint32_t i = at;
    if (i < header_bytes)
        return RELOC_N_NAME;
    while (i < v->ro_bytes && v->image[i] != 0)
        i++;
    return i < v->ro_bytes ? RELOC_OK : RELOC_N_NAME;
}

/*
 * Stops: a context outside the data, where the loader would write; weights cut short by a packager;
 * activations larger than any offset, whose size would round up to nothing.
 */
static inline uint32_t reloc_check_context(struct reloc_view *v) {
    v->ctx = reloc_offset(v->header[RELOC_HDR_ENTRIES / 4 + RELOC_ENTRY_CTX], RELOC_SEG_RAM);
    if (v->ctx % 4u != 0 || v->ctx > v->data_end || v->data_end - v->ctx < RELOC_CTX_BYTES)
        return RELOC_N_CONTEXT;
    const uint8_t *ctx = v->image + v->ro_bytes + v->ctx;
    v->c_name = reloc_offset(reloc_get_le32(ctx, RELOC_CTX_C_NAME), RELOC_SEG_FLASH);
    v->acts_size = reloc_get_le32(ctx, RELOC_CTX_ACTS_SIZE);
    v->weights_size = reloc_get_le32(ctx, RELOC_CTX_WEIGHTS_SIZE);
    if ((v->acts_size | v->weights_size) > RELOC_OFFSET_MASK)
        return RELOC_N_CONTEXT;
    if (v->weights_start != 0 && v->weights_end - v->weights_start < v->weights_size)
        return RELOC_N_WEIGHTS_SIZE;
    return reloc_check_name(v, v->c_name, RELOC_HDR_BYTES);
}

/* ---- words to rebase ---- */

/* The word at a RAM offset below got_end, as it is in the file. */
static inline uint32_t reloc_data_word(const struct reloc_view *v, uint32_t ram_offset) {
    return reloc_get_le32(v->image, v->ro_bytes + ram_offset);
}

/* An installation: the addresses of offset 0 of the two segments, and the copy of the data. */
struct reloc_bases {
    uint32_t rom;
    uint32_t ram;
    uint8_t *data; /* at ram; NULL: nothing is installed, words are only checked */
};

/*
 * All words to rebase: those of the GOT, then those that REL lists. 0 stays 0. The end of a part is
 * also allowed, because C has pointers one past the last element. Stops: writes outside the data,
 * into the GOT or across two words; a word that leads out of the image; a word of the copy that is
 * not the file's, because it was rebased already (REL may name it twice) or changed after it was
 * copied. The data has more than 4 bytes, because the context is inside it.
 */
static inline uint32_t reloc_rebase_all(const struct reloc_view *v, const struct reloc_bases *to) {
    /*
     * indexed by the upper three bits of a word: number of valid offsets, and what is added to them
     */
    struct {
        uint32_t count, base;
    } segments[8] = {{1, 0}, {v->ro_bytes + 1u, to->rom}};
    segments[RELOC_SEG_RAM >> 29].count = v->bss_end + 1u;
    segments[RELOC_SEG_RAM >> 29].base = to->ram;
    const uint8_t *file = v->image + v->ro_bytes, *rel = v->image + v->rel_start;
    uint8_t *copy = to->data;
    uint32_t got = v->got_end - v->got_start;
    const uint8_t *rel_end = v->image + v->rel_end;
    const uint32_t last = v->data_end / 4u - 1u;
    for (uint32_t offset = v->got_start;;) {
        if (got != 0) {
            offset = v->got_end - got;
            got -= 4u;
        } else {
            if (rel == rel_end)
                return RELOC_OK;
            offset = reloc_offset(reloc_get_le32(rel, 0), RELOC_SEG_RAM);
            rel += 4u;
            if ((offset >> 2 | offset << 30) > last) /* no multiple of 4 is a large one */
                return RELOC_N_REL_ENTRY;
        }
        uint32_t word = reloc_get_le32(file, offset), in_segment = word & UINT32_C(0x1FFFFFFF);
        if (in_segment >= segments[word >> 29].count)
            return rel == v->image + v->rel_start ? RELOC_N_GOT_WORD : RELOC_N_REL_WORD;
        if (copy != NULL) {
            if (reloc_get_le32(copy, offset) != word)
                return RELOC_N_REL_DUPLICATE;
            *(uint32_t *)(void *)(copy + offset) = in_segment + segments[word >> 29].base;
        }
    }
}
_Static_assert(RELOC_SEG_FLASH >> 29 == 1, "the second of the segments");

/* ---- the image's own tables ---- */

/*
 * Stops: damaged tables (imports, fix-ups, compact). The image's boot code bounds their entries
 * where they are used. This check finds damage before anything is installed, including damage
 * within the bounds and in an image without a trailer. Two words of the context hold the tables'
 * start and their CRC; both are 0 in images of other packagers and in older ones.
 */
static inline uint32_t reloc_check_tables(const struct reloc_view *v) {
    const uint8_t *ctx = v->image + v->ro_bytes + v->ctx;
    uint32_t start = reloc_get_le32(ctx, RELOC_CTX_TABLES);
    if (start == 0)
        return RELOC_OK;
    start = reloc_offset(start, RELOC_SEG_FLASH);
    return start <= v->ro_bytes && reloc_crc32(0, v->image + start, v->ro_bytes - start) ==
                                       reloc_get_le32(ctx, RELOC_CTX_TABLES_CRC32)
               ? RELOC_OK
               : RELOC_N_TABLES;
}

/* ---- integrity trailer ---- */

/*
 * The trailer at offset at of a file of size bytes (at <= size), of the given kind. Stops: damage
 * in it, a file cut inside the trailer (TRAILER) or the signature (TRUNCATED). The caller compares
 * the CRC of the bytes before it.
 */
static inline uint32_t reloc_check_trailer_at(const uint8_t *file, uint32_t size, uint32_t at,
                                              uint32_t kind) {
    const uint8_t *t = file + at;
    if (size - at < RELOC_TRL_BYTES || reloc_get_le32(t, RELOC_TRL_MAGIC) != RELOC_TRAILER_MAGIC ||
        reloc_get_le32(t, RELOC_TRL_SELF_CRC32) != reloc_crc32(0, t, RELOC_TRL_SELF_CRC32) ||
        reloc_get_le32(t, RELOC_TRL_VERSION) != 1u ||
        reloc_get_le32(t, RELOC_TRL_SIZE) != RELOC_TRL_BYTES ||
        reloc_get_le32(t, RELOC_TRL_KIND) != kind || reloc_get_le32(t, RELOC_TRL_LENGTH) != at)
        return RELOC_N_TRAILER;
    return reloc_get_le32(t, RELOC_TRL_SIGNATURE_SIZE) <= size - at - RELOC_TRL_BYTES
               ? RELOC_OK
               : RELOC_N_TRUNCATED;
}

/*
 * The CRC of the image up to its trailer, with the header as it was read, and the CRCs of the parts
 * that an installation copies and computes again over the copy.
 */
static inline uint32_t reloc_check_crc(struct reloc_view *v, uint32_t header_bytes) {
    uint32_t data = v->ro_bytes + v->got_end;
    uint32_t crc = reloc_crc32(0, (const uint8_t *)v->header, header_bytes); /* little-endian */
    v->crc_ro = reloc_crc32(crc, v->image + header_bytes, v->ro_bytes - header_bytes);
    v->crc_data = reloc_crc32(v->crc_ro, v->image + v->ro_bytes, v->got_end);
    return reloc_crc32(v->crc_data, v->image + data, v->trailer - data) ==
                   reloc_get_le32(v->image + v->trailer, RELOC_TRL_CRC32)
               ? RELOC_OK
               : RELOC_N_CRC;
}

/* Whether all bytes from at to the end look like erased or cleared memory: all ones, or 0. */
static inline bool reloc_is_fill(const uint8_t *file, uint32_t size, uint32_t at) {
    uint8_t fill = file[at];
    while (at < size && file[at] == fill)
        at++;
    return at == size && (fill == 0 || fill == 0xFF);
}

/*
 * Behind the content lies nothing, fill (no trailer), or a trailer. Anything else would be a
 * damaged trailer, or one that a damaged header has lost. If the size of the image is unknown, only
 * the place of a trailer is read, and only if one is required.
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

static inline uint32_t reloc_check_image(const uint8_t *image, uint32_t size,
                                         struct reloc_view *view) {
    view->image = image;
    view->size = size;
    uint32_t code = reloc_check_identity(view, RELOC_HDR_BYTES, RELOC_MAJOR);
    return code != RELOC_OK ? code : reloc_check_parts(view);
}

/*
 * Weights of size bytes. If the image has no trailer (another packager's), only their length is
 * checked.
 */
static inline uint32_t reloc_check_weights_file(const struct reloc_view *view,
                                                const uint8_t *weights, uint32_t size) {
    uint32_t at = (view->weights_size + RELOC_WEIGHTS_ALIGN - 1u) & ~(RELOC_WEIGHTS_ALIGN - 1u);
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
static inline uint32_t reloc_check_words(const struct reloc_view *view) {
    static const struct reloc_bases none = {0, 0, NULL};
    return reloc_rebase_all(view, &none);
}

/* The code that public functions return: as in reloc_errors.def, negative. */
static inline int32_t reloc_result(uint32_t code) {
    return -(int32_t)code;
}

/*
 * Checks size bytes at image and fills view (valid only on RELOC_OK). size may be
 * RELOC_SIZE_UNKNOWN. Returns RELOC_OK or a negative enum reloc_error from RELOC_E_TRUNCATED to
 * RELOC_E_TABLES. Time: linear. A word that REL lists twice is found only when it is rebased:
 * finding it before would need memory to remember the others.
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
static inline int32_t reloc_core_check_weights(const struct reloc_view *view,
                                               const uint8_t *weights, uint32_t size) {
    return reloc_result(reloc_check_weights_file(view, weights, size));
}

/* ---- what an installation needs ---- */

/* Bytes of RAM: data, GOT and bss, and in COPY mode the read-only part before them. */
static inline uint32_t reloc_ram_xip(const struct reloc_view *v) {
    return reloc_round4(v->bss_end);
}

static inline uint32_t reloc_ram_copy(const struct reloc_view *v) {
    return reloc_ram_xip(v) + v->ro_bytes;
}

/*
 * Whether a core of part core_part (CPUID bits 15..4) may run an image built for image_part. With
 * superset it may also be a core of the same architecture version that has every instruction of the
 * other: Armv7-M M3 < Armv7E-M M4 < M7, Armv8-M Mainline M33 < Armv8.1-M M55. An M33 does not take
 * an M4 image, because its DSP extension is optional. The FPU is checked separately.
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
