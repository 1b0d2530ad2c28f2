/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of an image in a linked file: output sections, their bounds and segments, and the entry
 * vector. Pure.
 *
 * The linker scripts (templates/image.ld and image_npu.ld) have to make the output sections .flash
 * at FLASH 0, .data with the GOT at its end at RAM 0, and .bss after it; for Cortex-M images,
 * .weights at WEIGHTS 0 and .acts at ACTS 0; for Neural-ART images, .ec_blobs and .params_0 at
 * PARAM_0 and .params_1 at PARAM_1. They define _rp_data_end, _rp_got_start, _rp_got_end and, for
 * Neural-ART, _rp_pools. All of this is checked against the format, not trusted.
 */
#ifndef RP_ELFPACK_ELF_PARTS_H
#define RP_ELFPACK_ELF_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "elfpack/elf/elf.h"
#include "elfpack/elf/format.h"
#include "elfpack/elf/reloc.h"
#include "runtime/format/reloc_format.h"

enum { RP_ENTRY_MAX = 13 };

/* Sizes in bytes, offsets in RAM. */
struct rp_bounds {
    uint32_t ro_size; /* header + text + rodata + fix-up and compact table */
    uint32_t data_end;
    uint32_t got_start;
    uint32_t got_end;
    uint32_t bss_start;
    uint32_t bss_end;
    uint32_t weights_size;
    uint32_t acts_size;
};

/* The image's header, as far as the linked file has it. */
struct rp_header {
    uint32_t flags;
    uint32_t entries[RP_ENTRY_MAX];
    uint32_t entry_count; /* the last one is the context */
    uint32_t pools_at;    /* Neural-ART: RAM offset of the table of pool descriptors */
};

struct rp_parts {
    const struct rp_elf *elf;
    const struct rp_image_format *format;
    const struct rp_section *flash;
    const struct rp_section *data;
    const struct rp_section *bss;       /* NULL when empty */
    const struct rp_section *weights;   /* Cortex-M only; NULL when empty */
    const struct rp_section *acts;      /* Cortex-M only; NULL when empty */
    const struct rp_section *ec_blobs;  /* Neural-ART only: blobs in the params, or NULL */
    const struct rp_section *params[2]; /* Neural-ART only: sections of relative pools, or NULL */
    struct rp_bounds bounds;
    struct rp_header header;
    bool unplaced; /* a section has no place in an image, or is too large */
};

/*
 * Finds sections and bounds; .elf and .format must be set. RP_E_ORPHAN: the format has no place for
 * an output section. RP_E_ENTRY_ABI: the entry vector has an unknown size. Also RP_E_GOT_LAYOUT,
 * RP_E_INIT_ARRAY, RP_E_TLS, RP_E_TOO_LARGE, RP_E_ELF, RP_E_INTERNAL.
 */
bool rp_parts_find(struct rp_parts *parts, struct rp_error *err);
/*
 * Reads the flags and the entry vector, after rp_parts_find. RP_E_INTERNAL: one of these is wrong.
 */
bool rp_parts_read_header(struct rp_parts *parts, struct rp_error *err);
/* The offset of a symbol of the linker script in the RAM segment. RP_E_INTERNAL. */
bool rp_parts_ram_offset(const struct rp_parts *parts, const char *name, uint32_t *offset,
                         struct rp_error *err);

/* Link address of a segment. */
uint32_t rp_parts_segment_base(const struct rp_parts *parts, enum rp_segment segment);
/* The segment of a section; RP_SEG_NONE: it is not a part of the image. */
enum rp_segment rp_parts_section_segment(const struct rp_parts *parts,
                                         const struct rp_section *section);
/* The segment of an address in one of the parts (the ends included), or RP_SEG_NONE. */
enum rp_segment rp_parts_segment(const struct rp_parts *parts, uint32_t addr);
/* The segment that a symbol is defined in. For an import, that of its stub. */
enum rp_segment rp_parts_symbol_segment(const struct rp_parts *parts,
                                        const struct rp_symbol *symbol);

/* The 4 bytes at a link address in .flash or .data; false: there are none. */
bool rp_parts_word(const struct rp_parts *parts, uint32_t addr, uint32_t *word);
/* Segment address of the context, once the header has been read. */
uint32_t rp_parts_context(const struct rp_parts *parts);
/* The linked word at a byte offset in the context. */
uint32_t rp_parts_context_word(const struct rp_parts *parts, uint32_t offset);

/* Bytes of the header, the entry vector included. */
uint32_t rp_parts_header_bytes(const struct rp_parts *parts);
/* Rounds up to the format's alignment. */
uint32_t rp_parts_round(const struct rp_parts *parts, uint32_t size);
/* Bytes of RAM that an instance needs, rounded up (docs/FORMAT.md). */
uint32_t rp_parts_ram_xip(const struct rp_parts *parts);
uint32_t rp_parts_ram_copy(const struct rp_parts *parts);

#endif
