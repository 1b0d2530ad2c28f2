/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ELF files and archives by means of libelf: see elf.h. */
#include "elfpack/elf/elf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { OSABI_FDPIC = 65 }; /* ELFOSABI_ARM_FDPIC */

static bool bad(const struct rp_elf *elf, const char *why, struct rp_error *err) {
    return rp_fail(err, RP_E_ELF, "%s%s%s%s: %s", elf->path, elf->member != NULL ? "(" : "",
                   elf->member != NULL ? elf->member : "", elf->member != NULL ? ")" : "", why);
}

/* The file is neither ELF nor an archive; a thin archive ("!<thin>") and bitcode get a hint. */
static bool fail_other_kind(const struct rp_elf *elf, struct rp_error *err) {
    char magic[8] = "";
    ssize_t len = pread(elf->fd, magic, sizeof magic, 0);
    if (len >= 4 && memcmp(magic, "BC\xC0\xDE", 4) == 0) {
        bad(elf, "it is LLVM bitcode, not machine code", err);
        return rp_hint(err,
                       "compile it without -flto and -emit-llvm; with clang, `clang -c FILE.bc "
                       "-o FILE.o` and the flags that `relocpack targets` shows");
    }
    if (len != sizeof magic || memcmp(magic, "!<thin>\n", sizeof magic) != 0)
        return bad(elf, "it is not an ELF file or an archive", err);
    bad(elf, "it is a thin archive: it holds the names of its members, not the members", err);
    return rp_hint(err, "make it without the letter T: arm-none-eabi-ar rcs ARCHIVE OBJECT...");
}

static Elf *elf_of(const struct rp_elf *elf) {
    return elf->handle;
}

static bool read_header(struct rp_elf *elf, struct rp_error *err) {
    GElf_Ehdr header;
    if (gelf_getehdr(elf_of(elf), &header) == NULL)
        return bad(elf, "the ELF header is damaged", err);
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_ARM)
        return bad(elf, "it is not a 32-bit little-endian Arm file", err) ||
               rp_hint(err,
                       "it is for another processor, perhaps that of this computer: compile it "
                       "with the flags that `relocpack targets` shows");
    if (header.e_ident[EI_OSABI] == OSABI_FDPIC) { /* it would crash the linker */
        rp_fail(err, RP_E_ABI_MISMATCH,
                "%s%s%s%s is compiled for FDPIC: it calls functions through descriptors, which "
                "an image does not have",
                elf->path, elf->member != NULL ? "(" : "", elf->member != NULL ? elf->member : "",
                elf->member != NULL ? ")" : "");
        return rp_hint(err, "compile it with the flags that `relocpack targets` shows");
    }
    if (header.e_type != ET_REL && header.e_type != ET_EXEC)
        return bad(elf, "it is neither an object nor a linked file", err);
    elf->type = header.e_type;
    elf->entry = (uint32_t)header.e_entry;
    elf->flags = header.e_flags;
    return true;
}

static bool read_sections(struct rp_elf *elf, struct rp_arena *arena, struct rp_error *err) {
    size_t count, names;
    /* libelf counts 0 sections if the file is cut off before the section table */
    if (elf_getshdrnum(elf_of(elf), &count) != 0 || count == 0 ||
        elf_getshdrstrndx(elf_of(elf), &names) != 0)
        return bad(elf, "the section table is damaged", err);
    elf->sections = rp_alloc(arena, count + 1, sizeof *elf->sections);
    for (size_t i = 0; i < count; i++) {
        Elf_Scn *scn = elf_getscn(elf_of(elf), i);
        GElf_Shdr header;
        if (scn == NULL || gelf_getshdr(scn, &header) == NULL)
            return bad(elf, "the section table is damaged", err);
        const char *name = elf_strptr(elf_of(elf), names, header.sh_name);
        bool empty = header.sh_type == SHT_NOBITS || header.sh_size == 0;
        const Elf_Data *data = empty ? NULL : elf_rawdata(scn, NULL);
        elf->sections[i] = (struct rp_section){
            .name = name != NULL ? name : "",
            .type = header.sh_type,
            .flags = (uint32_t)header.sh_flags,
            .addr = (uint32_t)header.sh_addr,
            .size = (uint32_t)header.sh_size,
            .align = (uint32_t)header.sh_addralign,
            .info = header.sh_info,
            .entsize = (uint32_t)header.sh_entsize,
            .file_offset = header.sh_offset,
            .contents = data != NULL && data->d_size >= header.sh_size ? data->d_buf : NULL,
        };
    }
    elf->section_count = count;
    return true;
}

