/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware: see imports.h. */
#include "cli/pipeline/imports.h"

#include <string.h>

#include "toolchain/build/series.h"
#include "toolchain/calls/imports.h"

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
    return rp_imports_narrow(model, err) &&
           rp_imports_add(model, &package->build, &package->compiled.flags, err);
}
