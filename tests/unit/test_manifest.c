/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/calls/entry.h and manifest.h: the --entry text and the JSON manifest,
 * right and wrong.
 */
#include "tests/unit/unit.h"

#include "toolchain/compile/compiler.h"
#include "toolchain/dialects/c.h"
#include "toolchain/dialects/registry.h"
#include "toolchain/dialect.h"
#include "toolchain/calls/entry.h"
#include "toolchain/calls/manifest.h"
#include "toolchain/compile/series.h"

static struct rp_model model;

static bool entry(struct unit *u, const char *spec) {
    model = (struct rp_model){0};
    char *exact = unit_exact(spec, strlen(spec) + 1);
    bool ok = rp_entry_parse(&model, &u->arena, exact, &u->err);
    free(exact);
    return ok;
}

static bool load(struct unit *u, const char *json) {
    model = (struct rp_model){0};
    return rp_manifest_load(&model, &u->arena, unit_text(u, "net.json", json), &u->err);
}

static void assert_tensor(const struct rp_tensor *tensor, const char *name, const char *dtype,
                          unsigned rank, uint32_t last) {
    assert_string_equal(tensor->name, name);
    assert_string_equal(tensor->dtype->name, dtype);
    assert_int_equal(tensor->rank, rank);
    assert_int_equal(tensor->shape[rank - 1], last);
}

static void assert_arguments(const char *want) {
    char text[200] = "";
    for (size_t i = 0; i < model.entry.arguments.count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i != 0 ? " " : "",
                 model.entry.arguments.items[i]);
    assert_string_equal(text, want);
}

/* ---- --entry ---- */

static void parses_entries(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, entry(u, "net(in:float[1,28,28], out scores:int8[10], in mask : uint8 [ 4x5 ])"));
    assert_string_equal(model.entry.name, "net");
    assert_int_equal(model.inputs.count, 2);
    assert_int_equal(model.outputs.count, 1);
    assert_tensor(&model.inputs.items[0], "in0", "float32", 3, 28);
    assert_tensor(&model.outputs.items[0], "scores", "int8", 1, 10);
    assert_tensor(&model.inputs.items[1], "mask", "uint8", 2, 5);
    assert_arguments("in0 out0 in1");
}

/* Numbers among the arguments, and results of functions. */
static void parses_numbers_and_results(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, entry(u, "iris_predict(in:int16[4], 4) -> out class:int32[1]"));
    assert_arguments("in0 4");
    assert_string_equal(model.entry.result, "out0");
    assert_tensor(&model.outputs.items[0], "class", "int32", 1, 1);
    ACCEPTED(u, entry(u, "f(in:float[2],-1,0x1F,10ull,0.5f,1e-3,out p:float[3],3)->0"));
    assert_arguments("in0 -1 0x1F 10ull 0.5f 1e-3 out0 3");
    assert_string_equal(model.entry.result, "0");
    ACCEPTED(u, entry(u, "f(out p:float[3]) -> out class:int32[1,1]"));
    assert_arguments("out0");
    assert_string_equal(model.entry.result, "out1");
}

static void parses_a_name_alone(void **state) {
    struct unit *u = *state;
    static const char *const specs[] = {"run_net", " run_net", "run_net "};
    for (size_t i = 0; i < COUNT(specs); i++) {
        ACCEPTED(u, entry(u, specs[i]));
        assert_string_equal(model.entry.name, "run_net");
        assert_int_equal(model.entry.arguments.count, 0);
    }
}

static void parses_limits(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, entry(u, "f(out:float[1,2,3,4,5,6,7,4294967295])"));
    assert_tensor(&model.outputs.items[0], "out0", "float32", 8, UINT32_MAX);
    ACCEPTED(u, entry(u, "f(out:float64[1],out:bool[2],out:uint64_t[3])"));
    assert_tensor(&model.outputs.items[2], "out2", "uint64", 1, 3);
}

