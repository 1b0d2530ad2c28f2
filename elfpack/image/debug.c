/* SPDX-License-Identifier: Apache-2.0 */
/* The file for a debugger: see debug.h. */
#include "elfpack/image/debug.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"

/* ---- the file ---- */

/*
 * The sections that an instance has in memory. Debuggers expect these names, and both image formats
 * use them, so that one script works for both. Each section exists even if it is empty.
 */
enum placed { TEXT = 1, DATA, BSS, WEIGHTS, ACTS, PLACED_END };

/* The address of sections whose place a debugger is told later. No segment has it. */
enum { NOWHERE = 0x10000000 };

struct out {
    const struct rp_debug_spec *spec;
    struct rp_arena *arena;
    struct rp_buf file;
    struct rp_buf headers; /* of sections */
    uint32_t count;        /* sections so far */
    struct rp_buf names;   /* of sections and symbols: one string table serves both */
};

/* The fields of a section header that put_section does not compute. name: string table offset. */
struct header {
    uint32_t name, type, flags, addr, link, info, align, entsize;
};

static uint32_t add_name(struct out *out, const char *name) {
    uint32_t at = (uint32_t)out->names.len;
    rp_buf_append(&out->names, name, strlen(name) + 1);
    return at;
}

/* Appends a section. contents: NULL for SHT_NOBITS. */
static void put_section(struct out *out, const struct header *header, const void *contents,
                        uint32_t size) {
    rp_buf_align(&out->file, header->align > 4 ? header->align : 4, 0);
    const uint32_t words[] = {
        header->name, header->type, header->flags, header->addr,  (uint32_t)out->file.len,
        size,         header->link, header->info,  header->align, header->entsize};
    _Static_assert(sizeof words == sizeof(Elf32_Shdr), "section header");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        rp_buf_le32(&out->headers, words[i]);
    if (contents != NULL)
        rp_buf_append(&out->file, contents, size);
    out->count++;
}

static enum rp_segment segment_of(const struct rp_layout *layout, enum rp_debug_part part) {
    const struct rp_image_format *format = layout->parts.format;
    return part == RP_DEBUG_WEIGHTS ? format->weights : format->acts;
}

/* The placed section that a section of the linked file belongs to; 0: none. */
static uint32_t placed_of(const struct rp_layout *layout, const struct rp_section *section) {
    static const uint8_t placed[] = {
        [RP_SEG_FLASH] = TEXT,      [RP_SEG_RAM] = DATA,  [RP_SEG_WEIGHTS] = WEIGHTS,
        [RP_SEG_PARAM_0] = WEIGHTS, [RP_SEG_ACTS] = ACTS, [RP_SEG_PARAM_1] = ACTS,
        [RP_SEG_WEAK_NULL] = 0};
    if (section != NULL && section == layout->parts.bss)
        return BSS;
    return placed[rp_parts_section_segment(&layout->parts, section)];
}

/* Bytes from the start of a part's segment to the end of the last section in it. */
static uint32_t part_size(const struct rp_layout *layout, enum rp_debug_part part) {
    const struct rp_elf *elf = layout->parts.elf;
    uint32_t base = rp_parts_segment_base(&layout->parts, segment_of(layout, part)), size = 0;
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        uint32_t end = section->addr - base + section->size;
        if (placed_of(layout, section) == (part == RP_DEBUG_WEIGHTS ? WEIGHTS : ACTS) && end > size)
            size = end;
    }
    return size;
}

static void put_placed(struct out *out, const uint8_t *image) {
    const struct rp_layout *layout = out->spec->layout;
    const struct rp_parts *parts = &layout->parts;
    const struct rp_bounds *bounds = &parts->bounds;
    uint32_t ram = parts->format->ram;
    const struct header placed[PLACED_END] = {
        [TEXT] = {add_name(out, ".text"), SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, RELOC_SEG_FLASH,
                  .align = 4},
        [DATA] = {add_name(out, ".data"), SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, ram, .align = 4},
        [BSS] = {add_name(out, ".bss"), SHT_NOBITS, SHF_ALLOC | SHF_WRITE, ram + bounds->bss_start,
                 .align = 1},
        [WEIGHTS] = {add_name(out, ".weights"), SHT_NOBITS, SHF_ALLOC,
                     rp_parts_segment_base(parts, segment_of(layout, RP_DEBUG_WEIGHTS)),
                     .align = 4},
        [ACTS] = {add_name(out, ".acts"), SHT_NOBITS, SHF_ALLOC | SHF_WRITE,
                  rp_parts_segment_base(parts, segment_of(layout, RP_DEBUG_ACTS)), .align = 4},
    };
    put_section(out, &placed[TEXT], image, bounds->ro_size);
    put_section(out, &placed[DATA], image + bounds->ro_size, bounds->got_end);
    put_section(out, &placed[BSS], NULL, bounds->bss_end - bounds->bss_start);
    put_section(out, &placed[WEIGHTS], NULL, part_size(layout, RP_DEBUG_WEIGHTS));
    put_section(out, &placed[ACTS], NULL, part_size(layout, RP_DEBUG_ACTS));
}

