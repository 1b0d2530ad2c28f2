# SPDX-License-Identifier: Apache-2.0
"""Compares what --entry or a manifest says with what the code declares, as two readers understand it."""
import json
import os

from kit import QEMU, check, each, equal, has, has_not, test

CODE = """#include <stdbool.h>
#include <stdint.h>
#define ROWS 4
typedef float real;
typedef __typeof__(1.0f) same;            /* the compiler alone knows what it is */
typedef real row[7];
typedef struct { float v[4]; } record;
enum { WIDTH = 7, AREA = WIDTH * ROWS, AFTER };
enum small { LOW, HIGH };
enum large { NONE, MANY = 300 };
typedef float four __attribute__((vector_size(16)));
float cells[28];
int8_t bytes[12];
const float fixed[4] = {1, 2, 3, 4};
float *where = cells;
float one;
record kept;
static int started;
void array(const float x[1][28], float y[10]) { for (int i = 0; i < 10; i++) y[i] = x[0][i] + x[0][i + 18]; }
void kws(const int8_t *x, float *y) { y[0] = x[0]; y[1] = x[489]; }
void shorts(const int16_t *x, int16_t *y) { for (int i = 0; i < 8; i++) y[i] = x[i]; }
void wide(const double *x, int64_t *y) { y[0] = (int64_t)(x[0] * 3); }
void flags(const bool *x, bool y[2]) { y[0] = x[1]; y[1] = !x[0]; }
void enums(const enum large *x, enum small *y) { y[0] = x[0] == MANY ? HIGH : LOW; }
void named(const real x[AREA], same y[WIDTH + 3]) { for (int i = 0; i < 10; i++) y[i] = x[i + 18]; }
void after(const float x[AFTER], float y[1]) { y[0] = x[AFTER - 1]; }
void rows(const row *x, row y) { for (int i = 0; i < 7; i++) y[i] = x[0][i] + x[1][i]; }
void matrix(const float (*x)[28], float (*y)[10]) { for (int i = 0; i < 10; i++) (*y)[i] = (*x)[i]; }
void inner(const float x[][7], float y[restrict static 2]) { y[0] = x[0][6]; y[1] = x[3][6]; }
void sized(const float x[sizeof(int)][7], float y[2]) { y[0] = x[0][6]; y[1] = x[3][6]; }
const int SIDE = 3;
void computed(const float x[sizeof(row) / sizeof(real)], float y[4 % 3 == 1 ? 2 : 1]) { y[0] = x[6]; y[1] = x[0]; }
void shifted(const float x[1 << 3], float y[SIDE * 2]) { for (int i = 0; i < 6; i++) y[i] = x[i + 2]; }
void grid(int n, int m, const float x[n][m], float y[m]) { for (int i = 0; i < m; i++) y[i] = x[n - 1][i]; }
void count(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }
void renamed(const short *x, float *y) __asm__("label");
void renamed(const short *x, float *y) { y[0] = x[1]; }
void any(const void *x, void *y) { for (int i = 0; i < 4; i++) ((float *)y)[i] = ((const float *)x)[i] * 2; }
void raw(const uint8_t x[16], unsigned char *y) { for (int i = 0; i < 16; i++) y[i] = x[15 - i]; }
void text(const char *x, char *y) { y[0] = x[3]; y[1] = x[0]; }
void in_place(float *x, float *y) { y[0] = x[0]; }
void structs(const record *x, record *y) { *y = *x; }
void vector(const four *x, float *y) { y[0] = (*x)[1]; }
void pointers(const float **x, float *y) { y[0] = **x; }
void calls(float (*x)(void), float *y) { y[0] = x(); }
void complex_(const float _Complex *x, float *y) { y[0] = __real__ *x; }
void value(float x, float *y) { y[0] = x; }
void more(const float *x, float *y, ...) { y[0] = x[0]; }
void old(x, y) const float *x; float *y; { y[0] = x[0]; }
record returns(const float *x, float *y) { record r = {{x[0]}}; y[0] = x[1]; return r; }
float scaled(const float *x, float *y, float by, double add, long long wide, uint8_t small, _Bool on) {
    y[0] = x[0] * by + (float)add + (float)wide + small + on;
    return y[0];
}
int64_t big(const float *x, float *y) { y[0] = x[0]; return 0; }
enum small graded(const float *x, float *y) { y[0] = x[0]; return HIGH; }
float *cell(int at) { return cells + at; }
const float *look(void) { return fixed; }
void *memory(void) { return cells; }
uint32_t address(void) { return (uint32_t)cells; }
int start(int n) { started = n; return 0; }
void go(void) { one = cells[0] * 2 + (float)started; }
"""

