/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target of toolchain/cdecl: any text gives functions with whole parameters, or an error. */
#include "tests/fuzz/fuzz.h"

#include "toolchain/cdecl.h"

static void require_param(const struct rp_param *param) {
    require(param->name != NULL && param->type != NULL && param->rank <= RP_RANK_MAX);
    for (unsigned i = 0; i < param->rank; i++)
        require(param->shape[i] != 0);
}

/* What is left out keeps its line ends: lines stay where they are. */
static void require_reduced(const char *text, size_t size) {
    struct rp_buf out = {0};
    size_t want = 0, got = 0;
    if (rp_cdecl_reduce(text, size, &out)) {
        for (size_t i = 0; i < size; i++)
            want += text[i] == '\n';
        for (size_t i = 0; i < out.len; i++)
            got += out.data[i] == '\n';
        require(want == got && out.len <= size);
    }
    rp_buf_release(&out);
}

static void require_functions(struct rp_arena *arena, const char *text, size_t size,
                              bool cplusplus) {
    struct rp_error err = {0};
    struct rp_functions all = {0};
    const struct rp_c_text source = {text, size, "fuzz.c", cplusplus};
    bool ok = rp_cdecl_functions(arena, &source, &all, &err);
    require_error(ok, &err);
    for (size_t i = 0; i < all.count; i++) {
        require(all.items[i].name[0] != '\0' && all.items[i].file != NULL);
        require(cplusplus || !all.items[i].is_mangled);
        for (size_t k = 0; k < all.items[i].param_count; k++)
            require_param(&all.items[i].params[k]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    require_functions(&arena, (const char *)data, size, false);
    require_functions(&arena, (const char *)data, size, true);
    require_reduced((const char *)data, size);
    rp_arena_release(&arena);
    return 0;
}
