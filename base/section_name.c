/* SPDX-License-Identifier: Apache-2.0 */
/* Names of sections: see section_name.h. */
#include "base/section_name.h"

#include <stddef.h>
#include <string.h>

bool rp_section_name_is_plain(const char *name) {
    return name[0] != '\0' &&
           name[strspn(
               name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._$")] == '\0';
}

/*
 * Names of compilers, the C library and relocpack's scripts. One that ends in a dot or an
 * underscore stands for all names that begin with it; any other for itself, alone or followed by a
 * dot.
 */
static const char *const known[] = {
    ".text",         ".rodata",   ".data",        ".bss",
    ".tensor_arena", ".gnu.",     ".got",         ".igot",
    ".plt",          ".iplt",     ".rel",         ".rela",
    ".dynamic",      ".dynsym",   ".dynstr",      ".hash",
    ".interp",       ".eh_frame", ".eh_frame_",   ".ARM.",
    ".comment",      ".note",     ".debug",       ".debug_",
    ".line",         ".stab",     ".stabstr",     ".init",
    ".init_array",   ".fini",     ".fini_array",  ".ctors",
    ".dtors",        ".preinit_", ".jcr",         ".tdata",
    ".tbss",         ".tcommon",  ".llvm_",       ".llvm.",
    ".tm_clone_",    ".glue_",    ".vfp11_",      ".v4_bx",
    ".rp_",          ".network_", ".params_desc", ".const_ec_blob",
    ".symtab",       ".strtab",   ".shstrtab",    ".gcc_except_table"};

bool rp_section_name_is_free(const char *name) {
    if (!rp_section_name_is_plain(name))
        return false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t len = strlen(known[i]);
        char end = known[i][len - 1];
        if (strncmp(name, known[i], len) == 0 &&
            (end == '.' || end == '_' || name[len] == '.' || name[len] == '\0'))
            return false;
    }
    return true;
}
