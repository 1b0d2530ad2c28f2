/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linker's map file: which input section of which object or archive member each address comes
 * from, and which symbol made the linker take each archive member. In: the text of `-Map` of GNU ld
 * or lld, which does not name the symbol.
 */
#ifndef RP_ELFPACK_ELF_LINKMAP_H
#define RP_ELFPACK_ELF_LINKMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* An input section and its place. */
struct rp_contribution {
    const char *section; /* ".text.expf" */
    uint32_t addr;
    uint32_t size;
    const char *file;   /* path of the object or archive, as the linker was given it */
    const char *member; /* archive member, or NULL */
};

/* Why the linker took an archive member. */
struct rp_included {
    const char *archive;
    const char *member;
    const char *symbol;    /* that was needed */
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
 * Adds what the map lists; to included, only members of which something was placed. Skips lines
 * that it does not understand, because this only names places in messages.
 */
void rp_linkmap_parse(struct rp_linkmap *map, struct rp_arena *arena, const char *text);
/* The contribution that contains addr, or NULL. */
const struct rp_contribution *rp_linkmap_find(const struct rp_linkmap *map, uint32_t addr);
/* Splits "libx.a(member.o)" into archive and member, "obj.o" into file and NULL. */
void rp_linkmap_origin(struct rp_arena *arena, const char *text, const char **file,
                       const char **member);
/* Reads "0x..." after blanks and moves *at past it; false: there is no such number. */
bool rp_linkmap_hex(const char **at, uint64_t *value);
/* "file", or "archive(member)" without the folders of the archive. */
char *rp_contribution_origin(struct rp_arena *arena, const struct rp_contribution *from);

#endif
