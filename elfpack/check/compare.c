/* SPDX-License-Identifier: Apache-2.0 */
/* Compares memory with the objects it was made from: see compare.h. */
#include "elfpack/check/compare.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "elfpack/check/definitions.h"
#include "elfpack/check/field.h"
#include "elfpack/elf/reloc.h"

enum { SHOWN_BYTES = 8, HEX = 3 * SHOWN_BYTES + 1 };

/* The field of one relocation. */
struct field {
    const struct rp_input_section *input;
    const struct rp_reloc *reloc;
    struct rp_referent to;
    const uint8_t *have;
    const uint8_t *original; /* the object's own bytes */
    uint32_t size;
    uint32_t addr; /* of the place */
    int32_t addend;
    uint32_t value; /* the whole value; make() puts it, or a part of it, into the field */
};

/* ---- messages ---- */

static const char *hex(const uint8_t *bytes, uint32_t size, char *out) {
    uint32_t count = size < SHOWN_BYTES ? size : SHOWN_BYTES;
    out[0] = '\0';
    for (uint32_t i = 0; i < count; i++)
        (void)snprintf(out + 3 * (size_t)i, 4, i + 1 < count ? "%02x " : "%02x", bytes[i]);
    return out;
}

static const char *type_name(struct rp_arena *arena, uint32_t type) {
    const char *name = rp_reloc_name(type);
    return name != NULL ? name : rp_format(arena, "a relocation of type %u", type);
}

static bool differs(const struct rp_byte_check *with, const struct field *field,
                    const uint8_t *want, struct rp_error *err) {
    char have[HEX], expected[HEX];
    return rp_fail(
        err, with->memory->id,
        "section '%s' of %s, offset 0x%x (address 0x%08x): %s to '%s' makes %s, but %s %s",
        field->input->section->name, field->input->object->shown, field->reloc->place, field->addr,
        type_name(with->arena, field->reloc->type), field->to.name,
        hex(want, field->size, expected), with->memory->what, hex(field->have, field->size, have));
}

static bool wrong(const struct rp_byte_check *with, const struct field *field, const char *why,
                  struct rp_error *err) {
    return rp_fail(err, with->memory->id, "section '%s' of %s, offset 0x%x: %s to '%s' %s",
                   field->input->section->name, field->input->object->shown, field->reloc->place,
                   type_name(with->arena, field->reloc->type), field->to.name, why);
}

/* ---- values ---- */

static uint32_t run_address(const struct rp_memory *memory, const struct rp_referent *to) {
    return to->kind == RP_REF_SECTION || to->kind == RP_REF_LINKER
               ? memory->run_address(memory, to->address)
               : to->address;
}

/* Computes the bytes of the field for a symbol at address; false: the value does not fit. */
static bool make(const struct rp_memory *memory, struct field *field, uint32_t address,
                 uint8_t *want) {
    uint32_t type = field->reloc->type, place = memory->run_address(memory, field->addr);
    uint32_t value = address + (uint32_t)field->addend;
    if (field->to.thumb)
        value |= 1;
    if (rp_field_rounds_place(type))
        place &= ~UINT32_C(3);
    if (rp_field_kind(type) == RP_FIELD_PC)
        value -= place;
    else if (rp_field_kind(type) == RP_FIELD_BASE)
        value -= memory->static_base;
    memcpy(want, field->original, field->size);
    field->value = value;
    return rp_field_put(type, want, value);
}

/*
 * When an address moves, its upper half also depends on the lower one: is it that of another value?
 */
static bool is_upper_of_other(const struct rp_memory *memory, const struct field *field) {
    return memory->upper != NULL && field->reloc->type == R_ARM_THM_MOVT_ABS &&
           !memory->upper(memory, field->addr, field->value);
}

static bool equals(const struct rp_memory *memory, struct field *field, uint32_t address,
                   uint8_t *want) {
    return make(memory, field, address, want) && memcmp(want, field->have, field->size) == 0 &&
           !is_upper_of_other(memory, field);
}

/* ---- undefined weak symbols ---- */

/*
 * A branch to an undefined weak symbol becomes a NOP or a branch to the next instruction. A
 * distance to it is that to address 0 or, with lld, to the place itself.
 */
static bool check_null(const struct rp_byte_check *with, struct field *field,
                       struct rp_error *err) {
    static const uint8_t nops[2][4] = {{0xAF, 0xF3, 0x00, 0x80}, {0x00, 0xE0, 0x00, 0xBF}};
    const struct rp_memory *memory = with->memory;
    uint32_t place = memory->run_address(memory, field->addr);
    uint8_t want[RP_FIELD_MAX];
    if (rp_field_is_branch(field->reloc->type))
        return (field->size == 4 &&
                (memcmp(field->have, nops[0], 4) == 0 || memcmp(field->have, nops[1], 4) == 0)) ||
               equals(memory, field, place + field->size, want) || differs(with, field, want, err);
    return equals(memory, field, place, want) || equals(memory, field, 0, want) ||
           differs(with, field, want, err);
}

