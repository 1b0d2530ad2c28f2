/* SPDX-License-Identifier: Apache-2.0 */
/* Options about model, target and tools: see options.h. */
#include "cli/pipeline/options.h"

#include <stdlib.h>
#include <string.h>
#include "toolchain/compile/compiler.h"

enum { DEFAULT_THRESHOLD = 256 };

const char *rp_cross_compile(const struct rp_source_options *options) {
    return options->build.cross_compile != NULL ? options->build.cross_compile : RP_CROSS_COMPILE;
}

bool rp_math_is_libc(const struct rp_source_options *options) {
    return options->math != NULL && strcmp(options->math, "libc") == 0;
}

unsigned rp_heap_bytes(const struct rp_source_options *options) {
    return (options->heap + 7) / 8 * 8;
}

void rp_source_defaults(struct rp_source_options *options) {
    const char *prefix = getenv("CROSS_COMPILE");
    if (prefix != NULL && prefix[0] != '\0')
        options->build.cross_compile = prefix;
    options->build.launcher = "auto";
    options->input.compiler = &rp_gcc;
    options->thresholds.weights = DEFAULT_THRESHOLD;
    options->thresholds.acts = DEFAULT_THRESHOLD;
}
