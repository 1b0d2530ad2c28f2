/* SPDX-License-Identifier: Apache-2.0 */
/* The format of Cortex-M images: see elfpack/elf/format.h. */
#include <string.h>

#include "elfpack/elf/parts.h"
#include "elfpack/image/compact.h"
#include "elfpack/image/image.h"
#include "elfpack/image/reader.h"

#define PLACE(name, base, segment, member, needed)                                                 \
    { name, base, segment, offsetof(struct rp_parts, member), needed }

static const struct rp_format_place places[] = {
    PLACE(".flash", RELOC_SEG_FLASH, RP_SEG_FLASH, flash, true),
    PLACE(".data", RELOC_SEG_RAM, RP_SEG_RAM, data, true),
    PLACE(".bss", RELOC_SEG_RAM, RP_SEG_RAM, bss, false),
    PLACE(".weights", RELOC_SEG_WEIGHTS, RP_SEG_WEIGHTS, weights, false),
    PLACE(".acts", RELOC_SEG_ACTS, RP_SEG_ACTS, acts, false),
    {NULL},
};

static bool find_header(struct rp_parts *parts, struct rp_error *err) {
    (void)err;
    parts->header.entry_count = RELOC_ENTRY_COUNT;
    return true;
}

static const char *entry_name(size_t count, size_t index) {
    static const char *const names[RELOC_ENTRY_COUNT] = {"create",
                                                         "init",
                                                         "init_v2",
                                                         "run",
                                                         "report",
                                                         "error",
                                                         "destroy",
                                                         "forward",
                                                         "plt_obs_register",
                                                         "plt_obs_unregister",
                                                         "plt_obs_node_info",
                                                         "ctx"};
    (void)count;
    return names[index];
}

/* ---- writing ---- */

static uint32_t weights_align(const struct rp_image_spec *spec) {
    return spec->weights_align > (uint32_t)RELOC_WEIGHTS_ALIGN ? spec->weights_align
                                                               : (uint32_t)RELOC_WEIGHTS_ALIGN;
}

static void put_weights(uint8_t *head, const struct rp_layout *layout,
                        const struct rp_image_result *at) {
    bool inside = at->weights_start != 0;
    (void)layout;
    rp_put_le32(head + RELOC_HDR_WEIGHTS_START, inside ? RELOC_SEG_FLASH | at->weights_start : 0);
    rp_put_le32(head + RELOC_HDR_WEIGHTS_END, inside ? RELOC_SEG_FLASH | at->weights_end : 0);
}

/* Sets the sizes that the caller knows; the others stay as linked. */
static bool put_context(struct rp_buf *code, size_t context, const struct rp_image_spec *spec,
                        struct rp_image_result *result, struct rp_error *err) {
    const struct rp_layout *layout = spec->layout;
    char *ctx = code->data + context;
    if (layout->tables.fixups_at != 0) { /* for a loader that checks the tables first */
        uint32_t bytes = layout->parts.bounds.ro_size - layout->tables.at;
        rp_put_le32(ctx + RELOC_CTX_TABLES, RELOC_SEG_FLASH | layout->tables.at);
        rp_put_le32(ctx + RELOC_CTX_TABLES_CRC32,
                    rp_crc32_bytes(code->data + layout->tables.at, bytes));
    }
    if (spec->acts_size >= 0)
        rp_put_le32(ctx + RELOC_CTX_ACTS_SIZE, (uint32_t)spec->acts_size);
    if (spec->weights_size >= 0)
        rp_put_le32(ctx + RELOC_CTX_WEIGHTS_SIZE, (uint32_t)spec->weights_size);
    result->acts_size = rp_get_le32(ctx + RELOC_CTX_ACTS_SIZE);
    result->weights_size = rp_get_le32(ctx + RELOC_CTX_WEIGHTS_SIZE);
    return result->weights_size == spec->weights.size ||
           rp_fail(
               err, RP_E_WEIGHTS, "the generated code declares %u bytes of weights, '%s' has %llu",
               result->weights_size, spec->weights.path != NULL ? spec->weights.path : "the model",
               (unsigned long long)spec->weights.size);
}

