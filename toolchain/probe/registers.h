/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's registers through a GDB server, by name: r0 to r12, sp, lr, pc, xpsr, and those that
 * the server's description of the target has (msp, psp, primask, control and others).
 */
#ifndef RP_TOOLCHAIN_PROBE_REGISTERS_H
#define RP_TOOLCHAIN_PROBE_REGISTERS_H

#include "toolchain/probe/gdb.h"

bool rp_gdb_has_register(const struct rp_gdb *gdb, const char *name);
/* RP_E_GDB: there is none with this name, it has more than 32 bits, or as in gdb.h. */
bool rp_gdb_get_register(struct rp_gdb *gdb, const char *name, uint32_t *value,
                         struct rp_error *err);
bool rp_gdb_set_register(struct rp_gdb *gdb, const char *name, uint32_t value,
                         struct rp_error *err);

#endif
