/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a debugger needs of an image: an ELF file with its code, symbols and debug information
 * (docs/FORMAT.md, "Debug file"), and what tells the image in memory and the parts of an instance.
 * In: a linked file that kept debug information, the finished image. Out: a file, and facts.
 */
#ifndef RP_ELFPACK_IMAGE_DEBUG_H
#define RP_ELFPACK_IMAGE_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "elfpack/image/image.h"
#include "elfpack/image/layout.h"

/* Parts whose address an instance is told when it is initialised or installed. */
enum rp_debug_part { RP_DEBUG_WEIGHTS, RP_DEBUG_ACTS, RP_DEBUG_PARTS };

/* A word of an instance that then holds an address in such a part. */
struct rp_debug_anchor {
    bool found;
    int32_t word;   /* RAM offset; negative: in the code, which a copy has in front of the data */
    int32_t offset; /* of that address in the part; may lie before it */
};

struct rp_debug_facts {
    uint32_t key; /* FNV-1a of the words of the header */
    uint32_t
        code_hash;  /* the same, carried on over the code: every step-th word, patched left out */
    uint32_t words; /* header, code, constants, tables; also the unit of the next three */
    uint32_t step;
    uint32_t patched;     /* the first word that a copy may have changed, … */
    uint32_t patched_end; /* … and the one after the last; both words when there is none */
    struct rp_debug_anchor anchors[RP_DEBUG_PARTS];
};

/*
 * Writes the ELF file at path. Its sections .text and .data have the bytes of the image at
 * image_path, whose build id it gets; .bss, .weights and .acts have none. RP_E_INPUT, RP_E_SYSTEM,
 * RP_E_NO_SPACE.
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
