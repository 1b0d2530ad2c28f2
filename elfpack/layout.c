/* SPDX-License-Identifier: Apache-2.0 */
/* From a linked ELF file to the parts of an image: see layout.h. */
#include "elfpack/layout.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "elfpack/static_base.h"
#include "elfpack/culprit.h"
#include "elfpack/fixup.h"
#include "elfpack/layout_lists.h"
#include "elfpack/thumb.h"

uint32_t rp_layout_align(const struct rp_layout *layout) {
    return layout->format == RP_FORMAT_NEURAL_ART ? 8 : 4;
}

uint32_t rp_layout_context_word(const struct rp_layout *layout, uint32_t offset) {
    uint32_t at = layout->entries[layout->entry_count - 1] & RELOC_OFFSET_MASK;
    return rp_get_le32(layout->data->contents + at + offset);
}

uint32_t rp_layout_round(const struct rp_layout *layout, uint32_t size) {
    uint32_t align = rp_layout_align(layout);
    return (size + align - 1) & ~(align - 1);
}

uint32_t rp_layout_header_bytes(const struct rp_layout *layout) {
    return RELOC_HDR_ENTRIES + 4 * layout->entry_count;
}

uint32_t rp_layout_ram_xip(const struct rp_layout *layout) {
    return rp_layout_round(layout, layout->bss_end);
}

uint32_t rp_layout_ram_copy(const struct rp_layout *layout) {
    return rp_layout_ram_xip(layout) + rp_layout_round(layout, layout->ro_size);
}

/* ---- sections ---- */

struct place_rule {
    const char *name; /* NULL ends the table */
    uint32_t base;
    enum rp_segment segment;
    size_t member; /* offset of the pointer in struct rp_layout */
    bool needed;
};

#define PLACE(name, base, segment, member, needed)                                                 \
    { name, base, segment, offsetof(struct rp_layout, member), needed }

static const struct place_rule cortex_m[] = {
    PLACE(".flash", RELOC_SEG_FLASH, RP_SEG_FLASH, flash, true),
    PLACE(".data", RELOC_SEG_RAM, RP_SEG_RAM, data, true),
    PLACE(".bss", RELOC_SEG_RAM, RP_SEG_RAM, bss, false),
    PLACE(".weights", RELOC_SEG_WEIGHTS, RP_SEG_WEIGHTS, weights, false),
    PLACE(".acts", RELOC_SEG_ACTS, RP_SEG_ACTS, acts, false),
    {NULL},
};

static const struct place_rule neural_art[] = {
    PLACE(".flash", RELOC_SEG_FLASH, RP_SEG_FLASH, flash, true),
    PLACE(".data", RELOC_NPU_SEG_RAM, RP_SEG_RAM, data, true),
    PLACE(".bss", RELOC_NPU_SEG_RAM, RP_SEG_RAM, bss, false),
    PLACE(".ec_blobs", RELOC_NPU_SEG_PARAM_0, RP_SEG_PARAM_0, ec_blobs, false),
    PLACE(".params_0", RELOC_NPU_SEG_PARAM_0, RP_SEG_PARAM_0, params[0], false),
    PLACE(".params_1", RELOC_NPU_SEG_PARAM_1, RP_SEG_PARAM_1, params[1], false),
    {NULL},
};

static const struct place_rule *rules_of(const struct rp_layout *layout) {
    return layout->format == RP_FORMAT_NEURAL_ART ? neural_art : cortex_m;
}

static uint32_t ram_base(const struct rp_layout *layout) {
    return layout->format == RP_FORMAT_NEURAL_ART ? RELOC_NPU_SEG_RAM : RELOC_SEG_RAM;
}

static const struct rp_section **slot_of(struct rp_layout *layout, const struct place_rule *rule) {
    return (const struct rp_section **)(void *)((char *)layout + rule->member);
}

static const struct rp_section *section_of(const struct rp_layout *layout,
                                           const struct place_rule *rule) {
    const struct rp_section *const *slot =
        (const struct rp_section *const *)(const void *)((const char *)layout + rule->member);
    return *slot;
}

