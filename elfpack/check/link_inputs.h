/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the linker was given: objects, and the archive members that its map names. link_open.h finds
 * where their sections went, definitions.h which definition each name stands for.
 */
#ifndef RP_ELFPACK_CHECK_LINK_INPUTS_H
#define RP_ELFPACK_CHECK_LINK_INPUTS_H

#include "elfpack/elf/elf.h"
#include "elfpack/check/placement.h"

/* An object that the linker was told to link. */
struct rp_link_object {
    const char *path;  /* as the linker was told, and as its map has it */
    const char *shown; /* for messages */
    bool own;          /* of the entry glue: its names are nobody else's */
};

enum rp_input_state {
    RP_INPUT_LOST,      /* the map does not have it */
    RP_INPUT_PLACED,    /* addr is where */
    RP_INPUT_DISCARDED, /* by the linker: nothing needs it, or another object has the same */
    RP_INPUT_OUTSIDE    /* not a part of the program: debug information, attributes */
};

struct rp_input_section {
    const struct rp_input_object *object;
    const struct rp_section *section;
    const struct rp_reloc *const *relocs; /* by place */
    size_t reloc_count;
    enum rp_input_state state;
    uint32_t addr;
    struct rp_placed *placed; /* NULL: lld does not say where merged sections went */
    bool is_duplicate;        /* of a COMDAT group that an earlier object has */
};

struct rp_input_object {
    const struct rp_elf *elf;
    const char *shown; /* "model.c", "libm.a(expf.o)" */
    const char *file;  /* as the map has it */
    bool own;
    bool twin;    /* another member of that name of the archive was linked as well */
    size_t rank;  /* the order in which the linker took objects and members */
    size_t group; /* of the objects with its file and member */
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
    bool reserved; /* an object has what belongs to the linker or its script: RP_E_RESERVED */
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
    } definitions; /* by name, the one that counts first */
    struct {
        struct rp_placed **items;
        size_t count;
    } origins;                        /* placements of inputs, by file, member and section */
    const struct rp_symbol **symbols; /* of the linked file, by name and value */
    size_t symbol_count;
};

struct rp_link_inputs_spec {
    const struct rp_elf *linked;
    const char *map_text; /* of the linker */
    const char *dir;      /* paths in the map that are relative are below it */
    const struct rp_link_object *objects;
    size_t object_count;
};

/*
 * Reads the map and loads the objects and the archive members that it names, those in order.
 * RP_E_ELF, RP_E_INPUT, RP_E_LINK_CHECK. Close with rp_link_inputs_close, also after an error.
 */
bool rp_link_inputs_load(struct rp_link_inputs *inputs, struct rp_arena *arena,
                         const struct rp_link_inputs_spec *spec, struct rp_error *err);
void rp_link_inputs_close(struct rp_link_inputs *inputs);

/* Is that a section whose strings or constants the linker merges with others? */
bool rp_input_is_merged(const struct rp_input_section *input);
/* Is that the name of a section that the linker makes? No object may have one. */
bool rp_link_inputs_is_made(const char *name);
/* Is the placement that of a section that the linker made? */
bool rp_placed_is_made(const struct rp_placed *placed);
/* Is the placement in a part of the program? */
bool rp_placed_is_program(const struct rp_link_inputs *inputs, const struct rp_placed *placed);

#endif
