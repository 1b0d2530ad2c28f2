/* SPDX-License-Identifier: Apache-2.0 */
/* The report's part about relocations: see relocations.h. */
#include "cli/report/relocations.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "cli/pipeline/r9.h"
#include "cli/report/figures.h"
#include "elfpack/elf/elf.h"

/* ---- code that is patched in a copy ---- */

static bool is_same(const struct rp_patched *a, const struct rp_patched *b) {
    return a->symbol == b->symbol && strcmp(a->file, b->file) == 0 &&
           (a->member == b->member ||
            (a->member != NULL && b->member != NULL && strcmp(a->member, b->member) == 0));
}

static void count_patch(const struct rp_package *package, uint32_t address,
                        struct rp_patched_list *out) {
    const struct rp_symbol *holder = rp_elf_symbol_at(&package->linked.elf, address);
    const struct rp_contribution *from = rp_linkmap_find(&package->linked.map, address);
    const struct rp_patched patched = {
        .symbol = holder != NULL ? holder->name : "",
        .file = from != NULL ? rp_path_base(from->file) : "",
        .member = from != NULL ? from->member : NULL,
        .count = 1,
    };
    for (size_t i = out->count; i-- > 0;)
        if (is_same(&out->items[i], &patched)) {
            out->items[i].count++;
            return;
        }
    *RP_PUSH(package->arena, out) = patched;
}

static int compare_patched(const void *a, const void *b) {
    const struct rp_patched *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    int order = strcmp(x->file, y->file);
    if (order == 0 && x->member != NULL && y->member != NULL)
        order = strcmp(x->member, y->member);
    return order != 0 ? order : strcmp(x->symbol, y->symbol);
}

void rp_report_patched(const struct rp_package *package, struct rp_patched_list *out) {
    const struct rp_fixups *fixups = &package->placed.layout.words.fixups;
    for (size_t i = 0; i < fixups->count; i++)
        if ((fixups->items[i].where & RELOC_SEG_MASK) != RELOC_SEG_RAM)
            count_patch(package, RELOC_SEG_FLASH | (fixups->items[i].where & RELOC_OFFSET_MASK),
                        out);
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, compare_patched);
}

/* ---- JSON ---- */

static void put_patched(struct rp_json *object, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(object, "patched");
    struct rp_patched_list patched = {0};
    rp_report_patched(package, &patched);
    for (size_t i = 0; i < patched.count; i++)
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("symbol", patched.items[i].symbol),
                                       RP_JSON_S("file", patched.items[i].file),
                                       RP_JSON_S("member", patched.items[i].member),
                                       RP_JSON_N("count", patched.items[i].count)));
}

static void put_compact(struct rp_json *object, const struct rp_compact_tried *compact) {
    if (!compact->tried)
        return;
    rp_json_put(object, "compact",
                RP_JSON_NEW(RP_JSON_B("used", compact->saved_bytes > 0),
                            RP_JSON_N("rel_words", compact->words),
                            RP_JSON_N("table_bytes", compact->table_bytes),
                            RP_JSON_N("code_bytes", compact->code_bytes),
                            RP_JSON_N("saved_bytes", compact->saved_bytes),
                            RP_JSON_N("ram_copy_bytes",
                                      (int64_t)compact->table_bytes + compact->code_bytes)));
}

/* The list, if it has anything. */
static void put_strings(struct rp_json *object, const char *name, const struct rp_strings *all) {
    if (all->count == 0)
        return;
    struct rp_json *list = rp_json_new_array(object, name);
    for (size_t i = 0; i < all->count; i++)
        rp_json_push_string(list, all->items[i]);
}

void rp_relocations_json(struct rp_json *root, const struct rp_report *report) {
    const struct rp_layout *layout = &report->package->placed.layout;
    struct rp_json *object = rp_json_new_object(root, "relocations");
    struct rp_json *by_type = rp_json_new_object(object, "by_type");
    struct rp_strings reserved = {0};
    int64_t flash = 0, ram = 0;
    for (size_t i = 0; i < layout->by_type.count; i++) {
        const struct rp_type_count *count = &layout->by_type.items[i];
        rp_json_put_int(by_type, count->type, (int64_t)count->flash + count->ram);
        flash += count->flash;
        ram += count->ram;
    }
    rp_json_put(object, "by_section",
                RP_JSON_NEW(RP_JSON_N("flash", flash), RP_JSON_N("data", ram)));
    RP_JSON_PUT(object, RP_JSON_N("got_entries", layout->words.got_used),
                RP_JSON_N("rel_words", layout->words.listed.count),
                RP_JSON_N("fixup_words", rp_report_init_words(layout)),
                RP_JSON_N("text_patches", layout->words.text_patches));
    put_patched(object, report->package);
    put_compact(object, &report->package->settled.compact);
    put_strings(object, "built_again", &report->package->settled.rounds);
    rp_package_r9_sources(report->package, &reserved);
    put_strings(object, "r9_reserved_in", &reserved);
}
