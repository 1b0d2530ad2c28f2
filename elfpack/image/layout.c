/* SPDX-License-Identifier: Apache-2.0 */
/* From the linked file to the parts of an image: see layout.h. */
#include "elfpack/image/layout.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elfpack/image/compact.h"
#include "elfpack/insn/static_base.h"

/* ---- order ---- */

static int compare_fixups(const void *a, const void *b) {
    const struct rp_fixup *x = a, *y = b;
    return x->where < y->where ? -1 : x->where > y->where;
}

static int compare_types(const void *a, const void *b) {
    const struct rp_type_count *x = a, *y = b;
    return strcmp(x->type, y->type);
}

static void sort_lists(struct rp_layout *layout) {
    rp_words_sort(&layout->words.rel);
    if (layout->words.fixups.count != 0)
        qsort(layout->words.fixups.items, layout->words.fixups.count,
              sizeof *layout->words.fixups.items, compare_fixups);
    if (layout->by_type.count != 0)
        qsort(layout->by_type.items, layout->by_type.count, sizeof *layout->by_type.items,
              compare_types);
}

static bool check_unique(const struct rp_layout *layout, struct rp_error *err) {
    for (size_t i = 1; i < layout->words.rel.count; i++)
        if (layout->words.rel.items[i] - layout->words.rel.items[i - 1] < 4)
            return rp_fail(err, RP_E_INTERNAL, "two relocations for the word at 0x%08x",
                           layout->words.rel.items[i]);
    for (size_t i = 1; i < layout->words.fixups.count; i++)
        if (layout->words.fixups.items[i].where - layout->words.fixups.items[i - 1].where < 4)
            return rp_fail(err, RP_E_INTERNAL, "two fix-ups for the word at 0x%08x",
                           layout->words.fixups.items[i].where);
    return true;
}

/* Do words that lead there need a fix-up? The loader itself rebases those into other parts. */
static bool needs_fixup(enum rp_segment segment) {
    return segment == RP_SEG_WEIGHTS || segment == RP_SEG_ACTS;
}

/* ---- relocations ---- */

