# SPDX-License-Identifier: Apache-2.0
"""Models as people write them: forms of definitions, names and calls that generators do not use. verify shares the entry
glue with the image, so that results are compared with numbers computed here."""
import json
import struct

from kit import QEMU, compile_object, each, equal, has, test

KINDS = {"f": "<f4", "b": "|i1", "B": "|u1", "i": "<i4", "d": "<f8"}


def npy(numbers, kind="f"):
    header = repr({"descr": KINDS[kind], "fortran_order": False, "shape": (len(numbers),)}).encode() + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(numbers)}{kind}", *numbers)


def computes(case, name, inputs, outputs, out="out"):
    """The image gives these outputs for these inputs; a tensor is its numbers, or those and their kind."""
    for role, tensors in (("input", inputs), ("output", outputs)):
        for i, tensor in enumerate(tensors):
            case.write(f"set/{role}_{i}.npy", npy(*tensor) if isinstance(tensor, tuple) else npy(tensor))
    has(case.verify(case.dir / out / f"{name}_rel.bin", "--reference", case.dir / "set").out, "1 of 1 data set equal")


# ---- definitions in the style of K&R ----

SCALED = "void scaled(by, x, y) float by; const float *x; float y[2]; { y[0] = x[0] * by; y[1] = x[1] + by; }\n"


@each(["m4", "m0"], needs=[QEMU])
def old_style(case, core):
    """Without a prototype, callers pass a float as double."""
    source = case.write("model.c", SCALED)
    target = {"m4": "stm32f4", "m0": "stm32g0"}[core]
    call = "scaled({}, in:float[2], out:float[2])"
    has(case.refuse(9, "RP2908", source, "--entry", call.format("0.5f")), "model.c:1", "promoted float", "write 0.5")
    case.generate(source, "--entry", call.format("0.5"), target=target)
    computes(case, "model", [[4, 6]], [[2, 6.5]])
    case.write("model.c", "void scaled(float, const float *, float *);\n" + SCALED)
    has(case.refuse(9, "RP2908", source, "--entry", call.format("0.5")), "write 0.5f")
    case.generate(source, "--entry", call.format("0.5f"), target=target)
    computes(case, "model", [[4, 6]], [[2, 6.5]])


@test(needs=[QEMU])
def old_style_in_an_object(case):
    """There, debug information alone says it."""
    source = case.write("model.c", "static const int unused = 1;\n")
    scaled = compile_object(case, case.write("scaled.c", SCALED), case.dir / "scaled.o", more=["-g"])
    words = ["--runtime-lib", scaled, "--entry"]
    has(case.refuse(9, "RP2908", source, *words, "scaled(0.5f, in:float[2], out:float[2])"), "scaled.c:1", "write 0.5")
    case.generate(source, *words, "scaled(0.5, in:float[2], out:float[2])")
    computes(case, "model", [[4, 6]], [[2, 6.5]])


@test(needs=[QEMU])
def old_style_without_entry(case):
    """The declarations behind the head are those of the parameters, and what follows is read as ever."""
    source = case.write("model.c", "enum { N = 3 };\nint sum(a, b) { return a + b; }\n"
                                   "void model(x, y) const float x[N]; float y[2];\n{\n"
                                   "    for (int i = 0; i < 2; i++)\n        y[i] = x[i + 1] + sum(i, 1);\n}\n"
                                   "int last(const float x[2]) { return x[0] > 0; }\n")
    case.generate(source)
    computes(case, "model", [[1, 2, 3]], [[3, 5]])


# ---- labels of the assembler ----

SUM, DIFFERENCE = "{ y[0] = x[0] + x[1]; }\n", "{ y[0] = x[0] - x[1]; }\n"
HEAD = "void %s(const float x[2], float y[1])"
LABELS = {
    "label": (HEAD % "m" + ' __asm__("x1");\n', "m"),
    "parts": (HEAD % "m" + ' __asm__("x" "1");\n', "m"),
    "pragma": ("#pragma redefine_extname m x1\n" + HEAD % "m" + ";\n", "m"),
    "linked": (HEAD % "m" + ' __asm__("x1");\n', "x1"),
}