/* The table of section indices that do not fit into the 16 bits of a symbol table, or NULL. */
static Elf_Data *indices_of(const struct rp_elf *elf, size_t symbols) {
    for (size_t i = 0; i < elf->section_count; i++) {
        Elf_Scn *scn = elf_getscn(elf_of(elf), i);
        GElf_Shdr header;
        if (elf->sections[i].type == SHT_SYMTAB_SHNDX && gelf_getshdr(scn, &header) != NULL &&
            header.sh_link == symbols)
            return elf_getdata(scn, NULL);
    }
    return NULL;
}

static bool read_symbols(struct rp_elf *elf, struct rp_arena *arena, Elf_Scn *scn,
                         struct rp_error *err) {
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(scn, NULL);
    if (data == NULL || gelf_getshdr(scn, &header) == NULL || header.sh_entsize == 0)
        return bad(elf, "the symbol table is damaged", err);
    size_t count = data->d_size / header.sh_entsize;
    Elf_Data *indices = indices_of(elf, elf_ndxscn(scn));
    elf->symbols = rp_alloc(arena, count + 1, sizeof *elf->symbols);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        Elf32_Word section = SHN_XINDEX;
        if (gelf_getsymshndx(data, indices, (int)i, &symbol, &section) == NULL)
            return bad(elf, "the symbol table is damaged", err);
        const char *name = elf_strptr(elf_of(elf), header.sh_link, symbol.st_name);
        if (symbol.st_shndx == SHN_XINDEX && indices == NULL)
            return bad(elf, "the table with a symbol's section is missing", err);
        if (symbol.st_shndx != SHN_XINDEX)
            section = symbol.st_shndx < SHN_LORESERVE ? symbol.st_shndx
                                                      : RP_SECTION_RESERVED | symbol.st_shndx;
        if (section < RP_SECTION_RESERVED && section >= elf->section_count)
            return bad(elf, "a symbol refers to a section that does not exist", err);
        elf->symbols[i] = (struct rp_symbol){
            .name = name != NULL ? name : "",
            .value = (uint32_t)symbol.st_value,
            .size = (uint32_t)symbol.st_size,
            .type = GELF_ST_TYPE(symbol.st_info),
            .bind = GELF_ST_BIND(symbol.st_info),
            .section = section,
        };
    }
    elf->symbol_count = count;
    return true;
}

struct reloc_list {
    struct rp_reloc *items;
    size_t count;
    size_t capacity;
};

static bool read_reloc(struct rp_elf *elf, Elf_Data *data, const struct rp_section *section,
                       size_t index, struct rp_reloc *out) {
    GElf_Rel rel = {0};
    GElf_Rela rela = {0};
    bool explicit_addend = section->type == SHT_RELA;
    if (explicit_addend ? gelf_getrela(data, (int)index, &rela) == NULL
                        : gelf_getrel(data, (int)index, &rel) == NULL)
        return false;
    uint64_t info = explicit_addend ? rela.r_info : rel.r_info;
    *out = (struct rp_reloc){
        .place = (uint32_t)(explicit_addend ? rela.r_offset : rel.r_offset),
        .type = (uint32_t)GELF_R_TYPE(info),
        .symbol = (uint32_t)GELF_R_SYM(info),
        .section = section->info,
        .addend = (int32_t)rela.r_addend,
        .explicit_addend = explicit_addend,
    };
    return out->symbol < elf->symbol_count && out->section < elf->section_count;
}

