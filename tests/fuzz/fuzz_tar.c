/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of base/tar: any bytes give files whose names stay below a folder, each there once,
 * or an error.
 */
#include "tests/fuzz/fuzz.h"

#include "base/tar.h"

static bool want_all(const char *name) {
    return name[0] != '\0';
}

static void require_name(const char *name) {
    for (const char *part = name, *end; part != NULL; part = end != NULL ? end + 1 : NULL) {
        end = strchr(part, '/');
        size_t len = end != NULL ? (size_t)(end - part) : strlen(part);
        require(len != 0 && !(len == 1 && part[0] == '.') &&
                !(len == 2 && memcmp(part, "..", 2) == 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_tar tar = {0};
    char path[32];
    int fd = fuzz_file(data, size, path);
    bool ok = rp_tar_read(&tar, &arena, path, want_all, &err);
    require_error(ok, &err);
    for (size_t i = 0; ok && i < tar.count; i++) {
        require_name(tar.items[i].name);
        for (size_t k = 0; k < i; k++)
            require(strcmp(tar.items[i].name, tar.items[k].name) != 0);
    }
    (void)close(fd);
    rp_arena_release(&arena);
    return 0;
}
