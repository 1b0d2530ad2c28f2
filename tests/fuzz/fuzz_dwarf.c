/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/calls/dwarf: any file gives nothing, or types that can be printed as C.
 */
#include "tests/fuzz/fuzz.h"

#include "toolchain/calls/dwarf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_declared_list found = {0};
    struct rp_strings names = {0};
    char path[32];
    int fd = fuzz_file(data, size, path);
    RP_PUSH_WORDS(&arena, &names, "f", "v");
    rp_dwarf_read(&arena, path, &names, &found);
    rp_dwarf_read_used(&arena, path, &names, &found);
    for (size_t i = 0; i < found.count; i++) {
        require(found.items[i].name != NULL && found.items[i].type != NULL);
        require(rp_ctype_text(&arena, found.items[i].type, found.items[i].name) != NULL);
    }
    (void)close(fd);
    rp_arena_release(&arena);
    return 0;
}
