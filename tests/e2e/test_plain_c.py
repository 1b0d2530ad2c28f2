# SPDX-License-Identifier: Apache-2.0
"""Plain C beyond one function: headers, results, constants, models of several calls, C++."""
import json

import kit
from kit import MODELS, QEMU, each, equal, has, matches, test

CORES = ["stm32f4", "stm32n6", "stm32g0"]
PLANT = "generated using emlearn"


def verified(case, name, out="out", runs=12):
    """The image computes what the static build computes, in XIP and in COPY mode."""
    answer = json.loads(case.verify(case.dir / out / f"{name}_rel.bin", "--json").out)
    equal((answer["identical"], len(answer["runs"])), (True, runs), "answer")
    return answer


def tensors(case, name, out="out"):
    model = case.report(name, out)["model"]
    return [[(t["name"], t["dtype"], t["shape"]) for t in model[kind]] for kind in ("inputs", "outputs")]


# ---- headers ----

CALLS = {
    "class": ("plant_predict(in:int16[5], 5) -> out class:int32[1]", [("class", "int32", [1])]),
    "odds": ("plant_predict_proba(in:int16[5], 5, out odds:float[3], 3) -> 0", [("odds", "float32", [3])]),
}


@each([(call, core) for call in CALLS for core in CORES], needs=[QEMU])
def header(case, what):
    """Static functions of a header; in a folder whose name a directive could not say."""
    call, core = what
    folder = case.path('od"d \\n folder', "x").parent
    text = (MODELS / "plain_trees.h").read_text().replace('"', "").replace("<stdint.h>", '"beside.h"')
    (folder / "plant.h").write_text(text)
    (folder / "beside.h").write_text("#include <number.h>\n")
    (folder / "number.h").write_text("#include <stdint.h>\n")
    case.generate(folder / "plant.h", "--entry", CALLS[call][0], target=core)
    equal(tensors(case, "plant"), [[("in0", "int16", [5])], CALLS[call][1]], "tensors")
    verified(case, "plant")


@test
def header_that_does_not_say_enough(case):
    source = MODELS / "plain_trees.h"
    text = case.refuse(9, "RP2902", source, hint="--entry 'plant_predict(in:int16[N], N) -> out:int32[1]'")
    has(text, "plain_trees.h:", "how many features 'plant_predict' takes")
    case.refuse(9, "RP2902", source, "--entry", "plant_predict_proba",
                hint="N (at least 4) and M: --entry 'plant_predict_proba(in:int16[N], N, out:float32[M], M) -> 0'")
    has(case.refuse(9, "RP2902", source, "--entry", "plant_grow"), "there is no function 'plant_grow'")
    has(case.refuse(9, "RP2902", source, "--entry", "plant_tree_0", hint="in:int16[N]"), "how many features")
    case.refuse(4, "RP2400", source, "--entry", "plant_grow(in:int16[5]) -> out:int32[1]")
    case.refuse(4, "RP2400", source, "--entry", "plant_predict(in:int16[5]) -> out:int32[1]")
    plain = case.write("plain.h", "static int f(const float *x) { return (int)*x; }\n")
    case.refuse(9, "RP2902", plain, hint="--entry 'NAME(in:float[4], 4) -> out:int32[1]'")
    several = case.write("two.h", f"/* {PLANT} */\nint a_predict(const float *x, int n) {{ return n; }}\n"
                                  "int b_predict(const float *x, int n) { return n; }\n")
    has(case.refuse(9, "RP2902", several, hint="--entry NAME"), "no function NAME_predict, or several")
    odd = case.write("odd.h", f"/* {PLANT} */\nint a_predict(const float *x, float n) {{ return (int)n; }}\n")
    has(case.refuse(9, "RP2902", odd, hint="say the call"), "is not one of emlearn's")
    case.refuse(4, "RP2400", case.write("none.h", "#include <eml_none.h>\n"))
    second = case.write("m.json", json.dumps({"sources": [str(MODELS / "tensors.c"), str(source)]}))
    has(case.refuse(9, "RP2900", second), "plain_trees.h' is a header")


# ---- what emlearn's tables say ----