static bool read_reloc_section(struct rp_elf *elf, struct rp_arena *arena, size_t index,
                               struct reloc_list *list, struct rp_error *err) {
    GElf_Shdr header;
    const struct rp_section *section = &elf->sections[index];
    Elf_Scn *scn = elf_getscn(elf_of(elf), index);
    Elf_Data *data = elf_getdata(scn, NULL);
    if (gelf_getshdr(scn, &header) == NULL || header.sh_entsize == 0)
        return bad(elf, "a relocation section is damaged", err);
    if (data == NULL)
        return section->size == 0 || bad(elf, "a relocation section is damaged", err);
    for (size_t i = 0; i < data->d_size / header.sh_entsize; i++)
        if (!read_reloc(elf, data, section, i, RP_PUSH(arena, list)))
            return bad(elf, "a relocation refers to a symbol or section that does not exist", err);
    return true;
}

static bool read_tables(struct rp_elf *elf, struct rp_arena *arena, struct rp_error *err) {
    for (size_t i = 0; i < elf->section_count; i++)
        if (elf->sections[i].type == SHT_SYMTAB &&
            !read_symbols(elf, arena, elf_getscn(elf_of(elf), i), err))
            return false;
    struct reloc_list list = {0};
    for (size_t i = 0; i < elf->section_count; i++) {
        const struct rp_section *relocs = &elf->sections[i];
        bool loaded = relocs->info >= elf->section_count ||
                      (elf->sections[relocs->info].flags & SHF_ALLOC) != 0;
        /* most relocations are those of debug information, which nobody needs */
        if ((relocs->type == SHT_REL || relocs->type == SHT_RELA) && relocs->info != 0 && loaded &&
            !read_reloc_section(elf, arena, i, &list, err))
            return false;
    }
    elf->relocs = list.items;
    elf->reloc_count = list.count;
    return true;
}

static bool read_elf(struct rp_elf *elf, struct rp_arena *arena, struct rp_error *err) {
    return read_header(elf, err) && read_sections(elf, arena, err) && read_tables(elf, arena, err);
}

static bool open_file(struct rp_elf *elf, const char *path, struct rp_error *err) {
    *elf = (struct rp_elf){.path = path, .fd = -1};
    elf_version(EV_CURRENT);
    elf->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (elf->fd < 0)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, strerror(errno));
    elf->handle = elf_begin(elf->fd, ELF_C_READ_MMAP, NULL);
    return elf->handle != NULL || fail_other_kind(elf, err);
}

bool rp_elf_open(struct rp_elf *elf, struct rp_arena *arena, const char *path,
                 struct rp_error *err) {
    if (open_file(elf, path, err) &&
        (elf_kind(elf_of(elf)) == ELF_K_ELF || bad(elf, "it is not an ELF file", err)) &&
        read_elf(elf, arena, err))
        return true;
    rp_elf_close(elf);
    return false;
}

void rp_elf_close(struct rp_elf *elf) {
    if (elf->handle != NULL)
        elf_end(elf_of(elf));
    if (elf->fd >= 0)
        close(elf->fd);
    elf->handle = NULL;
    elf->fd = -1;
}

bool rp_elf_bytes(const struct rp_elf *elf, const uint8_t **bytes, size_t *size) {
    *bytes = (const uint8_t *)elf_rawfile(elf_of(elf), size);
    return *bytes != NULL;
}

const struct rp_section *rp_elf_section(const struct rp_elf *elf, const char *name) {
    for (size_t i = 1; i < elf->section_count; i++)
        if (strcmp(elf->sections[i].name, name) == 0)
            return &elf->sections[i];
    return NULL;
}

const struct rp_symbol *rp_elf_symbol(const struct rp_elf *elf, const char *name) {
    const struct rp_symbol *found = NULL;
    for (size_t i = 0; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        if (symbol->section == SHN_UNDEF || strcmp(symbol->name, name) != 0)
            continue;
        if (symbol->bind != STB_LOCAL)
            return symbol;
        found = found != NULL ? found : symbol;
    }
    return found;
}