@each(list(LABELS), needs=[QEMU])
def label(case, what):
    """The declaration's own label decides, although another function has the name for the linker that it hides."""
    before, name = LABELS[what]
    other = HEAD % "other" + ' __asm__("m");\n' + HEAD % "other" + DIFFERENCE
    source = case.write("model.c", before + other + HEAD % "m" + SUM)
    for entry in (name, name + "(in:float[2], out:float[1])"):
        case.generate(source, "--entry", entry)
        computes(case, "model", [[5, 3]], [[8]])


@test(needs=[QEMU])
def labels_of_a_manifest(case):
    """Of functions and variables alike; others have the names."""
    case.write("model.c", """float cells[2] __asm__("store"), one __asm__("result");
float lent __asm__("cells") = 5, spare __asm__("one");
void go(void) __asm__("step");
void go(void) { one += cells[0] - cells[1]; }
void other(void) __asm__("go");
void other(void) { one = lent + spare; }
int start(void) __asm__("begin");
int start(void) { one = 100; return 0; }
void wrong(void) __asm__("start");
void wrong(void) { one = 7; }
""")
    tensors = {"inputs": [{"dtype": "float", "shape": [2], "at": "cells"}], "outputs": [{"dtype": "float", "shape": [1], "at": "one"}]}
    case.generate(case.write("model.json", json.dumps({"sources": ["model.c"], "init": "start -> 0", "entry": "go", **tensors})))
    computes(case, "model", [[5, 3]], [[102]])


@test
def labels_that_contradict(case):
    """A name that C cannot call; two names of one function, of which a compiler may ignore one."""
    call = "m(in:float[2], out:float[1])"
    source = case.write("model.c", HEAD % "m" + ' __asm__("x.1");\n' + HEAD % "m" + SUM)
    has(case.refuse(9, "RP2908", source, "--entry", call), "model.c:2", "'x.1'", "not a name of C")
    case.write("model.c", "#pragma redefine_extname m x1\n" + HEAD % "other" + ' __asm__("x1");\n' +
               HEAD % "other" + DIFFERENCE + HEAD % "m" + SUM)
    has(case.refuse(9, "RP2908", source, "--entry", call), "model.c:4: 'm'", "'x1'", "'other'", "model.c:3")


# ---- what is said and what is declared ----

TVM_HEADER = """#include <stdint.h>
#define TVMGEN_SW_A_SIZE 8
#define TVMGEN_SW_B_SIZE 8
#define TVMGEN_SW_Y_SIZE 8
struct tvmgen_sw_inputs { void* a; void* b; };
struct tvmgen_sw_outputs { void* y; };
"""
TVM_CODE = """#include "tvmgen_sw.h"
int32_t tvmgen_sw_run_model(%s) {
  for (int i = 0; i < 2; i++) ((float*)%s)[i] = ((float*)%s)[i] * 2 + ((float*)%s)[i];
  return 0;
}
"""


@test(needs=[QEMU])
def parameters_of_tvm(case):
    """Older code takes pointers: their names say which tensors they are, not the order of the header's structs."""
    case.write("tvmgen_sw.h", TVM_HEADER)
    source = case.write("sw_lib0.c", TVM_CODE % ("void* y, void* b_buffer_var, void* a", "y", "b_buffer_var", "a"))
    entry = "tvmgen_sw_run_model(out y:float[2], in {}:float[2], in {}:float[2])"
    case.generate(source, "--entry", entry.format("b", "a"))
    computes(case, "sw", [[1, 2], [10, 20]], [[12, 24]])
    error = case.refuse(9, "RP2908", source, "--entry", entry.format("a", "b"), hint=f"{entry.format('b', 'a').split('(')[0]}(out y:float[1,2], in b:float[1,2], in a:float[1,2])")
    has(error, "sw_lib0.c:2", "'a' of --entry is parameter 2", "'b_buffer_var', but parameter 3 by its name")
    has(case.refuse(9, "RP2908", source, "--entry", "tvmgen_sw_run_model(in y:float[2], in b:float[2], out a:float[2])"),
        "'y'", "an input by --entry", "one of the outputs")
    inner = "int32_t tvmgen_sw___tvm_main__(float* b, float* a, float* y) { return tvmgen_sw_run_model(y, b, a); }\n"
    case.write("sw_lib0.c", source.read_text() + inner)
    case.generate(source)
    names = [tensor["name"] for tensor in case.report("sw")["model"]["inputs"]]
    equal(names, ["b", "a"], "inputs")
    computes(case, "sw", [[1, 2], [10, 20]], [[12, 24]])
    case.write("sw_lib0.c", TVM_CODE % ("void* first, void* a, void* y", "y", "first", "a") + inner.replace("(y, b, a)", "(b, a, y)"))
    has(case.refuse(9, "RP2908", source), "'a' of the struct is parameter 1 of 'tvmgen_sw_run_model', 'first'")


