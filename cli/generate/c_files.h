/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C for the firmware: NAME_rel.h with sizes and tensors of the image, and, when asked for, image
 * and weights as arrays (docs/FORMAT.md, "C files").
 */
#ifndef RP_CLI_GENERATE_C_FILES_H
#define RP_CLI_GENERATE_C_FILES_H

#include "cli/generate/generation.h"

/* Names in the output folder. */
struct rp_c_files {
    const char *header;
    const char *image;        /* the image as an array; NULL: not wanted */
    const char *image_header; /* includes the header; NULL: not wanted */
    const char *weights;      /* the weights file as an array; NULL: not wanted */
};

/* Stages the files. */
bool rp_c_files_write(struct rp_generation *run, const struct rp_c_files *names,
                      struct rp_error *err);

#endif