/* ---- reading ---- */

/*
 * Version 1.0 (tool versions 6 and 7.0) has the same header but different calling conventions.
 * Loaders of version 2.0 refuse it; describing it is harmless.
 */
static int32_t check(struct rp_image_view *image, const struct rp_mapped *file) {
    int32_t code = reloc_core_check(file->data, file->size, &image->view);
    if (code != RELOC_E_VERSION || RELOC_FLAGS_MAJOR(image->view.flags) != 1 ||
        RELOC_FLAGS_MINOR(image->view.flags) != 0)
        return code;
    uint32_t parts = reloc_check_parts(&image->view);
    return reloc_result(parts != RELOC_OK ? parts : reloc_check_words(&image->view));
}

/*
 * Counts a compact table only if its addresses are in ascending order and lie in the data, and the
 * words there are 0 or addresses in the image (the ends of parts included).
 */
static void count_compact(struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    struct rp_compact table = rp_compact_find(view->image, RELOC_HDR_BYTES + 4, view->ro_bytes);
    uint32_t bytes = table.bytes + 4, where, next = 0;
    if (table.at == NULL)
        return;
    while (rp_compact_next(&table, &where)) {
        uint32_t offset = where ^ RELOC_SEG_RAM;
        bool fits = offset % 4 == 0 && offset >= next && offset <= view->data_end - 4;
        uint32_t word = fits ? reloc_data_word(view, offset) : 0, segment = word & RELOC_SEG_MASK;
        if (!fits || (word != 0 && (word ^ RELOC_SEG_FLASH) > view->ro_bytes &&
                      (word ^ RELOC_SEG_RAM) > view->bss_end)) {
            image->compact = (struct rp_word_counts){0};
            return;
        }
        image->compact.flash += segment == RELOC_SEG_FLASH;
        image->compact.ram += segment == RELOC_SEG_RAM;
        image->compact.zero += word == 0;
        next = offset + 4;
    }
    image->compact_bytes = bytes;
}

static bool is_fixup(const struct reloc_view *view, uint32_t where, uint32_t target) {
    uint32_t offset = where & RELOC_OFFSET_MASK;
    bool external =
        target == RELOC_SEG_WEIGHTS || target == RELOC_SEG_ACTS || target == RELOC_SEG_IMPORT;
    switch (where & RELOC_SEG_MASK) {
    case RELOC_SEG_RAM:
        return external && offset < view->got_end;
    case RELOC_FIXUP_CODE_WORD:
    case RELOC_FIXUP_CODE_MOVW:
    case RELOC_FIXUP_CODE_MOVT:
        return (external || target == RELOC_SEG_FLASH || target == RELOC_SEG_RAM) &&
               offset >= RELOC_HDR_BYTES && offset < view->ro_bytes;
    default:
        return false;
    }
}

/*
 * Recognises the fix-up table by its form alone: it ends the read-only part, or precedes the
 * compact table there; its first word is the number of its entries, and each entry is one of
 * reloc_format.h.
 */
static uint32_t count_fixups(struct rp_image_view *image) {
    const struct reloc_view *view = &image->view;
    uint32_t end = view->ro_bytes - image->compact_bytes;
    image->patches = 0;
    uint32_t most = (end - RELOC_HDR_BYTES - 4) / RELOC_FIXUP_BYTES;
    for (uint32_t count = 1; count <= most; count++) {
        const uint8_t *entry = view->image + end - count * RELOC_FIXUP_BYTES;
        uint32_t where = rp_get_le32(entry), target = rp_get_le32(entry + 4) & RELOC_SEG_MASK;
        if (!is_fixup(view, where, target))
            return 0;
        image->patches += (where & RELOC_SEG_MASK) != RELOC_SEG_RAM;
        if (rp_get_le32(entry - 4) == count)
            return count;
    }
    image->patches = 0;
    return 0;
}

/*
 * The two tables at the end of the read-only part. A compact table counts only if it follows a
 * fix-up table, which may be empty.
 */