RUNTIME = """#include <stdint.h>
typedef struct { int8_t feature; int16_t value, left, right; } EmlTreesNode;
typedef struct {
    int32_t n_nodes; EmlTreesNode *nodes; int32_t n_trees; int32_t *tree_roots;
    int32_t n_leaves; uint8_t *leaves; int8_t leaf_bits, n_features, n_classes;
} EmlTrees;
typedef struct { int32_t n_outputs, n_inputs; const float *weights, *biases; int act; } EmlNetLayer;
static int32_t eml_trees_predict(const EmlTrees *m, const int16_t *x, int8_t n) {
    int32_t at = m->tree_roots[0];
    while (at >= 0)
        at = x[m->nodes[at].feature] < m->nodes[at].value ? m->nodes[at].left : m->nodes[at].right;
    return n == m->n_features ? m->leaves[-at - 1] : -1;
}
static int eml_net_regress(const EmlNetLayer *l, const float *x, int32_t n, float *out, int32_t m) {
    if (n != l->n_inputs || m != l->n_outputs)
        return 1;
    for (int i = 0; i < m; i++) {
        out[i] = l->biases[i];
        for (int k = 0; k < n; k++)
            out[i] += l->weights[k * m + i] * x[k];
    }
    return 0;
}
"""
TREES = """// !!! generated using emlearn !!!
#include <eml_trees.h>
static const EmlTreesNode oak_nodes[2] = { { 1, 5, -1, 1 }, { 6, -20, -2, -3 } };
static const int32_t oak_tree_roots[1] = { 0 };
static const uint8_t oak_leaves[3] = { 7, 0, 2 };
EmlTrees oak = {
        2, (EmlTreesNode *)(oak_nodes), 1, (int32_t *)(oak_tree_roots),
        3, (uint8_t *)(oak_leaves), 0,
        7, /* features, */
        3,
    };
int32_t oak_predict(const int16_t *features, int32_t features_length) {
        const int out = eml_trees_predict(&oak, features, features_length);
        return out;
}
"""
NET = """#include <eml_trees.h>
static const float net_layer_0_weights[6] = { 1.5f, -2, 0.25f, 3, 1, -1 };
static const float net_layer_0_biases[2] = { 0.5f, 0.125f };
static const EmlNetLayer net_layers[1] = {
{ 2, 3, net_layer_0_weights, net_layer_0_biases, 0 } };
int32_t net_regress(const float *features, int32_t n_features, float *out, int32_t out_length) {
    return eml_net_regress(net_layers, features, n_features, out, out_length);
}
float net_regress1(const float *features, int32_t n_features) {
    float both[2];
    return eml_net_regress(net_layers, features, n_features, both, 2) == 0 ? both[0] : -1;
}
"""
INLINE = """// generated using emlearn
#include <stdint.h>
static const int net_n_outputs = 1;
static const int net_layer_0_input_length = 4;
static float net_activations1[100];
int32_t net_predict(const float *in, int32_t in_length) {
    float sum = 0;
    for (int i = 0; i < in_length; i++)
        sum += net_activations1[i] = in[i];
    return sum > 0.5f;
}
"""
TABLES = {
    "trees": (TREES, [], [("features", "int16", [7])], [("out0", "int32", [1])]),
    "net": (NET, ["--entry", "net_regress"], [("features", "float32", [3])], [("out", "float32", [2])]),
    "net1": (NET, ["--entry", "net_regress1"], [("features", "float32", [3])], [("out0", "float32", [1])]),
    "inline": (INLINE, [], [("in", "float32", [4])], [("out0", "int32", [1])]),
}


@each(list(TABLES), needs=[QEMU])
def table(case, label):
    text, words, inputs, outputs = TABLES[label]
    case.write("inc/eml_trees.h", RUNTIME)
    source = case.write("model.h", text)
    case.generate(source, *words, "-I", case.dir / "inc")
    equal(tensors(case, "model"), [inputs, outputs], "tensors")
    equal(case.report("model")["model"]["dialect"], "emlearn", "dialect")
    verified(case, "model")


@test
def table_of_another_release(case):
    """Its tables would be misread, and its functions expect other numbers."""
    case.write("inc/eml_trees.h", RUNTIME)
    short = TREES.replace("3, (uint8_t *)(oak_leaves), 0,\n        7, /* features, */\n        3,\n", "")
    case.refuse(9, "RP2902", case.write("a.h", short), "-I", case.dir / "inc", hint="oak_predict(in:int16[N]")
    other = TREES.replace("const int16_t *features", "const float *features")
    has(case.refuse(4, "RP2400", case.write("b.h", other), "-I", case.dir / "inc"), "incompatible pointer")