static void refuses_wrong_entries(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"", "name of a function"},
        {"1f", "name of a function"},
        {"(in:float[1])", "name of a function"},
        {"f(", "expected 'in' or 'out' at the end"},
        {"f()", "expected 'in' or 'out'"},
        {"f g", "expected '('"},
        {"f(inout:float[1])", "expected 'in' or 'out'"},
        {"f(in float[1])", "expected ':'"},
        {"f(in:)", "expected a type"},
        {"f(in:half[1])", "expected a type"},
        {"f(in:float)", "expected '['"},
        {"f(in:float[)", "expected a dimension"},
        {"f(in:float[])", "expected a dimension"},
        {"f(in:float[0])", "expected a dimension"},
        {"f(in:float[-1])", "expected a dimension"},
        {"f(in:float[4294967296])", "expected a dimension"},
        {"f(in:float[99999999999999999999999])", "expected a dimension"},
        {"f(in:float[1,2,3,4,5,6,7,8,9])", "8 dimensions, there is another at '9])'"},
        {"f(in:float[1,])", "expected a dimension"},
        {"f(in:float[1)", "expected ']'"},
        {"f(in:float[1],)", "expected 'in' or 'out'"},
        {"f(out:float[1]", "expected ')'"},
        {"f(out:float[1]) g", "nothing more"},
        {"f(in:float[1])", "needs an output"},
        {"f(in:float[1], 4)", "needs an output"},
        {"f(4) -> 0", "needs an output"},
        {"f -> 0", "needs an output"},
        {"f(in:float[1]) -> ", "expected 'in' or 'out'"},
        {"f(in:float[1]) -> in:float[1]", "what a function returns is an output"},
        {"f(in:float[1]) -> out:float[1], 4", "nothing more"},
        {"f(in:float[1], 1e) -> out:float[1]", "expected a number such as"},
        {"f(in:float[1], 1llll) -> out:float[1]", "expected a number such as"},
        {"f(in:float[1], 18446744073709551616) -> out:float[1]", "that 64 bits can hold"},
        {"f(in:float[1], -9223372036854775809) -> out:float[1]", "that 64 bits can hold"},
        {"f(in:float[1], 18446744073709551615, 18446744073709551616.0, 1) x", "nothing more"},
        {"f(in:float[1], 4 5) -> out:float[1]", "expected ')'"},
        {"int(out:float[1])", "name of a function"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        REFUSED(u, entry(u, cases[i][0]), RP_E_ENTRY, cases[i][1]);
        assert_null(u->err.hint); /* cleared with the error */
    }
}

static void replaces_earlier_tensors(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, entry(u, "f(in:float[1], out:float[2])"));
    ACCEPTED(u, rp_entry_parse(&model, &u->arena, "g(out:int8[3])", &u->err));
    assert_int_equal(model.inputs.count, 0);
    assert_tensor(&model.outputs.items[0], "out0", "int8", 1, 3);
    assert_arguments("out0");
}

/* ---- the manifest ---- */

static const char full[] =
    "{\"name\": \"digits\", \"entry\": \"run\", \"sources\": [\"a.c\", \"/abs/b.c\"],\n"
    " \"include_dirs\": [\"inc\"], \"defines\": [\"X=1\"], \"libraries\": [\"lib/l.a\"],\n"
    " \"outputs\": [{\"name\": \"y\", \"dtype\": \"int8\", \"shape\": [10], \"scale\": 0.5,\n"
    "               \"zero_point\": -128}],\n"
    " \"inputs\": [{\"name\": \"x\", \"dtype\": \"float\", \"shape\": [1, 8, 8]},\n"
    "             {\"dtype\": \"uint8\", \"shape\": [3]}]}\n";

