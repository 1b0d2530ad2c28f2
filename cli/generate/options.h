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
    struct {
        bool no_c; /* neither NAME_rel.h nor C arrays */
        bool loader_sources;
        bool service;
        bool vendor_names;
        /* of -r, set by rp_generate_take */
        bool split;     /* the weights get a file of their own */
        bool c_array;   /* the image is also written as a C array */
        bool c_weights; /* a weights file is also written as one */
    } files;
    struct {
        bool with_static, toolchains;
    } compare;
    struct {
        const char *name;  /* or a board file */
        const char *flash; /* SIZE for the model; NULL: all of the device */
        const char *ram;
    } device;
    struct {
        struct rp_strings budgets;
        const char *file;     /* with more of them */
        const char *baseline; /* what budgets of growth are growth from */
        const char *update;   /* the baseline to write */
    } limits;
    bool parse_only;
    bool reproducible;
    const char *json;
    const char *html;
    const char *depfile;
    const char *stamp;
    const char *options_file; /* the last one; its words are parsed already */
    struct rp_strings labels;
};

extern const struct rp_option rp_generate_rows[];

/* target: a struct rp_generate_options. */
void rp_generate_defaults(void *target);
/* Takes what the items of -r choose into the members that they stand for. RP_E_USAGE. */
bool rp_generate_take(struct rp_generate_options *options, struct rp_error *err);

#endif
