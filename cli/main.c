/* SPDX-License-Identifier: Apache-2.0 */
/*
 * relocpack: generated neural-network C in, relocatable Cortex-M image out. This file picks the
 * command, prints errors and decides the exit status. Nothing below cli/ does, but for running out
 * of memory (base/arena.c).
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/document.h"
#include "cli/pipeline/open.h"
#include "cli/report/ci/ci.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "toolchain/compile/process.h"

enum { SUMMARY_COLUMN = 20 };

static void print_usage(FILE *out) {
    fputs("usage: relocpack COMMAND [options]\n\n"
          "Packages generated neural-network C code as a relocatable Cortex-M image.\n",
          out);
    for (size_t i = 0; rp_command_at(i) != NULL; i++) {
        if (rp_command_heading(i) != NULL)
            fprintf(out, "\n%s:\n", rp_command_heading(i));
        fprintf(out, "  %-*s", SUMMARY_COLUMN - 2, rp_command_at(i)->name);
        rp_print_wrapped(out, rp_command_at(i)->summary, SUMMARY_COLUMN, rp_terminal_width());
    }
    fputs("\n`relocpack help COMMAND` lists the options of a command.\n", out);
}

static const struct rp_command *find_command(const char *name) {
    for (size_t i = 0; rp_command_at(i) != NULL; i++)
        if (strcmp(rp_command_at(i)->name, name) == 0)
            return rp_command_at(i);
    return NULL;
}

/* Prints "relocpack: error RP2500: what: where: why", and the hint on a line of its own. */
static int print_error(struct rp_arena *arena, const struct rp_error *err) {
    fprintf(stderr, "relocpack: %serror%s RP%d: %s\n", rp_colour(stderr, RP_RED),
            rp_colour(stderr, RP_PLAIN), (int)err->id, rp_printable_message(arena, err->message));
    if (err->hint != NULL)
        fprintf(stderr, "relocpack: hint: %s\n", rp_printable_message(arena, err->hint));
    return (int)rp_exit_code(err);
}

static int refuse_command(const char *name) {
    static const struct {
        const char *name, *hint;
    } others[] = {
        /* of stedgeai */
        {"validate", "relocpack verify does that on an emulated core, relocpack run on a board"},
        {"analyze",
         "relocpack generate --parse-only describes a model, relocpack ops its operators"},
        {"supported-ops", "relocpack ops --list lists the operators of the NPU of an STM32N6"},
    };
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_buf known = {.arena = &arena};
    for (size_t i = 0; rp_command_at(i) != NULL; i++)
        rp_buf_printf(&known, " %s", rp_command_at(i)->name);
    rp_fail(&err, RP_E_USAGE, "'%s' is not a command", name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(name, others[i].name) == 0)
            rp_hint(&err, "%s", others[i].hint);
    char found[RP_WORD_BYTES];
    if (rp_nearest(found, name, known.data))
        rp_hint(&err, "did you mean %s? relocpack --help lists all", found);
    rp_hint(&err, "relocpack --help lists the commands");
    int status = print_error(&arena, &err);
    rp_arena_release(&arena);
    return status;
}

/* Parses the options and runs the command. A negative result means that err holds the error. */
static int run(const struct rp_command *command, struct rp_arena *arena,
               struct rp_command_line *line, struct rp_diagnosed *diagnosed, struct rp_error *err) {
    struct rp_diagnosed *own = rp_diagnosed_of(command, line->options);
    if (!rp_options_parse(command, arena, line, err)) {
        if (own != NULL)
            (void)rp_ci_begin(own, command, NULL, NULL); /* the first error wins */
        *diagnosed = own != NULL ? *own : *diagnosed;
        return -1;
    }
    if (line->help != RP_HELP_NONE) {
        rp_options_help(command, line->help == RP_HELP_ALL, rp_terminal_width(), stdout);
        return 0;
    }
    if (own != NULL && !rp_ci_begin(own, command, line->options, err)) {
        *diagnosed = *own;
        return -1;
    }
    int status = command->run(arena, line->options, &line->arguments, err);
    if (own != NULL)
        *diagnosed = *own;
    struct rp_error unwritten = {0};
    if (!rp_log_end(command, line, diagnosed, err, &unwritten) && status == 0) {
        *err = unwritten;
        status = -1;
    }
    return status;
}

