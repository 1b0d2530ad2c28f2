/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translation validation of the link: is the linked file what the objects say? It knows neither the
 * linker script nor what the layout makes of the file: only ELF, relocations, and which kinds of
 * sections each part of memory may hold. In: objects and archive members that were linked, the map,
 * the linked file. docs/DESIGN.md, "The link is not taken on trust".
 */
#ifndef RP_ELFPACK_CHECK_VALIDATE_H
#define RP_ELFPACK_CHECK_VALIDATE_H

#include "elfpack/check/compare.h"
#include "elfpack/elf/parts.h"

struct rp_link_spec {
    struct rp_link_inputs_spec inputs;
    enum rp_format format;
    const char *constants; /* sections of that name are constants, whatever their flags; or NULL */
};

struct rp_link {
    struct rp_link_inputs inputs;
    struct rp_merged merged;
    enum rp_format format;
    const char *undefined; /* a symbol that is referred to and nothing defines, or NULL */
    struct rp_memory linked;
};

/*
 * RP_E_LINK_CHECK names section, object, offset and bytes; RP_E_RESERVED; RP_E_ELF. The link is
 * open afterwards, also after an error: rp_link_close.
 */
bool rp_link_check(struct rp_link *link, struct rp_arena *arena, const struct rp_link_spec *spec,
                   struct rp_error *err);
void rp_link_close(struct rp_link *link);

#endif
