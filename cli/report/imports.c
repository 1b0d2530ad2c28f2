/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware in the reports: see imports.h. */
#include "cli/report/imports.h"

/* Number of words that get the address of the import with this index in the image. */
static int64_t words_of(const struct rp_layout *layout, uint32_t index) {
    int64_t words = 0;
    for (size_t i = 0; i < layout->words.fixups.count; i++) {
        uint32_t target = layout->words.fixups.items[i].target;
        words +=
            (target & RELOC_SEG_MASK) == RELOC_SEG_IMPORT && RELOC_IMPORT_INDEX(target) == index;
    }
    return words;
}

void rp_host_imports_json(struct rp_json *root, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(root, "imports");
    uint32_t index = 0;
    for (size_t i = 0; i < package->model.imports.count; i++) {
        const struct rp_host_import *import = &package->model.imports.items[i];
        if (!import->wanted)
            continue;
        rp_json_push(list,
                     RP_JSON_NEW(RP_JSON_S("symbol", import->name),
                                 RP_JSON_N("version", import->version),
                                 RP_JSON_B("called", import->called),
                                 RP_JSON_N("words", words_of(&package->placed.layout, index++))));
    }
}

void rp_import_version(struct rp_buf *out, uint32_t version) {
    if (version != 0)
        rp_buf_printf(out, "version %u", version);
    else
        rp_buf_puts(out, "any version");
}

void rp_host_imports_text(const struct rp_package *package, struct rp_buf *out) {
    for (size_t i = 0; i < package->model.imports.count; i++) {
        const struct rp_host_import *import = &package->model.imports.items[i];
        if (!import->wanted)
            continue;
        rp_buf_printf(out, "   %-24s ", import->name);
        rp_import_version(out, import->version);
        rp_buf_puts(out, import->called ? ", called\n" : "\n");
    }
}
