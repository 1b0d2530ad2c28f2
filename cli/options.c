/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line options: see options.h. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/path.h"
#include "toolchain/compile/quote.h"

enum { WORDS_MAX = 1 << 24, FILES_DEEP = 8 };

struct parse {
    const struct rp_command *command;
    struct rp_arena *arena;
    int argc;
    char **argv;
    int next; /* word after the one being read */
    char *options;
    struct rp_command_line *line;
    int depth;               /* of files with words */
    const char *text, *path; /* of the file that the words are from; NULL: the command line */
    struct rp_error *err;    /* NULL once there was an error: the rest is parsed as well */
};

static bool is_last(const struct rp_option *option) {
    return option->short_name == 0 && option->long_name == NULL;
}

static bool takes_word(const struct rp_option *option) {
    enum rp_option_kind kind = option->kind;
    if (kind == RP_OPT_PASSED)
        return option->arg != NULL && option->arg[0] != '[';
    return kind == RP_OPT_TEXT || kind == RP_OPT_LIST || kind == RP_OPT_NUMBER ||
           kind == RP_OPT_SIZE || kind == RP_OPT_FLAGS || kind == RP_OPT_WORDS;
}

static bool may_take_word(const struct rp_option *option) {
    if (option->kind == RP_OPT_PASSED)
        return option->arg != NULL && option->arg[0] == '[';
    return option->kind == RP_OPT_COMMAS || option->kind == RP_OPT_MAYBE;
}

bool rp_parse_size(const char *text, unsigned *bytes) {
    char *end;
    errno = 0;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned long long value = strtoull(text, &end, hex ? 16 : 10);
    unsigned shift = *end == 'K' || *end == 'k'   ? 10
                     : *end == 'M' || *end == 'm' ? 20
                     : *end == 'G' || *end == 'g' ? 30
                                                  : 0;
    end += shift != 0;
    if (!isdigit((unsigned char)text[0]) || errno != 0 || *end != '\0' ||
        value > (UINT_MAX >> shift))
        return false;
    *bytes = (unsigned)(value << shift);
    return true;
}

/* Splits text at the separators and leaves out empty parts. */
static void split(struct parse *parse, struct rp_strings *list, const char *text,
                  const char *separators) {
    while (*text != '\0') {
        size_t len = strcspn(text, separators);
        if (len != 0)
            rp_strings_push(parse->arena, list, rp_strndup(parse->arena, text, len));
        text += len + (text[len] != '\0');
    }
}

/* Splits text at commas and drops the blanks around the items: "split, gen-c-file". */
static void split_trimmed(struct parse *parse, struct rp_strings *list, const char *text) {
    struct rp_strings items = {0};
    split(parse, &items, text, ",");
    for (size_t i = 0; i < items.count; i++) {
        const char *start = items.items[i] + strspn(items.items[i], " \t");
        size_t len = strlen(start);
        while (len != 0 && (start[len - 1] == ' ' || start[len - 1] == '\t'))
            len--;
        if (len != 0)
            rp_strings_push(parse->arena, list, rp_strndup(parse->arena, start, len));
    }
}

static bool store_number(struct parse *parse, const struct rp_option *option, const char *shown,
                         const char *word, unsigned *out) {
    bool sizes = option->kind == RP_OPT_SIZE;
    unsigned value;
    if (!rp_parse_size(word, &value) || (!sizes && word[strspn(word, "0123456789")] != '\0'))
        return rp_fail(parse->err, RP_E_USAGE, "option %s: '%s' is not a %s", shown, word,
                       sizes ? "size in bytes, K or M" : "number");
    *out = value;
    return true;
}

/* -v, -vv, -v 2 */
static void count(struct parse *parse, unsigned *out) {
    const char *word = parse->next < parse->argc ? parse->argv[parse->next] : "";
    if (isdigit((unsigned char)word[0]) && word[1] == '\0') {
        *out = (unsigned)(word[0] - '0');
        parse->next++;
    } else {
        ++*out;
    }
}

static bool parse_words(struct parse *parse);

