/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares bytes with what the objects say: those outside of relocations' fields are the object's
 * own, a field holds what its relocation makes of the addresses. Used twice, for the linked file at
 * its link addresses and for an installed image at those of a run.
 */
#ifndef RP_ELFPACK_COMPARE_H
#define RP_ELFPACK_COMPARE_H

#include "elfpack/link_inputs.h"
#include "elfpack/merged.h"
#include "elfpack/sorted.h"

enum rp_memory_answer {
    RP_MEMORY_HERE,
    RP_MEMORY_EMPTY, /* a part without contents: zeros */
    RP_MEMORY_PASS,  /* not looked at */
    RP_MEMORY_LOST   /* there is no such place */
};

/* Memory that is compared. Addresses are those of the link, unless said otherwise. */
struct rp_memory {
    const char *what; /* for messages: "the linked file has" */
    enum rp_error_id id;
    enum rp_memory_answer (*bytes)(const struct rp_memory *memory, uint32_t addr, uint32_t size,
                                   const uint8_t **bytes);
    /* Where that is in memory. */
    uint32_t (*run_address)(const struct rp_memory *memory, uint32_t addr);
    /* Is it a symbol that the firmware supplies, and where? NULL: there are none. */
    bool (*import)(const struct rp_memory *memory, const char *name, uint32_t *address);
    /* Is it a word that the packer writes, and what? NULL: there are none. */
    bool (*own)(const struct rp_memory *memory, uint32_t addr, uint32_t *word);
    /* Is a word there that leads to target left 0, for the code to set it? NULL: none is. */
    bool (*is_left)(const struct rp_memory *memory, uint32_t addr, uint32_t target);
    /* Is the upper half of an address there that of value, wherever it moves? NULL: none moves. */
    bool (*upper)(const struct rp_memory *memory, uint32_t addr, uint32_t value);
    uint32_t static_base; /* what distances from the static base are counted from, as in memory */
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

/* All sections that were placed. memory->id: section, object, offset and bytes. */
bool rp_compare(struct rp_byte_check *comparison, struct rp_error *err);

#endif
