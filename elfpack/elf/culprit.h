/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns relocations that cannot be moved, the culprits, into a message that a firmware engineer can
 * act on: symbol, section, archive member, and the chain of callers that brought the code in.
 */
#ifndef RP_ELFPACK_ELF_CULPRIT_H
#define RP_ELFPACK_ELF_CULPRIT_H

#include "base/buf.h"
#include "elfpack/elf/linkmap.h"
#include "elfpack/elf/parts.h"

/* A relocation that keeps the linked file from becoming an image: one line of an error message. */
struct rp_culprit {
    enum rp_action action; /* RP_ACT_NOT_PIC, _UNDEFINED, _TLS, _UNKNOWN */
    uint32_t type;
    uint32_t place;
    const char *why;
    const char *target; /* name of the symbol that it refers to */
    bool patchable;     /* allowed with linked->copy_only */
    bool is_pointer;    /* a word of data that is unaligned or points out of its part */
};

struct rp_culprits {
    struct rp_culprit *items;
    size_t count;
    size_t capacity;
};

/*
 * Fails with the error of the gravest culprit: RP_E_UNDEFINED, RP_E_TLS, RP_E_RELOC_UNKNOWN or
 * RP_E_NOT_PIC. Always returns false.
 */
bool rp_culprits_fail(const struct rp_culprits *culprits, struct rp_arena *arena,
                      const struct rp_parts *parts, const struct rp_linkmap *map,
                      struct rp_error *err);
/* ", called by g (x.a(b.o)) <- entry (model.c)": how the user's code reaches what is at addr. */
void rp_culprit_put_callers(struct rp_buf *out, struct rp_arena *arena, const struct rp_elf *elf,
                            const struct rp_linkmap *map, uint32_t addr);

#endif
