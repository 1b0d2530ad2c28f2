/* SPDX-License-Identifier: Apache-2.0 */
/* Names of epochs: see epochs.h. */
#include "toolchain/npu/epochs.h"

/* EpochBlock_Flags_* of LL_ATON. An epoch is of the first kind that fits. */
static const struct {
    uint32_t flag;
    const char *name;
} kinds[] = {
    {0x80, "epoch (library)"}, /* put in by a hybrid one */
    {0x04, "epoch (EC)"},      /* by the epoch controller */
    {0x40, "epoch (hybrid)"},  {0x20, "epoch (SW)"}, {0x10, "epoch (HW)"},
};

void rp_npu_name_epochs(const struct rp_model *model, struct rp_arena *arena, struct rp_node *nodes,
                        size_t count) {
    (void)model;
    for (size_t i = 0; i < count; i++) {
        struct rp_node *node = &nodes[i];
        uint32_t first = node->id & 0xFFFF, last = node->id >> 16;
        node->label = "-";
        node->type_name = "epoch";
        for (size_t k = sizeof kinds / sizeof kinds[0]; k-- > 0;)
            if ((node->type & kinds[k].flag) != 0)
                node->type_name = kinds[k].name;
        node->name = node->id == UINT32_MAX ? ""
                     : last > first         ? rp_format(arena, "EpochBlock_%u -> %u", first, last)
                                            : rp_format(arena, "EpochBlock_%u", first);
    }
}
