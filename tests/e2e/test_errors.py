# SPDX-License-Identifier: Apache-2.0
"""Failures and their messages: exit code, id, the names of both sides, a way out."""
import os
import re
import stat
import subprocess

import kit
from kit import CROSS, EXAMPLES, check, each, equal, has, has_not, matches, test

TINY = EXAMPLES / "tiny" / "tiny.c"
ENTRY = "void entry(const float in[1], float out[1]) { %s }\n"


# ---- 2: the command line ----

USAGE = {
    "no_target": (["generate", "-i", TINY], ["the target is missing", "relocpack targets"]),
    "unknown_target": (["generate", "-i", TINY, "--target", "stm32x9"], ["stm32x9", "stm32f0", "relocpack targets lists all"]),
    "unknown_core": (["generate", "-i", TINY, "--mcu", "cortex-m9"], ["cortex-m9"]),
    "target_and_mcu": (["generate", "-i", TINY, "--target", "f4", "--mcu", "m4"], ["exclude each other"]),
    "unknown_option": (["generate", "-i", TINY, "--targt", "f4"], ["--targt is not known", "generate --help"]),
    "unknown_letter": (["generate", "-Z"], ["-Z is not known"]),
    "ambiguous": (["generate", "--no"], ["--no is ambiguous"]),
    "value_missing": (["generate", "-i"], ["-i needs a value"]),
    "value_not_wanted": (["generate", "--split=1"], ["--split takes no value"]),
    "no_number": (["generate", "-j", "many"], ["'many'"]),
    "no_size": (["generate", "--weights-threshold", "12G"], ["'12G'"]),
    "negative": (["generate", "--weights-threshold", "-1"], ["'-1'"]),
    "too_large": (["generate", "--weights-threshold", "99999999999"], ["99999999999"]),
    "budget_key": (["generate", "-i", TINY, "--target", "f4", "--budget", "rom=1"], ["'rom'", "flash"]),
    "budget_form": (["generate", "-i", TINY, "--target", "f4", "--budget", "flash"], ["KEY=N"]),
    "reloc_item": (["generate", "-i", TINY, "--target", "f4", "-r", "spilt"], ["unknown -r item 'spilt'", "split"]),
    "dialect": (["generate", "-i", TINY, "--target", "f4", "--dialect", "onnx"], ["'onnx'", "st-ai"]),
    "model_and_input": (["generate", "-i", TINY, "-m", TINY, "--target", "f4"], ["--model and --input"]),
    "extra_word": (["generate", TINY, "--target", "f4"], ["tiny.c", "-i"]),
    "name_slash": (["generate", "-i", TINY, "--target", "f4", "-n", "a/b"], ["'a/b'"]),
    "name_empty": (["generate", "-i", TINY, "--target", "f4", "-n", ""], ["''"]),
    "command": (["generte"], ["'generte' is not a command", "--help"]),
    "shell": (["completion", "tcsh"], ["bash, zsh or fish"]),
    "explain": (["explain", "RP9999"], ["no error, warning or note with the id 'RP9999'"]),
    "verify_nothing": (["verify"], ["one image"]),
    "inspect_two": (["inspect", TINY, TINY], ["one file"]),
}


@each(list(USAGE))
def usage(case, label):
    words, parts = USAGE[label]
    result = case.relocpack(*words, status=2, cwd=case.dir)
    has(result.err, "relocpack: error RP2200: ", *parts)
    equal(result.out, "", "standard output")
    equal(os.listdir(case.dir), [], "files")


@test
def no_command_at_all(case):
    result = case.relocpack(status=2)
    has(result.err, "usage: relocpack COMMAND", "generate", "verify")
    equal(result.out, "", "standard output")


# ---- 3: tools ----

def sparse_path(case, *programs):
    """A PATH with these programs only."""
    folder = case.dir / "bin"
    folder.mkdir(exist_ok=True)
    for program in programs:
        found = case.run("sh", "-c", f"command -v {program}").out.strip()
        if not (folder / program).exists():
            (folder / program).symlink_to(found)
    return str(folder)


