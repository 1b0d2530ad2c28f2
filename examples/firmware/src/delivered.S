/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slot 0 as the device is delivered: the first image, with all its cells. slots.h has the form;
 * each word of a cell is followed by its complement.
 */
#include "board.h"

#define CELL_SIZE 32
#define CELLS     4

    .macro pair value
    .word \value
    .word ~(\value)
    .endm
    .macro cell
    pair 0x6C6F6452
    pair 1
    pair image_end - delivered
    pair 0
    .endm

    .section .delivered, "a", %progbits
    .balign 32
    .global delivered
delivered:
    .incbin DELIVERED_IMAGE
image_end:
    .org delivered + SLOT_SIZE - CELLS * CELL_SIZE, 0xFF /* fails when the image is too large */
    .rept CELLS
    cell
    .endr
