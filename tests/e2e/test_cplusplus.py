# SPDX-License-Identifier: Apache-2.0
"""Functions and classes of C++ that --entry names: headers as micromlgen and other generators write them, of our own text. Each image runs on
the emulated core, and its outputs are compared with values computed here: a wrong --entry would compute the same wrong numbers in both builds.
"""
import struct

import kit
from kit import QEMU, check, each, equal, has, has_not, test

# a support vector machine with a linear kernel, in the form that micromlgen writes, but for <cstdarg>: not every compiler has a C++ library
SVM = """#pragma once
#include <stdarg.h>
namespace Eloquent {
    namespace ML {
        namespace Port {
            class SVM {
                public:
                    /**
                    * Predict class for features vector
                    */
                    int predict(float *x) {
                        float kernels[2] = { 0 };
                        float decision = 0.25;
                        kernels[0] = compute_kernel(x,   1.0  , 0.5  , -0.5  , 2.0 );
                        kernels[1] = compute_kernel(x,   0.0  , 1.5  , 0.5  , -1.0 );
                        decision = decision - ( + kernels[0] * 0.5 + kernels[1] * -0.25 );
                        return decision > 0 ? 0 : 1;
                    }
                protected:
                    float compute_kernel(float *x, ...) {
                        va_list w;
                        va_start(w, x);
                        float kernel = 0.0;
                        for (uint16_t i = 0; i < 4; i++) {
                            kernel += x[i] * va_arg(w, double);
                        }
                        va_end(w);
                        return kernel;
                    }
            };
        }
    }
}
"""
X = (1.0, -2.0, 0.5, 3.0)
PREDICT = "Eloquent::ML::Port::SVM::predict"


def packed(values, kind):
    return struct.pack(f"<{len(values)}{kind}", *values)


def computes(case, name, inputs, outputs, *words):
    """inputs and outputs: a list of bytes each."""
    files = [("--input", case.write(f"i{k}.bin", data)) for k, data in enumerate(inputs)]
    files += [("--expected", case.write(f"o{k}.bin", data)) for k, data in enumerate(outputs)]
    has(case.verify(case.dir / f"out/{name}_rel.bin", *[word for pair in files for word in pair], *words).out, "bit-identical")


def decision(x):
    first, second = sum(a * b for a, b in zip(x, (1, 0.5, -0.5, 2))), sum(a * b for a, b in zip(x, (0, 1.5, 0.5, -1)))
    return 0 if 0.25 - (first * 0.5 - second * 0.25) > 0 else 1


@each(["result", "last parameter"], needs=[QEMU])
def micromlgen(case, how):
    entry = f"{PREDICT}(in:float[4]) -> out:int32[1]" if how == "result" else f"{PREDICT}(in:float[4], out:int32[1])"
    case.generate(case.write("svm.h", SVM), "--entry", entry)
    for x in (X, (-5.0, 1.0, 0.0, 0.5)):
        computes(case, "svm", [packed(x, "f")], [packed([decision(x)], "i")])
    equal({decision(X), decision((-5.0, 1.0, 0.0, 0.5))}, {0, 1}, "both classes")


@test
def in_a_folder(case):
    """A source of C++ counts like one of C; a manifest says more than it."""
    def model(*words):
        return case.generate(case.dir / "m", "--parse-only", *words).out.splitlines()[0].split()[1]
    case.write("m/run.cpp", 'extern "C" void run(const float a[4], float b[4]) { b[0] = a[0]; }\n')
    equal(model(), "run", "the only source")
    case.write("m/said.json", '{"sources": ["run.cpp"], "entry": "run"}')
    equal(model(), "said", "with a manifest")
    two = case.write("m/two.json", '{"sources": ["run.cpp"], "entry": "run"}')
    has(case.refuse(9, "RP2900", case.dir / "m"), "2 manifests", "said.json", "two.json")
    two.unlink()
    (case.dir / "m/lib.cpp").mkdir()
    case.write("m/run_rel.c", "const int image[1];\n")
    case.write("m/run_generate_rel.json", '{"schema_version": 1, "sources": []}')
    equal(model(), "said", "beside what was made in that folder, and a folder")
    case.write("m/kernel.c", "void kernel(const float a[2], float b[2]) { b[0] = a[0]; }\n")
    has(case.refuse(9, "RP2900", case.dir / "m"), "more than one", "kernel.c run.cpp")
    equal([model("--name", "run"), model("--name", "kernel")], ["run", "kernel"], "by their names")
    has(case.generate(case.dir / "m", "--parse-only", "--name", "run").out, "a float32[4]")