static bool place_section(struct rp_layout *layout, const struct rp_section *section,
                          struct rp_error *err) {
    if ((section->flags & SHF_ALLOC) == 0 || section->size == 0)
        return true;
    for (const struct place_rule *rule = rules_of(layout); rule->name != NULL; rule++) {
        if (strcmp(section->name, rule->name) != 0)
            continue;
        if ((section->addr & RELOC_SEG_MASK) != rule->base ||
            section->size > RELOC_OFFSET_MASK - (section->addr - rule->base))
            return rp_fail(err, RP_E_TOO_LARGE,
                           "section '%s' has %u bytes at 0x%08x: a segment holds 256 MiB at most",
                           section->name, section->size, section->addr);
        *slot_of(layout, rule) = section;
        return true;
    }
    if (strcmp(section->name, ".init_array") == 0)
        return rp_fail(err, RP_E_INIT_ARRAY,
                       "%u bytes of constructors or destructors, which nothing in an image runs",
                       section->size);
    if (strcmp(section->name, ".tdata") == 0)
        return rp_fail(err, RP_E_TLS, "%u bytes of thread-local variables", section->size);
    for (size_t i = 0; i < layout->elf->symbol_count; i++)
        if (layout->elf->symbols[i].type == STT_GNU_IFUNC)
            return rp_fail(err, RP_E_ORPHAN,
                           "'%s' is an indirect function (ifunc): which one it stands for would "
                           "have to be found out at the start, and nothing in an image does",
                           layout->elf->symbols[i].name);
    return rp_fail(err, RP_E_ORPHAN,
                   "output section '%s' (%u bytes) has no place in an image: the linker made it "
                   "on its own",
                   section->name, section->size);
}

static bool symbol_offset(const struct rp_elf *elf, const char *name, uint32_t segment,
                          uint32_t *offset, struct rp_error *err) {
    const struct rp_symbol *symbol = rp_elf_symbol(elf, name);
    if (symbol == NULL || (symbol->value & RELOC_SEG_MASK) != segment)
        return rp_fail(err, RP_E_INTERNAL, "the linker script did not define '%s'", name);
    *offset = symbol->value & RELOC_OFFSET_MASK;
    return true;
}

static bool find_bounds(struct rp_layout *layout, struct rp_error *err) {
    const struct rp_elf *elf = layout->elf;
    const struct rp_section *bss = layout->bss;
    uint32_t ram = ram_base(layout);
    if (!symbol_offset(elf, "_rp_data_end", ram, &layout->data_end, err) ||
        !symbol_offset(elf, "_rp_got_start", ram, &layout->got_start, err) ||
        !symbol_offset(elf, "_rp_got_end", ram, &layout->got_end, err))
        return false;
    if (layout->data->addr != ram || layout->flash->addr != RELOC_SEG_FLASH ||
        layout->data_end != layout->got_start || layout->got_start > layout->got_end ||
        layout->got_end != layout->data->size || layout->got_start % 4 != 0)
        return rp_fail(err, RP_E_GOT_LAYOUT,
                       "the GOT [0x%x, 0x%x) is not the end of .data (0x%x bytes at 0x%08x)",
                       layout->got_start, layout->got_end, layout->data->size, layout->data->addr);
    /* Loaders copy bss_start bytes of data: the gap that an alignment leaves counts as bss. */
    layout->bss_start = layout->got_end;
    layout->bss_end = bss != NULL ? (bss->addr & RELOC_OFFSET_MASK) + bss->size : layout->got_end;
    if (bss != NULL && (bss->addr & RELOC_OFFSET_MASK) < layout->got_end)
        return rp_fail(err, RP_E_INTERNAL, "sections .data and .bss overlap");
    layout->weights_size = layout->weights != NULL ? layout->weights->size : 0;
    layout->acts_size = layout->acts != NULL ? layout->acts->size : 0;
    return true;
}