static void count_tables(struct rp_image_view *image) {
    count_compact(image);
    image->fixups = count_fixups(image);
    uint32_t end = image->view.ro_bytes - image->compact_bytes;
    if (image->compact_bytes == 0 || image->fixups != 0 ||
        rp_get_le32(image->view.image + end - 4) == 0)
        return;
    image->compact = (struct rp_word_counts){0};
    image->compact_bytes = 0;
}

const uint8_t *rp_next_import(const uint8_t *import) {
    return import + 4 + ((strlen((const char *)import + 4) + 4) & ~(size_t)3);
}

/*
 * Finds the list of imports, which ends where the fix-up table starts: rows, their size, their
 * number.
 */
static bool find_imports(struct rp_image_view *image, const char *path, struct rp_error *err) {
    const struct reloc_view *view = &image->view;
    uint32_t table = view->ro_bytes - image->compact_bytes - RELOC_FIXUP_BYTES * image->fixups - 4,
             highest = 0;
    bool any = false;
    for (uint32_t i = 0; i < image->fixups; i++) {
        uint32_t target = rp_get_le32(view->image + table + 8 + RELOC_FIXUP_BYTES * i);
        bool import = (target & RELOC_SEG_MASK) == RELOC_SEG_IMPORT;
        if (import && RELOC_IMPORT_INDEX(target) > highest)
            highest = RELOC_IMPORT_INDEX(target);
        any = any || import;
    }
    if (!any)
        return true;
    const uint8_t *end = view->image + table - 8;
    uint32_t room = table - RELOC_HDR_BYTES, bytes = room >= 8 ? rp_get_le32(end) : 0;
    image->import_count = room >= 8 ? rp_get_le32(end + 4) : 0;
    bool ok = room >= 8 && bytes <= room - 8 && bytes % 4 == 0 && image->import_count > highest;
    const uint8_t *row = ok ? end - bytes : end;
    uint32_t left = image->import_count;
    image->imports = row;
    for (; ok && left != 0 && end - row >= 8; left--) {
        ok = memchr(row + 4, '\0', (size_t)(end - row) - 4) != NULL;
        row = ok ? rp_next_import(row) : row;
    }
    return (ok && left == 0 && row == end) ||
           rp_fail(err, RP_E_IMAGE, "'%s': the list of imports is damaged", path);
}

static bool describe(struct rp_image_view *image, const struct rp_mapped *file,
                     struct rp_error *err) {
    const struct reloc_view *view = &image->view;
    count_tables(image);
    image->needs = (struct rp_image_needs){.ram_xip = reloc_ram_xip(view),
                                           .ram_copy = reloc_ram_copy(view),
                                           .copy = image->patches != 0,
                                           .acts = view->acts_size,
                                           .weights = view->weights_size};
    return find_imports(image, file->path, err);
}

static int32_t check_weights(const struct rp_image_view *image, const struct rp_mapped *weights) {
    return reloc_core_check_weights(&image->view, weights->data, weights->size);
}

const struct rp_image_format rp_format_cortex_m = {
    .name = "cortex-m",
    .title = "Cortex-M",
    .version = "2.0",
    .major = RELOC_MAJOR,
    .align = 4,
    .ram = RELOC_SEG_RAM,
    .context_bytes = RELOC_CTX_BYTES,
    .weights = RP_SEG_WEIGHTS,
    .acts = RP_SEG_ACTS,
    .counts_acts = true,
    .patches_code = true,
    .undefined_hint = "add the source that defines it, or the archive with --runtime-lib; if the "
                      "firmware supplies it, name it with --import NAME",
    .places = places,
    .find_header = find_header,
    .entry_name = entry_name,
    .writer = {.weights_align = weights_align,
               .put_weights = put_weights,
               .put_context = put_context},
    .reader = {.needs_trailers = true,
               .check = check,
               .describe = describe,
               .check_weights = check_weights},
};

const struct rp_image_format *rp_format_find(uint32_t major) {
    static const struct rp_image_format *const formats[] = {&rp_format_cortex_m,
                                                            &rp_format_neural_art};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i]->major == major)
            return formats[i];
    return NULL;
}
