/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the linked file against the objects: see validate.h. */
#include "elfpack/check/validate.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "elfpack/check/definitions.h"
#include "elfpack/check/link_open.h"
#include "elfpack/elf/sorted.h"
#include "runtime/format/reloc_format.h"

/* ---- the parts of memory ---- */

const struct rp_checked_format rp_checked_cortex_m = {
    .parts = {[RP_PART_FLASH] = {RELOC_SEG_FLASH, .code = true},
              [RP_PART_RAM] = {RELOC_SEG_RAM, .variable = true},
              [RP_PART_WEIGHTS] = {RELOC_SEG_WEIGHTS, .fixed = true},
              [RP_PART_ACTS] = {RELOC_SEG_ACTS, .variable = true, .fixed = true}},
    .context_first = true,
};

const struct rp_checked_format rp_checked_neural_art = {
    .parts = {[RP_PART_FLASH] = {RELOC_NPU_SEG_FLASH, .code = true, .fill = 0xFF},
              [RP_PART_RAM] = {RELOC_NPU_SEG_RAM, .variable = true},
              [RP_PART_WEIGHTS] = {RELOC_NPU_SEG_PARAM_0, .fixed = true},
              [RP_PART_ACTS] = {RELOC_NPU_SEG_PARAM_1, .variable = true, .fixed = true}},
    .rebases_all = true,
};

static const struct rp_checked_part *part_at(const struct rp_checked_format *format,
                                             uint32_t addr) {
    for (size_t i = 0; i < RP_PARTS; i++)
        if (format->parts[i].base == (addr & RELOC_SEG_MASK))
            return &format->parts[i];
    return NULL;
}

static bool misplaced(const struct rp_input_section *input, const char *why, struct rp_error *err) {
    rp_fail(err, RP_E_LINK_CHECK, "section '%s' of %s, at 0x%08x in the linked file, %s",
            input->section->name, input->object->shown, input->addr, why);
    return rp_hint(err, "give the variable or function a section name that suits it, or none");
}

/*
 * Compilers mark a section executable by its name alone. Functions and mapping symbols (AAELF32,
 * "Mapping symbols") tell whether it holds code; without any symbol, it may.
 */
static bool holds_code(const struct rp_input_section *input) {
    const struct rp_elf *elf = input->object->elf;
    bool mapped = false;
    if ((input->section->flags & SHF_EXECINSTR) == 0)
        return false;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        if (symbol->section >= elf->section_count ||
            &elf->sections[symbol->section] != input->section)
            continue;
        if (symbol->type == STT_FUNC || strncmp(symbol->name, "$t", 2) == 0 ||
            strncmp(symbol->name, "$a", 2) == 0)
            return true;
        mapped = mapped || symbol->type == STT_OBJECT || strncmp(symbol->name, "$d", 2) == 0;
    }
    return !mapped;
}

/*
 * The glue's entry vector holds addresses, so compilers mark it writable, but no code writes to it.
 */
static bool check_place(const struct rp_link_spec *spec, const struct rp_input_section *input,
                        struct rp_error *err) {
    const struct rp_checked_part *part = part_at(spec->format, input->addr);
    uint32_t flags = input->section->flags;
    bool constant = (flags & SHF_WRITE) == 0 || input->object->own ||
                    (spec->constants != NULL && strcmp(input->section->name, spec->constants) == 0);
    if (part == NULL)
        return misplaced(input, "lies in no part of an image", err);
    if ((flags & SHF_TLS) != 0)
        return misplaced(input, "is thread-local", err);
    if (!part->code && holds_code(input))
        return misplaced(input, "is code, which cannot run from there", err);
    if (!constant && !part->variable)
        return misplaced(input, "is writable, but could not be written there", err);
    for (size_t i = 0; part->fixed && i < input->reloc_count; i++)
        if (input->relocs[i]->type != R_ARM_NONE)
            return misplaced(input, "holds an address, which nothing would set there", err);
    return true;
}

static bool check_places(const struct rp_link *link, const struct rp_link_spec *spec,
                         struct rp_error *err) {
    for (size_t i = 0; i < link->inputs.objects.count; i++) {
        const struct rp_input_object *object = &link->inputs.objects.items[i];
        for (size_t k = 1; k < object->elf->section_count; k++) {
            const struct rp_input_section *input = &object->sections[k];
            bool silent = link->inputs.map.lld && rp_input_is_merged(input);
            if (input->state == RP_INPUT_PLACED && input->section->size != 0 && !silent &&
                !check_place(spec, input, err))
                return false;
        }
    }
    return true;
}

/* ---- every byte belongs to exactly one placement ---- */

struct tiles {
    const struct rp_placed **items;
    size_t count;
};