# Entry, and what the error has to name: both sides.
CONTRADICTIONS = {
    "count": ("array(in:float[10], out:float[10])", ["x[1][28]", "10 elements are given, 28 are declared"]),
    "count_out": ("array(in:float[28], out:float[11])", ["y[10]", "11 elements are given, 10 are declared"]),
    "array_type": ("array(in:int8[28], out:float[10])", ["const float x[1][28]", "int8 is given, float32 is declared"]),
    "swapped": ("array(out:float[28], in:float[10])", ["parameter 1", "declared const"]),
    "few": ("array(in:float[28])", []),
    "missing": ("array(out:float[10])", ["1 argument is given, 2 are declared"]),
    "many": ("array(in:float[28], out:float[10], 4)", ["3 arguments are given, 2 are declared"]),
    "kws": ("kws(in:float[1,490], out:float[2])", ["int8_t *x", "float32 is given, int8 is declared"]),
    "kws_sign": ("kws(in:uint8[490], out:float[2])", ["uint8 is given, int8 is declared"]),
    "kws_out": ("kws(in:int8[490], out:int8[2])", ["float *y", "int8 is given, float32 is declared"]),
    "shorts": ("shorts(in:float[8], out:float[8])", ["int16_t *x", "float32 is given, int16 is declared"]),
    "shorts_width": ("shorts(in:int16[8], out:int32[8])", ["int16_t *y", "int32 is given, int16 is declared"]),
    "shorts_sign": ("shorts(in:uint16[8], out:int16[8])", ["uint16 is given, int16 is declared"]),
    "double": ("wide(in:float[1], out:int64[1])", ["double", "float32 is given, float64 is declared"]),
    "long": ("wide(in:double[1], out:int32[1])", ["int32 is given, int64 is declared"]),
    "bool": ("flags(in:uint8[2], out:bool[2])", ["uint8 is given, bool is declared"]),
    "bool_count": ("flags(in:bool[2], out:bool[3])", ["3 elements are given, 2 are declared"]),
    "label": ("label(in:float[2], out:float[1])", ["short *x", "float32 is given, int16 is declared"]),
    "enum_width": ("enums(in:uint8[1], out:uint8[1])", ["enum large", "uint8 is given", "uint16"]),
    "enum_float": ("enums(in:uint16[1], out:float[1])", ["enum small", "float32 is given"]),
    "typedef": ("named(in:int32[28], out:float[10])", ["int32 is given, float32 is declared"]),
    "constants": ("named(in:float[27], out:float[10])", ["27 elements are given, 28 are declared"]),
    "sum": ("named(in:float[28], out:float[9])", ["9 elements are given, 10 are declared"]),
    "compiler_alone": ("named(in:float[28], out:int8[10])", ["int8 is given, float32 is declared"]),
    "enumerated": ("after(in:float[28], out:float[1])", ["28 elements are given, 29 are declared"]),
    "array_typedef": ("rows(in:float[15], out:float[7])", ["15 elements are given, a multiple of 7"]),
    "array_typedef_out": ("rows(in:float[14], out:float[14])", ["14 elements are given, 7 are declared"]),
    "to_array": ("matrix(in:float[10], out:float[10])", ["(*x)[28]", "10 elements are given, a multiple of 28"]),
    "partly": ("inner(in:float[27], out:float[2])", ["x[][7]", "27 elements are given, a multiple of 7"]),
    "static": ("inner(in:float[28], out:float[4])", ["4 elements are given, 2 are declared"]),
    "sized": ("sized(in:float[27], out:float[2])", ["27 elements are given, 28 are declared"]),
    "computed": ("computed(in:float[6], out:float[2])", ["x[7]", "6 elements are given, 7 are declared"]),
    "computed_out": ("computed(in:float[7], out:float[1])", ["y[2]", "1 elements are given, 2 are declared"]),
    "shifted": ("shifted(in:float[7], out:float[6])", ["x[8]", "7 elements are given, 8 are declared"]),
    "const": ("shifted(in:float[8], out:float[5])", ["y[6]", "5 elements are given, 6 are declared"]),
    "counted": ("grid(2, 3, in:float[5], out:float[3])", ["x[2][3]", "5 elements are given, 6 are declared"]),
    "counted_out": ("grid(2, 3, in:float[6], out:float[2])", ["y[3]", "2 elements are given, 3 are declared"]),
    "length": ("count(in:float[4], in:float[4], out:float[4])", ["parameter 1", "a value is declared, not an address"]),
    "void_const": ("any(out:float[4], in:float[4])", ["const void *x", "declared const"]),
    "bytes": ("raw(in:float[5], out:float[4])", ["x[16]", "20 bytes are given, 16 are declared"]),
    "struct": ("structs(in:float[4], out:float[4])", ["a pointer to a struct is no tensor"]),
    "vector": ("vector(in:float[4], out:float[1])", ["which no tensor can have"]),
    "pointers": ("pointers(in:float[4], out:float[1])", ["a pointer to pointers is no tensor"]),
    "function": ("calls(in:float[4], out:float[1])", ["a pointer to a function is no tensor"]),
    "complex": ("complex_(in:float[2], out:float[1])", ["float _Complex", "which no tensor can have"]),
    "by_value": ("value(in:float[1], out:float[1])", ["parameter 1", "a value is declared, not an address"]),
    "variadic": ("more(in:float[1], out:float[1])", ["'...'"]),
    "old_style": ("old(in:int8[1], out:float[1])", ["int8 is given, float32 is declared"]),
    "struct_result": ("returns(in:float[2], out:float[1])", ["'record returns("]),
    "result_of_void": ("array(in:float[28], out:float[10]) -> 0", ["the number 0 is given, nothing is declared"]),
    "result_type": ("big(in:float[1], out:float[1]) -> out:int32[1]", ["int32 is given, int64 is declared"]),
    "result_number": ("big(in:float[1], out:float[1]) -> 0", ["of 32 bits", "write 0ll"]),
    "result_enum": ("graded(in:float[1], out:float[1]) -> out:float[1]", ["float32 is given", "enum small"]),
    "int_for_float": ("scaled(in:float[1], out:float[1], 2, 0.5, 3ll, 4, 1)", ["parameter 3", "write 2.0f"]),
    "float_for_double": ("scaled(in:float[1], out:float[1], 2.0f, 0.5f, 3ll, 4, 1)", ["parameter 4", "write 0.5"]),
    "int_for_wide": ("scaled(in:float[1], out:float[1], 2.0f, 0.5, 3, 4, 1)", ["parameter 5", "write 3ll"]),
    "out_of_range": ("scaled(in:float[1], out:float[1], 2.0f, 0.5, 3ll, 256, 1)", ["parameter 6", "256", "uint8"]),
    "not_a_bool": ("scaled(in:float[1], out:float[1], 2.0f, 0.5, 3ll, 4, 2)", ["parameter 7", "bool"]),
    "float_for_int": ("count(4.0f, in:float[4], out:float[4])", ["parameter 1", "int32 is declared"]),
    "number_for_array": ("array(1, out:float[10])", ["parameter 1", "1 is given, the pointer"]),
}

