/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/options: every kind of option, abbreviations, errors, help. */
#include "tests/unit/unit.h"

#include <limits.h>

#include "cli/options.h"

struct settings {
    bool flag;
    bool clean;
    const char *text;
    struct rp_strings list;
    struct rp_strings reloc;
    const char *custom;
    unsigned jobs;
    unsigned size;
    unsigned verbose;
    struct rp_strings words;
    struct rp_strings passed;
    const char *tail;
    const char *file;
};

#define AT(member) offsetof(struct settings, member)

static const struct rp_option rows[] = {
    {'q', "quiet", RP_OPT_FLAG, AT(flag), NULL, "say little", NULL},
    {0, "no-clean", RP_OPT_NO_FLAG, AT(clean), NULL, "keep", NULL},
    {'t', "text", RP_OPT_TEXT, AT(text), "TEXT", "a text", NULL},
    {'I', "include", RP_OPT_LIST, AT(list), "DIR", "a folder", NULL},
    {0, "incline", RP_OPT_LIST, AT(words), "X", NULL, NULL},
    {'r', "relocatable", RP_OPT_COMMAS, AT(reloc), "[LIST]", "how", NULL},
    {0, "reloc", RP_OPT_COMMAS, AT(reloc), "[LIST]", NULL, NULL},
    {0, "relocate", RP_OPT_COMMAS, AT(reloc), "[LIST]", NULL, NULL},
    {0, "split", RP_OPT_ADD, AT(reloc), NULL, "the same as -r split", "split"},
    {0, "spline", RP_OPT_ADD, AT(reloc), NULL, "another item", "spline"},
    {'c', "custom", RP_OPT_MAYBE, AT(custom), "[FILE]", "a file", "custom.json"},
    {'j', "jobs", RP_OPT_NUMBER, AT(jobs), "N", "how many", NULL},
    {0, "size", RP_OPT_SIZE, AT(size), "SIZE", "how large", NULL},
    {'v', "verbose", RP_OPT_COUNT, AT(verbose), "[N]", "say more", NULL},
    {0, "cflags", RP_OPT_FLAGS, AT(words), "WORDS",
     "a row with a name that is long enough to go on a line of its own", NULL},
    {'P', "passed", RP_OPT_PASSED, AT(passed), "VALUE", "for another program", NULL},
    {0, "passed-flag", RP_OPT_PASSED, AT(passed), NULL, NULL, NULL},
    {0, "passed-maybe", RP_OPT_PASSED, AT(passed), "[VALUE]", NULL, NULL},
    {0, "options-file", RP_OPT_WORDS, AT(file), "FILE", "more words", NULL},
    {0, "tail-one", RP_OPT_TEXT, AT(text), "X", NULL, NULL},
    {0, "tail-two", RP_OPT_TEXT, AT(tail), "X", NULL, NULL},
    {0, "tail-too", RP_OPT_TEXT, AT(tail), "X", NULL, NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

static void defaults(void *options) {
    struct settings *settings = options;
    settings->clean = true;
    settings->text = "default";
    settings->size = 256;
}

static const struct rp_command command = {
    "test", "[options] FILE", "Does nothing", rows, sizeof(struct settings), defaults, NULL};

static struct settings got;
static struct rp_strings arguments;
static enum rp_help help;

/* words: separated by '|', so that blanks and empty words can be written. */
static bool parse(struct unit *u, const char *words) {
    char *argv[20];
    int argc = 0;
    char *at = rp_strdup(&u->arena, words);
    while (words[0] != '\0' && at != NULL) {
        argv[argc++] = at;
        at = strchr(at, '|');
        if (at != NULL)
            *at++ = '\0';
    }
    got = (struct settings){0};
    arguments = (struct rp_strings){0};
    struct rp_command_line line = {.argc = argc, .argv = argv, .options = &got};
    bool ok = rp_options_parse(&command, &u->arena, &line, &u->err);
    arguments = line.arguments;
    help = line.help;
    return ok;
}

static void assert_list(const struct rp_strings *list, const char *want) {
    char text[200] = "";
    for (size_t i = 0; i < list->count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i != 0 ? "|" : "",
                 list->items[i]);
    assert_string_equal(text, want);
}

static void starts_from_defaults(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, ""));
    assert_false(got.flag);
    assert_true(got.clean);
    assert_string_equal(got.text, "default");
    assert_int_equal(got.size, 256);
    assert_int_equal(arguments.count, 0);
    assert_false(help);
}