# ---- several calls ----

def pair(case, name="pair", **changes):
    manifest = {
        "sources": [str(MODELS / "pair.c")], "init": "model_init(7) -> 3", "entry": "invoke(0) -> 0",
        "destroy": "model_reset",
        "inputs": [{"name": "x", "dtype": "float", "shape": [4], "get": "getInput"}],
        "outputs": [{"name": "y", "dtype": "float", "shape": [4], "get": "getOutput(1)"},
                    {"name": "sums", "dtype": "float", "shape": [3], "at": "sums"}],
    }
    manifest.update(changes)
    return case.write(f"{name}.json", json.dumps({k: v for k, v in manifest.items() if v is not None}))


@each(CORES, needs=[QEMU])
def several_calls(case, core):
    for words in ([], ["-r", "split", "--acts-threshold", "16"]):
        case.generate(pair(case), *words, target=core)
        equal(tensors(case, "pair")[1], [("y", "float32", [4]), ("sums", "float32", [3])], "outputs")
        verified(case, "pair")


WRONG_CALLS = {
    "init": {"init": "model_init(8) -> 3"},                       # refuses the number
    "init_result": {"init": "model_init(7) -> 4"},
    "no_init": {"init": None},                                    # getInput gives NULL
    "argument": {"entry": "invoke(1) -> 0"},
    "result": {"entry": "invoke_badly(0) -> 0"},
    "buffer": {"outputs": [{"dtype": "float", "shape": [4], "get": "getOutput(2)"}]},
}


@each(list(WRONG_CALLS), needs=[QEMU])
def call_that_fails(case, label):
    """A function's return value counts, at init and at each run."""
    case.generate(pair(case, **WRONG_CALLS[label]))
    has(case.verify(case.dir / "out/pair_rel.bin", status=8).err, "error RP2800: ", "init" if "init" in label
        and label != "no_init" else "run")


@test(needs=[QEMU])
def result_that_is_ignored(case):
    case.generate(pair(case, entry="invoke_badly(0)"))
    verified(case, "pair")


@test
def variables_that_are_no_buffers(case):
    source = case.write("m.c", "float *input;\nconst float fixed[4] = {1};\nfloat output[4];\n"
                               "void run(void) { for (int i = 0; i < 4; i++) output[i] = input[i] + fixed[i]; }\n")
    for name, said in (("input", "has 16 bytes, the variable 'input' 4"), ("fixed", "'fixed' of input 'x' is constant")):
        manifest = case.write("m.json", json.dumps({
            "sources": [str(source)], "entry": "run",
            "inputs": [{"name": "x", "dtype": "float", "shape": [4], "at": name}],
            "outputs": [{"dtype": "float", "shape": [4], "at": "output"}]}))
        has(case.refuse(9, "RP2903", manifest), said)
    missing = pair(case, destroy="model_close")
    has(case.refuse(6, "RP2600", missing), "'model_close' needed by")


TENSORS = """#include <stddef.h>
struct Tensor { union { void *raw; float *f; } data; size_t bytes; };
int trained_model_init(void *(*alloc)(size_t, size_t));
int trained_model_input(int index, Tensor *tensor);
int trained_model_output(int index, Tensor *tensor);
int trained_model_invoke();
int trained_model_reset(void (*release)(void *));
"""
COMPILED = """#include "compiled.h"
static float *arena;
int trained_model_init(void *(*alloc)(size_t, size_t)) {
    if (arena != nullptr)
        return 1;
    arena = static_cast<float *>(alloc(16, 8 * sizeof(float)));
    return arena == nullptr;
}
int trained_model_input(int index, Tensor *t) { t->data.f = arena; t->bytes = 16; return index; }
int trained_model_output(int index, Tensor *t) { t->data.f = arena + 4; t->bytes = 16; return index; }
int trained_model_invoke() {
    for (int i = 0; i < 4; i++)
        arena[4 + i] = arena[i] * 3 - arena[3 - i];
    return 0;
}
int trained_model_reset(void (*release)(void *)) { release(arena); arena = nullptr; return 0; }
"""
ADAPTER = """#include "compiled.h"
#include <stdint.h>
alignas(16) static uint8_t memory[300];
static size_t used;
static void *take(size_t align, size_t bytes) {
    size_t at = (used + align - 1) / align * align;
    if (bytes > sizeof memory - at)
        return nullptr;
    used = at + bytes;
    return memory + at;
}
static void release(void *) { used = 0; }
extern "C" int start() { return trained_model_init(take); }
extern "C" int run() { return trained_model_invoke(); }
extern "C" void stop() { trained_model_reset(release); }
extern "C" void *input(int i) { Tensor t; return trained_model_input(i, &t) == 0 ? t.data.raw : nullptr; }
extern "C" void *output(int i) { Tensor t; return trained_model_output(i, &t) == 0 ? t.data.raw : nullptr; }
"""


