/* SPDX-License-Identifier: Apache-2.0 */
/* Parts, words and entries of a Cortex-M image: see cortex_m.h. */
#include "cli/inspect/cortex_m.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cli/inspect/imports.h"

static size_t list_parts(const struct reloc_view *view, struct rp_inspect_part parts[8]) {
    const struct rp_inspect_part all[] = {
        {"header", "flash", 0, RELOC_HDR_BYTES},
        {"text+rodata", "flash", RELOC_HDR_BYTES, view->ro_bytes},
        {"data", "ram", 0, view->data_end},
        {"got", "ram", view->got_start, view->got_end},
        {"bss", "ram", view->got_end, view->bss_end},
        {"rel", "file", view->rel_start, view->rel_end},
        {"weights", "file", view->weights_start, view->weights_end},
    };
    memcpy(parts, all, sizeof all);
    return sizeof all / sizeof all[0];
}

static uint32_t entry_word(const struct reloc_view *view, size_t index) {
    return rp_get_le32(view->image + RELOC_HDR_ENTRIES + 4 * index);
}

static void print_counts(const char *label, uint32_t words, const struct rp_word_counts *counts) {
    printf("%-12s %u words: %u to flash, %u to RAM, %u zero\n", label, words, counts->flash,
           counts->ram, counts->zero);
}

/* Number of words that the image rebases itself. */
static uint32_t compact_words(const struct rp_image_view *image) {
    return image->compact.flash + image->compact.ram + image->compact.zero;
}

static void print(const struct rp_mapped *file, const struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    struct rp_inspect_part parts[8];
    size_t count = list_parts(view, parts);
    rp_inspect_head(file, image);
    printf("weights      %u bytes, %s\n", view->weights_size,
           view->weights_size == 0    ? "none"
           : view->weights_start != 0 ? "in the image"
                                      : "in a file of their own");
    printf("activations  %u bytes\n\n", view->acts_size);
    rp_inspect_parts(parts, count);
    print_counts("got", (view->got_end - view->got_start) / 4, &image->got);
    print_counts("rel", (view->rel_end - view->rel_start) / 4, &image->rel);
    if (image->compact_bytes != 0)
        print_counts("compact", compact_words(image), &image->compact);
    printf("%-12s %u words set by the image at init\n", "fix-ups", image->fixups - image->patches);
    if (image->patches != 0)
        printf("%-12s %u words and instructions: COPY mode only\n", "patches", image->patches);
    rp_image_imports_print(image);
    for (size_t i = 0; i < RELOC_ENTRY_COUNT; i++)
        printf("%-12s %-20s %08x\n", i == 0 ? "entries" : "",
               image->format->entry_name(RELOC_ENTRY_COUNT, i), entry_word(view, i));
    rp_inspect_integrity(image);
}

static void put_json(struct rp_json *root, const struct rp_mapped *file,
                     const struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    struct rp_inspect_part parts[8];
    rp_inspect_head_json(root, file, image);
    RP_JSON_PUT(root, RP_JSON_N("weights_size", view->weights_size),
                RP_JSON_B("weights_inside", view->weights_start != 0),
                RP_JSON_N("acts_size", view->acts_size));
    rp_inspect_parts_json(root, parts, list_parts(view, parts));
    rp_inspect_counts_json(root, "got", (view->got_end - view->got_start) / 4, &image->got);
    rp_inspect_counts_json(root, "rel", (view->rel_end - view->rel_start) / 4, &image->rel);
    if (image->compact_bytes != 0)
        rp_json_put_int(
            rp_inspect_counts_json(root, "compact", compact_words(image), &image->compact),
            "table_bytes", image->compact_bytes);
    rp_json_put_int(root, "fixup_words", image->fixups - image->patches);
    rp_json_put_int(root, "text_patches", image->patches);
    rp_image_imports_json(root, image);
    struct rp_json *entries = rp_json_new_object(root, "entries");
    for (size_t i = 0; i < RELOC_ENTRY_COUNT; i++)
        rp_json_put_word(entries, image->format->entry_name(RELOC_ENTRY_COUNT, i),
                         entry_word(view, i));
    rp_inspect_integrity_json(root, image);
}

const struct rp_inspect_format rp_inspect_cortex_m = {.print = print, .json = put_json};
