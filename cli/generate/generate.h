/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `generate`, which the report and `verify` also look at. */
#ifndef RP_CLI_GENERATE_GENERATE_H
#define RP_CLI_GENERATE_GENERATE_H

#include "cli/options.h"
#include "cli/pipeline/package.h"
#include "cli/report/diagnostics.h"

struct rp_generate_options {
    struct rp_source_options source;
    struct rp_diagnosed diagnosed;
    struct rp_strings reloc; /* items of -r; "" marks that it was given */
    const char *output;
    bool no_c_files;
    bool loader_sources;
    bool vendor_names;
    bool parse_only;
    bool compare_static;
    bool compare_toolchains;
    bool reproducible;
    const char *json;
    const char *depfile;
    struct rp_strings budgets;
    const char *budget_file;
};

/* What -r asked for. */
struct rp_reloc_choice {
    bool split;
    bool c_files;
};

extern const struct rp_command rp_command_generate;
extern const struct rp_command rp_command_verify;
extern const struct rp_command rp_command_inspect;
extern const struct rp_command rp_command_doctor;
extern const struct rp_command rp_command_targets;
extern const struct rp_command rp_command_explain;
extern const struct rp_command rp_command_completion;
extern const struct rp_command rp_command_ops;

#endif
