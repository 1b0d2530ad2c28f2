/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of `inspect` share: inspect.c (Cortex-M, ELF) and inspect_npu.c. */
#ifndef RP_CLI_INSPECT_INSPECT_H
#define RP_CLI_INSPECT_INSPECT_H

#include "base/arena.h"
#include "base/json.h"
#include "elfpack/reader.h"

/* A part of an image: addresses in its segment, or offsets in the file. */
struct rp_image_part {
    const char *name;
    const char *segment;
    uint32_t start;
    uint32_t end;
};

void rp_inspect_head(const struct rp_mapped *file, const struct rp_image_view *image);
void rp_inspect_parts(const struct rp_image_part *parts, size_t count);
void rp_inspect_integrity(const struct rp_image_view *image);

void rp_inspect_word_json(struct rp_json *object, const char *key, uint32_t word);
/* kind, file size, name, version, flags, toolchain, core, RAM. */
void rp_inspect_head_json(struct rp_json *root, const struct rp_mapped *file,
                          const struct rp_image_view *image);
void rp_inspect_parts_json(struct rp_json *root, const struct rp_image_part *parts, size_t count);
/* An object of words by where they lead. */
struct rp_json *rp_inspect_counts_json(struct rp_json *root, const char *key, uint32_t words,
                                       const struct rp_word_counts *counts);
void rp_inspect_integrity_json(struct rp_json *root, const struct rp_image_view *image);

/* A Neural-ART image (image->is_npu). */
void rp_inspect_npu(const struct rp_mapped *file, const struct rp_image_view *image);
void rp_inspect_npu_json(struct rp_json *root, const struct rp_mapped *file,
                         const struct rp_image_view *image);

/* A weights or params file (rp_is_weights_file). RP_E_INTEGRITY. */
bool rp_inspect_weights(struct rp_arena *arena, const struct rp_mapped *file, bool json,
                        struct rp_error *err);

#endif
