/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware: see imports.h. */
#include "cli/pipeline/imports.h"

#include <string.h>

#include "toolchain/compile/series.h"
#include "toolchain/calls/dwarf.h"
#include "toolchain/calls/imports.h"
#include "toolchain/calls/said.h"

bool rp_host_imports_offered(struct rp_package *package, struct rp_error *err) {
    struct rp_input *input = &package->input;
    struct rp_exports *exports = &package->exports;
    struct rp_elf elf;
    if (input->import_from == NULL)
        return true;
    *exports = (struct rp_exports){0};
    if (!rp_elf_open(&elf, package->arena, input->import_from, err))
        return false;
    bool ok =
        rp_exports_read(exports, package->arena, &elf, err) &&
        (package->target == NULL || rp_exports_check_abi(&elf, package->target->float_abi, err));
    rp_elf_close(&elf);
    for (size_t i = 0; i < exports->count; i++)
        rp_strings_push(package->arena, &input->offers,
                        rp_format(package->arena, exports->items[i].version != 0 ? "%s@%u" : "%s",
                                  exports->items[i].name, exports->items[i].version));
    return ok;
}

const struct rp_strings *rp_host_import_names(struct rp_package *package) {
    struct rp_strings *names = rp_alloc(package->arena, 1, sizeof *names);
    for (size_t i = 0; i < package->model.imports.count; i++)
        rp_strings_push(package->arena, names, package->model.imports.items[i].name);
    return names;
}

/* A branch to an even address, which a variable has, faults: the core has Thumb code only. */
static bool check_called(const struct rp_package *package, const char *name, struct rp_error *err) {
    for (size_t i = 0; i < package->exports.count; i++) {
        const struct rp_export *offer = &package->exports.items[i];
        if ((offer->address & 1) != 0 || strcmp(offer->name, name) != 0)
            continue;
        rp_fail(err, RP_E_UNDEFINED,
                "the model calls '%s', which '%s' offers at 0x%08x: that is no function", name,
                package->input.import_from, offer->address);
        return rp_hint(err, "a variable cannot be called; a function in assembly needs .thumb_func "
                            "before its label");
    }
    return true;
}

/* What an offer contradicts in the model's declaration of its name; NULL: nothing. */
static const char *contradiction(struct rp_arena *arena, const struct rp_export *offer,
                                 const struct rp_declared *declared) {
    const struct rp_ctype *type = declared->type;
    uint64_t bytes = type->kind == RP_CTYPE_FUNCTION ? 0 : rp_said_bytes(type);
    if (type->kind == RP_CTYPE_UNKNOWN)
        return NULL;
    if (type->kind == RP_CTYPE_FUNCTION)
        return (offer->address & 1) != 0 ? NULL : "as a function, which is a variable there";
    if (offer->is_function)
        return "as a variable, which is a function there";
    return offer->size != 0 && bytes > offer->size
               ? rp_format(arena, "with %llu bytes, which has %u there", (unsigned long long)bytes,
                           offer->size)
               : NULL;
}

static bool check_offer(const struct rp_package *package, const char *name,
                        const struct rp_declared_list *declared, struct rp_error *err) {
    for (size_t i = 0; declared != NULL && i < package->exports.count; i++)
        for (size_t k = 0; k < declared->count; k++) {
            const struct rp_export *offer = &package->exports.items[i];
            const struct rp_declared *item = &declared->items[k];
            if (strcmp(offer->name, name) != 0 || item->is_static ||
                strcmp(rp_declared_linked(item), name) != 0)
                continue;
            const char *why = contradiction(package->arena, offer, item);
            if (why == NULL)
                continue;
            rp_fail(err, RP_E_DECLARED, "%s:%u: the model declares '%s', '%s' of '%s', %s",
                    item->file, item->line, rp_ctype_text(package->arena, item->type, item->name),
                    name, package->input.import_from, why);
            rp_fail_symbol(err, name);
            return rp_hint(err, "build both with one header that declares it");
        }
    return true;
}

/* The compiler's debug information and the sources say what the model takes an import for. */
static bool check_offers(struct rp_package *package, struct rp_error *err) {
    const struct rp_units *units = &package->build.units;
    const struct rp_strings *names = &package->linked.imports;
    struct rp_declared_list used = {0};
    if (package->exports.count == 0 || names->count == 0)
        return true;
    for (size_t i = 0; i < units->count; i++)
        if (!units->items[i].waits)
            rp_dwarf_read_used(package->arena, rp_build_object(&package->build, &units->items[i]),
                               names, &used);
    for (size_t i = 0; i < package->model.code.libraries.count; i++)
        rp_dwarf_read_used(package->arena, package->model.code.libraries.items[i], names, &used);
    for (size_t i = 0; i < names->count; i++)
        if (!check_offer(package, names->items[i], &used, err) ||
            !check_offer(package, names->items[i], package->model.entry.declared, err))
            return false;
    return true;
}

bool rp_host_imports_settle(struct rp_package *package, struct rp_error *err) {
    struct rp_model *model = &package->model;
    for (size_t i = 0; i < model->imports.count; i++) {
        struct rp_host_import *import = &model->imports.items[i];
        bool has_own = rp_strings_have(&package->linked.scan.defined, import->name);
        if (has_own && import->offered)
            continue; /* the model uses its own */
        if (has_own) {
            rp_fail(err, RP_E_USAGE, "--import '%s': the model has a symbol of that name itself",
                    import->name);
            return rp_hint(err, "leave it out of the imports: the model then uses its own");
        }
        import->wanted = rp_strings_have(&package->linked.scan.imported, import->name);
        import->called = rp_strings_have(&package->linked.scan.called, import->name);
        if (import->called && !check_called(package, import->name, err))
            return false;
        if (import->wanted)
            rp_strings_push(package->arena, &package->linked.imports, import->name);
    }
    return check_offers(package, err) && rp_imports_narrow(model, err) &&
           rp_imports_add(model, &package->build, &package->compiled.flags, err);
}
