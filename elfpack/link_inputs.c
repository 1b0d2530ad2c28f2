/* SPDX-License-Identifier: Apache-2.0 */
/* Objects, their sections and where these went: see link_inputs.h. */
#include "elfpack/link_inputs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "elfpack/definitions.h"

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

static int compare_texts(const char *a, const char *b) {
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

/* By origin; what has the same stays in the order of the map. */
static int compare_origins(const void *a, const void *b) {
    const struct rp_placed *x = *(const struct rp_placed *const *)a;
    const struct rp_placed *y = *(const struct rp_placed *const *)b;
    int order = compare_texts(x->file, y->file);
    order = order != 0 ? order : compare_texts(x->member, y->member);
    order = order != 0 ? order : compare_texts(x->section, y->section);
    return order != 0 ? order : x < y ? -1 : x > y;
}

struct by_origin {
    struct rp_placed **items;
    size_t count;
};

static int compare_with(const struct rp_placed *placed, const struct rp_input_section *input) {
    int order = compare_texts(placed->file, input->object->file);
    order = order != 0 ? order : compare_texts(placed->member, input->object->elf->member);
    return order != 0 ? order : compare_texts(placed->section, input->section->name);
}

static size_t first_of(const struct by_origin *list, const struct rp_input_section *input) {
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_with(list->items[middle], input) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The bytes of the linked file at an address, or NULL. */
static const uint8_t *linked_bytes(const struct rp_elf *linked, uint32_t addr, uint32_t size) {
    for (size_t i = 1; i < linked->section_count; i++) {
        const struct rp_section *section = &linked->sections[i];
        if ((section->flags & SHF_ALLOC) != 0 && section->contents != NULL &&
            addr - section->addr < section->size && section->size - (addr - section->addr) >= size)
            return section->contents + (addr - section->addr);
    }
    return NULL;
}

/*
 * Of several sections with one name in one object, or of members with one name: is the placement
 * this one's? Fields of relocations are left out; checking everything comes later.
 */
static bool resembles(const struct rp_link_inputs *inputs, const struct rp_input_section *input,
                      const struct rp_placed *placed) {
    uint32_t size = input->section->size, at = 0;
    const uint8_t *want = input->section->contents;
    if (placed->size != size)
        return false;
    const uint8_t *have =
        placed->discarded || size == 0 ? NULL : linked_bytes(inputs->linked, placed->addr, size);
    for (size_t i = 0; want != NULL && have != NULL && i <= input->reloc_count; i++) {
        uint32_t end = i < input->reloc_count ? input->relocs[i]->place : size;
        if (end > at && end <= size && memcmp(want + at, have + at, end - at) != 0)
            return false;
        at = end + 4;
    }
    return true;
}

static struct rp_placed *find_placement(const struct rp_link_inputs *inputs,
                                        const struct by_origin *list,
                                        const struct rp_input_section *input) {
    size_t first = first_of(list, input), end = first;
    struct rp_placed *left = NULL;
    while (end < list->count && compare_with(list->items[end], input) == 0)
        end++;
    for (int discarded = 0; discarded < 2 && end - first > 1; discarded++)
        for (size_t i = first; i < end; i++)
            if (!list->items[i]->taken && list->items[i]->discarded == discarded &&
                resembles(inputs, input, list->items[i]))
                return list->items[i];
    for (size_t i = first; i < end && left == NULL; i++)
        left = list->items[i]->taken ? NULL : list->items[i];
    return left;
}

/* ---- archives with several members of one name ---- */

static bool is_program(const struct rp_link_inputs *inputs, const struct rp_placed *placed) {
    const struct rp_section *output = rp_elf_section(inputs->linked, placed->output);
    return output != NULL && (output->flags & SHF_ALLOC) != 0;
}

/* Is every section of the object in the map, as it would be if the object had been linked? */
static bool is_in_map(const struct rp_link_inputs *inputs, const struct by_origin *list,
                      const struct rp_input_object *object) {
    size_t found = 0;
    for (size_t i = 1; i < object->elf->section_count; i++) {
        const struct rp_input_section *input = &object->sections[i];
        bool fits = false;
        if (input->state == RP_INPUT_OUTSIDE || input->section->size == 0)
            continue;
        for (size_t k = first_of(list, input);
             k < list->count && compare_with(list->items[k], input) == 0 && !fits; k++)
            fits = rp_input_is_merged(input) || resembles(inputs, input, list->items[k]);
        if (!fits && !inputs->map.lld)
            return false;
        found += fits;
    }
    return found != 0 || !inputs->map.lld;
}

static bool has_section(const struct rp_input_object *object, const struct rp_placed *placed) {
    for (size_t i = 1; i < object->elf->section_count; i++) {
        const struct rp_input_section *input = &object->sections[i];
        if (strcmp(input->section->name, placed->section) == 0 &&
            (input->section->size == placed->size || rp_input_is_merged(input)))
            return true;
    }
    return false;
}

/* Has the object everything that the map says of members of its name? */
static bool has_all(const struct rp_link_inputs *inputs, const struct rp_input_object *object) {
    for (size_t i = 0; i < inputs->map.placed.count; i++) {
        const struct rp_placed *placed = &inputs->map.placed.items[i];
        if (placed->kind == RP_PLACED_INPUT && placed->size != 0 && !is_made(placed->section) &&
            compare_texts(placed->member, object->elf->member) == 0 &&
            strcmp(placed->file, object->file) == 0 &&
            (placed->discarded || is_program(inputs, placed)) && !has_section(object, placed))
            return false;
    }
    return true;
}

/* How many members of the name were linked; lld: at least one. */
static size_t wanted_members(const struct rp_link_inputs *inputs,
                             const struct rp_input_object *object) {
    for (size_t i = 0; i < inputs->map.members.count; i++) {
        const struct rp_archive_member *member = &inputs->map.members.items[i];
        if (object->elf->member != NULL && strcmp(member->member, object->elf->member) == 0 &&
            strcmp(member->archive, object->file) == 0)
            return member->count != 0 ? member->count : 1;
    }
    return 1;
}

static bool same_member(const struct rp_input_object *a, const struct rp_input_object *b) {
    return strcmp(a->file, b->file) == 0 && compare_texts(a->elf->member, b->elf->member) == 0;
}

/* Of members of one name, those that the map can mean; nothing but their sections tells them apart.
 */
static bool choose_members(struct rp_link_inputs *inputs, const struct by_origin *list,
                           struct rp_error *err) {
    size_t kept = 0;
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const struct rp_input_object object = inputs->objects.items[i];
        size_t wanted = wanted_members(inputs, &object), alike = 0, before = 0, after = 0;
        for (size_t k = 0; k < inputs->objects.count; k++)
            alike += k >= i && same_member(&inputs->objects.items[k], &object);
        for (size_t k = 0; k < kept; k++)
            before += same_member(&inputs->objects.items[k], &object);
        if (before + alike > wanted && (before == wanted || !is_in_map(inputs, list, &object) ||
                                        (wanted == 1 && !has_all(inputs, &object)))) {
            after = before + alike - 1;
            if (after < wanted)
                return rp_fail(err, RP_E_LINK_CHECK,
                               "%s: the archive has no member of the name that is in the linked "
                               "file as the map says",
                               object.shown);
            continue;
        }
        inputs->objects.items[kept++] = object;
    }
    inputs->objects.count = kept;
    return true;
}

static bool place(struct rp_link_inputs *inputs, const struct by_origin *list,
                  struct rp_input_section *input, struct rp_error *err) {
    const struct rp_section *section = input->section;
    struct rp_placed *placed = find_placement(inputs, list, input);
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
            placed->discarded || is_made(placed->section) || !is_program(inputs, placed))
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

static struct by_origin sort_placed(struct rp_link_inputs *inputs) {
    struct rp_placed_list *placed = &inputs->map.placed;
    struct by_origin list = {rp_alloc(inputs->arena, placed->count + 1, sizeof(void *)), 0};
    for (size_t i = 0; i < placed->count; i++)
        if (placed->items[i].kind == RP_PLACED_INPUT)
            list.items[list.count++] = &placed->items[i];
    if (list.count != 0)
        qsort(list.items, list.count, sizeof *list.items, compare_origins);
    return list;
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
        if (!placed->items[i].discarded && is_program(inputs, &placed->items[i]))
            list[count++] = &placed->items[i];
    if (count != 0)
        qsort(list, count, sizeof *list, compare_addresses);
    for (size_t i = 0; i + 1 < count; i++)
        if (list[i]->merged && strcmp(list[i]->output, list[i + 1]->output) == 0 &&
            list[i + 1]->addr - list[i]->addr < list[i]->size)
            list[i]->size = list[i + 1]->addr - list[i]->addr;
}

static bool place_all(struct rp_link_inputs *inputs, struct rp_error *err) {
    struct by_origin list = sort_placed(inputs);
    size_t count = inputs->objects.count;
    fill_objects(inputs);
    if (!choose_members(inputs, &list, err))
        return false;
    if (inputs->objects.count != count) /* the others have moved in the list */
        fill_objects(inputs);
    for (size_t i = 0; i < inputs->objects.count; i++) {
        struct rp_input_object *object = &inputs->objects.items[i];
        for (size_t k = 1; k < object->elf->section_count; k++)
            if (object->sections[k].state == RP_INPUT_LOST &&
                !place(inputs, &list, &object->sections[k], err))
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
