/* SPDX-License-Identifier: Apache-2.0 */
/* The target's memory through a GDB server; RAM and flash. */
#ifndef RP_TOOLCHAIN_PROBE_MEMORY_H
#define RP_TOOLCHAIN_PROBE_MEMORY_H

#include "toolchain/probe/gdb.h"

/* Called during the functions below, now and then, with done growing to size. */
struct rp_gdb_progress {
    void (*report)(void *context, uint32_t address, size_t done, size_t size);
    void *context;
};
void rp_gdb_on_progress(struct rp_gdb *gdb, const struct rp_gdb_progress *progress);

/*
 * Reads and writes exactly these bytes. A range that leaves the 32-bit addresses, or that the
 * server refuses: RP_E_GDB.
 */
bool rp_gdb_read(struct rp_gdb *gdb, uint32_t address, void *bytes, size_t size,
                 struct rp_error *err);
bool rp_gdb_write(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                  struct rp_error *err);
/* Are these bytes there? RP_E_GDB names the first address where another one is. */
bool rp_gdb_verify(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                   struct rp_error *err);

/* The regions that the server knows; count 0: it does not say. Valid as long as gdb's arena. */
bool rp_gdb_map(struct rp_gdb *gdb, const struct rp_gdb_map **map, struct rp_error *err);
/*
 * Programs flash: the blocks that hold the range are erased and written; what else they held is
 * kept. RP_E_GDB: the range is not in flash that the server programs.
 */
bool rp_gdb_flash(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                  struct rp_error *err);

#endif