ORDER = "void net(const float *b, const float *a, int n, float *y) { for (int i = 0; i < n; i++) y[i] = b[i] * 2 + a[i]; }\n"


@test(needs=[QEMU])
def parameters_in_another_order(case):
    """A tensor that is called like another parameter."""
    source = case.write("net.c", ORDER)

    def manifest(names, **more):
        inputs = [{"name": name, "dtype": "float", "shape": [2]} for name in names]
        return case.write("m.json", json.dumps({"sources": ["net.c"], "entry": "net(a, b, 2, y)", "inputs": inputs,
                                                "outputs": [{"name": "y", "dtype": "float", "shape": [2]}], **more}))
    has(case.refuse(9, "RP2908", manifest("ab"), hint='"entry": "net(b, a, 2, y)"'), "net.c:1", "'a' is passed as parameter 1, 'b'")
    case.generate(manifest("ab", entry="net(b, a, 2, y)"))
    computes(case, "m", [[1, 2], [10, 20]], [[21, 42]])
    case.write("net.c", ORDER.replace("int n, ", "").replace("i < n", "i < 2"))
    has(case.refuse(9, "RP2908", manifest("ab", entry="net")), "'a' is passed as parameter 1, 'b'")
    has(case.refuse(9, "RP2908", manifest("ab", entry="net", arguments=["a", "b", "y"]), hint="net(b, a, y)"), "parameter 2 has its name")
    case.generate(manifest("ba", entry="net"))
    computes(case, "m", [[1, 2], [10, 20]], [[12, 24]])
    case.generate(manifest("pq", entry="net"))
    call = "net(in {}:float[2], in {}:float[2], out y:float[2])"
    has(case.refuse(9, "RP2908", source, "--entry", call.format("a", "b"), hint="in the order 'net(b, a, y)'"), "'a' is passed as")
    case.generate(source, "--entry", call.format("b", "a"))


@test(always=True)
def inputs_in_one_buffer(case):
    """By the same name, by another name of the same variable, or by the same call."""
    case.write("m.c", "float cells[4], result[2];\nextern float same[4] __attribute__((alias(\"cells\")));\n"
                      "extern float again[2] __attribute__((alias(\"result\")));\n"
                      "float *at(int i) { return cells + i; }\n"
                      "void go(void) { result[0] = cells[0] + cells[2]; result[1] = same[3]; }\n")

    def manifest(*places, outputs=({"at": "result"},)):
        inputs = [{"name": f"x{i}", "dtype": "float", "shape": [4], **place} for i, place in enumerate(places)]
        outputs = [{"name": f"y{i}", "dtype": "float", "shape": [2], **place} for i, place in enumerate(outputs)]
        return case.write("m.json", json.dumps({"sources": ["m.c"], "entry": "go", "inputs": inputs, "outputs": outputs}))
    for places, said in (([{"at": "cells"}, {"at": "cells"}], "'at': 'cells'"), ([{"get": "at(0)"}, {"get": "at(0)"}], "'get': 'at'"),
                         ([{"at": "cells"}, {"at": "same"}], "overlap")):
        has(case.refuse(9, "RP2903", manifest(*places)), "'x0'", "'x1'", said)
    has(case.refuse(9, "RP2903", manifest({"at": "cells"}, outputs=({"at": "result"}, {"at": "result"}))), "the outputs 'y0' and 'y1'")
    has(case.refuse(9, "RP2903", manifest({"at": "cells"}, outputs=({"at": "result"}, {"at": "again"}))), "'y0'", "'y1'", "overlap")
    case.generate(manifest({"get": "at(0)"}, {"get": "at(4)"}))
    case.generate(manifest({"at": "cells"}, outputs=({"at": "result"}, {"get": "at(0)"})))


