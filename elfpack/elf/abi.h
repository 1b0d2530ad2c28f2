/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the interfaces that objects state in their build attributes: sizes of enums and of
 * wchar_t, the format of __fp16, the use of r9. At a difference, the linker warns at most. Pure.
 */
#ifndef RP_ELFPACK_ELF_ABI_H
#define RP_ELFPACK_ELF_ABI_H

#include "base/arena.h"
#include "elfpack/elf/attributes.h"
#include "elfpack/elf/linkmap.h"

/* Two objects that differ. */
struct rp_abi_difference {
    const char *id;       /* "RP1020" */
    const char *severity; /* "warning", "note" */
    const char *message;  /* names both objects */
};

struct rp_abi_differences {
    struct rp_abi_difference *items;
    size_t count;
    size_t capacity;
};

/* objects: those of a scan. An archive member counts only if the map shows that it was linked. */
void rp_abi_compare(struct rp_abi_differences *out, struct rp_arena *arena,
                    const struct rp_abi_objects *objects, const struct rp_linkmap *map);

#endif