static void count_type(struct rp_layout *layout, struct rp_arena *arena, uint32_t type, bool ram) {
    const char *name = rp_reloc_text(arena, type);
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

static bool add_import(struct rp_layout *layout, struct rp_arena *arena, uint32_t place,
                       const struct rp_symbol *symbol, struct rp_error *err) {
    struct rp_fixup fixup = {.where = place};
    uint32_t word = 0;
    if (!rp_parts_word(&layout->parts, place, &word))
        return rp_fail(err, RP_E_INTERNAL,
                       "the word at 0x%08x that has to hold the address of '%s' is in no section",
                       place, symbol->name);
    if (!rp_fixup_import(layout->imports, symbol, word, &fixup.target, err))
        return false;
    *RP_PUSH(arena, &layout->words.fixups) = fixup;
    return true;
}

static struct rp_culprit *add_culprit(struct rp_layout *layout, struct rp_arena *arena,
                                      const struct rp_reloc *reloc, enum rp_action action,
                                      const char *why) {
    struct rp_culprit *culprit = RP_PUSH(arena, &layout->culprits);
    *culprit = (struct rp_culprit){
        .action = action,
        .type = reloc->type,
        .place = reloc->place,
        .why = why,
        .target = layout->parts.elf->symbols[reloc->symbol].name,
    };
    return culprit;
}

/*
 * The symbol, not the value, tells which part a word points into: a pointer may lie before the
 * start or after the end of its array. A word that the loader rebases must stay inside its part.
 */
static bool add_word(struct rp_layout *layout, struct rp_arena *arena, const struct rp_reloc *reloc,
                     enum rp_action action, struct rp_error *err) {
    const struct rp_symbol *symbol = &layout->parts.elf->symbols[reloc->symbol];
    struct rp_fixup fixup = {.where = reloc->place};
    uint32_t word = 0;
    bool flash = (reloc->place & RELOC_SEG_MASK) == RELOC_SEG_FLASH;
    bool got =
        !flash && reloc->place >= (layout->parts.format->ram | layout->parts.bounds.got_start);
    if (!rp_parts_word(&layout->parts, reloc->place, &word) || got)
        return rp_fail(err, RP_E_INTERNAL, "the word at 0x%08x cannot hold the address of '%s'",
                       reloc->place, symbol->name);
    layout->words.text_patches += flash;
    if (action == RP_ACT_REL) {
        if (rp_parts_segment(&layout->parts, word) ==
            rp_parts_symbol_segment(&layout->parts, symbol)) {
            *RP_PUSH(arena, &layout->words.rel) = reloc->place;
            return true;
        }
        add_culprit(layout, arena, reloc, RP_ACT_NOT_PIC,
                    "a pointer that leads out of the part its variable lies in, where no loader "
                    "follows")
            ->is_pointer = true;
        return true;
    }
    if (!rp_fixup_target(&layout->parts, symbol, word, &fixup.target, err))
        return false;
    *RP_PUSH(arena, &layout->words.fixups) = fixup;
    return true;
}

/* Checks that a GOT offset in code leads to a word with the symbol's address, and notes which. */
static bool check_got(struct rp_layout *layout, const struct rp_reloc *reloc,
                      struct rp_error *err) {
    const struct rp_symbol *symbol = &layout->parts.elf->symbols[reloc->symbol];
    uint32_t offset = 0, word = 0;
    bool found = rp_parts_word(&layout->parts, reloc->place, &offset) && offset % 4 == 0 &&
                 offset >= layout->parts.bounds.got_start &&
                 layout->parts.bounds.got_end - layout->parts.bounds.got_start >= 4 &&
                 offset <= layout->parts.bounds.got_end - 4 &&
                 rp_parts_word(&layout->parts, layout->parts.format->ram | offset, &word);
    /* Mapping and section symbols carry no Thumb bit of their own, so the word counts. */
    uint32_t want = symbol->section == SHN_UNDEF ? 0 : symbol->value;
    if (!found || word != want)
        return rp_fail(err, RP_E_GOT_LAYOUT,
                       "the GOT offset 0x%x at 0x%08x leads to 0x%08x and not to '%s' (0x%08x)",
                       offset, reloc->place, word, symbol->name, want);
    layout->got_symbols[(offset - layout->parts.bounds.got_start) / 4] = symbol;
    return true;
}

/* Sorts a relocation into the lists of the layout; one that could not be moved is a culprit. */
static bool take_reloc(struct rp_layout *layout, struct rp_arena *arena,
                       const struct rp_linked *linked, const struct rp_reloc *reloc,
                       struct rp_error *err) {
    const char *why;
    enum rp_segment place =
        rp_parts_section_segment(&layout->parts, &layout->parts.elf->sections[reloc->section]);
    const struct rp_symbol *symbol = &layout->parts.elf->symbols[reloc->symbol];
    bool import = rp_import_index(layout->imports, symbol) >= 0 && !rp_reloc_is_branch(reloc->type);
    enum rp_segment target =
        import ? RP_SEG_IMPORT : rp_parts_symbol_segment(&layout->parts, symbol);
    if (place == RP_SEG_FLASH && target != RP_SEG_UNDEFINED &&
        reloc->place >= (RELOC_SEG_FLASH | RELOC_HDR_ENTRIES) &&
        reloc->place < (RELOC_SEG_FLASH | rp_parts_header_bytes(&layout->parts)))
        return true; /* the loader itself rebases the entry vector */
    enum rp_action action = rp_reloc_classify(linked->convention, reloc->type, place, target, &why);
    bool is_word = action == RP_ACT_REL || action == RP_ACT_FIXUP ||
                   (action == RP_ACT_PATCH && reloc->type == R_ARM_ABS32);
    bool unaligned = is_word && reloc->place % 4 != 0;
    if (unaligned) {
        action = RP_ACT_NOT_PIC; /* loaders refuse such an entry of REL */
        why = "a pointer that is not 4-aligned (in a packed struct?)";
    }
    if (place != RP_SEG_NONE)
        count_type(layout, arena, reloc->type, place == RP_SEG_RAM);
    switch (action) {
    case RP_ACT_NOTHING:
        return true;
    case RP_ACT_REL:
    case RP_ACT_FIXUP:
        return import ? add_import(layout, arena, reloc->place, symbol, err)
                      : add_word(layout, arena, reloc, action, err);
    case RP_ACT_GOT:
        return check_got(layout, reloc, err);
    case RP_ACT_BASE:
        return rp_static_base_check(&layout->parts, arena, reloc, &layout->words.based, err);
    case RP_ACT_PATCH:
        if (linked->copy_only) {
            struct rp_fixup fixup;
            if (!rp_fixup_patch(&fixup, &layout->parts, layout->imports, reloc, err))
                return false;
            *RP_PUSH(arena, &layout->words.fixups) = fixup;
            layout->words.text_patches++;
            return true;
        }
        break;
    case RP_ACT_UNDEFINED:
    case RP_ACT_TLS:
    case RP_ACT_NOT_PIC:
    case RP_ACT_UNKNOWN:
        break;
    }
    bool patchable = action == RP_ACT_PATCH;
    struct rp_culprit *culprit =
        add_culprit(layout, arena, reloc, patchable ? RP_ACT_NOT_PIC : action, why);
    culprit->patchable = patchable && layout->parts.format->patches_code;
    culprit->is_pointer = unaligned;
    return true;
}

/* Words of the GOT that the loader cannot rebase get a fix-up. */
static bool take_got(struct rp_layout *layout, struct rp_arena *arena, struct rp_error *err) {
    for (uint32_t at = layout->parts.bounds.got_start; at < layout->parts.bounds.got_end; at += 4) {
        const struct rp_symbol *symbol =
            layout->got_symbols[(at - layout->parts.bounds.got_start) / 4];
        uint32_t word = 0;
        if (!rp_parts_word(&layout->parts, layout->parts.format->ram | at, &word))
            return rp_fail(err, RP_E_GOT_LAYOUT, "the GOT is cut off at 0x%x", at);
        bool import = symbol != NULL && rp_import_index(layout->imports, symbol) >= 0;
        if (import && !add_import(layout, arena, layout->parts.format->ram | at, symbol, err))
            return false;
        layout->words.got_used += import;
        if (word == 0 || import)
            continue;
        enum rp_segment segment =
            symbol != NULL ? rp_parts_symbol_segment(&layout->parts, symbol) : RP_SEG_NONE;
        struct rp_fixup fixup = {layout->parts.format->ram | at, word};
        if (needs_fixup(segment) &&
            !rp_fixup_target(&layout->parts, symbol, word, &fixup.target, err))
            return false;
        if (needs_fixup(segment))
            *RP_PUSH(arena, &layout->words.fixups) = fixup;
        else if (segment == RP_SEG_NONE || segment == RP_SEG_ABSOLUTE)
            return rp_fail(err, RP_E_GOT_LAYOUT,
                           "GOT word 0x%x holds 0x%08x (%s), which is not an address in the image",
                           at, word, symbol != NULL ? symbol->name : "no symbol");
        else if (rp_parts_segment(&layout->parts, word) != segment) {
            rp_fail(err, RP_E_GOT_LAYOUT,
                    "GOT word 0x%x holds 0x%08x (%s), which is outside the part that the symbol "
                    "lies in; the loader would add the wrong base",
                    at, word, symbol->name);
            return rp_hint(err, "gcc addresses variables from an anchor next to them: compile the "
                                "library with -fdata-sections or -fno-section-anchors");
        }
        layout->words.got_used++;
    }
    return true;
}

/* Is it "__NAME_veneer" with an existing NAME, which the stub leads to? */
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

/* Long-branch stubs hold absolute addresses without a relocation to show it. */
static void blame_stubs(struct rp_layout *layout, struct rp_arena *arena) {
    for (size_t i = 0; i < layout->parts.elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &layout->parts.elf->symbols[i];
        if (is_stub(layout->parts.elf, symbol))
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
    const struct rp_elf *elf = layout->parts.elf;
    uint32_t got_bytes = layout->parts.bounds.got_end - layout->parts.bounds.got_start;
    layout->got_symbols = rp_alloc(arena, got_bytes / 4 + 1, sizeof(void *));
    for (size_t i = 0; i < elf->reloc_count; i++)
        if (!take_reloc(layout, arena, linked, &elf->relocs[i], err))
            return false;
    blame_stubs(layout, arena);
    if (layout->culprits.count != 0) /* GOT words of undefined symbols are 0 */
        return true;
    if (!take_got(layout, arena, err))
        return false;
    sort_lists(layout);
    return check_unique(layout, err);
}

/* ---- the tables after the read-only data ---- */

enum { CALL_BYTES = 8 }; /* the call of the boot code */

/*
 * Moves the words to rebase into the compact table, except for the model's name: a loader may read
 * that before the image's own code has run.
 */
static bool make_compact(struct rp_layout *layout, struct rp_arena *arena, struct rp_error *err) {
    const struct rp_symbol *code = rp_elf_symbol(layout->parts.elf, "rp_boot_rebase");
    uint32_t name = layout->parts.header.entries[RELOC_ENTRY_CTX] + (uint32_t)RELOC_CTX_C_NAME;
    struct rp_words rest = {0};
    if (code == NULL)
        return rp_fail(err, RP_E_INTERNAL, "the glue has no boot code to rebase %zu words",
                       layout->words.rel.count);
    layout->tables.compact_code = code->size + CALL_BYTES;
    layout->words.listed = (struct rp_words){0};
    for (size_t i = 0; i < layout->words.rel.count; i++)
        *RP_PUSH(arena, layout->words.rel.items[i] == name ? &layout->words.listed : &rest) =
            layout->words.rel.items[i];
    rp_compact_encode(&layout->words.compact, arena, rest.items, rest.count);
    return true;
}

int64_t rp_layout_compact_saves(const struct rp_layout *layout) {
    return 4 * ((int64_t)layout->words.rel.count - (int64_t)layout->words.listed.count -
                (int64_t)layout->words.compact.count) -
           layout->tables.compact_code;
}

static bool place_tables(struct rp_layout *layout, struct rp_arena *arena,
                         const struct rp_linked *linked, struct rp_error *err) {
    const struct rp_symbol *table = rp_elf_symbol(layout->parts.elf, "_rp_fixups");
    layout->parts.bounds.ro_size = rp_parts_round(&layout->parts, layout->parts.flash->size);
    layout->words.listed = layout->words.rel;
    if (linked->compact && !make_compact(layout, arena, err))
        return false;
    if (table == NULL)
        return (layout->words.fixups.count == 0 && layout->words.compact.count == 0) ||
               rp_fail(err, RP_E_INTERNAL, "the glue has no boot code to set %zu words",
                       layout->words.fixups.count);
    const struct rp_symbol *imports = rp_elf_symbol(layout->parts.elf, "_rp_imports");
    layout->tables.fixups_at = table->value & RELOC_OFFSET_MASK;
    layout->tables.at = (imports != NULL ? imports : table)->value & RELOC_OFFSET_MASK;
    if (layout->tables.fixups_at + 4 != layout->parts.flash->size)
        return rp_fail(err, RP_E_INTERNAL, "the fix-up table is not at the end of .flash");
    uint64_t bytes =
        (uint64_t)layout->words.fixups.count * RELOC_FIXUP_BYTES + 4 * layout->words.compact.count;
    if (bytes > RELOC_OFFSET_MASK - layout->parts.flash->size)
        return rp_fail(err, RP_E_TOO_LARGE,
                       "the image would need %zu fix-ups, which is more than fit",
                       layout->words.fixups.count);
    layout->parts.bounds.ro_size = layout->parts.flash->size + (uint32_t)bytes;
    return true;
}

bool rp_layout_make(struct rp_layout *layout, struct rp_arena *arena,
                    const struct rp_linked *linked, struct rp_error *err) {
    *layout = (struct rp_layout){.copy_helps = !linked->copy_only &&
                                               linked->convention != RP_CONV_STATIC_BASE,
                                 .parts = {.elf = linked->elf, .format = linked->format},
                                 .imports = linked->imports};
    if (!rp_parts_find(&layout->parts, err) || !take_relocs(layout, arena, linked, err))
        return false;
    if (layout->culprits.count != 0)
        return rp_culprits_fail(&layout->culprits, arena, &layout->parts, linked->map, err);
    if (linked->weights_by_call) {
        layout->words.nulled = layout->words.fixups;
        layout->words.fixups = (struct rp_fixups){0};
    }
    return rp_parts_read_header(&layout->parts, err) && place_tables(layout, arena, linked, err);
}
