/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `generate`: their rows, and what the items of -r choose. */
#ifndef RP_CLI_GENERATE_OPTIONS_H
#define RP_CLI_GENERATE_OPTIONS_H

#include "cli/options.h"
#include "cli/pipeline/options.h"
#include "cli/report/ci/diagnostics.h"

/* What -r takes; custom may be custom=FILE. */
#define RP_RELOC_ITEMS                                                                             \
    "split gen-c-file gen-c-weights copy-only compact custom no-secure no-dbg-info polling "       \
    "ecblob-in-params llvm st-clang"

struct rp_generate_options {
    struct rp_source_options source;
    struct rp_diagnosed diagnosed;
    struct rp_strings reloc;    /* items of -r; "" marks that it was given */
    struct rp_strings stedgeai; /* options of stedgeai, with their values, as words for it */
    const char *output;         /* folder */
    bool no_c_files;
    bool loader_sources;
    bool service;
    bool vendor_names;
    bool parse_only;
    bool compare_static;
    bool compare_toolchains;
    bool reproducible;
    const char *json;
    const char *html;
    const char *update_baseline;
    const char *depfile;
    const char *stamp;
    const char *options_file; /* the last one; its words are parsed already */
    const char *device;       /* its name, or a board file */
    const char *device_flash; /* SIZE for the model; NULL: all of the device */
    const char *device_ram;
    struct rp_strings budgets;
    struct rp_strings labels;
    const char *budget_file;
    const char *baseline; /* what budgets of growth are growth from */
    /* set by rp_generate_take */
    bool split;     /* the weights get a file of their own */
    bool c_array;   /* the image is also written as a C array */
    bool c_weights; /* a weights file is also written as one */
};

extern const struct rp_option rp_generate_rows[];

/* target: a struct rp_generate_options. */
void rp_generate_defaults(void *target);
/* Takes what the items of -r choose into the members that they stand for. RP_E_USAGE. */
bool rp_generate_take(struct rp_generate_options *options, struct rp_error *err);

#endif
