/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each Arm relocation means for an image that moves: a pure function over one table. The
 * source of every row is "ELF for the Arm Architecture" (AAELF32), table "Relocation codes", and
 * the image format's convention (docs/FORMAT.md, "GOT, REL and r9").
 */
#ifndef RP_ELFPACK_ELF_RELOC_H
#define RP_ELFPACK_ELF_RELOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Where a word, or what it refers to, lies. */
enum rp_segment {
    RP_SEG_NONE,      /* not in the image: debug information, attributes */
    RP_SEG_FLASH,     /* header, text, rodata: moves as one block */
    RP_SEG_RAM,       /* data, GOT, bss: moves as another */
    RP_SEG_WEIGHTS,   /* handed in at init */
    RP_SEG_ACTS,      /* handed in at init */
    RP_SEG_PARAM_0,   /* Neural-ART: read-only parameters; the loader knows where they are */
    RP_SEG_PARAM_1,   /* Neural-ART: the external RAM, likewise */
    RP_SEG_IMPORT,    /* a symbol of the firmware, told at load */
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
    RP_ACT_NOTHING,   /* the distance stays the same wherever the parts lie */
    RP_ACT_REL,       /* a word that the loader rebases: in RAM, or in read-only memory once that
                         is copied to RAM (RP_CONV_NPU_BASE) */
    RP_ACT_FIXUP,     /* a word in RAM that the image sets in init_v2 or, of an import, in create */
    RP_ACT_PATCH,     /* right at one address only, but the image can set it in a copy of itself: a
                         word of read-only memory, half an address in a MOVW or MOVT */
    RP_ACT_GOT,       /* an offset from r9: check that it leads to the symbol's GOT word */
    RP_ACT_BASE,      /* a distance from r9 to a variable, in instructions: check it */
    RP_ACT_UNDEFINED, /* error: undefined symbol */
    RP_ACT_TLS,       /* error: thread-local */
    RP_ACT_NOT_PIC,   /* error: right at one address only */
    RP_ACT_UNKNOWN    /* error: a type that the table does not have */
};

/*
 * place: the segment that holds the word or instruction; target: that of what it refers to. For
 * RP_ACT_NOT_PIC and RP_ACT_PATCH *why gets a phrase ("an absolute address in read-only memory").
 */
enum rp_action rp_reloc_classify(enum rp_convention convention, uint32_t type,
                                 enum rp_segment place, enum rp_segment target, const char **why);
/* Is it a branch or call, which a stub can stand in for? */
bool rp_reloc_is_branch(uint32_t type);
/* "R_ARM_ABS32", or NULL for a type that the table does not have. */
const char *rp_reloc_name(uint32_t type);
/* The same, or "type 17". */
const char *rp_reloc_text(struct rp_arena *arena, uint32_t type);
/* Does code with such a relocation load from the GOT, by r9? */
bool rp_reloc_uses_got(uint32_t type);
/*
 * Before the link: can an object with this relocation in such a section be part of an image? The
 * segments of targets are not known yet; faults between segments show after the link.
 */
bool rp_reloc_object_is_pic(enum rp_convention convention, uint32_t type, bool writable_section);

#endif
