/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols that a firmware supplies to images: the table `relocpack_exports` in its ELF file,
 * which `relocpack exports` wrote as C. Rows are of struct ai_rel_import
 * (runtime/ai_reloc_network.h).
 */
#ifndef RP_ELFPACK_ELF_EXPORTS_H
#define RP_ELFPACK_ELF_EXPORTS_H

#include "elfpack/elf/elf.h"

#define RP_EXPORTS_SYMBOL "relocpack_exports"

struct rp_export {
    const char *name;
    uint32_t version;
    uint32_t address; /* with the Thumb bit for functions */
    bool is_function;
    uint32_t size; /* of the symbol, in bytes; 0: unknown */
};

struct rp_exports {
    struct rp_export *items;
    size_t count;
    size_t capacity;
};

/*
 * Adds the rows of the table in a linked firmware. RP_E_ELF: the file is not a linked ELF file, has
 * no table, or the table is wrong: a name outside the file, an address without a symbol of that
 * name, a duplicate name.
 */
bool rp_exports_read(struct rp_exports *out, struct rp_arena *arena, const struct rp_elf *elf,
                     struct rp_error *err);
/*
 * Can code with this floating-point ABI (enum reloc_float_abi) call functions of the firmware?
 * RP_E_ELF names both sides.
 */
bool rp_exports_check_abi(const struct rp_elf *elf, uint32_t float_abi, struct rp_error *err);

#endif
