/* SPDX-License-Identifier: Apache-2.0 */
/* The units of a model of TVM: see tvm_plan.h. */
#include "toolchain/dialects/tvm_plan.h"

#include <string.h>

#include "base/path.h"
#include "toolchain/compile/build.h"
#include "toolchain/compile/flags.h"
#include "toolchain/calls/glue.h"

static const char *const handed[] = {"TVMBackendAllocWorkspace", "TVMBackendFreeWorkspace", NULL};
const struct rp_handed rp_tvm_handed = {.names = handed,
                                        .source = "templates/tvm_backend.c",
                                        .header = "templates/tvm/include/rp_tvm_workspace.h"};

static const char *in_data_dir(struct rp_build *build, const char *name) {
    return rp_path_join(build->arena, build->options->data_dir, name);
}

/*
 * The names in a tar are safe to join. Its files go to obj/mlf/ in the workspace, which is emptied
 * first, so that no header of another model is found there.
 */
static bool add_generated(const struct rp_tvm *tvm, struct rp_build *build,
                          struct rp_strings *flags, struct rp_error *err) {
    struct rp_arena *arena = build->arena;
    const struct rp_mlf *mlf = &tvm->mlf;
    if (!mlf->in_tar)
        return true;
    const char *dir = rp_build_path(build, "obj/mlf");
    rp_remove_tree(dir);
    if (!rp_mlf_unpack(mlf, arena, dir, err))
        return false;
    for (size_t i = 0; i < mlf->include_dirs.count; i++)
        rp_strings_push(arena, flags, rp_format(arena, "-Iobj/mlf/%s", mlf->include_dirs.items[i]));
    for (size_t i = 0; i < mlf->sources.count; i++)
        rp_build_add(build, rp_format(arena, "obj/mlf/%s", mlf->sources.items[i].path), flags);
    return true;
}

/*
 * The functions that the generated code calls, and the memory of its workspaces, belong to the
 * model. Those that the firmware provides get another name here, so that nothing uses ours.
 */
static bool add_backend(const struct rp_model *model, struct rp_build *build,
                        const struct rp_plan_flags *flags, struct rp_error *err) {
    struct rp_arena *arena = build->arena;
    const struct rp_tvm *tvm = model->own;
    struct rp_strings own = {0};
    rp_strings_append(arena, &own, &flags->glue);
    RP_PUSH_WORDS(arena, &own, "-idirafter", in_data_dir(build, "templates/tvm/include"));
    if (tvm->arena_bytes != 0)
        rp_strings_push(
            arena, &own,
            rp_format(arena, "-DRP_TVM_WORKSPACE=%lluu", (unsigned long long)tvm->arena_bytes));
    if (flags->hands)
        rp_strings_push(arena, &own, "-DRP_TVM_HANDED");
    for (size_t i = 0; i < model->imports.count; i++)
        if (rp_has_prefix(model->imports.items[i].name, "TVM"))
            rp_strings_push(
                arena, &own,
                rp_format(arena, "-D%s=rp_tvm_unused%zu", model->imports.items[i].name, i));
    rp_build_add(build, in_data_dir(build, "templates/tvm_backend.c"), &own);
    if (tvm->pools == NULL)
        return true;
    rp_build_add(build, "tvm_pools.c", &own);
    return rp_build_write(build, "tvm_pools.c", tvm->pools, strlen(tvm->pools), err);
}

bool rp_tvm_plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err) {
    struct rp_strings own = {0};
    rp_strings_append(build->arena, &own, &flags->model);
    RP_PUSH_WORDS(build->arena, &own, "-idirafter", in_data_dir(build, "templates/tvm/include"));
    if (!add_generated(model->own, build, &own, err))
        return false;
    for (size_t i = 0; i < model->code.sources.count; i++)
        rp_build_add(build, model->code.sources.items[i], &own);
    return add_backend(model, build, flags, err) && rp_glue_c_add(model, build, flags, err);
}
