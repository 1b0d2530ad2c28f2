/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the placement of each section: see origins.h. */
#include "elfpack/check/origins.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elfpack/elf/sorted.h"

/* ---- placements by origin ---- */

static int compare_texts(const char *a, const char *b) {
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

/* By origin; of one origin, in the order of the map. */
static int compare_origins(const void *a, const void *b) {
    const struct rp_placed *x = *(const struct rp_placed *const *)a;
    const struct rp_placed *y = *(const struct rp_placed *const *)b;
    int order = compare_texts(x->file, y->file);
    order = order != 0 ? order : compare_texts(x->member, y->member);
    order = order != 0 ? order : compare_texts(x->section, y->section);
    return order != 0 ? order : x < y ? -1 : x > y;
}

void rp_origins_sort(struct rp_link_inputs *inputs) {
    struct rp_placed_list *placed = &inputs->map.placed;
    inputs->origins.items = rp_alloc(inputs->arena, placed->count + 1, sizeof(void *));
    for (size_t i = 0; i < placed->count; i++)
        if (placed->items[i].kind == RP_PLACED_INPUT)
            inputs->origins.items[inputs->origins.count++] = &placed->items[i];
    if (inputs->origins.count != 0)
        qsort(inputs->origins.items, inputs->origins.count, sizeof *inputs->origins.items,
              compare_origins);
}

static int compare_with(const void *a, const void *b) {
    const struct rp_input_section *input = a;
    const struct rp_placed *placed = *(struct rp_placed *const *)b;
    int order = compare_texts(input->object->file, placed->file);
    order = order != 0 ? order : compare_texts(input->object->elf->member, placed->member);
    return order != 0 ? order : compare_texts(input->section->name, placed->section);
}

struct span {
    struct rp_placed *const *items;
    size_t count;
};

/* All placements with the file, member and name of the section. */
static struct span origins_of(const struct rp_link_inputs *inputs,
                              const struct rp_input_section *input) {
    struct rp_placed *const *items = inputs->origins.items;
    size_t count = 0,
           first = rp_lower_bound(input, items, inputs->origins.count, sizeof *items, compare_with);
    while (first + count < inputs->origins.count && compare_with(input, &items[first + count]) == 0)
        count++;
    return (struct span){items + first, count};
}

/*
 * Does the placement have the bytes of this section? This tells sections of the same name apart.
 * Fields of relocations are left out; everything is checked later.
 */
static bool resembles(const struct rp_link_inputs *inputs, const struct rp_input_section *input,
                      const struct rp_placed *placed) {
    uint32_t size = input->section->size, at = 0;
    const uint8_t *want = input->section->contents;
    if (placed->size != size)
        return false;
    const struct rp_section *in = placed->discarded || size == 0
                                      ? NULL
                                      : rp_elf_section_at(inputs->linked, placed->addr, size);
    const uint8_t *have =
        in != NULL && in->contents != NULL ? in->contents + (placed->addr - in->addr) : NULL;
    for (size_t i = 0; want != NULL && have != NULL && i <= input->reloc_count; i++) {
        uint32_t end = i < input->reloc_count ? input->relocs[i]->place : size;
        if (end > at && end <= size && memcmp(want + at, have + at, end - at) != 0)
            return false;
        at = end + 4;
    }
    return true;
}

/* Does the linked file have one of the section's symbols where the placement puts it? */
static bool has_symbol_of(const struct rp_link_inputs *inputs, const struct rp_input_section *input,
                          const struct rp_placed *placed) {
    const struct rp_elf *elf = input->object->elf, *linked = inputs->linked;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        if (symbol->bind == STB_LOCAL || rp_symbol_section(elf, symbol) != input->section)
            continue;
        for (size_t k = 1; k < linked->symbol_count; k++)
            if (linked->symbols[k].value == placed->addr + symbol->value &&
                strcmp(linked->symbols[k].name, symbol->name) == 0)
                return true;
    }
    return false;
}

struct rp_placed *rp_origins_find(const struct rp_link_inputs *inputs,
                                  const struct rp_input_section *input, bool needed) {
    struct span span = origins_of(inputs, input);
    struct rp_placed *left = NULL;
    for (size_t i = 0; i < span.count && span.count > 1; i++)
        if (!span.items[i]->taken && !span.items[i]->discarded &&
            resembles(inputs, input, span.items[i]) && has_symbol_of(inputs, input, span.items[i]))
            return span.items[i];
    for (int pass = 0; pass < 2 && span.count > 1; pass++)
        for (size_t i = 0; i < span.count; i++)
            if (!span.items[i]->taken && span.items[i]->discarded == (needed == (pass != 0)) &&
                resembles(inputs, input, span.items[i]))
                return span.items[i];
    for (size_t i = 0; i < span.count && left == NULL; i++)
        left = span.items[i]->taken ? NULL : span.items[i];
    return left;
}

