# SPDX-License-Identifier: Apache-2.0
"""--source FOLDER: its files are compiled when something needs them, and the image is that of all of them compiled.
Each way in which C can define a name without writing it where a reader looks is tried."""
import json
import re

import kit
from kit import CROSS, QEMU, check, each, equal, has, has_not, test

MODEL = """float k_scale(float);
void entry(const float x[4], float y[4]) { for (int i = 0; i < 4; i++) y[i] = k_scale(x[i]); }
"""
ADD = "float k_add(float v) { return v + 1; }\n"
SCALE = "float k_add(float);\nfloat k_scale(float v) { return k_add(v) * 2; }\n"
UNUSED = {f"u{i}.c": f"float unused_{i}(float v) {{ return v * {i}; }}\nfloat table_{i}[4] = {{ 1, 2 }};\n" for i in range(4)}


def write(case, files):
    for name, text in files.items():
        case.write(f"k/{name}", text)
    return case.dir / "k"


def compiled(result):
    """The files of the folder that were compiled, by the commands that are printed; some once more without r9."""
    return sorted(set(re.findall(r"/k/(\S+\.c)'? -o obj/\d+\.o", result.err)))


def package(case, files, *words, model=MODEL, want=None):
    """Packages with the folder, and with each of its files named. Both images have to be the same."""
    folder = write(case, files)
    source = case.write("model.c", model)
    result = case.generate(source, "-I", folder, "--source", folder, "-v", *words)
    named = [word for name in sorted(files) if name.endswith(".c") for word in ("--source", folder / name)]
    case.generate(source, "-I", folder, *named, *words, out="all")
    image = case.dir / "out/model_rel.bin"
    equal(image.read_bytes(), (case.dir / "all/model_rel.bin").read_bytes(), "the image of all files")
    if want is not None:
        equal(compiled(result), want, "files that were compiled")
    case.verify(image, "--input", case.write("x.csv", "1,2,3,4\n"), "--save-output", case.dir / "y.csv")
    return [float(y) for y in (case.dir / "y.csv").read_text().split(",")]