@test
def missing_compiler(case):
    message = case.refuse(3, "RP2300", TINY, env={"PATH": sparse_path(case, "make")})
    has(message, "arm-none-eabi-gcc", "apt-get install gcc-arm-none-eabi")
    message = case.refuse(3, "RP2300", TINY, "--cross-compile", "arm-nothing-")
    has(message, "arm-nothing-gcc", "--cross-compile")
    message = case.refuse(3, "RP2300", TINY, env={"CROSS_COMPILE": "arm-other-"})
    has(message, "arm-other-gcc")


@test
def missing_make(case):
    message = case.refuse(3, "RP2300", TINY,
                          env={"PATH": sparse_path(case, "arm-none-eabi-gcc", "arm-none-eabi-as")})
    has(message, "'make' was not found", "apt-get install make")


@test
def old_compiler(case):
    """It fails on an option that it does not know, or does nothing at all; what has to be said is its version."""
    folder = case.dir / "old"
    for rest in ("", '; case "$*" in *-dumpfullversion*) ;; *) echo "error: unrecognized command line option" >&2; exit 1;; esac'):
        script = case.write("old/old-gcc", f"#!/bin/sh\necho 4.9.3{rest}\n")
        script.chmod(0o755)
        message = case.refuse(3, "RP2301", TINY, "--cross-compile", f"{folder}/old-")
        has(message, "'4.9.3'", "8 or later")


@test
def missing_emulator(case):
    case.generate(TINY)
    result = case.verify(case.dir / "out/tiny_rel.bin", "--emulator", "qemu-nothing", status=3)
    has(result.err, "error RP2300", "qemu-nothing")


@test
def doctor_says_what_is_missing(case):
    has(case.relocpack("doctor", "x", status=2).err, "error RP2200: doctor takes no argument: 'x'")
    has(case.relocpack("doctor").out, "arm-none-eabi-gcc", "make", "newlib", "templates")
    result = case.relocpack("doctor", status=3, env={"PATH": sparse_path(case, "make")})
    has(result.out, "MISSING  arm-none-eabi-gcc", "apt-get install gcc-arm-none-eabi", "MISSING  newlib",
        "absent   ccache", "ok       make")
    has(result.err, "error RP2300")


@test
def unusable_launcher(case):
    has(case.refuse(3, "RP2300", TINY, "--launcher", "no-such-launcher"), "no-such-launcher")
    has(case.refuse(4, "RP2400", TINY, "--launcher", "false"), "the compiler failed")


# ---- 4: compiling and linking ----

@test
def syntax_error(case):
    source = case.write("broken model.c", "int before;\n" + ENTRY % "out[0] = in[0] +;" + "".join(
        f"int f{i}(void) {{ return undeclared_{i}; }}\n" for i in range(40)))
    log = case.dir / "log.txt"
    message = case.refuse(4, "RP2400", source, "--log", log, hint="--log")
    has(message, f"{source}:2:", "error: expected expression")
    has_not(message, "undeclared_30", "make:", "make[", "obj/")
    check(len(message.splitlines()) < 30, "more than the first diagnostics")
    has(log.read_text(), "undeclared_30", str(source))


@test
def syntax_error_behind_the_entry(case):
    """The entry's declaration is read without a full compilation; the error is found nevertheless."""
    source = case.write("late.c", ENTRY % "out[0] = in[0];" + "int late(void) { return nothing_here; }\n")
    has(case.refuse(4, "RP2400", source), f"{source}:2:", "nothing_here")


@test
def missing_header(case):
    source = case.write("header.c", '#include "not_there.h"\n' + ENTRY % "out[0] = in[0];")
    has(case.refuse(4, "RP2400", source), f"{source}:1:", "not_there.h")


@test
def constructor(case):
    source = case.write("ctor.c", "static int ready;\n__attribute__((constructor)) static void set(void) "
                        "{ ready = 1; }\n" + ENTRY % "out[0] = in[0] + ready;")
    has(case.refuse(4, "RP2403", source), str(source), ".init_array")


