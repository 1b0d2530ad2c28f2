/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the entry glue and the linker script. A model that defines one of them as well, even as
 * weak or COMMON, would be confused with them, and one that refers to such a name would reach
 * something that it does not mean. The list comes from the glue's objects and the script. In: paths
 * of objects and archives. Out: an error with the file and the name.
 */
#ifndef RP_ELFPACK_ELF_RESERVED_H
#define RP_ELFPACK_ELF_RESERVED_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/elf/elf.h"

struct rp_reserved {
    struct rp_strings symbols;
    struct rp_strings sections;
};

/* Adds the symbols that the script assigns and the sections that it keeps by name. */
void rp_reserved_add_script(struct rp_reserved *reserved, struct rp_arena *arena,
                            const char *script);
/*
 * Adds the glue's symbols: those in such sections, and those that begin with rp_ or _rp_. Errors of
 * rp_elf_each.
 */
bool rp_reserved_add_object(struct rp_reserved *reserved, struct rp_arena *arena, const char *path,
                            struct rp_error *err);
/*
 * RP_E_RESERVED: the object at path, or a member of the archive there, has one of these names.
 * shown: the file's name in the message. allowed: a section that it may have nevertheless, or NULL.
 * Also errors of rp_elf_each.
 */
struct rp_reserved_user {
    const char *path;
    const char *shown;
    const char *allowed;
};
bool rp_reserved_check(const struct rp_reserved *reserved, struct rp_arena *arena,
                       const struct rp_reserved_user *user, struct rp_error *err);
/* The same for an open file, without user->path. RP_E_RESERVED. */
bool rp_reserved_check_elf(const struct rp_reserved *reserved, const struct rp_elf *elf,
                           const struct rp_reserved_user *user, struct rp_error *err);

#endif
