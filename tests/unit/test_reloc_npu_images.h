/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For test_reloc_npu_core.c: Neural-ART images built word by word from the description of the
 * format, every part of them present.
 */
#ifndef TEST_RELOC_NPU_IMAGES_H
#define TEST_RELOC_NPU_IMAGES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/format/reloc_format.h"
#include "tests/unit/unit.h"

enum {
    NPU_TEXT = 104,    /* behind the longer of the two headers */
    NPU_NAME = 112,    /* "tiny" */
    NPU_DESC = 120,    /* "atonn" */
    NPU_POOL = 128,    /* "pool", the name of every pool */
    NPU_RO = 152,      /* a multiple of 8 */
    NPU_CTX = 16,      /* behind four pointers, one into each segment */
    NPU_POOLS = 84,    /* five rows and the end */
    NPU_ROWS = 5,      /* */
    NPU_ITF = 204,     /* behind the table: one pointer */
    NPU_DATA = 208,    /* */
    NPU_GOT_END = 224, /* four words, the last one 0 */
    NPU_BSS_END = 300, /* */
    NPU_REL = 376,     /* RO + GOT_END, at a multiple of 8 */
    NPU_REL_COUNT = 13,
    NPU_REL_END = NPU_REL + 4 * NPU_REL_COUNT,
    NPU_PARAMS = 432,
    NPU_PARAMS_BYTES = 64,
    NPU_EXT_RAM = 24,
    NPU_BYTES = NPU_PARAMS + NPU_PARAMS_BYTES,
    NPU_MAX = 1024,
    NPU_CTX_AT = NPU_RO + NPU_CTX,
    NPU_ROW_AT = NPU_RO + NPU_POOLS
};

struct npu_image {
    uint8_t bytes[NPU_MAX];
    uint32_t size;
};

static inline void npu_put(struct npu_image *image, uint32_t at, uint32_t word) {
    unit_put32(image->bytes + at, word);
}

static inline void npu_header(struct npu_image *image, uint32_t entries) {
    static const uint32_t words[13] = {RELOC_MAGIC,
                                       0x80785D22u,
                                       0x40000000u,
                                       0x40000000u + NPU_DATA,
                                       0x20000000u + NPU_RO,
                                       0x40000000u + NPU_GOT_END,
                                       0x40000000u + NPU_BSS_END,
                                       0x40000000u + NPU_DATA,
                                       0x40000000u + NPU_GOT_END,
                                       0x20000000u + NPU_REL,
                                       0x20000000u + NPU_REL_END,
                                       0x40000000u + NPU_POOLS,
                                       NPU_PARAMS};
    for (uint32_t i = 0; i < 13; i++)
        npu_put(image, 4 * i, words[i]);
    for (uint32_t i = 0; i + 1 < entries; i++)
        npu_put(image, 52 + 4 * i, 0x20000001u + NPU_TEXT + i % 4 * 2);
    npu_put(image, 48 + 4 * entries, 0x40000000u + NPU_CTX);
}

static inline void npu_rows(struct npu_image *image) {
    static const uint32_t rows[NPU_ROWS][4] = {{0x01010500, 0, 0, 30},
                                               {0x01030601, 32, 0, 8},
                                               {0x02030200, 40, 0x34000000, 8},
                                               {0x02010100, 48, 0x71000000, 16},
                                               {0x03020200, 0, 0x34100000, 4096}};
    for (uint32_t i = 0; i < NPU_ROWS; i++) {
        npu_put(image, NPU_ROW_AT + 20 * i, 0x20000000u + NPU_POOL);
        for (uint32_t k = 0; k < 4; k++)
            npu_put(image, NPU_ROW_AT + 20 * i + 4 + 4 * k, rows[i][k]);
    }
}

