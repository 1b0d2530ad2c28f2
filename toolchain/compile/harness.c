/* SPDX-License-Identifier: Apache-2.0 */
/* The verification firmware and its emulator: see harness.h. */
#include "toolchain/compile/harness.h"

#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/compile/series.h"

/* ---- units ---- */

static void add_files(struct rp_build *build, const char *dir, const char *const *files,
                      const struct rp_strings *flags, bool own) {
    for (; *files != NULL; files++) {
        struct rp_unit *unit = rp_build_add(build, rp_path_join(build->arena, dir, *files), flags);
        if (own)
            rp_build_trust_names(build, unit);
    }
}

/* Adds the pack's sources for a firmware; software epochs and blobs only with a network. */
static void add_pack(struct rp_build *build, const struct rp_harness *harness,
                     const struct rp_strings *flags) {
    static const char *const firmware[] = {
        "ll_aton_runtime.c", "ll_aton_lib.c", "ll_aton_lib_sw_operators.c",
        "ll_aton_util.c",    "ll_aton.c",     NULL};
    static const char *const network[] = {"ll_sw_float.c", "ll_sw_integer.c", "ecloader.c", NULL};
    add_files(build, harness->ll_aton_dir, firmware, flags, false);
    if (harness->is_static)
        add_files(build, harness->ll_aton_dir, network, flags, false);
}

static struct rp_strings base_flags(struct rp_arena *arena, const struct rp_harness *harness,
                                    bool fixed_r9) {
    struct rp_strings list = {0};
    rp_strings_append(arena, &list, &harness->flags->glue);
    if (fixed_r9)
        rp_strings_push(arena, &list, "-ffixed-r9"); /* backend_static.c */
    if (harness->is_secure)
        rp_strings_push(arena, &list, "-mcmse");
    return list;
}

static struct rp_strings own_flags(struct rp_build *build, const struct rp_harness *harness,
                                   bool fixed_r9) {
    struct rp_arena *arena = build->arena;
    const char *data_dir = build->options->data_dir;
    struct rp_strings list = base_flags(arena, harness, fixed_r9);
    if (harness->network != NULL) {
        rp_strings_push(arena, &list,
                        rp_format(arena, "-I%s", rp_path_join(arena, data_dir, "runtime")));
        rp_strings_push(arena, &list, "-DLL_ATON_RELOC_CONFIG=\"ll_aton_settings.h\"");
        rp_strings_push(arena, &list, rp_format(arena, "-DHARNESS_NETWORK=%s", harness->network));
    }
    rp_strings_push(arena, &list,
                    rp_format(arena, "-I%s", rp_path_join(arena, data_dir, "templates/harness")));
    rp_strings_push(arena, &list, "-ffreestanding");
    rp_strings_push(arena, &list, "-DAI_RELOC_OWN_TYPES");
    rp_strings_push(arena, &list, "-DAI_RELOC_NO_MALLOC");
    const struct rp_target *target = harness->flags->target;
    if (harness->board->part != 0 && harness->board->part != target->core->part)
        /* the board's core stands in for another one, whose images the loader must accept */
        rp_strings_push(arena, &list,
                        rp_format(arena, "-DAI_RELOC_READ_CPUID()=0x%xu", target->core->part << 4));
    if (harness->buffer.size != 0)
        rp_strings_push(arena, &list, "-DHARNESS_MAILBOX");
    if (harness->buffer.size != 0 && harness->board->has_caches)
        rp_strings_push(arena, &list, "-DHARNESS_ENABLE_CACHES");
    return list;
}

const char *rp_harness_add(struct rp_build *build, const struct rp_harness *harness) {
    /* with LL_ATON_RT_RELOC the pack's runtime needs the loader even for a linked-in network */
    static const char *const backends[2][2][5] = {
        {{"templates/harness/backend_loader.c", "runtime/ai_reloc_network.c"},
         {"templates/harness/backend_static.c"}},
        {{"templates/harness/backend_ll_aton_loader.c", "templates/harness/ll_aton_model.c",
          "templates/harness/ll_aton_firmware.c", "runtime/ll_aton_reloc_network.c"},
         {"templates/harness/backend_ll_aton_static.c", "templates/harness/ll_aton_model.c",
          "templates/harness/ll_aton_firmware.c", "runtime/ll_aton_reloc_network.c"}}};
    struct rp_arena *arena = build->arena;
    const char *data_dir = build->options->data_dir, *shared = harness->shared;
    struct rp_strings own = own_flags(build, harness, harness->is_static);
    bool alone = harness->network == NULL; /* else headers of the pack are among them */
    if (shared == NULL) {
        struct rp_strings flags = own_flags(build, harness, true);
        if (harness->buffer.size == 0)
            rp_strings_push(arena, &flags, "-O1"); /* what is measured is in other units */
        struct rp_unit *unit = rp_build_add(
            build, rp_path_join(arena, data_dir, "templates/harness/firmware.c"), &flags);
        if (alone)
            rp_build_trust_names(build, unit);
        shared = rp_build_path(build, rp_format(arena, "obj/%03u.o", unit->number));
    }
    add_files(build, data_dir, backends[harness->network != NULL][harness->is_static], &own, alone);
    if (harness->network != NULL) {
        struct rp_strings pack = base_flags(arena, harness, harness->is_static);
        add_pack(build, harness, &pack);
    }
    return shared;
}

