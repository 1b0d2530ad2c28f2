/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image of link_sample's link, written word by word from docs/FORMAT.md: what the packer would
 * write. Tests change the words before it is written, or its bytes afterwards.
 */
#ifndef RP_TESTS_UNIT_IMAGE_SAMPLE_H
#define RP_TESTS_UNIT_IMAGE_SAMPLE_H

#include "elfpack/check/installed.h"
#include "tests/unit/link_sample.h"

enum { IMAGE_ACTS = 64, IMAGE_LISTED = 4 };

struct image_sample {
    struct link_sample l;
    struct rp_fixup fixups[IMAGE_LISTED];
    uint32_t rel[IMAGE_LISTED], compact[IMAGE_LISTED];
    unsigned fixup_count, rel_count, compact_count, more; /* zeros that end the read-only part */
    bool weights_by_call;
    uint32_t own[2]; /* words of the context */
    uint8_t bytes[512];
    uint32_t data, list, size; /* where they begin in bytes */
};

void image_sample_make(struct image_sample *sample);
/* Writes the image into bytes. */
void image_sample_write(struct image_sample *sample);
/* Installs size bytes as the image of a checked link. */
bool image_sample_check(const struct rp_link *link, const uint8_t *bytes, size_t size,
                        bool weights_by_call, struct rp_error *err);

#endif