static void takes_every_kind(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "-q|--no-clean|-t|a|--text=b c|-I|x|-Iy|--include|z|-j4|--size|16K|"
                         "--cflags=-O3  -g|file"));
    assert_true(got.flag && !got.clean);
    assert_string_equal(got.text, "b c"); /* the last one counts */
    assert_list(&got.list, "x|y|z");
    assert_int_equal(got.jobs, 4);
    assert_int_equal(got.size, 16384);
    assert_list(&got.words, "-O3|-g");
    assert_list(&arguments, "file");
}

/* Words for another program: in their order, each value as a word, written out. */
static void passes_options_on(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "--passed=a b|--passed-flag|-Px|--passed-maybe|--passed-maybe|y|-q|"
                         "--passed-maybe|-q"));
    assert_list(&got.passed,
                "--passed|a b|--passed-flag|--passed|x|--passed-maybe|--passed-maybe|y|"
                "--passed-maybe");
    assert_true(got.flag);
    REFUSED(u, parse(u, "--passed"), RP_E_USAGE, "option --passed needs a value (VALUE)");
    REFUSED(u, parse(u, "--passed-flag=x"), RP_E_USAGE, "takes no value");
    REFUSED(u, parse(u, "--passed-m"), RP_E_USAGE, "option --passed-m is not known");
}

static void takes_values_that_look_odd(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "--text|-x|--include=|--include|--|-I=y"));
    assert_string_equal(got.text, "-x"); /* an option's argument may begin with a dash */
    assert_list(&got.list, "|--|=y");
    ACCEPTED(u, parse(u, "--text=a=b|-t|"));
    assert_string_equal(got.text, "");
}

/* -r split, -rsplit, --relocatable=split, -r alone, repeated, before another option. */
static void takes_comma_lists(void **state) {
    struct unit *u = *state;
    static const char *const cases[][3] = {
        {"-r|split", "|split", ""},
        {"-rsplit", "|split", ""},
        {"--relocatable=split", "|split", ""},
        {"--relocatable|split", "|split", ""},
        {"--reloc|split", "|split", ""},
        {"-r", "", ""},
        {"--relocatable", "", ""},
        {"-r|-q", "", ""},
        {"-r|--quiet|file", "", "file"},
        {"-r|split,gen-c-file|file", "|split|gen-c-file", "file"},
        {"-r|split|-r|gen-c-file", "|split||gen-c-file", ""},
        {"-r|,a,,b,", "|a|b", ""},
        {"--split", "split", ""},
        {"--split|file", "split", "file"},
        {"-r|--split", "|split", ""},
        {"file|-r", "", "file"},
        {"-r|--|file", "", "file"},
        {"--relocatable=", "", ""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ACCEPTED(u, parse(u, cases[i][0]));
        assert_true(got.reloc.count != 0); /* that it was given at all is known */
        assert_list(&got.reloc, cases[i][1]);
        assert_list(&arguments, cases[i][2]);
    }
}

static void takes_optional_words(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {{"--custom", "custom.json"},   {"-c", "custom.json"},
                                           {"--custom=x.json", "x.json"}, {"-c|x.json", "x.json"},
                                           {"-cx.json", "x.json"},        {"-c|-q", "custom.json"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ACCEPTED(u, parse(u, cases[i][0]));
        assert_string_equal(got.custom, cases[i][1]);
    }
}

static void counts(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *words;
        unsigned want;
    } cases[] = {{"-v", 1},        {"-vv", 2},  {"-v|-v|-v", 3}, {"-v|2", 2},  {"-vqv", 2},
                 {"--verbose", 1}, {"-v|0", 0}, {"-v|file", 1},  {"-v|12", 1}, {"--verbose|3", 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ACCEPTED(u, parse(u, cases[i].words));
        assert_int_equal(got.verbose, cases[i].want);
    }
}

static void joins_short_letters(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "-qvj8"));
    assert_true(got.flag);
    assert_int_equal(got.verbose, 1);
    assert_int_equal(got.jobs, 8);
    ACCEPTED(u, parse(u, "-qrsplit"));
    assert_list(&got.reloc, "|split");
    ACCEPTED(u, parse(u, "-qt|x"));
    assert_string_equal(got.text, "x");
}

