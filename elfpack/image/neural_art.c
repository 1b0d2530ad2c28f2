/* SPDX-License-Identifier: Apache-2.0 */
/* The format of Neural-ART images: see elfpack/elf/format.h. */
#include "elfpack/elf/parts.h"
#include "elfpack/image/image.h"
#include "elfpack/image/reader.h"

#define PLACE(name, base, segment, member, needed)                                                 \
    { name, base, segment, offsetof(struct rp_parts, member), needed }

static const struct rp_format_place places[] = {
    PLACE(".flash", RELOC_SEG_FLASH, RP_SEG_FLASH, flash, true),
    PLACE(".data", RELOC_NPU_SEG_RAM, RP_SEG_RAM, data, true),
    PLACE(".bss", RELOC_NPU_SEG_RAM, RP_SEG_RAM, bss, false),
    PLACE(".ec_blobs", RELOC_NPU_SEG_PARAM_0, RP_SEG_PARAM_0, ec_blobs, false),
    PLACE(".params_0", RELOC_NPU_SEG_PARAM_0, RP_SEG_PARAM_0, params[0], false),
    PLACE(".params_1", RELOC_NPU_SEG_PARAM_1, RP_SEG_PARAM_1, params[1], false),
    {NULL},
};

/*
 * There are two kinds of entry vectors under one version number; only the size of the pack's own
 * table tells which.
 */
static bool find_header(struct rp_parts *parts, struct rp_error *err) {
    const struct rp_symbol *table = rp_elf_symbol(parts->elf, "_network_entries");
    uint32_t size = table != NULL ? table->size : 0;
    parts->header.entry_count = size / 4;
    if (table != NULL && table->value != (RELOC_SEG_FLASH | RELOC_HDR_ENTRIES))
        return rp_fail(err, RP_E_INTERNAL, "the entry table '_network_entries' is at 0x%08x",
                       table->value);
    if (size != 4 * RELOC_NPU_ENTRY_COUNT && size != 4 * RELOC_NPU_ENTRY_COUNT_13)
        return rp_fail(err, RP_E_ENTRY_ABI,
                       "the pack's entry table '_network_entries' has %u bytes; supported are %u "
                       "(LL_ATON up to 1.1.1) and %u (1.1.3)",
                       size, 4 * RELOC_NPU_ENTRY_COUNT, 4 * RELOC_NPU_ENTRY_COUNT_13);
    return rp_parts_ram_offset(parts, "_rp_pools", &parts->header.pools_at, err);
}

static const char *entry_name(size_t count, size_t index) {
    static const char *const names[] = {
        "ec_network_init",  "ec_inference_init",      "input_setter",
        "input_getter",     "output_setter",          "output_getter",
        "epoch_items",      "output_buffers",         "input_buffers",
        "internal_buffers", "weight_encryption_info", "blob_encryption_info"};
    return index + 1 == count ? "ctx" : names[index];
}

/* ---- writing ---- */

/* Epoch-controller blobs are aligned to a cache line, so the params that hold them are as well. */
static uint32_t weights_align(const struct rp_image_spec *spec) {
    const struct rp_section *blobs = spec->layout->parts.ec_blobs;
    return blobs != NULL && blobs->align > (uint32_t)RELOC_NPU_ALIGN ? blobs->align
                                                                     : (uint32_t)RELOC_NPU_ALIGN;
}

static void put_weights(uint8_t *head, const struct rp_layout *layout,
                        const struct rp_image_result *at) {
    rp_put_le32(head + RELOC_NPU_HDR_POOLS, RELOC_NPU_SEG_RAM | layout->parts.header.pools_at);
    rp_put_le32(head + RELOC_NPU_HDR_PARAMS_OFFSET, at->weights_start);
}

static bool params_crc32(const struct rp_weights_source *weights, uint32_t *crc32,
                         struct rp_error *err) {
    *crc32 = 0;
    for (; weights != NULL; weights = weights->next) {
        uint32_t part = 0;
        if (weights->size != 0 &&
            !rp_crc32_part(weights->path, weights->offset, weights->size, &part, err))
            return false;
        *crc32 = rp_crc32_join(*crc32, part, weights->size);
        *crc32 = rp_crc32_join(*crc32, rp_crc32_zeros(weights->padding), weights->padding);
    }
    return true;
}

/*
 * Size and CRC-32 of the params come before them in the file, so the params are read once before
 * they are copied. The sizes in the linked context are for reports only.
 */
static bool put_context(struct rp_buf *code, size_t context, const struct rp_image_spec *spec,
                        struct rp_image_result *result, struct rp_error *err) {
    char *ctx = code->data + context;
    result->acts_size = rp_get_le32(ctx + RELOC_NPU_CTX_ACTS_SIZE);
    result->weights_size = rp_get_le32(ctx + RELOC_NPU_CTX_PARAMS_SIZE);
    result->ext_ram_size = rp_get_le32(ctx + RELOC_NPU_CTX_EXT_RAM_SIZE);
    if (!params_crc32(&spec->weights, &result->params_crc32, err))
        return false;
    rp_put_le32(ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE, (uint32_t)rp_weights_size(&spec->weights));
    rp_put_le32(ctx + RELOC_NPU_CTX_PARAMS_BIN_CRC32, result->params_crc32);
    return true;
}

/* ---- reading ---- */

static int32_t check(struct rp_image_view *image, const struct rp_mapped *file) {
    int32_t code = reloc_npu_check(file->data, file->size, &image->npu);
    image->view = image->npu.base;
    return code;
}

static bool describe(struct rp_image_view *image, const struct rp_mapped *file,
                     struct rp_error *err) {
    const struct reloc_npu_view *npu = &image->npu;
    (void)file;
    (void)err;
    image->needs = (struct rp_image_needs){.ram_xip = reloc_npu_ram_xip(npu),
                                           .ram_copy = reloc_npu_ram_copy(npu),
                                           .copy = npu->needs_copy,
                                           .acts = reloc_npu_round8(npu->ext_ram_size),
                                           .weights = npu->params_bin_size};
    return true;
}

static int32_t check_weights(const struct rp_image_view *image, const struct rp_mapped *weights) {
    return reloc_npu_check_params(&image->npu, weights->data, weights->size);
}

const struct rp_image_format rp_format_neural_art = {
    .name = "neural-art",
    .title = "Neural-ART",
    .version = "8.0",
    .major = RELOC_NPU_MAJOR,
    .align = 8,
    .ram = RELOC_NPU_SEG_RAM,
    /* The context of LL_ATON 1.1.0 lacks the struct sizes, so the members after them move up. */
    .context_bytes = RELOC_NPU_CTX_BYTES - 4,
    .weights = RP_SEG_PARAM_0,
    .acts = RP_SEG_PARAM_1,
    .undefined_hint = "name the archive that has it with --runtime-lib; such an image calls no "
                      "firmware functions except those of its runtime",
    .places = places,
    .find_header = find_header,
    .entry_name = entry_name,
    .writer = {.places_empty = true,
               .weights_align = weights_align,
               .put_weights = put_weights,
               .put_context = put_context},
    .reader = {.check = check, .describe = describe, .check_weights = check_weights},
};
