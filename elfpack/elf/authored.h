/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections that the author of the code named after a memory (".ExternalFlashSection", ".sdram",
 * ".dtcm", ".noinit"). Such a name means nothing in an image, so the contents decide where the
 * section goes: constants, variables with initial values, or zeros. In: objects. Out: the names
 * that the linker script has to place, and what the sections of each name hold.
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
    /*
     * Sections that code walks from __start_NAME to __stop_NAME: the linker defines these two only
     * if an output section has this name.
     */
    struct rp_strings walked;
};

/*
 * Is it a section of data whose name neither compilers nor the linker scripts use? Not if it has
 * code, unusual flags, or a name that a linker script cannot express.
 */
bool rp_section_is_authored(const struct rp_section *section);
/*
 * Is a section of variables all zeros? Compilers write zeros out unless its name begins with .bss.
 */
bool rp_section_is_zero(const struct rp_elf *elf, size_t index);
/* Adds the sections of an object. */
void rp_authored_take(struct rp_authored *authored, struct rp_arena *arena,
                      const struct rp_elf *elf);
/* May sections of this name be placed by their contents? */
bool rp_authored_is_placed(const struct rp_authored *authored, const char *name);

#endif