@test
def destructor(case):
    source = case.write("dtor.c", "int left;\n__attribute__((destructor)) static void set(void) "
                        "{ left = 1; }\n" + ENTRY % "out[0] = in[0] + left;")
    has(case.refuse(4, "RP2403", source), str(source), ".fini_array")


@test
def thread_local(case):
    source = case.write("tls.c", "__thread int mine = 4;\n" + ENTRY % "out[0] = in[0] + mine++;")
    has(case.refuse(4, "RP2404", source), str(source), "thread-local")
    outside = case.write("tls2.c", "extern __thread int theirs;\n" + ENTRY % "out[0] = theirs;")
    result = case.generate(outside, status=None)
    check(result.status in (4, 6), f"status {result.status}")
    has(result.err, "tls2.c")


@test
def orphan_section(case):
    source = case.write("orphan.c", 'static int __attribute__((section(".my_own"), noinline)) put(int x) { return 3 * x; }\n' +
                        ENTRY % "out[0] = put(in[0]);")
    message = case.refuse(4, "RP2405", source)
    has(message, ".my_own", str(source))
    has_not(message, "obj/0")


@test
def multiple_definition(case):
    first = case.write("one.c", "int shared(void) { return 1; }\n" + ENTRY % "out[0] = shared();")
    second = case.write("two.c", "int shared(void) { return 2; }\n")
    manifest = case.write("m.json", '{"sources": ["one.c", "two.c"]}')
    message = case.refuse(4, "RP2401", manifest)
    has(message, "it defines 'shared'", "defines as well", first.name, second.name)
    has_not(message, "obj/0")


