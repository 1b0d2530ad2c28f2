/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a layout: see layout_lists.h. */
#include "elfpack/layout_lists.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

static int compare_words(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int compare_fixups(const void *a, const void *b) {
    const struct rp_fixup *x = a, *y = b;
    return x->where < y->where ? -1 : x->where > y->where;
}

static int compare_types(const void *a, const void *b) {
    const struct rp_type_count *x = a, *y = b;
    return strcmp(x->type, y->type);
}

void rp_layout_sort(struct rp_layout *layout) {
    if (layout->rel.count != 0)
        qsort(layout->rel.items, layout->rel.count, sizeof *layout->rel.items, compare_words);
    if (layout->fixups.count != 0)
        qsort(layout->fixups.items, layout->fixups.count, sizeof *layout->fixups.items,
              compare_fixups);
    if (layout->by_type.count != 0)
        qsort(layout->by_type.items, layout->by_type.count, sizeof *layout->by_type.items,
              compare_types);
}

bool rp_layout_unique(const struct rp_layout *layout, struct rp_error *err) {
    for (size_t i = 1; i < layout->rel.count; i++)
        if (layout->rel.items[i] - layout->rel.items[i - 1] < 4)
            return rp_fail(err, RP_E_INTERNAL, "two relocations for the word at 0x%08x",
                           layout->rel.items[i]);
    for (size_t i = 1; i < layout->fixups.count; i++)
        if (layout->fixups.items[i].where - layout->fixups.items[i - 1].where < 4)
            return rp_fail(err, RP_E_INTERNAL, "two fix-ups for the word at 0x%08x",
                           layout->fixups.items[i].where);
    return true;
}

/* ---- imports ---- */

int32_t rp_layout_import(const struct rp_layout *layout, const struct rp_symbol *symbol) {
    for (size_t i = 0; layout->imports != NULL && i < layout->imports->count; i++)
        if (symbol->bind != STB_LOCAL && strcmp(layout->imports->items[i], symbol->name) == 0)
            return (int32_t)i;
    return -1;
}

bool rp_layout_import_target(const struct rp_layout *layout, const struct rp_symbol *symbol,
                             uint32_t linked, uint32_t *target, struct rp_error *err) {
    uint32_t addend = linked - symbol->value;
    *target = RELOC_IMPORT_TARGET(rp_layout_import(layout, symbol), addend);
    return addend + RELOC_IMPORT_ADDEND < 2u * RELOC_IMPORT_ADDEND ||
           rp_fail(err, RP_E_TOO_LARGE, "an address %d bytes from the import '%s': at most 512 KiB",
                   (int)addend, symbol->name);
}