static void loads_everything(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, load(u, full));
    assert_string_equal(model.name, "digits");
    assert_string_equal(model.entry.name, "run");
    assert_string_equal(model.code.sources.items[0], unit_path(u, "a.c"));
    assert_string_equal(model.code.sources.items[1], "/abs/b.c");
    assert_string_equal(model.code.include_dirs.items[0], unit_path(u, "inc"));
    assert_string_equal(model.code.libraries.items[0], unit_path(u, "lib/l.a"));
    assert_string_equal(model.code.defines.items[0], "X=1");
    assert_string_equal(model.code.used_files.items[0], unit_path(u, "net.json"));
    assert_tensor(&model.inputs.items[0], "x", "float32", 3, 8);
    assert_tensor(&model.inputs.items[1], "in1", "uint8", 1, 3);
    const struct rp_tensor *y = &model.outputs.items[0];
    assert_tensor(y, "y", "int8", 1, 10);
    assert_true(y->quantised && y->scale == 0.5);
    assert_int_equal(y->zero_point, -128);
    assert_false(model.inputs.items[0].quantised);
    assert_arguments("in0 in1 out0"); /* whatever the order in the file */
}

static void needs_only_sources(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, load(u, "{\"sources\": [\"a.c\"]}"));
    CONTAINS(model.name, "net");
    assert_null(strstr(model.name, ".json"));
    assert_null(model.entry.name);
    assert_arguments("");
}

static char *with(struct unit *u, const char *members) {
    return rp_format(&u->arena,
                     "{\"sources\":[\"a.c\"],\"entry\":\"f\","
                     "\"inputs\":[{\"name\":\"a\",\"dtype\":\"int8\",\"shape\":[1]},"
                     "{\"name\":\"b\",\"dtype\":\"int8\",\"shape\":[1]}],"
                     "\"outputs\":[{\"name\":\"c\",\"dtype\":\"int8\",\"shape\":[1]}]%s}",
                     members);
}

static void orders_arguments(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, load(u, with(u, ",\"arguments\":[\"c\",\"b\",\"a\"]")));
    assert_arguments("out0 in1 in0");
}

/* Each tensor has to be there once: any other list would call the model wrongly. */
static void refuses_wrong_arguments(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"\"abc\"", "'arguments' has to be"},
        {"{}", "'arguments' has to be"},
        {"1", "'arguments' has to be"},
        {"null", "'arguments' has to be"},
        {"[]", "tensor 'a' has to be handed over once"},
        {"[\"a\",\"b\"]", "tensor 'c' has to be handed over once"},
        {"[\"a\",\"b\",\"c\",\"a\"]", "tensor 'a' has to be handed over once"},
        {"[\"a\",\"a\",\"c\"]", "tensor 'a' has to be handed over once"},
        {"[\"a\",\"b\",\"d\"]", "'arguments' has to be"},
        {"[\"a\",\"b\",3]", "'arguments' has to be"},
        {"{\"a\":\"a\",\"b\":\"b\",\"c\":\"c\"}", "'arguments' has to be"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, load(u, with(u, rp_format(&u->arena, ",\"arguments\":%s", cases[i][0]))),
                RP_E_MANIFEST, cases[i][1]);
}

/* ---- calls in a manifest ---- */

static char *calling(struct unit *u, const char *entry, const char *x, const char *y) {
    return rp_format(&u->arena,
                     "{\"entry\":\"%s\",\"sources\":[\"a.c\"],"
                     "\"inputs\":[{\"name\":\"x\",\"dtype\":\"int8\",\"shape\":[4]%s}],"
                     "\"outputs\":[{\"name\":\"y\",\"dtype\":\"int8\",\"shape\":[1]%s}]}",
                     entry, x, y);
}

