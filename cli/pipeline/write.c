/* SPDX-License-Identifier: Apache-2.0 */
/* From a placed image to its files: see write.h. */
#include "cli/pipeline/write.h"

#include "cli/pipeline/check.h"

/*
 * In the image, weights lie at a multiple of what their arrays are aligned to, so that they do in
 * memory, too, if the image is placed so. Beyond a page, the gap would cost more than it is worth.
 */
static uint32_t weights_align(const struct rp_package *package) {
    enum { MOST = 4096 };
    const struct rp_section *weights = package->placed.layout.parts.weights;
    uint32_t arrays = weights != NULL && weights->align <= MOST ? weights->align : 0;
    return arrays > package->model.calls.parts_align ? arrays : package->model.calls.parts_align;
}

bool rp_package_write(struct rp_package *package, const char *image_path, const char *weights_path,
                      struct rp_image_result *result, struct rp_error *err) {
    bool own = !package->model.dialect->own_glue;
    const struct rp_image_spec spec = {
        .layout = &package->placed.layout,
        .weights = package->placed.weights,
        .acts_size = !own ? -1
                     : package->model.acts_size != 0
                         ? (int64_t)package->model.acts_size
                         : (int64_t)package->placed.layout.parts.bounds.acts_size,
        .weights_size = package->placed.declared_weights,
        .weights_align = weights_align(package),
        .image_path = image_path,
        .weights_path = weights_path,
        .check = {rp_package_check_image, package},
    };
    return rp_image_write(&spec, result, err);
}
