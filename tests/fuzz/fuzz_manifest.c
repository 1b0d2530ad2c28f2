/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of base/json and toolchain/manifest, and of the --entry text: any bytes give a model
 * whose arguments name each tensor once, or an error.
 */
#include "tests/fuzz/fuzz.h"

#include "toolchain/dialect.h"

static void require_tensors(const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        require(tensor->name[0] != '\0' && tensor->dtype != NULL);
        require(tensor->rank != 0 && tensor->rank <= RP_RANK_MAX);
        for (unsigned k = 0; k < tensor->rank; k++)
            require(tensor->shape[k] != 0);
    }
}

static void require_model(const struct rp_model *model) {
    require(model->arguments.count == model->inputs.count + model->outputs.count);
    require_tensors(&model->inputs);
    require_tensors(&model->outputs);
    for (size_t i = 0; i < model->arguments.count; i++)
        for (size_t k = 0; k < i; k++)
            require(strcmp(model->arguments.items[i], model->arguments.items[k]) != 0);
}

static void parse_entry(struct rp_arena *arena, const uint8_t *data, size_t size) {
    struct rp_error err = {0};
    struct rp_model model = {0};
    bool ok = rp_entry_parse(&model, arena, rp_strndup(arena, (const char *)data, size), &err);
    require_error(ok, &err);
    if (ok)
        require_model(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_model model = {0};
    char path[32];
    int fd = fuzz_file(data, size, path);
    bool ok = rp_manifest_load(&model, &arena, path, &err);
    require_error(ok, &err);
    require(!ok || model.sources.count != 0);
    if (ok)
        require_model(&model);
    parse_entry(&arena, data, size);
    (void)close(fd);
    rp_arena_release(&arena);
    return 0;
}
