/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation validation of the link: does the linked file follow from the objects? This knows
 * neither the linker script nor the layout, only ELF, relocations, and which kinds of sections each
 * part of memory may hold. In: the objects and archive members that were linked, the map, the
 * linked file. See docs/DESIGN.md, "The link is not taken on trust".
 */
#ifndef RP_ELFPACK_CHECK_VALIDATE_H
#define RP_ELFPACK_CHECK_VALIDATE_H

#include "elfpack/check/compare.h"

/* The parts of an image, in which its sections lie. */
enum rp_image_part { RP_PART_FLASH, RP_PART_RAM, RP_PART_WEIGHTS, RP_PART_ACTS, RP_PARTS };

struct rp_checked_part {
    uint32_t base; /* link address of the segment */
    bool code;     /* instructions */
    bool variable; /* data written at run time */
    bool fixed;    /* no addresses, because nothing would set them */
    uint8_t fill;  /* between sections */
};

/*
 * What the checks know of a format of images, by docs/FORMAT.md alone: they do not ask the writer
 * (struct rp_image_format), whose mistakes they look for.
 */
struct rp_checked_format {
    struct rp_checked_part parts[RP_PARTS];
    bool rebases_all;   /* loaders rebase words of the read-only part, and to all parts; otherwise
                           words of the RAM, to the first two */
    bool context_first; /* the context is at the start of the RAM, or else where the vector says */
};

extern const struct rp_checked_format rp_checked_cortex_m, rp_checked_neural_art;

struct rp_link_spec {
    struct rp_link_inputs_spec inputs;
    const struct rp_checked_format *format;
    const char *constants; /* sections of this name are constants, whatever their flags; or NULL */
};

struct rp_link {
    struct rp_link_inputs inputs;
    struct rp_merged merged;
    const struct rp_checked_format *format;
    const char *undefined; /* a symbol that is used but not defined, or NULL */
    struct rp_memory linked;
};

/*
 * RP_E_LINK_CHECK names section, object, offset and bytes. Also the errors of rp_link_inputs_open.
 * The link is open afterwards, even after an error; close it with rp_link_close.
 */
bool rp_link_check(struct rp_link *link, struct rp_arena *arena, const struct rp_link_spec *spec,
                   struct rp_error *err);
void rp_link_close(struct rp_link *link);

#endif
