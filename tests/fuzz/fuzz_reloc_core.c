/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of runtime/reloc_core.h: any bytes are refused, or described by offsets that are all
 * in bounds, and an accepted image is installed by the loader's own rules without leaving its
 * parts.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/reloc_core.h"

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

/* Writes to every word that the loader would write to, in a buffer of the loaded size. */
static void install(const struct reloc_view *v) {
    uint8_t *ram = malloc(v->got_end);
    require(ram != NULL);
    memcpy(ram, v->image + v->ro_bytes, v->got_end);
    memset(ram + v->got_start, 0xFF, v->got_end - v->got_start);
    for (uint32_t at = v->rel_start; at < v->rel_end; at += 4) {
        uint8_t *word = ram + (reloc_get_le32(v->image, at) & RELOC_OFFSET_MASK);
        require(word + 4 <= ram + v->data_end);
        memset(word, 0xFF, 4);
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
