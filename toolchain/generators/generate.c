/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a generator: see generate.h. */
#include "toolchain/generators/generate.h"

#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/printable.h"
#include "runtime/format/reloc_format.h"
#include "toolchain/compile/command.h"
#include "toolchain/compile/process.h"
#include "toolchain/compile/quote.h"
#include "toolchain/npu/pack.h"

enum { VERSION_SECONDS = 60, VERSION_MAX = 120 };

static const char places[] =
    "{input} stands for the model file, {output} for the C file to write (without it, the code is "
    "taken from standard output), {folder} for an empty folder, {options} for the words of "
    "--generator-options, {name}, {target}, {cpu} and {float-abi} for the model's name and the "
    "target";

/* ---- which program ---- */

static bool fail_unknown(const char *name, struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf list = {.arena = &arena};
    const struct rp_generator *row;
    for (size_t i = 0; (row = rp_generator_at(i)) != NULL; i++)
        rp_buf_printf(&list, " %s", row->name);
    rp_fail(err, RP_E_USAGE, "unknown --generator '%s'; there are:%s", name, list.data);
    if (!rp_hint_nearest(err, name, "--generator ", list.data) && err != NULL && err->hint == NULL)
        rp_hint(err, "any other one is named with its words: --generator '%s {input} {output}'",
                name);
    rp_arena_release(&arena);
    return false;
}

/* A row's command, with the program that the user named; or the user's own words. */
static bool find_words(struct rp_generated *generated, const struct rp_generator **row,
                       struct rp_arena *arena, const char *text, struct rp_error *err) {
    struct rp_strings *words = &generated->words;
    *row = rp_generator_find(text);
    if (*row != NULL) {
        generated->row = *row;
        generated->name = (*row)->name;
        if (!rp_split_words(arena, (*row)->command, words, err))
            return false;
        if (strchr(text, '/') != NULL)
            words->items[0] = text;
        return true;
    }
    if (!rp_split_words(arena, text, words, err))
        return false;
    if (words->count == 1 && strchr(text, '{') == NULL)
        return fail_unknown(text, err);
    generated->name = rp_path_base(words->items[0]);
    if (rp_command_has(words, "input"))
        return true;
    rp_fail(err, RP_E_USAGE, "--generator '%s' does not say where the model file goes", text);
    return rp_hint(err, "%s", places);
}

/* A row's program may be in the vendor's pack instead of on PATH. */
static bool find_program(struct rp_generated *generated, const struct rp_generator *row,
                         struct rp_arena *arena, const struct rp_generate_request *request,
                         struct rp_error *err) {
    const char *program = generated->words.items[0];
    const char *pack = request->pack != NULL ? request->pack : rp_pack_default(arena);
    if (rp_find_program(arena, program) != NULL)
        return true;
    if (row != NULL && strchr(program, '/') == NULL) {
        const char *found = rp_generator_program(arena, row, pack);
        if (found != NULL) {
            generated->words.items[0] = found;
            return true;
        }
    }
    rp_fail(err, RP_E_TOOL_MISSING, "the generator '%s' was not found", program);
    return rp_hint(err, "%s", row != NULL ? row->from : "install it, or give its path");
}

/* The first line that it prints. */
static const char *ask_version(struct rp_arena *arena, const char *program, const char *argument,
                               const struct rp_strings *passed) {
    struct rp_strings argv = {0};
    struct rp_process_output output;
    int status;
    RP_PUSH_WORDS(arena, &argv, program, argument);
    const struct rp_process process = {
        .argv = &argv, .passed = passed, .timeout_s = VERSION_SECONDS};
    if (!rp_process_read(&process, arena, &output, &status, NULL) || status != 0)
        return NULL;
    size_t len = strcspn(output.text, "\r\n");
    const char *line = rp_strndup(arena, output.text, len < VERSION_MAX ? len : VERSION_MAX);
    return line[0] != '\0' ? rp_printable(arena, line) : NULL;
}

/* ---- the command ---- */

