/* SPDX-License-Identifier: Apache-2.0 */
/* From options to target, tools, dialect and model: see open.h. */
#include "cli/pipeline/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/path.h"
#include "cli/pipeline/generated.h"
#include "cli/pipeline/imports.h"
#include "toolchain/compile/cflags.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/environment.h"
#include "toolchain/compile/process.h"
#include "toolchain/dialects/registry.h"
#include "toolchain/compile/series.h"

#ifndef RP_INSTALLED_DATADIR
#define RP_INSTALLED_DATADIR "/usr/local/share/relocpack"
#endif

enum { ASK_S = 10 }; /* seconds for a question to ccache */

/* ---- the tool's own files ---- */

static const char *resolve(struct rp_arena *arena, const char *dir, struct rp_error *err) {
    char *plain = realpath(dir, NULL);
    if (plain == NULL) {
        rp_fail_errno(err, errno, "cannot find", dir);
        return NULL;
    }
    const char *copy = rp_strdup(arena, plain);
    free(plain);
    return copy;
}

const char *rp_data_dir(struct rp_arena *arena, struct rp_error *err) {
    const char *given = getenv("RELOCPACK_DATADIR");
    char program[4096];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
    program[len > 0 ? len : 0] = '\0';
    char *bin = rp_path_dir(arena, program);
    const char *const places[] = {given != NULL ? given : "",
                                  rp_path_join(arena, bin, "../share/relocpack"),
                                  rp_path_join(arena, bin, ".."), RP_INSTALLED_DATADIR};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i][0] != '\0' &&
            rp_path_is_file(rp_path_join(arena, places[i], "templates/build.mk")) &&
            rp_path_is_file(rp_path_join(arena, places[i], "runtime/format/reloc_format.h")))
            return resolve(arena, places[i], err);
    rp_fail(err, RP_E_SYSTEM, "the tool's templates are not in '%s'", RP_INSTALLED_DATADIR);
    rp_hint(err, "run make install, or set RELOCPACK_DATADIR to the folder that has templates/");
    return NULL;
}

/* ---- opening ---- */

/* Can files be made in the folder? If it is not there, it is made, as ccache does. */
static bool is_writable(const char *dir) {
    return rp_make_dirs(dir, NULL) && access(dir, W_OK | X_OK) == 0;
}

/*
 * The folder of ccache if it cannot be written, as in a container that runs as another user: ccache
 * would fail the build. Otherwise NULL. The default folder is that of ccache's manual. Only if that
 * cannot be written is ccache asked, because its settings may name another one.
 */
static const char *unwritable_cache(struct rp_arena *arena) {
    const char *dir = getenv("CCACHE_DIR"), *home = getenv("HOME");
    const char *cache = getenv("XDG_CACHE_HOME");
    if (dir == NULL || dir[0] == '\0') {
        dir = rp_path_join(arena, home != NULL ? home : "/", ".ccache");
        if (!rp_path_is_dir(dir))
            dir = cache != NULL && cache[0] == '/'
                      ? rp_path_join(arena, cache, "ccache")
                      : rp_path_join(arena, home != NULL ? home : "/", ".cache/ccache");
    }
    if (is_writable(dir))
        return NULL;
    struct rp_strings argv = {0};
    struct rp_process_output output;
    int status = -1;
    RP_PUSH_WORDS(arena, &argv, "ccache", "-k", "cache_dir");
    const struct rp_process ask = {.argv = &argv, .timeout_s = ASK_S};
    if (rp_process_read(&ask, arena, &output, &status, NULL) && status == 0 &&
        output.text[0] == '/')
        dir = rp_strndup(arena, output.text, strcspn(output.text, "\r\n"));
    return is_writable(dir) ? NULL : dir;
}

/* "": none; NULL: RP_E_TOOL_MISSING. The first word is a program, the rest are its arguments. */
static const char *choose_launcher(struct rp_arena *arena, const char *wanted,
                                   struct rp_error *err) {
    if (strcmp(wanted, "none") == 0 || wanted[0] == '\0')
        return "";
    if (strcmp(wanted, "auto") == 0)
        return rp_find_program(arena, "ccache") != NULL ? "ccache" : "";
    const char *name = rp_strndup(arena, wanted, strcspn(wanted, " "));
    const char *found = rp_find_program(arena, name);
    if (found == NULL) {
        rp_fail(err, RP_E_TOOL_MISSING, "the launcher '%s' was not found", name);
        rp_hint(err, "install it, or give --launcher none");
        return NULL;
    }
    found = rp_path_absolute(arena, found, err);
    return found != NULL ? rp_format(arena, "%s%s", found, wanted + strlen(name)) : NULL;
}

