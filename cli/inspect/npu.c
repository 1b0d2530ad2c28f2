/* SPDX-License-Identifier: Apache-2.0 */
/* Pools, context and flags of a Neural-ART image: see npu.h. */
#include "cli/inspect/npu.h"

#include <stdio.h>

#include "base/buf.h"
#include "cli/report/npu_names.h"
#include "cli/report/table.h"
#include "cli/terminal.h"

enum { PARTS = 7 };

static void list_parts(const struct reloc_npu_view *npu, struct rp_inspect_part parts[PARTS]) {
    const struct reloc_view *view = &npu->base;
    uint32_t header = reloc_npu_header_bytes(npu);
    const struct rp_inspect_part all[PARTS] = {
        {"header", "flash", 0, header},
        {"text+rodata", "flash", header, view->ro_bytes},
        {"data", "ram", 0, view->data_end},
        {"got", "ram", view->got_start, view->got_end},
        {"bss", "ram", view->got_end, view->bss_end},
        {"rel", "file", view->rel_start, view->rel_end},
        {"params", "file", npu->params_start,
         npu->params_start != 0 ? npu->params_start + npu->params_room : 0},
    };
    for (size_t i = 0; i < PARTS; i++)
        parts[i] = all[i];
}

/* The image has been checked: its strings end inside it. */
static const char *string_at(const struct reloc_npu_view *npu, uint32_t offset) {
    return (const char *)npu->base.image + offset;
}

static const char *pool_name(const struct reloc_npu_view *npu, uint32_t index) {
    uint32_t at = npu->base.ro_bytes + npu->pools + RELOC_NPU_POOL_BYTES * index;
    return string_at(npu, rp_get_le32(npu->base.image + at) & RELOC_OFFSET_MASK);
}

/* Sizes of the LL_ATON structures that the image was compiled with. */
static uint32_t buffer_info_bytes(const struct reloc_npu_view *npu) {
    return npu->struct_sizes & 0xFFu;
}

static uint32_t epoch_item_bytes(const struct reloc_npu_view *npu) {
    return npu->struct_sizes >> 8 & 0xFFu;
}

/* ---- text ---- */

/* Says where a part may lie, if that is not anywhere. */
static void print_above(const struct rp_image_view *image, uint32_t id, const char *part) {
    const uint32_t above = rp_image_above(image, id);
    if (above != 0)
        printf("             %s to lie above 0x%08x: the NPU reads through its cache\n", part,
               above);
}

static void print_context(const struct rp_image_view *image, struct rp_arena *arena) {
    const struct reloc_npu_view *npu = &image->npu;
    uint32_t flags = npu->base.flags;
    printf("built for    %s, %s, %s\n", flags & RELOC_NPU_FLAG_SECURE ? "secure code" : "any code",
           flags & RELOC_NPU_FLAG_EB_DBG_INFO ? "with debug information of epochs"
                                              : "without debug information of epochs",
           flags & RELOC_NPU_FLAG_ASYNC ? "asynchronous" : "polling");
    printf("runtime      %s, LL_ATON %s\n",
           rp_printable(arena, string_at(npu, npu->rt_version_desc)),
           rp_npu_release(arena, npu, '-'));
    if (npu->struct_sizes != 0)
        printf("structures   buffer %u bytes, epoch block %u bytes\n", buffer_info_bytes(npu),
               epoch_item_bytes(npu));
    if (npu->needs_copy)
        printf("             words in the read-only part are rebased: COPY mode only\n");
    printf("external RAM %u bytes\n", npu->ext_ram_size);
    print_above(image, RELOC_NPU_POOL_ID_EXT_RAM, "it has");
    printf("weights      %u bytes\n", npu->base.weights_size);
    printf("params       %u bytes, CRC-32 %08x%s\n", npu->params_bin_size, npu->params_bin_crc32,
           npu->params_bin_size == 0 ? ": none"
           : npu->params_start != 0  ? ": in the image, right"
                                     : ": in a file of their own");
    print_above(image, RELOC_NPU_POOL_ID_PARAM,
                npu->params_start != 0 ? "the image has" : "the file has");
    printf("activations  %u bytes\n\n", npu->base.acts_size);
}

static void print_pools(const struct reloc_npu_view *npu, struct rp_arena *arena) {
    struct rp_table table = {.arena = arena, .columns = 5};
    struct rp_buf out = {.arena = arena};
    rp_table_row(&table, (const char *const[]){"pool", "flags", "foff", "dst", "size"});
    for (uint32_t i = 0; i < npu->pool_count; i++) {
        struct reloc_npu_row row = npu->rows[i];
        rp_table_row(&table, (const char *const[]){rp_printable(arena, pool_name(npu, i)),
                                                   rp_format(arena, "0x%08x %s", row.flags,
                                                             rp_pool_flags_text(arena, row.flags)),
                                                   rp_format(arena, "%u", row.foff),
                                                   rp_format(arena, "0x%08x", row.dst),
                                                   rp_format(arena, "%u", row.size)});
    }
    rp_table_print(&table, &out);
    printf("\n%s\n", out.data);
    const char *label = "regions";
    for (uint32_t i = 0; i < npu->pool_count; i++) {
        struct rp_pool_region region;
        const char *name = rp_printable(arena, pool_name(npu, i));
        if (!rp_pool_region(&region, npu->rows[i].flags, npu->rows[i].dst, npu->rows[i].size))
            continue;
        printf("%-12s %s\n", label, rp_pool_region_text(arena, &region, name));
        label = "";
    }
}