/* NAME.c in the folder, with the name that the user, the generator or the model file gives. */
static const char *output_of(struct rp_arena *arena, const struct rp_generate_request *request,
                             const struct rp_generator *row) {
    const char *stem = request->name;
    if (stem == NULL && row != NULL)
        stem = row->stem;
    if (stem == NULL)
        stem = rp_path_base(rp_path_stem(arena, request->model));
    return rp_path_join(arena, request->folder,
                        rp_format(arena, "%s%s", stem, row != NULL ? row->output : ".c"));
}

static bool make_line(struct rp_generated *generated, struct rp_arena *arena,
                      const struct rp_generate_request *request, struct rp_error *err) {
    const struct rp_target *target = request->target;
    struct rp_strings values = {0};
    const char *name = rp_path_base(rp_path_stem(arena, generated->path));
    const char *series = "", *cpu = "", *float_abi = "";
    if (target != NULL) {
        series = strcmp(target->vendor, "ST") == 0 ? target->series : "";
        cpu = target->core->cpu;
        float_abi = target->float_abi == RELOC_FLOAT_HARD ? "hard" : "soft";
    }
    bool dash = request->model[0] == '-'; /* the model file must not look like an option */
    RP_PUSH_WORDS(arena, &values, rp_format(arena, "input=%s%s", dash ? "./" : "", request->model),
                  rp_format(arena, "output=%s", generated->path),
                  rp_format(arena, "folder=%s", request->folder),
                  rp_format(arena, "name=%s", rp_c_identifier(arena, name)),
                  rp_format(arena, "target=%s", series), rp_format(arena, "cpu=%s", cpu),
                  rp_format(arena, "float-abi=%s", float_abi));
    if (request->options->count != 0 && !rp_command_has(&generated->words, "options"))
        rp_strings_push(arena, &generated->words, "{options}");
    for (size_t i = 0; i < request->options->count; i++)
        rp_strings_push(arena, &values, rp_format(arena, "options=%s", request->options->items[i]));
    if (request->options->count == 0)
        rp_strings_push(arena, &values, "options=");
    if (rp_command_fill(arena, &generated->words, &values, &generated->line, err))
        return true;
    return rp_hint(err, "%s", places);
}

/* The words for a report: with the options in their place, and of paths only the last part. */
static void show_words(struct rp_generated *generated, struct rp_arena *arena,
                       const struct rp_strings *options) {
    struct rp_strings shown = {0}, plain = {0};
    for (size_t i = 0; i < generated->words.count; i++)
        if (strcmp(generated->words.items[i], "{options}") == 0)
            rp_strings_append(arena, &shown, options);
        else
            rp_strings_push(arena, &shown, generated->words.items[i]);
    for (size_t i = 0; i < shown.count; i++) {
        bool has_place = strchr(shown.items[i], '{') != NULL;
        rp_strings_push(arena, &plain, has_place ? shown.items[i] : rp_path_base(shown.items[i]));
    }
    generated->words = plain;
}

bool rp_generate_begin(struct rp_generated *generated, struct rp_arena *arena,
                       const struct rp_generate_request *request, struct rp_error *err) {
    const struct rp_generator *row;
    *generated = (struct rp_generated){0};
    if (!find_words(generated, &row, arena, request->generator, err))
        return false;
    if (!rp_path_is_file(request->model)) {
        rp_fail(err, RP_E_INPUT, "'%s' is not a file: --generator %s takes a model file",
                request->model, generated->name);
        return rp_fail_in(err, request->model, 0);
    }
    if (row != NULL && !rp_generator_takes(row, request->model)) {
        rp_fail(err, RP_E_INPUT, "--generator %s takes files that end in %s, not '%s'", row->name,
                row->files, request->model);
        return rp_hint(err,
                       "give C code without --generator; for a model file of another name, "
                       "write out the command: --generator '%s'",
                       row->command);
    }
    if (!find_program(generated, row, arena, request, err))
        return false;
    if (row != NULL)
        generated->version =
            ask_version(arena, generated->words.items[0], row->version, request->passed);
    generated->path = output_of(arena, request, row);
    generated->to_file = rp_command_has(&generated->words, "output");
    generated->to_folder = rp_command_has(&generated->words, "folder");
    rp_remove_tree(request->folder);
    if (rp_process_interrupted(err) || !rp_make_dirs(request->folder, err) ||
        !make_line(generated, arena, request, err))
        return false;
    show_words(generated, arena, request->options);
    return true;
}

