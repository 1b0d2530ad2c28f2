/* SPDX-License-Identifier: Apache-2.0 */
/* The command table. */
#include "cli/commands.h"

static const struct {
    const struct rp_command *command;
    const char *heading; /* of this one and those that follow */
} commands[] = {
    {&rp_command_generate, "Package"},
    {&rp_command_batch, NULL},
    {&rp_command_exports, NULL},
    {&rp_command_verify, "Check"},
    {&rp_command_inspect, NULL},
    {&rp_command_ops, NULL},
    {&rp_command_run, "Run on a board"},
    {&rp_command_boards, NULL},
    {&rp_command_report, "Report"},
    {&rp_command_diff, NULL},
    {&rp_command_sbom, NULL},
    {&rp_command_keygen, "Trust"},
    {&rp_command_sign, NULL},
    {&rp_command_verify_signature, NULL},
    {&rp_command_doctor, "This machine, and what there is"},
    {&rp_command_targets, NULL},
    {&rp_command_explain, NULL},
    {&rp_command_completion, NULL},
};

const struct rp_command *rp_command_at(size_t index) {
    return index < sizeof commands / sizeof commands[0] ? commands[index].command : NULL;
}

const char *rp_command_heading(size_t index) {
    return commands[index].heading;
}