/* Does a section that was placed refer to a local symbol of this one? */
static bool is_referred_to(const struct rp_input_section *input) {
    const struct rp_input_object *object = input->object;
    const struct rp_elf *elf = object->elf;
    for (size_t i = 0; i < elf->reloc_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[elf->relocs[i].symbol];
        if (object->sections[elf->relocs[i].section].state == RP_INPUT_PLACED &&
            symbol->bind == STB_LOCAL && rp_symbol_section(elf, symbol) == input->section)
            return true;
    }
    return false;
}

bool rp_origins_need(const struct rp_link_inputs *inputs, const struct rp_input_section *input) {
    struct span span = origins_of(inputs, input);
    if (is_referred_to(input))
        return true;
    for (size_t i = 0; i < span.count; i++)
        if (!span.items[i]->taken && !span.items[i]->discarded &&
            has_symbol_of(inputs, input, span.items[i]))
            return true;
    return false;
}

/* ---- archives with several members of one name ---- */

/* Is every section of the object in the map, as it has to be if the object was linked? */
static bool is_in_map(const struct rp_link_inputs *inputs, const struct rp_input_object *object) {
    size_t found = 0;
    for (size_t i = 1; i < object->elf->section_count; i++) {
        const struct rp_input_section *input = &object->sections[i];
        bool fits = false;
        if (input->state == RP_INPUT_OUTSIDE || input->section->size == 0)
            continue;
        struct span span = origins_of(inputs, input);
        for (size_t k = 0; k < span.count && !fits; k++)
            fits = rp_input_is_merged(input) || resembles(inputs, input, span.items[k]);
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

/* Does the object have every section that the map gives to members of its name? */
static bool has_all(const struct rp_link_inputs *inputs, const struct rp_input_object *object) {
    for (size_t i = 0; i < inputs->map.placed.count; i++) {
        const struct rp_placed *placed = &inputs->map.placed.items[i];
        if (placed->kind == RP_PLACED_INPUT && placed->size != 0 && !rp_placed_is_made(placed) &&
            compare_texts(placed->member, object->elf->member) == 0 &&
            strcmp(placed->file, object->file) == 0 &&
            (placed->discarded || rp_placed_is_program(inputs, placed)) &&
            !has_section(object, placed))
            return false;
    }
    return true;
}

/* The objects with one file and member name: several only if an archive has a name twice. */
struct group {
    size_t rows;    /* of the map that name it */
    size_t missing; /* of these, those without an object so far */
    size_t first, count, kept;
};

struct groups {
    struct group *items;
    size_t count;
    size_t *objects; /* indices of objects, sorted by group; a group begins at its `first` */
};

static int compare_members(const void *a, const void *b) {
    const struct rp_input_object *x = *(struct rp_input_object *const *)a;
    const struct rp_input_object *y = *(struct rp_input_object *const *)b;
    int order = strcmp(x->file, y->file);
    return order != 0 ? order : compare_texts(x->elf->member, y->elf->member);
}

static int compare_row(const void *a, const void *b) {
    const struct rp_archive_member *row = a;
    const struct rp_input_object *object = *(struct rp_input_object *const *)b;
    int order = strcmp(row->archive, object->file);
    return order != 0 ? order : compare_texts(row->member, object->elf->member);
}

/* Numbers the groups of objects and of the map's rows; rows without objects get the last number. */
static struct groups find_groups(struct rp_link_inputs *inputs) {
    size_t count = inputs->objects.count;
    struct rp_input_object **sorted = rp_alloc(inputs->arena, count + 1, sizeof(void *));
    struct groups groups = {.count = 0};
    for (size_t i = 0; i < count; i++)
        sorted[i] = &inputs->objects.items[i];
    if (count != 0)
        qsort(sorted, count, sizeof(void *), compare_members);
    for (size_t i = 0; i < count; i++) {
        groups.count += i == 0 || compare_members(&sorted[i - 1], &sorted[i]) != 0;
        sorted[i]->group = groups.count - 1;
    }
    groups.items = rp_alloc(inputs->arena, groups.count + 1, sizeof *groups.items);
    groups.objects = rp_alloc(inputs->arena, count + 1, sizeof *groups.objects);
    for (size_t i = 0; i < inputs->map.members.count; i++) {
        struct rp_archive_member *row = &inputs->map.members.items[i];
        size_t at = rp_lower_bound(row, sorted, count, sizeof(void *), compare_row);
        bool found = at < count && compare_row(row, &sorted[at]) == 0;
        row->group = found ? sorted[at]->group : groups.count;
        groups.items[row->group].rows++;
    }
    return groups;
}

/* Lists the objects of each group, which may have changed. */
static void list_groups(struct groups *groups, const struct rp_link_inputs *inputs) {
    size_t at = 0;
    for (size_t g = 0; g < groups->count; g++)
        groups->items[g].count = 0;
    for (size_t i = 0; i < inputs->objects.count; i++)
        groups->items[inputs->objects.items[i].group].count++;
    for (size_t g = 0; g < groups->count; g++) {
        groups->items[g].first = at;
        at += groups->items[g].count;
        groups->items[g].count = 0;
    }
    for (size_t i = 0; i < inputs->objects.count; i++) {
        struct group *group = &groups->items[inputs->objects.items[i].group];
        groups->objects[group->first + group->count++] = i;
    }
}

static bool defines(const struct rp_elf *elf, const char *name) {
    for (size_t i = 1; name != NULL && i < elf->symbol_count; i++)
        if (elf->symbols[i].bind != STB_LOCAL && elf->symbols[i].section != SHN_UNDEF &&
            strcmp(elf->symbols[i].name, name) == 0)
            return true;
    return false;
}

static size_t load_index(const struct rp_placements *map, const char *path) {
    size_t i = 0;
    while (path != NULL && i < map->loaded.count && strcmp(map->loaded.items[i], path) != 0)
        i++;
    return path != NULL ? i : 0;
}

/*
 * Ranks objects and archives in the order of the command line. In --start-group, the linker goes
 * through the archives again for symbols that came later; members that it takes then rank after all
 * objects.
 */
static void rank_files(struct rp_link_inputs *inputs) {
    struct rp_placements *map = &inputs->map;
    size_t step = map->members.count + 2, top = 0;
    bool second_pass = false;
    for (size_t i = 0; i < map->members.count; i++) {
        struct rp_archive_member *member = &map->members.items[i];
        size_t at = load_index(map, member->archive), by = load_index(map, member->wanted_by);
        second_pass = second_pass || at < top || (by > at && by < map->loaded.count);
        top = at > top ? at : top;
        member->rank = (second_pass ? map->loaded.count : at) * step + i + 1;
    }
    for (size_t i = 0; i < inputs->objects.count; i++) {
        struct rp_input_object *object = &inputs->objects.items[i];
        if (object->elf->member == NULL && !map->lld)
            object->rank = load_index(map, object->file) * step;
    }
}

/*
 * Ranks the first unranked object with the name of each row; by_symbol: that also defines its
 * symbol.
 */
static void rank_members(struct rp_link_inputs *inputs, struct groups *groups, bool by_symbol) {
    list_groups(groups, inputs);
    for (size_t row = 0; row < inputs->map.members.count; row++) {
        struct rp_archive_member *member = &inputs->map.members.items[row];
        const struct group *group = &groups->items[member->group];
        for (size_t i = 0; i < group->count && !member->found; i++) {
            struct rp_input_object *object =
                &inputs->objects.items[groups->objects[group->first + i]];
            if (object->rank != 0 || (by_symbol && !defines(object->elf, member->symbol)))
                continue;
            object->rank = member->rank;
            member->found = !inputs->map.lld;
        }
    }
}

/*
 * Drops members of the same name that the map cannot mean. If it does not say for which symbol they
 * were taken, only their sections tell them apart.
 */
static bool drop_others(struct rp_link_inputs *inputs, struct groups *groups,
                        struct rp_error *err) {
    size_t kept = 0;
    list_groups(groups, inputs);
    for (size_t i = 0; i < inputs->map.members.count; i++)
        groups->items[inputs->map.members.items[i].group].missing +=
            !inputs->map.members.items[i].found;
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const struct rp_input_object object = inputs->objects.items[i];
        struct group *group = &groups->items[object.group];
        size_t wanted = group->rows != 0 ? group->rows : 1, before = group->kept;
        size_t left = group->count--; /* this one and those that follow */
        if (object.rank == 0 && before + left > wanted &&
            (group->missing == 0 || before == wanted || !is_in_map(inputs, &object) ||
             (wanted == 1 && !has_all(inputs, &object)))) {
            if (before + left - 1 < wanted)
                return rp_fail(
                    err, RP_E_LINK_CHECK,
                    "%s: no member of that name in the archive has the sections that the "
                    "linker's map gives it",
                    object.shown);
            continue;
        }
        group->kept++;
        inputs->objects.items[kept++] = object;
    }
    inputs->objects.count = kept;
    return true;
}

struct ranked {
    struct rp_input_object object;
    size_t order;
};

/* By rank; of one rank, in the previous order. */
static int compare_ranks(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->object.rank != y->object.rank)
        return x->object.rank < y->object.rank ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool sort_objects(struct rp_link_inputs *inputs) {
    size_t count = inputs->objects.count;
    struct ranked *ranked = rp_alloc(inputs->arena, count + 1, sizeof *ranked);
    bool moved = false;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){inputs->objects.items[i], i};
    if (count != 0)
        qsort(ranked, count, sizeof *ranked, compare_ranks);
    for (size_t i = 0; i < count; i++) {
        inputs->objects.items[i] = ranked[i].object;
        moved = moved || ranked[i].order != i;
    }
    return moved;
}

bool rp_origins_choose(struct rp_link_inputs *inputs, bool *moved, struct rp_error *err) {
    size_t count = inputs->objects.count;
    struct groups groups = find_groups(inputs);
    rank_files(inputs);
    if (!inputs->map.lld)
        rank_members(inputs, &groups, true);
    if (!drop_others(inputs, &groups, err))
        return false;
    rank_members(inputs, &groups, false);
    *moved = sort_objects(inputs) || inputs->objects.count != count;
    for (size_t i = 0; i < inputs->objects.count; i++) {
        struct rp_input_object *object = &inputs->objects.items[i];
        object->namesake = object->elf->member != NULL && groups.items[object->group].count > 1;
    }
    return true;
}