/* Puts the line of a file's last parsed word in front of the error, which may name another file. */
static void blame_line(struct parse *parse) {
    struct rp_error *err = parse->err;
    unsigned line = 1;
    if (err == NULL || err->file != NULL || parse->path == NULL)
        return;
    size_t count = 0;
    const char *start = parse->text;
    for (const char *end = start; (end = strchr(end, '\n')) != NULL; end++, line++) {
        struct rp_strings words = {0};
        const char *part = rp_strndup(parse->arena, start, (size_t)(end - start));
        if (!rp_split_words(parse->arena, part, &words, NULL))
            continue; /* a blank line, or the middle of a quote */
        count += words.count;
        start = end + 1;
        if (count >= (size_t)parse->next)
            break;
    }
    err->message = rp_format(parse->arena, "%s:%u: %s", parse->path, line, err->message);
    rp_fail_in(err, parse->path, line);
}

/* Parses the words of a file, which are quoted as in a response file of gcc. */
static bool parse_file(struct parse *parse, const char *shown, const char *path) {
    struct rp_bytes text;
    struct rp_strings words = {0};
    if (parse->depth == FILES_DEEP)
        return rp_fail(parse->err, RP_E_USAGE, "option %s: '%s' leads to itself", shown, path);
    if (!rp_file_look(parse->arena, path, WORDS_MAX, &text, parse->err))
        return false;
    const char *from = (const char *)text.data;
    if (strlen(from) != text.size)
        return rp_fail(parse->err, RP_E_USAGE, "option %s: '%s' has a zero byte", shown, path);
    if (from[strspn(from, " \t\n")] == '\0')
        return true;
    if (!rp_split_words(parse->arena, from, &words, NULL))
        return rp_fail(parse->err, RP_E_USAGE,
                       "option %s: '%s': a quote or a backslash is not "
                       "closed",
                       shown, path);
    struct parse inner = *parse;
    inner.argc = (int)words.count;
    inner.argv = rp_alloc(parse->arena, words.count, sizeof *inner.argv);
    for (size_t i = 0; i < words.count; i++)
        inner.argv[i] = rp_strdup(parse->arena, words.items[i]);
    inner.next = 0;
    inner.depth++;
    inner.text = from;
    inner.path = path;
    return parse_words(&inner);
}

static bool store(struct parse *parse, const struct rp_option *option, const char *shown,
                  const char *word) {
    void *to = parse->options + option->offset;
    switch (option->kind) {
    case RP_OPT_FLAG:
        *(bool *)to = true;
        return true;
    case RP_OPT_NO_FLAG:
        *(bool *)to = false;
        return true;
    case RP_OPT_TEXT:
        *(const char **)to = word;
        return true;
    case RP_OPT_MAYBE:
        *(const char **)to = word != NULL ? word : option->preset;
        return true;
    case RP_OPT_LIST:
        rp_strings_push(parse->arena, to, word);
        return true;
    case RP_OPT_ADD:
        rp_strings_push(parse->arena, to, option->preset);
        return true;
    case RP_OPT_PASSED:
        if (word != NULL && *word == '\0') /* it would get lost, and the next word be the value */
            return rp_fail(parse->err, RP_E_USAGE, "option %s needs a value (%.*s)", shown,
                           (int)strcspn(option->arg + (option->arg[0] == '['), "]"),
                           option->arg + (option->arg[0] == '['));
        rp_strings_push(parse->arena, to, rp_format(parse->arena, "--%s", option->long_name));
        if (word != NULL)
            rp_strings_push(parse->arena, to, word);
        return true;
    case RP_OPT_COMMAS:
        /* an empty item records that the option was given at all */
        rp_strings_push(parse->arena, to, "");
        split_trimmed(parse, to, word != NULL ? word : "");
        return true;
    case RP_OPT_FLAGS:
        split(parse, to, word, " \t\n");
        return true;
    case RP_OPT_NUMBER:
    case RP_OPT_SIZE:
        return store_number(parse, option, shown, word, to);
    case RP_OPT_COUNT:
        if (word != NULL)
            return store_number(parse, option, shown, word, to);
        count(parse, to);
        return true;
    case RP_OPT_WORDS:
        *(const char **)to = word;
        return parse_file(parse, shown, word);
    }
    return true;
}

/* Finds an option's value and stores it. attached: what follows '=' or the letter, or NULL. */
static bool take(struct parse *parse, const struct rp_option *option, const char *shown,
                 const char *attached) {
    const char *word = attached;
    bool wants = takes_word(option);
    if (attached != NULL && !wants && !may_take_word(option) && option->kind != RP_OPT_COUNT)
        return rp_fail(parse->err, RP_E_USAGE, "option %s takes no value", shown);
    const char *following = parse->next < parse->argc ? parse->argv[parse->next] : NULL;
    if (word == NULL && (wants || (may_take_word(option) && following != NULL &&
                                   (following[0] != '-' || following[1] == '\0')))) {
        if (following == NULL)
            return rp_fail(parse->err, RP_E_USAGE, "option %s needs a value (%s)", shown,
                           option->arg);
        word = following;
        parse->next++;
    }
    return store(parse, option, shown, word);
}

