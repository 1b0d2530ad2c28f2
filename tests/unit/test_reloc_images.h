/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For test_reloc_core.c: images built word by word from the description of the format, and a second
 * check of such images, slower and in 64 bits, as a reference.
 */
#ifndef TEST_RELOC_IMAGES_H
#define TEST_RELOC_IMAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/format/reloc_format.h"
#include "tests/unit/unit.h"

/* ---- builder: a small image, every part of it present ---- */

enum {
    RO_BYTES = 132,  /* header, 16 bytes of text, name */
    NAME_AT = 116,   /* "tiny" and fill up to RO_BYTES */
    DATA_BYTES = 84, /* two pointers at 0 and 4, ctx at 16, one pointer at 80 */
    CTX_AT = 16,
    GOT_START = 88, /* one word behind the data, as other packagers leave it */
    GOT_END = 104,  /* four words, the last one 0 */
    BSS_END = 150,  /* not a multiple of 4 */
    REL_AT = RO_BYTES + GOT_END,
    REL_COUNT = 4,
    REL_END_AT = REL_AT + 4 * REL_COUNT,
    WEIGHTS_BYTES = 20,
    WEIGHTS_AT = REL_END_AT + 4,
    CONTENT_BYTES = WEIGHTS_AT + WEIGHTS_BYTES,
    FULL_BYTES = CONTENT_BYTES + RELOC_TRL_BYTES,
    SPLIT_BYTES = REL_END_AT,
    IMAGE_MAX = 512
};

struct image {
    uint8_t bytes[IMAGE_MAX];
    uint32_t size;
};

static inline void put(struct image *image, uint32_t at, uint32_t word) {
    for (uint32_t i = 0; i < 4; i++)
        image->bytes[at + i] = (uint8_t)(word >> 8 * i);
}

static inline uint32_t get(const uint8_t *bytes, uint32_t at) {
    uint32_t word = 0;
    for (uint32_t i = 4; i-- > 0;)
        word = word << 8 | bytes[at + i];
    return word;
}