/*
 * A build id as linkers write it, with the id in the image's trailer. It is not placed at address
 * 0, where debuggers would look for functions that the linker has dropped.
 */
static void put_build_id(struct out *out) {
    const struct header header = {.name = add_name(out, ".note.gnu.build-id"),
                                  .type = SHT_NOTE,
                                  .flags = SHF_ALLOC,
                                  .addr = NOWHERE,
                                  .align = 4};
    struct rp_buf note = {.arena = out->arena};
    rp_buf_le32(&note, sizeof ELF_NOTE_GNU);
    rp_buf_le32(&note, RELOC_BUILD_ID_BYTES);
    rp_buf_le32(&note, NT_GNU_BUILD_ID);
    rp_buf_append(&note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU);
    rp_buf_append(&note, out->spec->build_id, RELOC_BUILD_ID_BYTES);
    put_section(out, &header, note.data, (uint32_t)note.len);
}

/*
 * Functions that the linker has dropped keep their .debug_frame entries, at address 0. For an image
 * loaded below its link address, 0 becomes the highest address of all; GDB takes the first entry
 * for the lowest and then finds no other. Moved to the end of the segment, with length 0, such
 * entries do no harm.
 */
static void hide_dead_frames(char *frames, uint32_t size) {
    enum { CIE = -1, ID = 4, START = 8, LENGTH = 12, BYTES = 16 };
    uint32_t length = 0;
    for (uint32_t at = 0; size - at >= BYTES; at += 4 + length) {
        char *entry = frames + at;
        length = rp_get_le32(entry);
        if (length > size - at - 4)
            return;
        if (length < BYTES - 4 || rp_get_le32(entry + ID) == (uint32_t)CIE ||
            rp_get_le32(entry + START) != 0)
            continue;
        rp_put_le32(entry + START, RELOC_SEG_FLASH | RELOC_OFFSET_MASK);
        rp_put_le32(entry + LENGTH, 0);
    }
}

/* Copies debug information, and the attributes, which tell about floating-point registers. */
static void put_debug(struct out *out) {
    const struct rp_elf *elf = out->spec->layout->parts.elf;
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        if (section->contents == NULL ||
            (section->type != SHT_ARM_ATTRIBUTES && !rp_has_prefix(section->name, ".debug_")))
            continue;
        const struct header header = {.name = add_name(out, section->name),
                                      .type = section->type,
                                      .flags = section->flags,
                                      .align = section->align,
                                      .entsize = section->entsize};
        put_section(out, &header, section->contents, section->size);
        if (strcmp(section->name, ".debug_frame") == 0)
            hide_dead_frames(out->file.data + out->file.len - section->size, section->size);
    }
}

/*
 * Of several overlapping sections, GDB searches the first for code. An instance in COPY mode lies
 * in a variable of the firmware, whose section begins earlier, so GDB would not find its code.
 * Therefore the debugger script places one of these sections before the code, beginning before the
 * firmware's variables. There are several sizes, because the beginning must not lie in yet another
 * section.
 */
static void put_covers(struct out *out) {
    static const struct {
        const char *name;
        uint32_t size;
    } covers[] = {{".cover64k", 1 << 16}, {".cover1m", 1 << 20}, {".cover16m", 1 << 24}};
    for (size_t i = 0; i < sizeof covers / sizeof covers[0]; i++) {
        const struct header header = {.name = add_name(out, covers[i].name),
                                      .type = SHT_NOBITS,
                                      .flags = SHF_ALLOC,
                                      .addr = NOWHERE,
                                      .align = 1};
        put_section(out, &header, NULL, covers[i].size);
    }
}

