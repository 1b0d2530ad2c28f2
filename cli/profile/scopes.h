/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where code lies in a core's memory while it runs, and what it is called: functions, and functions
 * that the compiler put into others. In: linked files, where they were installed, what the debug
 * information says of inlining. Out: for an address, the innermost scope. Pure.
 */
#ifndef RP_CLI_PROFILE_SCOPES_H
#define RP_CLI_PROFILE_SCOPES_H

#include "elfpack/elf/elf.h"

#define RP_NO_SCOPE UINT32_MAX

/* A function, or one inlined copy of one. */
struct rp_scope {
    const char *name;
    uint32_t start;  /* address; of an inlined copy, of the first of its pieces */
    uint32_t parent; /* of an inlined copy: the scope that it is in; else RP_NO_SCOPE */
    bool in_image;   /* not in the firmware */
};

/* Code that was installed as a whole. */
struct rp_code_part {
    uint32_t address; /* where it runs */
    uint32_t size;
    uint32_t linked;      /* the address that the linked file has for it */
    const uint8_t *bytes; /* size bytes, as they are executed */
    bool in_image;
};

/* From start to the start of the next one. */
struct rp_scope_range {
    uint32_t start;
    uint32_t scope; /* RP_NO_SCOPE: nothing is known of it */
};

/* Zero-initialise, with the arena. */
struct rp_scopes {
    struct rp_arena *arena;
    struct {
        struct rp_scope *items;
        size_t count;
        size_t capacity;
    } list;
    struct {
        struct rp_scope_range *items;
        size_t count;
        size_t capacity;
    } ranges; /* sorted */
    struct {
        struct rp_code_part *items;
        size_t count;
        size_t capacity;
    } parts;
};

/*
 * Adds a part, with the functions that its linked file has there. Code that no symbol covers is a
 * scope of its own, named after its address in the linked file.
 */
void rp_scopes_add(struct rp_scopes *scopes, const struct rp_elf *elf,
                   const struct rp_code_part *part);

/* Addresses in the linked file. */
struct rp_inlined_piece {
    uint32_t start, end;
};
/* One inlined copy. It follows the one that it is in. */
struct rp_inlined {
    const char *name;
    size_t parent; /* index of the inlined copy that it is in; SIZE_MAX: in a function */
    const struct rp_inlined_piece *pieces;
    size_t count;
};
/* Tells scopes of the part that was added last which addresses are inlined copies. */
void rp_scopes_inline(struct rp_scopes *scopes, const struct rp_inlined *copies, size_t count);

/* The innermost scope of an address, or RP_NO_SCOPE. */
uint32_t rp_scope_at(const struct rp_scopes *scopes, uint32_t address);
/* The function that a scope is, or is in. */
uint32_t rp_scope_function(const struct rp_scopes *scopes, uint32_t scope);
/* The function of that name in the image, or RP_NO_SCOPE. */
uint32_t rp_scope_named(const struct rp_scopes *scopes, const char *name);
/* The part that an address is in, or NULL. */
const struct rp_code_part *rp_code_part_at(const struct rp_scopes *scopes, uint32_t address);

#endif
