/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/batch/matrix and words: expansion, exclude, include, options, what is refused.
 */
#include "tests/unit/unit.h"

#include "cli/batch/matrix.h"

static struct rp_matrix got;

static bool read_matrix(struct unit *unit, const char *text) {
    const struct rp_matrix_text from = {text, strlen(text), "m.json", "/in", "/out"};
    return rp_matrix_read(&got, &unit->arena, &from, &unit->err);
}

/* The names of all cells, separated by blanks. */
static const char *names(struct unit *unit) {
    const char *text = "";
    for (size_t i = 0; i < got.count; i++)
        text = rp_format(&unit->arena, "%s%s%s", text, i != 0 ? " " : "", got.items[i].name);
    return text;
}

/* The words of a cell, separated by blanks. */
static const char *words(struct unit *unit, const char *name) {
    const char *text = NULL;
    for (size_t i = 0; i < got.count; i++)
        for (size_t k = 0; strcmp(got.items[i].name, name) == 0 && k < got.items[i].words.count;
             k++)
            text = rp_format(&unit->arena, "%s%s%s", text != NULL ? text : "", k != 0 ? " " : "",
                             got.items[i].words.items[k]);
    return text != NULL ? text : "no such cell";
}

#define MODELS  "\"models\": [\"a.c\", {\"name\": \"b\", \"input\": \"/abs/b.c\"}]"
#define TARGETS "\"targets\": [\"stm32f4\", {\"name\": \"m7\", \"mcu\": \"cortex-m7\"}]"
#define AXES    MODELS ", " TARGETS

static void expands_axes(void **state) {
    struct unit *unit = *state;
    ACCEPTED(unit, read_matrix(unit, "{" AXES "}"));
    assert_string_equal(names(unit), "a/stm32f4 a/m7 b/stm32f4 b/m7");
    assert_string_equal(words(unit, "a/stm32f4"), "--name=a --input=/in/a.c --target=stm32f4");
    assert_string_equal(words(unit, "b/m7"), "--name=b --input=/abs/b.c --mcu=cortex-m7");
    assert_null(got.items[0].variant);
    ACCEPTED(unit, read_matrix(unit, "{" AXES ", \"variants\": [\"x\", {\"name\": \"y\"}]}"));
    assert_string_equal(names(unit), "a/stm32f4/x a/stm32f4/y a/m7/x a/m7/y b/stm32f4/x "
                                     "b/stm32f4/y b/m7/x b/m7/y");
}

static void joins_levels(void **state) {
    struct unit *unit = *state;
    ACCEPTED(unit,
             read_matrix(
                 unit,
                 "{\"define\": \"TOP\", \"heap\": \"4K\", \"entry\": \"f\", \"math\": \"own\", "
                 "\"compact\": true, \"no-c-files\": true,"
                 "\"models\": [{\"name\": \"a\", \"input\": \"a.c\", \"define\": [\"M=1\", \"N\"],"
                 "\"weights-threshold\": 16}], \"targets\": [{\"name\": \"t\", \"target\": "
                 "\"stm32f4\", \"acts-threshold\": \"4K\", \"math\": \"libc\"}],"
                 "\"variants\": [{\"name\": \"v\", \"compact\": false, \"heap\": false, \"entry\": "
                 "false, \"define\": \"V\", "
                 "\"cflags\": [\"-O1\", \"-g0\"], \"verbose\": 2, \"depfile\": \"x.d\"}]}"));
    assert_string_equal(
        words(unit, "a/t/v"),
        "--name=a --input=/in/a.c --target=stm32f4 --define=TOP --define=M=1 --define=N "
        "--define=V --cflags=-O1 --cflags=-g0 --math=libc --weights-threshold=16 "
        "--acts-threshold=4K --verbose=2 --no-c-files "
        "--depfile=/out/a/t/v/x.d");
}

static void resolves_paths(void **state) {
    struct unit *unit = *state;
    ACCEPTED(unit, read_matrix(
                       unit, "{" TARGETS ", \"models\": [{\"name\": \"a\", \"input\": \"d/a.c\","
                             "\"include\": [\"inc\", \"/x\"], \"custom\": true, \"device\": "
                             "\"stm32f4\", \"json\": \"r.json\", \"budget-file\": \"b.json\"}]}"));
    assert_string_equal(words(unit, "a/m7"),
                        "--name=a --input=/in/d/a.c --mcu=cortex-m7 --include=/in/inc --include=/x "
                        "--custom=/in/custom.json --device=stm32f4 "
                        "--budget-file=/in/b.json --json=/out/a/m7/r.json");
}