/* ---- merged strings and constants ---- */

static bool is_section_merged(const struct field *field) {
    return field->to.kind == RP_REF_SECTION && rp_input_is_merged(field->to.section);
}

/*
 * With a section symbol, the addend is part of the offset in the section; any other symbol alone
 * tells which string is meant. A field that holds a whole address shows where the linker put the
 * string; for half an address, all places that have the string are tried.
 */
static bool check_merged(const struct rp_byte_check *with, struct field *field,
                         struct rp_error *err) {
    const struct rp_memory *memory = with->memory;
    uint8_t want[RP_FIELD_MAX], linked[RP_FIELD_MAX];
    uint32_t offset = field->to.offset, at = 0;
    const uint8_t *link_bytes;
    if (field->to.is_section) {
        offset += (uint32_t)field->addend;
        field->addend = 0;
    }
    if (with->linked->bytes(with->linked, field->addr, field->size, &link_bytes) != RP_MEMORY_HERE)
        return wrong(with, field, "lies in a part without contents", err);
    if (rp_field_is_word(field->reloc->type)) {
        at = rp_get_le32(link_bytes) - (uint32_t)field->addend;
        if (rp_field_kind(field->reloc->type) == RP_FIELD_PC)
            at += field->addr;
        if (!rp_merged_is_at(with->merged, field->to.section, offset, at))
            return wrong(with, field, "does not lead to that string or constant", err);
        return equals(memory, field, memory->run_address(memory, at), want) ||
               differs(with, field, want, err);
    }
    while (rp_merged_next(with->merged, field->to.section, offset, at, &at))
        if (make(with->linked, field, at, linked) && memcmp(linked, link_bytes, field->size) == 0 &&
            equals(memory, field, memory->run_address(memory, at), want))
            return true;
    return wrong(with, field, "does not lead to that string or constant", err);
}

/* ---- the GOT ---- */

static void find_gots(struct rp_byte_check *with) {
    const struct rp_placed_list *list = &with->inputs->map.placed;
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_placed *placed = &list->items[i];
        if (placed->kind == RP_PLACED_INPUT && placed->size != 0 && !placed->discarded &&
            strcmp(placed->section, ".got") == 0)
            *RP_PUSH(with->arena, &with->gots) = placed;
    }
    if (with->gots.count != 0)
        with->got_output = rp_elf_section(with->inputs->linked, with->gots.items[0]->output);
}

/*
 * The GOT word that the field leads to; only the linked file shows which, the order is the
 * linker's.
 */
static bool got_slot(const struct rp_byte_check *with, const struct field *field, uint32_t *slot) {
    const struct rp_section *output = with->got_output;
    const uint8_t *bytes;
    if (output == NULL ||
        with->linked->bytes(with->linked, field->addr, field->size, &bytes) != RP_MEMORY_HERE)
        return false;
    uint32_t offset = rp_get_le32(bytes) - (uint32_t)field->addend;
    *slot =
        offset + (rp_field_kind(field->reloc->type) == RP_FIELD_GOT ? output->addr : field->addr);
    for (size_t i = 0; *slot % 4 == 0 && i < with->gots.count; i++) {
        uint32_t at = *slot - with->gots.items[i]->addr, size = with->gots.items[i]->size;
        if (at < size && size - at >= 4)
            return true;
    }
    return false;
}

/* The address a GOT word must hold. No map says where a merged string went; the linked GOT does. */
static bool got_target(const struct rp_byte_check *with, const struct field *field, uint32_t slot,
                       uint32_t *target) {
    const uint8_t *bytes;
    *target = run_address(with->memory, &field->to) | (uint32_t)field->to.thumb;
    if (!is_section_merged(field))
        return true;
    if (with->linked->bytes(with->linked, slot, 4, &bytes) != RP_MEMORY_HERE ||
        !rp_merged_is_at(with->merged, field->to.section, field->to.offset, rp_get_le32(bytes)))
        return false;
    *target = with->memory->run_address(with->memory, rp_get_le32(bytes));
    return true;
}

