/* SPDX-License-Identifier: Apache-2.0 */
/* Static build and loader: see build.h. */
#include "cli/verify/build.h"

#include "base/path.h"
#include "cli/pipeline/sources.h"
#include "cli/pipeline/static.h"
#include "toolchain/compile/make.h"

/* A static build begins at a multiple of this, which any page size of the linker divides. */
#define FIRMWARE_ALIGN UINT32_C(0x10000)

/* The loader's firmware has a fixed place; the static build gets the largest free piece. */
static uint32_t base_of(const struct rp_verification *verify, bool is_static) {
    if (!is_static)
        return rp_board_place(verify->board, RP_PLACE_FIRMWARE);
    struct rp_area piece = rp_space_largest(&verify->space, rp_board_external(verify->board));
    return (piece.address + FIRMWARE_ALIGN - 1) & ~(FIRMWARE_ALIGN - 1);
}

static struct rp_harness harness_for(const struct rp_verification *verify, bool is_static,
                                     bool sorted) {
    struct rp_harness harness = {
        .flags = &verify->model.compiled.flags,
        .board = verify->board,
        .is_static = is_static,
        .sorted = sorted,
        .base = base_of(verify, is_static),
        .stack = {rp_board_place(verify->board, RP_PLACE_STACK), HARNESS_STACK_BYTES},
        .plan = {rp_board_place(verify->board, RP_PLACE_PLAN), HARNESS_PLAN_BYTES},
        .libraries = is_static ? &verify->model.model.code.libraries : NULL,
        .link_options = is_static ? &verify->model.model.needs.link_options : NULL,
    };
    if (verify->format->harness != NULL)
        verify->format->harness(verify, &harness);
    return harness;
}

/* What libraries need is known only when it is linked. */
static bool link_all(struct rp_package *model, const struct rp_harness *harness,
                     struct rp_error *err) {
    bool missed = true;
    while (missed) {
        struct rp_elf elf;
        rp_harness_link(&model->build, harness);
        if (!rp_build_make(&model->build, "link", err) ||
            !rp_elf_open(&elf, model->arena, rp_build_path(&model->build, "image.elf"), err))
            return false;
        missed = rp_sources_miss(model, &elf);
        rp_elf_close(&elf);
        for (bool more = missed; more;)
            if (!rp_build_make(&model->build, "objects", err) ||
                !rp_sources_need(model, &more, err))
                return false;
    }
    return true;
}

static bool link_static(struct rp_verification *verify, bool sorted, struct rp_error *err) {
    struct rp_package *model = &verify->model;
    const struct rp_harness harness = harness_for(verify, true, sorted);
    return link_all(model, &harness, err) &&
           rp_firmware_look(&verify->firmware.fixed, verify->arena,
                            rp_build_path(&model->build, "image.elf"), err);
}

/*
 * Sections are sorted here, so arrays have other neighbours than in the image, where they lie in
 * the order of the objects.
 */
bool rp_verify_build_static(struct rp_verification *verify, struct rp_error *err) {
    struct rp_package *model = &verify->model;
    if (!rp_package_compile_static(model, err) || !rp_package_embed_weights(model, err) ||
        !rp_firmware_add_sources(&model->build, &verify->options->host_sources,
                                 &model->compiled.flags.model, err) ||
        (verify->format->place != NULL && !verify->format->place(verify, err)))
        return false;
    const struct rp_harness harness = harness_for(verify, true, true);
    verify->shared = rp_harness_add(&model->build, &harness);
    return link_static(verify, true, err);
}

bool rp_verify_relink(struct rp_verification *verify, struct rp_error *err) {
    return link_static(verify, false, err);
}

bool rp_verify_build_loader(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_package *model = &verify->model;
    struct rp_build_options *options = rp_alloc(verify->arena, 1, sizeof *options);
    *options = model->build_options;
    options->workspace = rp_path_join(verify->arena, model->build.dir, "loader");
    options->keep = true; /* it is inside the other workspace, which is removed as a whole */
    if (!rp_build_begin(&verify->loader, verify->arena, options, err))
        return false;
    struct rp_harness harness = harness_for(verify, false, false);
    harness.shared = verify->shared;
    struct rp_strings imports = {0};
    rp_firmware_imports(&verify->subject.view, verify->arena, &imports);
    (void)rp_harness_add(&verify->loader, &harness);
    if (!rp_firmware_add_sources(&verify->loader, &verify->options->host_sources,
                                 &model->compiled.flags.model, err) ||
        !rp_firmware_offer(&verify->loader, &imports, &model->compiled.flags, err))
        return false;
    rp_harness_link(&verify->loader, &harness);
    return rp_build_make(&verify->loader, "link", err) &&
           rp_firmware_look(&verify->firmware.loader, verify->arena,
                            rp_build_path(&verify->loader, "image.elf"), err);
}
