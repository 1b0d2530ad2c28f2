/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares memory with the objects it was made from: bytes outside the fields of relocations have
 * to be the object's own, and each field has to hold what its relocation computes. Used twice: for
 * the linked file at its link addresses, and for an installed image at its run addresses.
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
    RP_MEMORY_LOST   /* nothing has this address */
};

/* Memory to compare. Addresses are link addresses unless stated otherwise. */
struct rp_memory {
    const char *what; /* for messages: "the linked file has" */
    enum rp_error_id id;
    enum rp_memory_answer (*bytes)(const struct rp_memory *memory, uint32_t addr, uint32_t size,
                                   const uint8_t **bytes);
    /* Converts a link address to the run address. */
    uint32_t (*run_address)(const struct rp_memory *memory, uint32_t addr);
    /* Does the firmware supply the symbol, and at which run address? NULL: it supplies none. */
    bool (*import)(const struct rp_memory *memory, const char *name, uint32_t *address);
    /* Does the packer write the word at addr, and with which value? NULL: it writes none. */
    bool (*own)(const struct rp_memory *memory, uint32_t addr, uint32_t *word);
    /* Is the word at addr, which would hold target, 0 because the code sets it? NULL: none is. */
    bool (*stays_zero)(const struct rp_memory *memory, uint32_t addr, uint32_t target);
    /* Is value the address whose upper half a MOVT at addr holds? NULL: addresses do not move. */
    bool (*upper)(const struct rp_memory *memory, uint32_t addr, uint32_t value);
    uint32_t static_base; /* run address that distances from the static base are relative to */
    const void *context;
};

struct rp_byte_check {
    struct rp_arena *arena;
    const struct rp_link_inputs *inputs;
    const struct rp_merged *merged;
    const struct rp_memory *memory;
    const struct rp_memory *linked; /* the linked file, which may be the same as memory */
    struct rp_words got;            /* out: addresses of GOT words that something refers to */
    const char *undefined;          /* out: a symbol that nothing defines */
    struct {
        const struct rp_placed **items;
        size_t count;
        size_t capacity;
    } gots;                              /* private to rp_compare: where the linker put its GOT, */
    const struct rp_section *got_output; /* and the output section of it */
};

/*
 * Compares all sections that were placed. Errors: memory->id, naming section, object, offset and
 * bytes; RP_E_ELF, RP_E_LINK_CHECK.
 */
bool rp_compare(struct rp_byte_check *comparison, struct rp_error *err);

#endif