static bool find_sections(struct rp_layout *layout, struct rp_error *err) {
    for (size_t i = 1; i < layout->elf->section_count; i++)
        if (!place_section(layout, &layout->elf->sections[i], err))
            return false;
    for (const struct place_rule *rule = rules_of(layout); rule->name != NULL; rule++) {
        const struct rp_section *section = section_of(layout, rule);
        bool empty = section == NULL;
        bool lost =
            !empty && section->contents == NULL && (rule->needed || section->type != SHT_NOBITS);
        if ((rule->needed && empty) || lost)
            return rp_fail(err, RP_E_ELF, "%s: section '%s' is missing or damaged",
                           layout->elf->path, rule->name);
    }
    return find_bounds(layout, err);
}

/* ---- words ---- */

bool rp_layout_word(const struct rp_layout *layout, uint32_t addr, uint32_t *word) {
    const struct rp_section *section =
        (addr & RELOC_SEG_MASK) == RELOC_SEG_FLASH ? layout->flash : layout->data;
    uint32_t offset = addr - section->addr;
    if (offset > section->size || section->size - offset < 4)
        return false;
    *word = rp_get_le32(section->contents + offset);
    return true;
}

/* How many bytes a part has in its segment, counted from the segment's start. */
static uint32_t part_end(const struct rp_layout *layout, const struct place_rule *rule) {
    const struct rp_section *section = section_of(layout, rule);
    if (rule->segment == RP_SEG_FLASH)
        return layout->ro_size;
    if (rule->segment == RP_SEG_RAM)
        return layout->bss_end;
    return section != NULL ? section->addr - rule->base + section->size : 0;
}

static enum rp_segment segment_of_section(const struct rp_layout *layout,
                                          const struct rp_section *section) {
    for (const struct place_rule *rule = rules_of(layout); rule->name != NULL; rule++)
        if (section != NULL && section == section_of(layout, rule))
            return rule->segment;
    return RP_SEG_NONE;
}

/* An empty output section has no place of its own, but the linker still anchors symbols to it. */
enum rp_segment rp_layout_segment(const struct rp_layout *layout, uint32_t addr) {
    for (const struct place_rule *rule = rules_of(layout); rule->name != NULL; rule++)
        if ((addr & RELOC_SEG_MASK) == rule->base &&
            (addr & RELOC_OFFSET_MASK) <= part_end(layout, rule))
            return rule->segment;
    return RP_SEG_NONE;
}

/* Does init_v2 have to set a word that leads there? The loader knows the other parts. */
static bool is_handed_in(enum rp_segment segment) {
    return segment == RP_SEG_WEIGHTS || segment == RP_SEG_ACTS;
}

/* Where the linked file leads to, stubs of imports included. */
enum rp_segment rp_layout_symbol_segment(const struct rp_layout *layout,
                                         const struct rp_symbol *symbol) {
    if (symbol->section == SHN_UNDEF) {
        if (symbol->name[0] == '\0') /* symbol 0: a number */
            return RP_SEG_ABSOLUTE;
        return symbol->bind == STB_WEAK ? RP_SEG_WEAK_NULL : RP_SEG_UNDEFINED;
    }
    if (symbol->section == SHN_ABS)
        return RP_SEG_ABSOLUTE;
    enum rp_segment segment = segment_of_section(layout, rp_symbol_section(layout->elf, symbol));
    return segment != RP_SEG_NONE ? segment : rp_layout_segment(layout, symbol->value);
}

/* ---- relocations ---- */

static void count_type(struct rp_layout *layout, struct rp_arena *arena, uint32_t type, bool ram) {
    const char *name = rp_reloc_name(type);
    if (name == NULL)
        name = rp_format(arena, "type %u", type);
    struct rp_type_count *found = NULL;
    for (size_t i = 0; i < layout->by_type.count && found == NULL; i++)
        if (strcmp(layout->by_type.items[i].type, name) == 0)
            found = &layout->by_type.items[i];
    if (found == NULL) {
        found = RP_PUSH(arena, &layout->by_type);
        *found = (struct rp_type_count){.type = name};
    }
    found->ram += ram;
    found->flash += !ram;
}