AGREEMENTS = {
    "array": "array(in:float[1,28], out:float[10])", "another_rank": "array(in:float[4,7], out:float[2,5])",
    "kws": "kws(in:int8[1,490], out:float[2])", "shorts": "shorts(in:int16[8], out:int16[2,4])",
    "wide": "wide(in:double[1], out:int64[1])", "flags": "flags(in:bool[2], out:bool[2])",
    "enums": "enums(in:uint16[1], out:uint8[1])", "named": "named(in:float[28], out:float[10])",
    "after": "after(in:float[29], out:float[1])", "rows": "rows(in:float[2,7], out:float[7])",
    "matrix": "matrix(in:float[28], out:float[1,10])", "inner": "inner(in:float[4,7], out:float[2])",
    "inner_more": "inner(in:float[8,7], out:float[2])", "sized": "sized(in:float[28], out:float[2])",
    "label": "label(in:int16[2], out:float[1])", "length": "count(4, in:float[4], out:float[4])", "computed": "computed(in:float[7], out:float[2])",
    "shifted": "shifted(in:float[8], out:float[2,3])", "counted": "grid(2, 3, in:float[2,3], out:float[3])", "any": "any(in:float[4], out:float[4])",
    "any_type": "any(in:uint32[4], out:int8[16])", "raw": "raw(in:uint8[16], out:uint8[16])",
    "raw_floats": "raw(in:float[4], out:int32[4])", "text": "text(in:int8[4], out:uint8[2])",
    "mutable_input": "in_place(in:float[1], out:float[1])", "old_style": "old(in:float[1], out:float[1])",
    "ignored": "big(in:float[1], out:float[1])", "wide_result": "big(in:float[1], out:float[1]) -> 0ll",
    "wide_out": "big(in:float[1], out:float[1]) -> out:int64[1]", "graded": "graded(in:float[1], out:float[1]) -> 1",
    "graded_out": "graded(in:float[1], out:float[1]) -> out:uint8[1]",
    "numbers": "scaled(in:float[1], out:float[1], 2.0f, 0.5, 3ll, 255, 1) -> out:float[1]",
    "number_ignored": "scaled(in:float[1], out:float[1], 0.5f, 1e3, -3ll, 0, 0)",
}