static void put_symbol(struct out *out, struct rp_buf *table, const struct rp_symbol *symbol,
                       uint32_t section) {
    rp_buf_le32(table, add_name(out, symbol->name));
    rp_buf_le32(table, symbol->value);
    rp_buf_le32(table, symbol->size);
    rp_buf_le32(table, ELF32_ST_INFO(STB_LOCAL, (uint32_t)symbol->type) | section << 16);
}

/*
 * Symbols of files and of the placed sections, with the mapping symbols, by which a debugger tells
 * code from data. All are made local: of several global variables of one name, a debugger takes the
 * first, which may belong to another instance or to the firmware.
 */
static void put_symbols(struct out *out) {
    const struct rp_elf *elf = out->spec->layout->parts.elf;
    struct rp_buf table = {.arena = out->arena};
    put_symbol(out, &table, &(struct rp_symbol){.name = ""}, SHN_UNDEF);
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        uint32_t section = symbol->section == RP_SECTION_ABS
                               ? SHN_ABS
                               : placed_of(out->spec->layout, rp_symbol_section(elf, symbol));
        if (section != 0 && symbol->type != STT_SECTION)
            put_symbol(out, &table, symbol, section);
    }
    const struct header symtab = {.name = add_name(out, ".symtab"),
                                  .type = SHT_SYMTAB,
                                  .link = out->count + 1,
                                  .info = (uint32_t)(table.len / sizeof(Elf32_Sym)),
                                  .align = 4,
                                  .entsize = sizeof(Elf32_Sym)};
    const struct header strtab = {.name = add_name(out, ".strtab"), SHT_STRTAB, .align = 1};
    put_section(out, &symtab, table.data, (uint32_t)table.len);
    put_section(out, &strtab, out->names.data, (uint32_t)out->names.len);
}

/* The string table is the last section; the section headers end the file. */
static void put_headers(struct out *out) {
    static const unsigned char ident[EI_NIDENT] = {ELFMAG0,    ELFMAG1,     ELFMAG2,   ELFMAG3,
                                                   ELFCLASS32, ELFDATA2LSB, EV_CURRENT};
    rp_buf_align(&out->file, 4, 0);
    const uint32_t words[] = {ET_EXEC | EM_ARM << 16,
                              EV_CURRENT,
                              0, /* entry */
                              0, /* program headers: a debugger loads nothing from this file */
                              (uint32_t)out->file.len,
                              out->spec->layout->parts.elf->flags,
                              sizeof(Elf32_Ehdr),
                              sizeof(Elf32_Shdr) << 16,
                              out->count | (out->count - 1) << 16};
    _Static_assert(sizeof ident + sizeof words == sizeof(Elf32_Ehdr), "ELF header");
    rp_buf_append(&out->file, out->headers.data, out->headers.len);
    memcpy(out->file.data, ident, sizeof ident);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        rp_put_le32(out->file.data + sizeof ident + 4 * i, words[i]);
}

static bool write_file(const struct rp_debug_spec *spec, struct rp_arena *arena,
                       const uint8_t *image, struct rp_error *err) {
    static const Elf32_Ehdr blank; /* put_headers fills it */
    struct out out = {.spec = spec,
                      .arena = arena,
                      .file.arena = arena,
                      .headers.arena = arena,
                      .names.arena = arena};
    rp_buf_append(&out.file, &blank, sizeof blank);
    put_section(&out, &(struct header){add_name(&out, "")}, NULL, 0);
    put_placed(&out, image);
    put_build_id(&out);
    put_covers(&out);
    put_debug(&out);
    put_symbols(&out);
    put_headers(&out);
    return rp_file_write(spec->path, out.file.data, out.file.len, err);
}

/* ---- how to recognise the image and its parts in memory ---- */

/* Finds a fix-up of a word in the segment `where` that leads to the part at base. */
static void find_fixup(struct rp_debug_anchor *anchor, const struct rp_fixups *fixups,
                       uint32_t where, uint32_t base) {
    for (size_t i = 0; i < fixups->count && !anchor->found; i++) {
        const struct rp_fixup *fixup = &fixups->items[i];
        uint32_t offset = fixup->target & RELOC_OFFSET_MASK, half = (RELOC_OFFSET_MASK + 1) / 2;
        if ((fixup->where & RELOC_SEG_MASK) == where && (fixup->target & RELOC_SEG_MASK) == base)
            *anchor = (struct rp_debug_anchor){true, (int32_t)(fixup->where & RELOC_OFFSET_MASK),
                                               (int32_t)(offset ^ half) - (int32_t)half};
    }
}

