/* SPDX-License-Identifier: Apache-2.0 */
/* Static build and loader: see build.h. */
#include "cli/verify/build.h"

#include "base/path.h"
#include "cli/pipeline/static.h"
#include "cli/verify/npu.h"
#include "toolchain/build/make.h"
#include "toolchain/calls/imports.h"

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
    rp_verify_npu_harness(verify, &harness);
    return harness;
}

/* Adds the firmware's own sources, compiled with the flags of the static model. */
static bool add_host_sources(const struct rp_verification *verify, struct rp_build *build,
                             struct rp_error *err) {
    const struct rp_strings *sources = &verify->options->host_sources;
    for (size_t i = 0; i < sources->count; i++) {
        const char *path = rp_path_absolute(verify->arena, sources->items[i], err);
        if (path == NULL)
            return false;
        if (!rp_path_is_file(path))
            return rp_fail(err, RP_E_INPUT, "--host-source '%s': no such file", sources->items[i]);
        rp_build_add(build, path, &verify->model.compiled.flags.model);
    }
    return true;
}

/* Only the loader's firmware offers the imports: the static build has them linked in. */
static bool offer_imports(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_image_view *image = &verify->subject.view;
    struct rp_model offered = {0};
    const uint8_t *at = image->imports;
    for (uint32_t i = 0; i < image->import_count; i++, at = rp_next_import(at))
        rp_strings_push(verify->arena, &offered.imports.specs,
                        rp_format(verify->arena, "%s@%u", (const char *)at + 4, rp_get_le32(at)));
    return rp_imports_read(&offered, verify->arena, err) &&
           rp_imports_offer(&offered, &verify->loader, &verify->model.compiled.flags, err);
}

static bool link_static(struct rp_verification *verify, bool sorted, struct rp_error *err) {
    struct rp_package *model = &verify->model;
    const struct rp_harness harness = harness_for(verify, true, sorted);
    rp_harness_link(&model->build, &harness);
    return rp_build_make(&model->build, "link", err) &&
           rp_firmware_look(&verify->firmware_static, &model->build, err);
}

/*
 * Sections are sorted here, so arrays have other neighbours than in the image, where they lie in
 * the order of the objects.
 */
bool rp_verify_build_static(struct rp_verification *verify, struct rp_error *err) {
    struct rp_package *model = &verify->model;
    if (!rp_package_compile_static(model, err) || !rp_package_embed_weights(model, err) ||
        !add_host_sources(verify, &model->build, err) || !rp_verify_npu_place(verify, err))
        return false;
    const struct rp_harness harness = harness_for(verify, true, true);
    rp_harness_add(&model->build, &harness);
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
    const struct rp_harness harness = harness_for(verify, false, false);
    rp_harness_add(&verify->loader, &harness);
    if (!add_host_sources(verify, &verify->loader, err) || !offer_imports(verify, err))
        return false;
    rp_harness_link(&verify->loader, &harness);
    return rp_build_make(&verify->loader, "link", err) &&
           rp_firmware_look(&verify->firmware_loader, &verify->loader, err);
}