/* Two spellings of the same option are not ambiguous. */
static bool same_effect(const struct rp_option *a, const struct rp_option *b) {
    bool same_preset = a->preset == b->preset || (a->preset != NULL && b->preset != NULL &&
                                                  strcmp(a->preset, b->preset) == 0);
    return a->offset == b->offset && a->kind == b->kind && same_preset;
}

static void suggest(struct parse *parse, const char *name) {
    struct rp_buf known = {.arena = parse->arena};
    for (const struct rp_option *o = parse->command->options; !is_last(o); o++)
        if (o->long_name != NULL)
            rp_buf_printf(&known, " %s", o->long_name);
    char found[RP_WORD_BYTES];
    if (rp_nearest(found, name, known.len != 0 ? known.data : ""))
        rp_hint(parse->err, "did you mean --%s? relocpack %s --help all lists all", found,
                parse->command->name);
}

static const struct rp_option *find_long(struct parse *parse, const char *name, size_t len) {
    const struct rp_option *found = NULL;
    bool ambiguous = false;
    for (const struct rp_option *o = parse->command->options; !is_last(o); o++) {
        if (o->long_name == NULL || strncmp(o->long_name, name, len) != 0)
            continue;
        if (o->long_name[len] == '\0')
            return o;
        if (o->kind == RP_OPT_PASSED) /* abbreviations are of our own options */
            continue;
        ambiguous = ambiguous || (found != NULL && !same_effect(found, o));
        found = o;
    }
    if (found == NULL || ambiguous) {
        rp_fail(parse->err, RP_E_USAGE, "option --%.*s is %s", (int)len, name,
                ambiguous ? "ambiguous" : "not known");
        if (!ambiguous)
            suggest(parse, rp_strndup(parse->arena, name, len));
        rp_hint(parse->err, "relocpack %s --help all", parse->command->name);
        return NULL;
    }
    return found;
}

static bool parse_long(struct parse *parse, const char *word) {
    size_t len = strcspn(word, "=");
    const struct rp_option *option = find_long(parse, word, len);
    const char *shown = rp_format(parse->arena, "--%.*s", (int)len, word);
    return option != NULL && take(parse, option, shown, word[len] == '=' ? word + len + 1 : NULL);
}

static bool parse_short(struct parse *parse, const char *letters) {
    for (; *letters != '\0'; letters++) {
        const struct rp_option *option = parse->command->options;
        while (!is_last(option) && option->short_name != *letters)
            option++;
        const char *shown = rp_format(parse->arena, "-%c", *letters);
        if (is_last(option)) {
            rp_fail(parse->err, RP_E_USAGE, "option %s is not known", shown);
            return rp_hint(parse->err, "relocpack %s --help all", parse->command->name);
        }
        bool rest = takes_word(option) || may_take_word(option) ||
                    (option->kind == RP_OPT_COUNT && isdigit((unsigned char)letters[1]));
        if (!take(parse, option, shown, rest && letters[1] != '\0' ? letters + 1 : NULL))
            return false;
        if (rest)
            return true;
    }
    return true;
}

/* The "all" of "--help all". */
static bool take_all(struct parse *parse) {
    bool all = parse->next < parse->argc && strcmp(parse->argv[parse->next], "all") == 0;
    parse->next += all;
    return all;
}

/* After an error, outputs that are named later are wanted as well: it is reported there. */
static bool parse_words(struct parse *parse) {
    bool only_arguments = false, all_ok = true;
    while (parse->next < parse->argc) {
        const char *word = parse->argv[parse->next++];
        bool ok = true;
        if (only_arguments || word[0] != '-' || word[1] == '\0')
            rp_strings_push(parse->arena, &parse->line->arguments, word);
        else if (strcmp(word, "--") == 0)
            only_arguments = true;
        else if (strcmp(word, "--help=all") == 0)
            parse->line->help = RP_HELP_ALL;
        else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            parse->line->help = take_all(parse) ? RP_HELP_ALL : RP_HELP_COMMON;
        else
            ok = word[1] == '-' ? parse_long(parse, word + 2) : parse_short(parse, word + 1);
        if (!ok) {
            blame_line(parse);
            parse->err = NULL;
        }
        all_ok = all_ok && ok;
    }
    return all_ok;
}

