/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a debugger needs for an image: an ELF file with its code, symbols and debug information
 * (docs/FORMAT.md, "Debug file"), and how to recognise the image in memory and the parts of an
 * instance. In: a linked file that kept its debug information, and the finished image. Out: the ELF
 * file, and rp_debug_facts.
 */
#ifndef RP_ELFPACK_IMAGE_DEBUG_H
#define RP_ELFPACK_IMAGE_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "elfpack/image/image.h"
#include "elfpack/image/layout.h"

/* Parts whose address an instance is given when it is initialised or installed. */
enum rp_debug_part { RP_DEBUG_WEIGHTS, RP_DEBUG_ACTS, RP_DEBUG_PARTS };

/* A word of an instance that afterwards holds an address in such a part. */
struct rp_debug_anchor {
    bool found;
    int32_t word;   /* RAM offset; negative: in the code, which precedes the data in a copy */
    int32_t offset; /* of that address from the start of the part; may be negative */
};

struct rp_debug_facts {
    uint32_t key; /* FNV-1a of the words of the header */
    uint32_t
        code_hash;    /* key, continued over every step-th word of the code, except patched ones */
    uint32_t words;   /* words of header, code, constants and tables */
    uint32_t step;    /* in words, like the next two */
    uint32_t patched; /* the first word that a copy may change, … */
    uint32_t patched_end; /* … and the one after the last; both equal `words` when there is none */
    struct rp_debug_anchor anchors[RP_DEBUG_PARTS];
};

/*
 * Writes the ELF file at path. Its sections .text and .data have the bytes of the image at
 * image_path, and its build id; .bss, .weights and .acts have no bytes. RP_E_INPUT: the image
 * cannot be read. RP_E_SYSTEM, RP_E_NO_SPACE: the ELF file cannot be written.
 */
struct rp_debug_spec {
    const struct rp_layout *layout;
    const char *image_path;
    const uint8_t *build_id; /* RELOC_BUILD_ID_BYTES */
    const char *path;
};
bool rp_debug_write(const struct rp_debug_spec *spec, struct rp_debug_facts *facts,
                    struct rp_error *err);

#endif
