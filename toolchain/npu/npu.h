/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Neural-ART network and what it is built with: the parsed network, its pools, their
 * initialisers, the pack's LL_ATON sources. Made by ll_aton.c, used by plan.c and the report.
 */
#ifndef RP_TOOLCHAIN_NPU_NPU_H
#define RP_TOOLCHAIN_NPU_NPU_H

#include "runtime/format/reloc_format.h"
#include "toolchain/dialect.h"
#include "toolchain/npu/memory.h"
#include "toolchain/npu/network.h"
#include "toolchain/npu/pack.h"

/* A row of the image's table of pool descriptors, and where its bytes come from. */
struct rp_npu_pool {
    const struct rp_aton_used *used;
    const char *raw;     /* file with the pool's initial bytes, or NULL */
    uint64_t raw_size;   /* bytes of that file */
    uint64_t file_bytes; /* space of the pool in the params, a multiple of 8 */
    uint64_t foff;       /* from the start of the params, without blobs */
};

/* LL_ATON release of the pack. */
struct rp_ll_aton {
    const char *dir;
    const char *name; /* "atonn-v1.1.1-14-ge619e860" */
    unsigned major, minor, micro, dev;
    bool is_software; /* its epochs run in software, so it can be emulated */
};

struct rp_npu {
    struct rp_aton aton;
    struct rp_aton_memory memory;
    struct rp_npu_choice choice;
    const struct rp_compiler *compiler;
    struct rp_pack pack;
    struct rp_ll_aton ll_aton;
    const char *blobs_path; /* of aton.blobs_header; NULL: none is read */
    const char *c_name;     /* of the context: the model's name in lower case */
    const char *runtime_desc;
    struct rp_npu_pool *pools; /* rows of the table, in its order */
    size_t pool_count;
    bool names_registers;  /* the network may need the pack's ATON.h: registers.h */
    uint64_t params_bytes; /* of all initialisers, padded; blobs not counted */
};

#endif
