/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of base/json, toolchain/calls/manifest and the --entry text: any bytes give a model
 * that passes each tensor once, or an error.
 */
#include "tests/fuzz/fuzz.h"

#include "toolchain/dialect.h"
#include "toolchain/calls/entry.h"
#include "toolchain/calls/manifest.h"

static void require_tensors(const struct rp_tensors *tensors) {
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        require(tensor->name[0] != '\0' && tensor->dtype != NULL);
        require(tensor->rank != 0 && tensor->rank <= RP_RANK_MAX);
        for (unsigned k = 0; k < tensor->rank; k++)
            require(tensor->shape[k] != 0);
    }
}

/* Each tensor is passed once: as an argument, as the result, or in a buffer of the model. */
static void require_places(const struct rp_model *model, const struct rp_tensors *tensors,
                           const char *kind) {
    for (size_t i = 0; i < tensors->count; i++) {
        char place[32];
        snprintf(place, sizeof place, "%s%zu", kind, i);
        size_t uses =
            (size_t)(tensors->items[i].at != NULL) + (size_t)(tensors->items[i].get.name != NULL) +
            (size_t)(model->entry.result != NULL && strcmp(model->entry.result, place) == 0);
        for (size_t k = 0; k < model->entry.arguments.count; k++)
            uses += strcmp(model->entry.arguments.items[k], place) == 0;
        require(uses == 1);
    }
}

static void require_model(const struct rp_model *model) {
    require_tensors(&model->inputs);
    require_tensors(&model->outputs);
    require_places(model, &model->inputs, "in");
    require_places(model, &model->outputs, "out");
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
    require(!ok || model.code.sources.count != 0);
    if (ok)
        require_model(&model);
    parse_entry(&arena, data, size);
    (void)close(fd);
    rp_arena_release(&arena);
    return 0;
}
