/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linker's map file: which input section of which object or archive member every address came
 * from, and which symbol made the linker take each archive member. In: the text of `-Map` of GNU ld
 * or of lld, which does not give the symbol.
 */
#ifndef RP_ELFPACK_ELF_LINKMAP_H
#define RP_ELFPACK_ELF_LINKMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* One input section as placed. */
struct rp_contribution {
    const char *section; /* ".text.expf" */
    uint32_t addr;
    uint32_t size;
    const char *file;   /* path of the object or archive as the linker saw it */
    const char *member; /* archive member, or NULL */
};

/* Why the linker took an archive member. */
struct rp_included {
    const char *archive;
    const char *member;
    const char *symbol;    /* that was wanted */
    const char *wanted_by; /* "obj/002.o" or "libm.a(wf_exp.o)" */
};

struct rp_linkmap {
    struct rp_contribution *items; /* sorted by addr */
    size_t count;
    size_t capacity;
    struct {
        struct rp_included *items;
        size_t count;
        size_t capacity;
    } included;
};

/*
 * included keeps only members of which something was placed. Lines that are not understood are
 * skipped: this only serves to name places in messages.
 */
void rp_linkmap_parse(struct rp_linkmap *map, struct rp_arena *arena, const char *text);
/* The contribution that covers addr, or NULL. */
const struct rp_contribution *rp_linkmap_find(const struct rp_linkmap *map, uint32_t addr);
/* "libx.a(member.o)" is archive and member, "obj.o" is file and NULL. */
void rp_linkmap_origin(struct rp_arena *arena, const char *text, const char **file,
                       const char **member);
/* Reads the number "0x..." behind blanks and moves *at behind it; false: there is none. */
bool rp_linkmap_hex(const char **at, uint64_t *value);
/* "file" or "file(member)" with the folders of an archive removed. */
char *rp_contribution_origin(struct rp_arena *arena, const struct rp_contribution *from);

#endif
