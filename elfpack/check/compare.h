/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares memory with the objects that it was made of: bytes outside the fields of relocations
 * have to be the object's own, and each field has to hold what its relocation computes. Used twice:
 * for the linked file at its link addresses, and for an installed image at the addresses of a run.
 */
#ifndef RP_ELFPACK_CHECK_COMPARE_H
#define RP_ELFPACK_CHECK_COMPARE_H

#include "elfpack/check/link_inputs.h"
#include "elfpack/check/merged.h"
#include "elfpack/elf/sorted.h"

enum rp_memory_answer {
    RP_MEMORY_HERE,
    RP_MEMORY_EMPTY, /* a part without contents: zeros */
    RP_MEMORY_PASS,  /* not compared */
    RP_MEMORY_LOST   /* there is no such place */
};

/* Memory that is compared. Addresses are link addresses unless stated otherwise. */
struct rp_memory {
    const char *what; /* for messages: "the linked file has" */
    enum rp_error_id id;
    enum rp_memory_answer (*bytes)(const struct rp_memory *memory, uint32_t addr, uint32_t size,
                                   const uint8_t **bytes);
    /* The address at run time. */
    uint32_t (*run_address)(const struct rp_memory *memory, uint32_t addr);
    /* Is it a symbol that the firmware supplies, and where? NULL: there are none. */
    bool (*import)(const struct rp_memory *memory, const char *name, uint32_t *address);
    /* Does the packer write that word, and with which value? NULL: it writes none. */
    bool (*own)(const struct rp_memory *memory, uint32_t addr, uint32_t *word);
    /* Is a word at addr that leads to target left 0, because the code sets it? NULL: none is. */
    bool (*is_left)(const struct rp_memory *memory, uint32_t addr, uint32_t target);
    /* Is value the address whose upper half is at addr? NULL: nothing moves. */
    bool (*upper)(const struct rp_memory *memory, uint32_t addr, uint32_t value);
    uint32_t static_base; /* where distances from the static base are counted from, at run time */
    const void *context;
};

struct rp_byte_check {
    struct rp_arena *arena;
    const struct rp_link_inputs *inputs;
    const struct rp_merged *merged;
    const struct rp_memory *memory;
    const struct rp_memory *linked; /* at link addresses: the same, or what the image was made of */
    struct rp_words got;            /* out: words of the GOT that something refers to */
    const char *undefined;          /* out: a symbol that nothing defines */
    struct {
        const struct rp_placed **items;
        size_t count;
        size_t capacity;
    } gots; /* rp_compare's own: where the linker put its GOT, and the output section of it */
    const struct rp_section *got_output;
};

/* Compares all sections that were placed. memory->id names section, object, offset and bytes. */
bool rp_compare(struct rp_byte_check *comparison, struct rp_error *err);

#endif