/* Bit by bit, from the definition; the tested one uses a table. */
static inline uint32_t slow_crc32(const uint8_t *bytes, uint32_t size) {
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1u ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

static inline void build_header(struct image *image) {
    static const uint32_t words[13] = {RELOC_MAGIC,
                                       0x20085C24u,
                                       0x80000000u,
                                       0x80000000u + DATA_BYTES,
                                       0x20000000u + RO_BYTES,
                                       0x80000000u + GOT_END,
                                       0x80000000u + BSS_END,
                                       0x80000000u + GOT_START,
                                       0x80000000u + GOT_END,
                                       0x20000000u + REL_AT,
                                       0x20000000u + REL_END_AT,
                                       0x20000000u + WEIGHTS_AT,
                                       0x20000000u + CONTENT_BYTES};
    for (uint32_t i = 0; i < 13; i++)
        put(image, 4 * i, words[i]);
    for (uint32_t i = 0; i < 11; i++)
        put(image, 52 + 4 * i, 0x20000000u + 101 + i % 4 * 2);
    put(image, 96, 0x80000000u + CTX_AT);
}

static inline struct image build(void) {
    static const uint32_t rel[REL_COUNT] = {0x80000000u, 0x80000004u, 0x80000024u, 0x80000050u};
    struct image image = {.size = CONTENT_BYTES};
    build_header(&image);
    memcpy(image.bytes + NAME_AT, "tiny", 5);
    put(&image, RO_BYTES + 0, 0x20000064u);           /* pointer to text */
    put(&image, RO_BYTES + 4, 0x80000000u + BSS_END); /* pointer past the last byte of bss */
    put(&image, RO_BYTES + CTX_AT + 20, 0x20000000u + NAME_AT);
    put(&image, RO_BYTES + CTX_AT + 24, 4096);
    put(&image, RO_BYTES + CTX_AT + 28, WEIGHTS_BYTES);
    put(&image, RO_BYTES + 80, 0); /* weak symbol that is not there */
    put(&image, RO_BYTES + GOT_START, 0x80000004u);
    put(&image, RO_BYTES + GOT_START + 4, 0x20000067u);
    put(&image, RO_BYTES + GOT_START + 8, 0x20000000u + RO_BYTES);
    for (uint32_t i = 0; i < REL_COUNT; i++)
        put(&image, REL_AT + 4 * i, rel[i]);
    memset(image.bytes + WEIGHTS_AT, 0xA7, WEIGHTS_BYTES);
    return image;
}

static inline void split(struct image *image) {
    put(image, 44, 0);
    put(image, 48, 0);
    image->size = SPLIT_BYTES;
}

/* Writes the trailer's CRCs again after a test has changed something. */
static inline void seal(struct image *image) {
    uint32_t at = image->size - RELOC_TRL_BYTES;
    put(image, at + 20, slow_crc32(image->bytes, at));
    put(image, at + 92, slow_crc32(image->bytes + at, 92));
}

static inline void add_trailer(struct image *image, uint32_t kind, uint32_t flags) {
    uint32_t at = image->size;
    image->size += RELOC_TRL_BYTES;
    memset(image->bytes + at, 0, RELOC_TRL_BYTES);
    memcpy(image->bytes + at, "RPIT", 4);
    put(image, at + 4, 1);
    put(image, at + 8, 96);
    put(image, at + 12, kind);
    put(image, at + 16, at);
    memset(image->bytes + at + 56, 0xB1, 16);
    put(image, at + 72, WEIGHTS_BYTES);
    put(image, at + 80, flags);
    seal(image);
}

/* ---- a second check, slower, in 64 bits, from docs/FORMAT.md ---- */

struct range {
    bool good;
    uint64_t start;
    uint64_t end;
};

/* A segment address of a word at a position. */
static inline struct range take(const uint8_t *bytes, uint32_t start_at, uint32_t end_at,
                                uint32_t segment) {
    uint32_t start = get(bytes, start_at);
    uint32_t end = get(bytes, end_at);
    struct range range = {start >> 28 == segment && end >> 28 == segment, start & 0x0FFFFFFF,
                          end & 0x0FFFFFFF};
    range.good = range.good && range.start <= range.end;
    return range;
}

static inline bool word_good(uint32_t word, uint64_t ro, uint64_t bss_end) {
    uint64_t limit = word >> 28 == 2 ? ro : bss_end;
    return word == 0 || ((word >> 28 == 2 || word >> 28 == 8) && (word & 0x0FFFFFFF) <= limit);
}

static inline bool slow_lists(const uint8_t *bytes, uint64_t ro, struct range got,
                              struct range rel) {
    uint64_t data_end = get(bytes, 12) & 0x0FFFFFFF;
    uint64_t bss_end = get(bytes, 24) & 0x0FFFFFFF;
    for (uint64_t at = got.start; at < got.end; at += 4)
        if (!word_good(get(bytes, (uint32_t)(ro + at)), ro, bss_end))
            return false;
    for (uint64_t at = rel.start; at < rel.end; at += 4) {
        uint32_t entry = get(bytes, (uint32_t)at);
        if (entry >> 28 != 8 || entry % 4 != 0 || (entry & 0x0FFFFFFF) + UINT64_C(4) > data_end ||
            !word_good(get(bytes, (uint32_t)(ro + (entry & 0x0FFFFFFF))), ro, bss_end))
            return false;
        bool zero = get(bytes, (uint32_t)(ro + (entry & 0x0FFFFFFF))) == 0; /* stays 0, twice too */
        for (uint64_t other = rel.start; other < at && !zero; other += 4)
            if (get(bytes, (uint32_t)other) == entry)
                return false;
    }
    return true;
}

static inline bool slow_entries(const uint8_t *bytes, uint64_t ro, uint64_t weights) {
    for (uint32_t i = 0; i < 11; i++) {
        uint32_t entry = get(bytes, 52 + 4 * i);
        uint64_t offset = entry & 0x0FFFFFFE;
        if (entry >> 28 != 2 || entry % 2 == 0 || offset < 100 || offset + 2 > ro)
            return false;
    }
    uint32_t ctx = get(bytes, 96);
    uint64_t data_end = get(bytes, 12) & 0x0FFFFFFF;
    if (ctx >> 28 != 8 || ctx % 4 != 0 || (ctx & 0x0FFFFFFF) + UINT64_C(52) > data_end)
        return false;
    uint32_t in_file = (uint32_t)ro + (ctx & 0x0FFFFFFF);
    uint32_t name = get(bytes, in_file + 20);
    uint64_t at = name & 0x0FFFFFFF;
    if (name >> 28 != 2 || at < 100 || at >= ro || memchr(bytes + at, 0, ro - at) == NULL)
        return false;
    uint32_t tables = get(bytes, in_file + 12), start = tables & 0x0FFFFFFF;
    if (tables != 0 &&
        (tables >> 28 != 2 || start > ro ||
         slow_crc32(bytes + start, (uint32_t)ro - start) != get(bytes, in_file + 16)))
        return false;
    if (get(bytes, in_file + 24) > 0x0FFFFFFF || get(bytes, in_file + 28) > 0x0FFFFFFF)
        return false;
    return weights == 0 || get(bytes, in_file + 28) <= weights;
}

/* Images without a trailer only. */
static inline bool slow_check(const uint8_t *bytes, uint32_t size) {
    if (size < 100 || get(bytes, 0) != 0x4E49424E || get(bytes, 4) >> 24 != 0x20 ||
        (get(bytes, 4) >> 13 & 3) == 3)
        return false;
    struct range data = take(bytes, 8, 12, 8), bss = take(bytes, 20, 24, 8);
    struct range got = take(bytes, 28, 32, 8), rel = take(bytes, 36, 40, 2);
    struct range ro = take(bytes, 16, 16, 2), weights = take(bytes, 44, 48, 2);
    bool apart = get(bytes, 44) == 0 && get(bytes, 48) == 0;
    if (!data.good || data.start != 0 || !got.good || !bss.good || !ro.good || !rel.good)
        return false;
    if (got.start < data.end || bss.start < got.end || got.start % 4 || got.end % 4)
        return false;
    if (ro.start < 100 || ro.start % 4 || rel.start < ro.start + got.end || rel.start % 4 ||
        rel.end % 4 || rel.end > size)
        return false;
    if (!apart &&
        (!weights.good || weights.start < rel.end || weights.start % 4 || weights.end > size))
        return false;
    uint64_t end = ((apart ? rel.end : weights.end) + 3) / 4 * 4;
    for (uint64_t i = end; i < size; i++)
        if (bytes[i] != bytes[end] || (bytes[i] != 0 && bytes[i] != 0xFF))
            return false;
    return slow_entries(bytes, ro.start, apart ? 0 : weights.end - weights.start) &&
           slow_lists(bytes, ro.start, got, rel);
}

/* The data after an installation: by words, from the lists in the file. ram: zeros. */
static inline void slow_install(const uint8_t *bytes, uint8_t *ram, uint32_t rom_at,
                                uint32_t ram_at) {
    uint32_t ro = get(bytes, 16) & 0x0FFFFFFF, got = get(bytes, 28) & 0x0FFFFFFF;
    uint32_t got_end = get(bytes, 32) & 0x0FFFFFFF, rel = get(bytes, 36) & 0x0FFFFFFF;
    uint32_t rel_end = get(bytes, 40) & 0x0FFFFFFF;
    memcpy(ram, bytes + ro, got_end);
    for (uint32_t i = 0; i < (got_end - got) / 4 + (rel_end - rel) / 4; i++) {
        uint32_t in_got = (got_end - got) / 4;
        uint32_t at = i < in_got ? got + 4 * i : get(bytes, rel + 4 * (i - in_got)) & 0x0FFFFFFF;
        uint32_t word = get(bytes, ro + at);
        if (word != 0)
            unit_put32(ram + at, (word >> 28 == 2 ? rom_at : ram_at) + (word & 0x0FFFFFFF));
    }
}

#endif
