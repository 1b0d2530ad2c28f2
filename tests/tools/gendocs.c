/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the command reference from the tables that the program itself uses, so that they cannot
 * differ. In: a template, prose with lines of the form @NAME or @NAME ARGUMENT. Out: the template
 * with those lines replaced, on standard output.
 *
 *   gendocs md docs/CLI.md.in > docs/CLI.md
 *   gendocs man docs/relocpack.1.in > docs/relocpack.1
 *   gendocs pages build/man      relocpack-COMMAND.1, a manual page for each command
 *   gendocs check docs/CLI.md.in docs/relocpack.1.in
 *
 * Lines: @title, @commands, @command NAME, @targets, @errors, @notes, @operators and @rules (these
 * three in Markdown only). `check` fails when a command is missing from a template, or when two
 * options of a command have one name.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/ops/list.h"
#include "cli/version.h"
#include "toolchain/compile/series.h"

/* ---- text ---- */

/* Escapes |, which would end a table cell. */
static void put_md(const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '|')
            putchar('\\');
        putchar(*text);
    }
}

/* roff: \ and - have meanings of their own; `words` become bold. */
static void put_roff(const char *text) {
    bool bold = false;
    for (; *text != '\0'; text++) {
        if (*text == '`') {
            bold = !bold;
            fputs(bold ? "\\fB" : "\\fR", stdout);
        } else if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else if (*text == '\'') {
            fputs("\\(aq", stdout);
        } else {
            putchar(*text);
        }
    }
}

/* A line of running text: a . or ' in front would be a request. */
static void put_roff_line(const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    put_roff(text);
    putchar('\n');
}

/* ---- options ---- */

static bool is_last(const struct rp_option *option) {
    return option == NULL || (option->short_name == 0 && option->long_name == NULL);
}

static bool may_repeat(const struct rp_option *option) {
    return option->kind == RP_OPT_LIST || option->kind == RP_OPT_COMMAS ||
           option->kind == RP_OPT_FLAGS;
}

/* Rows without help that set the same member in the same way are other names of an option. */
static bool is_alias(const struct rp_option *row, const struct rp_option *of) {
    return row->help == NULL && row->offset == of->offset && row->kind == of->kind;
}

static void put_aliases(const struct rp_command *command, const struct rp_option *option,
                        void (*put)(const char *text)) {
    const char *separator = " Also ";
    for (const struct rp_option *o = command->options; !is_last(o); o++) {
        if (!is_alias(o, option))
            continue;
        char name[64];
        snprintf(name, sizeof name, "%s`--%s`", separator, o->long_name);
        put(name);
        separator = ", ";
    }
    if (strcmp(separator, ", ") == 0)
        putchar('.');
    if (may_repeat(option))
        put(" May be repeated.");
}

static void md_option(const struct rp_command *command, const struct rp_option *option) {
    printf("| ");
    if (option->short_name != 0)
        printf("`-%c`, ", option->short_name);
    printf("`--%s%s", option->long_name, option->arg != NULL ? " " : "");
    put_md(option->arg != NULL ? option->arg : "");
    printf("` | ");
    put_md(option->help);
    putchar('.');
    put_aliases(command, option, put_md);
    printf(" |\n");
}

static void man_option(const struct rp_command *command, const struct rp_option *option) {
    printf(".TP\n");
    if (option->short_name != 0)
        printf("\\fB\\-%c\\fR, ", option->short_name);
    printf("\\fB\\-\\-");
    put_roff(option->long_name);
    printf("\\fR");
    if (option->arg != NULL) {
        printf(" \\fI");
        put_roff(option->arg);
        printf("\\fR");
    }
    putchar('\n');
    if (option->help[0] == '.' || option->help[0] == '\'')
        fputs("\\&", stdout);
    put_roff(option->help);
    putchar('.');
    put_aliases(command, option, put_roff);
    putchar('\n');
}

static void md_heading(enum rp_help_group group) {
    if (group != RP_HELP_PLAIN)
        printf("\n%s:\n", rp_help_heading(group));
    printf("\n| option | meaning |\n|---|---|\n");
}

static void man_heading(enum rp_help_group group) {
    if (group != RP_HELP_PLAIN)
        printf(".PP\n\\fI%s\\fR\n", rp_help_heading(group));
}

/* The listed options, group by group, each group under its heading. */
static void for_groups(const struct rp_command *command, void (*heading)(enum rp_help_group group),
                       void (*put)(const struct rp_command *command,
                                   const struct rp_option *option)) {
    for (enum rp_help_group group = RP_HELP_PLAIN; group < RP_HELP_GROUPS; group++) {
        bool begun = false;
        for (const struct rp_option *o = command->options; !is_last(o); o++) {
            if (o->help == NULL || o->group != group)
                continue;
            if (!begun)
                heading(group);
            begun = true;
            put(command, o);
        }
    }
}

