/* SPDX-License-Identifier: Apache-2.0 */
/* What `inspect` shows of a Neural-ART image (image->is_npu). */
#ifndef RP_CLI_INSPECT_NPU_H
#define RP_CLI_INSPECT_NPU_H

#include "base/json.h"
#include "elfpack/image/reader.h"

void rp_inspect_npu(const struct rp_mapped *file, const struct rp_image_view *image);
void rp_inspect_npu_json(struct rp_json *root, const struct rp_mapped *file,
                         const struct rp_image_view *image);

#endif
