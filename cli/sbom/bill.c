/* SPDX-License-Identifier: Apache-2.0 */
/* What an image consists of: see bill.h. */
#include "cli/sbom/bill.h"

#include <string.h>

#include "base/path.h"
#include "cli/document.h"

const struct rp_known_part rp_known_runtime = {"relocpack-runtime", "The relocpack authors",
                                               "Apache-2.0", NULL};
static const struct rp_known_part known[] = {
    {"libgcc", "Free Software Foundation, Inc.", "GPL-3.0-or-later WITH GCC-exception-3.1", NULL},
    {"newlib", "The newlib project", "LicenseRef-newlib",
     "Licences in the manner of BSD and MIT, of many holders: the file COPYING.NEWLIB, "
     "https://sourceware.org/newlib/COPYING.NEWLIB"},
};

static struct rp_part *add(struct rp_bill *bill, enum rp_part_kind kind, const char *name,
                           const struct rp_json *row) {
    struct rp_part *part = RP_PUSH(bill->arena, &bill->parts);
    *part =
        (struct rp_part){.kind = kind, .name = name, .sha256 = rp_json_text(row, "sha256", NULL)};
    return part;
}

/* Of the files that a run writes, image and weights are shipped; the loader is the firmware's. */
static bool is_shipped(const char *name) {
    return rp_has_suffix(name, ".bin");
}

static void add_files(struct rp_bill *bill) {
    const struct rp_json *files = rp_json_member(bill->report, "files");
    for (const struct rp_json *row = rp_json_first(files); row != NULL; row = rp_json_next(row)) {
        const char *name = rp_json_text(row, "path", NULL);
        if (name == NULL || !is_shipped(name))
            continue;
        if (bill->image.name == NULL)
            bill->image =
                (struct rp_part){.name = name, .sha256 = rp_json_text(row, "sha256", NULL)};
        else
            add(bill, RP_PART_FILE, name, row);
    }
}

static void add_linked(struct rp_bill *bill) {
    const struct rp_json *members = rp_json_member(bill->report, "archive_members");
    for (const struct rp_json *row = rp_json_first(members); row != NULL; row = rp_json_next(row)) {
        const char *name = rp_json_text(row, "member", NULL);
        if (name == NULL)
            continue;
        struct rp_part *part = add(bill, RP_PART_LINKED, name, row);
        part->archive = rp_json_text(row, "archive", NULL);
        const char *product = rp_json_text(row, "product", "");
        part->version = rp_json_text(row, "version", NULL);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strcmp(product, known[i].product) == 0)
                part->known = &known[i];
    }
}

static void add_inputs(struct rp_bill *bill) {
    const struct rp_json *inputs = rp_json_member(bill->report, "inputs");
    for (const struct rp_json *row = rp_json_first(inputs); row != NULL; row = rp_json_next(row))
        if (rp_json_text(row, "path", NULL) != NULL)
            add(bill, RP_PART_INPUT, rp_json_text(row, "path", NULL), row);
}

bool rp_bill_read(struct rp_bill *bill, struct rp_arena *arena, const char *path,
                  struct rp_error *err) {
    *bill = (struct rp_bill){.arena = arena};
    bill->report = rp_document_read_report(arena, path, err);
    if (bill->report == NULL)
        return false;
    const struct rp_json *model = rp_json_member(bill->report, "model");
    const struct rp_json *toolchain = rp_json_member(bill->report, "toolchain");
    const struct rp_json *image = rp_json_member(bill->report, "image");
    bill->model = rp_json_text(model, "name", NULL);
    bill->generator = rp_json_text(model, "generator", NULL);
    bill->tool_version = rp_json_text(rp_json_member(bill->report, "tool"), "version", NULL);
    bill->compiler = rp_json_text(toolchain, "kind", NULL);
    bill->compiler_version = rp_json_text(toolchain, "version", NULL);
    bill->build_id = rp_json_text(rp_json_member(image, "integrity"), "build_id", NULL);
    bill->started = rp_json_text(rp_json_member(bill->report, "run"), "started", NULL);
    add_files(bill);
    add_linked(bill);
    add_inputs(bill);
    if (bill->model != NULL && bill->tool_version != NULL && bill->compiler != NULL &&
        bill->image.name != NULL && bill->image.sha256 != NULL)
        return true;
    rp_fail(err, RP_E_INPUT,
            "'%s' is not a report of an image: model, tool, toolchain and files "
            "with their hashes are needed",
            path);
    return rp_hint(err, "relocpack generate writes it as NAME_generate_rel.json");
}