@each(["c", "cpp"], needs=[QEMU])
def sign_of_char(case, suffix):
    """A flag of the compiler decides it, and so the tensor's type."""
    text = "void m(const char x[1], char y[1]) { y[0] = (x[0] < 0) + 1; }\n"
    source = case.write(f"m.{suffix}", text if suffix == "c" else 'extern "C" ' + text)
    for flags, dtype, sign in (([], "uint8", 1), (["--cflags=-fsigned-char"], "int8", 2),
                               (["--cflags=-fsigned-char -fno-signed-char"], "uint8", 1)):
        case.generate(source, *flags)
        tensors = case.report("m")["model"]
        equal([tensor["dtype"] for key in ("inputs", "outputs") for tensor in tensors[key]], [dtype] * 2, "types")
        kind = "b" if dtype == "int8" else "B"
        computes(case, "m", [([-1 if kind == "b" else 255], kind)], [([sign], kind)])


@test(needs=[QEMU])
def command_line_before_manifest(case):
    """-D and --import replace what the manifest says of the same name, and add to the rest."""
    case.write("m.c", "int by(int);\nvoid m(const float x[1], float y[1]) { y[0] = x[0] * N + M(1); }\n")
    whole = {"sources": ["m.c"], "entry": "m", "defines": ["N=2", "M(x)=(x)"]}
    path = case.write("m.json", json.dumps(whole))
    for words, want in (([], 7), (["-D", "N=3"], 10), (["-D", "M(x)=((x) + 1)"], 8), (["--cflags=-Werror", "-DN=4"], 13)):
        case.generate(path, *words)
        computes(case, "m", [[3]], [[want]])
    case.write("m.c", "int by(int);\nvoid m(const float x[1], float y[1]) { y[0] = by((int)x[0]); }\n")
    path = case.write("m.json", json.dumps({"sources": ["m.c"], "entry": "m", "imports": ["by@1"]}))
    case.generate(path, "--import", "by@2")
    equal([(row["symbol"], row["version"]) for row in case.report("m")["imports"]], [("by", 2)], "imports")


@test(needs=[QEMU])
def least_numbers(case):
    """-2147483648 is an int where an int is declared, and so at both ends of the call."""
    source = case.write("m.c", "#include <limits.h>\nint m(int n, long long k, const float x[1], float y[1]) {\n"
                               "    y[0] = x[0] + (n == INT_MIN) + 2 * (k == LLONG_MIN);\n    return n;\n}\n")
    entry = "m({}, {}, in:float[1], out:float[1]) -> {}"
    least, wide = "-2147483648", "-9223372036854775808"
    for values in ((least, wide + "ll", least), ("-0x80000000", wide, "-2147483648")):
        case.generate(source, "--entry", entry.format(*values))
        computes(case, "m", [[4]], [[7]])
    has(case.refuse(9, "RP2908", source, "--entry", entry.format(least, least, least)), "parameter 2", f"write {least}ll")
    has(case.refuse(9, "RP2908", source, "--entry", entry.format("-2147483649", wide, least)), "parameter 1", "does not have it")
    header = case.write("m.h", source.read_text().replace("int m(", "static int m("))
    case.generate(header, "--entry", entry.format(least, wide, least))
    computes(case, "m", [[4]], [[7]])


# ---- other spellings of the language ----

SPELLINGS = {
    "utf8": ("c", "void größe(const float ähnlich[2], float y[1]) { y[0] = ähnlich[0] - ähnlich[1]; }\n", "größe"),
    "universal": ("c", "void gr\\u00f6\\U000000dfe(const float \\u00e4[2], float y[1]) { y[0] = ä[0] - \\u00e4[1]; }\n", "größe"),
    "said_universal": ("c", "void größe(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\n", "gr\\u00f6\\u00dfe"),
    "digraphs": ("c", "%:define N 2\nenum <% M = 1 %>;\nstatic int after<::> = <% 1, 2 %>;\n"
                      "void model(const float x<:N:>, float y<:M:>) <% y<:0:> = x<:0:> - x<:after<:0:>:>; %>\n", "model"),
    "raw_string": ("cpp", "static const char *const a = R\"(\"})\";\nextern \"C\" void model(const float x[2], float y[1])"
                          " { y[0] = x[0] - x[1] + (a[0] == 0); }\nconst char *const b = u8R\"x()\" { )x\";\n", "model"),
    "raw_string_of_c": ("c", "static const char *const a = R\"-(\"})- )-\";\nvoid model(const float x[2], float y[1])"
                             " { y[0] = x[0] - x[1] + (a[0] == 0); }\n", "model"),
}