/* ---- parts ---- */

static void md_command(const struct rp_command *command) {
    printf("    relocpack %s%s%s\n\n%s.\n", command->name, command->synopsis[0] != '\0' ? " " : "",
           command->synopsis, command->summary);
    if (is_last(command->options))
        return;
    for_groups(command, md_heading, md_option);
}

static void man_command(const struct rp_command *command) {
    printf("\\fBrelocpack %s\\fR ", command->name);
    put_roff(command->synopsis);
    printf("\n.PP\n");
    put_roff(command->summary);
    printf(".\n");
    for_groups(command, man_heading, man_option);
}

static void md_commands(void) {
    printf("| command | does |\n|---|---|\n");
    for (size_t i = 0; rp_command_at(i) != NULL; i++) {
        const struct rp_command *command = rp_command_at(i);
        printf("| [`%s`](#%s) | ", command->name, command->name);
        put_md(command->summary);
        printf(" |\n");
    }
}

static void man_commands(void) {
    for (size_t i = 0; rp_command_at(i) != NULL; i++) {
        printf(".TP\n\\fB%s\\fR\n", rp_command_at(i)->name);
        put_roff_line(rp_command_at(i)->summary);
    }
}

static const char *fpu_of(const struct rp_target *target) {
    return target->fpu != NULL ? target->fpu : "none";
}

static void md_targets(void) {
    printf("| vendor | series or core | `-mcpu` | `-mfpu` | FPU | CPUID part | source |\n"
           "|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; rp_target_at(i) != NULL; i++) {
        const struct rp_target *target = rp_target_at(i);
        printf("| %s | `%s` | `%s` | `%s` | %s | %03X | %s |\n", target->vendor, target->series,
               target->core->cpu, fpu_of(target), target->fpu_text, (unsigned)target->core->part,
               target->source);
    }
}

static void man_targets(void) {
    for (size_t i = 0; rp_target_at(i) != NULL; i++) {
        const struct rp_target *target = rp_target_at(i);
        printf(".TP\n\\fB%s\\fR\n\\-mcpu=", target->series);
        put_roff(target->core->cpu);
        printf(", FPU: ");
        put_roff(target->fpu_text);
        printf("; ");
        put_roff_line(target->vendor);
    }
}

static void md_errors(void) {
    printf("| id | exit code | error | what it means |\n|---|---|---|---|\n");
    for (size_t i = 0; rp_error_at(i) != NULL; i++) {
        const struct rp_error_info *info = rp_error_at(i);
        printf("| RP%d | %d | ", (int)info->id, (int)info->exit_code);
        put_md(info->title);
        printf(" | ");
        put_md(info->text);
        printf(" |\n");
    }
}

static void man_errors(void) {
    for (size_t i = 0; rp_error_at(i) != NULL; i++) {
        const struct rp_error_info *info = rp_error_at(i);
        printf(".TP\n\\fBRP%d\\fR (exit code %d), ", (int)info->id, (int)info->exit_code);
        put_roff_line(info->title);
        put_roff_line(info->text);
    }
}

static void md_notes(void) {
    printf("| id | | meaning |\n|---|---|---|\n");
#define N(id, severity, text) printf("| %s | %s | %s |\n", (id), (severity), (text));
#include "base/notes.def"
#undef N
}

/* ---- where operators run ---- */

/* As `ops --list --markdown` prints them. */
static void md_list(void (*list)(const struct rp_ops_form *form)) {
    struct rp_arena arena = {0};
    const struct rp_ops_form form = {&arena, true};
    list(&form);
    rp_arena_release(&arena);
}

static void md_operators(void) {
    md_list(rp_ops_list_operators);
}

static void md_rules(void) {
    md_list(rp_ops_list_rules);
}

static void no_man(void) {
    fputs("gendocs: operators, rules and notes are not for the manual page\n", stderr);
}

static void md_title(void) {
    printf("# Command line of relocpack %s\n", RP_VERSION);
}

static void man_title(void) {
    printf(".TH RELOCPACK 1 \"\" \"relocpack %s\" \"User Commands\"\n", RP_VERSION);
}

/* ---- the manual page of a command ---- */

