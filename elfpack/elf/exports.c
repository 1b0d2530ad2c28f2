/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols that a firmware supplies to images: see exports.h. */
#include "elfpack/elf/exports.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "elfpack/elf/attributes.h"
#include "runtime/format/reloc_format.h"

enum { ROW_BYTES = 12 }; /* name, version, address: 4 bytes each */

/*
 * The bytes in the file at an address, or NULL. left: out, bytes from there to the section's end.
 */
static const uint8_t *bytes_at(const struct rp_elf *elf, uint32_t address, uint32_t *left) {
    for (size_t i = 0; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        if ((section->flags & SHF_ALLOC) != 0 && section->contents != NULL &&
            address >= section->addr && address - section->addr < section->size) {
            *left = section->size - (address - section->addr);
            return section->contents + (address - section->addr);
        }
    }
    return NULL;
}

static bool read_row(struct rp_exports *out, struct rp_arena *arena, const struct rp_elf *elf,
                     const uint8_t *row, struct rp_error *err) {
    uint32_t left = 0;
    const char *name = (const char *)bytes_at(elf, rp_get_le32(row), &left);
    if (name == NULL || memchr(name, 0, left) == NULL)
        return rp_fail(err, RP_E_ELF, "'%s': row %zu of " RP_EXPORTS_SYMBOL " has no name",
                       elf->path, out->count);
    const struct rp_symbol *symbol = rp_elf_symbol(elf, name);
    const struct rp_export export = {
        .name = rp_strdup(arena, name),
        .version = rp_get_le32(row + 4),
        .address = rp_get_le32(row + 8),
        .is_function = symbol != NULL && symbol->type == STT_FUNC,
        .size = symbol != NULL ? symbol->size : 0,
    };
    if (symbol == NULL || symbol->section == SHN_UNDEF || symbol->value != export.address)
        return rp_fail(err, RP_E_ELF,
                       "'%s' exports '%s' at 0x%08x, where there is no symbol of this name",
                       elf->path, export.name, export.address);
    for (size_t i = 0; i < out->count; i++)
        if (strcmp(out->items[i].name, name) == 0)
            return rp_fail(err, RP_E_ELF, "'%s' exports '%s' twice", elf->path, name);
    *RP_PUSH(arena, out) = export;
    return true;
}

bool rp_exports_read(struct rp_exports *out, struct rp_arena *arena, const struct rp_elf *elf,
                     struct rp_error *err) {
    const struct rp_symbol *table = rp_elf_symbol(elf, RP_EXPORTS_SYMBOL);
    uint32_t left = 0;
    if (elf->type != ET_EXEC)
        return rp_fail(err, RP_E_ELF, "'%s' is not a linked firmware", elf->path);
    if (table == NULL || table->section == SHN_UNDEF) {
        rp_fail(err, RP_E_ELF, "'%s' exports nothing: it has no symbol " RP_EXPORTS_SYMBOL,
                elf->path);
        return rp_hint(err, "relocpack exports --list NAMES -o exports.c writes the table, which "
                            "the firmware links and passes to the loader; the ELF file must keep "
                            "its symbols");
    }
    const uint8_t *rows = bytes_at(elf, table->value, &left);
    if (table->size % ROW_BYTES != 0 || rows == NULL || table->size > left)
        return rp_fail(err, RP_E_ELF, "'%s': " RP_EXPORTS_SYMBOL " is not a table of %u-byte rows",
                       elf->path, (unsigned)ROW_BYTES);
    for (uint32_t at = 0; at < table->size; at += ROW_BYTES)
        if (!read_row(out, arena, elf, rows + at, err))
            return false;
    return true;
}

bool rp_exports_check_abi(const struct rp_elf *elf, uint32_t float_abi, struct rp_error *err) {
    enum { BASE = 0, VFP_REGISTERS = 1 }; /* Tag_ABI_VFP_args; -1: not stated, which means 0 */
    const int stated = rp_attributes_read(elf).vfp_args;
    const bool hard = float_abi == RELOC_FLOAT_HARD;
    if (stated > VFP_REGISTERS || (stated == VFP_REGISTERS) == hard)
        return true;
    rp_fail(err, RP_E_ELF,
            "'%s' passes floating-point arguments in %s registers, but the image in %s", elf->path,
            hard ? "core" : "VFP", hard ? "VFP" : "core");
    return rp_hint(err, "build both with the same -mfloat-abi");
}