/* Checks the bytes between sections. */
static bool check_fill(const struct rp_link *link, const struct rp_section *output, uint32_t from,
                       uint32_t to, struct rp_error *err) {
    const struct rp_checked_part *part = part_at(link->format, output->addr);
    uint8_t fill = part != NULL ? part->fill : 0;
    for (uint32_t at = from; output->contents != NULL && at < to; at++)
        if (output->contents[at] != fill)
            return rp_fail(
                err, RP_E_LINK_CHECK,
                "the byte 0x%02x at 0x%08x of the linked file comes from no object: it lies "
                "between the sections of '%s'",
                output->contents[at], output->addr + at, output->name);
    return true;
}

static bool check_data(const struct rp_section *output, const struct rp_placed *data,
                       struct rp_error *err) {
    uint32_t at = data->addr - output->addr;
    for (uint32_t i = 0; output->contents != NULL && i < data->size; i++)
        if (output->contents[at + i] != (uint8_t)(i < 8 ? data->value >> 8 * i : 0))
            return rp_fail(err, RP_E_LINK_CHECK,
                           "the linked file has 0x%02x at 0x%08x, where the linker script puts "
                           "0x%llx",
                           output->contents[at + i], data->addr + i,
                           (unsigned long long)data->value);
    return true;
}

static const char *name_of(const struct rp_placed *placed) {
    return placed->section != NULL ? placed->section : "data of the linker script";
}

/* Placements in an output section must not overlap; between them there has to be fill. */
static bool check_tiles(const struct rp_link *link, const struct rp_section *output,
                        const struct tiles *tiles, struct rp_error *err) {
    uint32_t end = 0;
    for (size_t i = 0; i < tiles->count; i++) {
        const struct rp_placed *placed = tiles->items[i];
        uint32_t at = placed->addr - output->addr;
        if (placed->size == 0 || strcmp(placed->output, output->name) != 0 ||
            placed->kind == RP_PLACED_FILL)
            continue;
        if (at > output->size || placed->size > output->size - at)
            return rp_fail(err, RP_E_LINK_CHECK,
                           "%u bytes of '%s' at 0x%08x are not inside '%s' (%u bytes at 0x%08x)",
                           placed->size, name_of(placed), placed->addr, output->name, output->size,
                           output->addr);
        if (at < end)
            return rp_fail(err, RP_E_LINK_CHECK, "'%s' at 0x%08x overlaps what precedes it",
                           name_of(placed), placed->addr);
        if (!check_fill(link, output, end, at, err) ||
            (placed->kind == RP_PLACED_DATA && !check_data(output, placed, err)))
            return false;
        end = at + placed->size;
    }
    return check_fill(link, output, end, output->size, err);
}

static bool check_outputs(const struct rp_link *link, struct rp_error *err) {
    const struct rp_placed_list *placed = &link->inputs.map.placed;
    struct tiles tiles = {rp_alloc(link->inputs.arena, placed->count + 1, sizeof(void *)), 0};
    for (size_t i = 0; i < placed->count; i++)
        if (!placed->items[i].discarded)
            tiles.items[tiles.count++] = &placed->items[i];
    if (tiles.count != 0)
        qsort(tiles.items, tiles.count, sizeof *tiles.items, rp_placed_compare);
    for (size_t i = 1; i < link->inputs.linked->section_count; i++) {
        const struct rp_section *output = &link->inputs.linked->sections[i];
        if ((output->flags & SHF_ALLOC) == 0 || output->size == 0)
            continue;
        if (rp_elf_section(link->inputs.linked, output->name) != output)
            return rp_fail(err, RP_E_LINK_CHECK, "the linked file has two sections '%s'",
                           output->name);
        if (!check_tiles(link, output, &tiles, err))
            return false;
    }
    return true;
}

/* ---- COMMON ---- */

static bool is_common_place(const struct rp_link *link, uint32_t addr, uint32_t size) {
    const struct rp_placed_list *list = &link->inputs.map.placed;
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_placed *placed = &list->items[i];
        uint32_t at = addr - placed->addr;
        if (at <= placed->size && size <= placed->size - at && placed->kind == RP_PLACED_INPUT &&
            strcmp(placed->section, "COMMON") == 0)
            return true;
    }
    return false;
}

struct common {
    uint32_t addr, size;
    const char *name;
};

struct commons {
    struct common *items;
    size_t count;
    size_t capacity;
};

