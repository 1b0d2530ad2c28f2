/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that a Neural-ART network uses, pool by pool, and the pool descriptors of the image.
 * In: the parsed network; out: ranges, descriptors, totals. Pure.
 */
#ifndef RP_TOOLCHAIN_NPU_MEMORY_H
#define RP_TOOLCHAIN_NPU_MEMORY_H

#include "toolchain/npu/network.h"

/* A pool with a buffer in it, never a virtual one. Addresses in relative pools are nominal. */
struct rp_aton_used {
    const struct rp_aton_pool *pool;
    bool has_params, has_acts;
    uint64_t first, last; /* addresses of the first and last byte used */
    uint64_t params_first, params_last;
    uint64_t span;          /* last - first + 1 */
    uint64_t extent;        /* from the pool's offset to the end of the last byte */
    uint64_t doubt;         /* by which extent may be too large: it is from a rounded comment */
    uint64_t params_span;   /* 0: no params */
    uint64_t params_extent; /* from the pool's offset to the end of the params: the least size of
                               the pool's raw file */
    /* the descriptor (specification of the image format, 3.3) without its offset in the params */
    uint32_t flags;
    uint32_t dst;
    uint32_t size_bytes;
};

struct rp_aton_memory {
    struct {
        struct rp_aton_used *items;
        size_t count, capacity;
    } used; /* highest offset first; pools at the same offset as in network.c */
    const struct rp_aton_used *relative_ro, *relative_rw; /* NULL: none is used */
    uint64_t acts_size, params_size;       /* sums of spans, as the vendor's tools report them */
    uint64_t acts_internal, acts_external; /* below and from 0x60000000 on */
    uint64_t params_internal, params_external;
    uint64_t ext_ram_size; /* of the writable relative pool, not rounded */
    struct rp_strings warnings;
};

/*
 * A buffer in a virtual pool counts for the real pools at its addresses, a user-allocated one for
 * none. Without the table of internal buffers, activations are known only from the comments on the
 * pools. That is a warning; it is RP_E_ATON_BUFFERS when parameters are missing as well, or when
 * the exact size of a writable relative pool is.
 *
 * RP_E_ATON_POOLS: a buffer lies outside all pools or in two, images do not have that kind of pool,
 * two relative pools have the same access, a relative pool below 0x60000000 is cacheable, or more
 * than RELOC_NPU_POOLS_MAX pools are used.
 */
bool rp_aton_memory(struct rp_aton_memory *out, struct rp_arena *arena, const struct rp_aton *aton,
                    struct rp_error *err);

/* Whether NOR flash is mapped there: xSPI2 and xSPI3 of STM32N6. Nothing can be copied to it. */
bool rp_aton_is_flash(uint32_t address);

#endif