static void reads_calls(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, load(u, calling(u, "f(x, 4, -1, 0.5f) -> y", "", "")));
    assert_string_equal(model.entry.name, "f");
    assert_arguments("in0 4 -1 0.5f");
    assert_string_equal(model.entry.result, "out0");
    ACCEPTED(u, load(u, calling(u, "f(y, x) -> 0x10u", "", "")));
    assert_arguments("out0 in0");
    assert_string_equal(model.entry.result, "0x10u");
    ACCEPTED(u, load(u, calling(u, "f -> y", "", ""))); /* the rest in the usual order */
    assert_arguments("in0");
    ACCEPTED(u, load(u, calling(u, "f", ", \"get\": \"input(0)\"", ", \"at\": \"result\"")));
    assert_arguments("");
    assert_null(model.entry.result);
    assert_string_equal(model.inputs.items[0].get.name, "input");
    assert_string_equal(model.inputs.items[0].get.arguments.items[0], "0");
    assert_string_equal(model.outputs.items[0].at, "result");
    ACCEPTED(u, load(u, "{\"sources\":[\"a.c\"],\"init\":\"up(0) -> 1\",\"destroy\":\"down()\"}"));
    assert_string_equal(model.entry.init.name, "up");
    assert_string_equal(model.entry.init.result, "1");
    assert_string_equal(model.entry.destroy.name, "down");
}

static void refuses_wrong_calls(void **state) {
    struct unit *u = *state;
    static const char *const cases[][4] = {
        {"f(x, 4)", "", "", "tensor 'y' has to be handed over once"},
        {"f(x, y) -> y", "", "", "tensor 'y' has to be handed over once"},
        {"f(x, x) -> y", "", "", "tensor 'x' has to be handed over once"},
        {"f(x) -> y", ", \"at\": \"b\"", "", "tensor 'x' has to be handed over once"},
        {"f -> y", ", \"at\": \"b\", \"get\": \"g\"", "", "tensor 'x' has to be"},
        {"f(y) -> x", "", "", "what a function returns is an output"},
        {"f(z) -> y", "", "", "or the name of a tensor at 'z) -> y'"},
        {"f(x,) -> y", "", "", "or the name of a tensor"},
        {"f(x) y", "", "", "nothing more"},
        {"f(x) - > y", "", "", "nothing more"},
        {"f(x, 4abc) -> y", "", "", "expected a number such as"},
        {"f(x, 4.5fff) -> y", "", "", "expected a number such as"},
        {"f(x, 08) -> y", "", "", "expected a number such as"},
        {"f(x, --1) -> y", "", "", "expected a number or the name"},
        {"f(x, sizeof(int)) -> y", "", "", "expected a number or the name"},
        {"f", ", \"get\": \"g -> 0\"", "", "a call without '->'"},
        {"f", ", \"get\": 4", "", "a function or a call of one"},
        {"f", ", \"at\": \"a[3]\"", "", "a C identifier"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, load(u, calling(u, cases[i][0], cases[i][1], cases[i][2])), RP_E_MANIFEST,
                cases[i][3]);
    REFUSED(u,
            load(u, with(u, ",\"arguments\":[\"a\",\"b\",\"c\"]"
                            ",\"init\":\"g\",\"destroy\":\"int\"")),
            RP_E_MANIFEST, "expected the name of a function");
}

static void refuses_wrong_members(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"", "not valid JSON"},
        {"[]", "not a JSON object"},
        {"\"x\"", "not a JSON object"},
        {"{}", "'sources' is missing"},
        {"{\"sources\":[]}", "'sources' is missing"},
        {"{\"sources\":\"a.c\"}", "an array of strings"},
        {"{\"sources\":[1]}", "an array of strings"},
        {"{\"sources\":[\"\"]}", "an array of strings"},
        {"{\"sources\":[\"a.c\"],\"source\":[]}", "'source' is not known"},
        {"{\"sources\":[\"a.c\"],\"Name\":\"x\"}", "'Name' is not known"},
        {"{\"sources\":[\"a.c\"],\"name\":\"a-b\"}", "a C identifier"},
        {"{\"sources\":[\"a.c\"],\"name\":\"\"}", "a C identifier"},
        {"{\"sources\":[\"a.c\"],\"name\":3}", "a C identifier"},
        {"{\"sources\":[\"a.c\"],\"entry\":\"int\"}", "the name of a function"},
        {"{\"sources\":[\"a.c\"],\"entry\":\"f();\"}", "nothing more was expected at ';'"},
        {"{\"sources\":[\"a.c\"],\"entry\":\"f(4)\"}", "'outputs' is missing"},
        {"{\"sources\":[\"a.c\"],\"entry\":\"f -> 0\"}", "'outputs' is missing"},
        {"{\"sources\":[\"a.c\"],\"entry\":4}", "a function or a call of one"},
        {"{\"sources\":[\"a.c\"],\"init\":\"f(x)\"}", "expected a number at 'x)'"},
        {"{\"sources\":[\"a.c\"],\"init\":\"f(4\"}", "expected ')'"},
        {"{\"sources\":[\"a.c\"],\"init\":\"\"}", "the name of a function"},
        {"{\"sources\":[\"a.c\"],\"init\":\"f -> \"}", "expected a number"},
        {"{\"sources\":[\"a.c\"],\"destroy\":\"f -> 0\"}", "a call without '->'"},
        {"{\"sources\":[\"a.c\"],\"defines\":[true]}", "an array of strings"},
        {"{\"sources\":[\"a.c\"],\"inputs\":{}}", "an array of tensors"},
        {"{\"sources\":[\"a.c\"],\"inputs\":[[]]}", "an array of tensors"},
        {"{\"sources\":[\"a.c\"],\"inputs\":[{}]}", "needs dtype and shape"},
        {"{\"sources\":[\"a.c\"],\"inputs\":[{\"dtype\":\"int8\",\"shape\":[1]}],\"entry\":\"f\"}",
         "'outputs' is missing"},
        {"{\"sources\":[\"a.c\"],\"outputs\":[{\"dtype\":\"int8\",\"shape\":[1]}]}",
         "'entry' is missing"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, load(u, cases[i][0]), RP_E_MANIFEST, cases[i][1]);
    REFUSED(u, rp_manifest_load(&model, &u->arena, unit_path(u, "none.json"), &u->err), RP_E_INPUT,
            "none.json");
}