static int compare_commons(const void *a, const void *b) {
    const struct common *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/*
 * A COMMON variable needs aligned room for the largest definition of its name, in a COMMON section.
 */
static bool check_common(struct rp_link *link, struct commons *commons, size_t first,
                         struct rp_error *err) {
    const struct rp_definition *definition = &link->inputs.definitions.items[first];
    struct rp_referent to;
    struct common common = {.name = definition->name};
    uint32_t align = 1;
    for (size_t i = first; i < link->inputs.definitions.count &&
                           strcmp(definition->name, link->inputs.definitions.items[i].name) == 0;
         i++) {
        const struct rp_symbol *symbol = link->inputs.definitions.items[i].symbol;
        if (symbol->section != RP_SECTION_COMMON)
            continue;
        common.size = symbol->size > common.size ? symbol->size : common.size;
        align = symbol->value > align ? symbol->value : align;
    }
    if (!rp_definitions_resolve(&link->inputs, definition->object,
                                (uint32_t)(definition->symbol - definition->object->elf->symbols),
                                &to, err))
        return false;
    common.addr = to.address;
    *RP_PUSH(link->inputs.arena, commons) = common;
    return (is_common_place(link, to.address, common.size) && to.address % align == 0) ||
           rp_fail(
               err, RP_E_LINK_CHECK,
               "%s: the COMMON variable '%s' needs %u bytes at a multiple of %u, but the linked "
               "file has it at 0x%08x",
               definition->object->shown, definition->name, common.size, align, to.address);
}

static bool check_all_common(struct rp_link *link, struct rp_error *err) {
    struct rp_link_inputs *inputs = &link->inputs;
    struct commons commons = {0};
    for (size_t i = 0; i < inputs->definitions.count; i++) {
        const struct rp_definition *definition = &inputs->definitions.items[i];
        bool first = i == 0 || strcmp(definition[-1].name, definition->name) != 0;
        /* the linker drops a variable that nothing needs, with its symbol */
        if (first && definition->symbol->section == RP_SECTION_COMMON &&
            rp_definitions_is_linked(inputs, definition->name) &&
            !check_common(link, &commons, i, err))
            return false;
    }
    if (commons.count != 0)
        qsort(commons.items, commons.count, sizeof *commons.items, compare_commons);
    for (size_t i = 1; i < commons.count; i++)
        if (commons.items[i].addr - commons.items[i - 1].addr < commons.items[i - 1].size)
            return rp_fail(err, RP_E_LINK_CHECK, "the COMMON variables '%s' and '%s' overlap",
                           commons.items[i - 1].name, commons.items[i].name);
    return true;
}

/* ---- sections that the linker made ---- */

/*
 * Everything in the linker's own sections has to be 0, except GOT words that something refers to.
 */
static bool check_made(const struct rp_link *link, struct rp_words *used, struct rp_error *err) {
    const struct rp_placed_list *list = &link->inputs.map.placed;
    rp_words_sort(used);
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_placed *placed = &list->items[i];
        const uint8_t *bytes;
        if (!rp_placed_is_made(placed) || placed->discarded || placed->size == 0 ||
            link->linked.bytes(&link->linked, placed->addr, placed->size, &bytes) != RP_MEMORY_HERE)
            continue;
        for (uint32_t at = 0; at < placed->size; at++) {
            if (bytes[at] != 0 && !rp_words_have(used, placed->addr + (at & ~UINT32_C(3))))
                return rp_fail(err, RP_E_LINK_CHECK,
                               "the byte 0x%02x at 0x%08x is in the linker's own section '%s', but "
                               "nothing refers to it",
                               bytes[at], placed->addr + at, placed->section);
        }
    }
    return true;
}

/* ---- the linked file as memory ---- */

static enum rp_memory_answer linked_bytes(const struct rp_memory *memory, uint32_t addr,
                                          uint32_t size, const uint8_t **bytes) {
    const struct rp_section *section = rp_elf_section_at(memory->context, addr, size);
    if (section != NULL && section->type == SHT_NOBITS)
        return RP_MEMORY_EMPTY;
    if (section == NULL || section->contents == NULL)
        return RP_MEMORY_LOST;
    *bytes = section->contents + (addr - section->addr);
    return RP_MEMORY_HERE;
}

static uint32_t same_address(const struct rp_memory *memory, uint32_t addr) {
    (void)memory;
    return addr;
}

/* Distances from the static base: GNU ld counts from 0, lld from the segment with the variables. */
static uint32_t static_base(const struct rp_link *link) {
    return link->inputs.map.lld ? link->format->parts[RP_PART_RAM].base : 0;
}

bool rp_link_check(struct rp_link *link, struct rp_arena *arena, const struct rp_link_spec *spec,
                   struct rp_error *err) {
    *link = (struct rp_link){.format = spec->format};
    if (!rp_link_inputs_open(&link->inputs, arena, &spec->inputs, err))
        return false;
    rp_merged_find(&link->merged, &link->inputs);
    link->linked = (struct rp_memory){.what = "the linked file has",
                                      .id = RP_E_LINK_CHECK,
                                      .bytes = linked_bytes,
                                      .run_address = same_address,
                                      .static_base = static_base(link),
                                      .context = spec->inputs.linked};
    struct rp_byte_check comparison = {.arena = arena,
                                       .inputs = &link->inputs,
                                       .merged = &link->merged,
                                       .memory = &link->linked,
                                       .linked = &link->linked};
    bool ok = check_places(link, spec, err) && rp_compare(&comparison, err) &&
              rp_merged_check(&link->merged, err) && check_outputs(link, err) &&
              check_all_common(link, err);
    link->undefined = comparison.undefined;
    return ok && (link->undefined != NULL || check_made(link, &comparison.got, err));
}

void rp_link_close(struct rp_link *link) {
    rp_link_inputs_close(&link->inputs);
}
