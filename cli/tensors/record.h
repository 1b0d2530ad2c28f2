/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outputs in the JSON of a run: a SHA-256 for each inference, and the file that has the values when
 * there is one. So any two runs, of `verify` or of a board, can be compared bit for bit, and with
 * both files by figures.
 */
#ifndef RP_CLI_TENSORS_RECORD_H
#define RP_CLI_TENSORS_RECORD_H

#include "base/json.h"
#include "cli/tensors/compare.h"

/* Adds inputs, outputs and, as far as they were asked for, expected, compared and labels. */
void rp_record_put(struct rp_json *root, struct rp_arena *arena,
                   const struct rp_assessment *assessment);
/*
 * Fills assessment->other from the JSON of another run. RP_E_INPUT when it is none, or of other
 * inputs, another number of outputs or of inferences, another type, or when the file of values does
 * not have the recorded SHA-256.
 */
bool rp_record_compare(struct rp_assessment *assessment, struct rp_arena *arena, const char *path,
                       struct rp_error *err);

#endif