def source(case):
    return case.write("model.c", CODE)


def verified(case, name="model", out="out"):
    answer = json.loads(case.verify(case.dir / out / f"{name}_rel.bin", "--json").out)
    equal(answer["identical"], True, "identical")


@each(list(CONTRADICTIONS))
def contradiction(case, label):
    entry, said = CONTRADICTIONS[label]
    if label == "few":
        has(case.refuse(9, "RP2902", source(case), "--entry", entry), "needs an output")
        return
    error = case.refuse(9, "RP2908", source(case), "--entry", entry)
    has(error, "model.c:", f"--entry '{entry}'", *said)


@each(["count", "kws", "enum_width", "compiler_alone", "typedef"], needs=["clang"])
def contradiction_for_clang(case, label):
    entry, said = CONTRADICTIONS[label]
    has(case.refuse(9, "RP2908", source(case), "--entry", entry, "-r", "llvm"), "model.c:", *said)


@each(list(AGREEMENTS), needs=[QEMU])
def agreement(case, label):
    case.generate(source(case), "--entry", AGREEMENTS[label])
    verified(case)


@each(["array", "enums", "named", "any", "numbers"], needs=[QEMU, "clang"])
def agreement_for_clang(case, label):
    case.generate(source(case), "--entry", AGREEMENTS[label], "-r", "llvm")
    verified(case)


# ---- manifests: init, destroy, the model's own buffers ----

IN = {"name": "x", "dtype": "float", "shape": [28], "at": "cells"}
OUT = {"name": "y", "dtype": "float", "shape": [1], "at": "one"}
MANIFESTS = {
    "init_count": ({"init": "start"}, ["int start(int n)", "0 arguments are given, 1 is declared"]),
    "init_type": ({"init": "start(1.5f)"}, ["parameter 1", "int32 is declared"]),
    "init_result": ({"init": "go -> 0"}, ["nothing is declared"]),
    "destroy": ({"destroy": "start"}, ["1 is declared"]),
    "at_type": ({"inputs": [{**IN, "dtype": "int32"}]}, ["float cells[28]", "int32 is given, float32 is declared"]),
    "at_larger": ({"inputs": [{**IN, "shape": [10]}]}, ["10 elements are given, 28 are declared"]),
    "at_pointer": ({"outputs": [{**OUT, "at": "where"}]}, ["float *where", "a pointer is no tensor"]),
    "at_struct": ({"outputs": [{**OUT, "at": "kept"}]}, ["a struct is no tensor"]),
    "at_bytes": ({"outputs": [{**OUT, "at": "bytes", "dtype": "float", "shape": [3]}]}, ["float32 is given, int8 is declared"]),
    "at_function": ({"outputs": [{**OUT, "at": "go"}]}, ["a function is no tensor"]),
    "get_type": ({"inputs": [{"dtype": "int8", "shape": [4], "get": "cell(0)"}]}, ["float *cell(int at)", "int8 is given"]),
    "get_const": ({"inputs": [{"dtype": "float", "shape": [4], "get": "look"}]}, ["const float *look(void)", "declared const"]),
    "get_number": ({"outputs": [{"dtype": "float", "shape": [4], "get": "address"}]}, ["a value is declared, not an address"]),
    "get_nothing": ({"outputs": [{"dtype": "float", "shape": [4], "get": "go"}]}, ["nothing is declared"]),
    "get_count": ({"outputs": [{"dtype": "float", "shape": [4], "get": "cell"}]}, ["0 arguments are given, 1 is declared"]),
}
GOOD = {
    "at": {}, "init": {"init": "start(3) -> 0"}, "ranks": {"inputs": [{**IN, "shape": [4, 7]}]},
    "get": {"inputs": [{"dtype": "float", "shape": [4], "get": "cell(0)"}]},
    "get_void": {"inputs": [{"dtype": "float", "shape": [28], "get": "memory"}]},
    "const_output": {"outputs": [{"dtype": "float", "shape": [4], "get": "look"}]},
    "const_variable": {"outputs": [{"dtype": "float", "shape": [4], "at": "fixed"}]},
}


