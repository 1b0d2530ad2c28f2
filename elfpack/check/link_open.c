/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where the sections of objects went: see link_open.h. */
#include "elfpack/check/link_open.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "elfpack/check/definitions.h"
#include "elfpack/check/origins.h"

/* ---- sections ---- */

/* By section and place. In most sections, relocations already have this order. */
static int compare_relocs(const void *a, const void *b) {
    const struct rp_reloc *x = *(const struct rp_reloc *const *)a;
    const struct rp_reloc *y = *(const struct rp_reloc *const *)b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void sort_relocs(struct rp_input_object *object, struct rp_arena *arena) {
    const struct rp_elf *elf = object->elf;
    const struct rp_reloc **list = rp_alloc(arena, elf->reloc_count + 1, sizeof(void *));
    bool sorted = true;
    for (size_t i = 0; i < elf->reloc_count; i++) {
        list[i] = &elf->relocs[i];
        sorted = sorted && (i == 0 || compare_relocs(&list[i - 1], &list[i]) <= 0);
    }
    if (!sorted)
        qsort(list, elf->reloc_count, sizeof *list, compare_relocs);
    for (size_t i = 0; i < elf->reloc_count; i++) {
        struct rp_input_section *input = &object->sections[list[i]->section];
        if (input->reloc_count++ == 0)
            input->relocs = &list[i];
    }
}

/*
 * Sections point to their object, so this has to be done again when the list of objects has moved.
 */
static void fill_object(struct rp_input_object *object, struct rp_arena *arena) {
    for (size_t i = 0; i < object->elf->section_count; i++) {
        const struct rp_section *section = &object->elf->sections[i];
        object->sections[i] = (struct rp_input_section){
            .object = object,
            .section = section,
            .state = (section->flags & SHF_ALLOC) != 0 ? RP_INPUT_LOST : RP_INPUT_OUTSIDE,
        };
    }
    sort_relocs(object, arena);
}

/* ---- placements ---- */

static bool fail_lost(const struct rp_input_section *input, struct rp_error *err) {
    const struct rp_elf *elf = input->object->elf;
    bool lto = false;
    for (size_t i = 0; i < elf->section_count; i++)
        lto = lto || rp_has_prefix(elf->sections[i].name, ".gnu.lto_");
    rp_fail(err, RP_E_LINK_CHECK,
            "%s: section '%s' (%u bytes) was lost: the linker neither placed nor discarded it",
            input->object->shown, input->section->name, input->section->size);
    if (!lto)
        return false;
    return rp_hint(err, "some objects compiled with -flto have machine code and others do not: "
                        "compile all of them with -ffat-lto-objects, or none");
}

/* Finds where a section went. needed: if in doubt, it was placed and not discarded. */
static bool place(struct rp_link_inputs *inputs, struct rp_input_section *input, bool needed,
                  struct rp_error *err) {
    const struct rp_section *section = input->section;
    struct rp_placed *placed = rp_origins_find(inputs, input, needed);
    bool silent = inputs->map.lld; /* lld does not list what it discards or merges */
    if (section->size != 0 && rp_link_inputs_is_made(section->name)) {
        inputs->reserved = true;
        rp_fail(err, RP_E_RESERVED, "%s: it has a section '%s', which only the linker may make",
                input->object->shown, section->name);
        return rp_hint(err, "give the section another name: .rodata.NAME for constants, .data.NAME "
                            "for variables, .bss.NAME for zeros, .text.NAME for code");
    }
    if (placed == NULL && silent && rp_input_is_merged(input))
        input->state = RP_INPUT_PLACED;
    else if (placed == NULL && silent)
        input->state = RP_INPUT_DISCARDED;
    if (placed == NULL)
        return silent || section->size == 0 || fail_lost(input, err);
    placed->taken = true;
    input->state = placed->discarded ? RP_INPUT_DISCARDED : RP_INPUT_PLACED;
    input->addr = placed->addr;
    input->placed = placed;
    placed->merged = !placed->discarded && rp_input_is_merged(input);
    return placed->size == section->size || rp_input_is_merged(input) ||
           rp_fail(err, RP_E_LINK_CHECK, "%s: section '%s' has %u bytes, but the linker %s %u",
                   input->object->shown, section->name, section->size,
                   placed->discarded ? "discarded" : "placed", placed->size);
}

/* Checks that everything the map places belongs to an object or was made by the linker. */
static bool check_rest(const struct rp_link_inputs *inputs, struct rp_error *err) {
    const struct rp_placed_list *list = &inputs->map.placed;
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_placed *placed = &list->items[i];
        if (placed->kind != RP_PLACED_INPUT || placed->taken || placed->size == 0 ||
            placed->discarded || rp_link_inputs_is_made(placed->section) ||
            !rp_placed_is_program(inputs, placed))
            continue;
        if (inputs->map.lld && strcmp(placed->file, "<internal>") == 0 &&
            strcmp(placed->section, placed->output) == 0)
            continue; /* merged strings */
        return rp_fail(
            err, RP_E_LINK_CHECK,
            "the linked file has %u bytes of '%s' of %s%s%s%s at 0x%08x, which no object "
            "has (a stub of the linker, or one section placed twice)",
            placed->size, placed->section, placed->file, placed->member != NULL ? "(" : "",
            placed->member != NULL ? placed->member : "", placed->member != NULL ? ")" : "",
            placed->addr);
    }
    return true;
}

