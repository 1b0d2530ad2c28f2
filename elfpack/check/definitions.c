/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves symbols to definitions: see definitions.h. */
#include "elfpack/check/definitions.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "elfpack/elf/sorted.h"

enum { RANK_WEAK = 1, RANK_COMMON, RANK_STRONG };

/* ---- COMDAT groups: of several with one signature, the first is linked ---- */

static void find_duplicates(struct rp_link_inputs *inputs) {
    struct rp_strings seen = {0};
    for (size_t i = 0; i < inputs->objects.count; i++) {
        struct rp_input_object *object = &inputs->objects.items[i];
        const struct rp_elf *elf = object->elf;
        for (size_t k = 1; k < elf->section_count; k++) {
            const struct rp_section *section = &elf->sections[k];
            bool once = rp_has_prefix(section->name, ".gnu.linkonce.");
            bool group = section->type == SHT_GROUP && section->contents != NULL &&
                         section->size >= 4 && (rp_get_le32(section->contents) & GRP_COMDAT) != 0;
            const char *name = once ? section->name : "";
            if (!once && !group)
                continue;
            if (!once && section->info < elf->symbol_count) { /* the group's signature */
                const struct rp_symbol *symbol = &elf->symbols[section->info];
                const struct rp_section *in = rp_symbol_section(elf, symbol);
                name = symbol->type == STT_SECTION && in != NULL ? in->name : symbol->name;
            }
            bool duplicate = rp_strings_have(&seen, name);
            if (!duplicate)
                rp_strings_push(inputs->arena, &seen, name);
            else if (once)
                object->sections[k].is_duplicate = true;
            for (uint32_t at = 4; duplicate && !once && at + 4 <= section->size; at += 4) {
                uint32_t member = rp_get_le32(section->contents + at);
                if (member < elf->section_count)
                    object->sections[member].is_duplicate = true;
            }
        }
    }
}

/* ---- definitions ---- */