ENTRIES = {  # what the report calls the model: source, --entry
    "go": ("m.h", "static void go(const float *x, float *y) { *y = *x; }\n"),
    "M::go": ("m.hpp", "struct M { void go(const float *x, float *y) { *y = *x; } };\n"),
    "M<int, 2>::go": ("m.hpp", "template <typename T, T N> struct M { void go(const float *x, float *y) { *y = *x + N; } };\n"),
}


@each(list(ENTRIES))
def name_of_the_entry(case, name):
    """A header's function is called by one of ours, but the model's signature is the name that was given."""
    source, text = ENTRIES[name]
    case.generate(case.write(source, text), "--entry", f"{name}(in:float[1], out:float[1])")
    has((case.dir / "out/m_rel.bin").read_bytes().decode("latin-1"), f"m\0{name}\0relocpack\0")


Y = [1.5, -4.0]  # what the models below compute: twice the third number and its sum with the others, less than ...
PLAIN = "y[0] = 3 * x[2]; y[1] = x[0] + x[1] - x[3];"
MODELS = {  # label: code, entry, number of bytes of state
    "function": ("namespace a { inline void run(const float *x, float *y) { BODY } }", "a::run(in:float[4], out:float[2])"),
    "nested namespace": ("namespace a::b { inline namespace v1 { static void run(const float *x, float *y) { BODY } } }",
                         "a::b::run(in:float[4], out:float[2])"),
    "global": ("class Unused; void run(const float *x, float *y) { BODY }", "::run(in:float[4], out:float[2])"),
    "dimensions": ("namespace a { struct M { void run(const float x[4], float y[2]) { BODY } }; }", "a::M::run"),
    "const method": ("class M { public: void run(const float *x, float *y) const { BODY } };", "M::run(in:float[4], out:float[2])"),
    "static method": ("class M { M(); public: static void run(const float *x, float *y) { BODY } };", "M::run(in:float[4], out:float[2])"),
    "overloads": ("struct M { void run(const double *x, double *y) { y[0] = -1; } void run(const float *x, float *y) { BODY } void run(int); };",
                  "M::run(in:float[4], out:float[2])"),
    "overload of size": ("struct M { void run(const float *x, float (&y)[3]) { y[0] = -1; } void run(const float *x, float (&y)[2]) { BODY } };",
                         "M::run(in:float[4], out:float[2])"),
    "template class": ("template <typename T, int N> struct M { void run(const T *x, T (&y)[N]) { BODY } };",
                       "M<float, 2>::run(in:float[4], out:float[2])"),
    "template function": ("struct M { template <typename T> void run(const T *x, T *y) { BODY } };", "M::run<float>(in:float[4], out:float[2])"),
    "inherited": ("struct B { void run(const float *x, float *y) { BODY } }; class M : public B {};", "M::run(in:float[4], out:float[2])"),
    "alias": ("namespace a { struct B { void run(const float *x, float *y) { BODY } }; } using M = a::B;", "M::run(in:float[4], out:float[2])"),
    "virtual": ("struct B { virtual void run(const float *, float *) const = 0; }; struct M : B { void run(const float *x, float *y) const override "
                "{ BODY } };", "M::run(in:float[4], out:float[2])"),
    "members": ("class M { float by = 3; float w[3] = {1, 1, -1}; public: void run(const float *x, float *y) { y[0] = by * x[2]; "
                "y[1] = w[0] * x[0] + w[1] * x[1] + w[2] * x[3]; } };", "M::run(in:float[4], out:float[2])"),
    "constexpr constructor": ("class M { float by; public: constexpr M() : by(3) {} void run(const float *x, float *y) { BODY } };",
                              "M::run(in:float[4], out:float[2])"),
    "buffer": ("class M { float hidden[100]; public: void run(const float *x, float *y) { for (int i = 0; i < 4; i++) hidden[i] = x[i]; "
               "y[0] = 3 * hidden[2]; y[1] = hidden[0] + hidden[1] - hidden[3]; } };", "M::run(in:float[4], out:float[2])"),
    "shapes": ("struct M { void run(const float (*x)[2], float (&y)[2]) { y[0] = 3 * x[1][0]; y[1] = x[0][0] + x[0][1] - x[1][1]; } };",
               "M::run(in:float[2,2], out:float[2])"),
    "numbers": ("struct M { void run(const float *x, int n, float *y, float by) { y[0] = by * x[2]; y[1] = x[0] + x[1] - x[n]; } };",
                "M::run(in:float[4], 3, out:float[2], 3.0f)"),
    "status": ("struct M { int run(const float *x, float *y) { BODY return 0; } };", "M::run(in:float[4], out:float[2]) -> 0"),
    "ignored": ("struct M { int run(const float *x, float *y) { BODY return 7; } };", "M::run(in:float[4], out:float[2])"),
    "two outputs": ("struct M { void run(const float *x, float &a, float &b) { float y[2]; BODY a = y[0]; b = y[1]; } };",
                    "M::run(in:float[4], out a:float[1], out b:float[1])"),
}


