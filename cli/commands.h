/* SPDX-License-Identifier: Apache-2.0 */
/* The commands, each in a file of its own. Other files need only its row. */
#ifndef RP_CLI_COMMANDS_H
#define RP_CLI_COMMANDS_H

#include "cli/options.h"

extern const struct rp_command rp_command_generate;
extern const struct rp_command rp_command_batch;
extern const struct rp_command rp_command_verify;
extern const struct rp_command rp_command_run;
extern const struct rp_command rp_command_inspect;
extern const struct rp_command rp_command_doctor;
extern const struct rp_command rp_command_targets;
extern const struct rp_command rp_command_boards;
extern const struct rp_command rp_command_explain;
extern const struct rp_command rp_command_completion;
extern const struct rp_command rp_command_ops;
extern const struct rp_command rp_command_diff;
extern const struct rp_command rp_command_report;
extern const struct rp_command rp_command_exports;
extern const struct rp_command rp_command_sbom;
extern const struct rp_command rp_command_keygen;
extern const struct rp_command rp_command_sign;
extern const struct rp_command rp_command_verify_signature;

/* Commands by position, NULL past the end. */
const struct rp_command *rp_command_at(size_t index);
/* The heading above the command at a position, or NULL: it belongs to the one before. */
const char *rp_command_heading(size_t index);

#endif
