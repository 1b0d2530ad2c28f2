/* SPDX-License-Identifier: Apache-2.0 */
/* Makes compiler and linker arguments: see flags.h. */
#include "toolchain/compile/flags.h"

#include <string.h>

#include "base/path.h"
#include "runtime/math/functions.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/series.h"

/*
 * clang has the same options for the core, but derives its FPU; enums have the size that gcc gives
 * them.
 */
static void push_clang(struct rp_arena *arena, const struct rp_build *build,
                       const struct rp_plan_flags *flags, struct rp_strings *list) {
    struct rp_strings core = {0};
    rp_target_flags(flags->target, arena, &core);
    rp_strings_push(arena, list, "--target=arm-none-eabi");
    for (size_t i = 0; i < core.count; i++)
        if (strcmp(core.items[i], "-mfpu=auto") != 0)
            rp_strings_push(arena, list, core.items[i]);
    rp_strings_push(arena, list, "-fshort-enums");
    rp_strings_push(arena, list, rp_format(arena, "-isystem%s", build->libc_headers));
    if (!flags->is_static)
        RP_PUSH_WORDS(arena, list, "-fropi", "-frwpi");
}

static void push_common(struct rp_arena *arena, const struct rp_build *build,
                        const struct rp_plan_flags *flags, struct rp_strings *list) {
    if (flags->compiler->is_clang)
        push_clang(arena, build, flags, list);
    else
        rp_target_flags(flags->target, arena, list);
    if (!flags->compiler->is_clang && !flags->is_static)
        /* hidden: no function of an image can be replaced */
        RP_PUSH_WORDS(arena, list, "-fpic", "-mno-pic-data-is-text-relative",
                      "-fvisibility=hidden");
    RP_PUSH_WORDS(arena, list, "-O2", "-ffunction-sections", "-fdata-sections", "-fno-common",
                  "-fno-math-errno", "-fno-exceptions", "-fno-unwind-tables",
                  "-fno-asynchronous-unwind-tables", "-fno-stack-protector");
    if (flags->is_static)
        RP_PUSH_WORDS(arena, list, "-fno-pic", "-DRP_STATIC");
}

/* The register with the address of the GOT: r9, or a different one in each function. */
static void push_base(struct rp_arena *arena, bool is_free, struct rp_strings *list) {
    if (is_free)
        rp_strings_push(arena, list, RP_FREE_R9);
    else
        RP_PUSH_WORDS(arena, list, "-msingle-pic-base", "-mpic-register=r9");
}

static void set_flags(struct rp_plan_flags *flags, const struct rp_build *build,
                      const struct rp_model *model, const struct rp_input *input) {
    struct rp_arena *arena = build->arena;
    flags->target = input->target;
    flags->compiler = input->compiler;
    push_common(arena, build, flags, &flags->model);
    push_common(arena, build, flags, &flags->glue);
    if (!flags->compiler->is_clang && !flags->is_static) {
        if (flags->absolute) /* the code of an archive may still need the r9 of the entry */
            RP_PUSH_WORDS(arena, &flags->model, "-fno-pic", "-ffixed-r9");
        else
            push_base(arena, flags->free_r9, &flags->model);
        push_base(arena, false, &flags->glue);
    }
    if (flags->is_static && (model->needs.vendor_runtime || model->code.libraries.count != 0)) {
        /* position-independent libraries find their GOT through r9, in a static build too */
        rp_strings_push(arena, &flags->model, "-ffixed-r9");
        rp_strings_push(arena, &flags->glue, "-ffixed-r9");
    }
    rp_strings_push(arena, &flags->glue, "-std=gnu11");
    if (input->copy_only && !flags->is_static)
        rp_strings_push(arena, &flags->glue, "-DRP_COPY_ONLY");
    if (input->compact && !flags->is_static)
        rp_strings_push(arena, &flags->glue, "-DRP_COMPACT");
    if (model->imports.count != 0 && !flags->is_static)
        rp_strings_push(arena, &flags->glue, "-DRP_IMPORTS");
    rp_strings_push(
        arena, &flags->glue,
        rp_format(arena, "-I%s", rp_path_join(arena, build->options->data_dir, "runtime")));
    rp_model_prefix_maps(arena, model, flags->debug_paths, &flags->model);
    /* debug information, for toolchain/calls/declared.h; the link drops it */
    if (model->dialect->plain_functions && !flags->compiler->is_clang && !flags->is_static)
        rp_strings_push(arena, &flags->model, "-g");
    rp_strings_push(arena, &flags->model, "-DNDEBUG");
    rp_strings_append_each(arena, &flags->model, "-I", &model->code.include_dirs);
    rp_strings_append_each(arena, &flags->model, "-D", &model->code.defines);
    rp_strings_append(arena, &flags->model, &input->cflags);
}

