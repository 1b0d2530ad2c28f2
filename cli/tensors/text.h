/* SPDX-License-Identifier: Apache-2.0 */
/* An assessment as tables for people. */
#ifndef RP_CLI_TENSORS_TEXT_H
#define RP_CLI_TENSORS_TEXT_H

#include "base/buf.h"
#include "cli/tensors/compare.h"

/*
 * A table for --expected and one for --compare, with a line for each output, and the confusion
 * matrix; when there are too many classes for a line, the most frequent mistakes in its place.
 */
void rp_assessment_text(struct rp_buf *out, const struct rp_assessment *assessment);

#endif
