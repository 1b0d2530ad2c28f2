/* SPDX-License-Identifier: Apache-2.0 */
/* Distances from the static base, which code of clang -frwpi uses instead of a GOT. */
#ifndef RP_ELFPACK_INSN_STATIC_BASE_H
#define RP_ELFPACK_INSN_STATIC_BASE_H

#include "elfpack/elf/parts.h"
#include "elfpack/elf/sorted.h"

/*
 * Checks that a word or instruction of .flash holds its part of the distance from RAM offset 0 to
 * the relocation's symbol. For GNU ld the static base is 0, so it adds the address of the RAM
 * segment; the FLASH offset of such a MOVT goes to based, for rp_static_base_apply.
 * RP_E_RELOC_UNKNOWN: no such relocation is supported. RP_E_GOT_LAYOUT: the distance is wrong.
 */
bool rp_static_base_check(const struct rp_parts *parts, struct rp_arena *arena,
                          const struct rp_reloc *reloc, struct rp_words *based,
                          struct rp_error *err);
/* Subtracts the RAM segment's address. flash: a copy of .flash. */
void rp_static_base_apply(const struct rp_words *based, char *flash);

#endif
