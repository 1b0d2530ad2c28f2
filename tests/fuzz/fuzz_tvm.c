/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/dialects (tvm_read, mlf): any bytes as generated code, as metadata.json
 * and as the model's text give lists of names that are identifiers, or an error.
 */
#include "tests/fuzz/fuzz.h"

#include "base/path.h"
#include "toolchain/dialects/tvm_read.h"

static void read_code(struct rp_arena *arena, const struct rp_mlf_file *file) {
    struct rp_error err = {0};
    struct rp_tvm_code code = {0};
    require_error(rp_tvm_read(&code, arena, file, &err), &err);
    for (size_t i = 0; i < code.structs.count; i++)
        require(rp_has_prefix(code.structs.items[i].name, "tvmgen_"));
    for (size_t i = 0; i < code.sizes.count; i++)
        require(rp_tvm_find_size(&code, code.sizes.items[i].name) <= UINT32_MAX);
    for (size_t i = 0; i < code.functions.count; i++)
        for (size_t k = 0; k < code.functions.items[i].count; k++)
            require(code.functions.items[i].items[k].type[0] != '\0');
}

static void read_metadata(struct rp_arena *arena, const struct rp_mlf_file *file) {
    struct rp_error err = {0};
    struct rp_mlf mlf = {.metadata = file->text, .metadata_path = file->path};
    require_error(rp_mlf_describe(&mlf, arena, "default", &err), &err);
    for (size_t i = 0; i < mlf.tensors.count; i++) {
        const struct rp_mlf_tensor *tensor = &mlf.tensors.items[i];
        require(strcmp(rp_c_identifier(arena, tensor->name), tensor->name) == 0);
        require(tensor->size_bytes != 0 && tensor->dtype_name != NULL);
    }
}

static void read_relay(struct rp_arena *arena, const char *text) {
    static const char *const names[] = {NULL, "data", "serving_default_x_0"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct rp_tensor tensor = {0};
        if (rp_tvm_relay(arena, text, names[i], &tensor))
            require(tensor.dtype != NULL && tensor.rank != 0 && tensor.rank <= RP_RANK_MAX);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    const char *text = rp_strndup(&arena, (const char *)data, size);
    const struct rp_mlf_file file = {"fuzz",
                                     {(const uint8_t *)text, size}}; /* as files: with a 0 */
    read_code(&arena, &file);
    read_metadata(&arena, &file);
    read_relay(&arena, text);
    rp_arena_release(&arena);
    return 0;
}