static void put_upper(const char *text) {
    for (; *text != '\0'; text++)
        putchar(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
}

static void put_page(const struct rp_command *command) {
    printf(".\\\" Written by gendocs.\n.TH RELOCPACK\\-");
    put_upper(command->name);
    printf(" 1 \"\" \"relocpack %s\" \"User Commands\"\n.SH NAME\nrelocpack\\-%s \\- ", RP_VERSION,
           command->name);
    put_roff(command->summary);
    printf("\n.SH SYNOPSIS\n.B relocpack %s\n", command->name);
    put_roff_line(command->synopsis);
    printf(".SH OPTIONS\n");
    for_groups(command, man_heading, man_option);
    printf(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the options that most need; "
           "\\fB\\-\\-help all\\fR: all of them.\n"
           ".SH EXIT STATUS\n0: done. relocpack(1) lists the others, and what each error means.\n"
           ".SH SEE ALSO\n.BR relocpack (1)\n");
}

/* ---- templates ---- */

static const struct {
    const char *name;
    void (*md)(void);
    void (*man)(void);
} parts[] = {
    {"title", md_title, man_title},       {"commands", md_commands, man_commands},
    {"targets", md_targets, man_targets}, {"errors", md_errors, man_errors},
    {"operators", md_operators, no_man},  {"rules", md_rules, no_man},
    {"notes", md_notes, no_man},
};

static const struct rp_command *find_command(const char *name) {
    for (size_t i = 0; rp_command_at(i) != NULL; i++)
        if (strcmp(rp_command_at(i)->name, name) == 0)
            return rp_command_at(i);
    return NULL;
}

static bool put_part(const char *line, bool man) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(line + 1, parts[i].name) == 0) {
            (man ? parts[i].man : parts[i].md)();
            return true;
        }
    const struct rp_command *command =
        strncmp(line, "@command ", 9) == 0 ? find_command(line + 9) : NULL;
    if (command == NULL) {
        fprintf(stderr, "gendocs: '%s' is not known\n", line);
        return false;
    }
    (man ? man_command : md_command)(command);
    return true;
}

static bool expand(FILE *in, bool man) {
    char *line = NULL;
    size_t room = 0;
    bool ok = true;
    for (ssize_t len; ok && (len = getline(&line, &room, in)) > 0;) {
        if (line[0] != '@') {
            fputs(line, stdout);
            continue;
        }
        line[strcspn(line, "\n")] = '\0';
        ok = put_part(line, man);
    }
    free(line);
    return ok && fflush(stdout) == 0 && ferror(stdout) == 0;
}

/* ---- checks ---- */

static bool have_line(FILE *in, const char *want) {
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    rewind(in);
    while (!found && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = '\0';
        found = strcmp(line, want) == 0;
    }
    free(line);
    return found;
}

static bool check_template(FILE *in, const char *path) {
    bool ok = true;
    for (size_t i = 0; rp_command_at(i) != NULL; i++) {
        char want[64];
        snprintf(want, sizeof want, "@command %s", rp_command_at(i)->name);
        if (have_line(in, want))
            continue;
        fprintf(stderr, "gendocs: %s: there is no line '%s'\n", path, want);
        ok = false;
    }
    return ok;
}

static bool same_name(const struct rp_option *a, const struct rp_option *b) {
    return (a->short_name != 0 && a->short_name == b->short_name) ||
           (a->long_name != NULL && b->long_name != NULL &&
            strcmp(a->long_name, b->long_name) == 0);
}

/* The parser takes the first row of a name, so a second one could never be given. */
static bool check_names(const struct rp_command *command) {
    bool ok = true;
    for (const struct rp_option *a = command->options; !is_last(a); a++)
        for (const struct rp_option *b = a + 1; !is_last(b); b++) {
            if (!same_name(a, b))
                continue;
            fprintf(stderr, "gendocs: command '%s' has two options --%s\n", command->name,
                    b->long_name);
            ok = false;
        }
    return ok;
}

static bool check(char **paths, int count) {
    bool ok = true;
    for (size_t i = 0; rp_command_at(i) != NULL; i++)
        ok = check_names(rp_command_at(i)) && ok;
    for (int i = 0; i < count; i++) {
        FILE *in = fopen(paths[i], "re");
        if (in == NULL) {
            perror(paths[i]);
            return false;
        }
        ok = check_template(in, paths[i]) && ok;
        fclose(in);
    }
    return ok;
}

/* Writes FOLDER/relocpack-COMMAND.1 for every command. */
static bool put_pages(const char *folder) {
    for (size_t i = 0; rp_command_at(i) != NULL; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/relocpack-%s.1", folder, rp_command_at(i)->name);
        if (freopen(path, "we", stdout) == NULL) {
            perror(path);
            return false;
        }
        put_page(rp_command_at(i));
        if (fflush(stdout) != 0)
            return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "pages") == 0)
        return put_pages(argv[2]) ? 0 : 1;
    if (argc >= 3 && strcmp(argv[1], "check") == 0)
        return check(argv + 2, argc - 2) ? 0 : 1;
    bool man = argc == 3 && strcmp(argv[1], "man") == 0;
    if (argc != 3 || (!man && strcmp(argv[1], "md") != 0)) {
        fputs("usage: gendocs md|man TEMPLATE, gendocs pages FOLDER, gendocs check TEMPLATE...\n",
              stderr);
        return 2;
    }
    FILE *in = fopen(argv[2], "re");
    if (in == NULL) {
        perror(argv[2]);
        return 1;
    }
    bool ok = expand(in, man);
    fclose(in);
    return ok ? 0 : 1;
}
