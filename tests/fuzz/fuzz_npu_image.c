/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of runtime/reloc_npu_core.h: any bytes are refused, or described by offsets that are
 * all in bounds, and an accepted image is installed by the loader's own rules without leaving its
 * parts.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/reloc_npu_core.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

static void require_bounds(const struct reloc_npu_view *v, uint32_t size) {
    const struct reloc_view *b = &v->base;
    require(b->ro_bytes >= reloc_npu_header_bytes(v) && b->ro_bytes <= size);
    require(b->data_end <= b->got_start && b->got_start <= b->got_end && b->got_end <= b->bss_end);
    require(b->got_end <= size - b->ro_bytes && b->rel_start >= b->ro_bytes + b->got_end);
    require(b->rel_start <= b->rel_end && b->rel_end <= b->content_end && b->content_end <= size);
    require(b->ctx <= b->data_end && b->data_end - b->ctx >= RELOC_NPU_CTX_BYTES);
    require(b->trailer == 0 || (b->trailer >= b->content_end && b->trailer <= size));
    require(memchr(b->image + b->c_name, 0, b->ro_bytes - b->c_name) != NULL);
    require(memchr(b->image + v->rt_version_desc, 0, b->ro_bytes - v->rt_version_desc) != NULL);
    require(v->pool_count <= RELOC_NPU_POOLS_MAX);
    require(v->params_start == 0 || v->params_start + v->params_need <= size);
}

/* Reads every pool's contents, and writes to every word that the loader would write to. */
static void install(const struct reloc_npu_view *v) {
    const struct reloc_view *b = &v->base;
    uint8_t *block = malloc(b->ro_bytes + b->got_end);
    require(block != NULL);
    memcpy(block, b->image, b->ro_bytes + b->got_end);
    memset(block + b->ro_bytes + b->got_start, 0xFF, b->got_end - b->got_start);
    for (uint32_t at = b->rel_start; at < b->rel_end; at += 4) {
        uint32_t entry = reloc_get_le32(b->image, at);
        bool in_code = (entry & RELOC_SEG_MASK) == RELOC_NPU_SEG_FLASH;
        uint32_t offset = entry & RELOC_OFFSET_MASK;
        require(in_code ? v->needs_copy && offset + 4 <= b->ro_bytes : offset + 4 <= b->data_end);
        memset(block + (in_code ? 0 : b->ro_bytes) + offset, 0xFF, 4);
    }
    memset(block + b->ro_bytes + b->ctx, 0, RELOC_NPU_CTX_BYTES);
    free(block);
    for (uint32_t i = 0; v->params_start != 0 && i < v->pool_count; i++) {
        struct reloc_npu_row row = reloc_npu_row(v, i);
        uint32_t bytes = reloc_npu_round8(row.size);
        if (reloc_npu_row_has_params(row.flags))
            (void)reloc_crc32(b->image + v->params_start + row.foff, bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct reloc_npu_view view;
    if (size > 1u << 16)
        return 0;
    int32_t code = reloc_npu_check(data, (uint32_t)size, &view);
    require(code <= RELOC_OK);
    if (code != RELOC_OK)
        return 0;
    require_bounds(&view, (uint32_t)size);
    install(&view);
    require(reloc_npu_check_params(&view, data, (uint32_t)size) <= RELOC_OK);
    struct reloc_npu_view unsized;
    require(reloc_npu_check(data, RELOC_SIZE_UNKNOWN, &unsized) == RELOC_OK);
    require(unsized.params_need == view.params_need && unsized.needs_copy == view.needs_copy);
    return 0;
}
