/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the documents of a GDB server: the registers of a target description (target.xml and what
 * it includes) and the regions of a memory map ("Target Description Format" and "Memory Map Format"
 * in GDB's manual). Text in, lists out.
 */
#ifndef RP_TOOLCHAIN_PROBE_DESCRIBE_H
#define RP_TOOLCHAIN_PROBE_DESCRIBE_H

#include "base/buf.h"
#include "base/error.h"

#include <stdint.h>

struct rp_gdb_register {
    const char *name;
    uint32_t number;
    uint32_t bits;
};

struct rp_gdb_registers {
    struct rp_gdb_register *items;
    size_t count;
    size_t capacity;
    uint32_t next; /* the number of a register that states none */
};

/*
 * Adds the registers of one document, and to includes the documents that it includes. RP_E_GDB: it
 * is wrong.
 */
bool rp_describe_registers(struct rp_gdb_registers *registers, struct rp_arena *arena,
                           const struct rp_buf *text, struct rp_strings *includes,
                           struct rp_error *err);
/*
 * r0 to r15 and xPSR (25), as servers for Arm without a description number them: with eight
 * registers of 12 bytes and one of 4 bytes in between.
 */
void rp_describe_default(struct rp_gdb_registers *registers, struct rp_arena *arena);
/* The register with this name (in any case; sp is r13, lr r14, pc r15), or NULL. */
const struct rp_gdb_register *rp_describe_find(const struct rp_gdb_registers *registers,
                                               const char *name);

enum rp_gdb_kind { RP_GDB_RAM, RP_GDB_ROM, RP_GDB_FLASH };

struct rp_gdb_region {
    enum rp_gdb_kind kind;
    uint32_t address;
    uint64_t size;
    uint32_t block_size; /* of flash: the smallest part that can be erased; else 0 */
};

struct rp_gdb_map {
    struct rp_gdb_region *items; /* sorted by address, none overlaps another */
    size_t count;
    size_t capacity;
};

/*
 * Reads a memory map. RP_E_GDB: a region is incomplete, exceeds 32-bit addresses or overlaps
 * another, or flash has no blocks.
 */
bool rp_describe_map(struct rp_gdb_map *map, struct rp_arena *arena, const struct rp_buf *text,
                     struct rp_error *err);

#endif
