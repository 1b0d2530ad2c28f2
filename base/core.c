/* SPDX-License-Identifier: Apache-2.0 */
/* The table of cores: see core.h. */
#include "base/core.h"

#include <stddef.h>
#include <string.h>

const struct rp_core rp_cores[RP_CORES] = {
#define X(id, part, name, label, cpu, compiled_for, arch, fp)                                      \
    {part, name, label, cpu, compiled_for, RP_##arch, RP_FP_##fp},
#include "base/cores.def"
#undef X
};

const struct rp_core *rp_core_of_part(uint32_t part) {
    for (size_t i = 0; i < RP_CORES; i++)
        if (rp_cores[i].part == part)
            return &rp_cores[i];
    return NULL;
}

const char *rp_core_label(const char *name) {
    for (size_t i = 0; i < RP_CORES; i++)
        if (strcmp(rp_cores[i].name, name) == 0)
            return rp_cores[i].label;
    return name;
}
