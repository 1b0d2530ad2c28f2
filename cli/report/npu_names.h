/* SPDX-License-Identifier: Apache-2.0 */
/* What reports and `inspect` both say of Neural-ART images: names of flags, regions of pools. */
#ifndef RP_CLI_REPORT_NPU_NAMES_H
#define RP_CLI_REPORT_NPU_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "elfpack/image/checks.h"

/* "Embedded ARM GCC" … for the toolchain in a flags word. */
const char *rp_toolchain_name(uint32_t flags);
/* "ARM_GCC" …: how the vendor's JSON calls it. */
const char *rp_toolchain_symbol(uint32_t flags);
/* "v8.0 dbg=True … cpuid=D22 fpu=True float-abi=2": a flags word as the vendor's tools print it. */
const char *rp_flags_text(struct rp_arena *arena, uint32_t flags);
/* "RELOC.PARAM.0.RCACHED", as the vendor's tools write it. */
const char *rp_pool_flags_text(struct rp_arena *arena, uint32_t flags);
/* "1.1.3-5": the release of LL_ATON that an image is for; dot: what stands before the last part. */
const char *rp_npu_release(struct rp_arena *arena, const struct reloc_npu_view *npu, char dot);
/* Adds the same to a pool's object, as members flags, type, data, attr and id. */
void rp_pool_json(struct rp_json *pool, uint32_t flags);

/* A row that the table LL_ATON_RELOC_REGIONS of a firmware needs for a pool at a fixed address. */
struct rp_pool_region {
    uint32_t address, size_bytes;
    bool is_default; /* firmware without a table has it as well */
};

/*
 * Returns false if the loader writes nothing at a fixed address: the pool is relative, or is flash
 * in which the params have to lie already.
 */
bool rp_pool_region(struct rp_pool_region *region, uint32_t flags, uint32_t dst,
                    uint32_t size_bytes);
/* "{0x34100000, 131072} for AXISRAM2: …", the row as a table in C has it. */
const char *rp_pool_region_text(struct rp_arena *arena, const struct rp_pool_region *region,
                                const char *pool);
/* Adds {pool, address, size_bytes, default} to an array. */
void rp_pool_region_json(struct rp_json *list, const struct rp_pool_region *region,
                         const char *pool);

#endif