# What is in the folder, which of it is compiled, and what the model computes from 1, 2, 3, 4.
WAYS = {
    "plain": ({"a.c": ADD, "s.c": SCALE}, ["a.c", "s.c"], [4, 6, 8, 10]),
    "by_a_macro_of_a_header": (
        {"k.h": "#define MAKE(name) float k_##name(float v)\n", "a.c": '#include "k.h"\nMAKE(add) { return v + 1; }\n', "s.c": SCALE,
         "o.c": '#include "k.h"\nMAKE(other) { return v; }\n'}, ["a.c", "s.c"], [4, 6, 8, 10]),
    "by_parts_with_a_number": (
        {"k.h": "#define GLUE(a, b) a##b\n#define NAME(n) GLUE(k_s, n)\n",
         "s.c": '#include "k.h"\nfloat NAME(cale)(float v) { return v * 3; }\n'}, ["s.c"], [3, 6, 9, 12]),
    "renamed_by_a_header": (
        {"k.h": "#define inner k_scale\n", "s.c": '#include "k.h"\nfloat inner(float v) { return v * 3; }\n'}, ["s.c"], [3, 6, 9, 12]),
    "in_a_file_that_is_included": (
        {"body.inc": "float FN(float v) { return v * 3; }\n", "s.c": '#define FN k_scale\n#include "body.inc"\n'}, ["s.c"], [3, 6, 9, 12]),
    "in_a_header": ({"k.h": "float k_scale(float v) { return v * 3; }\n", "s.c": '#include "k.h"\n'}, ["s.c"], [3, 6, 9, 12]),
    "as_an_alias": (
        {"s.c": 'static float f(float v) { return v * 3; }\nfloat k_scale(float) __attribute__((alias("f")));\n'}, ["s.c"], [3, 6, 9, 12]),
    "by_an_asm_label": (
        {"s.c": 'float f(float v) __asm__("k_scale");\nfloat f(float v) { return v * 3; }\n'}, ["s.c"], [3, 6, 9, 12]),
    "by_a_pragma": (
        {"s.c": "float f(float v) { return v * 3; }\n#pragma weak k_scale = f\n"}, ["s.c"], [3, 6, 9, 12]),
    "in_assembly": (
        {"s.c": '__asm__(".text\\n.global k_scale\\n.thumb_func\\nk_scale: vadd.f32 s0, s0, s0\\nbx lr\\n");\n'}, ["s.c"], [2, 4, 6, 8]),
    "strong_over_weak": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\nfloat k_rest(float v) { return v; }\n",
         "t.c": "float k_scale(float v) { return v * 3; }\n"}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "strong_over_what_is_not_wanted": (
        {"s.c": "float k_scale(float v) { extern float hook(float); return hook(v); }\n"
                "__attribute__((weak)) float hook(float v) { return v * 5; }\n",
         "t.c": "float hook(float v) { return v * 3; }\n"}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "weak_reference": (
        {"s.c": "__attribute__((weak)) float hook(float);\nfloat k_scale(float v) { return hook ? hook(v) : v; }\n",
         "t.c": "float hook(float v) { return v * 3; }\n"}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "a_variable": (
        {"s.c": "extern float factor[];\nfloat k_scale(float v) { return v * factor[1]; }\n",
         "t.c": "typedef float t;\nt factor[2] = { 7, 3 };\n"}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "in_one_branch": (
        {"s.c": "#if defined(NEVER)\nfloat k_other(float v) {\n#else\nfloat k_scale(float v) {\n#endif\n    return v * 3;\n}\n"},
        ["s.c"], [3, 6, 9, 12]),
    "behind_a_macro_of_braces": (
        {"s.c": "#define BEGIN {\nfloat k_first(float v) BEGIN return v; }\nfloat k_scale(float v) { return v * 3; }\n"},
        ["s.c"], [3, 6, 9, 12]),
    "old_style_in_a_file_that_is_included": (
        {"s.c": "__attribute__((weak)) int hook(int v) { return v; }\nfloat k_scale(float v) { return v * hook(1); }\n",
         "t.inc": "int hook(v) int v; { return v * 3; }\n", "t.c": '#include "t.inc"\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "a_table_sized_by_a_type": (
        {"s.c": "__attribute__((weak)) int hook[4] = { 5 };\nfloat k_scale(float v) { return v * (3 + hook[0]); }\n",
         "t.inc": "int hook[sizeof(int)];\n", "t.c": '#include "t.inc"\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "of_a_type_in_parentheses": (
        {"s.c": "__attribute__((weak)) int hook = 5;\nfloat k_scale(float v) { return v * (3 + hook); }\n",
         "t.inc": "__typeof__(1) hook;\n", "t.c": '#include "t.inc"\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "itself_in_parentheses": (
        {"s.c": "__attribute__((weak)) int hook = 5;\nfloat k_scale(float v) { return v * (3 + hook); }\n",
         "t.inc": "int (hook);\n", "t.c": '#include "t.inc"\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "where_extern_is_a_macro": (
        {"s.c": "__attribute__((weak)) int hook = 5;\nfloat k_scale(float v) { return v * (3 + hook); }\n",
         "t.inc": "extern int hook;\n", "t.c": '#define extern\n#include "t.inc"\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "with_a_macro_for_a_body": (
        {"s.c": "__attribute__((weak)) int hook(int v) { return v; }\nfloat k_scale(float v) { return v * hook(1); }\n",
         "t.inc": "#define BODY { return 3; }\nint hook(int v) BODY\nint k_n;\n", "t.c": '#include "t.inc"\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "by_an_asm_label_of_parts": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
         "t.c": 'float f(float v) __asm__("k_" "scale");\nfloat f(float v) { return v * 3; }\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "by_an_asm_label_of_escapes": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
         "t.c": 'float f(float v) __asm__("k\\137scale");\nfloat f(float v) { return v * 3; }\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "over_two_lines_at_an_underscore": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
         "t.c": 'float k_\\\nscale(float v) { return v * 3; }\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "over_three_lines": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
         "t.c": 'float k_s\\\n\\\ncale(float v) { return v * 3; }\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "over_two_lines_with_a_blank": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
         "t.c": 'float k_s\\ \ncale(float v) { return v * 3; }\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "with_a_dollar": (
        {"s.c": "__attribute__((weak)) float k$(float v) { return v * 5; }\nfloat k_scale(float v) { return k$(v); }\n",
         "t.c": 'float k$(float v) { return v * 3; }\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "in_letters_of_others": (
        {"s.c": "__attribute__((weak)) float k\u00e4(float v) { return v * 5; }\nfloat k_scale(float v) { return k\u00e4(v); }\n",
         "t.c": 'float k\u00e4(float v) { return v * 3; }\n'}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "in_assembly_of_a_macro": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
         "t.c": '#define EXPORT(n, of) __asm__(".global " #n "\\n.thumb_set " #n ", " #of "\\n")\n'
                "float f(float v) { return v * 3; }\nvoid g(void) { EXPORT(k_scale, f); }\n"}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "in_assembly_of_capitals": (
        {"s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
         "t.c": "float f(float v) { return v * 3; }\nvoid g(void) { __asm__(\".GLOBAL k_scale\\n.THUMB_SET k_scale, f\\n\"); }\n"}, ["s.c", "t.c"], [3, 6, 9, 12]),
    "of_the_compiler": (
        {"m.c": "#include <stddef.h>\nvoid *memcpy(void *to, const void *from, size_t n) {\n    char *t = to;\n    const char *f = from;\n"
                "    for (size_t i = 0; i < n; i++) {\n        __asm__ volatile(\"\" : : : \"memory\");\n        t[i] = f[i];\n    }\n    return to;\n}\n",
         "s.c": "struct s { float v[64]; };\nvoid k_fill(struct s *);\nfloat k_scale(float v) { struct s a, b; k_fill(&a); b = a; k_fill(&b); "
                "return v * b.v[0]; }\n",
         "t.c": "struct s { float v[64]; };\nvoid k_fill(struct s *p) { p->v[0] = 3; }\n"}, ["m.c", "s.c", "t.c"], [3, 6, 9, 12]),
    "of_libgcc": (
        {"s.c": "float k_scale(float v) { return (float)((long long)(v * 30) / (long long)(v * 10)) * v; }\n",
         "z.c": "int zeros;\nlong long __aeabi_ldiv0(long long r) { zeros++; return r; }\n"}, ["s.c", "z.c"], [3, 6, 9, 12]),
}


@each(list(WAYS), needs=[QEMU])
def ways_to_define_a_name(case, way):
    files, want, outputs = WAYS[way]
    equal(package(case, {**UNUSED, **files}, want=want), outputs, "outputs")


@test(needs=[QEMU])
def other_compilers_and_forms(case):
    files = {**UNUSED, "a.c": ADD, "s.c": SCALE}
    for words in (["-r", "llvm"], ["-r", "copy-only"], ["-r", "split"], ["-r", "compact"], ["--cflags=-O0"]):
        equal(package(case, files, *words), [4, 6, 8, 10], f"outputs with {words}")
    equal(package(case, files, "--cflags=-include k.h -fcommon") if write(case, {"k.h": "int common;\n"}) else None,
          [4, 6, 8, 10], "outputs with text that is not followed")


@test(needs=[QEMU])
def what_a_library_needs(case):
    """An archive's members count; so does what only they need of the folder."""
    write(case, {**UNUSED, "a.c": ADD})
    source = case.write("lib.c", SCALE)
    obj = kit.compile_object(case, source, case.path("scale.o"))
    case.run(f"{CROSS}ar", "qc", case.path("lib.a"), obj)
    result = case.generate(case.write("model.c", MODEL), "--source", case.dir / "k", "--runtime-lib", case.dir / "lib.a", "-v")
    equal(compiled(result), ["a.c"], "files that were compiled")
    case.verify(case.dir / "out/model_rel.bin")


@test(needs=[QEMU])
def the_entry_in_the_folder(case):
    """It has to be read before anything is compiled: with its name, and without."""
    files = {**UNUSED, "e.c": MODEL, "a.c": ADD, "s.c": SCALE}
    case.generate(case.write("other.c", "int other;\n"), "--source", write(case, files), "--entry", "entry")
    case.verify(case.dir / "out/other_rel.bin")
    case.generate(case.dir / "other.c", "--source", case.dir / "k", out="unnamed")
    case.verify(case.dir / "unnamed/other_rel.bin")


@test
def files_that_are_not_needed(case):
    """They are like members of an archive: neither their errors nor their constructors matter."""
    files = {**UNUSED, "s.c": "float k_scale(float v) { return v; }\n", "broken.c": "#error for another core\n",
             "made.c": "int made;\n__attribute__((constructor)) static void make(void) { made = 1; }\n",
             "kept.c": "__attribute__((used, section(\".odd\"))) static const int odd = 1;\n"}
    result = case.generate(case.write("model.c", MODEL), "--source", write(case, files), "-v")
    equal(compiled(result), ["s.c"], "files that were compiled")
    report = json.loads((case.dir / "out/model_generate_rel.json").read_text())
    has(json.dumps(report["inputs"]), "s.c")
    has_not(json.dumps(report), "broken.c", "u1.c")
    case.refuse(4, "RP2400", case.dir / "model.c", "--source", case.dir / "k/s.c", "--source", case.dir / "k/broken.c")
    write(case, {"made.c": "int made;\n__attribute__((constructor)) static void make(void) { made = 1; }\nfloat k_scale(float v);\n"})
    case.refuse(4, "RP2403", case.dir / "model.c", "--source", case.dir / "k/s.c", "--source", case.dir / "k/made.c")


@test
def an_entry_that_is_refused(case):
    """Other sources cannot help, so their errors are not shown instead."""
    folder = write(case, {**UNUSED, "broken.c": "#error for another core\n"})
    model = case.write("model.c", MODEL.replace("void entry", "int entry").replace("}\n", "    return 0;\n}\n", 1))
    has(case.refuse(9, "RP2902", model, "--source", folder, hint="-> out:int32[1]"), "returns a value")


@test
def names_that_are_there_twice_or_not_at_all(case):
    files = {**UNUSED, "s.c": "float k_scale(float v) { return v; }\n", "t.c": "float k_scale(float v) { return -v; }\n"}
    has(case.refuse(4, "RP2401", case.write("model.c", MODEL), "--source", write(case, files)), "it defines 'k_scale', which", "defines as well")
    (case.dir / "k/t.c").unlink()
    write(case, {"t.c": "int second;\nfloat rest(float v) { return v; }\n", "s.c": "int second;\nfloat k_scale(float v) { return v; }\n"})
    has(case.refuse(4, "RP2401", case.dir / "model.c", "--source", case.dir / "k"), "it defines 'second', which", "defines as well")
    write(case, {"s.c": SCALE})
    (case.dir / "k/t.c").unlink()
    has(case.refuse(6, "RP2600", case.dir / "model.c", "--source", case.dir / "k"), "k_add")


@test
def inputs_that_change(case):
    """A depfile names also what was left out: it may come to define something. Nothing is printed in a pipe."""
    folder = write(case, {**UNUSED, "k.h": "", "s.c": '#include "k.h"\nfloat k_scale(float v) { return v; }\n'})
    result = case.generate(case.write("model.c", MODEL), "--source", folder, "--depfile", case.dir / "d")
    has_not(result.err, "compiling", "\r")
    has((case.dir / "d").read_text(), "k/s.c", "k/u1.c", "k/k.h")
    shown = case.generate(case.dir / "model.c", "--source", folder, "--dry-run", "-v", out="dry").err
    check("u1.c" in shown, "a dry run shows what may be compiled")


@test(needs=[QEMU])
def headers_of_the_environment(case):
    """A folder that a variable names may have any text, so all is compiled."""
    folder = write(case, {**UNUSED, "s.c": "__attribute__((weak)) float k_scale(float v) { return v * 5; }\n",
                          "t.c": '#include "names.h"\nfloat inner(float v) { return v * 3; }\n'})
    case.write("headers/names.h", "#define inner k_scale\n")
    result = case.generate(case.write("model.c", MODEL), "--source", folder, "-v", "--pass-env", "CPATH",
                           env={"CPATH": str(case.dir / "headers")})
    equal(compiled(result), ["s.c", "t.c", *UNUSED], "files that were compiled")
    image = case.dir / "out/model_rel.bin"
    case.verify(image, "--input", case.write("x.csv", "1,2,3,4\n"), "--save-output", case.dir / "y.csv", "--pass-env", "CPATH",
                env={"CPATH": str(case.dir / "headers")})
    equal((case.dir / "y.csv").read_text().split(), ["3,6,9,12"], "outputs")
