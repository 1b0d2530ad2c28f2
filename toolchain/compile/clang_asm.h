/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants in assembly written by clang -fropi -frwpi. Such code takes the address of a constant
 * as a distance from itself:
 *
 *     movw r0, :lower16:(NAME-(.LPC0_1+4))
 *     movt r0, :upper16:(NAME-(.LPC0_1+4))
 *     .LPC0_1: add r0, pc
 *
 * which ties the constant to the code. These three instructions are rewritten, so that a large
 * constant can be in the weights (its address is then read from a word in RAM), and a table of
 * addresses can be in RAM, where a loader sets them. A constant with any other kind of reference
 * stays with the code.
 *
 * Variables are found by their distance from r9. Some are not in the RAM of the image: those of the
 * firmware (imports), and those that an attribute puts among the constants. After such a pair
 *
 *     movw r0, :lower16:NAME(sbrel)
 *     movt r0, :upper16:NAME(sbrel)
 *
 * two more instructions compute the distance from the address in the word. The packer refuses other
 * references. Text in, text out.
 */
#ifndef RP_TOOLCHAIN_COMPILE_CLANG_ASM_H
#define RP_TOOLCHAIN_COMPILE_CLANG_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

struct rp_asm_constant {
    const char *name;
    size_t unit;   /* the unit that defines it */
    uint64_t size; /* bytes */
    bool global;   /* other units may refer to it */
    bool table;    /* holds addresses */
    bool fixed;    /* must stay with the code */
    bool apart;    /* a variable for clang, but neither in the RAM of the image nor in its code */
};

struct rp_asm_constants {
    struct rp_asm_constant *items;
    size_t count;
    size_t capacity;
};

/* Which constants to move, besides tables, which always are. */
struct rp_asm_choice {
    uint64_t weights_threshold; /* minimum size of constants to move, in bytes; 0: none */
    const char *weights_prefix; /* prefix of their names; NULL: any name */
};

/*
 * Appends a unit's text with each constant in a section .rodata.NAME, even if its author named
 * another (".ext").
 */
void rp_asm_part(struct rp_buf *out, const char *text);
/*
 * Adds the constants that a unit defines. Call it for each unit, then rp_asm_sort, then
 * rp_asm_check for each unit.
 */
void rp_asm_collect(struct rp_asm_constants *all, struct rp_arena *arena, const char *text,
                    size_t unit, const struct rp_asm_choice *choice);
/* Adds a symbol of the firmware, known to all units. */
void rp_asm_import(struct rp_asm_constants *all, struct rp_arena *arena, const char *name);
void rp_asm_sort(struct rp_asm_constants *all);
/* Sets fixed for each constant with a reference that is not understood. */
void rp_asm_check(struct rp_asm_constants *all, const char *text, size_t unit);
/* Appends the rewritten text of a unit. */
void rp_asm_rewrite(struct rp_buf *out, const struct rp_asm_constants *all, struct rp_arena *arena,
                    const char *text, size_t unit);
/* The constant that has this name in the unit, or NULL. */
struct rp_asm_constant *rp_asm_find(const struct rp_asm_constants *all, const char *name,
                                    size_t len, size_t unit);

#endif
