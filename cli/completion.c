/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack completion`: commands, options and their values, for a shell. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/generate/options.h"
#include "cli/pipeline/open.h"
#include "toolchain/compile/board_file.h"
#include "toolchain/compile/device.h"
#include "toolchain/compile/series.h"

/* ---- values ---- */

static void put_series(struct rp_buf *out) {
    for (size_t i = 0; rp_target_at(i) != NULL; i++)
        if (!rp_has_prefix(rp_target_at(i)->series, "cortex-"))
            rp_buf_printf(out, "%s ", rp_target_at(i)->series);
}

static void put_cores(struct rp_buf *out) {
    for (size_t i = 0; rp_target_at(i) != NULL; i++)
        if (rp_has_prefix(rp_target_at(i)->series, "cortex-"))
            rp_buf_printf(out, "%s ", rp_target_at(i)->series);
}

static void put_boards(struct rp_buf *out) {
    struct rp_strings files = {0};
    const char *data = rp_data_dir(out->arena, NULL);
    if (data == NULL || !rp_board_files(&files, out->arena, data, NULL))
        return;
    for (size_t i = 0; i < files.count; i++) {
        const char *name = rp_path_base(files.items[i]);
        rp_buf_printf(out, "%.*s ", (int)(strlen(name) - strlen(".json")), name);
    }
}

static void put_devices(struct rp_buf *out) {
    for (size_t i = 0; rp_device_at(i) != NULL; i++)
        rp_buf_printf(out, "%s ", rp_device_at(i)->name);
    put_boards(out);
}

static void put_ids(struct rp_buf *out) {
    static const char *const notes[] = {
#define N(id, severity, text) id,
#include "base/notes.def"
#undef N
    };
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
        rp_buf_printf(out, "%s ", notes[i]);
    for (size_t i = 0; rp_error_at(i) != NULL; i++)
        rp_buf_printf(out, "RP%d ", (int)rp_error_at(i)->id);
}

/* What an option takes, or, where it has none, what the command itself takes. */
static const struct values {
    const char *command; /* NULL: any */
    const char *option;
    const char *words;
    void (*put)(struct rp_buf *out); /* instead of words */
} table[] = {
    {NULL, "target", NULL, put_series},
    {NULL, "mcu", NULL, put_cores},
    {NULL, "device", NULL, put_devices},
    {NULL, "board", NULL, put_boards},
    {NULL, "relocatable", RP_RELOC_ITEMS, NULL},
    {NULL, "dialect", "c emlearn tvm glow st-ai stai ll-aton", NULL},
    {NULL, "math", "own libc", NULL},
    {NULL, "launcher", "auto ccache distcc none", NULL},
    {NULL, "annotate", "github gitlab", NULL},
    {"run", "mode", "xip copy no-flash no-overlay no-run ext", NULL},
    {"run", "server", "qemu openocd pyocd stlink jlink probe-rs", NULL},
    {"batch", "format", "text markdown json", NULL},
    {"diff", "format", "text markdown json csv", NULL},
    {"keygen", "type", "ed25519 p256", NULL},
    {"sbom", "format", "cyclonedx spdx provenance", NULL},
    {"explain", NULL, NULL, put_ids},
    {"completion", NULL, "bash zsh fish", NULL},
    {"boards", NULL, NULL, put_boards},
};

/* option: NULL for the command itself. NULL: nothing that is known. */
static const char *values_of(struct rp_arena *arena, const struct rp_command *command,
                             const char *option) {
    struct rp_buf out = {.arena = arena};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct values *row = &table[i];
        bool same_option = row->option == NULL || option == NULL ? row->option == option
                                                                 : strcmp(row->option, option) == 0;
        if (!same_option || (row->command != NULL && strcmp(row->command, command->name) != 0))
            continue;
        if (row->put == NULL)
            return row->words;
        row->put(&out);
        return out.len != 0 ? out.data : NULL;
    }
    return NULL;
}

static bool is_last(const struct rp_option *option) {
    return option->short_name == 0 && option->long_name == NULL;
}

static bool takes_word(const struct rp_option *option) {
    return option->arg != NULL;
}

/* ---- bash ---- */

/* The line before the cursor ends in the option: its values, or none, so that files are offered. */
static void put_bash_option(struct rp_arena *arena, const struct rp_command *command,
                            const struct rp_option *option) {
    const char *values = values_of(arena, command, option->long_name);
    if (!takes_word(option))
        return;
    printf("        %s:--%s", command->name, option->long_name);
    if (option->short_name != 0)
        printf("|%s:-%c", command->name, option->short_name);
    printf(") words=\"%s\";;\n", values != NULL ? values : "");
}

static void print_bash(struct rp_arena *arena) {
    puts("_relocpack() {\n"
         "    local words cur=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - "
         "1]}\"\n"
         "    local list=\"\"\n"
         "    if [ \"$cur\" = \"=\" ]; then cur=\"\"; fi\n"
         "    if [ \"$before\" = \"=\" ]; then before=\"${COMP_WORDS[COMP_CWORD - 2]}\"; fi\n"
         "    case \"$cur\" in --*=*) before=\"${cur%%=*}\" list=\"${cur%%=*}=\" "
         "cur=\"${cur#*=}\";; esac\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then");
    printf("        words=\"");
    for (size_t i = 0; rp_command_at(i) != NULL; i++)
        printf("%s ", rp_command_at(i)->name);
    puts("--help --version\"\n    else\n        case \"${COMP_WORDS[1]}:$before\" in");
    for (size_t i = 0; rp_command_at(i) != NULL; i++)
        for (const struct rp_option *o = rp_command_at(i)->options; !is_last(o); o++)
            put_bash_option(arena, rp_command_at(i), o);
    for (size_t i = 0; rp_command_at(i) != NULL; i++) {
        const struct rp_command *command = rp_command_at(i);
        const char *values = values_of(arena, command, NULL);
        printf("        %s:*) words=\"%s", command->name, values != NULL ? values : "");
        for (const struct rp_option *o = command->options; !is_last(o); o++)
            printf(" --%s", o->long_name);
        puts(" --help\";;");
    }
    puts("        esac\n    fi\n"
         "    case \"$cur\" in -*) ;; *,*) list=\"$list${cur%,*},\" cur=\"${cur##*,}\";; esac\n"
         "    COMPREPLY=($(compgen -P \"$list\" -W \"$words\" -- \"$cur\"))\n}\n"
         "complete -o default -F _relocpack relocpack");
}

static void print_zsh(struct rp_arena *arena) {
    puts("#compdef relocpack\nautoload -U +X bashcompinit && bashcompinit");
    print_bash(arena);
    /* the first time, zsh loads this file as the function _relocpack and expects an answer */
    puts("if [ \"${funcstack[1]}\" = _relocpack ]; then _bash_complete -o default -F _relocpack; "
         "fi");
}

/* ---- fish ---- */

static void put_fish_option(struct rp_arena *arena, const struct rp_command *command,
                            const struct rp_option *option) {
    const char *values = values_of(arena, command, option->long_name);
    printf("complete -c relocpack -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->long_name);
    if (option->short_name != 0)
        printf(" -s %c", option->short_name);
    if (values != NULL && option->kind == RP_OPT_COMMAS)
        printf(" -x -a '(__fish_append , %s)'", values);
    else if (values != NULL)
        printf(" -x -a '%s'", values);
    else if (takes_word(option))
        printf(" -r");
    putchar('\n');
}

static void print_fish(struct rp_arena *arena) {
    puts("complete -c relocpack -l help");
    for (size_t i = 0; rp_command_at(i) != NULL; i++) {
        const struct rp_command *command = rp_command_at(i);
        const char *values = values_of(arena, command, NULL);
        printf("complete -c relocpack -n __fish_use_subcommand -f -a %s -d '%s'\n", command->name,
               command->summary);
        if (values != NULL)
            printf("complete -c relocpack -n '__fish_seen_subcommand_from %s' %s-a '%s'\n",
                   command->name, command == &rp_command_boards ? "" : "-f ", values);
        for (const struct rp_option *o = command->options; !is_last(o); o++)
            put_fish_option(arena, command, o);
    }
}

/* ---- the command ---- */

static int run_completion(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                          struct rp_error *err) {
    static const struct {
        const char *shell;
        void (*print)(struct rp_arena *arena);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    (void)given;
    for (size_t i = 0; arguments->count == 1 && i < 3; i++)
        if (strcmp(arguments->items[0], shells[i].shell) == 0) {
            shells[i].print(arena);
            return 0;
        }
    rp_fail(err, RP_E_USAGE, "completion needs a shell: bash, zsh or fish");
    if (arguments->count == 1)
        rp_hint_nearest(err, arguments->items[0], "", "bash zsh fish");
    return -1;
}

static const struct rp_option no_rows[] = {{0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL}};
const struct rp_command rp_command_completion = {
    "completion", "bash|zsh|fish", "Prints a completion script for a shell", no_rows, 0,
    NULL,         run_completion};