/* The vector at the head of FLASH holds addresses on purpose; the loader knows about them. */
static bool in_vector(const struct rp_layout *layout, uint32_t place) {
    return place >= (RELOC_SEG_FLASH | RELOC_HDR_ENTRIES) &&
           place < (RELOC_SEG_FLASH | rp_layout_header_bytes(layout));
}

static bool add_import(struct rp_layout *layout, struct rp_arena *arena, uint32_t place,
                       const struct rp_symbol *symbol, struct rp_error *err) {
    struct rp_fixup fixup = {.where = place};
    uint32_t word = 0;
    if (!rp_layout_word(layout, place, &word))
        return rp_fail(err, RP_E_INTERNAL, "the word at 0x%08x that is to hold '%s' is lost", place,
                       symbol->name);
    if (!rp_layout_import_target(layout, symbol, word, &fixup.target, err))
        return false;
    *RP_PUSH(arena, &layout->fixups) = fixup;
    return true;
}

static void blame(struct rp_layout *layout, struct rp_arena *arena, const struct rp_reloc *reloc,
                  enum rp_action action, const char *why) {
    *RP_PUSH(arena, &layout->culprits) = (struct rp_culprit){
        .action = action,
        .type = reloc->type,
        .place = reloc->place,
        .why = why,
        .target = layout->elf->symbols[reloc->symbol].name,
    };
}

static uint32_t base_of_segment(const struct rp_layout *layout, enum rp_segment segment) {
    for (const struct place_rule *rule = rules_of(layout); rule->name != NULL; rule++)
        if (rule->segment == segment)
            return rule->base;
    return 0;
}

bool rp_layout_target(const struct rp_layout *layout, const struct rp_symbol *symbol,
                      uint32_t address, uint32_t *target, struct rp_error *err) {
    uint32_t base = base_of_segment(layout, rp_layout_symbol_segment(layout, symbol));
    uint32_t offset = address - base, half = (RELOC_OFFSET_MASK + 1) / 2;
    *target = base | (offset & RELOC_OFFSET_MASK);
    return offset + half < 2 * half ||
           rp_fail(
               err, RP_E_TOO_LARGE,
               "a pointer to '%s' leads %d bytes from the start of the part that it lies in: at "
               "most 128 MiB",
               symbol->name, (int)offset);
}

/*
 * The symbol says which part the word leads to, not the value: a pointer may lead to before or
 * behind its array. What the loader rebases cannot leave its part.
 */
static bool add_word(struct rp_layout *layout, struct rp_arena *arena, const struct rp_reloc *reloc,
                     enum rp_action action, struct rp_error *err) {
    const struct rp_symbol *symbol = &layout->elf->symbols[reloc->symbol];
    struct rp_fixup fixup = {.where = reloc->place};
    uint32_t word = 0;
    bool flash = (reloc->place & RELOC_SEG_MASK) == RELOC_SEG_FLASH;
    bool got = !flash && reloc->place >= (ram_base(layout) | layout->got_start);
    if (!rp_layout_word(layout, reloc->place, &word) || got)
        return rp_fail(err, RP_E_INTERNAL, "the word at 0x%08x is no place for the address of '%s'",
                       reloc->place, symbol->name);
    layout->text_patches += flash;
    if (action == RP_ACT_REL) {
        if (rp_layout_segment(layout, word) == rp_layout_symbol_segment(layout, symbol)) {
            *RP_PUSH(arena, &layout->rel) = reloc->place;
            return true;
        }
        blame(layout, arena, reloc, RP_ACT_NOT_PIC,
              "a pointer that leads out of the part its variable lies in, where no loader follows");
        layout->culprits.items[layout->culprits.count - 1].is_pointer = true;
        return true;
    }
    if (!rp_layout_target(layout, symbol, word, &fixup.target, err))
        return false;
    *RP_PUSH(arena, &layout->fixups) = fixup;
    return true;
}

