/* SPDX-License-Identifier: Apache-2.0 */
/* The last step: the files. */
#ifndef RP_CLI_PIPELINE_WRITE_H
#define RP_CLI_PIPELINE_WRITE_H

#include "cli/pipeline/package.h"

/* Writes the image, and the weights file unless weights_path is NULL. */
bool rp_package_write(struct rp_package *package, const char *image_path, const char *weights_path,
                      struct rp_image_result *result, struct rp_error *err);

#endif
