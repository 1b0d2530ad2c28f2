/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the Neural-ART test image (npu_loader_image.c) holds and the test firmware expects: params
 * by a formula, five pools of four kinds at these addresses.
 */
#ifndef NPU_LOADER_IMAGE_H
#define NPU_LOADER_IMAGE_H

#include <stdint.h>

#define IMAGE_PARAM(i) ((uint8_t)((i)*7 + 3)) /* byte i of the params */

/* Everything the tests let be written lies here, in external RAM of the board. */
#define ARENA_START  UINT32_C(0x70000000)
#define ARENA_BYTES  UINT32_C(0x18000)
#define COPY_START   (ARENA_START + 0x1000)
#define COPY_RO      (ARENA_START + 0x2000)
#define RESET_START  (ARENA_START + 0x3000)
#define RAM_START    (ARENA_START + 0x4000)
#define RAM_2_START  (ARENA_START + 0x8000)
#define EXT_START    (ARENA_START + 0xC000)
#define PARAMS_START (ARENA_START + 0xE000)
#define IMAGE_START  (ARENA_START + 0x10000)

enum {
    IMAGE_PARAMS_BYTES = 144,
    PARAM_BYTES = 60, /* relative, read-only, at 0 in the params, cacheable */
    EXT_FOFF = 64,    /* relative, writable: with params, or without */
    EXT_BYTES = 32,
    EXT_RAM_BYTES = 44, /* that the image asks for */
    COPY_FOFF = 96,     /* absolute, writable */
    COPY_BYTES = 20,
    COPY_RO_FOFF = 120, /* absolute, read-only, cacheable */
    COPY_RO_BYTES = 24,
    RESET_BYTES = 100,
    IMAGE_POOLS = 5
};

#endif
