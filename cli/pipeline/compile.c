/* SPDX-License-Identifier: Apache-2.0 */
/* From an opened package to the objects of its units: see compile.h. */
#include "cli/pipeline/compile.h"

#include <stdlib.h>
#include <string.h>

#include "cli/pipeline/clang.h"
#include "toolchain/calls/declared.h"
#include "toolchain/build/make.h"

static bool ask_version(struct rp_package *package, struct rp_error *err) {
    struct rp_strings argv = {0};
    const char *version;
    RP_PUSH_WORDS(package->arena, &argv, package->build.cc,
                  package->build_options.compiler != NULL ? "-dumpversion" : "-dumpfullversion");
    if (!rp_build_ask(&package->build, &argv, &version, err))
        return false;
    package->compiler_version = rp_strndup(package->arena, version, strcspn(version, "\r\n"));
    return strtol(version, NULL, 10) >= 8 ||
           rp_fail(err, RP_E_TOOL_OLD, "'%s' is of version '%s'; 8 or later is needed",
                   package->build.cc, package->compiler_version);
}

bool rp_package_compile(struct rp_package *package, bool is_static, struct rp_error *err) {
    if (!rp_build_begin(&package->build, package->arena, &package->build_options, err))
        return false;
    package->flags = (struct rp_plan_flags){.is_static = is_static};
    rp_plan_flags(&package->flags, &package->build, &package->model, &package->input);
    return (package->options->build.dry_run || ask_version(package, err)) &&
           rp_clang_takes_sources(package, err) &&
           package->model.dialect->plan(&package->model, &package->build, &package->flags, err) &&
           (is_static || rp_clang_move_constants(package, err)) &&
           rp_build_make(&package->build, "objects", err) &&
           (is_static || package->options->build.dry_run ||
            rp_declared_check_objects(&package->model, &package->build, err));
}
