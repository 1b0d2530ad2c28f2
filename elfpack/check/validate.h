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
#include "elfpack/elf/parts.h"

struct rp_link_spec {
    struct rp_link_inputs_spec inputs;
    enum rp_format format;
    const char *constants; /* sections of this name are constants, whatever their flags; or NULL */
};

struct rp_link {
    struct rp_link_inputs inputs;
    struct rp_merged merged;
    enum rp_format format;
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
