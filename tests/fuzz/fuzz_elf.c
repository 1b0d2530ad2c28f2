/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of elfpack/elf, attributes, scan and layout: any file is refused with an error, or
 * scanned, and laid out or refused, within its bounds.
 */
#include "tests/fuzz/fuzz.h"

#include "elfpack/elf/exports.h"
#include "elfpack/image/layout.h"
#include "elfpack/insn/member.h"
#include "elfpack/elf/scan.h"

static void scan(struct rp_arena *arena, const char *path) {
    struct rp_error err = {0};
    struct rp_scan result = {0};
    const struct rp_scan_options options = {.weights_threshold = 16,
                                            .acts_threshold = 16,
                                            .large = true,
                                            .culprits = true,
                                            .core = &rp_cores[RP_CORE_M4],
                                            .float_abi = RELOC_FLOAT_HARD};
    require_error(rp_scan_file(&result, arena, path, &options, &err), &err);
    for (size_t i = 0; i < result.large.count; i++)
        require(result.large.items[i].size >= 16 && result.large.items[i].section[0] != '\0');
    for (size_t i = 0; i < result.culprits.count; i++)
        require(result.culprits.items[i].count != 0 && result.culprits.items[i].type != NULL);
}

static void judge(struct rp_arena *arena, const char *path) {
    struct rp_error err = {0};
    struct rp_members members = {0};
    require_error(rp_members_read(&members, arena, path, &err), &err);
    for (size_t i = 0; i < members.count; i++)
        require((members.items[i].fit == RP_FIT_NOT) == (members.items[i].reasons.count != 0));
}

static void lay_out(struct rp_arena *arena, const char *path) {
    struct rp_error err = {0};
    struct rp_elf elf;
    struct rp_layout layout;
    const struct rp_linkmap map = {0};
    bool ok = rp_elf_open(&elf, arena, path, &err);
    require_error(ok, &err);
    if (!ok)
        return;
    ok = rp_layout_make(
        &layout, arena,
        &(struct rp_linked){.elf = &elf, .map = &map, .format = &rp_format_cortex_m}, &err);
    require_error(ok, &err);
    for (size_t i = 0; ok && i < layout.words.rel.count; i++) {
        uint32_t offset = layout.words.rel.items[i] ^ RELOC_SEG_RAM;
        require(offset % 4 == 0 && offset <= layout.parts.data->size - 4);
    }
    rp_elf_close(&elf);
}

static void offer(struct rp_arena *arena, const char *path) {
    struct rp_error err = {0};
    struct rp_exports exports = {0};
    struct rp_elf elf;
    if (!rp_elf_open(&elf, arena, path, NULL))
        return;
    require_error(rp_exports_read(&exports, arena, &elf, &err), &err);
    for (size_t i = 0; i < exports.count; i++)
        require(strlen(exports.items[i].name) < 1u << 24);
    rp_elf_close(&elf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    char path[32];
    int fd = fuzz_file(data, size, path);
    scan(&arena, path);
    judge(&arena, path);
    lay_out(&arena, path);
    offer(&arena, path);
    (void)close(fd);
    rp_arena_release(&arena);
    return 0;
}
