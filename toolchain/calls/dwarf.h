/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations as the compiler understood them, from the debug information (DWARF) of an object or
 * archive. dwarf.c is the only user of elfutils' libdw.
 */
#ifndef RP_TOOLCHAIN_CALLS_DWARF_H
#define RP_TOOLCHAIN_CALLS_DWARF_H

#include "base/arena.h"
#include "toolchain/cread/type.h"

/*
 * Adds the definitions of these functions and variables, at file scope and not mangled, to out. A
 * type that is not understood is unknown. A file whose debug information is missing or damaged adds
 * nothing.
 */
void rp_dwarf_read(struct rp_arena *arena, const char *path, const struct rp_strings *names,
                   struct rp_declared_list *out);
/* Adds the declarations of these that the file uses and does not define. */
void rp_dwarf_read_used(struct rp_arena *arena, const char *path, const struct rp_strings *names,
                        struct rp_declared_list *out);

#endif