static void refuses_wrong_tensors(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"\"dtype\":\"half\",\"shape\":[1]", "'dtype'"},
        {"\"dtype\":8,\"shape\":[1]", "'dtype'"},
        {"\"dtype\":\"int8\",\"shape\":[]", "'shape' has to be"},
        {"\"dtype\":\"int8\",\"shape\":[0]", "'shape' has to be"},
        {"\"dtype\":\"int8\",\"shape\":[-1]", "'shape' has to be"},
        {"\"dtype\":\"int8\",\"shape\":[1.5]", "'shape' has to be"},
        {"\"dtype\":\"int8\",\"shape\":[4294967296]", "'shape' has to be"},
        {"\"dtype\":\"int8\",\"shape\":[\"1\"]", "'shape' has to be"},
        {"\"dtype\":\"int8\",\"shape\":[1,1,1,1,1,1,1,1,1]", "'shape' has to be"},
        {"\"dtype\":\"int8\",\"shape\":1", "'shape'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"name\":1", "'name'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":\"1\"", "'scale'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":0", "'scale'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":-1", "'scale'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":1e999", "'1e999'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":1e39", "'scale'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":1,\"zero_point\":0.5", "'zero_point'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":1,\"zero_point\":128", "does not fit"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"scale\":1,\"zero_point\":-129", "does not fit"},
        {"\"dtype\":\"uint8\",\"shape\":[1],\"scale\":1,\"zero_point\":-1", "does not fit"},
        {"\"dtype\":\"uint8\",\"shape\":[1],\"scale\":1,\"zero_point\":256", "does not fit"},
        {"\"dtype\":\"int32\",\"shape\":[1],\"zero_point\":4294967296", "'zero_point'"},
        {"\"dtype\":\"int8\",\"shape\":[1],\"extra\":1", "'extra'"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u,
                load(u, rp_format(&u->arena,
                                  "{\"sources\":[\"a.c\"],\"entry\":\"f\",\"outputs\":[{%s}]}",
                                  cases[i][0])),
                RP_E_MANIFEST, cases[i][1]);
}

