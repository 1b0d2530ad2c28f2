/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boot code inside an image: sets the words that no loader of the format knows about, those that
 * point into the weights and the activations, from the table that the packer puts behind the
 * read-only data (reloc_format.h, "fix-up table"). Called by the entry glue from init_v2, each
 * time, so that weights and activations may lie elsewhere at the next init.
 */
#ifndef RELOCPACK_IMAGE_BOOT_H
#define RELOCPACK_IMAGE_BOOT_H

#include <stdint.h>

#include "reloc_format.h"

/* The first word of the table; the packer fills in the count and appends the entries. */
extern const uint32_t _rp_fixups[];
__asm__(".pushsection .rp_fixups, \"a\", %progbits\n"
        ".balign 4\n"
        ".global _rp_fixups\n"
        "_rp_fixups: .word 0\n"
        ".popsection\n");

/* Address of RAM offset 0: what the loader keeps in r9 while the image runs. */
static inline uint32_t rp_boot_ram_base(void) {
    uint32_t base;
    __asm__ volatile("mov %0, r9" : "=r"(base));
    return base;
}

/* Does any word point into the part (RELOC_SEG_WEIGHTS or RELOC_SEG_ACTS)? */
static inline int rp_boot_needs(uint32_t segment) {
    for (uint32_t i = 0; i < _rp_fixups[0]; i++)
        if ((_rp_fixups[2 + 2 * i] & RELOC_SEG_MASK) == segment)
            return 1;
    return 0;
}

/* weights and acts: addresses of the two parts; not looked at where no word needs them. */
static inline void rp_boot_set(uint32_t weights, uint32_t acts) {
    uint32_t ram = rp_boot_ram_base();
    for (uint32_t i = 0; i < _rp_fixups[0]; i++) {
        uint32_t where = _rp_fixups[1 + 2 * i] & RELOC_OFFSET_MASK;
        uint32_t target = _rp_fixups[2 + 2 * i];
        uint32_t base = (target & RELOC_SEG_MASK) == RELOC_SEG_WEIGHTS ? weights : acts;
        *(volatile uint32_t *)(uintptr_t)(ram + where) = base + (target & RELOC_OFFSET_MASK);
    }
}

#endif