def manifest(case, changes):
    source(case)
    whole = {"sources": ["model.c"], "entry": "go", "inputs": [IN], "outputs": [OUT], **changes}
    return case.write("model.json", json.dumps(whole))


@each(list(MANIFESTS))
def contradiction_of_a_manifest(case, label):
    changes, said = MANIFESTS[label]
    has(case.refuse(9, "RP2908", manifest(case, changes)), "model.c:", "model.json", *said)


@each(list(GOOD), needs=[QEMU])
def agreement_of_a_manifest(case, label):
    case.generate(manifest(case, GOOD[label]))
    verified(case)


# ---- other forms of code ----

HEADER = """#include <stdint.h>
static inline int pick(const int16_t *x, int n, float *odds, int m) { odds[m - 1] = x[n - 1]; return 0; }
static inline float last(const float *x, int n) { return x[n - 1]; }
"""


@test(needs=[QEMU])
def header(case):
    path = case.write("model.h", HEADER)
    for entry, said in (("pick(in:float[4], 4, out:float[3], 3) -> 0", "float32 is given, int16 is declared"),
                        ("pick(in:int16[4], 4, out:int8[3], 3)", "int8 is given, float32 is declared"),
                        ("last(in:float[4], 4) -> out:int32[1]", "int32 is given, float32 is declared")):
        has(case.refuse(9, "RP2908", path, "--entry", entry), said, "model.h:")
    for entry in ("pick(in:int16[4], 4, out:float[3], 3) -> 0", "last(in:float[4], 4) -> out:float[1]"):
        case.generate(path, "--entry", entry)
        verified(case)


EMLEARN = """// generated using emlearn
#include <stdint.h>
static const int net_n_outputs = 1;
static const int net_layer_0_input_length = 4;
static int32_t net_predict(const float *in, int32_t in_length) {
    float sum = 0;
    for (int i = 0; i < in_length; i++)
        sum += in[i];
    return sum > 0.5f;
}
"""


@test(needs=[QEMU])
def emlearn(case):
    path = case.write("model.h", EMLEARN)
    for entry, said in (("net_predict(in:float[5], 5) -> out:int32[1]", ["4 features", "says 5"]),
                        ("net_predict(in:float[4], 5) -> out:int32[1]", ["4 features", "a length of 5"]),
                        ("net_predict(in:int16[4], 4) -> out:int32[1]", ["int16 is given, float32 is declared"])):
        error = case.refuse(9, "RP2908", path, "--entry", entry)
        has(error, *said)
    case.generate(path, "--entry", "net_predict(in:float[4], 4) -> out:int32[1]")
    verified(case)


@test(needs=[QEMU])
def cplusplus(case):
    path = case.write("model.cpp", 'extern "C" {\ntypedef signed char q7;\nvoid entry(const q7 *x, float (&y)[2]);\n'
                                   'void plain(const q7 *x, float *y) { y[0] = x[0]; }\n}\n'
                                   "void entry(const q7 *x, float (&y)[2]) { y[0] = x[0]; }\n")
    has(case.refuse(9, "RP2908", path, "--entry", "plain(in:uint8[4], out:float[1])"), "uint8 is given, int8 is declared")
    has(case.refuse(9, "RP2908", path, "--entry", "entry(in:int8[4], out:float[2])"), "reference")
    case.generate(path, "--entry", "plain(in:int8[4], out:float[1])")
    verified(case)


