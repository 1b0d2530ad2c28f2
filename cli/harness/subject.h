/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image that a command runs, and the files that belong to it: weights and report. They are
 * found beside the image by its name, NAME_rel.bin.
 */
#ifndef RP_CLI_HARNESS_SUBJECT_H
#define RP_CLI_HARNESS_SUBJECT_H

#include "base/arena.h"
#include "cli/format.h"
#include "elfpack/image/reader.h"

struct rp_subject {
    const char *path;
    const char *weights_path; /* NULL: none, or inside */
    struct rp_mapped file;
    struct rp_image_view view;
    const struct rp_format *format;
};

/*
 * Opens an image and checks that its weights file is the right one. weights: the file that the user
 * named, or NULL. RP_E_USAGE: a weights file is needed and was not found; RP_E_IMAGE and others of
 * rp_image_read and rp_weights_check.
 */
bool rp_subject_open(struct rp_subject *subject, struct rp_arena *arena, const char *path,
                     const char *weights, struct rp_error *err);
/* The same without its weights file, which is not looked for. */
bool rp_subject_open_image(struct rp_subject *subject, struct rp_arena *arena, const char *path,
                           struct rp_error *err);
void rp_subject_close(struct rp_subject *subject);

/* Does a file begin like an image, of either format? */
bool rp_subject_is_image(const char *path);
/* Bytes of weights outside the image. */
uint32_t rp_subject_weights_size(const struct rp_subject *subject);
/* Path of the report beside the image, or NULL when the image is not named NAME_rel.bin. */
const char *rp_subject_report(const struct rp_subject *subject, struct rp_arena *arena);

/* Path of the debugger's file beside it, or NULL. */
const char *rp_subject_elf(const struct rp_subject *subject, struct rp_arena *arena);

/*
 * Sets the hint for a file or folder that is not the image that is wanted: what was probably meant.
 * Always false.
 */
bool rp_subject_hint(struct rp_arena *arena, const char *path, struct rp_error *err);

#endif