/* ---- recognition ---- */

static const struct rp_dialect *dialect_of(struct unit *u, struct rp_input *input) {
    input->target = rp_target_at(0);
    input->compiler = &rp_gcc;
    return rp_dialect_load(&model, &u->arena, input, &u->err) ? model.dialect : NULL;
}

static void recognises_plain_c(void **state) {
    struct unit *u = *state;
    unit_text(u, "my-net.c", "void entry(const float a[1], float b[1]) {}\n");
    struct rp_input input = {.path = unit_path(u, "my-net.c")};
    assert_ptr_equal(dialect_of(u, &input), &rp_dialect_c);
    assert_string_equal(model.name, "my-net");
    assert_string_equal(model.c_name, "my_net");
    assert_string_equal(model.dialect->name, "c");
    assert_int_equal(model.weights.policy, RP_WEIGHTS_BY_SIZE);
    input.name = "given";
    assert_ptr_equal(dialect_of(u, &input), &rp_dialect_c);
    assert_string_equal(model.name, "given");
    input.path = u->dir; /* the only C file in the folder */
    input.name = NULL;
    assert_ptr_equal(dialect_of(u, &input), &rp_dialect_c);
    assert_string_equal(model.code.sources.items[0], unit_path(u, "my-net.c"));
}

static void refuses_what_it_does_not_recognise(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *name, *text;
        enum rp_error_id id;
        const char *part;
    } cases[] = {{"a.c", "int tvmgen_x;", RP_E_ENTRY, "tvmgen_<model>_run"},
                 {"b.c", "int tvmgen_default;", RP_E_ENTRY, "tvmgen_<model>_run"},
                 {"d.txt", "hello", RP_E_DIALECT, "not recognised"},
                 {"e.c", "", RP_E_INPUT, "empty"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_input input = {.path = unit_text(u, cases[i].name, cases[i].text)};
        REFUSED(u, dialect_of(u, &input) != NULL, cases[i].id, cases[i].part);
    }
    struct rp_input input = {.path = unit_write(u, "f.c", "int a;\0b", 8)};
    REFUSED(u, dialect_of(u, &input) != NULL, RP_E_INPUT, "0 byte");
    input.path = unit_path(u, "none.c");
    REFUSED(u, dialect_of(u, &input) != NULL, RP_E_INPUT, "none.c");
    input.dialect = "pytorch";
    REFUSED(u, dialect_of(u, &input) != NULL, RP_E_USAGE, "there are: ll-aton stai st-ai");
    input = (struct rp_input){.path = u->dir};
    REFUSED(u, dialect_of(u, &input) != NULL, RP_E_INPUT,
            "more than one generated C file: a.c b.c");
    unit_text(u, "n.c", "int LL_ATON_EpochBlockItems_x;"); /* a Neural-ART network among others */
    REFUSED(u, dialect_of(u, &input) != NULL, RP_E_ATON, "n.c");
    input = (struct rp_input){.path = unit_text(u, "m.json", "{\"sources\":[\"gone.c\"]}")};
    REFUSED(u, dialect_of(u, &input) != NULL, RP_E_INPUT, "gone.c': no such file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(parses_entries),        UNIT(parses_numbers_and_results),
        UNIT(parses_a_name_alone),   UNIT(parses_limits),
        UNIT(refuses_wrong_entries), UNIT(replaces_earlier_tensors),
        UNIT(loads_everything),      UNIT(needs_only_sources),
        UNIT(orders_arguments),      UNIT(refuses_wrong_arguments),
        UNIT(reads_calls),           UNIT(refuses_wrong_calls),
        UNIT(refuses_wrong_members), UNIT(refuses_wrong_tensors),
        UNIT(recognises_plain_c),    UNIT(refuses_what_it_does_not_recognise),
    };
    return RUN(tests);
}
