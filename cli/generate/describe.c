/* SPDX-License-Identifier: Apache-2.0 */
/* What --parse-only prints: see describe.h. */
#include "cli/generate/describe.h"

#include <stdio.h>

#include "base/printable.h"

static void describe(struct rp_arena *arena, const struct rp_model *model) {
    printf("model     %s\ndialect   %s\n", rp_printable(arena, model->name), model->dialect->name);
    if (model->generator != NULL)
        printf("generator %s\n", rp_printable(arena, model->generator));
    const struct rp_tensors *lists[] = {&model->inputs, &model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct rp_tensor *tensor = &lists[k]->items[i];
            printf("%s    %s %s", k == 0 ? "input " : "output", rp_printable(arena, tensor->name),
                   tensor->dtype->name);
            for (unsigned d = 0; d < tensor->rank; d++)
                printf("[%u]", tensor->shape[d]);
            printf("\n");
        }
    if (model->weights.size != 0)
        printf("weights   %llu bytes\nacts      %llu bytes\n",
               (unsigned long long)model->weights.size, (unsigned long long)model->acts_size);
}

bool rp_generation_describe(struct rp_generation *run, struct rp_error *err) {
    struct rp_package *package = &run->package;
    const struct rp_report_format *format = package->format->report;
    if (format->describe != NULL) {
        format->describe(&package->model, run->arena, stdout);
        return true;
    }
    if (!rp_build_begin(&package->build, run->arena, &package->build_options, err))
        return false;
    rp_plan_flags(&package->compiled.flags, &package->build, &package->model, &package->input);
    if (!package->model.dialect->plan(&package->model, &package->build, &package->compiled.flags,
                                      err))
        return false;
    describe(run->arena, &package->model);
    return true;
}
