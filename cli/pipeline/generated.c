/* SPDX-License-Identifier: Apache-2.0 */
/* From a model file to code: see generated.h. */
#include "cli/pipeline/generated.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "base/printable.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/quote.h"

static const char *shown(struct rp_arena *arena, const struct rp_strings *line) {
    struct rp_buf text = {.arena = arena};
    for (size_t i = 0; i < line->count; i++)
        rp_buf_printf(&text, "%s%s", i != 0 ? " " : "", rp_shell_quote(arena, line->items[i]));
    return rp_buf_text(&text);
}

/* The log must not be the model file, or a file that the command names. */
static bool spare_log(const struct rp_package *package, struct rp_error *err) {
    const struct rp_strings *line = &package->generated.line;
    const char *log = package->options->console.log;
    bool read = log != NULL && rp_path_same(log, package->model_file);
    for (size_t i = 0; log != NULL && i < line->count; i++) {
        const char *file = rp_generate_file_of(line->items[i]);
        read = read || (file != NULL && rp_path_same(log, file));
    }
    return !read || rp_fail(err, RP_E_USAGE, "--log '%s' is an input: nothing is added to it", log);
}

static bool append_log(const struct rp_package *package, const char *command,
                       struct rp_error *err) {
    const char *log = package->options->console.log;
    if (log == NULL)
        return true;
    const char *text = rp_format(package->arena, RP_LOG_MARK "generate\n%s\n%s\n", command,
                                 rp_printable_lines(package->arena, package->generated.messages));
    return rp_file_append(log, text, strlen(text), err);
}

static bool run(struct rp_package *package, const struct rp_generate_request *request,
                struct rp_error *err) {
    struct rp_arena *arena = package->arena;
    struct rp_generated *generated = &package->generated;
    bool verbose = package->options->console.verbose != 0;
    if (!spare_log(package, err))
        return false;
    const char *command = shown(arena, &generated->line);
    if (verbose || package->options->build.dry_run)
        fprintf(stderr, "%s\n", rp_printable(arena, command));
    struct rp_error failed = {0};
    bool ok = rp_generate_run(generated, arena, request, &failed);
    if (generated->messages != NULL && !append_log(package, command, err))
        return false;
    if (!ok) {
        return (!generated->failed ||
                rp_workspace_has_space(&package->build.workspace, generated->messages, err)) &&
               rp_fail_with(err, &failed);
    }
    if (verbose && generated->messages != NULL && generated->messages[0] != '\0')
        fprintf(stderr, "%s\n", rp_printable_lines(arena, generated->messages));
    /* not every generator notices that its file was cut */
    return rp_workspace_has_space(&package->build.workspace, "", err);
}

static bool check_options(const struct rp_package *package, struct rp_error *err) {
    const struct rp_source_options *options = package->options;
    if (options->generator.name == NULL)
        return options->generator.options.count == 0 ||
               rp_fail(err, RP_E_USAGE, "--generator-options '%s' goes with --generator",
                       options->generator.options.items[0]);
    if (package->target != NULL)
        return true;
    rp_fail(err, RP_E_USAGE, "the target is missing: --target SERIES or --mcu CORE");
    return rp_hint(err, "relocpack targets lists them");
}

bool rp_package_generate(struct rp_package *package, struct rp_error *err) {
    const struct rp_source_options *options = package->options;
    struct rp_arena *arena = package->arena;
    if (!check_options(package, err))
        return false;
    if (options->generator.name == NULL)
        return true;
    if (options->generator.made != NULL) {
        package->model_file = rp_path_absolute(arena, package->input.path, err);
        package->generated = *options->generator.made;
    } else if (package->generated.name == NULL) {
        struct rp_generate_request request = {
            .generator = options->generator.name,
            .options = &options->generator.options,
            .model = package->input.path,
            .name = package->input.name,
            .pack = package->input.pack_dir,
            .target = package->target,
            .passed = &options->pass_env,
        };
        package->model_file = rp_path_absolute(arena, request.model, err);
        if (package->model_file == NULL ||
            !rp_build_open(&package->build, arena, &package->build_options, err) ||
            !rp_workspace_may_write(&package->build.workspace, "generated", err))
            return false;
        request.folder = rp_build_path(&package->build, "generated");
        if (!rp_generate_begin(&package->generated, arena, &request, err) ||
            !run(package, &request, err))
            return false;
    }
    package->input.path = package->generated.path;
    return package->model_file != NULL;
}

void rp_package_blame_generator(const struct rp_package *package, struct rp_error *err) {
    /* a folder of ours: nobody can name a file in it */
    if (package->generated.path != NULL && err->hint != NULL &&
        strstr(err->hint, package->generated.path) != NULL)
        err->hint = NULL;
    if (package->generated.path != NULL && !package->generated.failed && err->hint == NULL &&
        (rp_exit_code(err) == RP_EXIT_INPUT || rp_exit_code(err) == RP_EXIT_COMPILE))
        rp_hint(err, RP_HINT_GENERATOR, package->generated.name);
}