static inline void npu_context(struct npu_image *image) {
    npu_put(image, NPU_CTX_AT + 20, 0x20000000u + NPU_NAME);
    npu_put(image, NPU_CTX_AT + 24, 5000);
    npu_put(image, NPU_CTX_AT + 28, 54);
    npu_put(image, NPU_CTX_AT + 32, NPU_EXT_RAM);
    npu_put(image, NPU_CTX_AT + 36, 0x20000000u + NPU_DESC);
    npu_put(image, NPU_CTX_AT + 40, 0x01010100);
    npu_put(image, NPU_CTX_AT + 44, 14);
    npu_put(image, NPU_CTX_AT + 48, NPU_PARAMS_BYTES);
    npu_put(image, NPU_CTX_AT + 52, unit_crc32(image->bytes + NPU_PARAMS, NPU_PARAMS_BYTES));
    npu_put(image, NPU_CTX_AT + 56, 0x3038);
    npu_put(image, NPU_CTX_AT + 64, 0x40000000u + NPU_ITF);
}

/* With an entry vector of 11 or 13 words. */
static inline struct npu_image npu_build(uint32_t entries) {
    static const uint32_t rel[NPU_REL_COUNT] = {0,  4,   8,   12,  36,  52,     80,
                                                84, 104, 124, 144, 164, NPU_ITF};
    struct npu_image image = {.size = NPU_BYTES};
    for (uint32_t i = 0; i < NPU_PARAMS_BYTES; i++)
        image.bytes[NPU_PARAMS + i] = (uint8_t)(i * 37 + 11);
    npu_header(&image, entries);
    memcpy(image.bytes + NPU_NAME, "tiny", 5);
    memcpy(image.bytes + NPU_DESC, "atonn", 6);
    memcpy(image.bytes + NPU_POOL, "pool", 5);
    npu_put(&image, NPU_RO + 0, 0x20000001u + NPU_TEXT);
    npu_put(&image, NPU_RO + 4, 0x40000000u + NPU_BSS_END);      /* one past the end */
    npu_put(&image, NPU_RO + 8, 0x80000000u + NPU_PARAMS_BYTES); /* the same */
    npu_put(&image, NPU_RO + 12, 0x90000000u + NPU_EXT_RAM);     /* the same */
    npu_context(&image);
    npu_rows(&image);
    npu_put(&image, NPU_RO + NPU_ITF, 0x20000000u + NPU_NAME);
    npu_put(&image, NPU_RO + NPU_DATA, 0x40000004u);
    npu_put(&image, NPU_RO + NPU_DATA + 4, 0x20000000u + NPU_RO);
    npu_put(&image, NPU_RO + NPU_DATA + 8, 0x80000000u);
    for (uint32_t i = 0; i < NPU_REL_COUNT; i++)
        npu_put(&image, NPU_REL + 4 * i, 0x40000000u + rel[i]);
    return image;
}

/* The image and its params, as two files. */
static inline struct npu_image npu_split(struct npu_image *image) {
    struct npu_image params = {.size = NPU_PARAMS_BYTES};
    memcpy(params.bytes, image->bytes + NPU_PARAMS, NPU_PARAMS_BYTES);
    npu_put(image, 48, 0);
    image->size = NPU_PARAMS;
    return params;
}

/* Writes the trailer's CRCs again after a test has changed something. */
static inline void npu_seal(struct npu_image *image) {
    uint32_t at = image->size - RELOC_TRL_BYTES;
    npu_put(image, at + 20, unit_crc32(image->bytes, at));
    npu_put(image, at + 92, unit_crc32(image->bytes + at, 92));
}

static inline void npu_add_trailer(struct npu_image *image, uint32_t kind, uint32_t flags) {
    uint32_t at = image->size;
    image->size += RELOC_TRL_BYTES;
    memset(image->bytes + at, 0, RELOC_TRL_BYTES);
    memcpy(image->bytes + at, "RPIT", 4);
    npu_put(image, at + 4, 1);
    npu_put(image, at + 8, 96);
    npu_put(image, at + 12, kind);
    npu_put(image, at + 16, at);
    memset(image->bytes + at + 56, 0xB1, 16);
    npu_put(image, at + 72, NPU_PARAMS_BYTES);
    if (kind == RELOC_TRL_WEIGHTS)
        npu_put(image, at + 76, unit_crc32(image->bytes, NPU_PARAMS_BYTES));
    npu_put(image, at + 80, flags);
    npu_seal(image);
}

#endif
