/* SPDX-License-Identifier: Apache-2.0 */
/* The images under test, as the driver made them: NAME_start .. NAME_end, 8-aligned. */
    .syntax unified
    .section .rodata.blobs, "a"
    .macro blob name, file
    .balign 8
    .global \name\()_start
    .global \name\()_end
\name\()_start:
    .incbin "\file"
\name\()_end:
    .endm
    blob image_one, "one.bin"
    blob image_two, "two.bin"
    blob image_split, "split.bin"
    blob image_params, "split_params.bin"
    blob image_acts, "acts.bin"
    blob image_code, "code.bin"
    .size image_one_start, . - image_one_start