static bool check_got(struct rp_layout *layout, const struct rp_reloc *reloc,
                      const struct rp_symbol **seen, struct rp_error *err) {
    const struct rp_symbol *symbol = &layout->elf->symbols[reloc->symbol];
    uint32_t offset = 0, word = 0;
    bool found = rp_layout_word(layout, reloc->place, &offset) && offset % 4 == 0 &&
                 offset >= layout->got_start && layout->got_end - layout->got_start >= 4 &&
                 offset <= layout->got_end - 4 &&
                 rp_layout_word(layout, ram_base(layout) | offset, &word);
    /* Mapping and section symbols carry no Thumb bit of their own: the word is what counts. */
    uint32_t want = symbol->section == SHN_UNDEF ? 0 : symbol->value;
    if (!found || word != want)
        return rp_fail(err, RP_E_GOT_LAYOUT,
                       "the GOT offset 0x%x at 0x%08x leads to 0x%08x and not to '%s' (0x%08x)",
                       offset, reloc->place, word, symbol->name, want);
    seen[(offset - layout->got_start) / 4] = symbol;
    return true;
}

/* What take_reloc needs beside the layout. */
struct taking {
    struct rp_arena *arena;
    enum rp_convention convention;
    bool copy_only;
    const struct rp_symbol **seen; /* one per GOT word: the symbol that it was found to stand for */
};

static bool take_reloc(struct rp_layout *layout, const struct taking *with,
                       const struct rp_reloc *reloc, struct rp_error *err) {
    const char *why;
    enum rp_segment place = segment_of_section(layout, &layout->elf->sections[reloc->section]);
    const struct rp_symbol *symbol = &layout->elf->symbols[reloc->symbol];
    bool import = rp_layout_import(layout, symbol) >= 0 && !rp_reloc_is_branch(reloc->type);
    enum rp_segment target = import ? RP_SEG_IMPORT : rp_layout_symbol_segment(layout, symbol);
    if (place == RP_SEG_FLASH && in_vector(layout, reloc->place) && target != RP_SEG_UNDEFINED)
        return true;
    enum rp_action action = rp_reloc_classify(with->convention, reloc->type, place, target, &why);
    bool is_word = action == RP_ACT_REL || action == RP_ACT_FIXUP ||
                   (action == RP_ACT_PATCH && reloc->type == R_ARM_ABS32);
    bool unaligned = is_word && reloc->place % 4 != 0;
    if (unaligned) {
        action = RP_ACT_NOT_PIC; /* a loader refuses such an entry of REL */
        why = "a pointer that is not 4-aligned (in a packed struct?)";
    }
    if (place != RP_SEG_NONE)
        count_type(layout, with->arena, reloc->type, place == RP_SEG_RAM);
    switch (action) {
    case RP_ACT_NOTHING:
        return true;
    case RP_ACT_REL:
    case RP_ACT_FIXUP:
        return import ? add_import(layout, with->arena, reloc->place, symbol, err)
                      : add_word(layout, with->arena, reloc, action, err);
    case RP_ACT_GOT:
        return check_got(layout, reloc, with->seen, err);
    case RP_ACT_BASE:
        return rp_base_check(layout, with->arena, reloc, err);
    case RP_ACT_PATCH:
        if (with->copy_only)
            return rp_fixup_add_patch(layout, with->arena, reloc, err);
        break;
    case RP_ACT_UNDEFINED:
    case RP_ACT_TLS:
    case RP_ACT_NOT_PIC:
    case RP_ACT_UNKNOWN:
        break;
    }
    bool patchable = action == RP_ACT_PATCH;
    blame(layout, with->arena, reloc, patchable ? RP_ACT_NOT_PIC : action, why);
    struct rp_culprit *culprit = &layout->culprits.items[layout->culprits.count - 1];
    culprit->patchable = patchable && layout->format == RP_FORMAT_CORTEX_M;
    culprit->is_pointer = unaligned;
    return true;
}