/* By name, then by rank (the highest first), then in order of appearance. */
static int compare_definitions(const void *a, const void *b) {
    const struct rp_definition *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    if (order != 0)
        return order;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void add_definitions(struct rp_link_inputs *inputs, const struct rp_input_object *object) {
    for (size_t i = 1; i < object->elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &object->elf->symbols[i];
        if (symbol->bind == STB_LOCAL || symbol->section == SHN_UNDEF || symbol->name[0] == '\0' ||
            (symbol->section < object->elf->section_count &&
             object->sections[symbol->section].is_duplicate))
            continue;
        *RP_PUSH(inputs->arena, &inputs->definitions) = (struct rp_definition){
            .name = symbol->name,
            .object = object,
            .symbol = symbol,
            .rank = symbol->section == RP_SECTION_COMMON ? RANK_COMMON
                    : symbol->bind == STB_WEAK           ? RANK_WEAK
                                                         : RANK_STRONG,
            .order = inputs->definitions.count,
        };
    }
}

static int compare_name(const void *name, const void *definition) {
    return strcmp(name, ((const struct rp_definition *)definition)->name);
}

static const struct rp_definition *definition_of(const struct rp_link_inputs *inputs,
                                                 const char *name) {
    const struct rp_definition *items = inputs->definitions.items;
    size_t count = inputs->definitions.count;
    size_t at = rp_lower_bound(name, items, count, sizeof *items, compare_name);
    return at < count && strcmp(items[at].name, name) == 0 ? &items[at] : NULL;
}

/* Linkers refuse two strong definitions, unless an option allows them. */
static bool check_single(const struct rp_link_inputs *inputs, struct rp_error *err) {
    for (size_t i = 1; i < inputs->definitions.count; i++) {
        const struct rp_definition *a = &inputs->definitions.items[i - 1], *b = a + 1;
        if (a->rank == RANK_STRONG && b->rank == RANK_STRONG && strcmp(a->name, b->name) == 0)
            return rp_fail(err, RP_E_LINK_CHECK, "'%s' is defined twice, by %s and by %s", a->name,
                           a->object->shown, b->object->shown);
    }
    return true;
}

/* With GNU ld, an assignment in the script silently overrides an object's definition. */
static bool check_assigned(struct rp_link_inputs *inputs, struct rp_error *err) {
    const struct rp_strings *assigned = &inputs->map.assigned;
    for (size_t i = 0; i < assigned->count; i++) {
        const struct rp_definition *definition = definition_of(inputs, assigned->items[i]);
        if (definition == NULL)
            continue;
        inputs->reserved = true;
        return rp_fail(err, RP_E_RESERVED,
                       "%s: it defines '%s', which the linker script defines as well",
                       definition->object->shown, definition->name);
    }
    return true;
}

/* ---- the linked file's symbols ---- */

static int compare_symbols(const void *a, const void *b) {
    const struct rp_symbol *x = *(const struct rp_symbol *const *)a;
    const struct rp_symbol *y = *(const struct rp_symbol *const *)b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x->value < y->value ? -1 : x->value > y->value;
}

static void sort_symbols(struct rp_link_inputs *inputs) {
    const struct rp_elf *elf = inputs->linked;
    inputs->symbols = rp_alloc(inputs->arena, elf->symbol_count + 1, sizeof(void *));
    for (size_t i = 1; i < elf->symbol_count; i++)
        if (elf->symbols[i].section != SHN_UNDEF && elf->symbols[i].type != STT_FILE &&
            elf->symbols[i].name[0] != '\0')
            inputs->symbols[inputs->symbol_count++] = &elf->symbols[i];
    if (inputs->symbol_count != 0)
        qsort(inputs->symbols, inputs->symbol_count, sizeof *inputs->symbols, compare_symbols);
}

/* Index of the first symbol of the linked file that is not before the name and value. */
static size_t symbol_at(const struct rp_link_inputs *inputs, const char *name, uint32_t value) {
    const struct rp_symbol wanted = {.name = name, .value = value}, *key = &wanted;
    return rp_lower_bound(&key, inputs->symbols, inputs->symbol_count, sizeof key, compare_symbols);
}

bool rp_definitions_is_linked(const struct rp_link_inputs *inputs, const char *name) {
    size_t at = symbol_at(inputs, name, 0);
    return at < inputs->symbol_count && strcmp(inputs->symbols[at]->name, name) == 0;
}

static uint32_t thumb_bit(const struct rp_symbol *symbol) {
    return symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC ? symbol->value & 1 : 0;
}

/* Checks that the linked file has each definition that counts at its place in the section. */
static bool check_symbols(const struct rp_link_inputs *inputs, struct rp_error *err) {
    for (size_t i = 0; i < inputs->definitions.count; i++) {
        const struct rp_definition *definition = &inputs->definitions.items[i];
        const struct rp_symbol *symbol = definition->symbol;
        const struct rp_elf *elf = definition->object->elf;
        if (i != 0 && strcmp(definition[-1].name, definition->name) == 0)
            continue;
        if (symbol->section >= elf->section_count)
            continue;
        const struct rp_input_section *input = &definition->object->sections[symbol->section];
        if (input->state != RP_INPUT_PLACED || rp_input_is_merged(input))
            continue;
        uint32_t value = input->addr + symbol->value;
        size_t at = symbol_at(inputs, definition->name, value);
        if (at >= inputs->symbol_count || inputs->symbols[at]->value != value ||
            strcmp(inputs->symbols[at]->name, definition->name) != 0)
            return rp_fail(err, RP_E_LINK_CHECK,
                           "'%s' of %s would be at 0x%08x, where its section '%s' was placed, but "
                           "the linked file does not have it there",
                           definition->name, definition->object->shown, value,
                           input->section->name);
    }
    return true;
}

bool rp_definitions_find(struct rp_link_inputs *inputs, struct rp_error *err) {
    find_duplicates(inputs);
    for (size_t i = 0; i < inputs->objects.count; i++)
        add_definitions(inputs, &inputs->objects.items[i]);
    if (inputs->definitions.count != 0)
        qsort(inputs->definitions.items, inputs->definitions.count,
              sizeof *inputs->definitions.items, compare_definitions);
    sort_symbols(inputs);
    return check_assigned(inputs, err) && check_single(inputs, err) && check_symbols(inputs, err);
}

/* ---- references ---- */

static void refer_to_section(const struct rp_input_object *object, const struct rp_symbol *symbol,
                             struct rp_referent *out) {
    const struct rp_input_section *input = &object->sections[symbol->section];
    out->section = input;
    out->is_section = symbol->type == STT_SECTION;
    out->thumb = thumb_bit(symbol) != 0;
    out->offset = symbol->value - thumb_bit(symbol);
    out->address = input->addr + out->offset;
    out->kind = input->state == RP_INPUT_PLACED ? RP_REF_SECTION : RP_REF_DISCARDED;
}

/* COMMON, or defined by the linker or its script: only the linked file knows the address. */
static bool refer_to_linker(const struct rp_link_inputs *inputs, const char *name, bool common,
                            struct rp_referent *out, struct rp_error *err) {
    size_t at = symbol_at(inputs, name, 0), count = inputs->symbol_count;
    bool one = at < count && strcmp(inputs->symbols[at]->name, name) == 0 &&
               (at + 1 == count || strcmp(inputs->symbols[at + 1]->name, name) != 0);
    const struct rp_symbol *symbol = one ? inputs->symbols[at] : NULL;
    bool known = common || rp_strings_have(&inputs->map.assigned, name) ||
                 strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0;
    if (symbol == NULL || !known)
        return rp_fail(err, RP_E_LINK_CHECK,
                       "no object defines '%s', but the linked file has %s of that name", name,
                       symbol == NULL ? "no or more than one symbol" : "a symbol");
    out->kind = symbol->section == RP_SECTION_ABS ? RP_REF_NUMBER : RP_REF_LINKER;
    out->address = symbol->value;
    return true;
}

bool rp_definitions_resolve(const struct rp_link_inputs *inputs,
                            const struct rp_input_object *object, uint32_t index,
                            struct rp_referent *out, struct rp_error *err) {
    const struct rp_symbol *symbol = &object->elf->symbols[index];
    bool weak = symbol->bind == STB_WEAK;
    *out = (struct rp_referent){.kind = RP_REF_NUMBER, .name = symbol->name, .symbol = symbol};
    if (index == 0)
        return true;
    if (symbol->bind != STB_LOCAL) {
        const struct rp_definition *definition = definition_of(inputs, symbol->name);
        if (definition == NULL &&
            (symbol->section == SHN_UNDEF && !rp_definitions_is_linked(inputs, symbol->name))) {
            out->kind = weak ? RP_REF_NULL : RP_REF_UNDEFINED;
            return true;
        }
        if (definition == NULL)
            return refer_to_linker(inputs, symbol->name, false, out, err);
        object = definition->object;
        symbol = definition->symbol;
    }
    if (symbol->section == RP_SECTION_COMMON)
        return refer_to_linker(inputs, symbol->name, true, out, err);
    if (symbol->section == RP_SECTION_ABS) {
        out->address = symbol->value;
        return true;
    }
    if (symbol->section == SHN_UNDEF || symbol->section >= object->elf->section_count)
        return rp_fail(err, RP_E_LINK_CHECK, "%s: its symbol '%s' is in no section", object->shown,
                       symbol->name);
    refer_to_section(object, symbol, out);
    if (out->is_section && out->name[0] == '\0')
        out->name = out->section->section->name;
    return true;
}
