/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns a linked ELF file into the layout of an image: its parts, the words that the loader
 * rebases, the fix-up table, and all relocations that could not be moved. Pure: arrays in, arrays
 * out. parts.h describes the linked file; in addition, the symbols _rp_fixups and _rp_imports show
 * where the image's own tables are.
 */
#ifndef RP_ELFPACK_IMAGE_LAYOUT_H
#define RP_ELFPACK_IMAGE_LAYOUT_H

#include "elfpack/elf/culprit.h"
#include "elfpack/image/fixup.h"
#include "elfpack/elf/linkmap.h"
#include "elfpack/elf/parts.h"
#include "elfpack/elf/sorted.h"

struct rp_type_count {
    const char *type;
    uint32_t flash; /* relocations whose place is in header, text, rodata */
    uint32_t ram;
};

/* Words that hold an address, or a part of one. */
struct rp_layout_words {
    struct rp_words rel;     /* segment addresses of words to rebase, sorted, unique */
    struct rp_words listed;  /* of these, those in the REL list: all, unless there is compact */
    struct rp_words compact; /* the compact table with its end; empty when there is none */
    struct rp_fixups fixups; /* sorted by where */
    struct rp_fixups nulled; /* like fixups, but set by the vendor's runtime */
    struct rp_words based;   /* FLASH offsets of MOVTs that hold a distance and the RAM segment */
    uint32_t got_used;       /* GOT words that name a symbol */
    uint32_t text_patches;   /* entries of rel and fixups in code: such an image has to be copied */
};

/* The image's own tables and the code that reads them; FLASH offsets. */
struct rp_layout_tables {
    uint32_t fixups_at;    /* the fix-up table; 0 = none */
    uint32_t at;           /* the first table: the list of imports when there is one */
    uint32_t compact_code; /* of the boot code that applies the compact table */
};

struct rp_layout {
    struct rp_parts parts;
    const struct rp_strings *imports; /* symbols of the firmware, by index; or NULL */
    struct rp_layout_words words;
    struct rp_layout_tables tables;
    struct {
        struct rp_type_count *items;
        size_t count;
        size_t capacity;
    } by_type;                            /* sorted by name */
    const struct rp_symbol **got_symbols; /* by GOT word: the symbol it stands for, or NULL */
    struct rp_culprits culprits;          /* relocations that could not be moved */
    bool copy_helps; /* with -r copy-only, the compiler would make code that needs no r9 */
};

/* The linked file, and what the image does by itself. */
struct rp_linked {
    const struct rp_elf *elf;
    const struct rp_linkmap *map;     /* names culprits */
    const struct rp_strings *imports; /* symbols of the firmware, by index; or NULL */
    const struct rp_image_format *format;
    enum rp_convention convention;
    /* The image may patch its own code once it is copied: such code is not an error. */
    bool copy_only;
    /* The image rebases words of RAM itself, except for the model's name (Cortex-M). */
    bool compact;
    /*
     * The code is given the weights' addresses by a call at init and sets its words itself, as the
     * vendor's runtime does: words that point into the weights are then 0 in the file and have no
     * fix-up.
     */
    bool weights_by_call;
};

/*
 * Errors of rp_parts_find, rp_parts_read_header and rp_culprits_fail (which names all culprits),
 * and RP_E_GOT_LAYOUT, RP_E_RELOC_UNKNOWN, RP_E_TOO_LARGE, RP_E_INTERNAL.
 */
bool rp_layout_make(struct rp_layout *layout, struct rp_arena *arena,
                    const struct rp_linked *linked, struct rp_error *err);
/* Bytes of the file that the compact table saves, less its boot code; may be negative. */
int64_t rp_layout_compact_saves(const struct rp_layout *layout);

#endif
