/* SPDX-License-Identifier: Apache-2.0 */
/* Imports of an image: see imports.h. */
#include "toolchain/calls/imports.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runtime/format/reloc_format.h"

/* ---- reading ---- */

static bool is_identifier(const char *name) {
    if (name[0] == '\0' || isdigit((unsigned char)name[0]))
        return false;
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

static bool read_version(const char *text, uint32_t *version) {
    char *end;
    if (!isdigit((unsigned char)*text)) /* neither a sign nor blanks */
        return false;
    unsigned long long number = strtoull(text, &end, 10);
    *version = (uint32_t)number;
    return *end == '\0' && number <= UINT32_MAX;
}

static struct rp_host_import *find(const struct rp_model *model, const char *name) {
    for (size_t i = 0; i < model->imports.count; i++)
        if (strcmp(model->imports.items[i].name, name) == 0)
            return &model->imports.items[i];
    return NULL;
}

static bool read_one(struct rp_model *model, struct rp_arena *arena, const char *spec, bool offered,
                     struct rp_error *err) {
    const char *option = offered ? "" : "--import ";
    size_t len = strcspn(spec, "@");
    struct rp_host_import import = {.name = rp_strndup(arena, spec, len), .offered = offered};
    if (!is_identifier(import.name) ||
        (spec[len] == '@' && !read_version(spec + len + 1, &import.version))) {
        rp_fail(err, RP_E_USAGE, "%s'%s' is not NAME or NAME@VERSION", option, spec);
        return rp_hint(err, "NAME is a C identifier, VERSION a whole number below 2^32");
    }
    struct rp_host_import *same = find(model, import.name);
    if (same != NULL && offered && same->version == 0)
        same->version = import.version;
    if (same != NULL)
        return same->version == import.version ||
               rp_fail(err, RP_E_USAGE, "%s'%s': versions %u and %u of the same symbol", option,
                       import.name, same->version, import.version);
    if (!offered && model->imports.count == RELOC_IMPORTS_MAX)
        return rp_fail(err, RP_E_USAGE, "--import '%s': an image can import %u symbols at most",
                       import.name, (unsigned)RELOC_IMPORTS_MAX);
    *RP_PUSH(arena, &model->imports) = import;
    return true;
}

bool rp_imports_read(struct rp_model *model, struct rp_arena *arena, struct rp_error *err) {
    for (size_t i = 0; i < model->imports.specs.count; i++)
        if (!read_one(model, arena, model->imports.specs.items[i], false, err))
            return false;
    for (size_t i = 0; i < model->imports.offers.count; i++)
        if (!read_one(model, arena, model->imports.offers.items[i], true, err))
            return false;
    return true;
}

bool rp_imports_narrow(struct rp_model *model, struct rp_error *err) {
    struct rp_host_imports *imports = &model->imports;
    size_t count = 0;
    for (size_t i = 0; i < imports->count; i++)
        if (!imports->items[i].offered || imports->items[i].wanted)
            imports->items[count++] = imports->items[i];
    imports->count = count;
    return count <= RELOC_IMPORTS_MAX ||
           rp_fail(err, RP_E_USAGE, "the model needs %zu symbols of the firmware, %u at most",
                   count, (unsigned)RELOC_IMPORTS_MAX);
}

/* ---- assembly ---- */

static bool add_unit(struct rp_build *build, const char *name, const struct rp_buf *text,
                     const struct rp_strings *flags, struct rp_error *err) {
    if (!rp_build_write(build, name, text->data, text->len, err))
        return false;
    rp_build_add(build, name, flags);
    return true;
}

/*
 * The firmware may be out of reach of a branch. So the branch leads to this stub, which goes on to
 * the address in the import's GOT word and changes only ip. Code that is patched in a copy may use
 * r9 for something else; there the stub itself holds the address. A word that holds the import's
 * address gets the address in the firmware, never that of a stub, or 0.
 */
static void put_symbol(struct rp_buf *out, const struct rp_host_import *import) {
    const char *name = import->name;
    rp_buf_printf(out, ".global \"%s\"\n", name);
    if (!import->called) {
        rp_buf_printf(out, ".set \"%s\", 0\n", name);
        return;
    }
    rp_buf_printf(out,
                  ".section .text.rp_import.%s, \"ax\", %%progbits\n.balign 4\n.thumb_func\n"
                  ".type \"%s\", %%function\n\"%s\":\n"
                  "#if defined(RP_COPY_ONLY) && __ARM_ARCH_ISA_THUMB == 1\n"
                  "    push {r0, r1}\n    ldr r0, 1f\n    str r0, [sp, #4]\n"
                  "    pop {r0, pc}\n1:  .word \"%s\"\n"
                  "#elif defined(RP_COPY_ONLY)\n    ldr.w pc, 1f\n1:  .word \"%s\"\n"
                  "#elif __ARM_ARCH_ISA_THUMB == 1\n"
                  "    push {r0, r1}\n    ldr r0, 1f\n    mov r1, r9\n    ldr r0, [r1, r0]\n"
                  "    mov ip, r0\n    pop {r0, r1}\n    bx ip\n    .balign 4\n"
                  "1:  .word \"%s\"(GOT)\n"
                  "#else\n    ldr.w ip, 1f\n    ldr.w pc, [r9, ip]\n1:  .word \"%s\"(GOT)\n"
                  "#endif\n.size \"%s\", . - \"%s\"\n",
                  name, name, name, name, name, name, name, name, name);
}

bool rp_imports_add(const struct rp_model *model, struct rp_build *build,
                    const struct rp_plan_flags *flags, struct rp_error *err) {
    struct rp_buf out = {.arena = build->arena};
    size_t count = 0;
    if (model->imports.count == 0)
        return true;
    rp_buf_puts(&out, "/* Generated: what the image imports of the firmware. */\n"
                      ".syntax unified\n.thumb\n");
    for (size_t i = 0; i < model->imports.count; i++)
        if (model->imports.items[i].wanted)
            put_symbol(&out, &model->imports.items[i]);
    rp_buf_puts(&out, ".section .rp_imports, \"a\", %progbits\n.balign 4\n"
                      ".global _rp_imports, _rp_imports_end\n_rp_imports:\n");
    for (size_t i = 0; i < model->imports.count; i++) {
        const struct rp_host_import *import = &model->imports.items[i];
        if (import->wanted)
            rp_buf_printf(&out, ".word %u\n.asciz \"%s\"\n.balign 4\n", import->version,
                          import->name);
        count += import->wanted;
    }
    rp_buf_printf(&out, "_rp_imports_end: .word _rp_imports_end - _rp_imports, %zu\n", count);
    return add_unit(build, "imports.S", &out, &flags->glue, err);
}

bool rp_imports_offer(const struct rp_model *model, struct rp_build *build,
                      const struct rp_plan_flags *flags, struct rp_error *err) {
    struct rp_buf out = {.arena = build->arena};
    if (model->imports.count == 0)
        return true;
    rp_buf_puts(&out, "/* Generated: what the host's sources offer to images. */\n"
                      ".section .rodata.harness_imports, \"a\", %progbits\n.balign 4\n"
                      ".global harness_imports, harness_import_count\nharness_imports:\n");
    for (size_t i = 0; i < model->imports.count; i++)
        rp_buf_printf(&out,
                      ".word 2f, %u, \"%s\"\n.pushsection .rodata.str\n2: .asciz \"%s\"\n"
                      ".popsection\n",
                      model->imports.items[i].version, model->imports.items[i].name,
                      model->imports.items[i].name);
    rp_buf_printf(&out, "harness_import_count: .word %zu\n", model->imports.count);
    return add_unit(build, "host_imports.S", &out, &flags->glue, err);
}
