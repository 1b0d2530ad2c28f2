/* SPDX-License-Identifier: Apache-2.0 */
/* The target's RAM and flash through a GDB server. Errors as in gdb.h. */
#ifndef RP_TOOLCHAIN_PROBE_MEMORY_H
#define RP_TOOLCHAIN_PROBE_MEMORY_H

#include "toolchain/probe/gdb.h"

/* Called now and then by the functions below, with done growing up to size. */
struct rp_gdb_progress {
    void (*report)(void *context, uint32_t address, size_t done, size_t size);
    void *context;
};
void rp_gdb_on_progress(struct rp_gdb *gdb, const struct rp_gdb_progress *progress);

/*
 * Read and write exactly these bytes. RP_E_GDB: the range exceeds 32-bit addresses, or the server
 * refuses it.
 */
bool rp_gdb_read(struct rp_gdb *gdb, uint32_t address, void *bytes, size_t size,
                 struct rp_error *err);
bool rp_gdb_write(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                  struct rp_error *err);
/* Compares memory with these bytes. RP_E_GDB names the first address with a different one. */
bool rp_gdb_verify(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                   struct rp_error *err);

/* The regions that the server knows, in gdb's arena; count 0: it does not tell. */
bool rp_gdb_map(struct rp_gdb *gdb, const struct rp_gdb_map **map, struct rp_error *err);
/*
 * Programs flash: erases and writes the blocks that contain the range, and keeps their other bytes.
 * RP_E_GDB: the range is not in flash that the server programs.
 */
bool rp_gdb_flash(struct rp_gdb *gdb, uint32_t address, const void *bytes, size_t size,
                  struct rp_error *err);

#endif