/* Who asked for JSON gets it, whatever happens: docs/error.schema.json. */
static void print_json_error(struct rp_arena *arena, const struct rp_command *command,
                             const struct rp_error *err) {
    const struct rp_diagnostic one = rp_diagnostic_of(arena, err);
    struct rp_json *root = RP_JSON_PUT(rp_document("error", 1, command->name),
                                       RP_JSON_N("exit_code", rp_exit_code(err)));
    rp_json_put(root, "error", rp_diagnostic_json(&one, false));
    rp_print_json(root);
}

static int run_command(const struct rp_command *command, int argc, char **argv) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_diagnosed diagnosed = {0};
    struct rp_command_line line = {
        .argc = argc, .argv = argv, .options = rp_alloc(&arena, 1, command->size + 1)};
    const double begin = rp_process_now();
    int status = run(command, &arena, &line, &diagnosed, &err);
    if (status < 0) {
        status = print_error(&arena, &err);
        if (rp_option_is_set(command, line.options, "json") && !rp_json_is_printed())
            print_json_error(&arena, command, &err);
    }
    struct rp_outcome outcome = {
        &arena, command, &line, &diagnosed, &err, status, rp_process_now() - begin};
    for (unsigned which = RP_CI_FILES; which-- != 0;) {
        struct rp_error unwritten = {0};
        if (rp_ci_write(&outcome, which, &unwritten))
            continue;
        int other = print_error(&arena, &unwritten);
        if (status == 0) {
            outcome.status = status = other;
            err = unwritten;
        }
    }
    rp_ci_print(&outcome);
    rp_arena_release(&arena);
    rp_process_end();
    if (status != 0 && rp_process_signal() != 0) {
        /* to end by the signal itself tells a shell that its user wants the script to stop, too */
        (void)fflush(stdout);
        (void)signal(rp_process_signal(), SIG_DFL);
        (void)raise(rp_process_signal());
    }
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        fputs("relocpack: error RP2100: cannot write to the standard output\n", stderr);
        status = status != 0 ? status : RP_EXIT_FAILURE;
    }
    return status;
}

/* Of a command, or, when name is NULL, of all. */
static int print_help(const char *name, bool all) {
    const struct rp_command *command = name != NULL ? find_command(name) : NULL;
    if (name != NULL && command == NULL)
        return refuse_command(name);
    if (command == NULL)
        print_usage(stdout);
    else
        rp_options_help(command, all, rp_terminal_width(), stdout);
    return RP_EXIT_OK;
}

/* "help" or "help all" as words of a command, as other programs have it, and no file's name. */
static bool asks_for_help(int argc, char **argv) {
    return (argc == 1 || (argc == 2 && strcmp(argv[1], "all") == 0)) &&
           strcmp(argv[0], "help") == 0 && access("help", F_OK) != 0;
}

/* For scripts: where the files are that an installation brings. */
static int print_version(int argc, char **argv) {
    struct rp_arena arena = {0};
    if (argc == 2) {
        puts("relocpack " RP_VERSION);
        return RP_EXIT_OK;
    }
    if (argc != 3 || strcmp(argv[2], "--json") != 0) {
        fputs("relocpack: error RP2200: --version takes --json alone\n", stderr);
        return RP_EXIT_USAGE;
    }
    const char *data = rp_data_dir(&arena, NULL);
    struct rp_json *root =
        RP_JSON_PUT(rp_document("version", 1, NULL), RP_JSON_S("name", "relocpack"),
                    RP_JSON_S("version", RP_VERSION), RP_JSON_S("data_dir", data));
    if (data != NULL)
        RP_JSON_PUT(root, RP_JSON_S("cmake_dir", rp_path_join(&arena, data, "runtime/cmake")),
                    RP_JSON_S("loader_dir", rp_path_join(&arena, data, "runtime")));
    struct rp_json *formats = rp_json_new_object(root, "image_formats");
    rp_json_put_string(formats, "cortex-m", "2.0");
    rp_json_put_string(formats, "neural-art", "8.0");
    rp_print_json(root);
    rp_arena_release(&arena);
    return RP_EXIT_OK;
}

int main(int argc, char **argv) {
    rp_process_catch_signals();
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like a full disk */
    if (argc < 2) {
        print_usage(stderr);
        return RP_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return print_help(argc > 2 && strcmp(argv[2], "all") != 0 ? argv[2] : NULL,
                          argc > 3 && strcmp(argv[3], "all") == 0);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        return print_version(argc, argv);
    }
    const struct rp_command *command = find_command(argv[1]);
    if (command == NULL)
        return refuse_command(argv[1]);
    if (asks_for_help(argc - 2, argv + 2))
        return print_help(argv[1], argc > 3);
    return run_command(command, argc - 2, argv + 2);
}