@each(["core", "float_abi", "host"])
def object_of_another_target(case, what):
    user = case.write("user.c", "int helper(int);\n" + ENTRY % "out[0] = helper(3);")
    helper = case.write("helper.c", "int helper(int i) { return i; }\n")
    alien = case.dir / "alien.o"
    if what == "host":
        case.run("cc", "-c", helper, "-o", alien)
        has(case.refuse(9, "RP2906", user, "--runtime-lib", alien), "alien.o")
        return
    flags = {"core": ["-mcpu=cortex-m33", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"],
             "float_abi": ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft"]}[what]
    case.run(f"{CROSS}gcc", *flags, "-c", *kit.PIC, helper, "-o", alien)
    said = {"core": ["Armv8-M Mainline (Cortex-M33)", "the target is Cortex-M4"],
            "float_abi": ["passes floating-point arguments in core registers", "-mfloat-abi=hard"]}[what]
    has(case.refuse(4, "RP2402", user, "--runtime-lib", alien, hint="relocpack targets"), "alien.o", *said)
    archive = case.dir / "libalien.a"
    case.run(f"{CROSS}ar", "rcs", archive, alien)
    has(case.refuse(4, "RP2402", user, "--runtime-lib", archive), "libalien.a(alien.o)")


@test
def older_object_may_be_used(case):
    """An object for Cortex-M3 without floating point runs on an M4, so it is not refused."""
    user = case.write("user.c", "int helper(int);\n" + ENTRY % "out[0] = helper(3);")
    helper = case.write("helper.c", "int helper(int i) { return i; }\n")
    old = case.dir / "old.o"
    case.run(f"{CROSS}gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16",
             *kit.PIC, "-c", helper, "-o", old)
    case.generate(user, "--runtime-lib", old, target="stm32h7")
    equal([entry["path"] for entry in case.report("user")["inputs"]], ["user.c", "old.o"], "inputs")


# ---- 5: not position-independent ----

@test
def archive_that_cannot_move(case):
    user = case.write("user.c", "int lookup(int);\nstatic float step(int i) { return lookup(i) * 2.0f; }\n" +
                      ENTRY % "out[0] = step((int)in[0]);")
    source = case.write("part.c", "int values[4] = {1, 2, 3, 4};\n"
                        "int lookup(int i) { return values[i & 3]++; }\n")
    obj = kit.compile_object(case, source, case.dir / "part.o", pic=False)
    archive = case.dir / "libordinary.a"
    case.run(f"{CROSS}ar", "rcs", archive, obj)
    message = case.refuse(5, "RP2500", user, "--runtime-lib", archive, hint="-msingle-pic-base")
    has(message, "lookup", ".text.lookup", "libordinary.a(part.o)", "values", "user.c", "called by")


@test
def ways_around_the_flags_are_found(case):
    """--cflags cannot silently undo position independence."""
    source = case.write("undone.c", "int count = 3;\n" + ENTRY % "out[0] = in[0] + count++;")
    has(case.refuse(5, "RP2500", source, "--cflags", "-fno-pic"), "entry", "undone.c", "count")
    assembler = case.write("asm.c", '''
int value = 3;
__asm__(".text\\n.thumb_func\\n.type get,%function\\n.global get\\nget: movw r0, #:lower16:value\\n"
        "movt r0, #:upper16:value\\nldr r0,[r0]\\nbx lr\\n.size get,.-get\\n");
int get(void);
''' + ENTRY % "out[0] = get();")
    message = case.refuse(5, "RP2500", assembler)
    has(message, "get", "value", "asm.c", "MOVW_ABS")


@test
def c_library_functions_that_cannot_move(case):
    """Functions that the tool does not provide are named with the path from the user's code to them."""
    source = case.write("gamma.c", "#include <math.h>\nstatic float deep(float x) { return tgammaf(x); }\n" +
                        ENTRY % "out[0] = deep(in[0]);")
    result = case.generate(source, status=None)
    check(result.status in (5, 6), result.show())
    has(result.err, "gamma", "gamma.c", "libm.a(")


# ---- 6: undefined symbols ----

@test
def undefined_symbols_all_at_once(case):
    source = case.write("undefined.c", """
extern float missing_one(float);
extern int missing_variable;
extern void missing_two(float *);
static float inner(float x) { return missing_one(x) + missing_variable; }
""" + ENTRY % "out[0] = inner(in[0]); missing_two(out);")
    other = case.write("second.c", "extern int missing_three(int);\nint used(int i) { return "
                       "missing_three(i); }\n")
    manifest = case.write("m.json", '{"sources": ["undefined.c", "second.c"], "entry": "entry"}')
    message = case.refuse(6, "RP2600", manifest, hint="--runtime-lib")
    has(message, "missing_one", "missing_two", "missing_variable", "entry", str(source))
    has_not(message, "missing_three")  # nothing in the image needs it
    case.write("undefined.c", "int used(int);\nextern int missing_one(int);\n" +
               ENTRY % "out[0] = used(1) + missing_one(2);")
    has(case.refuse(6, "RP2600", manifest), "'missing_three' needed by used", str(other), "'missing_one'")


@test
def printf_needs_an_operating_system(case):
    source = case.write("talk.c", "#include <stdio.h>\n" + ENTRY % 'printf("%f\\n", (double)in[0]); out[0] = 1;')
    result = case.generate(source, status=None)
    check(result.status in (5, 6), result.show())
    has(result.err, "talk.c", "printf")
    check(not (case.dir / "out").exists(), "an output folder")


@test
def malloc_needs_an_operating_system(case):
    source = case.write("heap.c", "#include <stdlib.h>\n" + ENTRY % "static float *volatile p; p = malloc(80 + "
                        "(int)in[0]); p[3] = in[0]; out[0] = p[3]; free(p);")
    has(case.refuse(6, "RP2600", source, hint="with --heap SIZE"), "heap.c", "_sbrk")
    case.generate(source, "--heap", "1K")


# ---- 9: input ----

@test
def inputs_that_are_none(case):
    has(case.refuse(9, "RP2900", case.dir / "missing.c"), "missing.c")
    has(case.refuse(9, "RP2900", case.write("empty.c", "")), "empty.c", "empty")
    has(case.refuse(9, "RP2900", case.write("binary.c", b"int a;\0\1\2\n")), "binary.c", "0 byte")
    has(case.refuse(9, "RP2901", case.write("notes.txt", "hello\n"), hint="-i takes the C file"), "notes.txt")
    (case.dir / "none").mkdir()
    has(case.refuse(9, "RP2900", case.dir / "none"), "none", "no generated C file")
    (case.dir / "two").mkdir()
    for name in ("a.c", "b.c"):
        case.write(f"two/{name}", ENTRY % "out[0] = in[0];")
    has(case.refuse(9, "RP2900", case.dir / "two", hint="-i "), "a.c", "b.c", "more than one")
    case.generate(case.dir / "two", "--name", "b")
    has(case.generate(case.dir / "missing dir" / "x.c", status=9, out="x").err, "missing dir")


@test
def default_input_is_named_when_missing(case):
    has(case.relocpack("generate", "--target", "f4", status=9, cwd=case.dir).err, "st_ai_output")


@test
def unreadable(case):
    source = case.write("secret.c", ENTRY % "out[0] = in[0];")
    source.chmod(0)
    if os.access(source, os.R_OK):  # root can read everything, so a folder stands in place of a file
        has(case.refuse(9, "RP2900", source / "below.c"), "below.c")
        return
    has(case.refuse(9, "RP2900", source), "secret.c", "Permission denied")


@test
def special_files(case):
    os.mkfifo(case.dir / "pipe.c")
    has(case.refuse(9, "RP2900", case.dir / "pipe.c", timeout=20), "pipe.c")
    has(case.refuse(9, "RP2900", "/dev/null"), "/dev/null")
    loop = case.dir / "loop.c"
    loop.symlink_to(loop)
    has(case.refuse(9, "RP2900", loop), "loop.c")
    check(stat.S_ISFIFO(os.stat(case.dir / "pipe.c").st_mode), "the pipe")


ENTRIES = {
    "two_candidates": ("void f(const float a[1], float b[1]) { b[0] = a[0]; }\n"
                       "void g(const float a[1], float b[1]) { b[0] = a[0]; }\n", [], ["f (line 1)", "g (line 2)"]),
    "none": ("static int x;\nint f(void) { return x; }\n", [], ["f (line 2)", "--entry"]),
    "all_static": ("static void f(const float a[1], float b[1]) { b[0] = a[0]; }\n", [], ["none"]),
    "unknown_name": ("void f(const float a[1], float b[1]) { b[0] = a[0]; }\n", ["--entry", "ff"], ["'ff'", " f (line 1)"]),
    "pointer": ("void entry(const float *a, float b[1]) { b[0] = a[0]; }\n", [], ["'a'", ":1:", "dimensions"]),
    "incomplete": ("void entry(const float a[], float b[1]) { b[0] = a[0]; }\n", [], ["'a'", "dimensions"]),
    "by_value": ("void entry(const float a[2], float b[1], int n) { b[0] = a[n]; }\n", [], ["'n'"]),
    "struct": ("struct s { int x; };\nvoid entry(const struct s a[2], float b[1]) { b[0] = a[0].x; }\n", [], ["'a'", ":2:"]),
    "half": ("void entry(const __fp16 a[2], float b[1]) { b[0] = a[0]; }\n", ["--cflags", "-mfp16-format=ieee"], ["'a'"]),
    "returns": ("int entry(const float a[2], float b[1]) { b[0] = a[0]; return 1; }\n", [], ["returns a value", "--entry"]),
    "no_output": ("void entry(const float a[2], const float b[1]) { (void)a; (void)b; }\n", [], ["no output"]),
}


@each(list(ENTRIES))
def entry_not_found(case, label):
    text, words, parts = ENTRIES[label]
    has(case.refuse(9, "RP2902", case.write("model.c", text), *words), "model.c", *parts)


ENTRY_TYPOS = ["tiny(", "tiny(in:float[4]", "tiny(in:float[4])", "tiny(in:flaot[4], out:float[2])",
               "tiny(inn:float[4], out:float[2])", "tiny(in:float[0], out:float[2])",
               "tiny(in:float[4,], out:float[2])", "tiny(in:float, out:float[2])", "1tiny",
               "tiny(in:float[4], out:float[2]) more", "tiny(in:float[4]; out:float[2])", "",
               "tiny(in:float[99999999999], out:float[2])", "tiny[in:float[4]]",
               "tiny(in:float[1,1,1,1,1,1,1,1,1], out:float[2])", "tiny(out:float[2] in:float[4])"]


@test
def entry_typos(case):
    for typo in ENTRY_TYPOS:
        has(case.refuse(9, "RP2902", TINY, "--entry", typo), "--entry", f"'{typo}'")


@test
def entry_of_another_name(case):
    result = case.generate(TINY, "--entry", "tyni(in:float[4], out:float[2])", status=9)
    has(result.err, "error RP2902", "'tyni'")


GOOD = ('"sources": ["tiny.c"], "entry": "tiny", "inputs": [{"name": "x", "dtype": "float32", "shape": [1, 4]}], '
        '"outputs": [{"name": "y", "dtype": "float32", "shape": [1, 2]}]')
MANIFESTS = {
    "not_json": ("{", ["m.json"]), "array": ("[]", ["not a JSON object"]), "empty": ("", ["m.json"]),
    "trailing": ("{%s} x" % GOOD, ["m.json"]),
    "no_sources": ('{"entry": "f"}', ["sources"]), "unknown": ('{%s, "surces": []}' % GOOD, ["'surces'"]),
    "sources_type": ('{"sources": "tiny.c"}', ["'sources'", "array of strings"]),
    "empty_source": ('{"sources": [""]}', ["'sources'"]),
    "name": ('{%s, "name": "a b"}' % GOOD, ["'name'", "C identifier"]),
    "keyword": ('{%s, "name": "int"}' % GOOD, ["'name'"]),
    "no_entry": ('{"sources": ["tiny.c"], "inputs": [], "outputs": [{"dtype": "int8", "shape": [1]}]}', ["entry"]),
    "dtype": ('{%s}' % GOOD.replace("float32", "float33", 1), ["'dtype'"]),
    "shape_zero": ('{%s}' % GOOD.replace("[1, 4]", "[0]"), ["'shape'"]),
    "shape_fraction": ('{%s}' % GOOD.replace("[1, 4]", "[1.5]"), ["'shape'"]),
    "shape_long": ('{%s}' % GOOD.replace("[1, 4]", "[1,1,1,1,1,1,1,1,1]"), ["'shape'"]),
    "tensor_member": ('{%s}' % GOOD.replace('"name": "x"', '"nmae": "x"'), ["'nmae'"]),
    "no_shape": ('{%s}' % GOOD.replace(', "shape": [1, 4]', ""), ["dtype and shape"]),
    "zero_point": ('{"sources": ["tiny.c"], "entry": "tiny", "outputs": [{"dtype": "int8", "shape": [1], '
                   '"scale": 0.5, "zero_point": 128}]}', ["zero_point 128", "int8"]),
    "arguments": ('{%s, "arguments": ["x", "z"]}' % GOOD, ["'arguments'"]),
    "arguments_short": ('{%s, "arguments": ["x"]}' % GOOD, ["'arguments'"]),
    "arguments_twice": ('{%s, "arguments": ["x", "y", "y"]}' % GOOD, ["'arguments'"]),
}


@each(list(MANIFESTS))
def bad_manifest(case, label):
    text, parts = MANIFESTS[label]
    case.write("tiny.c", TINY.read_text())
    has(case.refuse(9, "RP2903", case.write("m.json", text)), "m.json", *parts)


@test
def manifest_with_missing_files(case):
    manifest = case.write("m.json", '{"sources": ["gone.c"], "entry": "tiny"}')
    has(case.refuse(9, "RP2900", manifest), "gone.c")
    case.write("tiny.c", TINY.read_text())
    manifest = case.write("n.json", '{%s, "libraries": ["gone.a"]}' % GOOD)
    result = case.generate(manifest, status=9)
    has(result.err, "gone.a")
    empty = case.write("empty.a", b"")
    has(case.generate(case.dir / "tiny.c", "--runtime-lib", empty, status=9).err, "empty.a")
    text = case.write("text.a", "not an archive\n" * 9)
    has(case.generate(case.dir / "tiny.c", "--runtime-lib", text, status=9).err, "text.a")


@test
def bad_budget_files(case):
    for text, parts in (("[1]", []), ('{"flash": ["1K"]}', []), ('{"flash": -1}', []), ("{", [])):
        file = case.write("b.json", text)
        has(case.generate(TINY, "--budget-file", file, status=9).err, "error RP2903", "b.json", *parts)
    file = case.write("b.json", '{"falsh": 1}')
    result = case.generate(TINY, "--budget-file", file, status=None)
    check(result.status in (2, 9), result.show())
    has(result.err, "'falsh'")
    has(case.generate(TINY, "--budget-file", case.dir / "none.json", status=9).err, "none.json")


# ---- 1: the system ----

@test
def output_that_cannot_be_written(case):
    blocked = case.write("file", "in the way")
    has(case.generate(TINY, out="file/below", status=1).err, "error RP2100", "file")
    equal(blocked.read_text(), "in the way", "the file")
    (case.dir / "out" / "tiny_rel.bin").mkdir(parents=True)
    message = case.generate(TINY, status=1).err
    has(message, "error RP2100", "tiny_rel.bin")
    equal(sorted(kit.snapshot(case.dir / "out")), ["tiny_rel.bin"], "output folder")


@test
def full_disk_for_messages(case):
    with open("/dev/full", "w", encoding="ascii") as full:
        done = subprocess.run([case.tool, "targets"], stdout=full, stderr=-1, check=False,
                                            env=case.env)
    equal(done.returncode, 1, "exit status with a full standard output")
    has(done.stderr.decode(), "error RP2100", "standard output")


@test
def workspace_that_cannot_be_made(case):
    message = case.refuse(1, "RP2100", TINY, env={"TMPDIR": case.dir / "not there"})
    has(message, "not there")


@test
def templates_missing(case):
    copy = case.dir / "bin" / "relocpack"
    copy.parent.mkdir()
    copy.write_bytes(open(case.tool, "rb").read())
    copy.chmod(0o755)
    result = case.run(copy, "generate", "-i", TINY, "--target", "f4", "-o", case.dir / "out", status=None,
                      env={"RELOCPACK_DATADIR": case.dir / "wrong"})
    if result.status != 0:  # 0 only when an installed copy is found
        equal(result.status, 1, "exit status")
        has(result.err, "templates", "RELOCPACK_DATADIR")


# ---- explain ----

@test
def every_error_is_explained(case):
    everything = case.relocpack("explain").out.splitlines()
    listed = [line for line in everything if not line.startswith("RP1")]
    check(len(listed) > 25, f"only {len(listed)} errors")
    notes = [matches(line, r"^(RP1\d\d\d)  (note|warning) +(.+)$") for line in everything if line.startswith("RP1")]
    page = (kit.ROOT / "docs/CLI.md").read_text(encoding="utf-8")
    equal([found.group(1) for found in notes], re.findall(r"^\| (RP1\d\d\d) \|", page, re.M), "notes and warnings")
    for found in notes:
        text = case.relocpack("explain", found.group(1)).out
        equal(" ".join(text.split()), f"{found.group(1)}: a {found.group(2)} {found.group(3)}", "note")
    for line in listed:
        found = matches(line, r"^(RP2(\d)\d\d)  exit (\d)  (.+)$")
        equal(found.group(2), found.group(3), f"second digit and exit code of {found.group(1)}")
        text = case.relocpack("explain", found.group(1)).out
        has(text, found.group(4), f"exit code {found.group(3)}")
        check(len(text.splitlines()) > 2 and max(map(len, text.splitlines()[2:])) < 80, f"text: {text}")
    equal(case.relocpack("explain", "2500").out, case.relocpack("explain", "RP2500").out, "without RP")
    equal(case.relocpack("explain", "rp2500").out, case.relocpack("explain", "RP2500").out, "in small letters")


@test
def library_named_in_warning_stays_usable(case):
    """A model that brings its own expf uses its own."""
    source = case.write("own.c", "float expf(float x) { return x + 1.0f; }\n" + ENTRY % "out[0] = expf(in[0]);")
    case.generate(source)
    text = (case.dir / "out" / "own_generate_report.txt").read_text()
    has_not(text, "expf                     relocpack")
    check("expf" not in [entry["symbol"] for entry in case.report("own")["archive_members"]], "expf imported")