@test(needs=[QEMU])
def library(case):
    """Compiled elsewhere: its debug information is read if there is any; otherwise nothing is compared."""
    model = case.write("model.c", "void inside(const short *x, float *y) { y[0] = x[1]; }\n")
    empty = case.write("empty.c", "typedef int nothing;\n")
    flags = ["-mcpu=cortex-m4", "-mthumb", "-mfpu=auto", "-mfloat-abi=hard", "-fpic", "-msingle-pic-base",
             "-mpic-register=r9", "-mno-pic-data-is-text-relative", "-O2"]
    good, bad = "inside(in:int16[4], out:float[1])", "inside(in:float[4], out:float[1])"
    for debug in (["-g"], []):
        case.run("arm-none-eabi-gcc", *flags, *debug, "-c", model, "-o", case.dir / "inside.o")
        case.run("arm-none-eabi-ar", "rcs", case.dir / "inside.a", case.dir / "inside.o")
        words = ["--runtime-lib", case.dir / "inside.a"]
        if debug:
            has(case.refuse(9, "RP2908", empty, "--entry", bad, *words), "short int *x", "float32 is given, int16 is declared")
        case.generate(empty, "--entry", good, *words)
        ids = [note["id"] for note in case.report("empty")["diagnostics"]]
        equal(ids, [] if debug else ["RP1030"], "notes")
        os.remove(case.dir / "inside.a")
    declared = case.write("declared.c", "void inside(const short *x, float *y);\n")
    case.run("arm-none-eabi-ar", "rcs", case.dir / "inside.a", case.dir / "inside.o")
    has(case.refuse(9, "RP2908", declared, "--entry", bad, *words), "declared.c:1", "int16 is declared")
    case.generate(declared, "--entry", good, *words)
    verified(case, "declared")


@test
def readers_that_disagree(case):
    """A typedef that an attribute changes unseen by our reader, in two steps."""
    path = case.write("model.c", "typedef int unit;\ntypedef unit strange;\n#pragma push_macro(\"x\")\n"
                                 "void f(const strange *x, float *y) { y[0] = (float)x[0]; }\n")
    case.generate(path, "--entry", "f(in:int32[1], out:float[1])")
    weak = case.write("weak.c", "__attribute__((weak)) void f(const int *x, float *y) { y[0] = (float)x[0]; }\n")
    strong = case.write("strong.c", "void f(const float *x, float *y) { y[0] = x[0]; }\n")
    case.generate(weak, "--source", strong, "--entry", "f(in:float[1], out:float[1])")
    has(case.refuse(9, "RP2908", weak, "--source", strong, "--entry", "f(in:int32[1], out:float[1])"), "strong.c:1")


@test
def calling_convention(case):
    """Objects and debug information do not say that a function takes its arguments in other registers."""
    body = "void f(float by, const float *x, float *y) { y[0] = by * x[0]; }\n"
    behind = body.replace(" {", ' __attribute__((__pcs__("aapcs")));\nvoid f(float by, const float *x, float *y) {')
    own = "void g(const float *pcs, float *y) { f(2, pcs, y); }\n"
    for text in ('__attribute__((pcs("aapcs"))) ' + body, behind):
        path = case.write("model.c", text + own)
        has(case.refuse(9, "RP2908", path, "--entry", "f(2.0, in:float[1], out:float[1])"), "model.c:1", "'f' has", "pcs")
        case.generate(path, "--entry", "g(in:float[1], out:float[1])")
    verified(case)
    for text, entry in (("typedef float fn(float) __attribute__((pcs(\"aapcs\")));\nfn f;\nfloat f(float x) { return x * 2; }\n", "f(2.5) -> out:float[1]"),
                        ('[[gnu::pcs("aapcs")]] ' + body, "f(2.0, in:float[1], out:float[1])")):
        path = case.write("model.c", text)
        has(case.refuse(9, "RP2908", path, "--cflags=-std=gnu2x", "--entry", entry), "model.c:1", "'f' may have", "pcs")