/* Checks that the field leads to a word of the GOT that holds the symbol's address. */
static bool check_got(struct rp_byte_check *with, const struct field *field, struct rp_error *err) {
    const struct rp_memory *memory = with->memory;
    uint32_t slot = 0, target = 0, distance;
    const uint8_t *word;
    if (!got_slot(with, field, &slot) || memory->bytes(memory, slot, 4, &word) != RP_MEMORY_HERE)
        return wrong(with, field, "does not lead to a word of the GOT", err);
    distance = memory->run_address(memory, slot) + (uint32_t)field->addend -
               (rp_field_kind(field->reloc->type) == RP_FIELD_GOT
                    ? memory->run_address(memory, with->got_output->addr)
                    : memory->run_address(memory, field->addr));
    if (rp_get_le32(field->have) != distance)
        return wrong(with, field, "leads to another word of the GOT", err);
    if (!got_target(with, field, slot, &target))
        return wrong(with, field, "does not lead to that string or constant", err);
    if (field->to.kind == RP_REF_NULL ||
        (memory->stays_zero != NULL && field->to.kind != RP_REF_NUMBER &&
         memory->stays_zero(memory, slot, field->to.address)))
        target = 0;
    *RP_PUSH(with->arena, &with->got) = slot;
    return rp_get_le32(word) == target ||
           rp_fail(err, memory->id,
                   "the word of the GOT at 0x%08x, which section '%s' of %s uses as the address of "
                   "'%s' at offset 0x%x, has to be 0x%08x, but %s 0x%08x",
                   slot, field->input->section->name, field->input->object->shown, field->to.name,
                   field->reloc->place, target, memory->what, rp_get_le32(word));
}

/* ---- fields ---- */

static bool check_value(struct rp_byte_check *with, struct field *field, struct rp_error *err) {
    const struct rp_memory *memory = with->memory;
    uint8_t want[RP_FIELD_MAX];
    enum rp_field_kind kind = rp_field_kind(field->reloc->type);
    bool branch = rp_field_is_branch(field->reloc->type);
    bool code =
        field->to.section != NULL && (field->to.section->section->flags & SHF_EXECINSTR) != 0;
    if (branch && !code && field->to.kind != RP_REF_NULL)
        return wrong(with, field, "is a branch to something that is not code", err);
    uint32_t address = run_address(memory, &field->to);
    if (!branch && memory->import != NULL && field->to.symbol->bind != STB_LOCAL &&
        memory->import(memory, field->to.name, &address)) {
        field->to.kind = RP_REF_NUMBER;
        field->to.address = address;
        field->to.thumb = false;
    }
    if (kind == RP_FIELD_GOT || kind == RP_FIELD_GOT_PC)
        return check_got(with, field, err);
    if (field->to.kind == RP_REF_NULL && kind == RP_FIELD_PC)
        return check_null(with, field, err);
    if (is_section_merged(field))
        return check_merged(with, field, err);
    if (kind == RP_FIELD_ADDRESS && memory->stays_zero != NULL && field->to.kind != RP_REF_NUMBER &&
        memory->stays_zero(memory, field->addr, field->to.address)) {
        memset(want, 0, sizeof want);
        return memcmp(want, field->have, field->size) == 0 || differs(with, field, want, err);
    }
    if (!make(memory, field, address, want))
        return wrong(with, field, "does not fit its field", err);
    if (is_upper_of_other(memory, field))
        return wrong(with, field, "is the upper half of an address, but moves with another one",
                     err);
    return memcmp(want, field->have, field->size) == 0 || differs(with, field, want, err);
}

static bool check_field(struct rp_byte_check *with, struct field *field, struct rp_error *err) {
    static const uint8_t zeros[RP_FIELD_MAX];
    const struct rp_section *section = field->input->section;
    uint32_t place = field->reloc->place;
    if (rp_field_kind(field->reloc->type) == RP_FIELD_UNKNOWN)
        return rp_fail(err, with->memory->id,
                       "section '%s' of %s, offset 0x%x: the value of %s cannot be checked",
                       section->name, field->input->object->shown, place,
                       type_name(with->arena, field->reloc->type));
    if (field->size == 0)
        return true;
    if (!rp_definitions_resolve(with->inputs, field->input->object, field->reloc->symbol,
                                &field->to, err))
        return false;
    field->addr = field->input->addr + place;
    field->original = section->contents != NULL ? section->contents + place : zeros;
    field->addend = field->reloc->explicit_addend
                        ? field->reloc->addend
                        : rp_field_addend(field->reloc->type, field->original);
    if (field->to.kind == RP_REF_UNDEFINED) {
        with->undefined = with->undefined != NULL ? with->undefined : field->to.name;
        return true;
    }
    if (field->to.kind == RP_REF_DISCARDED)
        return wrong(with, field, "leads into a section that the linker discarded", err);
    return check_value(with, field, err);
}

/* ---- bytes between fields ---- */

/* A part of a section between fields. */
struct span {
    const struct rp_input_section *input;
    const uint8_t *have; /* of the whole section */
    uint32_t from, to;
};

