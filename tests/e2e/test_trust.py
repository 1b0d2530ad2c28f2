# SPDX-License-Identifier: Apache-2.0
"""What a report may make verify and run do. Reports come along with images from elsewhere: what they alone name is read, not started or loaded.
Each program here leaves a file behind, which must not be there after a refusal, and is there with --trust-report."""
import json
import shlex
import shutil

import kit
from kit import EXAMPLES, QEMU, check, each, equal, has, has_not, test
from test_generator import ONNX2C, on_path, onnx, program
from test_run import run

TINY = EXAMPLES / "tiny/tiny.c"
BIN = "{bin}"


def made(case, *words, source=TINY, name="tiny", **more):
    case.generate(source, *words, **more)
    return case.dir / f"out/{name}_rel.bin"


def rewrite(case, name="tiny", member="run", **members):
    """Changes what a report says that its image was made from."""
    path = case.dir / f"out/{name}_generate_rel.json"
    report = json.loads(path.read_text())
    report[member].update(members)
    path.write_text(json.dumps(report))


def shell(case, name, body):
    path = case.write(f"bin/{name}", f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def plugin(case):
    """A library that leaves a file behind when it is loaded."""
    case.write("p.c", '#include <fcntl.h>\nstatic void __attribute__((constructor)) go(void) { creat("%s", 0600); }\n' % (case.dir / "ran"))
    case.run("gcc", "-shared", "-fPIC", "-o", "bin/p.so", "p.c")
    return case.dir / "bin/p.so"


def prepare(case):
    """Programs that leave the file `ran` behind, in bin/, and do what they stand for. No cache stands in for them."""
    ran = case.dir / "ran"
    case.env["CCACHE_DISABLE"] = "1"
    for tool in ("gcc", "as", "ld"):
        shell(case, f"ev-{tool}", f'touch {ran}; exec arm-none-eabi-{tool} "$@"')
    for tool in ("as", "clang"):
        shell(case, tool, f'touch {ran}; exec /usr/bin/arm-none-eabi-as "$@"')
    plugin(case)
    case.write("bin/own.specs", "*cc1:\n+ -fplugin=%s\n" % (case.dir / "bin/p.so"))


def refused(case, result, *named):
    has(result.err, "error RP2202: the report '", "--trust-report", *named)
    equal(result.err.count("relocpack: error"), 1, "number of errors")
    equal(result.out, "", "standard output")
    check(not (case.dir / "ran").exists(), "it was started")


def hinted(result):
    """The options that the hint says, as words."""
    line = next(line for line in result.err.splitlines() if "or this one again: " in line)
    return shlex.split(line.split("or this one again: ")[1].split(", or give --trust-report")[0])


# ---- what is refused ----

FLAGS = {  # words of --cflags: what is named. With --trust-report, each leaves the file behind
    "specs": ([f"-specs={BIN}/own.specs"], f"-specs={BIN}/own.specs"),
    "specs, two dashes": ([f"--specs={BIN}/own.specs"], f"--specs={BIN}/own.specs"),
    "plugin": ([f"-fplugin={BIN}/p.so"], f"-fplugin={BIN}/p.so"),
    "module mapper": (["-Os", "-fmodules-ts", f"-fmodule-mapper=|{BIN}/map"], f"-fmodule-mapper=|{BIN}/map"),
    "assembler's list": ([f"-Wa,-a={BIN}/../ran"], f"-Wa,-a={BIN}/../ran"),
    "assembler's list by a word": (["-Xassembler", f"-a={BIN}/../ran"], "-Xassembler"),
    "a file of notes": ([f"-fopt-info-all={BIN}/../ran"], f"-fopt-info-all={BIN}/../ran"),
}
QUIET = {  # the same, of which the tool or gcc would not take the word, or of which nothing is left behind here
    "folder of programs": ([f"-B{BIN}"], f"-B{BIN}"),
    "folder in a word of its own": (["-O2", "-B", BIN], "-B"),
    "wrapper": (["-wrapper", f"{BIN}/as"], "-wrapper"),
    "words of a file": ([f"@{BIN}/words"], f"@{BIN}/words"),
    "words of a file as a value": (["-I", f"@{BIN}/words"], f"@{BIN}/words"),
    "preprocessor": ([f"-Wp,-fplugin={BIN}/p.so"], f"-Wp,-fplugin={BIN}/p.so"),
    "linker": ([f"-Wl,-plugin,{BIN}/p.so"], f"-Wl,-plugin,{BIN}/p.so"),
    "clang": (["-Xclang", "-load", "-Xclang", f"{BIN}/p.so"], "-Xclang"),
    "clang's pass": ([f"-fpass-plugin={BIN}/p.so"], "-fpass-plugin"),
    "LLVM": (["-mllvm", "-load"], "-mllvm"),
    "linker's name": (["-fuse-ld=/x"], "-fuse-ld=/x"),
    "sysroot": (["--sysroot=/x"], "--sysroot=/x"),
    "toolchain": (["--gcc-toolchain=/x"], "--gcc-toolchain=/x"),
    "old toolchain": (["-gcc-toolchain", "-O2"], "-gcc-toolchain"),
    "target": (["--target=hexagon"], "--target=hexagon"),
    "temporary files": (["-save-temps=obj"], "-save-temps=obj"),
    "a name": (["a.c"], "a.c"),
    "nothing": ([""], "--cflags ''"),
}


def flags(case, words):
    return [word.replace(BIN, str(case.dir / "bin")) for word in words]


@each(FLAGS, needs=["gcc"])
def flag(case, label):
    prepare(case)
    shell(case, "map", f"touch {case.dir / 'ran'}")
    words, named = FLAGS[label]
    source = case.write("m.cc", 'extern "C" void m(const float a[2], float b[2]) { b[0] = a[1]; b[1] = a[0]; }\n') if "-fmodules-ts" in words else TINY
    image = made(case, *(["--entry", "m"] if source != TINY else []), source=source, name=source.stem)
    rewrite(case, source.stem, cflags=flags(case, words))
    result = case.verify(image, status=2)
    refused(case, result, *flags(case, [named]))
    case.verify(image, "--trust-report", status=None)
    check((case.dir / "ran").exists(), "the test's own program does not run")
    (case.dir / "ran").unlink()
    case.verify(image, *hinted(result), status=None)
    check((case.dir / "ran").exists(), "named by the user, it is not taken")


@test
def quiet_flags(case):
    image = made(case)
    for words, named in QUIET.values():
        rewrite(case, cflags=flags(case, words))
        refused(case, case.verify(image, status=2), *flags(case, [named]))
    case.write("bin/words", "-O2\n")
    for words in (f"@{case.dir}/bin/words", f"-I @{case.dir}/bin/words"):
        has(case.verify(image, f"--cflags={words}", status=2).err, "RP2200", "write the words of that file in --cflags itself")


@test(needs=["gcc"])
def choices(case):
    """A report without paths names flags as well."""
    image = made(case, "--reproducible")
    rewrite(case, member="choices", cflags=["-fplugin=p"])
    refused(case, case.verify(image, "--model", TINY, status=2), "'-fplugin=p'")


@test(needs=[QEMU])
def compiler(case):
    """A prefix with a folder, for verify and for run, which measures what it makes again."""
    prepare(case)
    image, prefix = made(case), f"{case.dir}/bin/ev-"
    rewrite(case, cross_compile=prefix)
    result = case.verify(image, status=2)
    refused(case, result, f"--cross-compile '{prefix}'")
    refused(case, run(case, image, "--profile", status=2), f"--cross-compile '{prefix}'")
    has(case.verify(image, "--cross-compile", "arm-none-eabi-").out, "bit-identical")
    has(case.verify(image, env={"CROSS_COMPILE": "arm-none-eabi-"}).out, "bit-identical")
    run(case, image, "--profile", "--cross-compile", "arm-none-eabi-")
    err = run(case, image, "--compare", "verify", status=8).err
    has(err, "RP2202", prefix)
    check(not (case.dir / "ran").exists(), "it was started")
    for more in (hinted(result), ["--trust-report"]):
        for words in (["--profile"], ["--compare", "verify"]):
            has(run(case, image, *words, *more).out, "tiny")
            check((case.dir / "ran").exists(), "it was not started")
            (case.dir / "ran").unlink()
        has(case.verify(image, *more).out, "bit-identical")
        check((case.dir / "ran").exists(), "it was not started")
        (case.dir / "ran").unlink()


GENERATORS = {  # members of run: what is named; without a name, the word of the table's row suffices
    "any program": ({"generator": "sh -c 'touch ran; cp {bin}/net.c $1' sh {output} {input}"}, "--generator 'sh -c 'touch ran;"),
    "a path to a known one": ({"generator": f"{BIN}/onnx2c"}, f"--generator '{BIN}/onnx2c'"),
    "options": ({"generator_options": ["-l", "0", "--plugin=x"]}, "--generator-options '--plugin=x'"),
    "a file": ({"generator_options": ["-l", "/etc/passwd"]}, "--generator-options '/etc/passwd'"),
    "words of a file": ({"generator_options": ["@words"]}, "--generator-options '@words'"),
    "a model with code": ({"generator": "tvmc", "input": "{dir}/net.h5"}, "--generator 'tvmc'"),
    "by its program": ({"generator": "model-compiler"}, "--generator 'model-compiler'"),
    "both": ({"generator": f"{BIN}/onnx2c", "generator_options": ["-x"]}, f"--generator '{BIN}/onnx2c', --generator-options '-x'"),
}


@each(GENERATORS, needs=[QEMU])
def generator(case, label):
    members, named = GENERATORS[label]
    text = json.dumps(members).replace(BIN, str(case.dir / "bin")).replace("{dir}", str(case.dir))
    model = onnx(case)
    shutil.copy(model, case.dir / "net.h5")
    program(case, "onnx2c", ONNX2C)
    case.env.update(on_path(case))
    image = made(case, "--generator", "onnx2c", source=model, name="net")
    shutil.copy(case.dir / "out/net_generate_rel.json", case.dir / "before.json")
    program(case, "onnx2c", f"open({str(case.dir / 'ran')!r}, 'w')\n{ONNX2C}")
    for name in ("tvmc", "model-compiler"):
        program(case, name, f"open({str(case.dir / 'ran')!r}, 'w')")
    case.write("bin/net.c", "#include <x>\n")
    rewrite(case, "net", **json.loads(text))
    result = case.verify(image, status=2)
    refused(case, result, named.replace(BIN, str(case.dir / "bin")))
    refused(case, run(case, image, "--profile", status=2))
    for words in (["--trust-report"], hinted(result)):
        case.verify(image, *words, status=None)
        check((case.dir / "ran").exists(), "it was not started")
        (case.dir / "ran").unlink()
    run(case, image, "--profile", "--trust-report", status=None)
    check((case.dir / "ran").exists(), "it was not started for run")
    (case.dir / "ran").unlink()
    has_not(case.verify(image, "--model", case.write("net.c", "void f(const float a[4], float b[2]) { b[0] = a[0]; }\n"), status=None).err,
            "--generator '")  # the report's generator is for the report's input


@test
def variables(case):
    """Which of the user's variables reach a compiler is up to the user: COMPILER_PATH has its programs."""
    prepare(case)
    image, env = made(case), {"COMPILER_PATH": case.dir / "bin"}
    rewrite(case, pass_env=["COMPILER_PATH"])
    result = case.verify(image, env=env, status=2)
    refused(case, result, "--pass-env 'COMPILER_PATH'")
    case.verify(image, "--pass-env", "HOME", env=env)
    check(not (case.dir / "ran").exists(), "it was started")
    case.verify(image, *hinted(result), env=env)
    check((case.dir / "ran").exists(), "named by the user, it is not taken")


@test
def all_at_once(case):
    """All that needs the user's word is in one message, and in its hint; a long one leaves the options out."""
    image = made(case)
    rewrite(case, cflags=["-O2", "-Bx y", "-specs=z"], cross_compile="/a b/ev-", pass_env=["A", "B"])
    result = case.verify(image, status=2)
    refused(case, result, "--cflags '-Bx y', --cross-compile '/a b/ev-', --pass-env 'A'")
    equal(hinted(result), ["--cflags=-O2 -Bx y -specs=z", "--cross-compile=/a b/ev-", "--pass-env=A", "--pass-env=B"], "the hint")
    rewrite(case, pass_env=["N" * 800])
    has(case.verify(image, status=2).err, "hint: give --trust-report")
    rewrite(case, cflags=["-fplugin=\x1b[2J\n"], cross_compile="arm-none-eabi-", pass_env=[])
    has_not(case.verify(image, status=2).err, "\x1b")
    has(case.verify(image, "--diagnostics", case.dir / "d.json", status=2).err, "RP2202")


@test(needs=["gcc"])
def paths_are_no_options(case):
    """A file that a report names is a path, also where its name begins like an option."""
    prepare(case)
    image = made(case)
    for member in ("sources", "runtime_libs", "include_dirs"):
        for word in (f"-fplugin={case.dir}/bin/p.so", "@words"):
            case.write("words", f"-fplugin={case.dir}/bin/p.so\n")
            rewrite(case, **{member: [word]})
            case.verify(image, status=None, cwd=case.dir)
            check(not (case.dir / "ran").exists(), f"{member}: {word}")
        rewrite(case, **{member: []})
    rewrite(case, input=f"-fplugin={case.dir}/bin/p.so")
    has(case.verify(image, status=9).err, f"{case.dir}/-fplugin=")
    check(not (case.dir / "ran").exists(), "input")


@each(["fat", "slim"], needs=[QEMU])
def objects_of_link_time_optimisation(case, label):
    """The linker compiles them, with options that are inside them: the assembler's may write anywhere."""
    ran, code = case.dir / "ran", case.write("k.c", "int k(int x) { return 3 * x; }\n")
    flags = kit.target_flags(case, "stm32f4") + ["-O2", "-fpic", "-msingle-pic-base", "-mpic-register=r9", "-mno-pic-data-is-text-relative"]
    lto = ["-flto", f"-f{'no-' if label == 'slim' else ''}fat-lto-objects", "-Xassembler", f"-a={ran}"]

    def archive(*more):
        case.run("arm-none-eabi-gcc", *flags, *more, "-c", code, "-o", "k.o")
        case.run("arm-none-eabi-gcc-ar", "rc", "libk.a", "k.o")

    archive()
    source = case.write("m.c", "int k(int x);\nvoid m(const int a[2], int b[2]) { b[0] = k(a[0]); b[1] = a[1]; }\n")
    image = made(case, "--runtime-lib", "libk.a", "--entry", "m", source=source, name="m", cwd=case.dir)
    archive(*lto)
    ran.unlink()
    if label == "fat":
        has(case.verify(image).out, "bit-identical")
    else:
        has(case.verify(image, status=2).err, "RP2202", "link-time optimisation", "k.o", "--trust-report")
    check(not ran.exists(), "the options of the object were taken")
    for words in (["--trust-report"], ["--model", source, "--runtime-lib", "libk.a"]):
        has(case.verify(image, *words, cwd=case.dir).out, "bit-identical")
        equal(ran.exists(), label == "slim", "the options of the object are taken, where it holds no machine code")
        ran.unlink(missing_ok=True)


# ---- what needs no word ----

PLAIN = {
    "nothing": [],
    "optimisation": ["--cflags=-O3 -ffast-math -fno-tree-vectorize -funroll-loops --param max-unrolled-insns=9"],
    "warnings": ["--cflags=-Wall -Wno-unused -Werror=format -Wframe-larger-than=9000 -w -pedantic -g3 -ggdb"],
    "the language": ["--cflags=-std=gnu11 -fno-builtin -fwrapv -ffp-contract=off -fvisibility=hidden"],
    "the core": ["--cflags=-mcpu=cortex-m4 -mthumb -mno-unaligned-access -mtune=cortex-m4"],
    "macros and folders": ["--cflags=-DX=1 -D Y -U Z -I . -include h.h -isystem .", "-D", "Q=\"a b\"", "-I", "."],
    "files": ["--source", "more.c", "--runtime-lib", "k.o"],
    "a prefix": ["--cross-compile", "arm-none-eabi-"],
    "mathematics": ["--math", "libc", "-r", "copy-only"],
}


@each(PLAIN, needs=[QEMU])
def plain(case, label):
    """generate and then verify are two plain commands."""
    case.write("h.h", "#define H 1\n")
    case.write("more.c", "int more;\n")
    kit.compile_object(case, case.write("k.c", "int k(void) { return 1; }\n"), case.dir / "k.o")
    image = made(case, *PLAIN[label], cwd=case.dir)
    has(case.verify(image, cwd=case.dir).out, "bit-identical")


@test(needs=[QEMU])
def own_environment(case):
    """A prefix with a folder in the user's own CROSS_COMPILE is the user's word."""
    prepare(case)
    env = {"CROSS_COMPILE": f"{case.dir}/bin/ev-"}
    image = made(case, env=env)
    has(case.verify(image, env=env).out, "bit-identical")
    (case.dir / "ran").unlink()
    refused(case, case.verify(image, status=2), "--cross-compile")