static void excludes(void **state) {
    struct unit *unit = *state;
    ACCEPTED(unit, read_matrix(unit, "{" AXES ", \"exclude\": [{\"model\": \"a\", \"target\": "
                                     "\"m7\"}, {\"model\": \"b\", \"target\": \"stm32f4\"}]}"));
    assert_string_equal(names(unit), "a/stm32f4 b/m7");
    ACCEPTED(unit, read_matrix(unit, "{" AXES ", \"exclude\": [{\"model\": \"b\"}]}"));
    assert_string_equal(names(unit), "a/stm32f4 a/m7");
    REFUSED(unit, read_matrix(unit, "{" AXES ", \"exclude\": [{\"model\": \"bb\"}]}"),
            RP_E_MANIFEST, "exclude[0]: there is no model 'bb'");
    REFUSED(unit, read_matrix(unit, "{" AXES ", \"exclude\": [{\"modul\": \"b\"}]}"), RP_E_MANIFEST,
            "'modul' is not known");
    REFUSED(unit, read_matrix(unit, "{" AXES ", \"exclude\": [{}]}"), RP_E_MANIFEST,
            "exclude everything");
    REFUSED(unit,
            read_matrix(unit, "{" AXES ", \"exclude\": [{\"model\": \"a\"}, {\"model\": \"b\"}]}"),
            RP_E_MANIFEST, "there is no cell");
}

static void includes(void **state) {
    struct unit *unit = *state;
    /* options for what matches, which may be all */
    ACCEPTED(unit, read_matrix(unit, "{" AXES ", \"include\": [{\"target\": \"m7\", \"define\": "
                                     "\"X\"}, {\"define\": \"ALL\"}]}"));
    assert_string_equal(words(unit, "b/m7"),
                        "--name=b --input=/abs/b.c --mcu=cortex-m7 --define=X --define=ALL");
    assert_string_equal(words(unit, "b/stm32f4"),
                        "--name=b --target=stm32f4 --input=/abs/b.c --define=ALL");
    /* cells that are new: of known names, of one that exclude removed, of unknown ones */
    ACCEPTED(unit,
             read_matrix(unit, "{" AXES ", \"exclude\": [{\"model\": \"a\"}], \"include\": ["
                               "{\"model\": \"a\", \"target\": \"m7\", \"define\": \"X\"},"
                               "{\"model\": \"b\", \"target\": \"stm32u5\", \"variant\": \"v\"},"
                               "{\"model\": \"c\", \"target\": \"m7\", \"input\": \"c.c\"}]}"));
    assert_string_equal(names(unit), "b/stm32f4 b/m7 a/m7 b/stm32u5/v c/m7");
    assert_string_equal(words(unit, "a/m7"), "--name=a --input=/in/a.c --mcu=cortex-m7 --define=X");
    assert_string_equal(words(unit, "b/stm32u5/v"), "--name=b --target=stm32u5 --input=/abs/b.c");
    assert_string_equal(words(unit, "c/m7"), "--name=c --input=/in/c.c --mcu=cortex-m7");
    REFUSED(unit, read_matrix(unit, "{" AXES ", \"include\": [{\"model\": \"c\"}]}"), RP_E_MANIFEST,
            "include[0]: it matches no cell");
    REFUSED(unit,
            read_matrix(unit, "{" AXES ", \"include\": [{\"model\": \"c\", \"target\": \"m7\"}]}"),
            RP_E_MANIFEST, "there is no model 'c'");
    REFUSED(unit,
            read_matrix(unit, "{" AXES ", \"include\": [{\"model\": \"a\", \"target\": \"t\"},"
                              "{\"model\": \"a\", \"target\": \"t\", \"define\": \"X\"}]}"),
            RP_E_MANIFEST, "include[1]: two cells have the folder 'a/t'");
}

static void refuses_odd_names(void **state) {
    struct unit *unit = *state;
    static const char *const bad[] = {"",    ".",      "..",   "a/b", "a b",   "-a",
                                      ".a",  "a\\\"b", "$(a)", "a'b", "a\\nb", "\xC3\xA4",
                                      "a:b", "a%b",    "a#b",  "a;b"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const char *text =
            rp_format(&unit->arena, "{" MODELS ", \"targets\": [{\"name\": \"%s\"}]}", bad[i]);
        REFUSED(unit, read_matrix(unit, text), RP_E_MANIFEST, "cannot be the name of a folder");
    }
    ACCEPTED(unit, read_matrix(unit, "{" TARGETS ", \"models\": [\"x y/a-1.b+_c.c\"]}"));
    assert_string_equal(names(unit), "a-1.b+_c/stm32f4 a-1.b+_c/m7");
    ACCEPTED(unit, read_matrix(unit, "{" TARGETS ", \"models\": [\"x/st_ai_output//\"]}"));
    assert_string_equal(names(unit), "st_ai_output/stm32f4 st_ai_output/m7");
    REFUSED(unit, read_matrix(unit, "{" TARGETS ", \"models\": [\"a.c\", \"b/a.c\"]}"),
            RP_E_MANIFEST, "two of the models are called 'a'");
}

