/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the interfaces that objects state in their build attributes: sizes of enums and of
 * wchar_t, the format of __fp16, the use of r9. At a difference, the linker warns at most. Pure.
 */
#ifndef RP_ELFPACK_ELF_ABI_H
#define RP_ELFPACK_ELF_ABI_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "elfpack/elf/attributes.h"
#include "elfpack/elf/linkmap.h"

/*
 * Adds a note or warning, which names both, for each property in which two objects differ. objects:
 * those of a scan. An archive member counts only if the map shows that it was linked. */
void rp_abi_compare(struct rp_diagnostics *out, struct rp_arena *arena,
                    const struct rp_abi_objects *objects, const struct rp_linkmap *map);

#endif
