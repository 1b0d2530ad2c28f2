/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a linked ELF file to what an image holds: segment sizes, GOT, the REL list, the fix-up
 * table, the entry vector; and everything that stands in the way. Pure: arrays in, arrays out.
 *
 * What it expects of the linker scripts (templates/image.ld and image_npu.ld): output sections
 * .flash at FLASH 0, .data (the GOT inside it, behind the data) at RAM 0, .bss behind it; of
 * Cortex-M images .weights at WEIGHTS 0 and .acts at ACTS 0, of Neural-ART images .ec_blobs and
 * .params_0 at PARAM_0, .params_1 at PARAM_1; symbols _rp_data_end, _rp_got_start, _rp_got_end,
 * _rp_fixups or _rp_pools. Nothing is taken on trust: what the format says is checked against
 * sections and relocations.
 */
#ifndef RP_ELFPACK_LAYOUT_H
#define RP_ELFPACK_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/compact.h"
#include "elfpack/elf.h"
#include "elfpack/linkmap.h"
#include "elfpack/reloc.h"
#include "runtime/reloc_format.h"

/* What the image sets itself: see reloc_format.h, "fix-up table". */
struct rp_fixup {
    uint32_t where;  /* RAM segment address, or RELOC_FIXUP_CODE_* | offset in FLASH */
    uint32_t target; /* segment address, in RAM only of WEIGHTS or ACTS; or RELOC_IMPORT_TARGET */
};

struct rp_fixups {
    struct rp_fixup *items;
    size_t count;
    size_t capacity;
};

/* A relocation that cannot be: one line of an error message. */
struct rp_culprit {
    enum rp_action action; /* RP_ACT_NOT_PIC, _UNDEFINED, _TLS, _UNKNOWN */
    uint32_t type;
    uint32_t place;
    const char *why;
    const char *target; /* the symbol that is referred to */
    bool patchable;     /* not with linked->copy_only */
    bool is_pointer;    /* a word of the data: what is wrong is its place, or where it leads */
};

struct rp_culprits {
    struct rp_culprit *items;
    size_t count;
    size_t capacity;
};

struct rp_type_count {
    const char *type;
    uint32_t flash; /* relocations whose place is in header, text, rodata */
    uint32_t ram;
};

/* The two formats of images (docs/FORMAT.md); the segments that they differ in are in layout.c. */
enum rp_format { RP_FORMAT_CORTEX_M, RP_FORMAT_NEURAL_ART };

enum { RP_ENTRY_MAX = 13 };

struct rp_layout {
    const struct rp_elf *elf;
    const struct rp_strings *imports; /* or NULL */
    enum rp_format format;
    const struct rp_section *flash;
    const struct rp_section *data;
    const struct rp_section *bss;       /* NULL when empty */
    const struct rp_section *weights;   /* NULL when empty; of Cortex-M images */
    const struct rp_section *acts;      /* NULL when empty; of Cortex-M images */
    const struct rp_section *ec_blobs;  /* blobs in the params, or NULL; of Neural-ART images */
    const struct rp_section *params[2]; /* what the relative pools are addressed by, or NULL */
    uint32_t flags;
    uint32_t entries[RP_ENTRY_MAX];
    uint32_t entry_count; /* the last one is the context */
    uint32_t pools_at;    /* Neural-ART: RAM offset of the table of pool descriptors */
    uint32_t fixups_at;   /* offset in FLASH of the fix-up table; 0 = none */
    uint32_t tables_at;   /* the same, of the list of imports before it when there is one */
    uint32_t ro_size;     /* bytes of header + text + rodata + fix-up and compact table */
    uint32_t data_end;    /* RAM offsets */
    uint32_t got_start;
    uint32_t got_end;
    uint32_t bss_start;
    uint32_t bss_end;
    uint32_t weights_size;
    uint32_t acts_size;
    struct rp_words rel;     /* segment addresses of words to rebase, sorted, unique */
    struct rp_words listed;  /* of these, what the REL list has: all, unless there is compact */
    struct rp_words compact; /* the compact table with its end; empty when there is none */
    uint32_t compact_code;   /* bytes of the boot code that applies it */
    struct rp_fixups fixups; /* sorted by where */
    struct rp_fixups nulled; /* as fixups, but left to the vendor's runtime */
    struct rp_words based;   /* FLASH offsets of MOVTs that hold a distance and the RAM segment */
    uint32_t got_used;       /* GOT words that name a symbol */
    uint32_t text_patches;   /* entries of rel and fixups in code: such an image has to be copied */
    struct {
        struct rp_type_count *items;
        size_t count;
        size_t capacity;
    } by_type; /* sorted by name */
    struct rp_culprits culprits;
};