@each(list(SPELLINGS), needs=[QEMU])
def spelling(case, what):
    suffix, text, name = SPELLINGS[what]
    source = case.write(f"m.{suffix}", text)
    for words in ([], ["--entry", name], ["--entry", name + "(in:float[2], out:float[1])"]):
        case.generate(source, *words)
        computes(case, "m", [[5, 3]], [[2]])
    has(case.refuse(9, "RP2908", source, "--entry", name + "(in:float[3], out:float[1])"), f"m.{suffix}:", "2 are declared")


@test(needs=[QEMU])
def header_that_calls_itself_a_system_header(case):
    """Only the toolchain's headers are passed over."""
    case.write("m.h", "#pragma GCC system_header\n#include <math.h>\n"
                      "void model(const float x[2], float y[1]) { y[0] = x[0] - sqrtf(x[1]); }\n")
    source = case.write("m.c", '#include "m.h"\nint other;\n')
    for words in ([], ["--entry", "model"], ["--entry", "model(in:float[2], out:float[1])"]):
        case.generate(source, *words)
        computes(case, "m", [[5, 9]], [[2]])
    for path in (source, case.dir / "m.h"):
        has(case.refuse(9, "RP2908", path, "--entry", "model(in:float[3], out:float[1])"), "m.h:3", "2 are declared")


INLINE = {
    "inline": ("c", "inline void m(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\n"),
    "declared": ("c", "inline void m(const float *, float *);\n__inline void m(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\n"),
    "emitted": ("c", "inline void m(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\nextern void m(const float *, float *);\n"),
    "label": ("c", "inline void m(const float *, float *) __asm__(\"n\");\ninline void m(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\n"),
    "cplusplus": ("cpp", 'extern "C" inline void m(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\n'),
    "block": ("cpp", 'extern "C" {\nvoid m(const float *, float *);\ninline void m(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\n}\n'),
    "gnu89": ("c", "inline void m(const float x[2], float y[1]) { y[0] = x[0] - x[1]; }\n", "--cflags=-fgnu89-inline"),
}


@each(list(INLINE), needs=[QEMU])
def inline_entry(case, what):
    """C emits no code for a function that is inline alone, C++ for none that nothing uses."""
    suffix, text, *words = INLINE[what]
    source = case.write(f"it's m.{suffix}", text)
    for entry in ("m", "m(in:float[2], out:float[1])"):
        case.generate(source, "--entry", entry, "--name", "m", *words)
        computes(case, "m", [[5, 3]], [[2]])


@test(needs=[QEMU])
def inline_functions_of_a_manifest(case):
    """All that is called, once each: a header may bring the definition into several sources."""
    case.write("m.h", "extern float cells[2], one;\ninline float *at(int i) { return &cells[i]; }\n")
    case.write("a.c", '#include "m.h"\nfloat cells[2];\ninline int start(void) { one = 100; return 0; }\n')
    case.write("b.c", '#include "m.h"\nfloat one;\ninline void go(void) { one += *at(0) - *at(1); }\n')
    path = case.write("m.json", json.dumps({
        "sources": ["a.c", "b.c"], "init": "start -> 0", "entry": "go", "inputs": [{"dtype": "float", "shape": [2], "get": "at(0)"}],
        "outputs": [{"dtype": "float", "shape": [1], "at": "one"}]}))
    case.generate(path)
    computes(case, "m", [[5, 3]], [[102]])


@each(["option", "manifest"])
def macro_that_is_no_name(case, by):
    """A compiler would take @FILE for the words of that file, also after -D."""
    words = case.write("words", "X=1 -fplugin=./p.so")
    source = case.write("model.c", "void model(const float in[1], float out[1]) { out[0] = in[0]; }\n")
    if by == "option":
        has(case.refuse(2, "RP2200", source, "-D", f"@{words}"), "does not begin with a name")
        return
    tensor = '{"name": "%s", "dtype": "float32", "shape": [1]}'
    manifest = case.write("model.json", '{"sources": ["model.c"], "entry": "model", "defines": ["@%s"], "inputs": [%s], "outputs": [%s]}'
                          % (words, tensor % "in", tensor % "out"))
    has(case.refuse(2, "RP2200", manifest), "does not begin with a name")