bool rp_tools_choose(struct rp_build_options *tools, struct rp_arena *arena,
                     const struct rp_source_options *options, struct rp_error *err) {
    const char *launcher = choose_launcher(arena, options->build.launcher, err);
    if (launcher == NULL)
        return false;
    const char *prefix = rp_cross_compile(options);
    if (strchr(prefix, '/') != NULL && (prefix = rp_path_absolute(arena, prefix, err)) == NULL)
        return false;
    /* ccache knows a compiler by its contents; a script's flags may be in another file */
    const char *gcc = rp_find_program(arena, rp_format(arena, "%sgcc", prefix));
    if (strcmp(options->build.launcher, "auto") == 0 && gcc != NULL && rp_path_is_script(gcc))
        launcher = "";
    bool compiles = !options->build.dry_run && !options->input.describe_only;
    bool is_chosen = strcmp(options->build.launcher, "auto") == 0 && launcher[0] != '\0';
    const char *unwritable = compiles && is_chosen ? unwritable_cache(arena) : NULL;
    if (unwritable != NULL)
        launcher = "";
    *tools = options->build;
    tools->unwritable_cache = unwritable;
    tools->cross_compile = prefix;
    tools->launcher = launcher;
    tools->verbose = options->console.verbose != 0;
    tools->log = options->console.log;
    tools->passed = &options->pass_env;
    return true;
}

static bool choose_target(struct rp_package *package, struct rp_error *err) {
    const struct rp_source_options *options = package->options;
    if (options->target.series != NULL && options->target.mcu != NULL)
        return rp_fail(err, RP_E_USAGE, "--target and --mcu exclude each other");
    if (options->target.series == NULL && options->target.mcu == NULL)
        return true; /* the dialect may have a target of its own */
    package->target = rp_target_find(options->target.series, options->target.mcu, err);
    return package->target != NULL;
}

static bool check_flags(const struct rp_package *package, struct rp_error *err) {
    const char *math = package->options->math;
    if (!rp_cflags_check(&package->options->input.cflags, err)) {
        const struct rp_source_options *options = package->options;
        const char *path = options->input.path != NULL ? options->input.path : options->model;
        return rp_hint(err, "'%s' and all other sources have to become objects",
                       path != NULL ? path : "the model");
    }
    if (math == NULL || strcmp(math, "own") == 0 || rp_math_is_libc(package->options))
        return true;
    rp_fail(err, RP_E_USAGE, "unknown --math \'%s\'; there are: own libc", math);
    return rp_hint_nearest(err, math, "", "own libc");
}

static void take_decisions(struct rp_package *package) {
    package->input.copy_only = package->decided.copy_only || package->settled.archive_patches;
    package->input.compact = package->decided.compact;
}

/*
 * Code that is generated as an archive (needs.may_patch) shows by itself whether it has to be
 * patched. For other archives, the user asks for that, or code of that kind is refused.
 */
static bool choose_patching(struct rp_package *package, struct rp_error *err) {
    const struct rp_model *model = &package->model;
    struct rp_scan scan = {0};
    const struct rp_scan_options options = {
        .culprits = true, .constructors_ok = true, .convention = rp_package_convention(package)};
    for (size_t i = 0; model->needs.may_patch && i < model->code.libraries.count; i++)
        if (!rp_scan_file(&scan, package->arena, model->code.libraries.items[i], &options, err))
            return false;
    package->settled.archive_patches = scan.culprits.count != 0;
    take_decisions(package);
    return true;
}

static bool is_file_base(const char *name) {
    for (const char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == '/' || *c == 0x7f)
            return false;
    return name[0] != '\0' && strlen(name) <= 200;
}

static bool choose_input(struct rp_package *package, struct rp_error *err) {
    const struct rp_source_options *options = package->options;
    if (options->input.path != NULL && options->model != NULL)
        return rp_fail(err, RP_E_USAGE, "--model and --input name the same thing: give one");
    const char *path = options->input.path != NULL ? options->input.path : options->model;
    if (path != NULL && path[0] == '\0')
        return rp_fail(err, RP_E_USAGE, "-i is empty: it names the generated code");
    if (options->input.pack_dir != NULL && !rp_path_is_dir(options->input.pack_dir))
        return rp_fail(err, RP_E_USAGE, "--pack-dir '%s' is not a folder", options->input.pack_dir);
    package->input = options->input;
    package->input.path = path != NULL ? path : "st_ai_output";
    package->input.target = package->target;
    if (path == NULL && !rp_path_is_dir(package->input.path)) {
        rp_fail(err, RP_E_INPUT, "no input: -i is missing, and the default folder '%s' is not here",
                package->input.path);
        return rp_hint(err, "-i PATH names a file or folder of generated C code; relocpack "
                            "generate --help lists the options");
    }
    if (options->input.name != NULL && !is_file_base(options->input.name))
        return rp_fail(err, RP_E_USAGE, "--name '%s' cannot start a file name",
                       options->input.name);
    return rp_cflags_absolute(package->arena, &options->input.cflags, &package->input.cflags, err);
}

