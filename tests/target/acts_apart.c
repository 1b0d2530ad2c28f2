/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activations next to the instance's RAM and to the code that it runs, on either side: taken when
 * they touch, refused when they share bytes. apart_plan.h, made by the test, has
 *   APART_PLAIN      1: the loader is plain_loader.c; the other refuses some itself, without an
 * error APART_XIP        1: the image can be executed in place APART_ACTS       bytes of
 * activations, from their address on APART_CODE       bytes of the read-only part APART_RAM bytes
 * of the RAM in XIP mode, not rounded APART_WEIGHTS    where the weights are, as in flips_plan.h
 *   APART_IMAGE      bytes of the image
 *   APART_ERROR      0: the image has no error to tell
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ai_reloc_network.h"
#include "apart_plan.h"
#include "semihost.h"

extern uint8_t flips_ram[]; /* table_flips.ld; the memory behind the image is free */
extern uint8_t image[];

enum { OVER_MOST = 64, ROOM = 0x8000 };
static uint32_t taken, refused, least = UINT32_MAX, failures;

int main(void);

static uint32_t round_up(uint32_t value, uint32_t align) {
    return (value + align - 1) & ~(align - 1);
}

static void tell(void) {
    semihost_print_hex("taken ", taken);
    semihost_print_hex("refused ", refused);
    semihost_print_hex("least ", least);
    semihost_print_hex("failures ", failures);
}

/* Ends the firmware, because overlapping memory may have damaged anything. */
_Noreturn static void fail(const char *what, uint32_t load_mode, uint32_t overlap) {
    failures++;
    semihost_print(what);
    semihost_print_hex(" mode ", load_mode);
    semihost_print_hex("  overlap ", overlap);
    tell();
    semihost_exit(1);
}

static uint32_t mode; /* load mode of the current loads */

/* overlap: bytes that the activations share with the instance (0: none). begins: the activations
 * begin inside the instance. */
static void check(uint8_t *at, uint8_t *ram, uint8_t *acts, uint32_t overlap, bool begins) {
    const ai_handle weights[] = {image + APART_WEIGHTS, NULL};
    const ai_handle addresses[] = {acts, NULL};
    ai_handle hdl;
    memmove(at, image, APART_IMAGE);
    ai_error error = ai_rel_network_load_and_create(at, ram, ROOM, mode, &hdl);
    if (error.type != AI_ERROR_NONE)
        fail("not loaded", mode, overlap);
    bool done = ai_rel_network_init(hdl, weights, addresses);
    error = ai_rel_network_get_error(hdl);
    bool told =
        error.type == AI_ERROR_INVALID_PARAM && error.code == AI_ERROR_CODE_NETWORK_ACTIVATIONS;
    if (done != (overlap == 0))
        fail(done ? "taken" : "refused", mode, overlap);
    if (told != (APART_ERROR && overlap != 0 && (APART_PLAIN || !begins)))
        fail("not told", mode, overlap);
    taken += done;
    refused += !done;
    if (!done && overlap < least)
        least = overlap;
}

/* Moves one part of the instance (its code or RAM) past activations at a fixed address. */
static void beside(uint32_t load_mode, bool is_code) {
    mode = load_mode;
    uint8_t *free = (uint8_t *)round_up((uint32_t)image + 2 * APART_IMAGE, 4096);
    uint8_t *acts = free + ROOM;
    uint32_t code = mode == AI_RELOC_RT_LOAD_MODE_COPY ? APART_CODE : 0;
    uint32_t size = is_code ? APART_CODE : code + APART_RAM;
    for (uint32_t shared = 0; shared <= OVER_MOST; shared++) {
        uint8_t *behind = acts + APART_ACTS - shared; /* the part begins behind the activations */
        uint8_t *before = acts - size + shared;
        if ((uint32_t)behind % 4 == 0 && shared < APART_ACTS)
            check(is_code ? behind : image, is_code ? flips_ram : behind, acts, shared, false);
        if ((uint32_t)before % 4 == 0 || shared == 0) {
            uint8_t *gap = before - ((uint32_t)before & 3u); /* RAM that ends at no multiple of 4 */
            check(is_code ? gap : image, is_code ? flips_ram : gap, acts, shared, true);
        }
    }
}

int main(void) {
    if (APART_XIP) {
        beside(AI_RELOC_RT_LOAD_MODE_XIP, false);
        beside(AI_RELOC_RT_LOAD_MODE_XIP, true);
    }
    beside(AI_RELOC_RT_LOAD_MODE_COPY, false);
    tell();
    return 0;
}
