/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of runtime/format/reloc_core.h: any bytes are refused, or described by offsets that
 * are all in bounds, and an accepted image is installed by the loader's own rules without leaving
 * its parts.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/format/reloc_core.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

static void require_bounds(const struct reloc_view *v, uint32_t size) {
    require(v->ro_bytes >= RELOC_HDR_BYTES && v->ro_bytes <= size);
    require(v->data_end <= v->got_start && v->got_start <= v->got_end && v->got_end <= v->bss_end);
    require(v->got_end <= size - v->ro_bytes && v->rel_start >= v->ro_bytes + v->got_end);
    require(v->rel_start <= v->rel_end && v->rel_end <= size && v->content_end <= size);
    require(v->weights_start == 0 ? v->weights_end == 0 : v->weights_start >= v->rel_end);
    require(v->weights_end <= size && v->weights_end >= v->weights_start);
    require(v->ctx <= v->data_end && v->data_end - v->ctx >= RELOC_CTX_BYTES);
    require(v->trailer == 0 || (v->trailer >= v->content_end && v->trailer <= size));
    require(memchr(v->image + v->c_name, 0, v->ro_bytes - v->c_name) != NULL);
}

/* Rebases in a buffer of the loaded size; every word then leads into the instance or is the file's.
 */
static void install(const struct reloc_view *v) {
    uint8_t *ram = malloc(v->got_end);
    require(ram != NULL);
    memcpy(ram, v->image + v->ro_bytes, v->got_end);
    const struct reloc_bases bases = {0x34000000, 0x50000000, ram};
    uint32_t code = reloc_rebase_all(v, &bases);
    require(code == RELOC_OK || code == RELOC_N_REL_DUPLICATE);
    for (uint32_t at = v->got_start; at < v->got_end && code == RELOC_OK; at += 4) {
        uint32_t word = reloc_get_le32(ram, at);
        require(word == 0 || word - bases.rom <= v->ro_bytes || word - bases.ram <= v->bss_end);
    }
    memset(ram + v->ctx, 0, RELOC_CTX_BYTES);
    free(ram);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct reloc_view view;
    if (size > 1u << 16)
        return 0;
    int32_t code = reloc_core_check(data, (uint32_t)size, &view);
    require(code <= RELOC_OK);
    if (code != RELOC_OK)
        return 0;
    require_bounds(&view, (uint32_t)size);
    install(&view);
    require(reloc_core_check_weights(&view, data, (uint32_t)size) <= RELOC_OK);
    return 0;
}
