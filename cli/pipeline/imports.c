/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware: see host_imports.h. */
#include "cli/pipeline/imports.h"

#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"
#include "toolchain/calls/imports.h"

/* ---- from the objects ---- */

const struct rp_strings *rp_host_import_names(struct rp_package *package) {
    struct rp_strings *names = rp_alloc(package->arena, 1, sizeof *names);
    for (size_t i = 0; i < package->model.imports.count; i++)
        rp_strings_push(package->arena, names, package->model.imports.items[i].name);
    return names;
}

bool rp_host_imports_settle(struct rp_package *package, struct rp_error *err) {
    struct rp_model *model = &package->model;
    for (size_t i = 0; i < model->imports.count; i++) {
        struct rp_host_import *import = &model->imports.items[i];
        if (rp_strings_have(&package->scan.defined, import->name)) {
            rp_fail(err, RP_E_USAGE, "--import '%s': the model has a symbol of that name itself",
                    import->name);
            return rp_hint(err, "leave it out of the imports: the model then uses its own");
        }
        import->wanted = rp_strings_have(&package->scan.imported, import->name);
        import->called = rp_strings_have(&package->scan.called, import->name);
        if (import->wanted)
            rp_strings_push(package->arena, &package->imports, import->name);
    }
    return rp_imports_add(model, &package->build, &package->flags, err);
}

/* ---- reports ---- */

/* Words that get the address of the import with that index in the image. */
static int64_t words_of(const struct rp_layout *layout, uint32_t index) {
    int64_t words = 0;
    for (size_t i = 0; i < layout->fixups.count; i++) {
        uint32_t target = layout->fixups.items[i].target;
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
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "symbol", import->name);
        rp_json_put_int(item, "version", import->version);
        rp_json_put_bool(item, "called", import->called);
        rp_json_put_int(item, "words", words_of(&package->layout, index++));
        rp_json_push(list, item);
    }
}

static void put_version(struct rp_buf *out, uint32_t version) {
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
        put_version(out, import->version);
        rp_buf_puts(out, import->called ? ", called\n" : "\n");
    }
}

void rp_host_imports_say(struct rp_report *report) {
    const struct rp_package *package = report->package;
    for (size_t i = 0; i < package->model.imports.count; i++)
        if (!package->model.imports.items[i].wanted)
            rp_report_say(report, "note", "RP1017",
                          rp_format(package->arena,
                                    "nothing refers to the import '%s': it is left out",
                                    package->model.imports.items[i].name));
}

/* ---- images ---- */

void rp_image_imports_print(const struct rp_image_view *image) {
    const uint8_t *at = image->imports;
    struct rp_arena arena = {0};
    for (uint32_t i = 0; i < image->import_count; i++, at = rp_next_import(at)) {
        struct rp_buf version = {0};
        put_version(&version, rp_get_le32(at));
        printf("%-12s %-20s %s\n", i == 0 ? "imports" : "",
               rp_printable(&arena, (const char *)at + 4), version.data);
        rp_buf_release(&version);
    }
    rp_arena_release(&arena);
}

void rp_image_imports_json(struct rp_json *root, const struct rp_image_view *image) {
    struct rp_json *list = rp_json_new_array(root, "imports");
    const uint8_t *at = image->imports;
    for (uint32_t i = 0; i < image->import_count; i++, at = rp_next_import(at)) {
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "symbol", (const char *)at + 4);
        rp_json_put_int(item, "version", rp_get_le32(at));
        rp_json_push(list, item);
    }
}
