/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of cli/report/trust.h, and of reading cli/report/run.h: what a report alone names is
 * not started.
 */
#include "tests/unit/unit.h"

#include "cli/report/run.h"
#include "cli/report/trust.h"
#include "cli/source_rows.h"

struct options {
    struct rp_source_options source;
};

static const struct rp_option rows[] = {RP_MODEL_ROW(struct options, NULL),
                                        RP_SOURCE_ROWS(struct options),
                                        RP_MODEL_WEIGHTS_ROW(struct options),
                                        {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL}};
static const struct rp_command command = {.name = "test", .options = rows};

static bool read(struct unit *u, struct rp_source_options *source, const char *text, bool trusted) {
    struct rp_report_use use = {.path = "r.json", .reader = &command, .trusted = trusted};
    struct rp_json *run = rp_json_parse(text, strlen(text), "r.json", &u->err);
    assert_non_null(run);
    bool ok = rp_run_read(&use, &u->arena, run, source, &u->err);
    rp_json_free(run);
    return ok;
}

/* A row that nobody has decided about needs the user's word, whatever its value. */
static void asks_about_new_options(void **state) {
    (void)state;
    struct rp_source_options source = {.math = "x"};
    struct rp_strings *list = &source.pass_env;
    struct rp_option row = {.long_name = "new",
                            .kind = RP_OPT_TEXT,
                            .offset = offsetof(struct rp_source_options, math),
                            .member = "new"};
    assert_string_equal(rp_trust_starts(&source, &row), "x");
    row.marks = RP_MARK_INERT;
    assert_null(rp_trust_starts(&source, &row));
    *list = (struct rp_strings){.items = (const char *[]){"a", "b"}, .count = 2};
    row = (struct rp_option){.long_name = "new",
                             .kind = RP_OPT_LIST,
                             .offset = offsetof(struct rp_source_options, pass_env),
                             .member = "new"};
    assert_string_equal(rp_trust_starts(&source, &row), "a");
}

/* Rows that a report may fill in without a word: a new one is to be thought about. */
static void knows_inert_rows(void **state) {
    static const char inert[] =
        " target mcu name dialect entry source runtime-lib include define "
        "import pack-dir allow-release-mismatch math heap weights-threshold acts-threshold "
        "weights ";
    (void)state;
    for (const struct rp_option *row = rows; row->long_name != NULL; row++) {
        char word[64];
        (void)snprintf(word, sizeof word, " %s ", row->long_name);
        assert_int_equal((row->marks & RP_MARK_INERT) != 0, strstr(inert, word) != NULL);
    }
}

static void takes_what_is_read(void **state) {
    struct unit *u = *state;
    struct rp_source_options source = {0};
    ACCEPTED(u, read(u, &source,
                     "{\"input\": \"-m.c\", \"cflags\": [\"-O2\"], \"sources\": [\"-fplugin=x\", "
                     "\"@x\", \"/a\"], \"cross_compile\": \"x-\", \"generator\": \"onnx2c\"}",
                     true));
    assert_true(source.input.path[0] == '/' && source.input.sources.count == 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(source.input.sources.items[i][0] == '/');
    source = (struct rp_source_options){0};
    ACCEPTED(u, read(u, &source,
                     "{\"input\": \"/m.onnx\", \"generator\": \"onnx2c\", "
                     "\"generator_options\": [\"-l\", \"0\"], \"cross_compile\": \"x-\"}",
                     false));
    assert_string_equal(source.build.cross_compile, "x-");
    assert_string_equal(source.generator.name, "onnx2c");
    assert_true(source.build.no_lto && source.input.custom_unsaid);
    source = (struct rp_source_options){.model = "m.c", .input = {.custom = "c"}};
    ACCEPTED(u, read(u, &source, "{\"input\": \"/m.onnx\", \"custom\": \"/c\"}", false));
    assert_false(source.build.no_lto || source.input.custom_unsaid);
}

static void refuses_what_is_started(void **state) {
    struct unit *u = *state;
    static const char *const bad[][2] = {
        {"{\"cross_compile\": \"/x/ev-\"}", "--cross-compile '/x/ev-'"},
        {"{\"cross_compile\": \"x/ev-\"}", "--cross-compile 'x/ev-'"},
        {"{\"pass_env\": [\"PATH\"]}", "--pass-env 'PATH'"},
        {"{\"cflags\": [\"-O2\", \"-B/x\"]}", "--cflags '-B/x'"},
        {"{\"cflags\": [\"-D@/x\"]}", "--cflags '-D@/x'"},
        {"{\"cflags\": [\"-iwithprefixbefore\", \"-D\", \"-fplugin=x\"]}", "--cflags '-fplugin=x'"},
        {"{\"generator\": \"x {input}\", \"input\": \"/m.onnx\"}", "--generator 'x {input}'"},
        {"{\"generator\": \"./onnx2c\", \"input\": \"/m.onnx\"}", "--generator './onnx2c'"},
        {"{\"generator\": \"tvmc\", \"input\": \"/m.keras\"}", "--generator 'tvmc'"},
        {"{\"generator\": \"tvmc\"}", "--generator 'tvmc'"},
        {"{\"generator_options\": [\"-l\"]}", "--generator-options '-l'"},
        {"{\"generator\": \"tvmc\", \"input\": \"/m.onnx\", \"generator_options\": "
         "[\"--opt-level=3\", \"--cross-compiler\", \"x\"]}",
         "--generator-options '--cross-compiler'"},
        {"{\"generator\": \"glow\", \"input\": \"/m.onnx\", \"generator_options\": "
         "[\"-llvm-compiler=x\"]}",
         "--generator-options '-llvm-compiler=x'"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct rp_source_options source = {0};
        REFUSED(u, read(u, &source, bad[i][0], false), RP_E_UNTRUSTED, bad[i][1]);
        source = (struct rp_source_options){0};
        ACCEPTED(u, read(u, &source, bad[i][0], true));
    }
}

/* What the user gave counts, and not what the report says in its place. */
static void prefers_the_user(void **state) {
    struct unit *u = *state;
    struct rp_source_options source = {.generator = {.name = "./own"}};
    source.build.cross_compile = RP_CROSS_COMPILE;
    rp_strings_push(&u->arena, &source.input.cflags, "-B/own");
    rp_strings_push(&u->arena, &source.pass_env, "OWN");
    ACCEPTED(u, read(u, &source,
                     "{\"cross_compile\": \"/x/ev-\", \"cflags\": [\"-B/x\"], \"generator\": "
                     "\"x {input}\", \"pass_env\": [\"X\"]}",
                     false));
    assert_string_equal(source.build.cross_compile, RP_CROSS_COMPILE);
    assert_string_equal(source.generator.name, "./own");
    assert_string_equal(source.input.cflags.items[0], "-B/own");
    assert_int_equal(source.pass_env.count, 1);
    source = (struct rp_source_options){.model = "m.c"};
    ACCEPTED(u, read(u, &source, "{\"generator\": \"x {input}\", \"generator_options\": [\"y\"]}",
                     false));
    assert_null(source.generator.name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(asks_about_new_options),  UNIT(knows_inert_rows), UNIT(takes_what_is_read),
        UNIT(refuses_what_is_started), UNIT(prefers_the_user),
    };
    return RUN(tests);
}
