/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack sbom`: the bill of materials of an image, from its report. */
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/commands.h"
#include "cli/sbom/forms.h"

struct sbom_options {
    const char *format;
    const char *builder;
    const char *supplier;
    const char *licence;
    const char *output;
};

#define AT(member) offsetof(struct sbom_options, member)
// clang-format off
static const struct rp_option rows[] = {
    {0, "format", RP_OPT_TEXT, AT(format), "FORMAT", "cyclonedx (1.6, the default), spdx (2.3) or provenance (in-toto statement with SLSA provenance 1)", NULL},
    {0, "builder", RP_OPT_TEXT, AT(builder), "URI", "provenance: who built the image", NULL},
    {0, "supplier", RP_OPT_TEXT, AT(supplier), "NAME", "organization that supplies image and model", NULL},
    {0, "license", RP_OPT_TEXT, AT(licence), "EXPRESSION", "their licence, as an expression of SPDX: Apache-2.0, LicenseRef-ours", NULL},
    {'o', "output", RP_OPT_TEXT, AT(output), "FILE", "write to FILE (default: the standard output)", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

static void set_defaults(void *target) {
    struct sbom_options *options = target;
    options->format = "cyclonedx";
    options->output = "-";
}

/* NULL + RP_E_USAGE: there is no such form. */
static struct rp_json *make(const struct rp_bill *bill, const struct sbom_options *options,
                            struct rp_error *err) {
    const char *builder =
        options->builder != NULL ? options->builder : "urn:relocpack:builder:unnamed";
    if (strcmp(options->format, "cyclonedx") == 0)
        return rp_bill_cyclonedx(bill);
    if (strcmp(options->format, "spdx") == 0)
        return rp_bill_spdx(bill);
    if (strcmp(options->format, "provenance") == 0)
        return rp_bill_provenance(bill, builder);
    rp_fail(err, RP_E_USAGE, "unknown --format \'%s\'; there are: cyclonedx spdx provenance",
            options->format);
    return NULL;
}

static bool write_text(struct rp_arena *arena, const char *path, const char *text,
                       const struct rp_strings *inputs, struct rp_error *err) {
    struct rp_outputs outputs;
    bool ok = rp_outputs_begin(&outputs, arena, NULL, err) &&
              rp_outputs_add_named(&outputs, path, text, strlen(text), err) &&
              rp_outputs_check(&outputs, err) &&
              rp_outputs_spare(&outputs, inputs, "an input", err) &&
              rp_outputs_commit(&outputs, err);
    rp_outputs_abort(&outputs);
    return ok;
}

/* Ids with AND, OR or WITH between them, and parentheses; whether SPDX lists an id is not asked. */
static bool is_licence(const char *text) {
    static const char *const words[] = {"AND", "OR", "WITH"};
    int open = 0;
    bool wants_id = true;
    for (const char *at = text; *at != '\0';) {
        const size_t len = strcspn(at, " ()");
        bool is_word = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            is_word = is_word || (len == strlen(words[i]) && strncmp(at, words[i], len) == 0);
        if (len == 0) {
            open += *at == '(' ? 1 : *at == ')' ? -1 : 0;
            if (open < 0 || (*at == '(' && !wants_id) || (*at == ')' && wants_id))
                return false;
            at++;
            continue;
        }
        if (is_word == wants_id ||
            (!is_word && strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789.-+:") < len))
            return false;
        wants_id = is_word;
        at += len;
    }
    return !wants_id && open == 0;
}

static int run_sbom(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                    struct rp_error *err) {
    const struct sbom_options *options = given;
    struct rp_bill bill;
    if (arguments->count != 1) {
        rp_fail(err, RP_E_USAGE, "sbom takes one report of generate: NAME_generate_rel.json");
        return -1;
    }
    if (options->licence != NULL && !is_licence(options->licence)) {
        rp_fail(err, RP_E_USAGE, "--license '%s' is not an expression of SPDX", options->licence);
        rp_hint(err, "such as MIT, \"Apache-2.0 OR MIT\", or LicenseRef-NAME for one of your own");
        return -1;
    }
    if (options->supplier != NULL && options->supplier[strspn(options->supplier, " ")] == '\0') {
        rp_fail(err, RP_E_USAGE, "--supplier: the name is empty");
        return -1;
    }
    bool ok = rp_bill_read(&bill, arena, arguments->items[0], err);
    bill.supplier = options->supplier;
    bill.licence = options->licence;
    struct rp_json *root = ok ? make(&bill, options, err) : NULL;
    if (root != NULL) {
        char *text = rp_json_print(root);
        ok = write_text(arena, options->output, text, arguments, err);
        free(text);
        rp_json_free(root);
    }
    if (bill.report != NULL)
        rp_json_free(bill.report);
    return ok && root != NULL ? 0 : -1;
}

const struct rp_command rp_command_sbom = {
    "sbom",
    "[options] REPORT.json",
    "Writes what an image consists of: CycloneDX, SPDX, provenance",
    rows,
    sizeof(struct sbom_options),
    set_defaults,
    run_sbom};