/* Cores for which a compiler makes no code that could be linked. */
static bool check_core(const struct rp_package *package, struct rp_error *err) {
    const struct rp_target *target = package->target;
    if (target != NULL && rp_target_is_baseline(target) && package->input.compiler->is_clang) {
        rp_fail(err, RP_E_USAGE,
                "-r %s: on a Cortex-%s, clang finds variables by a relocation that the GNU linker "
                "does not have (R_ARM_SBREL32)",
                package->input.compiler->name, target->core->label);
        return rp_hint(err, "compile with gcc: leave -r %s out", package->input.compiler->name);
    }
    return true;
}

/* A round may change items of lists, and drop some: the opened ones stay as they are. */
static void copy_lists(struct rp_model *model, struct rp_arena *arena) {
    struct rp_tensors *tensors[] = {&model->inputs, &model->outputs};
    for (size_t k = 0; k < 2; k++) {
        const struct rp_tensors *from = tensors[k];
        struct rp_tensors copy = {0};
        for (size_t i = 0; i < from->count; i++)
            *RP_PUSH(arena, &copy) = from->items[i];
        *tensors[k] = copy;
    }
    struct rp_host_imports imports = model->imports;
    imports.items = NULL;
    imports.count = imports.capacity = 0;
    for (size_t i = 0; i < model->imports.count; i++)
        *RP_PUSH(arena, &imports) = model->imports.items[i];
    model->imports = imports;
}

static bool open_package(struct rp_package *package, struct rp_error *err) {
    struct rp_arena *arena = package->arena;
    const struct rp_source_options *options = package->options;
    if (!check_flags(package, err) || !rp_environment_check(&options->pass_env, err) ||
        !choose_target(package, err) || !choose_input(package, err))
        return false;
    package->data_dir = rp_data_dir(arena, err);
    if (package->data_dir == NULL)
        return false;
    if (!rp_tools_choose(&package->build_options, arena, options, err))
        return false;
    package->build_options.data_dir = package->data_dir;
    if (!rp_package_generate(package, err) || !rp_host_imports_offered(package, err) ||
        !rp_dialect_load(&package->model, arena, &package->input, err))
        return false;
    package->format = rp_format_of(package->model.dialect->image->major);
    if (package->generated.name != NULL)
        package->build_options.refused =
            rp_format(arena, RP_HINT_GENERATOR, package->generated.name);
    if (package->model_file != NULL)
        rp_strings_push(arena, &package->model.code.used_files, package->model_file);
    if (package->build_options.unwritable_cache != NULL)
        rp_diagnose(arena, &package->model.notes, "RP1077",
                    rp_format(arena,
                              "ccache cannot write '%s', and is left out: CCACHE_DIR names "
                              "another folder",
                              package->build_options.unwritable_cache));
    if (package->model.generator == NULL)
        package->model.generator = package->generated.name;
    if (package->model.dialect->target != NULL)
        package->target = package->input.target = package->model.dialect->target;
    package->build_options.search_path = package->model.needs.extra_system_path;
    if (package->input.compiler->is_clang) {
        package->build_options.compiler = package->input.compiler->program;
        package->build_options.get_compiler = package->input.compiler->get;
        package->build_options.gcc_links = !package->model.dialect->image->clang_links;
    }
    if (!check_core(package, err) || !choose_patching(package, err))
        return false;
    package->opened = package->model;
    copy_lists(&package->model, arena);
    return true;
}

bool rp_package_open(struct rp_package *package, struct rp_arena *arena,
                     const struct rp_source_options *options, struct rp_error *err) {
    *package = (struct rp_package){
        .arena = arena,
        .options = options,
        .decided = {.copy_only = options->input.copy_only, .compact = options->input.compact},
        .linked = {.elf = {.fd = -1}},
    };
    return open_package(package, err);
}

void rp_package_begin_round(struct rp_package *package) {
    rp_package_close_stages(package);
    package->model = package->opened;
    copy_lists(&package->model, package->arena);
    package->model.notes.count = 0; /* the command has those of the first round */
    package->compiled = (struct rp_stage_compiled){0};
    package->linked = (struct rp_stage_linked){.elf = {.fd = -1}};
    package->placed = (struct rp_stage_placed){0};
    take_decisions(package);
    rp_build_again(&package->build, &package->build_options);
}
