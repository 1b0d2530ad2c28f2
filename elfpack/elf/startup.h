/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructors and thread-local data of archive members that the image uses. Nothing refers to a
 * constructor, so the linker drops it, and the rest of its member would run without it.
 */
#ifndef RP_ELFPACK_ELF_STARTUP_H
#define RP_ELFPACK_ELF_STARTUP_H

#include "elfpack/elf/elf.h"
#include "elfpack/elf/linkmap.h"

/*
 * Examines each archive member of which something was placed. RP_E_INIT_ARRAY or RP_E_TLS names the
 * member, its section, the function that is called in it, and the callers. Also errors of
 * rp_elf_each_of.
 */
bool rp_startup_check(const struct rp_elf *linked, struct rp_arena *arena,
                      const struct rp_linkmap *map, struct rp_error *err);

#endif
