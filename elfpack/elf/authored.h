/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections that an author named after a memory (".ExternalFlashSection", ".sdram", ".dtcm",
 * ".noinit"). Such a name means nothing in an image, so what the section holds decides where it
 * goes: constants, variables with initial values, or zeros. In: objects. Out: the names that the
 * linker script has to know, with what the sections of each name hold.
 */
#ifndef RP_ELFPACK_ELF_AUTHORED_H
#define RP_ELFPACK_ELF_AUTHORED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "elfpack/elf/elf.h"

/* What the sections of one name hold. */
struct rp_authored_name {
    const char *name;
    bool constants;
    bool values; /* variables that do not start as zeros */
    bool zeros;
};

struct rp_authored {
    struct {
        struct rp_authored_name *items;
        size_t count;
        size_t capacity;
    } names;
    /* Sections that code walks from __start_NAME to __stop_NAME: only a linker that makes an output
       section of this name defines these two. */
    struct rp_strings walked;
};

/*
 * Is the section an author's: data of a name that neither compilers nor the linker scripts use?
 * Code is not, nor is a section with flags or characters that a linker script has no words for.
 */
bool rp_section_is_authored(const struct rp_section *section);
/* Does a variable section hold nothing but zeros? Compilers write those out if the name is no .bss.
 */
bool rp_section_is_zero(const struct rp_elf *elf, size_t index);
/* Adds those of an object. */
void rp_authored_take(struct rp_authored *authored, struct rp_arena *arena,
                      const struct rp_elf *elf);
/* May sections of that name be placed by what they hold? */
bool rp_authored_is_placed(const struct rp_authored *authored, const char *name);

#endif