static void tells_arguments(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "a|-|-q|b|--|-q|--text|--"));
    assert_list(&arguments, "a|-|b|-q|--text|--");
    assert_true(got.flag);
}

static void asks_for_help(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "-q|--help"));
    assert_true(help);
    ACCEPTED(u, parse(u, "-h"));
    assert_true(help);
    ACCEPTED(u, parse(u, "--|--help"));
    assert_false(help);
}

/* A prefix is enough if it is unambiguous; spellings of one option count as one. */
static void takes_abbreviations(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "--verb|--inclu=x|--rel=a|--cf=-g|--split|--q"));
    assert_int_equal(got.verbose, 1);
    assert_list(&got.list, "x");
    assert_list(&got.reloc, "|a|split");
    assert_list(&got.words, "-g");
    ACCEPTED(u, parse(u, "--tail-t=x"));
    assert_string_equal(got.tail, "x");
    ACCEPTED(u, parse(u, "--reloc=b")); /* a whole name is no abbreviation of another */
    assert_list(&got.reloc, "|b");
}

static void refuses_ambiguous_abbreviations(void **state) {
    struct unit *u = *state;
    /* of three rows the last two may mean the same: the first still does not */
    static const char *const words[] = {"--incl=x",  "--inc=x", "--spl", "--s", "--tail=x",
                                        "--tail-=x", "--t=x",   "--=x",  "--c"};
    for (size_t i = 0; i < COUNT(words); i++) {
        assert_false(parse(u, words[i]));
        CONTAINS(u->err.hint, "relocpack test --help");
        REFUSED(u, false, RP_E_USAGE, "is ambiguous");
    }
}

