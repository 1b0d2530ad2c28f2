/* SPDX-License-Identifier: Apache-2.0 */
/* What a report may say without the user's word: see trust.h. */
#include "cli/report/trust.h"

#include <string.h>

#include "toolchain/compile/cflags.h"
#include "toolchain/generators/generator.h"

static const char *in_cflags(const struct rp_source_options *source) {
    return rp_cflags_starts(&source->input.cflags);
}

static const char *in_generator(const struct rp_source_options *source) {
    const char *name = source->generator.name;
    return rp_generator_is_inert(name, source->input.path) ? NULL : name;
}

static const char *in_generator_options(const struct rp_source_options *source) {
    return rp_generator_option_starts(source->generator.name, &source->generator.options);
}

/* A prefix without a folder is that of a compiler on the user's own PATH. */
static const char *in_prefix(const struct rp_source_options *source) {
    const char *prefix = source->build.cross_compile;
    return strchr(prefix, '/') != NULL ? prefix : NULL;
}

/* The file's members are judged where they are read: toolchain/npu/pack.c. */
static const char *in_custom(const struct rp_source_options *source) {
    (void)source;
    return NULL;
}

static const struct {
    const char *member;
    const char *(*starts)(const struct rp_source_options *source);
} judges[] = {
    {"cflags", in_cflags},
    {"generator", in_generator},
    {"generator_options", in_generator_options},
    {"cross_compile", in_prefix},
    {"custom", in_custom},
};

const char *rp_trust_starts(const struct rp_source_options *source, const struct rp_option *row) {
    const void *value = (const char *)source + row->offset;
    const bool is_list = row->kind == RP_OPT_LIST || row->kind == RP_OPT_FLAGS;
    if ((row->marks & RP_MARK_INERT) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof judges / sizeof judges[0]; i++)
        if (strcmp(judges[i].member, row->member) == 0)
            return judges[i].starts(source);
    return is_list ? ((const struct rp_strings *)value)->items[0] : *(const char *const *)value;
}
