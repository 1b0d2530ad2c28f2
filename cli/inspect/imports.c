/* SPDX-License-Identifier: Apache-2.0 */
/* The imports of an image: see imports.h. */
#include "cli/inspect/imports.h"

#include <stdio.h>

#include "cli/report/imports.h"
#include "cli/terminal.h"

void rp_image_imports_print(const struct rp_image_view *image) {
    const uint8_t *at = image->imports;
    struct rp_arena arena = {0};
    for (uint32_t i = 0; i < image->import_count; i++, at = rp_next_import(at)) {
        struct rp_buf version = {.arena = &arena};
        rp_import_version(&version, rp_get_le32(at));
        printf("%-12s %-20s %s\n", i == 0 ? "imports" : "",
               rp_printable(&arena, (const char *)at + 4), version.data);
    }
    rp_arena_release(&arena);
}

void rp_image_imports_json(struct rp_json *root, const struct rp_image_view *image) {
    struct rp_json *list = rp_json_new_array(root, "imports");
    const uint8_t *at = image->imports;
    for (uint32_t i = 0; i < image->import_count; i++, at = rp_next_import(at))
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("symbol", (const char *)at + 4),
                                       RP_JSON_N("version", rp_get_le32(at))));
}
