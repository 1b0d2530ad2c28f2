/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes small ELF files and archives byte by byte, from "ELF for the Arm Architecture" and the
 * System V ABI: without libelf and Arm tools, so that tests of the reader do not share its beliefs.
 */
#ifndef RP_TESTS_UNIT_ELF_BUILDER_H
#define RP_TESTS_UNIT_ELF_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum { EB_SECTIONS = 24, EB_SYMBOLS = 32, EB_RELOCS = 32 };

struct eb_section {
    const char *name;
    uint32_t type, flags, addr, align, size;
    uint32_t link, info, entsize;
    const void *data; /* size bytes, or NULL for none in the file */
};

struct eb_symbol {
    const char *name;
    uint32_t value, size;
    uint8_t bind, type;
    uint16_t section;
};

struct eb_reloc {
    unsigned section; /* index of the section it applies to */
    uint32_t place, type, symbol;
    int32_t addend;
};

/* Zero-initialise, then eb_begin. Index 0 of sections and symbols is the null one. */
struct elf_builder {
    uint16_t type, machine;
    uint8_t class, data;
    uint32_t entry;
    struct eb_section sections[EB_SECTIONS];
    unsigned section_count;
    struct eb_symbol symbols[EB_SYMBOLS];
    unsigned symbol_count;
    struct eb_reloc relocs[EB_RELOCS];
    unsigned reloc_count;
    int rela; /* write SHT_RELA instead of SHT_REL */
};

void eb_begin(struct elf_builder *eb, uint16_t type);
/* Both return the index. flags SHF_*, type SHT_*. */
unsigned eb_section(struct elf_builder *eb, const char *name, uint32_t type, uint32_t flags,
                    uint32_t size);
unsigned eb_symbol(struct elf_builder *eb, const char *name, uint8_t type, unsigned section,
                   uint32_t value);
struct eb_reloc *eb_reloc(struct elf_builder *eb, unsigned section, uint32_t place, uint32_t type,
                          unsigned symbol);
/*
 * Appends the file: header, contents, symbol and string tables, one relocation section per section
 * that has relocations, section headers. The offset of the section headers is also in the header.
 */
void eb_write(const struct elf_builder *eb, struct rp_buf *out);

/* .ARM.attributes with the four tags that matter and two CPU names; returns its size. */
size_t eb_attributes(uint8_t out[64], unsigned cpu_arch, unsigned profile, unsigned fp_arch,
                     unsigned vfp_args);

/* "!<arch>\n"; one member with a name of at most 15 bytes. */
void ar_begin(struct rp_buf *out);
void ar_member(struct rp_buf *out, const char *name, const void *data, size_t size);

#endif
