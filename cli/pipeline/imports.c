/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware: see imports.h. */
#include "cli/pipeline/imports.h"

#include "toolchain/calls/imports.h"

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
        if (rp_strings_have(&package->linked.scan.defined, import->name)) {
            rp_fail(err, RP_E_USAGE, "--import '%s': the model has a symbol of that name itself",
                    import->name);
            return rp_hint(err, "leave it out of the imports: the model then uses its own");
        }
        import->wanted = rp_strings_have(&package->linked.scan.imported, import->name);
        import->called = rp_strings_have(&package->linked.scan.called, import->name);
        if (import->wanted)
            rp_strings_push(package->arena, &package->linked.imports, import->name);
    }
    return rp_imports_add(model, &package->build, &package->compiled.flags, err);
}