const struct rp_symbol *rp_elf_symbol_at(const struct rp_elf *elf, uint32_t addr) {
    const struct rp_symbol *best = NULL;
    for (size_t i = 0; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        bool named = symbol->type == STT_FUNC || symbol->type == STT_OBJECT ||
                     (symbol->type == STT_NOTYPE && symbol->bind != STB_LOCAL);
        uint32_t start = symbol->type == STT_FUNC ? symbol->value & ~UINT32_C(1) : symbol->value;
        if (!named || symbol->section == SHN_UNDEF || symbol->section == RP_SECTION_ABS ||
            start > addr || (symbol->size != 0 && addr - start >= symbol->size))
            continue;
        if (best == NULL || start > (best->value & ~UINT32_C(1)))
            best = symbol;
    }
    return best;
}

const struct rp_section *rp_elf_section_at(const struct rp_elf *elf, uint32_t addr, uint32_t size) {
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        uint32_t at = addr - section->addr;
        if ((section->flags & SHF_ALLOC) != 0 && at < section->size && section->size - at >= size)
            return section;
    }
    return NULL;
}

const struct rp_section *rp_symbol_section(const struct rp_elf *elf,
                                           const struct rp_symbol *symbol) {
    return symbol->section != SHN_UNDEF && symbol->section < elf->section_count
               ? &elf->sections[symbol->section]
               : NULL;
}

/* ---- archives ---- */

/* "/OFFSET": the offset of a member's name in the archive's table of long names. */
static bool has_long_name(const char *name, unsigned long *offset) {
    if (name[0] != '/' || !isdigit((unsigned char)name[1]))
        return false;
    *offset = strtoul(name + 1, NULL, 10);
    return true;
}

/*
 * A member's whole name, as the linker prints it; libelf cuts it at the first slash. Short names
 * end in a slash, those in the table in a slash and a newline.
 */
static const char *member_name(struct rp_arena *arena, const struct rp_bytes *table, Elf *member) {
    const Elf_Arhdr *header = elf_getarhdr(member);
    if (header == NULL || header->ar_rawname == NULL)
        return "?";
    const char *name = header->ar_rawname;
    size_t len = strcspn(name, " ");
    unsigned long at;
    if (has_long_name(name, &at) && at < table->size) {
        name = (const char *)table->data + at;
        const char *end = memchr(name, '\n', table->size - at);
        len = end != NULL ? (size_t)(end - name) : table->size - at;
    }
    return rp_strndup(arena, name, len > 1 && name[len - 1] == '/' ? len - 1 : len);
}

/*
 * Refuses a damaged or truncated archive, at which libelf would stop as if it had no more members.
 * names: out, the table of long names.
 */
static bool check_archive(const struct rp_elf *elf, struct rp_bytes *names, struct rp_error *err) {
    enum { HEADER = 60, SIZE_AT = 48, SIZE_LEN = 10, END_AT = 58 };
    *names = (struct rp_bytes){0};
    size_t size = 0, at = 8;
    const char *raw = elf_rawfile(elf_of(elf), &size);
    while (raw != NULL && at < size) {
        if (size - at < HEADER || memcmp(raw + at + END_AT, "`\n", 2) != 0)
            return bad(elf, "a member header of the archive is damaged or cut off", err);
        char digits[SIZE_LEN + 1] = {0};
        memcpy(digits, raw + at + SIZE_AT, SIZE_LEN);
        unsigned long member = strtoul(digits, NULL, 10);
        at += HEADER;
        if (member > size - at)
            return bad(elf, "a member of the archive is cut off", err);
        const char *name = raw + at - HEADER;
        unsigned long offset;
        if (memcmp(name, "// ", 3) == 0)
            *names = (struct rp_bytes){(const uint8_t *)raw + at, member};
        else if (has_long_name(name, &offset) && offset >= names->size)
            return bad(elf, "the name of a member is missing in the archive", err);
        at += member + (member & 1);
    }
    return raw != NULL || bad(elf, "the archive cannot be read", err);
}

