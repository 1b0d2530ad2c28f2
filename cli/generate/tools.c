/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that make an image: see tools.h. */
#include "cli/generate/tools.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/searched.h"
#include "toolchain/generators/generator.h"
#include "toolchain/npu/pack.h"

enum { SPECS_MAX = 1 << 20 };

void rp_tools_find(struct rp_arena *arena, const struct rp_generate_options *options,
                   struct rp_strings *paths) {
    static const char *const names[] = {"gcc", "as", "ld"};
    const char *prefix = rp_cross_compile(&options->source);
    const char *clang = options->source.input.compiler->program;
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    struct rp_strings found = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        rp_strings_push(arena, &found,
                        rp_find_program(arena, rp_format(arena, "%s%s", prefix, names[i])));
    if (options->source.input.compiler->is_clang)
        rp_strings_push(arena, &found, rp_find_program(arena, clang));
    if (len > 0)
        rp_strings_push(arena, &found, rp_strndup(arena, self, (size_t)len));
    for (size_t i = 0; i < found.count; i++)
        if (found.items[i] != NULL)
            rp_strings_push(arena, paths, found.items[i]);
}

const char *rp_tools_text(struct rp_known *known, const struct rp_generate_options *options) {
    struct rp_arena *arena = known->arena;
    const char *key = rp_format(arena, "%d %s", options->source.input.compiler->is_clang,
                                rp_cross_compile(&options->source));
    char **text = (char **)rp_map_at(&known->tools, key, strlen(key));
    struct rp_strings paths = {0};
    struct rp_buf out = {.arena = arena};
    if (*text != NULL)
        return *text;
    rp_tools_find(arena, options, &paths);
    for (size_t i = 0; i < paths.count; i++)
        rp_buf_printf(&out, "%s\n%s\n", paths.items[i], rp_known_real(known, paths.items[i]));
    return *text = rp_buf_text(&out);
}

const char *rp_tools_generator(struct rp_arena *arena, const struct rp_generate_options *options) {
    const struct rp_source_options *source = &options->source;
    const char *name = source->generator.name, *program = NULL;
    const char *model = source->model != NULL ? source->model : source->input.path;
    const char *pack =
        source->input.pack_dir != NULL ? source->input.pack_dir : rp_pack_default(arena);
    struct rp_buf found = {.arena = arena};
    const struct rp_generator *row;
    if (name != NULL) { /* its first word; quotes change nothing for what is found now and later */
        const char *word = rp_strndup(arena, name, strcspn(name, " "));
        if (strchr(word, '/') != NULL) /* that is where it is, from the folder of the run */
            return "";
        program = rp_find_program(arena, word);
        row = rp_generator_find(name);
        if (program == NULL && row != NULL)
            program = rp_generator_program(arena, row, pack);
        return program != NULL ? rp_format(arena, "%s\n", program) : "";
    }
    for (size_t i = 0; model != NULL && (row = rp_generator_at(i)) != NULL; i++) {
        program = rp_generator_takes(row, model) ? rp_generator_program(arena, row, pack) : NULL;
        if (program != NULL)
            rp_buf_printf(&found, "%s\n", program);
    }
    return rp_buf_text(&found);
}

static void add_once(struct rp_arena *arena, struct rp_strings *list, const char *text) {
    if (!rp_strings_have(list, text))
        rp_strings_push(arena, list, text);
}

/* All files of a name in the folders; true: there is one. */
static bool add_files(struct rp_arena *arena, const struct rp_strings *folders, const char *name,
                      struct rp_around *around) {
    bool any = false;
    add_once(arena, &around->ends, name);
    for (size_t i = 0; i < folders->count; i++) {
        const char *path = rp_path_join(arena, folders->items[i], name);
        if (path[0] != '/' || !rp_path_is_file(path))
            continue;
        add_once(arena, &around->read, path);
        any = true;
    }
    return any;
}

/* The name in -specs=NAME or --specs=NAME, or NULL. */
static const char *specs_in(const char *option) {
    static const char start[] = "-specs=";
    option += rp_has_prefix(option, "--");
    return rp_has_prefix(option, start) ? option + strlen(start) : NULL;
}

/* May a file of specs name others? */
static bool names_others(const char *path) {
    struct rp_arena own = {0};
    struct rp_bytes text;
    bool names = rp_path_is_file(path) && (!rp_file_look(&own, path, SPECS_MAX, &text, NULL) ||
                                           strstr((const char *)text.data, "%include") != NULL);
    rp_arena_release(&own);
    return names;
}

const char *rp_tools_behind(struct rp_generation *run, struct rp_around *around) {
    /* ld.bfd and others are what ld may be told to be; collect2 looks for real-ld and collect-ld */
    static const char *const parts[] = {"cc1",         "collect2",         "lto1",
                                        "lto-wrapper", "liblto_plugin.so", "ld.bfd",
                                        "ld.gold",     "real-ld",          "collect-ld"};
    static const char *const needed[] = {"as", "ld"};
    struct rp_arena *arena = run->arena;
    struct rp_build *build = &run->package.build;
    const struct rp_strings *options = &run->package.compiled.flags.model;
    struct rp_strings programs = {0}, libraries = {0}, specs = {0};
    if (!rp_searched_programs(build, &programs, &libraries))
        return "the compiler does not say where it looks for its parts";
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        (void)add_files(arena, &programs, parts[i], around);
    if (rp_build_has_cplusplus(build))
        (void)add_files(arena, &programs, "cc1plus", around);
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!add_files(arena, &programs, needed[i], around))
            return rp_format(arena, "'%s' has no %s of its own, and takes any", build->ld,
                             needed[i]);
    rp_strings_push(arena, &specs, "specs"); /* read whenever it is there */
    for (size_t i = 0; i < options->count; i++)
        if (specs_in(options->items[i]) != NULL)
            rp_strings_push(arena, &specs, specs_in(options->items[i]));
    for (size_t i = 0; i < specs.count; i++)
        (void)add_files(arena, &libraries, specs.items[i], around);
    for (size_t i = 0; i < around->read.count; i++) {
        const char *path = around->read.items[i];
        if (strstr(rp_path_base(path), "specs") != NULL && names_others(path))
            return rp_format(arena, "'%s' may name other files", path);
        if (rp_has_suffix(path, ".a")) /* in each folder, the linker looks for this one first */
            add_once(arena, &around->ends,
                     rp_format(arena, "%s.so", rp_path_base(rp_path_stem(arena, path))));
    }
    rp_strings_append(arena, &around->searched, &programs);
    rp_strings_append(arena, &around->searched, &libraries);
    return NULL;
}
