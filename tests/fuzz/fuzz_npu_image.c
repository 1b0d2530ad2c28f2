/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of runtime/format/reloc_npu_core.h: any bytes are refused, or described by offsets
 * that are all in bounds, and an accepted image is installed by the loader's own functions without
 * leaving its parts, also when it has changed since it was checked.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/format/reloc_npu_core.h"

enum { ROM = 0x10000000, RAM = 0x30000000, PARAMS = 0x50000000, EXT_RAM = 0x70000000 };

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

/* Reads every pool's contents. */
static void read_pools(const struct reloc_npu_view *v) {
    const struct reloc_view *b = &v->base;
    for (uint32_t i = 0; v->params_start != 0 && i < v->pool_count; i++)
        if (reloc_npu_row_has_params(v->rows[i].flags))
            (void)reloc_crc32(0, b->image + v->params_start + v->rows[i].foff,
                              reloc_npu_round8(v->rows[i].size));
}

/* Whether an address of the installed image leads into it, its params or its external RAM. */
static bool leads_inside(const struct reloc_npu_view *v, uint32_t word) {
    return word == 0 || word - ROM <= v->base.ro_bytes || word - RAM <= v->base.bss_end ||
           word - PARAMS <= v->params_need || word - EXT_RAM <= v->ext_ram_size;
}

/* Uses a block of the exact size, so that the sanitizer sees a write outside. */
static void install(const struct reloc_npu_view *checked, bool copy) {
    struct reloc_npu_view view = *checked;
    const struct reloc_view *b = &view.base;
    uint32_t first = copy ? 0 : b->ro_bytes, bytes = b->ro_bytes + b->got_end - first;
    uint8_t *block = malloc(bytes + b->bss_end - b->got_end + RELOC_NPU_ALIGN);
    require(block != NULL);
    memcpy(block, b->image + first, bytes);
    struct reloc_npu_bases to = {ROM, RAM, PARAMS + view.param_0_base, EXT_RAM, first, block};
    uint32_t code = reloc_npu_rebase_all(&view, &to);
    for (uint32_t at = b->got_start; code == RELOC_OK && at < b->got_end; at += 4)
        require(leads_inside(&view, reloc_get_le32(block, b->ro_bytes - first + at)));
    require(view.params_need == checked->params_need);
    free(block);
}

/* Unchanged, and with one word changed since the check. */
static void install_changed(const struct reloc_npu_view *view, uint32_t size, uint32_t random) {
    struct reloc_npu_view changed = *view;
    uint8_t *bytes = malloc(size);
    require(bytes != NULL);
    memcpy(bytes, view->base.image, size);
    changed.base.image = bytes;
    install(view, true);
    install(view, false);
    for (uint32_t i = 0; i < 16; i++) {
        random = random * 1664525u + 1013904223u;
        uint32_t word = random, at = (random >> 8) % (size / 4) * 4;
        random = random * 1664525u + 1013904223u;
        word = random >> 30 == 0 ? word : random % 10 << 28 | (word & 0xFFFu);
        memcpy(bytes + at, &word, 4);
        install(&changed, random >> 29 & 1);
    }
    free(bytes);
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
    read_pools(&view);
    install_changed(&view, (uint32_t)size, reloc_crc32(0, data, (uint32_t)size));
    require(reloc_npu_check_params(&view, data, (uint32_t)size) <= RELOC_OK);
    struct reloc_npu_view unsized;
    require(reloc_npu_check(data, RELOC_SIZE_UNKNOWN, &unsized) == RELOC_OK);
    require(unsized.params_need == view.params_need && unsized.needs_copy == view.needs_copy);
    return 0;
}
