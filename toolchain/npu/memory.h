/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which memory a Neural-ART network uses, pool by pool, and the image's pool descriptors that
 * follow from it. In: what network.c says (aton.h); out: ranges, descriptors, totals. Pure.
 */
#ifndef RP_TOOLCHAIN_NPU_MEMORY_H
#define RP_TOOLCHAIN_NPU_MEMORY_H

#include "toolchain/npu/network.h"

/* A pool, never a virtual one, with a buffer in it; addresses in relative pools are nominal. */
struct rp_aton_used {
    const struct rp_aton_pool *pool;
    bool has_params, has_acts;
    uint64_t first, last; /* address of the first and of the last byte that is touched */
    uint64_t params_first, params_last;
    uint64_t span;          /* last - first + 1 */
    uint64_t extent;        /* from the pool's offset to behind the last byte */
    uint64_t params_span;   /* 0: no params */
    uint64_t params_extent; /* from the pool's offset to behind the last byte of the params: what
                               the pool's raw file has to have at least */
    /* the descriptor (specification of the image format, 3.3), without the offset in the params */
    uint32_t flags;
    uint32_t dst;
    uint32_t size_bytes;
};

struct rp_aton_memory {
    struct {
        struct rp_aton_used *items;
        size_t count, capacity;
    } used; /* by offset, highest first; same offset: as in network.c */
    const struct rp_aton_used *relative_ro, *relative_rw; /* NULL: none is used */
    uint64_t acts_size, params_size;       /* sums of spans, as the vendor's tools report them */
    uint64_t acts_internal, acts_external; /* below and from 0x60000000 on */
    uint64_t params_internal, params_external;
    uint64_t ext_ram_size; /* of the relative pool that is writable, not rounded */
    struct rp_strings warnings;
};

/*
 * Buffers in virtual pools count for the real pools at their addresses; user-allocated ones for
 * none. Without the table of internal buffers, activations are known by the pools' comments only:
 * a warning, or RP_E_ATON_BUFFERS when parameters are missing as well, or the exact size of a
 * relative writable pool; RP_E_ATON_POOLS for a buffer outside all pools or in two, a pool of a
 * kind that images do not have, two relative pools with the same access, a cacheable relative pool
 * below 0x60000000, more than RELOC_NPU_POOLS_MAX used pools.
 */
bool rp_aton_memory(struct rp_aton_memory *out, struct rp_arena *arena, const struct rp_aton *aton,
                    struct rp_error *err);

#endif
