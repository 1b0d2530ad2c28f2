/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads inputs and outputs of a network with the newer C API from its text: the table of type
 * stai_network_info, which is compiled only on request, and the header's macros that it names.
 */
#ifndef RP_TOOLCHAIN_DIALECTS_STAI_TENSORS_H
#define RP_TOOLCHAIN_DIALECTS_STAI_TENSORS_H

#include "toolchain/model.h"

struct rp_stai_text {
    const char *path;   /* of source, for messages */
    const char *source; /* <name>.c */
    const char *header; /* <name>.h */
    const char *prefix; /* of the macros: "STAI_NETWORK_" */
};

/*
 * Fills model->inputs and outputs. RP_E_INPUT with file and line: the table is missing or not as
 * the generator writes it, or a format that tensors of a report cannot have. RP_E_TOO_LARGE: a
 * rank.
 */
bool rp_stai_tensors(struct rp_model *model, struct rp_arena *arena,
                     const struct rp_stai_text *text, struct rp_error *err);

#endif