bool rp_elf_each_of(struct rp_arena *arena, const char *path, const struct rp_strings *members,
                    const struct rp_elf_visitor *visitor, struct rp_error *err) {
    struct rp_elf file;
    struct rp_bytes names;
    struct rp_strings wanted = {0};
    if (!open_file(&file, path, err)) {
        rp_elf_close(&file);
        return false;
    }
    if (members != NULL) {
        rp_strings_append(arena, &wanted, members);
        rp_strings_sort(&wanted);
    }
    bool ok = true;
    if (elf_kind(elf_of(&file)) == ELF_K_ELF) {
        ok = read_elf(&file, arena, err) && visitor->visit(&file, visitor->context, err);
    } else if (elf_kind(elf_of(&file)) != ELF_K_AR) {
        ok = fail_other_kind(&file, err);
    } else if (!check_archive(&file, &names, err)) {
        ok = false;
    } else {
        Elf_Cmd command = ELF_C_READ_MMAP;
        Elf *member = elf_begin(file.fd, command, elf_of(&file));
        while (member != NULL) {
            struct rp_elf part = {.path = path,
                                  .member = member_name(arena, &names, member),
                                  .handle = member,
                                  .fd = -1};
            bool use = elf_kind(member) == ELF_K_ELF &&
                       (members == NULL || rp_strings_have_sorted(&wanted, part.member));
            ok = !use ||
                 (read_elf(&part, arena, err) && visitor->visit(&part, visitor->context, err));
            command = elf_next(member);
            elf_end(member);
            member = ok ? elf_begin(file.fd, command, elf_of(&file)) : NULL;
        }
    }
    rp_elf_close(&file);
    return ok;
}

bool rp_elf_each(struct rp_arena *arena, const char *path,
                 bool (*visit)(const struct rp_elf *elf, void *context, struct rp_error *err),
                 void *context, struct rp_error *err) {
    const struct rp_elf_visitor visitor = {visit, context};
    return rp_elf_each_of(arena, path, NULL, &visitor, err);
}

/* ---- files that stay open ---- */

static bool load_members(struct rp_elf_files *files, struct rp_arena *arena,
                         const struct rp_elf *archive, const struct rp_strings *members,
                         struct rp_error *err) {
    struct rp_strings wanted = {0};
    Elf_Cmd command = ELF_C_READ_MMAP;
    struct rp_bytes names;
    bool ok = check_archive(archive, &names, err);
    rp_strings_append(arena, &wanted, members);
    rp_strings_sort(&wanted);
    Elf *member = ok && wanted.count != 0 ? elf_begin(archive->fd, command, elf_of(archive)) : NULL;
    while (member != NULL) {
        const char *name = member_name(arena, &names, member); /* before elf_next moves on */
        bool keep = elf_kind(member) == ELF_K_ELF && rp_strings_have_sorted(&wanted, name);
        if (keep) {
            struct rp_elf *elf = rp_alloc(arena, 1, sizeof *elf);
            *elf =
                (struct rp_elf){.path = archive->path, .member = name, .handle = member, .fd = -1};
            *RP_PUSH(arena, files) = elf;
            ok = read_elf(elf, arena, err);
        }
        command = elf_next(member);
        if (!keep)
            elf_end(member);
        member = ok ? elf_begin(archive->fd, command, elf_of(archive)) : NULL;
    }
    return ok;
}

bool rp_elf_load(struct rp_elf_files *files, struct rp_arena *arena, const char *path,
                 const struct rp_strings *members, struct rp_error *err) {
    struct rp_elf *elf = rp_alloc(arena, 1, sizeof *elf);
    if (!open_file(elf, path, err)) {
        rp_elf_close(elf);
        return false;
    }
    if (elf_kind(elf_of(elf)) == ELF_K_AR) {
        *RP_PUSH(arena, &files->archives) = elf;
        return load_members(files, arena, elf, members, err);
    }
    *RP_PUSH(arena, files) = elf;
    return (elf_kind(elf_of(elf)) == ELF_K_ELF || fail_other_kind(elf, err)) &&
           read_elf(elf, arena, err);
}

void rp_elf_close_all(struct rp_elf_files *files) {
    for (size_t i = 0; i < files->count; i++)
        rp_elf_close(files->items[i]);
    for (size_t i = 0; i < files->archives.count; i++)
        rp_elf_close(files->archives.items[i]);
    *files = (struct rp_elf_files){0};
}
