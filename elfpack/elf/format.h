/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A format of images (docs/FORMAT.md) as values and hooks: everything in which one differs from the
 * other, from the linked file to the bytes of the image and back. The two are in
 * elfpack/image/cortex_m.c and neural_art.c.
 */
#ifndef RP_ELFPACK_ELF_FORMAT_H
#define RP_ELFPACK_ELF_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "elfpack/elf/reloc.h"

struct rp_image_result;
struct rp_image_spec;
struct rp_image_view;
struct rp_layout;
struct rp_mapped;
struct rp_parts;

/* Where an output section lies. */
struct rp_format_place {
    const char *name; /* NULL ends the table */
    uint32_t base;    /* link address of the segment */
    enum rp_segment segment;
    size_t member; /* offset of the pointer in struct rp_parts */
    bool needed;
};

/* What the writer does (elfpack/image/image.c). */
struct rp_format_writer {
    bool places_empty; /* loaders need the offset of the weights even if there are none */
    uint32_t (*weights_align)(const struct rp_image_spec *spec);
    /* The last two words before the entry vector. at: offsets in the image. */
    void (*put_weights)(uint8_t *head, const struct rp_layout *layout,
                        const struct rp_image_result *at);
    /*
     * Completes the context, whose offset in code is given, and takes the sizes in it into the
     * result. RP_E_WEIGHTS, RP_E_INPUT.
     */
    bool (*put_context)(struct rp_buf *code, size_t context, const struct rp_image_spec *spec,
                        struct rp_image_result *result, struct rp_error *err);
};

/* What the reader does (elfpack/image/reader.c). */
struct rp_format_reader {
    bool needs_trailers; /* an image with a trailer takes only weights files with one */
    /* The loader's check, which fills in the view; a code of runtime/format/reloc_errors.def. */
    int32_t (*check)(struct rp_image_view *image, const struct rp_mapped *file);
    /* Then counts the image's own tables and finds out what an instance needs. RP_E_IMAGE. */
    bool (*describe)(struct rp_image_view *image, const struct rp_mapped *file,
                     struct rp_error *err);
    int32_t (*check_weights)(const struct rp_image_view *image, const struct rp_mapped *weights);
};

struct rp_image_format {
    const char *name;           /* in documents: "cortex-m" */
    const char *title;          /* in messages: "Cortex-M" */
    const char *version;        /* "2.0" */
    uint32_t major;             /* RELOC_MAJOR, RELOC_NPU_MAJOR */
    uint32_t align;             /* of parts of the file, and of sizes of RAM */
    uint32_t ram;               /* link address of the RAM segment */
    uint32_t context_bytes;     /* at least */
    enum rp_segment weights;    /* the segment of the weights; Neural-ART: of the params */
    enum rp_segment acts;       /* of the activations; Neural-ART: of the external RAM */
    bool counts_acts;           /* activations are RAM of the application, and totals have them */
    bool patches_code;          /* an image may patch its code in a copy of itself */
    const char *undefined_hint; /* about a symbol that nothing defines */
    const struct rp_format_place *places;
    /* Sets the number of entries and what else the header takes from the linked file. */
    bool (*find_header)(struct rp_parts *parts, struct rp_error *err);
    /* "create": an entry of a vector with that many words. */
    const char *(*entry_name)(size_t count, size_t index);
    struct rp_format_writer writer;
    struct rp_format_reader reader;
};

extern const struct rp_image_format rp_format_cortex_m, rp_format_neural_art;

/* The format with that major version, or NULL. */
const struct rp_image_format *rp_format_find(uint32_t major);

#endif
