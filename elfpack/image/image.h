/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes an image: layout in, files out, byte for byte as docs/FORMAT.md says. The weights are
 * streamed from where they are (the ELF file or a raw file), never held in memory.
 */
#ifndef RP_ELFPACK_IMAGE_IMAGE_H
#define RP_ELFPACK_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "elfpack/image/integrity.h"
#include "elfpack/image/layout.h"

/* The weights: parts of files, one after the other. size 0: there are none. */
struct rp_weights_source {
    const char *path;
    uint64_t offset;
    uint64_t size;
    uint64_t padding; /* zeros after it, in bytes */
    const struct rp_weights_source *next;
};

/* Bytes of all parts, padding included. */
uint64_t rp_weights_size(const struct rp_weights_source *weights);

struct rp_image_result;

/* Is given the bytes up to the weights before any file is written; false and an error stop it. */
struct rp_image_check {
    bool (*check)(const void *context, const uint8_t *bytes, size_t size,
                  const struct rp_image_result *result, struct rp_error *err);
    const void *context;
};

struct rp_image_spec {
    const struct rp_layout *layout;
    struct rp_weights_source weights;
    /* Cortex-M: values for the context in bytes, or -1 to keep those of the linked code. */
    int64_t acts_size;
    int64_t weights_size;
    uint32_t weights_align;      /* Cortex-M, of weights in the image: a power of 2; 0: the usual */
    const char *image_path;      /* to write */
    const char *weights_path;    /* to write; NULL: weights inside the image */
    struct rp_image_check check; /* check NULL: none */
};

/* Offsets in the image file, and sums. */
struct rp_image_result {
    uint32_t rel_start;
    uint32_t rel_end;
    uint32_t weights_start; /* 0 when there are none inside */
    uint32_t weights_end;
    uint32_t trailer;
    uint32_t acts_size; /* of the context, in bytes */
    uint32_t weights_size;
    uint32_t ext_ram_size; /* Neural-ART */
    uint32_t params_crc32; /* Neural-ART: of all bytes of the params */
    struct rp_sum image;   /* of the whole file, trailer included */
    struct rp_sum weights; /* of the weights file, when there is one */
    uint8_t build_id[RELOC_BUILD_ID_BYTES];
};

/*
 * Writes the image and, with weights_path, the weights file. RP_E_WEIGHTS: the weights do not have
 * the size that the context declares. RP_E_TOO_LARGE: the image or a size does not fit the format.
 * RP_E_INPUT: the weights cannot be read. RP_E_NO_SPACE, RP_E_SYSTEM: a file cannot be written.
 * RP_E_INTERNAL, and what the check gives.
 */
bool rp_image_write(const struct rp_image_spec *spec, struct rp_image_result *result,
                    struct rp_error *err);

/* Does the file end in a relocpack trailer for weights? */
bool rp_is_weights_file(const char *path);
/* Bytes of a weights file without its trailer, if it has one. RP_E_INPUT: it cannot be read. */
bool rp_weights_payload(const char *path, uint64_t *size, struct rp_error *err);

#endif