void rp_plan_firmware(struct rp_plan_flags *flags, const struct rp_build *build,
                      const struct rp_target *target) {
    struct rp_arena *arena = build->arena;
    *flags = (struct rp_plan_flags){.target = target, .compiler = &rp_gcc, .is_static = true};
    push_common(arena, build, flags, &flags->glue);
    rp_strings_push(arena, &flags->glue, "-std=gnu11");
    rp_strings_push(
        arena, &flags->glue,
        rp_format(arena, "-I%s", rp_path_join(arena, build->options->data_dir, "runtime")));
}

/* gcc links, whichever compiler was used. */
static void push_link_flags(struct rp_arena *arena, const struct rp_model *model,
                            const struct rp_plan_flags *flags, struct rp_strings *list) {
    (void)model;
    rp_target_flags(flags->target, arena, list);
}

const struct rp_image_kind rp_image_cortex_m = {
    .major = RELOC_MAJOR,
    .script = "templates/image.ld",
    .flags = set_flags,
    .link_flags = push_link_flags,
};

static void push_debug_map(struct rp_arena *arena, struct rp_strings *list, const char *dir,
                           const char *name) {
    if (strchr(dir, '=') == NULL)
        rp_strings_push(arena, list, rp_format(arena, "-fdebug-prefix-map=%s=%s", dir, name));
}

/*
 * The workspace has a different name in each run. clang -frwpi describes every variable, even a
 * constant, as lying at a distance from r9 (and GNU ld does not know that relocation), so a
 * debugger would show wrong values. It therefore gets functions and lines only.
 */
static void push_debug(const struct rp_plan_flags *flags, const struct rp_build *build,
                       struct rp_strings *list) {
    struct rp_arena *arena = build->arena;
    rp_strings_push(arena, list, flags->compiler->is_clang ? "-gline-tables-only" : "-g");
    push_debug_map(arena, list, build->dir, ".");
    if (!flags->debug_paths)
        push_debug_map(arena, list, build->options->data_dir, "relocpack");
}

void rp_plan_flags(struct rp_plan_flags *flags, const struct rp_build *build,
                   const struct rp_model *model, const struct rp_input *input) {
    flags->debug = input->debug && !flags->is_static;
    flags->debug_paths = input->debug_paths && flags->debug;
    model->dialect->image->flags(flags, build, model, input);
    if (flags->debug) {
        push_debug(flags, build, &flags->model);
        push_debug(flags, build, &flags->glue);
    }
}

static void push_linker(struct rp_arena *arena, struct rp_strings *list, const char *arg) {
    rp_strings_push(arena, list, "-Xlinker");
    rp_strings_push(arena, list, arg);
}

static void push_script(struct rp_build *build, const char *name) {
    rp_strings_push(build->arena, &build->link, "-T");
    rp_strings_push(build->arena, &build->link,
                    rp_path_join(build->arena, build->options->data_dir, name));
}

/*
 * Keeps the functions that a firmware would call. Plain functions need no glue; the vendor's older
 * API is called through all of it.
 */
static void push_roots(struct rp_arena *arena, const struct rp_model *model,
                       struct rp_strings *link) {
    const char *const roots[] = {model->dialect->own_glue ? "rp_entries" : model->entry.name,
                                 model->entry.init.name, model->entry.destroy.name};
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (roots[i] != NULL)
            RP_PUSH_WORDS(arena, link, "-u", roots[i]);
    for (size_t i = 0; i < model->entry.roots.count; i++)
        RP_PUSH_WORDS(arena, link, "-u", model->entry.roots.items[i]);
}

