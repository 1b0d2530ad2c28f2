/* SPDX-License-Identifier: Apache-2.0 */
/* The units of a model of TVM, and what they have to be given: templates/tvm_backend.c. */
#ifndef RP_TOOLCHAIN_DIALECTS_TVM_PLAN_H
#define RP_TOOLCHAIN_DIALECTS_TVM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "toolchain/dialect.h"
#include "toolchain/dialects/mlf.h"

/* What the plan needs besides the model: model->own. */
struct rp_tvm {
    struct rp_mlf mlf;
    uint64_t arena_bytes; /* of templates/tvm_backend.c; 0: none */
    const char *pools;    /* C text: memory of the workspace pools, or NULL */
};

/* As struct rp_dialect has them. RP_E_NO_SPACE, and what rp_mlf_unpack says. */
extern const struct rp_handed rp_tvm_handed;
bool rp_tvm_plan(struct rp_model *model, struct rp_build *build, const struct rp_plan_flags *flags,
                 struct rp_error *err);

#endif
