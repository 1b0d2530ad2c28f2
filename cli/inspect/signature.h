/* SPDX-License-Identifier: Apache-2.0 */
/* The signature of an image, as `inspect` shows it; no key is asked. */
#ifndef RP_CLI_INSPECT_SIGNATURE_H
#define RP_CLI_INSPECT_SIGNATURE_H

#include "base/json.h"
#include "elfpack/image/reader.h"

/* weights: the file of --weights, or NULL. Prints nothing for an image that is not signed. */
void rp_inspect_signature(const struct rp_mapped *file, const struct rp_image_view *image,
                          const struct rp_mapped *weights);
/* Member "signature". */
void rp_inspect_signature_json(struct rp_json *root, const struct rp_mapped *file,
                               const struct rp_image_view *image, const struct rp_mapped *weights);

#endif