@test
def notes(case):
    """A note names everything that is taken on trust because the code does not say it."""
    case.generate(source(case), "--entry", AGREEMENTS["any"])
    said = [(note["id"], note["severity"]) for note in case.report("model")["diagnostics"]]
    equal(said, [("RP1030", "note")] * 2, "of void pointers")
    case.generate(source(case), "--entry", AGREEMENTS["raw"])
    equal(case.report("model")["diagnostics"], [], "of bytes that are said to be bytes")
    case.generate(source(case), "--entry", AGREEMENTS["raw_floats"])
    equal(len(case.report("model")["diagnostics"]), 2, "of bytes that are said to be something else")


@each(["kws", "pointer_to_array", "struct", "result"])
def hints_do_not_contradict(case, label):
    text, said = {
        "kws": ("void entry(const signed char *x, short *y) { y[0] = x[0]; }\n", "in x:int8[N], out y:int16[N]"),
        "pointer_to_array": ("void entry(const double (*x)[4], short y[2]) { y[0] = x[0][0]; }\n", "in x:float64[N,4], out y:int16[2]"),
        "result": ("double entry(const float x[4]) { return x[3]; }\n", "entry(in x:float32[4]) -> out:float64[1]"),
        "struct": ("struct s { int x; };\nvoid entry(const struct s *x, short y[2]) { y[0] = x->x; }\n", None),
    }[label]
    error = case.generate(case.write("model.c", text), status=9).err
    has(error, "error RP2902: ", said if said is not None else "a struct is no tensor")
    has_not(error, "float[", *([] if said is not None else ["--entry 'entry("]))


# ---- debug information changes nothing ----

@test
def debug_information_is_not_in_the_image(case):
    path = source(case)
    images = []
    for words in ([], ["--cflags=-g0"]):
        case.generate(path, "--entry", AGREEMENTS["array"], *words, out="a")
        images.append((case.dir / "a/model_rel.bin").read_bytes())
    check(images[0] == images[1], "the image is another one")


# ---- where the entry is ----

ENTRY = "void %s(const float a[2], float b[1]) { b[0] = a[0] - a[1]; }\n"


@test(needs=[QEMU])
def entry_in_another_source(case):
    helper = case.write("helper.c", "float half(float x) { return x / 2; }\n")
    model = case.write("sub/model.c", ENTRY % "entry")
    for words in ([], ["--entry", "entry"], ["--entry", "entry(in:float[2], out:float[1])"]):
        case.generate(helper, "--source", model, *words)
        verified(case, "helper")
    has(case.refuse(9, "RP2908", helper, "--source", model, "--entry", "entry(in:float[3], out:float[1])"), "model.c:1")
    has(case.refuse(9, "RP2902", helper, "--source", model, "--entry", "entri"), "'entri'", "model.c:1", "helper.c:1")


@test
def entry_in_two_sources(case):
    one, two = case.write("one.c", ENTRY % "entry"), case.write("two.c", ENTRY % "entry")
    for words in ([], ["--entry", "entry"], ["--entry", "entry(in:float[2], out:float[1])"]):
        has(case.refuse(9, "RP2902", one, "--source", two, *words), "two functions", "one.c:1", "two.c:1")
    other = case.write("other.c", ENTRY % "other")
    has(case.refuse(9, "RP2902", case.write("first.c", ENTRY % "first1"), "--source", other), "more than one", "other.c:1", "first.c:1")
    beside = case.write("beside.c", (ENTRY % "left").strip() + " " + ENTRY % "right")
    has(case.refuse(9, "RP2902", beside), "more than one", "left (line 1)", "right (line 1)")


@test
def dimension_that_is_not_understood(case):
    """The message has the dimension as it is written, and its hint leads on."""
    source = case.write("model.c", "static float v[3];\nvoid m(const float x[sizeof v / 4], float y[1]) { y[0] = x[2] + v[0]; }\n")
    has(case.refuse(9, "RP2902", source, hint="m(in x:float32[N], out y:float32[1])"), "parameter 'x'", "[sizeof v / 4]")
    case.generate(source, "--entry", "m(in x:float32[3], out y:float32[1])")


@test
def more_dimensions_than_a_tensor_has(case):
    source = case.write("model.c", "void m(const float x[2][1][1][1][3][1][1][1][4], float y[2]) {\n"
                                   "    y[0] = x[1][0][0][0][2][0][0][0][3];\n    y[1] = x[0][0][0][0][0][0][0][0][1];\n}\n")
    call = "m(in x:float32[2,1,1,3,1,1,1,4], out y:float32[2])"
    has(case.refuse(9, "RP2902", source, hint=call), "has 9 dimensions, a tensor has up to 8")
    case.generate(source, "--entry", call)
    case.verify(case.dir / "out/model_rel.bin")


