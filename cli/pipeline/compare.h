/* SPDX-License-Identifier: Apache-2.0 */
/* --compare-static and --compare-toolchains: the same model built otherwise. */
#ifndef RP_CLI_PIPELINE_COMPARE_H
#define RP_CLI_PIPELINE_COMPARE_H

#include "cli/pipeline/package.h"

/* Flash and RAM of a static link, weights and activations aside; bytes. */
struct rp_static_sizes {
    bool known;
    uint64_t flash;
    uint64_t ram;
};

/* Links statically what options name, in a workspace of its own. */
bool rp_compare_static(struct rp_arena *arena, const struct rp_source_options *options,
                       struct rp_static_sizes *sizes, struct rp_error *err);
/*
 * Builds what options name with the other toolchain: clang beside gcc, gcc beside a clang. The
 * caller closes other, also after an error.
 */
bool rp_compare_toolchains(struct rp_package *other, struct rp_arena *arena,
                           const struct rp_source_options *options, struct rp_image_result *image,
                           struct rp_error *err);

#endif
