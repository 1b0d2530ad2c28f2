/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, their sections and where these went: see link_inputs.h. */
#include "elfpack/link_inputs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "elfpack/definitions.h"
#include "elfpack/origins.h"

bool rp_input_is_merged(const struct rp_input_section *input) {
    return (input->section->flags & SHF_MERGE) != 0 && input->section->entsize != 0 &&
           input->reloc_count == 0;
}

/* ---- objects ---- */

/* Relocations by section and place: those of most sections are in that order. */
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

static struct rp_input_object *add_object(struct rp_link_inputs *inputs, const struct rp_elf *elf,
                                          const struct rp_link_object *given, const char *file) {
    struct rp_arena *arena = inputs->arena;
    struct rp_input_object *object = RP_PUSH(arena, &inputs->objects);
    const char *name = given != NULL ? given->shown : rp_path_base(file);
    *object = (struct rp_input_object){
        .elf = elf,
        .file = file,
        .shown = elf->member != NULL ? rp_format(arena, "%s(%s)", name, elf->member) : name,
        .own = given != NULL && given->own,
        .sections = rp_alloc(arena, elf->section_count + 1, sizeof(struct rp_input_section)),
    };
    return object;
}

/* The sections know their object once the list of objects does not move any more. */
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

static const char *path_of(const struct rp_link_inputs *inputs,
                           const struct rp_link_inputs_spec *spec, const char *file) {
    return file[0] == '/' ? file : rp_path_join(inputs->arena, spec->dir, file);
}

static bool load_object(struct rp_link_inputs *inputs, const struct rp_link_inputs_spec *spec,
                        const struct rp_link_object *object, struct rp_error *err) {
    const struct rp_strings none = {0};
    size_t before = inputs->files.count;
    if (!rp_elf_load(&inputs->files, inputs->arena, path_of(inputs, spec, object->path), &none,
                     err))
        return false;
    if (inputs->files.count != before + 1)
        return true; /* an archive: its members come later */
    const struct rp_elf *elf = inputs->files.items[before];
    if (elf->type != ET_REL)
        return rp_fail(err, RP_E_LINK_CHECK, "%s: it is not an object", object->shown);
    add_object(inputs, elf, object, object->path);
    return true;
}

static const struct rp_link_object *given_object(const struct rp_link_inputs_spec *spec,
                                                 const char *path) {
    for (size_t i = 0; i < spec->object_count; i++)
        if (strcmp(spec->objects[i].path, path) == 0)
            return &spec->objects[i];
    return NULL;
}

static bool ends_in(const struct rp_strings *list, const char *path) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], path) == 0)
            return true;
    return false;
}

/* The linker linked all that it was told to. GNU ld says what it loaded. */
static bool load_objects(struct rp_link_inputs *inputs, const struct rp_link_inputs_spec *spec,
                         struct rp_error *err) {
    const struct rp_placements *map = &inputs->map;
    for (size_t i = 0; i < spec->object_count; i++) {
        if (!map->lld && !ends_in(&map->loaded, spec->objects[i].path))
            return rp_fail(err, RP_E_LINK_CHECK, "%s: the linker did not load its object '%s'",
                           spec->objects[i].shown, spec->objects[i].path);
        if (!load_object(inputs, spec, &spec->objects[i], err))
            return false;
    }
    for (size_t i = 0; i < map->loaded.count; i++) {
        const char *path = map->loaded.items[i];
        const struct rp_link_object other = {.path = path, .shown = path};
        if (given_object(spec, path) == NULL && strcmp(path, "linker stubs") != 0 &&
            !load_object(inputs, spec, &other, err))
            return false;
    }
    return true;
}

/* Members in the order of the map, each archive opened once. */
static bool load_members(struct rp_link_inputs *inputs, const struct rp_link_inputs_spec *spec,
                         struct rp_error *err) {
    const struct rp_placements *map = &inputs->map;
    struct rp_strings done = {0};
    for (size_t i = 0; i < map->members.count; i++) {
        const char *archive = map->members.items[i].archive;
        struct rp_strings members = {0};
        size_t before = inputs->files.count;
        if (rp_strings_have(&done, archive))
            continue;
        rp_strings_push(inputs->arena, &done, archive);
        for (size_t k = i; k < map->members.count; k++)
            if (strcmp(map->members.items[k].archive, archive) == 0)
                rp_strings_push(inputs->arena, &members, map->members.items[k].member);
        if (!rp_elf_load(&inputs->files, inputs->arena, path_of(inputs, spec, archive), &members,
                         err))
            return false;
        for (; before < inputs->files.count; before++)
            add_object(inputs, inputs->files.items[before], NULL, archive);
    }
    return true;
}

/* ---- placements ---- */

/* Sections that the linker makes; no object may have one of the name. */
static const char *const made[] = {".got",     ".got.plt",  ".igot.plt", ".iplt",
                                   ".rel.got", ".rel.iplt", ".rel.plt",  "COMMON"};