GUARDED = """#ifdef __cplusplus
extern "C" {
#endif
#define N 4
#pragma push_macro("N")
#undef N
#define N 8
static int first(int v) {
    int a[N] = {v};
    _Pragma("pop_macro(\\"N\\")")
    return a[0];
}
enum { COUNTED = __COUNTER__ + 2 };
static int second(int v) { return v + 0 * __COUNTER__; }
void (m)(const float x[COUNTED], float y[N + __COUNTER__]) {
    for (int i = 0; i < 6; i++)
        y[i] = (float)(first((int)x[0]) + second((int)x[1]));
}
#ifdef __cplusplus
}
#endif
"""


@test(needs=[QEMU])
def shapes_as_the_preprocessor_leaves_them(case):
    """Whatever stands in braces: guards for C++, macros that a body restores, counters."""
    source = case.write("model.c", GUARDED)
    for call, said in (("m(in x:float[3], out y:float[6])", "parameter 1"), ("m(in x:float[2], out y:float[8])", "parameter 2")):
        has(case.refuse(9, "RP2908", source, "--entry", call), said, "model.c:15", f"--entry '{call}'")
    case.generate(source)
    verified(case)
    equal([row["shape"] for row in case.report("model")["model"]["outputs"]], [[6]], "shape")


@test
def whole_dimensions(case):
    """A hint whose numbers are all known does not ask for numbers."""
    source = case.write("net.c", "void net_run(const float x[4], float y[2]) { y[0] = x[0]; y[1] = x[3]; }\n")
    err = case.refuse(9, "RP2902", source, "--entry", "net_ran", hint="--entry 'net_run(in x:float32[4], out y:float32[2])'")
    has_not(err, "with numbers for N")


@test
def open_dimension(case):
    """What looks like the entry but for a number: the message says so, and its hint does it, with numbers for N."""
    source = case.write("open.c", "_Bool load(const char *path) { return path != 0; }\n"
                                  "void model(int N, const float x[restrict N][2], float y[restrict N][3]) {\n"
                                  "    for (int i = 0; i < N; i++)\n"
                                  "        for (int k = 0; k < 3; k++)\n"
                                  "            y[i][k] = x[i][0] + k * x[i][1];\n}\n")
    call = "model({}, in x:float32[{},2], out y:float32[{},3])"
    error = case.refuse(9, "RP2902", source, hint=f"--entry '{call.format('NUMBER', 'N', 'N')}'")
    has(error, "parameter 'N' of 'model'", "only known at run time")
    case.generate(source, "--entry", call.format(4, 4, 4))
    case.verify(case.dir / "out/open_rel.bin")


@test
def source_twice_in_a_manifest(case):
    case.write("model.c", ENTRY % "entry")
    path = case.write("model.json", json.dumps({"sources": ["model.c", "./model.c"], "entry": "entry"}))
    case.generate(path, "--source", case.dir / "model.c")
    equal([os.path.basename(entry["path"]) for entry in case.report("model")["inputs"]], ["model.json", "model.c"], "inputs")


@test(needs=[QEMU])
def source_folder_with_the_input(case):
    case.write("src/model.c", ENTRY % "entry")
    case.write("src/helper.c", "float half(float x) { return x / 2; }\n")
    os.symlink("model.c", case.dir / "src/alias.c")
    os.link(case.dir / "src/helper.c", case.dir / "src/hard.c")
    case.generate(case.dir / "src/model.c", "--source", case.dir / "src", "--source", case.dir / "src/model.c")
    sources = [entry["path"] for entry in case.report("model")["inputs"]]
    equal(len(sources), 1, f"nothing needs the helper: {sources}")
    case.generate(case.dir / "src/model.c", "--source", case.dir / "src/helper.c", "--source", case.dir / "src/model.c")
    sources = [entry["path"] for entry in case.report("model")["inputs"]]
    equal(len(sources), 2, f"sources {sources}")
    verified(case)
    case.generate(case.dir / "src/model.c", "--source", case.dir / "src/alias.c")