/* ---- link ---- */

static void define_symbol(struct rp_arena *arena, struct rp_strings *link, const char *name,
                          uint32_t value) {
    rp_strings_push(arena, link, "-Xlinker");
    rp_strings_push(arena, link, rp_format(arena, "--defsym=%s=0x%x", name, value));
}

/* Defines what the linker's own script leaves open: the start of the firmware, and other memory. */
static void define_places(struct rp_arena *arena, struct rp_strings *link,
                          const struct rp_harness *harness) {
    const uint32_t top = harness->stack.address + harness->stack.size;
    const struct rp_label places[] = {
        {"harness_stack_start", harness->stack.address},
        {"harness_stack_end", top - HARNESS_HANDLER_STACK_BYTES},
        {"harness_handler_stack_end", top},
        {"harness_plan", harness->plan.address},
        {"harness_plan_end", harness->plan.address + harness->plan.size},
        {"harness_buffer", harness->buffer.address},
        {"harness_buffer_end", harness->buffer.address + harness->buffer.size},
    };
    rp_strings_push(arena, link, "-Xlinker");
    rp_strings_push(arena, link, rp_format(arena, "-Ttext-segment=0x%x", harness->base));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        define_symbol(arena, link, places[i].name, places[i].address);
    for (size_t i = 0; i < sizeof harness->labels / sizeof harness->labels[0]; i++)
        if (harness->labels[i].name != NULL)
            define_symbol(arena, link, harness->labels[i].name, harness->labels[i].address);
}

void rp_harness_link(struct rp_build *build, const struct rp_harness *harness) {
    static const char *const head[] = {"-nostartfiles", "-nostdlib", "-static"};
    static const char *const options[] = {
        "-e",           "harness_reset", "--gc-sections", "-Map=image.map", "--build-id=none",
        "-znoexecstack"};
    static const char *const tail[] = {"-lm",      "-lc",         "-lgcc", "-lnosys",
                                       "-Xlinker", "--end-group", "-o",    "image.elf"};
    struct rp_arena *arena = build->arena;
    struct rp_strings *link = &build->link;
    *link = (struct rp_strings){0};
    rp_target_flags(harness->flags->target, arena, link);
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        rp_strings_push(arena, link, head[i]);
    define_places(arena, link, harness);
    if (harness->sorted) {
        rp_strings_push(arena, link, "-Xlinker");
        rp_strings_push(arena, link, "--sort-section=name");
    }
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        rp_strings_push(arena, link, "-Xlinker");
        rp_strings_push(arena, link, options[i]);
    }
    rp_build_push_objects(build, link);
    if (harness->shared != NULL)
        rp_strings_push(arena, link, harness->shared);
    rp_strings_push(arena, link, "-Xlinker");
    rp_strings_push(arena, link, "--start-group");
    if (harness->libraries != NULL)
        rp_strings_append(arena, link, harness->libraries);
    for (size_t i = 0; harness->link_options != NULL && i < harness->link_options->count; i++) {
        rp_strings_push(arena, link, "-Xlinker");
        rp_strings_push(arena, link, harness->link_options->items[i]);
    }
    for (size_t i = 0; i < sizeof tail / sizeof tail[0]; i++)
        rp_strings_push(arena, link, tail[i]);
}

/* Doubles commas in a file name, because commas separate QEMU's options. */
static char *double_commas(struct rp_arena *arena, const char *path) {
    struct rp_buf out = {.arena = arena};
    for (; *path != '\0'; path++)
        rp_buf_printf(&out, "%s%c", *path == ',' ? "," : "", *path);
    return rp_buf_text(&out);
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
    if (emulation->board->global[0] != '\0')
        RP_PUSH_WORDS(arena, argv, "-global", emulation->board->global);
    if (emulation->log != NULL)
        RP_PUSH_WORDS(arena, argv, "-d", emulation->log_items, "-D", emulation->log, "-dfilter",
                      emulation->log_filter);
    for (size_t i = 0; i < emulation->blob_count; i++) {
        rp_strings_push(arena, argv, "-device");
        rp_strings_push(arena, argv,
                        rp_format(arena, "loader,file=%s,addr=0x%x,force-raw=on",
                                  double_commas(arena, emulation->blobs[i].path),
                                  emulation->blobs[i].address));
    }
}
