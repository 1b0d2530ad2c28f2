/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of all files, in the order in which they are applied. */
#include "toolchain/ops/rules.h"

#include "toolchain/ops/rules_broadcast.h"
#include "toolchain/ops/rules_model.h"
#include "toolchain/ops/rules_operator.h"
#include "toolchain/ops/rules_window.h"

const struct rp_ops_rule *rp_ops_rule_at(size_t index) {
    /* rules that bring an operator onto the hardware are in the first file */
    static const struct rp_ops_rule *const parts[] = {rp_ops_operator_rules, rp_ops_model_rules,
                                                      rp_ops_broadcast_rules, rp_ops_window_rules};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (const struct rp_ops_rule *rule = parts[i]; rule->id != NULL; rule++)
            if (index-- == 0)
                return rule;
    return NULL;
}