static void print_counts(const char *label, uint32_t words, const struct rp_word_counts *counts) {
    printf("%-12s %u words: %u to flash, %u to RAM, %u to params, %u to external RAM, %u zero\n",
           label, words, counts->flash, counts->ram, counts->params, counts->ext_ram, counts->zero);
}

static void print(const struct rp_mapped *file, const struct rp_image_view *image) {
    const struct reloc_npu_view *npu = &image->npu;
    struct rp_arena arena = {0};
    struct rp_inspect_part parts[PARTS];
    list_parts(npu, parts);
    rp_inspect_head(file, image);
    print_context(image, &arena);
    rp_inspect_parts(parts, PARTS);
    print_counts("got", (npu->base.got_end - npu->base.got_start) / 4, &image->got);
    print_counts("rel", (npu->base.rel_end - npu->base.rel_start) / 4, &image->rel);
    print_pools(npu, &arena);
    for (uint32_t i = 0; i < npu->entry_count; i++)
        printf("%-12s %-22s %08x\n", i == 0 ? "entries" : "",
               image->format->entry_name(npu->entry_count, i),
               rp_get_le32(npu->base.image + RELOC_NPU_HDR_ENTRIES + 4 * i));
    rp_inspect_integrity(image);
    rp_arena_release(&arena);
}

/* ---- JSON ---- */

static void put_context(struct rp_json *root, const struct rp_image_view *image,
                        struct rp_arena *arena) {
    const struct reloc_npu_view *npu = &image->npu;
    uint32_t flags = npu->base.flags;
    RP_JSON_PUT(root, RP_JSON_B("secure", (flags & RELOC_NPU_FLAG_SECURE) != 0),
                RP_JSON_B("dbg_info", (flags & RELOC_NPU_FLAG_EB_DBG_INFO) != 0),
                RP_JSON_B("async", (flags & RELOC_NPU_FLAG_ASYNC) != 0),
                RP_JSON_B("needs_copy", npu->needs_copy));
    rp_json_put(root, "runtime",
                RP_JSON_NEW(RP_JSON_S("description", string_at(npu, npu->rt_version_desc)),
                            RP_JSON_S("version", rp_npu_release(arena, npu, '-'))));
    if (npu->struct_sizes != 0)
        rp_json_put(root, "struct_sizes",
                    RP_JSON_NEW(RP_JSON_N("ll_buffer_info", buffer_info_bytes(npu)),
                                RP_JSON_N("epochblock_item", epoch_item_bytes(npu))));
    RP_JSON_PUT(root, RP_JSON_N("ext_ram_size", npu->ext_ram_size),
                RP_JSON_N("ext_ram_above", rp_image_above(image, RELOC_NPU_POOL_ID_EXT_RAM)),
                RP_JSON_N("params_above", rp_image_above(image, RELOC_NPU_POOL_ID_PARAM)),
                RP_JSON_N("weights_size", npu->base.weights_size),
                RP_JSON_N("acts_size", npu->base.acts_size),
                RP_JSON_B("params_inside", npu->params_start != 0),
                RP_JSON_N("params_bin_size", npu->params_bin_size),
                RP_JSON_W("params_bin_crc32", npu->params_bin_crc32));
}

static void put_pools(struct rp_json *root, const struct reloc_npu_view *npu) {
    struct rp_json *list = rp_json_new_array(root, "pools");
    struct rp_json *regions = rp_json_new_array(root, "regions");
    struct rp_pool_region region;
    for (uint32_t i = 0; i < npu->pool_count; i++) {
        struct reloc_npu_row row = npu->rows[i];
        if (rp_pool_region(&region, row.flags, row.dst, row.size))
            rp_pool_region_json(regions, &region, pool_name(npu, i));
        struct rp_json *item = RP_JSON_NEW(RP_JSON_S("name", pool_name(npu, i)));
        rp_pool_json(item, row.flags);
        RP_JSON_PUT(item, RP_JSON_N("foff", row.foff), RP_JSON_W("dst", row.dst),
                    RP_JSON_N("size_bytes", row.size));
        rp_json_push(list, item);
    }
}

static void put_counts(struct rp_json *root, const char *key, uint32_t words,
                       const struct rp_word_counts *counts) {
    struct rp_json *object = rp_inspect_counts_json(root, key, words, counts);
    rp_json_put_int(object, "params", counts->params);
    rp_json_put_int(object, "ext_ram", counts->ext_ram);
}

static void put_json(struct rp_json *root, const struct rp_mapped *file,
                     const struct rp_image_view *image) {
    const struct reloc_npu_view *npu = &image->npu;
    struct rp_arena arena = {0};
    struct rp_inspect_part parts[PARTS];
    list_parts(npu, parts);
    rp_inspect_head_json(root, file, image);
    put_context(root, image, &arena);
    rp_inspect_parts_json(root, parts, PARTS);
    put_counts(root, "got", (npu->base.got_end - npu->base.got_start) / 4, &image->got);
    put_counts(root, "rel", (npu->base.rel_end - npu->base.rel_start) / 4, &image->rel);
    rp_json_put_int(root, "rel_in_flash", image->rel_in_flash);
    put_pools(root, npu);
    struct rp_json *entries = rp_json_new_object(root, "entries");
    for (uint32_t i = 0; i < npu->entry_count; i++)
        rp_json_put_word(entries, image->format->entry_name(npu->entry_count, i),
                         rp_get_le32(npu->base.image + RELOC_NPU_HDR_ENTRIES + 4 * i));
    rp_inspect_integrity_json(root, image);
    rp_arena_release(&arena);
}

const struct rp_inspect_format rp_inspect_neural_art = {.print = print, .json = put_json};