@test(needs=[QEMU])
def calls_through_an_adapter(case):
    """Functions of C++ that fill a struct: a few lines of the user's make them callable."""
    for name, text in (("compiled.h", TENSORS), ("compiled.cpp", COMPILED), ("adapter.cpp", ADAPTER)):
        case.write(name, text)
    manifest = case.write("eon.json", json.dumps({
        "sources": ["compiled.cpp", "adapter.cpp"], "init": "start -> 0", "entry": "run -> 0", "destroy": "stop",
        "inputs": [{"dtype": "float", "shape": [4], "get": "input(0)"}],
        "outputs": [{"dtype": "float", "shape": [4], "get": "output(0)"}]}))
    case.generate(manifest)
    verified(case, "eon")


# ---- results of plain functions ----

RETURNS = """#include <stdint.h>
int8_t best(const float in[4], float scores[4], int length, float scale) {
    int found = 0;
    for (int i = 0; i < length; i++) {
        scores[i] = in[i] * scale;
        found = scores[i] > scores[found] ? i : found;
    }
    return (int8_t)(-1 - found);
}
"""


@test(needs=[QEMU])
def results_and_numbers(case):
    source = case.write("best.c", RETURNS)
    call = "best(in:float[4], out scores:float[4], 4, 0.5f)"
    case.generate(source, "--entry", f"{call} -> out:int8[1,1]")
    equal(tensors(case, "best")[1], [("scores", "float32", [4]), ("out1", "int8", [1, 1])], "outputs")
    verified(case, "best")
    case.refuse(9, "RP2902", source, "--entry", "best", hint="-> out:int8[1]' makes it an output")
    has(case.refuse(9, "RP2908", source, "--entry", f"{call} -> out:int8[2]"), "a value is declared, not an address")
    manifest = case.write("m.json", json.dumps({
        "sources": [str(source)], "entry": "best(x, y, 4, 0.5f) -> c",
        "inputs": [{"name": "x", "dtype": "float", "shape": [4]}],
        "outputs": [{"name": "y", "dtype": "float", "shape": [4]}, {"name": "c", "dtype": "int8", "shape": [1]}]}))
    case.generate(manifest, out="m")
    verified(case, "m", "m")


RETURNED = """#include <stddef.h>
static float odds[3], one;
const float *share(const float *x) {
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += odds[i] = x[i] * x[i];
    for (int i = 0; i < 3; i++)
        odds[i] /= sum;
    return odds;
}
float *first(const float x[3]) { one = 2 * x[0]; return &one; }
float (*rows(const float x[3]))[3] { (void)share(x); return &odds; }
void *bytes(const float *x) { return (void *)share(x); }
float *nothing(const float *x) { return x[0] == x[0] ? NULL : odds; }
struct pair *pair(const float *x) { return (struct pair *)x; }
"""


@each(["share(in:float[3], out:float[3])", "share(in:float[3]) -> out:float[3]", "first(in:float[3], out:float[1])",
       "first(in:float[3]) -> out:float[1]", "rows(in:float[3]) -> out:float[3]", "bytes(in:float[3]) -> out:float[3]"], needs=[QEMU])
def address_returned(case, entry):
    """What is at an address that the entry returns is the output."""
    case.generate(case.write("share.c", RETURNED), "--entry", entry)
    verified(case, "share")