/* The first offset from at on whose byte differs from the object's; span->to: there is none. */
static uint32_t first_difference(const struct span *span, uint32_t at) {
    const uint8_t *want = span->input->section->contents;
    if (want != NULL && at < span->to && memcmp(want + at, span->have + at, span->to - at) == 0)
        return span->to;
    while (at < span->to && span->have[at] == (want != NULL ? want[at] : 0))
        at++;
    return at;
}

static bool check_plain(const struct rp_byte_check *with, const struct span *span,
                        struct rp_error *err) {
    static const uint8_t zeros[SHOWN_BYTES];
    const struct rp_memory *memory = with->memory;
    const struct rp_section *section = span->input->section;
    char got[HEX], expected[HEX];
    for (uint32_t at = first_difference(span, span->from); at < span->to;
         at = first_difference(span, at)) {
        uint32_t word, start = at - (span->input->addr + at) % 4;
        if (memory->own == NULL || start > section->size || section->size - start < 4 ||
            !memory->own(memory, span->input->addr + start, &word) ||
            rp_get_le32(span->have + start) != word)
            return rp_fail(
                err, memory->id,
                "section '%s' of %s, offset 0x%x (address 0x%08x): the object has %s, but %s %s",
                section->name, span->input->object->shown, at, span->input->addr + at,
                hex(section->contents != NULL ? section->contents + at : zeros, span->to - at,
                    expected),
                memory->what, hex(span->have + at, span->to - at, got));
        at = start + 4;
    }
    return true;
}

/* A part without contents is all zeros, so only zeros may have been placed there. */
static bool check_empty(const struct rp_byte_check *with, const struct rp_input_section *input,
                        struct rp_error *err) {
    const uint8_t *want = input->section->contents;
    for (uint32_t i = 0; want != NULL && i < input->section->size; i++)
        if (want[i] != 0)
            return rp_fail(
                err, with->memory->id,
                "section '%s' of %s has contents (0x%02x at offset 0x%x), but was placed "
                "at 0x%08x, in a part that is all zeros",
                input->section->name, input->object->shown, want[i], i, input->addr);
    for (size_t i = 0; i < input->reloc_count; i++)
        if (rp_field_kind(input->relocs[i]->type) != RP_FIELD_NONE)
            return rp_fail(err, with->memory->id,
                           "section '%s' of %s holds an address at offset 0x%x, but was placed at "
                           "0x%08x, in a part that is all zeros",
                           input->section->name, input->object->shown, input->relocs[i]->place,
                           input->addr);
    return true;
}

static bool check_section(struct rp_byte_check *with, const struct rp_input_section *input,
                          struct rp_error *err) {
    const uint8_t *have = NULL;
    uint32_t size = input->section->size;
    struct span span = {.input = input};
    if (input->section->type != SHT_NOBITS && input->section->contents == NULL)
        return rp_fail(err, RP_E_ELF, "%s: section '%s' is cut off", input->object->shown,
                       input->section->name);
    switch (with->memory->bytes(with->memory, input->addr, size, &have)) {
    case RP_MEMORY_PASS:
        return true;
    case RP_MEMORY_EMPTY:
        return check_empty(with, input, err);
    case RP_MEMORY_LOST:
        return rp_fail(err, with->memory->id,
                       "section '%s' of %s (%u bytes at 0x%08x) lies in no part of the image",
                       input->section->name, input->object->shown, size, input->addr);
    case RP_MEMORY_HERE:
        break;
    }
    span.have = have;
    for (size_t i = 0; i < input->reloc_count; i++) {
        struct field field = {.input = input, .reloc = input->relocs[i], .to = {.name = ""}};
        uint32_t place = field.reloc->place;
        field.size = rp_field_size(field.reloc->type);
        if (place > size || field.size > size - place || (field.size != 0 && place < span.from))
            return wrong(with, &field, "lies outside its section or overlaps another field", err);
        if (field.size == 0 && rp_field_kind(field.reloc->type) == RP_FIELD_NONE)
            continue;
        field.have = have + place;
        span.to = place;
        if (!check_plain(with, &span, err) || !check_field(with, &field, err))
            return false;
        span.from = place + field.size;
    }
    span.to = size;
    return check_plain(with, &span, err);
}

bool rp_compare(struct rp_byte_check *with, struct rp_error *err) {
    find_gots(with);
    for (size_t i = 0; i < with->inputs->objects.count; i++) {
        const struct rp_input_object *object = &with->inputs->objects.items[i];
        for (size_t k = 1; k < object->elf->section_count; k++) {
            const struct rp_input_section *input = &object->sections[k];
            if (input->state == RP_INPUT_PLACED && input->section->size != 0 &&
                !rp_input_is_merged(input) && !check_section(with, input, err))
                return false;
        }
    }
    return true;
}
