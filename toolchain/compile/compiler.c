/* SPDX-License-Identifier: Apache-2.0 */
/* The compilers: see compiler.h. */
#include "toolchain/compile/compiler.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/format/reloc_format.h"

const struct rp_compiler rp_gcc = {
    .name = "gcc",
    .get = "on Debian: apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi; elsewhere give "
           "--cross-compile PREFIX",
    .tool = RELOC_TOOL_GCC,
    .folder = "GCC",
    .title = "GCC"};

const struct rp_compiler rp_llvm = {.name = "llvm",
                                    .program = "clang",
                                    .get = "on Debian: apt-get install clang lld; elsewhere name "
                                           "the folder of the installation as llvm_install_path "
                                           "in the custom file",
                                    .is_clang = true,
                                    .is_bare = true,
                                    .tool = RELOC_TOOL_LLVM,
                                    .folder = "LLVM",
                                    .title = "CLANG"};

const struct rp_compiler rp_st_clang = {.name = "st-clang",
                                        .program = "starm-clang",
                                        .get = "it is the compiler of the ST Arm Clang toolchain, "
                                               "which comes with ST's development tools: put its "
                                               "folder bin on PATH, or name that as "
                                               "extra_system_path in the custom file; -r llvm "
                                               "needs only Debian's clang and lld",
                                        .is_clang = true,
                                        .tool = RELOC_TOOL_ST_CLANG,
                                        .folder = "ST_CLANG",
                                        .title = "ST_CLANG"};

static const struct rp_compiler *const compilers[] = {&rp_gcc, &rp_llvm, &rp_st_clang};
enum { COMPILER_COUNT = sizeof compilers / sizeof compilers[0] };

const struct rp_compiler *rp_compiler_find(const char *name) {
    for (size_t i = 0; i < COMPILER_COUNT; i++)
        if (strcmp(compilers[i]->name, name) == 0)
            return compilers[i];
    return NULL;
}

const struct rp_compiler *rp_compiler_of_tool(uint32_t tool) {
    for (size_t i = 0; i < COMPILER_COUNT; i++)
        if (compilers[i]->tool == tool)
            return compilers[i];
    return &rp_gcc;
}

/* ---- known faults ---- */

static const struct rp_compiler_fault clang_vectorizer = {
    "clang version ", 13, 14, "crashes on some loops for Cortex-M52, M55 and M85",
    "try --cflags=-fno-vectorize or another version"};

static const struct rp_compiler_fault *const faults[] = {&clang_vectorizer};

const struct rp_compiler_fault *rp_compiler_fault_of(const char *version) {
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const char *mark = strstr(version, faults[i]->mark);
        unsigned long major = mark != NULL ? strtoul(mark + strlen(faults[i]->mark), NULL, 10) : 0;
        if (major >= faults[i]->first && major <= faults[i]->last)
            return faults[i];
    }
    return NULL;
}

const char *rp_compiler_crash_hint(const char *output) {
    if (strstr(output, "clang frontend command failed") != NULL)
        return clang_vectorizer.hint;
    return strstr(output, "internal compiler error") != NULL
               ? "try clang (-r llvm), another version, or --cflags=-O1"
               : NULL;
}