static void refuses_mistakes(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {{"--unknown", "option --unknown is not known"},
                                           {"--unknown=x", "option --unknown is not known"},
                                           {"--quietly", "option --quietly is not known"},
                                           {"-x", "option -x is not known"},
                                           {"-qx", "option -x is not known"},
                                           {"--quiet=1", "option --quiet takes no value"},
                                           {"--split=x", "option --split takes no value"},
                                           {"-t", "option -t needs a value (TEXT)"},
                                           {"a|--text", "option --text needs a value (TEXT)"},
                                           {"-j|x", "option -j: 'x' is not a number"},
                                           {"-j|4K", "option -j: '4K' is not a number"},
                                           {"-j-1", "option -j: '-1' is not a number"},
                                           {"--jobs=", "option --jobs: '' is not a number"},
                                           {"--jobs=4294967296", "is not a number"},
                                           {"--size=1T", "option --size: '1T' is not a size"},
                                           {"--size=K", "is not a size"},
                                           {"--size=4M1", "is not a size"},
                                           {"--size= 4", "is not a size"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, parse(u, cases[i][0]), RP_E_USAGE, cases[i][1]);
}

static void parses_sizes(void **state) {
    static const struct {
        const char *text;
        bool ok;
        unsigned want;
    } cases[] = {{"0", true, 0},
                 {"1", true, 1},
                 {"16k", true, 16384},
                 {"16K", true, 16384},
                 {"2M", true, 2 << 20},
                 {"2m", true, 2 << 20},
                 {"4294967295", true, UINT_MAX},
                 {"4294967296", false, 0},
                 {"4095M", true, 4095u << 20},
                 {"4096M", false, 0},
                 {"4194303K", true, 4194303u << 10},
                 {"4194304K", false, 0},
                 {"", false, 0},
                 {"K", false, 0},
                 {"-1", false, 0},
                 {"+1", false, 0},
                 {" 1", false, 0},
                 {"1 ", false, 0},
                 {"1KK", false, 0},
                 {"1.5K", false, 0},
                 {"0x10", true, 16},
                 {"0X2000000k", false, 0},
                 {"0x1fK", true, 31 << 10},
                 {"0xG", false, 0},
                 {"0x", false, 0},
                 {"0x-1", false, 0},
                 {"010", true, 10},
                 {"3G", true, 3u << 30},
                 {"4G", false, 0},
                 {"99999999999999999999999", false, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        unsigned value = 77;
        assert_int_equal(rp_parse_size(cases[i].text, &value), cases[i].ok);
        assert_int_equal(value, cases[i].ok ? cases[i].want : 77);
    }
}

static void takes_words_of_a_file(void **state) {
    struct unit *u = *state;
    const char *inner = unit_text(u, "inner", "-I 'in ner'");
    const char *text =
        rp_format(&u->arena, "-q -I a\\ b\n--text=\"x\\\ny\" \n --options-file %s -I c\n", inner);
    const char *path = unit_text(u, "words", text);
    ACCEPTED(u, parse(u, rp_format(&u->arena, "-I|0|--options-file|%s|-I|1|--size=1K", path)));
    assert_true(got.flag);
    assert_list(&got.list, "0|a b|in ner|c|1");
    assert_string_equal(got.text, "x\ny");
    assert_int_equal(got.size, 1024);
    ACCEPTED(u, parse(u, rp_format(&u->arena, "--options-file=%s", unit_text(u, "none", " \n"))));
    path = unit_text(u, "wrong", "-q\n\n-I 'a\nb'\n--size 1K --sizze 2\n-q\n");
    const char *outer =
        unit_text(u, "outer", rp_format(&u->arena, "-q\n-q --options-file\n%s\n", path));
    REFUSED(u, parse(u, rp_format(&u->arena, "-q|--options-file=%s|-q", path)), RP_E_USAGE,
            rp_format(&u->arena, "%s:5: option --sizze is not known", path));
    REFUSED(u, parse(u, rp_format(&u->arena, "--options-file=%s", outer)), RP_E_USAGE,
            rp_format(&u->arena, "%s:5: option --sizze", path));
    path = unit_text(u, "number", "-q -j\nx");
    REFUSED(u, parse(u, rp_format(&u->arena, "--options-file=%s", path)), RP_E_USAGE,
            rp_format(&u->arena, "%s:2: option -j: 'x' is not a number", path));
    REFUSED(u, parse(u, rp_format(&u->arena, "--options-file=%s", unit_text(u, "open", "-I 'x"))),
            RP_E_USAGE, "is not closed");
    REFUSED(u,
            parse(u, rp_format(&u->arena, "--options-file=%s", unit_write(u, "zero", "-q\0-q", 5))),
            RP_E_USAGE, "zero byte");
    REFUSED(u,
            parse(u, rp_format(&u->arena, "--options-file=%s", unit_text(u, "bad", "--nothing"))),
            RP_E_USAGE, "--nothing is not known");
    REFUSED(u, parse(u, "--options-file=/nowhere/at/all"), RP_E_INPUT, "/nowhere/at/all");
    const char *loop = unit_path(u, "loop");
    unit_text(u, "loop", rp_format(&u->arena, "--options-file=%s", loop));
    REFUSED(u, parse(u, rp_format(&u->arena, "--options-file=%s", loop)), RP_E_USAGE,
            "leads to itself");
}

static const struct rp_option grouped[] = {
    {'q', "quiet", RP_OPT_FLAG, AT(flag), NULL, "say little", NULL, .group = RP_HELP_REPORTS},
    {'t', "text", RP_OPT_TEXT, AT(text), "TEXT", "a text that says more than the brief one", NULL,
     .group = RP_HELP_INPUT, .brief = "a text"},
    {0, "tail", RP_OPT_TEXT, AT(tail), "X", "is not on the first screen", NULL,
     .group = RP_HELP_INPUT},
    {0, "clean", RP_OPT_NO_FLAG, AT(clean), NULL, NULL, NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
static const struct rp_command in_groups = {
    "test", "[options] FILE", "Does nothing", grouped, sizeof(struct settings), defaults,
    NULL,   "text quiet"};

static const char *help_of(struct unit *u, bool all, size_t width) {
    char *text = rp_alloc(&u->arena, 4096, 1);
    FILE *out = fmemopen(text, 4096, "w");
    assert_non_null(out);
    rp_options_help(&in_groups, all, width, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void prints_help_in_groups(void **state) {
    struct unit *u = *state;
    assert_string_equal(help_of(u, false, 80),
                        "usage: relocpack test [options] FILE\n\nDoes nothing.\n"
                        "\nInput:\n  -t, --text TEXT             a text\n"
                        "\nReports and messages:\n  -q, --quiet                 say little\n"
                        "\n`relocpack test --help all` explains these and 1 more.\n");
    assert_string_equal(help_of(u, true, 48),
                        "usage: relocpack test [options] FILE\n\nDoes nothing.\n"
                        "\nInput:\n  -t, --text TEXT             a text that says\n"
                        "                              more than the\n"
                        "                              brief one\n"
                        "      --tail X                is not on the\n"
                        "                              first screen\n"
                        "\nReports and messages:\n  -q, --quiet                 say little\n");
    assert_true(parse(u, "--help"));
    assert_int_equal(help, RP_HELP_COMMON);
    assert_true(parse(u, "--help|all|-q"));
    assert_int_equal(help, RP_HELP_ALL);
    assert_true(got.flag && arguments.count == 0);
    assert_true(parse(u, "--help=all"));
    assert_int_equal(help, RP_HELP_ALL);
    assert_true(parse(u, "all"));
    assert_int_equal(help, RP_HELP_NONE);
    assert_int_equal(arguments.count, 1);
}

static void prints_help(void **state) {
    char text[4096] = "";
    (void)state;
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    rp_options_help(&command, false, 80, out);
    assert_int_equal(fclose(out), 0);
    CONTAINS(text, "usage: relocpack test [options] FILE\n\nDoes nothing.\n\n");
    CONTAINS(text, "  -q, --quiet                 say little\n");
    CONTAINS(text, "      --size SIZE             how large\n");
    CONTAINS(text, "  -r, --relocatable [LIST]    how\n");
    assert_null(strstr(text, "--reloc ")); /* an alias is not listed */
    assert_null(strstr(text, "tail"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(starts_from_defaults),
        UNIT(takes_every_kind),
        UNIT(passes_options_on),
        UNIT(takes_values_that_look_odd),
        UNIT(takes_comma_lists),
        UNIT(takes_optional_words),
        UNIT(counts),
        UNIT(joins_short_letters),
        UNIT(tells_arguments),
        UNIT(asks_for_help),
        UNIT(takes_abbreviations),
        UNIT(refuses_ambiguous_abbreviations),
        UNIT(refuses_mistakes),
        UNIT(parses_sizes),
        UNIT(takes_words_of_a_file),
        UNIT(prints_help),
        UNIT(prints_help_in_groups),
    };
    return RUN(tests);
}
