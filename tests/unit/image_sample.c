/* SPDX-License-Identifier: Apache-2.0 */
/* The image of a small link: see image_sample.h. */
#include "tests/unit/image_sample.h"

#include <string.h>

#include "base/buf.h"
#include "runtime/format/reloc_format.h"

void image_sample_make(struct image_sample *image) {
    const uint32_t v = RELOC_SEG_RAM | LINK_DATA;
    *image = (struct image_sample){.fixups = {{RELOC_FIXUP_CODE_MOVW | LINK_ABS, v},
                                              {RELOC_FIXUP_CODE_MOVT | (LINK_ABS + 4), v},
                                              {RELOC_SEG_RAM | LINK_TO_W, RELOC_SEG_WEIGHTS}},
                                   .fixup_count = 3,
                                   .rel = {RELOC_SEG_RAM, RELOC_SEG_RAM | 4},
                                   .rel_count = 2,
                                   .own = {IMAGE_ACTS, LINK_WEIGHTS}};
    link_sample_make(&image->l);
}

static void put(struct image_sample *image, uint32_t word) {
    rp_put_le32(image->bytes + image->size, word);
    image->size += 4;
}

static void put_header(struct image_sample *image) {
    const uint32_t words[] = {RELOC_SEG_RAM,
                              RELOC_SEG_RAM | LINK_DATA,
                              RELOC_SEG_FLASH | image->data,
                              RELOC_SEG_RAM | LINK_DATA,
                              RELOC_SEG_RAM | (LINK_DATA + LINK_BSS),
                              RELOC_SEG_RAM | LINK_GOT,
                              RELOC_SEG_RAM | (LINK_GOT + 8),
                              RELOC_SEG_FLASH | image->list,
                              RELOC_SEG_FLASH | image->size};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        rp_put_le32(image->bytes + RELOC_HDR_DATA_START + 4 * i, words[i]);
}

void image_sample_write(struct image_sample *image) {
    memcpy(image->bytes, image->l.flash, LINK_FLASH);
    rp_put_le32(image->bytes + LINK_FIXUPS, image->fixup_count);
    image->size = LINK_FLASH;
    for (unsigned i = 0; i < image->fixup_count; i++) {
        put(image, image->fixups[i].where);
        put(image, image->fixups[i].target);
    }
    for (unsigned i = 0; i < image->compact_count; i++)
        put(image, image->compact[i]);
    for (unsigned i = 0; i < image->more; i++)
        put(image, 0);
    image->data = image->size;
    memcpy(image->bytes + image->data, image->l.data, LINK_DATA);
    for (unsigned i = 0; i < 2; i++)
        rp_put_le32(image->bytes + image->data + LINK_CTX + 4 * i, image->own[i]);
    if (image->weights_by_call)
        rp_put_le32(image->bytes + image->data + LINK_TO_W, 0);
    image->list = image->size = image->data + LINK_DATA;
    for (unsigned i = 0; i < image->rel_count; i++)
        put(image, image->rel[i]);
    put_header(image);
}

bool image_sample_check(const struct rp_link *link, const uint8_t *bytes, size_t size,
                        bool weights_by_call, struct rp_error *err) {
    const struct rp_own_word own[] = {{RELOC_SEG_RAM | LINK_CTX, IMAGE_ACTS},
                                      {RELOC_SEG_RAM | (LINK_CTX + 4), LINK_WEIGHTS}};
    const struct rp_installed_spec spec = {.link = link,
                                           .image = bytes,
                                           .image_size = size,
                                           .header_bytes = RELOC_HDR_BYTES,
                                           .own = own,
                                           .own_count = 2,
                                           .weights_by_call = weights_by_call};
    return rp_installed_check(&spec, err);
}
