/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command-line options: one table row serves the parser, the help, the completion and the manual.
 * In: argv and a table; out: a command's option struct and its plain arguments.
 */
#ifndef RP_CLI_OPTIONS_H
#define RP_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

enum rp_option_kind {
    RP_OPT_FLAG,    /* bool: true when given */
    RP_OPT_NO_FLAG, /* bool: false when given */
    RP_OPT_TEXT,    /* const char *: the last one counts */
    RP_OPT_LIST,    /* struct rp_strings: each adds one */
    RP_OPT_COMMAS,  /* struct rp_strings: each adds a comma list, from the next word unless that
                       is absent or starts with '-' */
    RP_OPT_MAYBE,   /* const char *: one word, found as above; `preset` when there is none */
    RP_OPT_ADD,     /* struct rp_strings: adds `preset` (an older spelling of one item) */
    RP_OPT_NUMBER,  /* unsigned */
    RP_OPT_SIZE,    /* unsigned: bytes, or K, M or G after the number */
    RP_OPT_COUNT,   /* unsigned: one more each time, or the number that follows */
    RP_OPT_FLAGS,   /* struct rp_strings: words of one argument, split at blanks */
    RP_OPT_PASSED,  /* struct rp_strings: adds the option as a word, and its value as another one,
                       for another program. arg: "X" a value, "[X]" perhaps one, NULL none */
    RP_OPT_WORDS    /* const char *: a file whose words stand in this place */
};

/* What else is known of an option; bits of struct rp_option. */
enum rp_option_mark {
    RP_MARK_ASIDE = 1,  /* how the work is done or shown: what is made stays the same */
    RP_MARK_WRITES = 2, /* its value names what is written; other files and folders are read */
    RP_MARK_INERT = 4   /* recorded: no value of it starts or loads a program. The values of others
                           are judged where they come from a report: cli/report/trust.h */
};

/* How the report of `generate` records an option for `verify` to read. */
enum rp_recorded {
    RP_RECORD_NOT,
    RP_RECORD_CHOICE, /* in "choices" and in "run", as it was given */
    RP_RECORD_RUN,    /* in "run" only, as it was given */
    RP_RECORD_FOUND,  /* in "run" only, as the pipeline found it */
    RP_RECORD_PATH    /* in "run" only, as an absolute path */
};

/* Under which heading the help lists an option. */
enum rp_help_group {
    RP_HELP_PLAIN, /* none */
    RP_HELP_INPUT,
    RP_HELP_TARGET,
    RP_HELP_COMPILER,
    RP_HELP_BOARD,
    RP_HELP_OUTPUT,
    RP_HELP_RUN,
    RP_HELP_VALUES,
    RP_HELP_LIMITS,
    RP_HELP_REPORTS,
    RP_HELP_REPEAT,
    RP_HELP_VENDOR,
    RP_HELP_GROUPS
};

struct rp_option {
    char short_name;       /* 0 = none */
    const char *long_name; /* without the dashes */
    enum rp_option_kind kind;
    size_t offset; /* of the destination in the command's struct */
    const char *arg;
    const char *help;   /* NULL: an alias, not listed */
    const char *preset; /* value of MAYBE and ADD */
    const char *member; /* of the report, which records it; or NULL */
    enum rp_recorded recorded;
    unsigned marks; /* of enum rp_option_mark */
    enum rp_help_group group;
    const char *brief; /* instead of help on the first screen; or NULL */
};

struct rp_command {
    const char *name;
    const char *synopsis; /* "[options] FILE" */
    const char *summary;
    const struct rp_option *options; /* ends with a row without names */
    size_t size;                     /* of the option struct */
    void (*defaults)(void *options);
    int (*run)(struct rp_arena *arena, void *options, const struct rp_strings *arguments,
               struct rp_error *err);
    const char *common; /* names of the options of the first screen; NULL: all */
};

enum rp_help { RP_HELP_NONE, RP_HELP_COMMON, RP_HELP_ALL };

/* The words behind the command's name, and what they mean. */
struct rp_command_line {
    int argc;
    char **argv;
    void *options;               /* the command's option struct, size bytes, zeroed */
    struct rp_strings arguments; /* filled in: words that are not options */
    enum rp_help help;           /* what was asked for: --help, --help all */
};

/*
 * Fills in options, arguments and help; after an error, too, from the words that are right.
 * RP_E_USAGE names the first option that is wrong. Long options may
 * be abbreviated where that is unambiguous, as with git.
 */
bool rp_options_parse(const struct rp_command *command, struct rp_arena *arena,
                      struct rp_command_line *line, struct rp_error *err);
/* The row with a long name, or NULL. */
const struct rp_option *rp_option_row(const struct rp_command *command, const char *name);
/* Is a flag of that name set? false: not, or the command has none. */
bool rp_option_is_set(const struct rp_command *command, const void *options, const char *name);
/* Prints text from the column on, in lines of at most width columns; a word is never cut. */
void rp_print_wrapped(FILE *out, const char *text, size_t column, size_t width);
/*
 * Prints usage, summary and options, wrapped to width columns: those of the first screen, or, when
 * all is set or the command has no such list, all of them.
 */
void rp_options_help(const struct rp_command *command, bool all, size_t width, FILE *out);
/* The heading of a group, NULL for RP_HELP_PLAIN. */
const char *rp_help_heading(enum rp_help_group group);
/* Reads a size: "16K", "0x4000" → 16384. Returns false when it is not one or does not fit. */
bool rp_parse_size(const char *text, unsigned *bytes);

#endif
