/* SPDX-License-Identifier: Apache-2.0 */
/* The imports of an image, as `inspect` shows them. */
#ifndef RP_CLI_INSPECT_IMPORTS_H
#define RP_CLI_INSPECT_IMPORTS_H

#include "base/json.h"
#include "elfpack/image/reader.h"

void rp_image_imports_print(const struct rp_image_view *image);
/* Member "imports". */
void rp_image_imports_json(struct rp_json *root, const struct rp_image_view *image);

#endif
