/* SPDX-License-Identifier: Apache-2.0 */
/* Loads what was linked: see link_inputs.h. */
#include "elfpack/check/link_inputs.h"

#include <elf.h>
#include <string.h>

#include "base/path.h"

bool rp_input_is_merged(const struct rp_input_section *input) {
    return (input->section->flags & SHF_MERGE) != 0 && input->section->entsize != 0 &&
           input->reloc_count == 0;
}

bool rp_link_inputs_is_made(const char *name) {
    static const char *const made[] = {".got",     ".got.plt",  ".igot.plt", ".iplt",
                                       ".rel.got", ".rel.iplt", ".rel.plt",  "COMMON"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (strcmp(made[i], name) == 0)
            return true;
    return false;
}

bool rp_placed_is_made(const struct rp_placed *placed) {
    return placed->kind == RP_PLACED_INPUT && rp_link_inputs_is_made(placed->section);
}

bool rp_placed_is_program(const struct rp_link_inputs *inputs, const struct rp_placed *placed) {
    const struct rp_section *output = rp_elf_section(inputs->linked, placed->output);
    return output != NULL && (output->flags & SHF_ALLOC) != 0;
}

/* ---- objects ---- */

static void add_object(struct rp_link_inputs *inputs, const struct rp_elf *elf,
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
        return true; /* an archive, whose members are loaded later */
    const struct rp_elf *elf = inputs->files.items[before];
    if (elf->type != ET_REL)
        return rp_fail(err, RP_E_LINK_CHECK, "%s is not an object file", object->shown);
    add_object(inputs, elf, object, object->path);
    return true;
}

/* Loads everything that the linker was told to link. GNU ld lists what it loaded. */
static bool load_objects(struct rp_link_inputs *inputs, const struct rp_link_inputs_spec *spec,
                         struct rp_error *err) {
    const struct rp_placements *map = &inputs->map;
    for (size_t i = 0; i < spec->object_count; i++) {
        if (!map->lld && !rp_strings_have(&map->loaded, spec->objects[i].path))
            return rp_fail(err, RP_E_LINK_CHECK, "%s: the linker did not load its object '%s'",
                           spec->objects[i].shown, spec->objects[i].path);
        if (!load_object(inputs, spec, &spec->objects[i], err))
            return false;
    }
    for (size_t i = 0; i < map->loaded.count; i++) {
        const char *path = map->loaded.items[i];
        const struct rp_link_object other = {.path = path, .shown = path};
        bool given = false;
        for (size_t k = 0; k < spec->object_count && !given; k++)
            given = strcmp(spec->objects[k].path, path) == 0;
        if (!given && strcmp(path, "linker stubs") != 0 && !load_object(inputs, spec, &other, err))
            return false;
    }
    return true;
}

/* Loads archive members in the order of the map, and opens each archive once. */
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

bool rp_link_inputs_load(struct rp_link_inputs *inputs, struct rp_arena *arena,
                         const struct rp_link_inputs_spec *spec, struct rp_error *err) {
    *inputs = (struct rp_link_inputs){.arena = arena, .linked = spec->linked};
    return rp_placements_read(&inputs->map, arena, spec->map_text, err) &&
           load_objects(inputs, spec, err) && load_members(inputs, spec, err);
}

void rp_link_inputs_close(struct rp_link_inputs *inputs) {
    rp_elf_close_all(&inputs->files);
}