static void fill_objects(struct rp_link_inputs *inputs) {
    for (size_t i = 0; i < inputs->objects.count; i++)
        fill_object(&inputs->objects.items[i], inputs->arena);
}

/*
 * GNU ld's map gives a merged section its original size, even if nothing of it is left: the size is
 * cut where the next section begins.
 */
static void trim_merged(struct rp_link_inputs *inputs) {
    struct rp_placed_list *placed = &inputs->map.placed;
    struct rp_placed **list = rp_alloc(inputs->arena, placed->count + 1, sizeof(void *));
    size_t count = 0;
    for (size_t i = 0; i < placed->count; i++)
        if (!placed->items[i].discarded && rp_placed_is_program(inputs, &placed->items[i]))
            list[count++] = &placed->items[i];
    if (count != 0)
        qsort(list, count, sizeof *list, rp_placed_compare);
    for (size_t i = 0; i + 1 < count; i++)
        if (list[i]->merged && strcmp(list[i]->output, list[i + 1]->output) == 0 &&
            list[i + 1]->addr - list[i]->addr < list[i]->size)
            list[i]->size = list[i + 1]->addr - list[i]->addr;
}

/* Places the sections that names and references show to be needed; the others were discarded. */
static bool place_namesake(struct rp_link_inputs *inputs, struct rp_input_object *object,
                           struct rp_error *err) {
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 1; k < object->elf->section_count; k++) {
            struct rp_input_section *input = &object->sections[k];
            if (input->state != RP_INPUT_LOST || !rp_origins_need(inputs, input))
                continue;
            if (!place(inputs, input, true, err))
                return false;
            more = more || input->state != RP_INPUT_LOST;
        }
    }
    for (size_t k = 1; k < object->elf->section_count; k++)
        if (object->sections[k].state == RP_INPUT_LOST &&
            !place(inputs, &object->sections[k], false, err))
            return false;
    return true;
}

static bool place_all(struct rp_link_inputs *inputs, struct rp_error *err) {
    bool moved = false;
    rp_origins_sort(inputs);
    fill_objects(inputs);
    if (!rp_origins_choose(inputs, &moved, err))
        return false;
    if (moved)
        fill_objects(inputs);
    for (size_t i = 0; i < inputs->objects.count; i++) {
        struct rp_input_object *object = &inputs->objects.items[i];
        if (object->namesake && !inputs->map.lld && !place_namesake(inputs, object, err))
            return false;
        for (size_t k = 1; k < object->elf->section_count; k++)
            if (object->sections[k].state == RP_INPUT_LOST &&
                !place(inputs, &object->sections[k], true, err))
                return false;
    }
    trim_merged(inputs);
    return check_rest(inputs, err);
}

bool rp_link_inputs_open(struct rp_link_inputs *inputs, struct rp_arena *arena,
                         const struct rp_link_inputs_spec *spec, struct rp_error *err) {
    return rp_link_inputs_load(inputs, arena, spec, err) && place_all(inputs, err) &&
           rp_definitions_find(inputs, err);
}
