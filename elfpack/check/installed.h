/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Installs a finished image in a buffer at arbitrary addresses, as docs/FORMAT.md describes loaders
 * and the image's boot code, and compares every byte with what the objects give for these
 * addresses. It does not ask the layout which words move: a word that was forgotten, or moved
 * needlessly, differs. In: the bytes that are about to be written, up to the weights.
 */
#ifndef RP_ELFPACK_CHECK_INSTALLED_H
#define RP_ELFPACK_CHECK_INSTALLED_H

#include "elfpack/image/layout.h"
#include "elfpack/check/validate.h"

/* A word of the data that the packer writes. */
struct rp_own_word {
    uint32_t addr; /* as linked */
    uint32_t value;
};

struct rp_installed_spec {
    const struct rp_link *link;
    const uint8_t *image;
    size_t image_size;
    uint32_t header_bytes; /* the entry vector included */
    const struct rp_own_word *own;
    size_t own_count;
    bool weights_by_call; /* words that point to the weights are 0: the code sets them */
};

enum { RP_OWN_WORDS = 4 };

/*
 * The words that the packer writes into the context of a Cortex-M image: two sizes in bytes, the
 * address of the tables and their CRC-32. image: the bytes of the read-only part. Returns their
 * number, at most RP_OWN_WORDS.
 */
size_t rp_own_words(struct rp_own_word *own, const struct rp_layout *layout, const uint8_t *image,
                    uint32_t acts_size, uint32_t weights_size);

/*
 * RP_E_IMAGE_CHECK: the image differs. RP_E_LINK_CHECK, RP_E_ELF: the objects contradict
 * themselves. Uses about as much memory as the image without weights, plus its RAM.
 */
bool rp_installed_check(const struct rp_installed_spec *spec, struct rp_error *err);

#endif
