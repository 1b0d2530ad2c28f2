/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF files and archives for Arm as plain arrays; elf.c is the only user of libelf. In: a path.
 * Out: sections, symbols and relocations in file order, with names. The contents of a section are
 * mapped, not copied. libelf bounds all accesses; indices, entry sizes and string tables are
 * checked here.
 */
#ifndef RP_ELFPACK_ELF_ELF_H
#define RP_ELFPACK_ELF_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_section {
    const char *name;
    uint32_t type;  /* SHT_* */
    uint32_t flags; /* SHF_* */
    uint32_t addr;
    uint32_t size; /* bytes, also for SHT_NOBITS */
    uint32_t align;
    uint32_t info;           /* sh_info: for relocation sections, the section they apply to */
    uint64_t file_offset;    /* of the contents in the ELF file, or in the archive for a member */
    const uint8_t *contents; /* size bytes, mapped; NULL if SHT_NOBITS, empty or damaged */
    uint32_t entsize;        /* of SHF_MERGE sections: bytes of an entity or a character */
};

/* In ELF these values have 16 bits, and an ordinary section may have such an index. */
#define RP_SECTION_RESERVED UINT32_C(0xFFFF0000)
#define RP_SECTION_ABS      UINT32_C(0xFFFFFFF1)
#define RP_SECTION_COMMON   UINT32_C(0xFFFFFFF2)

struct rp_symbol {
    const char *name;
    uint32_t value;   /* with the Thumb bit for functions */
    uint32_t size;    /* bytes */
    uint8_t type;     /* STT_* */
    uint8_t bind;     /* STB_* */
    uint32_t section; /* index, or SHN_UNDEF, RP_SECTION_ABS, RP_SECTION_COMMON */
};

struct rp_reloc {
    uint32_t place;   /* address (linked file) or offset (object) */
    uint32_t type;    /* R_ARM_* */
    uint32_t symbol;  /* index */
    uint32_t section; /* index of the section it applies to */
    int32_t addend;   /* explicit addend of a RELA entry, else 0 */
    bool explicit_addend;
};

struct rp_elf {
    const char *path;
    const char *member; /* archive member, or NULL */
    uint16_t type;      /* ET_REL, ET_EXEC */
    uint32_t entry;
    uint32_t flags; /* e_flags */
    struct rp_section *sections;
    size_t section_count;
    struct rp_symbol *symbols;
    size_t symbol_count;
    struct rp_reloc *relocs; /* of loaded sections */
    size_t reloc_count;
    void *handle; /* libelf's, and the descriptor */
    int fd;
};

/*
 * Opens one ELF file; close it with rp_elf_close. RP_E_INPUT: it cannot be read. RP_E_ELF: it is
 * not a usable 32-bit Arm file. RP_E_ABI_MISMATCH: it is compiled for FDPIC.
 */
bool rp_elf_open(struct rp_elf *elf, struct rp_arena *arena, const char *path,
                 struct rp_error *err);
void rp_elf_close(struct rp_elf *elf);

/* All bytes of the file, or of the archive member, mapped; false: libelf cannot map it. */
bool rp_elf_bytes(const struct rp_elf *elf, const uint8_t **bytes, size_t *size);
/* The first section of this name, or NULL. */
const struct rp_section *rp_elf_section(const struct rp_elf *elf, const char *name);
/* The defined global symbol of this name, else the first defined local one, or NULL. */
const struct rp_symbol *rp_elf_symbol(const struct rp_elf *elf, const char *name);
/* The function or object that contains addr: the closest one at or before it, or NULL. */
const struct rp_symbol *rp_elf_symbol_at(const struct rp_elf *elf, uint32_t addr);
/* The loaded section that has all size bytes from addr on, or NULL. */
const struct rp_section *rp_elf_section_at(const struct rp_elf *elf, uint32_t addr, uint32_t size);
/* The section that a symbol is defined in, or NULL (undefined, absolute, common). */
const struct rp_section *rp_symbol_section(const struct rp_elf *elf,
                                           const struct rp_symbol *symbol);

/* ELF files that stay open together. Zero-initialise; close with rp_elf_close_all. */
struct rp_elf_files {
    struct rp_elf **items;
    size_t count;
    size_t capacity;
    struct {
        struct rp_elf **items;
        size_t count;
        size_t capacity;
    } archives;
};
/*
 * Adds the ELF file at path, or the named members of the archive at path, in the archive's order.
 * Errors of rp_elf_open.
 */
bool rp_elf_load(struct rp_elf_files *files, struct rp_arena *arena, const char *path,
                 const struct rp_strings *members, struct rp_error *err);
void rp_elf_close_all(struct rp_elf_files *files);

/*
 * Calls visit for the ELF file at path, or for each ELF member of the archive at path; other
 * members are skipped. visit returns false to stop with an error. Errors of rp_elf_open and of
 * visit.
 */
bool rp_elf_each(struct rp_arena *arena, const char *path,
                 bool (*visit)(const struct rp_elf *elf, void *context, struct rp_error *err),
                 void *context, struct rp_error *err);

/* The same for the named members of an archive; the others are not read. */
struct rp_elf_visitor {
    bool (*visit)(const struct rp_elf *elf, void *context, struct rp_error *err);
    void *context;
};
bool rp_elf_each_of(struct rp_arena *arena, const char *path, const struct rp_strings *members,
                    const struct rp_elf_visitor *visitor, struct rp_error *err);

#endif
