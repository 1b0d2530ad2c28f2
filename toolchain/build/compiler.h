/* SPDX-License-Identifier: Apache-2.0 */
/* The compilers: one row of values each. */
#ifndef RP_TOOLCHAIN_BUILD_COMPILER_H
#define RP_TOOLCHAIN_BUILD_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

struct rp_compiler {
    const char *name;    /* in reports and as an item of -r: "gcc", "llvm", "st-clang" */
    const char *program; /* NULL: <cross_compile>gcc */
    bool is_clang;       /* -fropi -frwpi, constants moved in its assembly; else a GOT and r9 */
    bool is_bare;        /* brings neither a C library nor a linker for the core */
    uint32_t tool;       /* in the flags of an image: RELOC_TOOL_… */
    /* as the vendor spells it */
    const char *folder; /* of kernel archives */
    const char *title;  /* in the description of a Neural-ART runtime */
};

extern const struct rp_compiler rp_gcc, rp_llvm, rp_st_clang;

/* The compiler of that name, or NULL. */
const struct rp_compiler *rp_compiler_find(const char *name);
/* The compiler that the flags of an image name; gcc for values that are not known. */
const struct rp_compiler *rp_compiler_of_tool(uint32_t tool);

#endif