static void refuses_mistakes(void **state) {
    struct unit *unit = *state;
    static const struct {
        const char *text, *said, *hint;
    } bad[] = {
        {"[]", "not a JSON object", ""},
        {"{}", "there is no cell", "needs"},
        {"{" MODELS "}", "there is no cell", ""},
        {"{" AXES ", \"varients\": []}", "m.json: the member 'varients' is not known", "variants"},
        {"{" AXES ", \"defines\": \"X\"}", "the member 'defines' is not known", "define?"},
        {"{" AXES ", \"models\": []}", "'models' occurs twice", ""},
        {"{" AXES ", \"input\": \"x.c\"}", "'input' cannot stand here", ""},
        {"{" TARGETS ", \"models\": [{\"name\": \"n\"}]}", "cell 'n/stm32f4' has no input",
         "input"},
        {"{" AXES ", \"mcu\": \"x\"}", "'mcu' cannot stand here", "targets"},
        {"{" AXES ", \"output\": \"x\"}", "'output' is nothing for a matrix", ""},
        {"{" AXES ", \"stamp\": \"x\"}", "'stamp' is nothing for a matrix", ""},
        {"{" AXES ", \"json\": \"-\"}", "standard output", ""},
        {"{" AXES ", \"compact\": 1}", "'compact' is not true or false", ""},
        {"{" AXES ", \"compact\": null}", "'compact' is not true or false", ""},
        {"{" AXES ", \"math\": [\"own\"]}", "'math' is not a text", ""},
        {"{" AXES ", \"math\": true}", "'math' is not a text", ""},
        {"{" AXES ", \"weights-threshold\": -1}", "'weights-threshold' is not a whole", ""},
        {"{" AXES ", \"weights-threshold\": 1.5}", "'weights-threshold' is not a whole", ""},
        {"{" AXES ", \"define\": {}}", "'define' is not a text or an array", ""},
        {"{" AXES ", \"define\": [[]]}", "'define' is not a text or an array", ""},
        {"{" AXES ", \"relocatable\": \"custom=x\"}", "custom file", "the member"},
        {"{" AXES ", \"budgets\": \"flash=1\"}", "budgets is not an array", ""},
        {"{" AXES ", \"budgets\": []}", "budgets is not an array of texts, or empty", ""},
        {"{" AXES ", \"include\": {}}", "include is not an array", ""},
        {"{" AXES ", \"include\": [1]}", "include[0] is not an object", ""},
        {"{" AXES ", \"include\": [{\"model\": 1}]}", "model is not a text", ""},
        {"{" MODELS ", \"targets\": \"stm32f4\"}", "targets is not an array", ""},
        {"{" MODELS ", \"targets\": [1]}", "targets[0] is neither", ""},
        {"{" MODELS ", \"targets\": [{}]}", "targets[0] has no name", ""},
        {"{" TARGETS ", \"models\": [{\"name\": \"a\", \"target\": \"x\"}]}",
         "model 'a': 'target' cannot stand here", ""},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct rp_error err = {0};
        const struct rp_matrix_text from = {bad[i].text, strlen(bad[i].text), "m.json", "/in",
                                            "/out"};
        assert_false(rp_matrix_read(&got, &unit->arena, &from, &err));
        assert_int_equal(err.id, RP_E_MANIFEST);
        CONTAINS(err.message, bad[i].said);
        CONTAINS(err.hint != NULL ? err.hint : "", bad[i].hint);
    }
    /* every beginning of a text that is right */
    static const char right[] = "{" AXES ", \"include\": [{\"define\": \"X\"}]}";
    for (size_t len = 0; len + 1 < sizeof right - 1; len++) {
        char *cut = unit_exact(right, len + 1);
        cut[len] = '\0';
        const struct rp_matrix_text from = {cut, len, "m.json", "/in", "/out"};
        assert_false(rp_matrix_read(&got, &unit->arena, &from, NULL));
        free(cut);
    }
}

static void matches_patterns(void **state) {
    struct unit *unit = *state;
    const struct rp_cell cell = {.model = "kws", .target = "stm32f4", .variant = "split"};
    const struct rp_cell plain = {.model = "kws", .target = "stm32f4"};
    static const char *const fits[] = {"kws", "*", "kws/stm32f4", "k?s/*", "*/*/s*"};
    static const char *const fails[] = {"",          "kw",      "/stm32f4", "*/m7",
                                        "*/*/plain", "*/*/*/*", "kws/"};
    for (size_t i = 0; i < COUNT(fits); i++)
        assert_true(rp_cell_matches(&cell, &unit->arena, fits[i]));
    for (size_t i = 0; i < COUNT(fails); i++)
        assert_false(rp_cell_matches(&cell, &unit->arena, fails[i]));
    assert_true(rp_cell_matches(&plain, &unit->arena, "*/*"));
    assert_false(rp_cell_matches(&plain, &unit->arena, "*/*/*"));
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(expands_axes),     UNIT(joins_levels),
                                       UNIT(resolves_paths),   UNIT(excludes),
                                       UNIT(includes),         UNIT(refuses_odd_names),
                                       UNIT(refuses_mistakes), UNIT(matches_patterns)};
    return RUN(tests);
}
