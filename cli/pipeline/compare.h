/* SPDX-License-Identifier: Apache-2.0 */
/* --compare-static and --compare-toolchains: the same model, built in another way. */
#ifndef RP_CLI_PIPELINE_COMPARE_H
#define RP_CLI_PIPELINE_COMPARE_H

#include "cli/pipeline/package.h"

/* Bytes of flash and RAM in a static link, without weights and activations. */
struct rp_static_sizes {
    bool known;
    uint64_t flash;
    uint64_t ram;
};

/* Links the model of options statically, in a workspace of its own. */
bool rp_compare_static(struct rp_arena *arena, const struct rp_source_options *options,
                       struct rp_static_sizes *sizes, struct rp_error *err);
/*
 * Builds the model of options with the other toolchain: clang if they name gcc, gcc if they name a
 * clang. The caller closes other, also after an error.
 */
bool rp_compare_toolchains(struct rp_package *other, struct rp_arena *arena,
                           const struct rp_source_options *options, struct rp_image_result *image,
                           struct rp_error *err);

#endif
