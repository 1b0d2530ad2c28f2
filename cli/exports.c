/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack exports`: what a firmware offers to images. From a list of names it writes the table
 * as C; of a linked firmware it shows the table, or checks a list against it.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/output.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/document.h"
#include "cli/report/imports.h"
#include "cli/report/json.h"
#include "cli/terminal.h"
#include "elfpack/image/c_array.h"
#include "elfpack/elf/exports.h"
#include "toolchain/calls/imports.h"

struct exports_options {
    const char *list;
    const char *output;
    bool json;
};

#define AT(member) offsetof(struct exports_options, member)
// clang-format off
static const struct rp_option rows[] = {
    {0, "list", RP_OPT_TEXT, AT(list), "FILE", "names to offer, NAME or NAME@VERSION, one a line; # begins a comment", NULL},
    {'o', "output", RP_OPT_TEXT, AT(output), "FILE", "write the table as C, to compile into the firmware", NULL},
    {0, "json", RP_OPT_FLAG, AT(json), NULL, "print JSON", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

enum { LIST_MAX = 1 << 20 };

/* ---- the list ---- */

static bool read_list(struct rp_model *model, struct rp_arena *arena, const char *path,
                      struct rp_error *err) {
    struct rp_bytes text;
    if (!rp_file_read(arena, path, LIST_MAX, &text, err))
        return false;
    if (memchr(text.data, 0, text.size) != NULL)
        return rp_fail(err, RP_E_INPUT, "'%s' is not a text file: it holds a 0 byte", path);
    struct rp_error why = {0};
    unsigned line = 1;
    for (const char *at = (const char *)text.data; *at != '\0'; line++) {
        const char *end = at + strcspn(at, "\n"), *from = at + strspn(at, " \t\r");
        size_t len = strcspn(from, "#\r\n");
        while (len != 0 && (from[len - 1] == ' ' || from[len - 1] == '\t'))
            len--;
        model->imports.offers.count = 0;
        if (len != 0)
            rp_strings_push(arena, &model->imports.offers, rp_strndup(arena, from, len));
        if (!rp_imports_read(model, arena, &why)) {
            rp_fail(err, why.id, "%s:%u: %s", path, line, why.message);
            if (why.hint != NULL)
                rp_hint(err, "%s", why.hint);
            return rp_fail_in(err, path, line);
        }
        at = *end == '\n' ? end + 1 : end;
    }
    if (model->imports.count == 0) {
        rp_fail(err, RP_E_USAGE, "'%s' names nothing", path);
        return rp_hint(err, "a line is NAME or NAME@VERSION");
    }
    return true;
}

/* ---- as C ---- */

static void put_source(struct rp_buf *out, const struct rp_host_imports *offered) {
    rp_buf_puts(out, RP_MADE_BY ": what this firmware offers to images. The loader gets it as\n"
                                " * .imports = relocpack_exports, .import_count = "
                                "relocpack_export_count (ai_rel_network_load_args). */\n"
                                "#include \"ai_reloc_network.h\"\n\n"
                                "/* Functions and variables by their names in the linker. */\n");
    for (size_t i = 0; i < offered->count; i++)
        rp_buf_printf(out, "extern const char export%zu[] __asm__(\"%s\");\n", i,
                      offered->items[i].name);
    rp_buf_puts(out, "\nconst ai_rel_import " RP_EXPORTS_SYMBOL "[] = {\n");
    for (size_t i = 0; i < offered->count; i++)
        rp_buf_printf(out, "    {\"%s\", %lu, export%zu},\n", offered->items[i].name,
                      (unsigned long)offered->items[i].version, i);
    rp_buf_printf(out, "};\nconst uint32_t relocpack_export_count = %zu;\n", offered->count);
}

/* inputs: files that the output must not replace. */
static bool write_source(struct rp_arena *arena, const char *path, const struct rp_strings *inputs,
                         const struct rp_host_imports *offered, struct rp_error *err) {
    struct rp_outputs outputs;
    struct rp_buf text = {.arena = arena};
    put_source(&text, offered);
    bool ok = rp_outputs_begin(&outputs, arena, NULL, err) &&
              rp_outputs_add_named(&outputs, path, text.data, text.len, err) &&
              rp_outputs_check(&outputs, err) &&
              rp_outputs_spare(&outputs, inputs, "an input", err) &&
              rp_outputs_commit(&outputs, err);
    rp_outputs_abort(&outputs);
    return ok;
}

/* ---- the firmware ---- */

/* Every name of the list is a global function or variable of the firmware. */
static bool check_list(const struct rp_elf *elf, const struct rp_host_imports *offered,
                       struct rp_error *err) {
    for (size_t i = 0; i < offered->count; i++) {
        const char *name = offered->items[i].name;
        const struct rp_symbol *symbol = rp_elf_symbol(elf, name);
        bool is_offered = symbol != NULL && symbol->section != SHN_UNDEF &&
                          symbol->bind != STB_LOCAL && symbol->type <= STT_FUNC;
        if (!is_offered) {
            rp_fail(err, RP_E_UNDEFINED, "'%s' has no function or variable '%s'%s", elf->path, name,
                    symbol != NULL && symbol->bind == STB_LOCAL ? " that is not static" : "");
            return rp_hint(err, "what only images use is linked once the table is: link the "
                                "firmware with the file of -o, or with -u NAME");
        }
    }
    return true;
}

static void to_list(struct rp_host_imports *offered, struct rp_arena *arena,
                    const struct rp_exports *exports) {
    for (size_t i = 0; i < exports->count; i++)
        *RP_PUSH(arena, offered) = (struct rp_host_import){.name = exports->items[i].name,
                                                           .version = exports->items[i].version};
}

static void print_json(const char *path, const struct rp_exports *exports) {
    struct rp_json *root =
        RP_JSON_PUT(rp_document("exports", 1, "exports"), RP_JSON_S("firmware", path));
    struct rp_json *list = rp_json_new_array(root, "exports");
    for (size_t i = 0; i < exports->count; i++) {
        const struct rp_export *row = &exports->items[i];
        rp_json_push(list,
                     RP_JSON_NEW(RP_JSON_S("symbol", row->name), RP_JSON_N("version", row->version),
                                 RP_JSON_S("kind", row->is_function ? "function" : "variable"),
                                 RP_JSON_W("address", row->address),
                                 RP_JSON_N("size_bytes", row->size)));
    }
    rp_print_json(root);
}

static void print_text(struct rp_arena *arena, const struct rp_exports *exports) {
    uint64_t sum = 0;
    for (size_t i = 0; i < exports->count; i++) {
        const struct rp_export *row = &exports->items[i];
        struct rp_buf version = {.arena = arena};
        rp_import_version(&version, row->version);
        printf("%-40s %-12s %-8s 0x%08x %7u bytes\n", row->name, version.data,
               row->is_function ? "function" : "variable", row->address, row->size);
        sum += row->size;
    }
    printf("%zu symbols, %llu bytes\n", exports->count, (unsigned long long)sum);
}

static bool use_firmware(struct rp_arena *arena, const char *path,
                         const struct exports_options *options, struct rp_host_imports *offered,
                         struct rp_error *err) {
    struct rp_exports exports = {0};
    struct rp_elf elf;
    if (!rp_elf_open(&elf, arena, path, err))
        return false;
    bool ok = options->list != NULL ? check_list(&elf, offered, err)
                                    : rp_exports_read(&exports, arena, &elf, err);
    if (ok && options->list == NULL)
        to_list(offered, arena, &exports);
    if (ok && options->json)
        print_json(path, &exports);
    else if (ok && options->list == NULL && options->output == NULL)
        print_text(arena, &exports);
    rp_elf_close(&elf);
    return ok;
}

static int run_exports(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                       struct rp_error *err) {
    const struct exports_options *options = given;
    struct rp_model model = {0};
    const char *firmware = arguments->count == 1 ? arguments->items[0] : NULL;
    if (arguments->count > 1 || (firmware == NULL && options->list == NULL)) {
        rp_fail(err, RP_E_USAGE, "exports takes one ELF file of a firmware, --list FILE, or both");
        return -1;
    }
    if (options->json && options->list != NULL) {
        rp_fail(err, RP_E_USAGE,
                "--json shows the table of a firmware; it does not go with --list");
        return -1;
    }
    bool ok = options->list == NULL || read_list(&model, arena, options->list, err);
    ok = ok && (firmware == NULL || use_firmware(arena, firmware, options, &model.imports, err));
    struct rp_strings inputs = *arguments;
    if (options->list != NULL)
        rp_strings_push(arena, &inputs, options->list);
    ok = ok && (options->output == NULL ||
                write_source(arena, options->output, &inputs, &model.imports, err));
    return ok ? 0 : -1;
}

const struct rp_command rp_command_exports = {
    "exports",
    "[options] [FIRMWARE.elf]",
    "Shows or writes the table of what a firmware offers to images",
    rows,
    sizeof(struct exports_options),
    NULL,
    run_exports};
