/* SPDX-License-Identifier: Apache-2.0 */
/* Neural-ART images on a board: see npu.h. */
#include "cli/run/npu.h"

#include "cli/report/npu_names.h"
#include "toolchain/npu/ll_aton.h"

static bool is_secure(const struct rp_image_view *view) {
    return (view->view.flags & RELOC_NPU_FLAG_SECURE) != 0;
}

static const char *runtime(struct rp_arena *arena, const struct rp_image_view *view) {
    return rp_format(arena, " ll_aton=%s", rp_npu_release(arena, &view->npu, '.'));
}

static const char *security(const struct rp_image_view *view) {
    return is_secure(view) ? " secure=True" : " secure=False";
}

static void put_json(struct rp_json *object, struct rp_arena *arena,
                     const struct rp_image_view *view) {
    RP_JSON_PUT(object, RP_JSON_S("ll_aton", rp_npu_release(arena, &view->npu, '-')),
                RP_JSON_N("ext_ram", view->npu.ext_ram_size), RP_JSON_B("secure", is_secure(view)));
}

const struct rp_run_format rp_run_neural_art = {
    .mailbox = MAILBOX_IMAGES_NEURAL_ART,
    .needs_firmware = true,
    .memory_at_load = true,
    .only_npus = true,
    .nodes = &rp_dialect_ll_aton,
    .runtime = runtime,
    .security = security,
    .json = put_json,
};
