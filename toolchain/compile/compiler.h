/* SPDX-License-Identifier: Apache-2.0 */
/* The compilers: one row of values each. */
#ifndef RP_TOOLCHAIN_COMPILE_COMPILER_H
#define RP_TOOLCHAIN_COMPILE_COMPILER_H

#include <stdbool.h>
#include <stdint.h>

struct rp_compiler {
    const char *name;    /* in reports and as an item of -r: "gcc", "llvm", "st-clang" */
    const char *program; /* NULL: <cross_compile>gcc */
    const char *get;     /* how to get the program: a hint */
    bool is_clang;       /* -fropi -frwpi, constants moved in its assembly; else a GOT and r9 */
    bool is_bare;        /* brings neither a C library nor a linker for the core */
    uint32_t tool;       /* in the flags of an image: RELOC_TOOL_… */
    /* as the vendor spells it */
    const char *folder; /* of kernel archives */
    const char *title;  /* in the description of a Neural-ART runtime */
};

extern const struct rp_compiler rp_gcc, rp_llvm, rp_st_clang;

/* A known fault of some versions of a compiler; docs/guide/toolchains.md has the survey. */
struct rp_compiler_fault {
    const char *mark;     /* the text before the version in the output of --version */
    unsigned first, last; /* major versions */
    const char *what, *hint;
};
/* The fault of the compiler that prints this for --version, or NULL. */
const struct rp_compiler_fault *rp_compiler_fault_of(const char *version);
/* The hint for messages of a compiler that crashed; NULL: it did not. */
const char *rp_compiler_crash_hint(const char *output);

/* The compiler with this name, or NULL. */
const struct rp_compiler *rp_compiler_find(const char *name);
/* The compiler in the flags of an image; gcc for unknown values. */
const struct rp_compiler *rp_compiler_of_tool(uint32_t tool);

#endif