static bool is_made(const char *name) {
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (strcmp(made[i], name) == 0)
            return true;
    return false;
}

bool rp_placed_is_made(const struct rp_placed *placed) {
    return placed->kind == RP_PLACED_INPUT && is_made(placed->section);
}

/* needed: if in doubt, it was placed rather than discarded. */
static bool place(struct rp_link_inputs *inputs, struct rp_input_section *input, bool needed,
                  struct rp_error *err) {
    const struct rp_section *section = input->section;
    struct rp_placed *placed = rp_origins_find(inputs, input, needed);
    bool silent = inputs->map.lld; /* about what it discards, and about what it merges */
    if (section->size != 0 && is_made(section->name)) {
        rp_fail(err, RP_E_RESERVED, "%s: it has a section '%s', which is the linker's own to make",
                input->object->shown, section->name);
        return rp_hint(err, "give the section another name: .rodata.NAME for constants, .data.NAME "
                            "for variables, .bss.NAME for zeros, .text.NAME for code");
    }
    if (placed == NULL && silent && rp_input_is_merged(input))
        input->state = RP_INPUT_PLACED;
    else if (placed == NULL && silent)
        input->state = RP_INPUT_DISCARDED;
    if (placed == NULL)
        return silent || section->size == 0 ||
               rp_fail(err, RP_E_LINK_CHECK,
                       "%s: section '%s' (%u bytes) was lost: the linker neither placed nor "
                       "discarded it",
                       input->object->shown, section->name, section->size);
    placed->taken = true;
    input->state = placed->discarded ? RP_INPUT_DISCARDED : RP_INPUT_PLACED;
    input->addr = placed->addr;
    input->placed = placed;
    placed->merged = !placed->discarded && rp_input_is_merged(input);
    return placed->size == section->size || rp_input_is_merged(input) ||
           rp_fail(err, RP_E_LINK_CHECK, "%s: section '%s' has %u bytes, the linker %s %u of them",
                   input->object->shown, section->name, section->size,
                   placed->discarded ? "discarded" : "placed", placed->size);
}

/* Everything that the map places is of an object, or of a kind that the linker makes. */
static bool check_rest(const struct rp_link_inputs *inputs, struct rp_error *err) {
    const struct rp_placed_list *list = &inputs->map.placed;
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_placed *placed = &list->items[i];
        if (placed->kind != RP_PLACED_INPUT || placed->taken || placed->size == 0 ||
            placed->discarded || is_made(placed->section) || !rp_placed_is_program(inputs, placed))
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

static int compare_addresses(const void *a, const void *b) {
    const struct rp_placed *x = *(const struct rp_placed *const *)a;
    const struct rp_placed *y = *(const struct rp_placed *const *)b;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x < y ? -1 : x > y;
}

/*
 * GNU ld's map has the original size of a merged section of which nothing is left: the next thing
 * begins where it does.
 */
static void trim_merged(struct rp_link_inputs *inputs) {
    struct rp_placed_list *placed = &inputs->map.placed;
    struct rp_placed **list = rp_alloc(inputs->arena, placed->count + 1, sizeof(void *));
    size_t count = 0;
    for (size_t i = 0; i < placed->count; i++)
        if (!placed->items[i].discarded && rp_placed_is_program(inputs, &placed->items[i]))
            list[count++] = &placed->items[i];
    if (count != 0)
        qsort(list, count, sizeof *list, compare_addresses);
    for (size_t i = 0; i + 1 < count; i++)
        if (list[i]->merged && strcmp(list[i]->output, list[i + 1]->output) == 0 &&
            list[i + 1]->addr - list[i]->addr < list[i]->size)
            list[i]->size = list[i + 1]->addr - list[i]->addr;
}

/* What is needed is told by names and references, before what is left is taken for discarded. */
static bool place_twin(struct rp_link_inputs *inputs, struct rp_input_object *object,
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
        if (object->twin && !inputs->map.lld && !place_twin(inputs, object, err))
            return false;
        for (size_t k = 1; k < object->elf->section_count; k++)
            if (object->sections[k].state == RP_INPUT_LOST &&
                !place(inputs, &object->sections[k], true, err))
                return false;
    }
    trim_merged(inputs);
    return check_rest(inputs, err);
}

/* ---- all together ---- */

bool rp_link_inputs_open(struct rp_link_inputs *inputs, struct rp_arena *arena,
                         const struct rp_link_inputs_spec *spec, struct rp_error *err) {
    *inputs = (struct rp_link_inputs){.arena = arena, .linked = spec->linked};
    if (!rp_placements_read(&inputs->map, arena, spec->map_text, err) ||
        !load_objects(inputs, spec, err) || !load_members(inputs, spec, err))
        return false;
    return place_all(inputs, err) && rp_definitions_find(inputs, err);
}

void rp_link_inputs_close(struct rp_link_inputs *inputs) {
    rp_elf_close_all(&inputs->files);
}