const char *rp_generate_file_of(const char *word) {
    static const char marks[] = {'=', '@'};
    if (rp_path_is_file(word))
        return word;
    for (size_t i = 0; i < sizeof marks; i++) {
        const char *mark = strchr(word, marks[i]);
        if (mark != NULL && rp_path_is_file(mark + 1))
            return mark + 1;
    }
    return NULL;
}

/* ---- what it wrote ---- */

static bool fail_output(const struct rp_generated *generated, struct rp_arena *arena,
                        const char *what, struct rp_error *err) {
    const char *text = rp_last_lines(arena, generated->messages);
    return rp_fail(err, RP_E_GENERATOR, "%s ended with status 0, but %s%s%s", generated->name, what,
                   text[0] != '\0' ? ":" : "", text);
}

/* A link may lead anywhere, and may lead elsewhere later. */
static bool take_file(struct rp_generated *generated, struct rp_arena *arena, const char *where,
                      struct rp_error *err) {
    struct stat st;
    const char *what = NULL;
    if (lstat(generated->path, &st) != 0)
        what = rp_format(arena, "wrote no %s", where);
    else if (S_ISDIR(st.st_mode))
        what = "wrote a folder where {output} is a file: {folder} is for a folder";
    else if (!S_ISREG(st.st_mode))
        what = rp_format(arena, "what it put at %s is not a regular file", where);
    else if (st.st_size == 0)
        what = rp_format(arena, "wrote nothing to %s", where);
    return what == NULL || fail_output(generated, arena, what, err);
}

/* The only file in the folder, or the folder: then it is looked at like one that the user names. */
static bool take_folder(struct rp_generated *generated, struct rp_arena *arena, const char *folder,
                        struct rp_error *err) {
    struct rp_strings names = {0};
    if (!rp_list_dir(arena, folder, &names, err))
        return false;
    if (names.count == 0)
        return fail_output(generated, arena, "wrote nothing to {folder}", err);
    generated->path = names.count == 1 ? rp_path_join(arena, folder, names.items[0]) : folder;
    return names.count != 1 || rp_path_is_dir(generated->path) ||
           take_file(generated, arena, "{folder}", err);
}

bool rp_generate_run(struct rp_generated *generated, struct rp_arena *arena,
                     const struct rp_generate_request *request, struct rp_error *err) {
    bool prints = !generated->to_file && !generated->to_folder;
    struct rp_strings passed = {0};
    rp_strings_append(arena, &passed, request->passed);
    if (generated->row != NULL && generated->row->in_pack != NULL) /* where the vendor's pack is */
        rp_strings_push(arena, &passed, "STEDGEAI_CORE_DIR");
    const struct rp_process process = {.argv = &generated->line,
                                       .passed = &passed,
                                       .stdout_path = prints ? generated->path : NULL};
    struct rp_process_output output;
    int status = 0;
    bool ran = rp_process_read(&process, arena, &output, &status, err);
    for (size_t i = 0; i < output.size; i++)
        if (output.text[i] == '\0')
            output.text[i] = ' ';
    generated->messages = output.text;
    if (!ran)
        return false;
    bool taken = status == 0 &&
                 (generated->to_folder && !generated->to_file
                      ? take_folder(generated, arena, request->folder, err)
                      : take_file(generated, arena, prints ? "standard output" : "{output}", err));
    generated->failed = !taken;
    if (status == 0)
        return taken;
    const char *last = rp_last_lines(arena, generated->messages);
    rp_fail(err, RP_E_GENERATOR, "%s %s:%s%s", generated->name,
            status > 128 ? rp_format(arena, "was ended by signal %d", status - 128)
                         : rp_format(arena, "failed with status %d", status),
            last[0] != '\0' ? "" : " it printed nothing", last);
    return rp_fail_in(err, request->model, 0);
}