static bool take_got(struct rp_layout *layout, struct rp_arena *arena,
                     const struct rp_symbol **seen, struct rp_error *err) {
    for (uint32_t at = layout->got_start; at < layout->got_end; at += 4) {
        const struct rp_symbol *symbol = seen[(at - layout->got_start) / 4];
        uint32_t word = 0;
        if (!rp_layout_word(layout, ram_base(layout) | at, &word))
            return rp_fail(err, RP_E_GOT_LAYOUT, "the GOT is cut off at 0x%x", at);
        bool import = symbol != NULL && rp_layout_import(layout, symbol) >= 0;
        if (import && !add_import(layout, arena, ram_base(layout) | at, symbol, err))
            return false;
        layout->got_used += import;
        if (word == 0 || import)
            continue;
        enum rp_segment segment =
            symbol != NULL ? rp_layout_symbol_segment(layout, symbol) : RP_SEG_NONE;
        struct rp_fixup fixup = {ram_base(layout) | at, word};
        if (is_handed_in(segment) && !rp_layout_target(layout, symbol, word, &fixup.target, err))
            return false;
        if (is_handed_in(segment))
            *RP_PUSH(arena, &layout->fixups) = fixup;
        else if (segment == RP_SEG_NONE || segment == RP_SEG_ABSOLUTE)
            return rp_fail(err, RP_E_GOT_LAYOUT,
                           "GOT word 0x%x holds 0x%08x (%s), which is no address in the image", at,
                           word, symbol != NULL ? symbol->name : "no symbol");
        layout->got_used++;
    }
    return true;
}

/* "__NAME_veneer", where NAME is what the stub leads to. */
static bool is_stub(const struct rp_elf *elf, const struct rp_symbol *symbol) {
    static const char end[] = "_veneer";
    size_t len = strlen(symbol->name), around = 2 + sizeof end - 1;
    if (symbol->type != STT_FUNC || len <= around || strncmp(symbol->name, "__", 2) != 0 ||
        strcmp(symbol->name + len - (sizeof end - 1), end) != 0)
        return false;
    for (size_t i = 0; i < elf->symbol_count; i++)
        if (strlen(elf->symbols[i].name) == len - around &&
            strncmp(elf->symbols[i].name, symbol->name + 2, len - around) == 0)
            return true;
    return false;
}

/* Long-branch stubs hold absolute addresses that have no relocation to show for it. */
static void blame_stubs(struct rp_layout *layout, struct rp_arena *arena) {
    for (size_t i = 0; i < layout->elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &layout->elf->symbols[i];
        if (is_stub(layout->elf, symbol))
            *RP_PUSH(arena, &layout->culprits) = (struct rp_culprit){
                .action = RP_ACT_NOT_PIC,
                .place = symbol->value & ~UINT32_C(1),
                .why = "a long-branch stub of the linker",
                .target = symbol->name,
            };
    }
}

static bool take_relocs(struct rp_layout *layout, struct rp_arena *arena,
                        const struct rp_linked *linked, struct rp_error *err) {
    const struct rp_elf *elf = layout->elf;
    const struct taking with = {
        arena, linked->convention, linked->copy_only,
        rp_alloc(arena, (layout->got_end - layout->got_start) / 4 + 1, sizeof(void *))};
    for (size_t i = 0; i < elf->reloc_count; i++)
        if (!take_reloc(layout, &with, &elf->relocs[i], err))
            return false;
    blame_stubs(layout, arena);
    if (layout->culprits.count != 0) /* the GOT of a file with undefined symbols says nothing */
        return true;
    if (!take_got(layout, arena, with.seen, err))
        return false;
    rp_layout_sort(layout);
    return rp_layout_unique(layout, err);
}

/* ---- entry vector ---- */

/* LL_ATON 1.1.0 has no struct sizes in it: the same but for the last members, which move up. */
enum { NPU_CTX_BYTES_MIN = RELOC_NPU_CTX_BYTES - 4 };

