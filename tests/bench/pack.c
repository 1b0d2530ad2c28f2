/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pack step alone: a linked ELF file and a raw weights file in, image (and weights file) out.
 * usage: pack ELF MAP WEIGHTS IMAGE [WEIGHTS_OUT]     prints the peak memory in KiB
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "elfpack/image/image.h"

static bool pack(struct rp_arena *arena, char **argv, const char *weights_out,
                 struct rp_error *err) {
    struct rp_elf elf;
    struct rp_linkmap map = {0};
    struct rp_layout layout;
    struct rp_bytes text;
    struct rp_image_result result;
    uint64_t size;
    if (!rp_elf_open(&elf, arena, argv[1], err))
        return false;
    bool ok =
        rp_file_read(arena, argv[2], 64 << 20, &text, err) && rp_file_size(argv[3], &size, err);
    if (ok) {
        rp_linkmap_parse(&map, arena, (const char *)text.data);
        ok = rp_layout_make(
            &layout, arena,
            &(struct rp_linked){.elf = &elf, .map = &map, .format = &rp_format_cortex_m}, err);
    }
    if (ok) {
        const struct rp_image_spec spec = {.layout = &layout,
                                           .weights = {.path = argv[3], .size = size},
                                           .acts_size = layout.parts.bounds.acts_size,
                                           .weights_size = (int64_t)size,
                                           .image_path = argv[4],
                                           .weights_path = weights_out};
        ok = rp_image_write(&spec, &result, err);
    }
    rp_elf_close(&elf);
    return ok;
}

/* Memory of this program alone: getrusage also counts the process that started it. */
static void print_peak(void) {
    char line[256];
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            printf("%ld\n", strtol(line + 6, NULL, 10));
    if (file != NULL)
        fclose(file);
}

int main(int argc, char **argv) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    if (argc < 5) {
        fputs("usage: pack ELF MAP WEIGHTS IMAGE [WEIGHTS_OUT]\n", stderr);
        return 2;
    }
    bool ok = pack(&arena, argv, argc > 5 ? argv[5] : NULL, &err);
    rp_arena_release(&arena);
    if (ok)
        print_peak();
    else
        fprintf(stderr, "%s\n", err.message);
    return ok ? 0 : 1;
}