@test(needs=[QEMU])
def address_returned_elsewhere(case):
    """By a header's function, one of C++, one in an archive, and in a manifest."""
    case.generate(case.write("share.h", RETURNED), "--entry", "share(in:float[3]) -> out:float[3]", out="h")
    verified(case, "share", "h")
    case.generate(case.write("share.hpp", RETURNED + "class M { public: const float *run(const float *x) { return share(x); } };\n"),
                  "--entry", "M::run(in:float[3], out:float[3])", out="hpp")
    verified(case, "share", "hpp")
    for wrong in ("M::run(in:float[3]) -> out:double[3]", "M::run(in:float[3], out:int8[3])"):
        case.refuse(9, "RP2908", case.dir / "share.hpp", "--entry", wrong)
    manifest = case.write("m.json", json.dumps({
        "sources": ["share.c"], "entry": "share(x) -> y", "inputs": [{"name": "x", "dtype": "float", "shape": [3]}],
        "outputs": [{"name": "y", "dtype": "float", "shape": [3]}]}))
    case.write("share.c", RETURNED)
    case.generate(manifest, out="m")
    verified(case, "m", "m")


@test
def address_returned_wrongly(case):
    """The hint of a missing or wrong call works once its numbers are filled in."""
    source = case.write("share.c", RETURNED)
    has(case.refuse(9, "RP2902", source, "--entry", "share"), "returns a value")
    for arguments in (["--entry", "share"], ["--entry", "share(in:float[3], out:float[3], out more:float[1])"]):
        hint = matches(case.generate(source, *arguments, status=9).err, r"hint: [^\n]*--entry '(share\([^']*)'").group(1)
        equal(hint, "share(in x:float32[N]) -> out:float32[N]", "hint")
    case.generate(source, "--entry", hint.replace("N", "3"))
    has(case.refuse(9, "RP2908", source, "--entry", "share(in:float[3]) -> out:double[3]"), "float64 is given, float32 is declared")
    has(case.refuse(9, "RP2908", source, "--entry", "pair(in:float[3]) -> out:float[3]"), "a pointer to a struct is no tensor")
    has(case.refuse(9, "RP2908", source, "--entry", "rows(in:float[3]) -> out:float[2]"), "a multiple of 3")


# ---- C++ ----

@each([(suffix, core) for suffix in ("cpp", "cc", "cxx") for core in CORES], needs=[QEMU],
      slow=lambda what: what != ("cpp", "stm32f4"))
def virtual_functions(case, what):
    suffix, core = what
    source = case.write(f"shapes.{suffix}", (MODELS / "shapes.cpp").read_text())
    case.generate(source, target=core)
    equal(tensors(case, "shapes"), [[("in", "float32", [1, 4])], [("out", "float32", [5])]], "tensors")
    report = case.report("shapes")
    kit.check(report["relocations"]["rel_words"] > 5, "no tables of virtual functions")
    verified(case, "shapes")


ENTRY = 'extern "C" void net(const float in[2], float out[2]) { out[0] = work(in[0]); out[1] = in[1]; }\n'
REFUSED_CPLUSPLUS = {
    "constructor": (4, "RP2403", "int seed();\nstruct S { float x; S() : x(seed()) {} } s;\nint seed() { return 3; }\n"
                    "static float work(float v) { return v + s.x; }\n" + ENTRY, "constructors", None),
    "new": (6, "RP2600", "static float *kept;\nstatic float work(float v) { kept = new float[8]; kept[3] = v;"
            " return kept[2]; }\n" + ENTRY, "'_Znaj' needed by", "an image has no C++ runtime"),
    "mangled": (9, "RP2902", ENTRY.replace('extern "C" ', "static float work(float v) { return v; }\n"),
                "'net' is a C++ function", 'declare it extern "C"'),
}


@each(list(REFUSED_CPLUSPLUS))
def refused_cplusplus(case, label):
    status, error_id, text, said, hint = REFUSED_CPLUSPLUS[label]
    source = case.write("net.cpp", text)
    words = ["--entry", "net"] if label == "mangled" else []
    has(case.refuse(status, error_id, source, *words, hint=hint), said)
    if label == "mangled":
        has(case.refuse(9, "RP2902", source, "--entry", "net(in:float[2], out:float[2])",
                        hint='extern "C"'), "there is no function 'net'")
