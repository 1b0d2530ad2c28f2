/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/build/clang_asm: any text of a unit is read and written again; constants
 * are moved only if they were understood, and without constants to move nothing changes.
 */
#include "tests/fuzz/fuzz.h"

#include "toolchain/compile/clang_asm.h"

static void rewrite(struct rp_arena *arena, const char *text, uint64_t threshold) {
    struct rp_asm_constants all = {0};
    struct rp_buf out = {.arena = arena};
    const struct rp_asm_choice choice = {.weights_threshold = threshold};
    rp_asm_collect(&all, arena, text, 0, &choice);
    rp_asm_sort(&all);
    rp_asm_check(&all, text, 0);
    rp_asm_rewrite(&out, &all, arena, text, 0);
    for (size_t i = 0; i < all.count; i++)
        require(all.items[i].name[0] != '\0' && (all.items[i].table || threshold != 0));
    require(out.data == NULL || strlen(out.data) == out.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    const char *text = rp_strndup(&arena, (const char *)data, size);
    rewrite(&arena, text, 0);
    rewrite(&arena, text, 16);
    rp_arena_release(&arena);
    return 0;
}