void rp_plan_link(struct rp_build *build, const struct rp_model *model,
                  const struct rp_plan_flags *flags) {
    static const char *const options[] = {
        "--gc-sections",
        "--emit-relocs",
        "--unresolved-symbols=ignore-all",
        "--orphan-handling=error",
        "--build-id=none",
        "-Map=image.map",
        "-zmax-page-size=4",
        "-znoexecstack", /* else ld warns of objects made by clang */
        "-e0"};
    struct rp_arena *arena = build->arena;
    struct rp_strings *link = &build->link;
    const struct rp_image_kind *image = model->dialect->image;
    bool gcc_links = !flags->compiler->is_clang || !image->clang_links;
    *link = (struct rp_strings){0};
    image->link_flags(arena, model, flags, link);
    /* objects compiled during the link (archives of -flto) are kept, to be checked */
    RP_PUSH_WORDS(arena, link, "-nostartfiles", "-nostdlib", "-static", "-save-temps");
    if (flags->debug)
        push_script(build, "templates/debug.ld"); /* first: the other one discards all of it */
    push_script(build, flags->is_static ? "templates/static.ld" : image->script);
    if (flags->is_static)
        push_roots(arena, model, link);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        push_linker(arena, link, options[i]);
    for (size_t i = 0; i < model->needs.link_options.count; i++)
        push_linker(arena, link, model->needs.link_options.items[i]);
    /*
     * ld demands the same use of r9 in all objects, but elfpack/check/r9.c checks that more
     * closely, and the scan of the objects has compared the other attributes
     */
    if (flags->compiler->is_clang && gcc_links)
        push_linker(arena, link, "--no-warn-mismatch");
    rp_build_push_objects(build, link);
    push_linker(arena, link, "--start-group");
    rp_strings_append(arena, link, &model->code.libraries);
    if (gcc_links)
        RP_PUSH_WORDS(arena, link, "-lm", "-lc", "-lgcc");
    push_linker(arena, link, "--end-group");
    RP_PUSH_WORDS(arena, link, "-o", "image.elf");
}

char *rp_plan_part(struct rp_arena *arena, const char *object, const char *section, bool keep) {
    return rp_format(arena, keep ? "KEEP(%s(\"%s\"))\n" : "%s(\"%s\")\n", object, section);
}

#define X(name, arity, kind) #name,
const char *rp_math_function(size_t index) {
    static const char *const names[] = {RP_MATH_FUNCTIONS(X)};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

const char *rp_math_baseline(const struct rp_target *target, size_t index) {
    static const char *const names[] = {RP_MATH_BASELINE(X)};
    return rp_target_is_baseline(target) && index < sizeof names / sizeof names[0] ? names[index]
                                                                                   : NULL;
}
#undef X

void rp_plan_math(struct rp_build *build, const struct rp_plan_flags *flags, const char *name) {
    struct rp_arena *arena = build->arena;
    struct rp_strings own = {0};
    rp_strings_append(arena, &own, &flags->glue);
    RP_PUSH_WORDS(arena, &own, "-std=c11", "-fno-builtin", "-ffp-contract=off");
    const char *file = rp_format(arena, "runtime/math/%s.c", name);
    rp_build_trust_names(
        build, rp_build_add(build, rp_path_join(arena, build->options->data_dir, file), &own));
}

void rp_plan_heap(struct rp_build *build, const struct rp_plan_flags *flags, uint32_t bytes) {
    struct rp_arena *arena = build->arena;
    struct rp_strings own = {0};
    rp_strings_append(arena, &own, &flags->glue);
    RP_PUSH_WORDS(arena, &own, "-std=c11", "-fno-builtin",
                  rp_format(arena, "-DRP_HEAP_BYTES=%uu", bytes));
    rp_build_add(build, rp_path_join(arena, build->options->data_dir, "templates/heap.c"), &own);
}
