/* SPDX-License-Identifier: Apache-2.0 */
/* The verification firmware and its emulator: see harness.h. */
#include "toolchain/harness.h"

#include <string.h>

#include "base/buf.h"
#include "base/path.h"

static const struct rp_board boards[] = {
#define X(id, cpu, machine, part, clock_hz, vectors)                                               \
    [HARNESS_##id] = {HARNESS_##id, #id, machine, clock_hz, vectors},
    HARNESS_BOARDS(X)
#undef X
};

static const struct rp_area areas[HARNESS_BOARD_COUNT][HARNESS_AREA_COUNT] = {
#define X(board, area, address, size) [HARNESS_##board][HARNESS_AREA_##area] = {address, size},
    HARNESS_AREAS(X)
#undef X
};

const struct rp_board *rp_board_find(const char *core) {
    for (size_t i = 0; i < HARNESS_BOARD_COUNT; i++)
        if (strcmp(boards[i].core, core) == 0)
            return &boards[i];
    return NULL;
}

struct rp_area rp_board_area(const struct rp_board *board, enum harness_area area) {
    return areas[board->id][area];
}

void rp_harness_add(struct rp_build *build, const struct rp_plan_flags *flags, bool is_static) {
    static const char *const common[] = {
        "templates/harness/start.c",   "templates/harness/semihost.c",
        "templates/harness/counter.c", "templates/harness/harness.c",
        "templates/harness/memory.c",  "templates/harness/result.c",
        "templates/harness/tensors.c"};
    static const char *const loader[] = {"templates/harness/backend_loader.c",
                                         "runtime/ai_reloc_network.c"};
    static const char *const linked[] = {"templates/harness/backend_static.c"};
    struct rp_arena *arena = build->arena;
    struct rp_strings own = {0};
    rp_strings_append(arena, &own, &flags->glue);
    rp_strings_push(arena, &own,
                    rp_format(arena, "-I%s",
                              rp_path_join(arena, build->options->data_dir, "templates/harness")));
    rp_strings_push(arena, &own, "-ffreestanding");
    if (is_static)
        rp_strings_push(arena, &own, "-ffixed-r9"); /* backend_static.c */
    rp_strings_push(arena, &own, "-DAI_RELOC_OWN_TYPES");
    rp_strings_push(arena, &own, "-DAI_RELOC_NO_MALLOC");
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        rp_build_add(build, rp_path_join(arena, build->options->data_dir, common[i]), &own);
    const char *const *rest = is_static ? linked : loader;
    for (size_t i = 0; i < (is_static ? 1 : 2); i++)
        rp_build_add(build, rp_path_join(arena, build->options->data_dir, rest[i]), &own);
}

static void define_symbol(struct rp_arena *arena, struct rp_strings *link, const char *name,
                          uint32_t value) {
    rp_strings_push(arena, link, "-Xlinker");
    rp_strings_push(arena, link, rp_format(arena, "--defsym=%s=0x%x", name, value));
}

static void define_areas(struct rp_arena *arena, struct rp_strings *link,
                         const struct rp_board *board, bool is_static) {
    struct rp_area rom = rp_board_area(board, is_static ? HARNESS_AREA_BIG : HARNESS_AREA_FIRMWARE);
    struct rp_area ram = rp_board_area(board, is_static ? HARNESS_AREA_IMAGE_A : HARNESS_AREA_DATA);
    struct rp_area stack = rp_board_area(board, HARNESS_AREA_STACK);
    define_symbol(arena, link, "HARNESS_VECTORS", board->vectors);
    define_symbol(arena, link, "HARNESS_ROM", rom.address);
    define_symbol(arena, link, "HARNESS_ROM_SIZE", rom.size);
    define_symbol(arena, link, "HARNESS_RAM", ram.address);
    define_symbol(arena, link, "HARNESS_RAM_SIZE", ram.size);
    define_symbol(arena, link, "HARNESS_STACK", stack.address);
    define_symbol(arena, link, "HARNESS_STACK_SIZE", stack.size);
    define_symbol(arena, link, "HARNESS_PLAN", rp_board_area(board, HARNESS_AREA_PLAN).address);
}

void rp_harness_link(struct rp_build *build, const struct rp_plan_flags *flags,
                     const struct rp_board *board, bool is_static,
                     const struct rp_strings *libraries) {
    static const char *const head[] = {"-nostartfiles", "-nostdlib", "-static"};
    static const char *const options[] = {"--gc-sections", "-Map=image.map", "--build-id=none"};
    static const char *const tail[] = {"-lm",      "-lc",         "-lgcc", "-lnosys",
                                       "-Xlinker", "--end-group", "-o",    "image.elf"};
    struct rp_arena *arena = build->arena;
    struct rp_strings *link = &build->link;
    *link = (struct rp_strings){0};
    rp_target_flags(flags->target, arena, link);
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        rp_strings_push(arena, link, head[i]);
    define_areas(arena, link, board, is_static);
    rp_strings_push(arena, link, "-T");
    rp_strings_push(arena, link,
                    rp_path_join(arena, build->options->data_dir, "templates/harness/harness.ld"));
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        rp_strings_push(arena, link, "-Xlinker");
        rp_strings_push(arena, link, options[i]);
    }
    for (size_t i = 0; i < build->units.count; i++)
        rp_strings_push(arena, link, rp_format(arena, "obj/%03u.o", build->units.items[i].number));
    rp_strings_push(arena, link, "-Xlinker");
    rp_strings_push(arena, link, "--start-group");
    if (libraries != NULL)
        rp_strings_append(arena, link, libraries);
    for (size_t i = 0; i < sizeof tail / sizeof tail[0]; i++)
        rp_strings_push(arena, link, tail[i]);
}

/* In QEMU's options a comma separates: it is doubled inside a file name. */
static char *double_commas(struct rp_arena *arena, const char *path) {
    struct rp_buf out = {0};
    for (; *path != '\0'; path++)
        rp_buf_printf(&out, "%s%c", *path == ',' ? "," : "", *path);
    char *text = rp_strdup(arena, out.len != 0 ? out.data : "");
    rp_buf_release(&out);
    return text;
}

void rp_emulation_argv(const struct rp_emulation *emulation, struct rp_arena *arena,
                       struct rp_strings *argv) {
    const char *const words[] = {emulation->emulator,
                                 "-M",
                                 emulation->board->machine,
                                 "-kernel",
                                 emulation->firmware,
                                 "-display",
                                 "none",
                                 "-serial",
                                 "none",
                                 "-monitor",
                                 "none",
                                 "-parallel",
                                 "none",
                                 "-nodefaults",
                                 "-no-reboot",
                                 "-semihosting-config",
                                 "enable=on,target=native",
                                 "-icount"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        rp_strings_push(arena, argv, words[i]);
    rp_strings_push(arena, argv, rp_format(arena, "shift=%u", emulation->icount_shift));
    for (size_t i = 0; i < emulation->blob_count; i++) {
        rp_strings_push(arena, argv, "-device");
        rp_strings_push(arena, argv,
                        rp_format(arena, "loader,file=%s,addr=0x%x,force-raw=on",
                                  double_commas(arena, emulation->blobs[i].path),
                                  emulation->blobs[i].address));
    }
}
