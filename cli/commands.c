/* SPDX-License-Identifier: Apache-2.0 */
/* The command table. */
#include "cli/commands.h"

const struct rp_command *rp_command_at(size_t index) {
    static const struct rp_command *const commands[] = {
        &rp_command_generate, &rp_command_batch,           &rp_command_verify,  &rp_command_run,
        &rp_command_inspect,  &rp_command_doctor,          &rp_command_targets, &rp_command_boards,
        &rp_command_explain,  &rp_command_completion,      &rp_command_ops,     &rp_command_diff,
        &rp_command_report,   &rp_command_exports,         &rp_command_sbom,    &rp_command_keygen,
        &rp_command_sign,     &rp_command_verify_signature};
    return index < sizeof commands / sizeof commands[0] ? commands[index] : NULL;
}
