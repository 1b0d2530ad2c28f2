/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of the link and of the finished image that share nothing with what makes them. */
#ifndef RP_CLI_PIPELINE_CHECK_H
#define RP_CLI_PIPELINE_CHECK_H

#include "cli/pipeline/package.h"

/*
 * data.ld for the linker script: variables with initial values in sections that are named as zeros
 * are, by name, in whatever object, which costs the zeros of that name their room in the file.
 * Names that a pattern of the linker would not mean are left out; the check of the link then
 * refuses what became of them.
 */
bool rp_package_write_filled(struct rp_package *package, struct rp_error *err);
/*
 * Before the link: the model's objects have no name that is the image's own. What archives have of
 * them is kept for later: not every member is linked. RP_E_RESERVED.
 */
bool rp_package_check_names(struct rp_package *package, struct rp_error *err);
/*
 * Compares the linked file with what was linked (elfpack/validate.h); placed.link is open
 * afterwards, also after an error. RP_E_LINK_CHECK, RP_E_RESERVED.
 */
bool rp_package_check_link(struct rp_package *package, struct rp_error *err);
/* The link failed: was it because an archive has a name that is the image's own? */
void rp_package_blame_names(const struct rp_package *package, struct rp_error *err);

/*
 * Compares the finished image with what was linked (elfpack/installed.h): for rp_image_write.
 * context: the package. RP_E_IMAGE_CHECK.
 */
bool rp_package_check_image(const void *context, const uint8_t *bytes, size_t size,
                            const struct rp_image_result *result, struct rp_error *err);

#endif