@each(MODELS, needs=[QEMU])
def called(case, label):
    code, entry = MODELS[label]
    case.generate(case.write("model.h", code.replace("BODY", PLAIN) + "\n"), "--entry", entry)
    outputs = [packed(Y, "f")] if label != "two outputs" else [packed(Y[:1], "f"), packed(Y[1:], "f")]
    computes(case, "model", [packed(X, "f")], outputs)


@each(["source", "header of that name", "beside another"], needs=[QEMU])
def files(case, where):
    """A C++ source, a header that ends in .hpp, and a class whose functions are in another file."""
    code = "namespace a { class M { public: void run(const float *x, float *y); }; }\n"
    body = "void a::M::run(const float *x, float *y) { BODY }\n".replace("BODY", PLAIN)
    entry = ["--entry", "a::M::run(in:float[4], out:float[2])"]
    if where == "beside another":
        source = case.write("m.h", code)
        case.write("m.cpp", '#include "m.h"\n' + body)
        case.generate(source, *entry, "--source", case.dir / "m.cpp", "--name", "model")
    else:
        case.generate(case.write("model.cpp" if where == "source" else "model.hpp", code + body.replace("void a", "inline void a")), *entry)
    computes(case, "model", [packed(X, "f")], [packed(Y, "f")])


RESULTS = {  # result type, dtype of --entry, kind of bytes, expression, value
    "enum": ("Class", "int32", "i", "x[0] > 0 ? second : first", 2), "bool": ("bool", "bool", "?", "x[0] > 0", True),
    "byte": ("uint8_t", "uint8", "B", "200 + x[0]", 201), "long": ("long", "int32", "i", "-x[3]", -3),
    "wide": ("long long", "int64", "q", "x[3] * 1e10", 30000000000), "double": ("double", "float64", "d", "x[0] / 4", 0.25),
    "char": ("char", "uint8", "B", "x[3]", 3), "constant reference": ("const float &", "float32", "f", "x[3]", 3.0),
}


@each(RESULTS, needs=[QEMU])
def results(case, label):
    kind, dtype, letter, expression, value = RESULTS[label]
    case.generate(case.write("model.h", "enum Class : int { first = 1, second };\nstruct M { " + kind +
                             f" run(const float *x) {{ return {expression}; }} }};\nclass X;\n"),
                  "--entry", f"M::run(in:float[4]{') -> ' if '&' in kind else ', '}out:{dtype}[1]{'' if '&' in kind else ')'}")
    computes(case, "model", [packed(X, "f")], [packed([value], letter)])


@test(needs=[QEMU])
def state(case):
    """What an object keeps belongs to the instance, like variables of C."""
    case.generate(case.write("model.h", "class M { int n = 0; int by = 5; public: int run(const float *x) { return n += by; } };\n"),
                  "--entry", "M::run(in:float[4], out:int32[1])")
    computes(case, "model", [packed(X, "f")], [packed([5], "i")])


WRONG = {  # entry: status, id, what is said
    "M::run(in:double[4], out:float[2])": (9, "RP2908", "float64 is given, float32 is declared"),
    "M::run(in:float[4], out:int32[2])": (9, "RP2908", "int32 is given"),
    "M::run(out:float[4], out:float[2])": (9, "RP2908", "const"),
    "M::run(in:float[5], out:float[2])": (9, "RP2908", "5"),
    "M::run(in:float[4], out:float[3])": (9, "RP2908", "3"),
    "M::over(in:int32[4], out:float[2])": (4, "RP2400", "no matching function"),
    "M::array(in:float[4], out:float[3])": (4, "RP2400", "cannot convert"),
    "M::run(in:float[4])": (9, "RP2902", "a model needs an output"),
    "M::run(in:float[4], out:float[2], 3)": (4, "RP2400", "no matching function"),
    "M::number(in:float[4]) -> out:int32[1]": (9, "RP2908", "int32 is given"),
    "M::number(in:float[4]) -> out:float[1]": (9, "RP2908", "float64"),
    "M::own(in:float[4]) -> out:float[1]": (4, "RP2400", "gives what the function returns another type"),
    "M::hidden(in:float[4], out:float[2])": (4, "RP2400", "private"),
    "M::nothing(in:float[4], out:float[2])": (4, "RP2400", "no member named 'nothing'"),
    "N::run(in:float[4], out:float[2])": (4, "RP2400", "N"),
    "run(in:float[4], out:float[2])": (9, "RP2902", "there is no function 'run'; defined are"),
    "M:run(in:float[4], out:float[2])": (9, "RP2902", "expected"),
    "M::(in:float[4], out:float[2])": (9, "RP2902", "expected the name"),
    "M::run<(in:float[4], out:float[2])": (9, "RP2902", "expected the name"),
    "M::run;evil(in:float[4], out:float[2])": (9, "RP2902", "expected '('"),
    "M::9(in:float[4], out:float[2])": (9, "RP2902", "expected the name"),
}
CLASS = """class Own {};
class M {
    void hidden(const float *x, float *y) {}
public:
    void run(const float x[4], float y[2]) { BODY }
    void over(const float *x, float *y) {}
    void over(const double *x, float *y) {}
    void array(const float *x, float (&y)[2]) {}
    double number(const float *x) { return 1; }
    Own own(const float *x) { return {}; }
};
""".replace("BODY", PLAIN)


