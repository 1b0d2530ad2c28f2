/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each Arm relocation means for an image that can move: a pure function over one table. The
 * rows follow "ELF for the Arm Architecture" (AAELF32), table "Relocation codes", and the image
 * format's convention (docs/FORMAT.md, "GOT, REL and r9").
 */
#ifndef RP_ELFPACK_ELF_RELOC_H
#define RP_ELFPACK_ELF_RELOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Where a word, or what it refers to, lies. */
enum rp_segment {
    RP_SEG_NONE,      /* not in the image: debug information, attributes */
    RP_SEG_FLASH,     /* header, text, rodata: move together */
    RP_SEG_RAM,       /* data, GOT, bss: move together */
    RP_SEG_WEIGHTS,   /* address given at init */
    RP_SEG_ACTS,      /* address given at init */
    RP_SEG_PARAM_0,   /* Neural-ART: read-only parameters, whose address the loader knows */
    RP_SEG_PARAM_1,   /* Neural-ART: the external RAM, likewise */
    RP_SEG_IMPORT,    /* a symbol of the firmware, whose address is given at load */
    RP_SEG_ABSOLUTE,  /* SHN_ABS: a number, not an address */
    RP_SEG_UNDEFINED, /* not defined anywhere */
    RP_SEG_WEAK_NULL  /* undefined and weak: its address is 0 */
};

/* How code finds its data: docs/FORMAT.md, "GOT, REL and r9" and "Images made by clang". */
enum rp_convention {
    RP_CONV_GOT,         /* gcc: through the GOT, whose words the loader rebases */
    RP_CONV_STATIC_BASE, /* clang -fropi -frwpi: by distances from r9; gcc's code through the GOT */
    RP_CONV_NPU_BASE     /* the same in Neural-ART images: the loader patches read-only words */
};

/* What the packer has to do with one relocation of the linked file. */
enum rp_action {
    RP_ACT_NOTHING,   /* the value is right wherever the parts lie */
    RP_ACT_REL,       /* a word that the loader rebases: in RAM or, with RP_CONV_NPU_BASE, in
                         read-only memory that was copied to RAM */
    RP_ACT_FIXUP,     /* a word in RAM that the image sets in init_v2 (for an import, in create) */
    RP_ACT_PATCH,     /* right at one address only, but the image can patch it in a copy of itself:
                         a word of read-only memory, or half an address in a MOVW or MOVT */
    RP_ACT_GOT,       /* an offset from r9: check that it leads to the symbol's GOT word */
    RP_ACT_BASE,      /* a distance from r9 to a variable, in instructions: check it */
    RP_ACT_UNDEFINED, /* error: undefined symbol */
    RP_ACT_TLS,       /* error: thread-local */
    RP_ACT_NOT_PIC,   /* error: right at one address only */
    RP_ACT_UNKNOWN    /* error: a type that is not in the table */
};

/*
 * place: the segment of the word or instruction; target: the segment that it refers to. For
 * RP_ACT_NOT_PIC and RP_ACT_PATCH, *why gets a phrase such as "an absolute address in read-only
 * memory".
 */
enum rp_action rp_reloc_classify(enum rp_convention convention, uint32_t type,
                                 enum rp_segment place, enum rp_segment target, const char **why);
/* Is it a branch or call, for which the linker can insert a stub? */
bool rp_reloc_is_branch(uint32_t type);
/* "R_ARM_ABS32", or NULL for a type that is not in the table. */
const char *rp_reloc_name(uint32_t type);
/* The same, or "type 17" for a type that is not in the table. */
const char *rp_reloc_text(struct rp_arena *arena, uint32_t type);
/* Does code with such a relocation load from the GOT by means of r9? */
bool rp_reloc_uses_got(uint32_t type);
/*
 * Before the link: can an object with this relocation in such a section be part of an image? The
 * segments of targets are not known yet; faults between segments are found after the link.
 */
bool rp_reloc_object_is_pic(enum rp_convention convention, uint32_t type, bool writable_section);

#endif