static uint32_t ctx_bytes(const struct rp_layout *layout) {
    return layout->format == RP_FORMAT_NEURAL_ART ? (uint32_t)NPU_CTX_BYTES_MIN
                                                  : (uint32_t)RELOC_CTX_BYTES;
}

/* A function of the read-only part, or, the last word, the context in the data. */
static bool is_entry(const struct rp_layout *layout, uint32_t index, uint32_t entry) {
    uint32_t offset = entry & RELOC_OFFSET_MASK;
    if (index + 1 == layout->entry_count)
        return (entry & RELOC_SEG_MASK) == ram_base(layout) && offset % 4 == 0 &&
               layout->data_end >= ctx_bytes(layout) &&
               offset <= layout->data_end - ctx_bytes(layout);
    return (entry & RELOC_SEG_MASK) == RELOC_SEG_FLASH && offset % 2 == 1 &&
           offset >= rp_layout_header_bytes(layout) && offset < layout->flash->size;
}

static bool read_vector(struct rp_layout *layout, struct rp_error *err) {
    if (!rp_layout_word(layout, RELOC_SEG_FLASH | RELOC_HDR_FLAGS, &layout->flags))
        return rp_fail(err, RP_E_INTERNAL, "the header is missing");
    for (uint32_t i = 0; i < layout->entry_count; i++) {
        uint32_t entry = 0;
        bool found = rp_layout_word(layout, RELOC_SEG_FLASH | (RELOC_HDR_ENTRIES + 4 * i), &entry);
        if (!found || !is_entry(layout, i, entry))
            return rp_fail(err, RP_E_INTERNAL, "word %u of the entry vector is 0x%08x", i, entry);
        layout->entries[i] = entry;
    }
    return layout->format != RP_FORMAT_NEURAL_ART ||
           symbol_offset(layout->elf, "_rp_pools", RELOC_NPU_SEG_RAM, &layout->pools_at, err);
}

/*
 * Neural-ART has two entry vectors under one version number: only the size of the pack's own table
 * tells them apart (image-format 3.1).
 */
static bool count_entries(struct rp_layout *layout, struct rp_error *err) {
    layout->entry_count = RELOC_ENTRY_COUNT;
    if (layout->format != RP_FORMAT_NEURAL_ART)
        return true;
    const struct rp_symbol *table = rp_elf_symbol(layout->elf, "_network_entries");
    uint32_t size = table != NULL ? table->size : 0;
    layout->entry_count = size / 4;
    if (table != NULL && table->value != (RELOC_SEG_FLASH | RELOC_HDR_ENTRIES))
        return rp_fail(err, RP_E_INTERNAL, "the entry table is at 0x%08x", table->value);
    return size == 4 * RELOC_NPU_ENTRY_COUNT || size == 4 * RELOC_NPU_ENTRY_COUNT_13 ||
           rp_fail(err, RP_E_ENTRY_ABI,
                   "the pack's entry table '_network_entries' has %u bytes; known are %u "
                   "(LL_ATON up to 1.1.1) and %u (1.1.3)",
                   size, 4 * RELOC_NPU_ENTRY_COUNT, 4 * RELOC_NPU_ENTRY_COUNT_13);
}

bool rp_layout_make(struct rp_layout *layout, struct rp_arena *arena,
                    const struct rp_linked *linked, struct rp_error *err) {
    *layout = (struct rp_layout){
        .elf = linked->elf, .imports = linked->imports, .format = linked->format};
    if (!find_sections(layout, err) || !count_entries(layout, err))
        return false;
    layout->ro_size = layout->flash->size;
    if (!take_relocs(layout, arena, linked, err))
        return false;
    if (layout->culprits.count != 0)
        return rp_culprits_fail(layout, arena, linked->map, err);
    if (linked->weights_by_call) {
        layout->nulled = layout->fixups;
        layout->fixups = (struct rp_fixups){0};
    }
    return read_vector(layout, err) && rp_fixups_place(layout, arena, linked, err);
}
