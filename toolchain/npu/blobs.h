/* SPDX-License-Identifier: Apache-2.0 */
/* Reading <name>_ecblobs.h, which holds the epoch controller's programs as arrays. */
#ifndef RP_TOOLCHAIN_NPU_BLOBS_H
#define RP_TOOLCHAIN_NPU_BLOBS_H

#include "toolchain/npu/network.h"

/* An array _ec_blob_… for the epoch controller. */
struct rp_aton_blob {
    const char *symbol;
    const char *type; /* element type: "uint64_t" */
    unsigned line;
    bool in_section; /* ECBLOB_CONST_SECTION stands before it */
    bool is_const;   /* the blob itself; otherwise memory for its copy at run time, or its state */
    bool is_bounded; /* the bound is written; otherwise elements counts the initialisers */
    uint64_t elements;
    uint64_t bytes; /* elements times the size of the type; 0: the type is not an (u)intN_t */
};

struct rp_aton_blobs {
    struct rp_aton_blob *items;
    size_t count, capacity;
    unsigned section_line; /* of a directive that redefines ECBLOB_CONST_SECTION, which the command
                              line of the compiler defines; 0: there is none */
    bool copies;           /* ec_copy_blob is called */
    bool relocates;        /* ec_reloc is called */
};

/* Reads <name>_ecblobs.h. RP_E_ATON: an array is not understood; RP_E_INPUT: it is not C. */
bool rp_aton_parse_blobs(struct rp_aton_blobs *out, struct rp_arena *arena,
                         const struct rp_aton_text *text, struct rp_error *err);

#endif
