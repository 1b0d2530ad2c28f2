/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an image file of a Cortex-M or Neural-ART model on the host: maps it, checks it with the
 * loader's own code, and verifies CRC-32 and SHA-256. In: a path. Out: the view of
 * runtime/format/reloc_core.h or runtime/format/reloc_npu_core.h, and counts.
 */
#ifndef RP_ELFPACK_IMAGE_READER_H
#define RP_ELFPACK_IMAGE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "elfpack/elf/format.h"
#include "elfpack/image/checks.h"
#include "elfpack/image/integrity.h"

struct rp_mapped {
    const char *path;
    const uint8_t *data;
    uint32_t size;
};

/* Maps a whole file. RP_E_INPUT: it is not a readable regular file, empty or above 256 MiB. */
bool rp_map_file(struct rp_mapped *file, const char *path, struct rp_error *err);
void rp_unmap_file(struct rp_mapped *file);

/* How many words of the GOT or of a list lead to each part. */
struct rp_word_counts {
    uint32_t flash;
    uint32_t ram;
    uint32_t params;  /* Neural-ART: the relative pool of params */
    uint32_t ext_ram; /* Neural-ART: the relative pool in external RAM */
    uint32_t zero;
};

/* What an instance of an image needs; bytes. */
struct rp_image_needs {
    uint32_t ram_xip;  /* RAM when it is executed in place, */
    uint32_t ram_copy; /* and when it is copied */
    bool copy;         /* it has addresses in its code: it cannot be executed in place */
    uint32_t acts;     /* activations that the caller gives; Neural-ART: external RAM */
    uint32_t weights;  /* Neural-ART: params */
};

struct rp_image_view {
    const struct rp_image_format *format;
    struct reloc_view view;    /* for Neural-ART, the same as npu.base */
    struct reloc_npu_view npu; /* Neural-ART; zeros in other images */
    struct rp_image_needs needs;
    struct rp_word_counts got;
    struct rp_word_counts rel;
    uint32_t rel_in_flash;         /* Neural-ART: words of rel that lie in the read-only part */
    struct rp_word_counts compact; /* words that the image rebases itself */
    uint32_t compact_bytes;        /* Cortex-M: of their table, 0 when there is none */
    uint32_t fixups;               /* Cortex-M: entries of the fix-up table, 0 when there is none */
    uint32_t patches;              /* of these, in code: such an image works in COPY mode only */
    const uint8_t *imports;        /* the first of import_count rows: a version, a name */
    uint32_t import_count;
    bool has_trailer;
    struct rp_trailer trailer;
    uint8_t sha256[RELOC_SHA256_BYTES]; /* of the whole file; only with a trailer */
};

/*
 * Reads images of versions 2.0 (Cortex-M) and 8.0 (Neural-ART), and of version 1.0, which no loader
 * of version 2.0 accepts. RP_E_IMAGE: something is wrong; the text is the loader's, about the first
 * such thing. RP_E_INTEGRITY: the trailer or the params do not match the bytes.
 */
bool rp_image_read(struct rp_image_view *image, const struct rp_mapped *file, struct rp_error *err);
/* Reads the trailer of a weights or params file. RP_E_INTEGRITY: it does not match the bytes. */
bool rp_weights_read(struct rp_trailer *trailer, const struct rp_mapped *file,
                     struct rp_error *err);
/*
 * Checks a weights or params file against its image: length, CRC-32, SHA-256, build id.
 * RP_E_WEIGHTS: its size is wrong. RP_E_INTEGRITY: anything else is.
 */
bool rp_weights_check(const struct rp_image_view *image, const struct rp_mapped *weights,
                      struct rp_error *err);
/* SHA-256 of the whole file that the image was read from. */
void rp_image_sha256(uint8_t out[RELOC_SHA256_BYTES], const struct rp_image_view *image,
                     const struct rp_mapped *file);
/* The row that follows a row of image->imports. */
const uint8_t *rp_next_import(const uint8_t *import);
/*
 * The address above which the params (RELOC_NPU_POOL_ID_PARAM) or the external RAM
 * (RELOC_NPU_POOL_ID_EXT_RAM) have to lie, because the NPU reaches them through its cache; else 0.
 */
uint32_t rp_image_above(const struct rp_image_view *image, uint32_t id);
/* The text for an error code of the loader. */
const char *rp_reloc_error_text(int32_t code);

/*
 * Bytes after the trailer and its signature that belong to nothing. 0 without a trailer, and when
 * there is only erased or cleared memory, as in a copy of a flash slot.
 */
uint32_t rp_image_stray(const struct rp_image_view *image, const struct rp_mapped *file);

#endif
