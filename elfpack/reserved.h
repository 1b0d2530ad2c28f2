/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that belong to the entry glue and to the linker script: a model that defines one of them as
 * well, be it weak or COMMON, would be mixed up with these, and one that refers to it would find
 * something else than it means. The list is read out of the glue's objects and the script itself.
 * In: paths of objects and archives. Out: an error that names both.
 */
#ifndef RP_ELFPACK_RESERVED_H
#define RP_ELFPACK_RESERVED_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/elf.h"

struct rp_reserved {
    struct rp_strings symbols;
    struct rp_strings sections;
};

/* Symbols that the script assigns and sections that it keeps by their name, one by one. */
void rp_reserved_add_script(struct rp_reserved *reserved, struct rp_arena *arena,
                            const char *script);
/* Symbols of the glue: those in such sections, and those that begin with rp_ or _rp_. */
bool rp_reserved_add_object(struct rp_reserved *reserved, struct rp_arena *arena, const char *path,
                            struct rp_error *err);
/*
 * RP_E_RESERVED when the object at path, or a member of the archive there, has one of these names.
 * shown: the file's name in the message. allowed: a section that it may have all the same, or NULL.
 */
struct rp_reserved_user {
    const char *path;
    const char *shown;
    const char *allowed;
};
bool rp_reserved_check(const struct rp_reserved *reserved, struct rp_arena *arena,
                       const struct rp_reserved_user *user, struct rp_error *err);
/* The same of one that is open; user->path is not looked at. */
bool rp_reserved_check_elf(const struct rp_reserved *reserved, const struct rp_elf *elf,
                           const struct rp_reserved_user *user, struct rp_error *err);

#endif