/*
 * Prefers a word of the GOT, because the model may change a pointer in its data. A copy whose code
 * is patched may hold the addresses in its code only.
 */
static struct rp_debug_anchor find_anchor(const struct rp_layout *layout, enum rp_debug_part part) {
    const struct rp_parts *parts = &layout->parts;
    uint32_t base = rp_parts_segment_base(parts, segment_of(layout, part));
    uint32_t ram = parts->format->ram, word = 0;
    struct rp_debug_anchor anchor = {0};
    for (uint32_t at = parts->bounds.got_start; at < parts->bounds.got_end; at += 4)
        if (rp_parts_word(parts, ram + at, &word) && (word & RELOC_SEG_MASK) == base)
            return (struct rp_debug_anchor){true, (int32_t)at, (int32_t)(word & RELOC_OFFSET_MASK)};
    find_fixup(&anchor, &layout->words.fixups, ram, base);
    find_fixup(&anchor, &layout->words.nulled, ram, base);
    for (size_t i = 0; i < layout->words.rel.count && !anchor.found; i++) {
        uint32_t at = layout->words.rel.items[i];
        if ((at & RELOC_SEG_MASK) == ram && rp_parts_word(parts, at, &word) &&
            (word & RELOC_SEG_MASK) == base)
            anchor = (struct rp_debug_anchor){true, (int32_t)(at & RELOC_OFFSET_MASK),
                                              (int32_t)(word & RELOC_OFFSET_MASK)};
    }
    if (!anchor.found) {
        find_fixup(&anchor, &layout->words.fixups, RELOC_FIXUP_CODE_WORD, base);
        anchor.word -= (int32_t)parts->bounds.ro_size;
    }
    return anchor;
}

static void find_patched(const struct rp_layout *layout, struct rp_debug_facts *facts) {
    const struct rp_layout_words *words = &layout->words;
    uint32_t ram = layout->parts.format->ram, start = UINT32_MAX, end = 0;
    for (size_t i = 0; i < words->rel.count + words->fixups.count; i++) {
        uint32_t where = i < words->rel.count ? words->rel.items[i]
                                              : words->fixups.items[i - words->rel.count].where;
        uint32_t at = where & RELOC_OFFSET_MASK;
        if ((where & RELOC_SEG_MASK) == ram)
            continue;
        start = at < start ? at : start;
        end = at + 4 > end ? at + 4 : end;
    }
    facts->patched = end != 0 ? start / 4 : facts->words;
    facts->patched_end = end != 0 ? (end + 3) / 4 : facts->words;
}

/* templates/debug.gdb does the same with an image in memory. */
static void find_facts(const struct rp_layout *layout, const uint8_t *image,
                       struct rp_debug_facts *facts) {
    enum { SAMPLES = 512 };
    uint32_t hash = UINT32_C(2166136261), prime = UINT32_C(16777619), at = 0;
    facts->words = layout->parts.bounds.ro_size / 4;
    facts->step = facts->words / SAMPLES + 1;
    find_patched(layout, facts);
    for (; at < rp_parts_header_bytes(&layout->parts) / 4; at++)
        hash = (hash ^ rp_get_le32(image + 4 * at)) * prime;
    facts->key = hash;
    for (; at < facts->words; at += facts->step)
        if (at < facts->patched || at >= facts->patched_end)
            hash = (hash ^ rp_get_le32(image + 4 * at)) * prime;
    facts->code_hash = hash;
    for (unsigned part = 0; part < RP_DEBUG_PARTS; part++)
        facts->anchors[part] = find_anchor(layout, part);
}

bool rp_debug_write(const struct rp_debug_spec *spec, struct rp_debug_facts *facts,
                    struct rp_error *err) {
    const struct rp_bounds *bounds = &spec->layout->parts.bounds;
    uint32_t size = bounds->ro_size + bounds->got_end;
    struct rp_arena arena = {0};
    struct rp_bytes image;
    bool ok = rp_file_head(&arena, spec->image_path, size, &image, err) &&
              (image.size == size ||
               rp_fail(err, RP_E_INPUT, "'%s' has become shorter", spec->image_path)) &&
              write_file(spec, &arena, image.data, err);
    if (ok)
        find_facts(spec->layout, image.data, facts);
    rp_arena_release(&arena);
    return ok;
}
