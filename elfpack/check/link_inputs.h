/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was linked: objects, and the archive members that the linker's map names. link_open.h finds
 * where their sections went, definitions.h the definition of each name.
 */
#ifndef RP_ELFPACK_CHECK_LINK_INPUTS_H
#define RP_ELFPACK_CHECK_LINK_INPUTS_H

#include "elfpack/elf/elf.h"
#include "elfpack/check/placement.h"

/* An object that the linker was told to link. */
struct rp_link_object {
    const char *path;  /* as the linker was told, and as its map has it */
    const char *shown; /* for messages */
    bool own;          /* part of the entry glue, whose names no other code uses */
};

enum rp_input_state {
    RP_INPUT_LOST,      /* not in the map, or not looked up yet */
    RP_INPUT_PLACED,    /* at addr */
    RP_INPUT_DISCARDED, /* by the linker: it is not needed, or another object has the same */
    RP_INPUT_OUTSIDE    /* not part of the program: debug information, attributes */
};

struct rp_input_section {
    const struct rp_input_object *object;
    const struct rp_section *section;
    const struct rp_reloc *const *relocs; /* sorted by place */
    size_t reloc_count;
    enum rp_input_state state;
    uint32_t addr;
    struct rp_placed *placed; /* NULL: lld's map does not have merged sections */
    bool is_duplicate;        /* in a COMDAT group that an earlier object has, too */
};

struct rp_input_object {
    const struct rp_elf *elf;
    const char *shown; /* "model.c", "libm.a(expf.o)" */
    const char *file;  /* as in the map */
    bool own;
    bool namesake; /* another member of the same name and archive was linked as well */
    size_t rank;   /* orders objects and members as the linker took them */
    size_t group;  /* number of the group of objects with this file and member name */
    struct rp_input_section *sections; /* elf->section_count */
};

struct rp_definition {
    const char *name;
    const struct rp_input_object *object;
    const struct rp_symbol *symbol;
    unsigned rank; /* strong, common, weak */
    size_t order;
};

struct rp_link_inputs {
    struct rp_arena *arena;
    bool
        reserved; /* RP_E_RESERVED: an object has a name or section that only the linker may have */
    const struct rp_elf *linked;
    struct rp_placements map;
    struct rp_elf_files files;
    struct {
        struct rp_input_object *items;
        size_t count;
        size_t capacity;
    } objects;
    struct {
        struct rp_definition *items;
        size_t count;
        size_t capacity;
    } definitions; /* sorted by name; the one that counts comes first */
    struct {
        struct rp_placed **items;
        size_t count;
    } origins;                        /* placements of inputs, sorted by file, member and section */
    const struct rp_symbol **symbols; /* of the linked file, sorted by name and value */
    size_t symbol_count;
};

struct rp_link_inputs_spec {
    const struct rp_elf *linked;
    const char *map_text; /* of the linker */
    const char *dir;      /* folder that relative paths in the map start from */
    const struct rp_link_object *objects;
    size_t object_count;
};

/*
 * Reads the map, and loads the objects and, in the order of the map, archive members. RP_E_ELF,
 * RP_E_INPUT: a file is damaged or cannot be read. RP_E_LINK_CHECK: the map is not understood or
 * does not fit. Close with rp_link_inputs_close, even after an error.
 */
bool rp_link_inputs_load(struct rp_link_inputs *inputs, struct rp_arena *arena,
                         const struct rp_link_inputs_spec *spec, struct rp_error *err);
void rp_link_inputs_close(struct rp_link_inputs *inputs);

/* Is it a section whose strings or constants the linker merges with others? */
bool rp_input_is_merged(const struct rp_input_section *input);
/* Is it the name of a section that the linker makes? No object may have such a section. */
bool rp_link_inputs_is_made(const char *name);
/* Is it the placement of a section that the linker made? */
bool rp_placed_is_made(const struct rp_placed *placed);
/* Is the placement part of the program? */
bool rp_placed_is_program(const struct rp_link_inputs *inputs, const struct rp_placed *placed);

#endif
