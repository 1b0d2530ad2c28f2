/* SPDX-License-Identifier: Apache-2.0 */
/* What `inspect` shows of both kinds of images, as text and as JSON. */
#ifndef RP_CLI_INSPECT_PARTS_H
#define RP_CLI_INSPECT_PARTS_H

#include "base/json.h"
#include "elfpack/image/reader.h"

/* What is shown of an image of a format. */
struct rp_inspect_format {
    void (*print)(const struct rp_mapped *file, const struct rp_image_view *image);
    void (*json)(struct rp_json *root, const struct rp_mapped *file,
                 const struct rp_image_view *image);
};

/* A part of an image. start and end are addresses in its segment, or offsets in the file. */
struct rp_inspect_part {
    const char *name;
    const char *segment;
    uint32_t start;
    uint32_t end;
};

void rp_inspect_head(const struct rp_mapped *file, const struct rp_image_view *image);
void rp_inspect_parts(const struct rp_inspect_part *parts, size_t count);
/* Build id and integrity. */
void rp_inspect_trailer(const struct rp_trailer *trailer);
void rp_inspect_integrity(const struct rp_image_view *image);

/* Members kind, file size, name, version, flags, toolchain, core, RAM. */
void rp_inspect_head_json(struct rp_json *root, const struct rp_mapped *file,
                          const struct rp_image_view *image);
/* Member "sections". */
void rp_inspect_parts_json(struct rp_json *root, const struct rp_inspect_part *parts, size_t count);
/* Adds an object that counts words by where they point. */
struct rp_json *rp_inspect_counts_json(struct rp_json *root, const char *key, uint32_t words,
                                       const struct rp_word_counts *counts);
/* Adds the member "integrity". offset: where the trailer lies in its file. */
void rp_inspect_trailer_json(struct rp_json *root, const struct rp_trailer *trailer,
                             uint64_t offset);
/* The same for an image, if it has a trailer. */
void rp_inspect_integrity_json(struct rp_json *root, const struct rp_image_view *image);

#endif