@each([str(i) for i in range(len(WRONG))])
def refused(case, number):
    entry, (status, error_id, said) = list(WRONG.items())[int(number)]
    has(case.refuse(status, error_id, case.write("model.h", CLASS), "--entry", entry), said)


OBJECTS = {  # class: what is said
    "code": ("extern \"C\" float start(void); class M { float by; public: M() : by(start()) {} RUN };", "the class 'M' of --entry has no constant initialiser"),
    "arguments": ("class M { public: explicit M(int) {} RUN };", "no object of the class 'M' of --entry can be made: no matching function"),
    "deleted": ("class M { public: M() = delete; RUN };", "no object of the class 'M' of --entry can be made: use of deleted"),
    "abstract": ("class M { public: virtual float other() = 0; RUN };", "abstract"),
    "destructor": ("class M { public: ~M() { n = 0; } int n = 0; RUN };", "error RP2403"),
}


@each(OBJECTS)
def objects(case, label):
    code, said = OBJECTS[label]
    run = "void run(const float *x, float *y) { " + PLAIN + " }"
    err = case.generate(case.write("model.h", code.replace("RUN", run) + "\n"), "--entry", "M::run(in:float[4], out:float[2])", status=4).err
    has(err, said)
    has_not(err, "header_calls.cpp:0")


@test
def what_there_is(case):
    """Without an entry, and with a wrong one, the functions of the classes are named, with a call to copy."""
    err = case.refuse(9, "RP2902", case.write("svm.h", SVM))
    has(err, f"defined are {PREDICT} (line 11)", f"--entry '{PREDICT}(in x:float32[N]) -> out:int32[1]'")
    has(case.refuse(9, "RP2902", case.dir / "svm.h", "--entry", PREDICT), "returns a value", f"'{PREDICT}(in x:float32[N]) -> out:int32[1]'")
    source = case.write("model.cpp", "void run(const float x[4], float y[2]) { " + PLAIN + " }\n")
    has(case.refuse(9, "RP2902", source, "--entry", "run"), "C cannot call it", "--entry '::run(")
    case.generate(source, "--entry", "::run")


@test
def broken(case):
    """Text that our reader cannot follow is the compiler's to refuse."""
    for text in ("class M { public: void run(const float *x, float *y) {", "class M { } } } void f() {", "namespace a { class M", "class M { char c = '",
                 "class M;\n", "template <class T> class M { void run(T) };", "class M : public { };", "namespace ::a {}", "class { public: int x; };"):
        err = case.generate(case.write("model.h", text), "--entry", "M::run(in:float[4], out:float[2])", status=None)
        check(err.status in (4, 9), err.show())
        err = case.generate(case.dir / "model.h", status=None)
        check(err.status in (4, 9), err.show())


@test
def elsewhere(case):
    """Names of C++ are for code of C++ compiled by gcc."""
    header = case.write("svm.h", SVM)
    entry = ["--entry", f"{PREDICT}(in:float[4]) -> out:int32[1]"]
    has(case.refuse(4, "RP2400", header, *entry, "-r", "llvm"), "clang does not compile C++")
    has(case.refuse(4, "RP2400", header, *entry, "--compare-toolchains"), "clang does not compile C++")
    source = case.write("model.c", "void run(const float x[4], float y[2]) { " + PLAIN + " }\n")
    has(case.refuse(9, "RP2902", source, "--entry", "a::run(in:float[4], out:float[2])"), "a function of C++, but", "is C")
    manifest = case.write("m.json", '{"sources": ["model.c"], "entry": "a::run(x) -> y", "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}], '
                          '"outputs": [{"name": "y", "dtype": "float32", "shape": [1]}]}')
    case.refuse(9, "RP2903", manifest)
    tree = case.write("tree.h", "// generated using emlearn\nnamespace a {}\n")
    check(case.generate(tree, "--entry", "a::run(in:float[4], out:float[2])", status=None).status != 0, "emlearn has no C++")