bool rp_options_parse(const struct rp_command *command, struct rp_arena *arena,
                      struct rp_command_line *line, struct rp_error *err) {
    struct parse parse = {.command = command,
                          .arena = arena,
                          .argc = line->argc,
                          .argv = line->argv,
                          .options = line->options,
                          .line = line,
                          .err = err};
    if (command->defaults != NULL)
        command->defaults(line->options);
    return parse_words(&parse);
}

const struct rp_option *rp_option_row(const struct rp_command *command, const char *name) {
    for (const struct rp_option *row = command->options; !is_last(row); row++)
        if (row->long_name != NULL && strcmp(row->long_name, name) == 0)
            return row;
    return NULL;
}

bool rp_option_is_set(const struct rp_command *command, const void *options, const char *name) {
    const struct rp_option *row = rp_option_row(command, name);
    return row != NULL && row->kind == RP_OPT_FLAG &&
           *(const bool *)(const void *)((const char *)options + row->offset);
}

/* ---- help ---- */

enum { HELP_COLUMN = 30 };

const char *rp_help_heading(enum rp_help_group group) {
    static const char *const headings[RP_HELP_GROUPS] = {
        [RP_HELP_INPUT] = "Input",
        [RP_HELP_TARGET] = "Target",
        [RP_HELP_COMPILER] = "Compiler and build",
        [RP_HELP_BOARD] = "Board",
        [RP_HELP_OUTPUT] = "Output",
        [RP_HELP_RUN] = "Runs",
        [RP_HELP_VALUES] = "Values of inputs and outputs",
        [RP_HELP_LIMITS] = "Limits",
        [RP_HELP_REPORTS] = "Reports and messages",
        [RP_HELP_REPEAT] = "Build systems and reproducible builds",
        [RP_HELP_VENDOR] = "The vendor's pack and scripts",
    };
    return headings[group];
}

void rp_print_wrapped(FILE *out, const char *text, size_t column, size_t width) {
    for (size_t at = column; *text != '\0';) {
        size_t len = strcspn(text, " "), shown = 0;
        for (size_t i = 0; i < len; i++)
            shown += ((unsigned char)text[i] & 0xC0) != 0x80; /* characters of UTF-8 */
        if (at != column && at + 1 + shown > width) {
            fprintf(out, "\n%*s", (int)column, "");
            at = column;
        } else if (at != column) {
            fputc(' ', out);
            at++;
        }
        fwrite(text, 1, len, out);
        at += shown;
        text += len + (text[len] != '\0');
    }
    fputc('\n', out);
}

static void print_option(FILE *out, const struct rp_option *o, const char *text, size_t width) {
    char left[80];
    int len = snprintf(left, sizeof left, "  %c%c%s--%s%s%s", o->short_name != 0 ? '-' : ' ',
                       o->short_name != 0 ? o->short_name : ' ', o->short_name != 0 ? ", " : "  ",
                       o->long_name, o->arg != NULL ? " " : "", o->arg != NULL ? o->arg : "");
    fputs(left, out);
    if (len >= HELP_COLUMN)
        fprintf(out, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(out, "%*s", HELP_COLUMN - len, "");
    rp_print_wrapped(out, text, HELP_COLUMN, width);
}

void rp_options_help(const struct rp_command *command, bool all, size_t width, FILE *out) {
    size_t left_out = 0;
    fprintf(out, "usage: relocpack %s %s\n\n%s.\n", command->name, command->synopsis,
            command->summary);
    for (enum rp_help_group group = RP_HELP_PLAIN; group < RP_HELP_GROUPS; group++) {
        bool begun = false;
        for (const struct rp_option *o = command->options; !is_last(o); o++) {
            bool shown =
                all || command->common == NULL || rp_has_word(command->common, o->long_name);
            if (o->help == NULL || o->group != group)
                continue;
            left_out += !shown;
            if (!shown)
                continue;
            if (!begun)
                fprintf(out, group != RP_HELP_PLAIN ? "\n%s:\n" : "\n", rp_help_heading(group));
            begun = true;
            print_option(out, o, !all && o->brief != NULL ? o->brief : o->help, width);
        }
    }
    if (left_out != 0)
        fprintf(out, "\n`relocpack %s --help all` explains these and %zu more.\n", command->name,
                left_out);
}