/* What the linker made. */
struct rp_linked {
    const struct rp_elf *elf;
    const struct rp_linkmap *map;     /* names culprits */
    const struct rp_strings *imports; /* symbols of the firmware, by index; or NULL */
    enum rp_format format;
    enum rp_convention convention;
    /* The image may patch its own code once it is copied: such code is not an error. */
    bool copy_only;
    /* The image rebases words of RAM itself, but for the model's name (Cortex-M). */
    bool compact;
    /* The code gets the weights' addresses by a call at init and sets its words itself (the
       vendor's runtime): words that point into the weights are then 0 in the file and have no
       fix-up. */
    bool weights_by_call;
};

/*
 * false + an error: RP_E_ORPHAN (an output section the format has no place for), RP_E_GOT_LAYOUT,
 * RP_E_INIT_ARRAY, RP_E_ENTRY_ABI (an entry vector of unknown size), RP_E_UNDEFINED, RP_E_TLS,
 * RP_E_NOT_PIC, RP_E_RELOC_UNKNOWN (all culprits by name), RP_E_TOO_LARGE, RP_E_ELF, RP_E_INTERNAL.
 */
bool rp_layout_make(struct rp_layout *layout, struct rp_arena *arena,
                    const struct rp_linked *linked, struct rp_error *err);

/* The 4 bytes at a link address in .flash or .data; false when they are not there. */
bool rp_layout_word(const struct rp_layout *layout, uint32_t addr, uint32_t *word);
/* The segment of an address in one of the image's parts, their ends included; or RP_SEG_NONE. */
enum rp_segment rp_layout_segment(const struct rp_layout *layout, uint32_t addr);
/* The segment that a symbol stands for, by where it is defined. */
enum rp_segment rp_layout_symbol_segment(const struct rp_layout *layout,
                                         const struct rp_symbol *symbol);
/*
 * The target of a fix-up for a word that leads to address, from the part that the symbol lies in:
 * its offset may be before the start. RP_E_TOO_LARGE.
 */
bool rp_layout_target(const struct rp_layout *layout, const struct rp_symbol *symbol,
                      uint32_t address, uint32_t *target, struct rp_error *err);
/* The word at a byte offset in the context, which is in the data, as linked. */
uint32_t rp_layout_context_word(const struct rp_layout *layout, uint32_t offset);
/* Bytes of the header, the entry vector included. */
uint32_t rp_layout_header_bytes(const struct rp_layout *layout);
/* 4 or 8: what parts of the file and sizes of RAM are rounded up to. */
uint32_t rp_layout_align(const struct rp_layout *layout);
uint32_t rp_layout_round(const struct rp_layout *layout, uint32_t size);
/* Bytes of the file that the compact table saves, its boot code paid for; may be negative. */
int64_t rp_layout_compact_saves(const struct rp_layout *layout);
/* RAM that an instance needs, rounded up: image-format 1.4. */
uint32_t rp_layout_ram_xip(const struct rp_layout *layout);
uint32_t rp_layout_ram_copy(const struct rp_layout *layout);

#endif
