# SPDX-License-Identifier: Apache-2.0
"""batch: a matrix becomes images, each made once; what stops in the middle is continued; generate --stamp."""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

import kit
import schemas
from kit import EXAMPLES, QEMU, check, each, equal, has, has_not, test

TINY = EXAMPLES / "tiny/tiny.c"
MODEL = """#include "{header}"
void {name}(const float in[4], float out[4]) {{ for (int i = 0; i < 4; i++) out[i] = in[i] * FACTOR; }}
"""


def matrix(case, name="m.json", **members):
    """Writes a matrix. Without models: two small ones, each with a header of its own."""
    if "models" not in members:
        for model in ("one", "two"):
            case.write(f"{model}.c", MODEL.format(name=model, header=f"{model}.h"))
            case.write(f"{model}.h", f"#define FACTOR {len(model)}.0f\n")
        members["models"] = ["one.c", "two.c"]
    return case.write(name, json.dumps({"targets": ["stm32f4", "stm32h7"], "reproducible": True, **members}))


def batch(case, path, *words, status=0, out="out", **more):
    """Runs a batch and returns what it printed as JSON, which has to be valid, with the result."""
    result = case.relocpack("batch", path, "-o", case.dir / out, "--format", "json", *words, status=status, **more)
    answer = json.loads(result.out)
    equal(schemas.faults("batch", answer), [], "schema")
    equal(sum(answer["totals"][state] for state in ("current", "built", "failed", "waiting")), answer["totals"]["selected"], "totals")
    if "--list" not in words and "--emit" not in words:
        equal(json.loads((case.dir / out / "batch.json").read_text()), answer, "batch.json")
    return answer, result


def states(answer, *wanted):
    return sorted(cell["folder"] for cell in answer["cells"] if cell["state"] in wanted)


def images(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*_rel.bin"))}


def program(case, name, text):
    path = case.write(name, "#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


# ---- images ----

@test(needs=(QEMU,))
def images_are_those_of_generate(case):
    """Same bytes as one by one, and they compute what a static build computes."""
    path = matrix(case, models=[str(TINY), {"name": "digits", "input": str(EXAMPLES / "digits/digits_float.c")}],
                  reproducible=False, variants=["plain", {"name": "split", "relocatable": ["split"]}],
                  exclude=[{"model": "tiny", "variant": "split"}],
                  include=[{"model": "tiny", "target": "m33", "mcu": "cortex-m33", "variant": "extra", "define": ["X=1"]}])
    answer, _ = batch(case, path, "-j2")
    equal(states(answer, "built"), ["digits/stm32f4/plain", "digits/stm32f4/split", "digits/stm32h7/plain", "digits/stm32h7/split",
                                    "tiny/m33/extra", "tiny/stm32f4/plain", "tiny/stm32h7/plain"], "cells")
    case.generate(EXAMPLES / "digits/digits_float.c", "-r", "split", "-n", "digits", target="stm32h7", out="alone")
    for name in ("digits_rel.bin", "digits_data.bin", "digits_rel.h"):
        equal((case.dir / "out/digits/stm32h7/split" / name).read_bytes(), (case.dir / "alone" / name).read_bytes(), name)
    has(case.verify(case.dir / "out/tiny/m33/extra/tiny_rel.bin").out, "bit-identical")
    has(case.verify(case.dir / "out/digits/stm32h7/split/digits_rel.bin").out, "bit-identical")
    for cell in answer["cells"]:
        report = json.loads((case.dir / "out" / cell["report"]).read_text())
        equal(cell["memory"], report["memory"], cell["folder"])


@test
def every_form_of_the_summary(case):
    path = matrix(case)
    batch(case, path, "--html", case.dir / "page.html")
    page = (case.dir / "page.html").read_text()
    for name in ("one/stm32f4", "one/stm32h7", "two/stm32f4", "two/stm32h7"):
        has(page, name)
    case.relocpack("report", case.dir / "out", "--html", case.dir / "again.html")
    equal((case.dir / "again.html").read_text(), page, "report of the folder")
    text = case.relocpack("batch", path, "-o", case.dir / "out")
    has(text.out, "two/stm32h7", "up to date", "4 up to date")
    equal(text.err, "", "nothing is said of what is not done")
    has(case.relocpack("batch", path, "-o", case.dir / "out", "--format", "markdown").out, "| one/stm32f4 | up to date |")
    odd = matrix(case, "odd.json", models=["one.c", {"name": "_b_", "input": "no_file_.c"}], budgets=["*/*:acts=1"])
    result = case.relocpack("batch", odd, "-k",
                            "-o", case.dir / "out", "--format", "markdown", status=1)
    has(result.out, "| \\_b\\_/stm32f4 | failed |", "| \\*/\\*:acts=1 | 4 |", "- \\_b\\_/stm32f4: RP", "no\\_file\\_.c")
    has_not(result.out, "\\\\")
    case.relocpack("batch", path, "-o", case.dir / "out", "--junit", case.dir / "j.xml", "-q")
    equal((case.dir / "j.xml").read_text().count("<testcase"), 5, "the cells, and the command")


# ---- what is up to date ----

def change(case, name):
    """Changes one thing; returns the cells that it concerns."""
    ones = ["one/stm32f4", "one/stm32h7"]
    out = case.dir / "out"
    if name == "header":
        case.write("one.h", "#define FACTOR 7.0f\n")
    elif name == "time":
        os.utime(case.dir / "one.h", (1, 1))
        os.utime(case.dir / "two.c")
        return []
    elif name.startswith("new header"):
        case.write("first/one.h", "#define FACTOR 8.0f\n")
        return ones
    elif name == "other file":
        case.write("three.c", "int unused;\n")
        return []
    elif name == "option":
        matrix(case, include=[{"target": "stm32h7", "cflags": "-O1"}])
        return ["one/stm32h7", "two/stm32h7"]
    elif name == "output gone":
        (out / "one/stm32h7/one_rel.bin").unlink()
        return ["one/stm32h7"]
    elif name == "output changed":
        with open(out / "two/stm32f4/two_rel.h", "a", encoding="ascii") as file:
            file.write("/* */\n")
        return ["two/stm32f4"]
    elif name == "stamp damaged":
        (out / "two/stm32f4/cell.stamp").write_text("relocpack-stamp 1 ''\n")
        return ["two/stm32f4"]
    return ones


@each(["header", "time", "new header first", "new header by cflags", "other file", "option", "output gone", "output changed", "stamp damaged"])
def made_again(case, name):
    """Only what a change concerns is made again, and after it nothing is."""
    (case.dir / "first").mkdir()
    path = matrix(case)
    if name.startswith("new header"):
        folders = {"include": ["first", "."]} if name == "new header first" else {"cflags": [f"-I{case.dir}/first", f"-I{case.dir}"]}
        path = matrix(case, models=[{"name": model, "input": f"{model}.c", **folders} for model in ("one", "two")])
        for model in ("one", "two"):
            case.write(f"{model}.c", MODEL.format(name=model, header=f"{model}.h").replace(f'"{model}.h"', f"<{model}.h>"))
            case.write(f"{model}.h", f"#define FACTOR {len(model)}.0f\n")
    batch(case, path)
    before = images(case.dir / "out")
    concerned = change(case, name)
    listed, _ = batch(case, path, "--list")
    equal(states(listed, "waiting"), concerned, "listed")
    answer, _ = batch(case, path)
    equal(states(answer, "built"), concerned, "made again")
    after = images(case.dir / "out")
    differ = sorted({os.path.dirname(key) for key in before if before[key] != after[key]})
    check(set(differ) <= set(concerned), f"{differ} differ, {concerned} were made")
    if name in ("header", "option") or name.startswith("new header"):
        equal(differ, concerned, "other images")
    (case.dir / "out/make.log").unlink(missing_ok=True)
    answer, _ = batch(case, path)
    equal(len(states(answer, "current")), 4, "up to date")
    check(not (case.dir / "out/make.log").exists(), "make was run for nothing")


@test
def headers_that_a_file_asks_for(case):
    """__has_include reads nothing when there is no such header: it counts all the same, wherever it appears."""
    text = '#if __has_include ( "next.h" )\n#include "next.h"\n#else\n#define FACTOR 3\n#endif\n' + MODEL.partition("\n")[2].format(name="one")
    case.write("src/one.c", text)
    case.write("inc/other.h", "")
    path = matrix(case, models=["src/one.c"], targets=[{"name": "stm32f4", "include": ["inc"]}])
    batch(case, path)
    equal(states(batch(case, path)[0], "current"), ["one/stm32f4"], "nothing has changed")
    for place in ("src", "inc"):
        before = images(case.dir / "out")
        case.write(f"{place}/next.h", "#define FACTOR 8\n")
        equal(states(batch(case, path)[0], "built"), ["one/stm32f4"], f"a header in {place}")
        check(images(case.dir / "out") != before, "the same image")
        equal(states(batch(case, path)[0], "current"), ["one/stm32f4"], "nothing has changed")
        (case.dir / place / "next.h").unlink()
        equal(states(batch(case, path)[0], "built"), ["one/stm32f4"], f"no header in {place}")
        check(images(case.dir / "out") == before, "another image")


@test
def tools_count(case):
    """Another compiler of the same name and another version of this program make all again; the launcher does not."""
    data = case.dir / "data"
    for folder in ("templates", "runtime"):
        shutil.copytree(kit.ROOT / folder, data / folder)

    def tool(name, *words):  # not a script: that has no stamp
        text = case.write("tool.c", "#include <unistd.h>\nint main(int count, char **words) { (void)count;"
                          f' const char *own[256] = {{"{kit.CROSS}{name}"{"".join(f", {json.dumps(word)}" for word in words)}}};'
                          f" for (int i = 1; words[i] != 0; i++) own[i + {len(words)}] = words[i];"
                          " execvp(own[0], (char **)own); return 1; }\n")
        case.run("cc", "-o", case.dir / f"bin/x-{name}", text)

    (case.dir / "bin").mkdir()
    for name in ("gcc", "as", "ld"):
        tool(name)
    path = matrix(case, **{"cross-compile": "bin/x-"})
    env = {"RELOCPACK_DATADIR": data}
    batch(case, path, env=env)
    equal(len(states(batch(case, path, "--launcher", "none", env=env)[0], "current")), 4, "another launcher")
    tool("gcc", "-DNEW")
    equal(len(states(batch(case, path, env=env)[0], "built")), 4, "another compiler")
    with open(data / "runtime/image/image_boot.h", "a", encoding="ascii") as file:
        file.write("/* changed */\n")
    equal(len(states(batch(case, path, env=env)[0], "built")), 4, "another boot code")
    equal(len(states(batch(case, path, env=env)[0], "current")), 4, "up to date")


@test
def one_folder_by_many_names(case):
    """Links and dots in the names of folders make no other folder of them."""
    path = matrix(case)
    (case.dir / "real").mkdir()
    (case.dir / "link").symlink_to("real")
    batch(case, path, out="link")
    for name, matrix_name, cwd in (("link/.", "m.json", "."), ("./real", "./m.json", "."), (".", "../m.json", "real"),
                                   ("../link/../real", "../real/../m.json", "real")):
        result = case.relocpack("batch", matrix_name, "-o", name, cwd=case.dir / cwd)
        has(result.out, "4 up to date")
    for name in ("new/a", "new/a/.", "./new//a/"):
        result = case.relocpack("batch", "m.json", "-o", name)
        has(result.out, "4 built" if name == "new/a" else "4 up to date")


@test
def stamps_of_generate(case):
    """generate --stamp: nothing to do, no stamp over budget, none of a dry run, none with an output that is no file."""
    source = case.write("m.c", MODEL.format(name="m", header="m.h"))
    case.write("m.h", "#define FACTOR 2.0f\n")
    stamp = case.dir / "m.stamp"
    case.generate(source, "--stamp", stamp, "--dry-run")
    check(not stamp.exists(), "stamp of a dry run")
    has(case.generate(source, "--stamp", stamp).out, "XIP size")
    has(case.generate(source, "--stamp", stamp).out, "is up to date")
    has(case.generate(source, "--stamp", stamp, "--budget", "flash=1", status=7).err, "RP2700")
    has(case.generate(source, "--stamp", stamp, "--budget", "flash=1", status=7).err, "RP2700")
    case.generate(source, "--stamp", stamp, "-q", "--json", "-", out="other")
    has(case.generate(source, "--stamp", stamp, "-q", "--json", "-", out="other").out, '"schema_version"')
    case.generate(source, "--stamp", stamp)
    has(case.generate(source, "--stamp", stamp, cwd=case.tmp).out, "XIP size")  # relative paths would mean others
    has(case.relocpack("generate", "-i", source, "--target", "stm32f4", "--stamp", source, status=2).err, "an input")
    has(source.read_text(), "FACTOR")


# What may come: text of the model, options, environment (DIR: the folder of the case), new file
ASKS = '#if {}\n#include "next.h"\n#else\n#define FACTOR 3\n#endif\n'
COMES_FIRST = {
    "header first in CPATH": ("#include <x.h>\n", ["--pass-env", "CPATH"], {"CPATH": "DIR/first:DIR/second"}, "first/x.h"),
    "folder that was not there": ("#include <x.h>\n", ["--pass-env", "CPATH"], {"CPATH": "DIR/late:DIR/second"}, "late/x.h"),
    "header below the root": ("#include <x.h>\n", ["--cflags=--sysroot=DIR/root -isystem =/h -isystem DIR/second"], {}, "root/h/x.h"),
    "deep header": ("#include <a/b/c/d/x.h>\n", ["-I", "first", "-I", "second"], {}, "first/a/b/c/d/x.h"),
    "header above": ("#include <../x.h>\n", ["-I", "first/in", "-I", "second/in"], {}, "first/x.h"),
    "has_include over a line end": (ASKS.format('__has_include( \\\n"next.h")'), [], {}, "next.h"),
    "file of the assembler": (None, ["--cflags=-Wa,-I,DIR/first -Wa,-I,DIR/second"], {}, "first/w.bin"),
    "source in a folder": ("float factor(void);\n#define FACTOR factor()\n", ["--source", "kernels"], {}, "kernels/a/b/strong.c"),
    "source in a hidden folder": ("float factor(void);\n#define FACTOR factor()\n", ["--source", "kernels"], {}, "kernels/.a/strong.c"),
}
ASSEMBLED = """__asm__(".pushsection .rodata.w,\\"a\\"\\n.balign 4\\n.global w\\nw: .INCBIN \\"w.bin\\"\\n.popsection");
extern const int w[4];
void m(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * w[i]; }
"""


def before_it_came(case, text):
    for folder in ("first/in", "second/in", "second/a/b/c/d", "kernels/a/b"):
        (case.dir / folder).mkdir(parents=True)
    for folder in ("second", "second/a/b/c/d"):
        case.write(f"{folder}/x.h", "#define FACTOR 3\n")
    case.write("second/w.bin", "aaaabbbbccccdddd")
    case.write("kernels/weak.c", "__attribute__((weak)) float factor(void) { return 3; }\n")
    return case.write("m.c", ASSEMBLED if text is None else text + MODEL.format(name="m", header="stddef.h"))


def in_folder(case, words):
    return [word.replace("DIR", str(case.dir)) for word in words]


@each(COMES_FIRST)
def stamps_see_what_comes_first(case, name):
    """A file that would now be read in the place of another one, or where there was none, is seen."""
    text, words, env, comes = COMES_FIRST[name]
    source, words = before_it_came(case, text), in_folder(case, words)
    env = {key: value.replace("DIR", str(case.dir)) for key, value in env.items()}
    def made(out="out", stamp=("--stamp", "st")):
        result = case.generate(source, *words, *stamp, env=env, out=out, cwd=case.dir)
        return result.out, (case.dir / out / "m_rel.bin").read_bytes()
    _, before = made()
    has(made()[0], "is up to date")
    is_source = comes.endswith(".c")
    case.write(comes, "eeeeffffgggghhhh" if comes.endswith(".bin") else
               "float factor(void) { return 8; }\n" if is_source else "#define FACTOR 8\n")
    said, after = made()
    has_not(said, "is up to date")
    check(before != after, "the image is the old one")
    equal(after, made("fresh", ())[1], "image")


def link(case, name, to):
    """A link, instead of what is there."""
    path = case.dir / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.unlink(missing_ok=True)
    path.symlink_to(to)


# What changes: text of the model, options, how it is before, and after
OTHER_PLACES = {
    "a file of -I becomes a folder": ("#include <x.h>\n", ["--cflags=-w -Ifolder -Isecond"],
                                      lambda case: case.write("folder", ""),
                                      lambda case: ((case.dir / "folder").unlink(), case.write("folder/x.h", "#define FACTOR 8\n"))),
    "a link in a system folder": ("#include <x.h>\n", ["--cflags=-isystem DIR/sys"],
                                  lambda case: link(case, "sys/x.h", "../three.h"), lambda case: link(case, "sys/x.h", "../eight.h")),
    "a link to a folder in a system folder": ("#include <p/x.h>\n", ["--cflags=-isystem DIR/sys"],
                                              lambda case: link(case, "sys/p", "../second"), lambda case: link(case, "sys/p", "../other")),
    "a macro for a link": ("#define NAME <x.h>\n#include NAME\n", ["--cflags=-isystem DIR/first -isystem DIR/sys"],
                           lambda case: link(case, "sys/x.h", "../three.h"), lambda case: case.write("first/x.h", "#define FACTOR 8\n")),
    ".. in a system folder": ("#include <../x.h>\n", ["--cflags=-isystem DIR/first/in -isystem DIR/second/in"],
                              lambda case: None, lambda case: case.write("first/x.h", "#define FACTOR 8\n")),
    "a folder that is there twice": ("#include <x.h>\n", ["--cflags=-IDIR/first -IDIR/twice -IDIR/second"],
                                     lambda case: link(case, "twice", "first"), lambda case: link(case, "twice", "other")),
    "-include in the current folder": ("", ["--cflags=-include x.h -IDIR/second"],
                                       lambda case: None, lambda case: case.write("x.h", "#define FACTOR 8\n")),
}


@each(OTHER_PLACES)
def stamps_see_other_places(case, name):
    """Another file is read by the same name, though no file that was read has changed."""
    text, words, before, after = OTHER_PLACES[name]
    source, words = before_it_came(case, text), in_folder(case, words)
    if "DIR" not in OTHER_PLACES[name][1][0]:
        words = [word.replace("-I", f"-I{case.dir}/") for word in words]
    case.write("src/m.c", source.read_text())
    for folder, factor in (("three.h", 3), ("eight.h", 8), ("other/x.h", 8)):
        case.write(folder, f"#define FACTOR {factor}\n")
    before(case)
    def made(out="out", stamp=("--stamp", "st")):
        result = case.generate("src/m.c", *words, *stamp, out=out, cwd=case.dir)
        return result.out, (case.dir / out / "m_rel.bin").read_bytes()
    _, old = made()
    check((case.dir / "st").exists(), "no stamp")
    has(made()[0], "is up to date")
    after(case)
    said, new = made()
    has_not(said, "is up to date")
    check(old != new, "the image is the old one")
    equal(new, made("fresh", ())[1], "image")


@test
def header_that_comes_while_the_compiler_runs(case):
    """It may have come too late for the compiler: the next run makes the image again."""
    source = before_it_came(case, "#include <x.h>\n")
    launcher = program(case, "launcher", f'"$@"; code=$?; echo "#define FACTOR 8" > {case.dir}/first/x.h; exit $code\n')
    words = [source, "-I", "first", "-I", "second", "--stamp", "st"]
    case.generate(*words, "--launcher", launcher, cwd=case.dir)
    has_not(case.generate(*words, cwd=case.dir).out, "is up to date")
    has(case.generate(*words, cwd=case.dir).out, "is up to date")


CONTENTS = ["moved over it", "written in place", "written by another name", "an output, moved", "an output, in place",
            "an output, and the stamp was touched"]


@test
def paths_are_as_they_were_given(case):
    matrix(case)
    result = case.relocpack("batch", "m.json", "-o", "out", "--list", "--format", "json", cwd=case.dir)
    equal([json.loads(result.out)[name] for name in ("matrix", "output")], ["m.json", "out"], "paths")


@each(CONTENTS, always=CONTENTS)
def stamps_see_contents(case, how):
    """A file of the same size and with the same time, whatever its name says."""
    source = case.write("m.c", MODEL.format(name="m", header="m.h"))
    path = case.write("m.h", "#define FACTOR 3\n")
    case.generate(source, "--stamp", "st", cwd=case.dir)
    has(case.generate(source, "--stamp", "st", cwd=case.dir).out, "is up to date")
    path = case.dir / "out/m_rel.bin" if "output" in how else path
    text, was = bytearray(path.read_bytes()), path.stat()
    text[-2] ^= 1
    if "touched" in how:
        time.sleep(2.5)  # longer than a run takes from its stamp's text to its last output
    if "moved" in how:
        new = path.with_name("new")
        new.write_bytes(text)
        os.utime(new, ns=(was.st_atime_ns, was.st_mtime_ns))
        new.rename(path)
    else:
        other = path.with_name("other")
        if "name" in how:
            os.link(path, other)
        with open(other if "name" in how else path, "r+b") as file:
            file.write(text)
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    equal((path.stat().st_size, path.stat().st_mtime_ns), (was.st_size, was.st_mtime_ns), "size and time")
    if "touched" in how:
        (case.dir / "st").touch()
    has_not(case.generate(source, "--stamp", "st", cwd=case.dir).out, "is up to date")


def toolchain(case):
    """A copy of the compiler that finds its own parts: links to the real one, but for its programs."""
    real = [os.path.realpath(case.run(f"{kit.CROSS}gcc", f"-print-prog-name={name}").out.strip()) for name in ("cc1", "as", "ld", "collect2")]
    version = pathlib.Path(real[0]).parent
    own = case.dir / "tc/lib/gcc" / version.parent.name / version.name
    own.mkdir(parents=True)
    for entry in version.iterdir():
        (own / entry.name).symlink_to(entry)
    for name in ("include", "lib"):
        folder = os.path.realpath(case.run(f"{kit.CROSS}gcc", f"-print-file-name=../../../{version.parent.name}/{name}").out.strip())
        (own / "../../../.." / "lib" / version.parent.name).resolve().mkdir(exist_ok=True)
        ((own / "../../..").resolve() / version.parent.name / name).symlink_to(folder)
    programs = (own / "../../..").resolve() / version.parent.name / "bin"
    programs.mkdir()
    (case.dir / "tc/bin").mkdir()
    for name in ("gcc", "as", "ld", "g++", "objdump", "ar", "nm", "readelf"):
        shutil.copy(os.path.realpath(shutil.which(f"{kit.CROSS}{name}")), case.dir / f"tc/bin/x-{name}")
    shutil.copy(real[1], programs / "as")
    shutil.copy(real[2], programs / "ld")
    return own, programs


@test
def the_compiler_behind_the_driver_counts(case):
    """cc1, collect2, lto1, the plugin, as and ld as the driver finds them; what it would find first; its specs."""
    own, programs = toolchain(case)
    source = case.write("m.c", MODEL.format(name="m", header="stddef.h").replace("FACTOR", "3"))
    link(case, "current", "tc")
    words = [source, "--cross-compile", case.dir / "current/bin/x-", "--stamp", "st"]
    def is_current():
        return "is up to date" in case.generate(*words, cwd=case.dir).out
    check(not is_current() and is_current(), "up to date")
    for path in (own / "cc1", own / "collect2", own / "lto1", own / "liblto_plugin.so", programs / "as", programs / "ld"):
        text = path.read_bytes()
        path.unlink()
        path.write_bytes(text + b"\0changed")
        path.chmod(0o755)
        check(not is_current(), f"{path.name} is another")
    check(is_current(), "nothing has changed")
    shutil.copy(programs / "as", own / "as")
    check(not is_current(), "another as is found first")
    case.write(own / "specs", "*cpp:\n+ -DNEW=1\n\n")
    check(not is_current(), "specs have come")
    case.write(own / "specs", "*cpp:\n+ -DNEW=2\n\n")
    check(not is_current(), "other specs")
    check(is_current(), "nothing has changed")
    shutil.copytree(case.dir / "tc", case.dir / "tc2", symlinks=True)
    link(case, "current", "tc2")
    check(not is_current(), "the toolchain is another one, whose driver is the same")


def system_calls(case, *words):
    """How many the program makes, and which files it reads."""
    log = case.dir / "calls"
    case.run("strace", "-o", log, case.tool, *words)
    lines = log.read_text().splitlines()
    return len(lines), [line for line in lines if line.startswith("openat(") and "O_DIRECTORY" not in line and " = -1 " not in line]


@test(needs=("strace",))
def calls_of_an_image_that_is_current(case):
    """At most 150 system calls for each further cell, and of its files only the stamp and the options are read."""
    for i in range(8):
        case.write(f"m{i}/m{i}.c", MODEL.format(name=f"m{i}", header="m.h"))
        case.write(f"m{i}/m.h", f"#define FACTOR {i}.0f\n")
    path = matrix(case, models=[f"m{i}/m{i}.c" for i in range(8)], targets=["stm32f4"])
    few = matrix(case, "few.json", models=[f"m{i}/m{i}.c" for i in range(4)], targets=["stm32f4"])
    batch(case, path)
    counts = {}
    for name, cells in ((path, 8), (few, 4)):
        equal(len(states(batch(case, name)[0], "current")), cells, "up to date")
        counts[cells], read = system_calls(case, "batch", name, "-o", case.dir / "out", "-q")
        files = [line for line in read if str(case.dir / "out/m") in line]
        equal(len(files), 2 * cells, "files of cells that are read")
        check(not any(".a\"" in line or "cc1" in line or "runtime/" in line for line in read), "something was read again")
    check((counts[8] - counts[4]) / 4 <= 150, f"{(counts[8] - counts[4]) / 4} system calls a cell")


UNKNOWN = {
    "a macro": ('#define NEXT "next.h"\n' + ASKS.format("__has_include(NEXT)"), []),
    "a macro of the command line": (ASKS.format("ASKED"), ["--cflags", "-DASKED=__has_include(NEXT)", "-D", 'NEXT="next.h"']),
    "pieces": ("#define JOIN(a, b) a##b\n" + ASKS.format('JOIN(__has_, include)("next.h")'), []),
    "specs": ("#define FACTOR 3\n", ["--cflags=-specs=DIR/my.specs"]),
    "a file of the assembler's options": ("#define FACTOR 3\n", ["--cflags=-Wa,@DIR/words"]),
}


@each(UNKNOWN)
def no_stamp_where_files_are_unknown(case, name):
    text, words = UNKNOWN[name]
    case.write("my.specs", "*cpp:\n+ -DN=3\n\n")
    case.write("words", "--defsym V=1\n")
    source = before_it_came(case, text)
    has(case.generate(source, *in_folder(case, words), "--stamp", "st", "-v", cwd=case.dir).err, "no stamp: ")
    check(not (case.dir / "st").exists(), "a stamp that claims to know")


@test
def compiler_that_is_a_script(case):
    """What it does may change while its text stays: it has neither a stamp nor a place in ccache."""
    flags = case.dir / "flags"
    for name in ("gcc", "as", "ld", "g++", "objdump", "ar", "nm", "readelf"):
        tool = case.write(f"x-{name}", f'#!/bin/sh\nexec {kit.CROSS}{name} {"$(cat " + str(flags) + ")" if name == "gcc" else ""} "$@"\n')
        tool.chmod(0o755)
    source = case.write("m.c", "void m(const float x[4], float y[4]) { for (int i = 0; i < 4; i++) y[i] = x[i] * x[1] + y[i]; }\n")
    images = []
    for text in ("-ffp-contract=fast", "-ffp-contract=off"):
        flags.write_text(text)
        has(case.generate(source, "--cross-compile", case.dir / "x-", "--stamp", case.dir / "st", "-v").err, "no stamp: ", "is a script")
        images.append((case.dir / "out/m_rel.bin").read_bytes())
    check(images[0] != images[1], "an old object")


@test
def stamps_see_another_generator(case):
    """One of the same name that comes earlier on PATH."""
    case.write("net.onnx", "not read")
    for folder, factor in (("bin2", 2), ("bin1", 3)):
        program(case, f"{folder}/own", f"printf 'void net(const float x[1], float y[1]) {{ y[0] = {factor} * x[0]; }}\\n' > \"$2\"\n")
        env = {"PATH": f"{case.dir}/bin1:{case.dir}/bin2:{case.env['PATH']}"}
        for current in (False, True):
            out = case.generate(case.dir / "net.onnx", "--generator", "own {input} {output}", "--stamp", case.dir / "st", env=env).out
            equal("is up to date" in out, current, folder)


@test
def time_of_a_file(case):
    """What __TIMESTAMP__ becomes, no list of files and contents says."""
    source = case.write("m.c", "void m(const int x[1], int y[1]);\nvoid m(const int x[1], int y[1]) { y[0] = x[0] + __TIMESTAMP__[3]; }\n")
    has(case.generate(source, "--stamp", case.dir / "st", "-v").err, "no stamp: ", "the time of a file")


@each(["./gen/own {input} {output}", "sh gen/own {input} {output}"])
def programs_of_the_matrix_folder(case, command):
    """Words of a command that name files count from the folder of the matrix, whatever folder a cell is made in."""
    program(case, "m/gen/own", "printf 'void net(const float x[1], float y[1]) { y[0] = 2 * x[0]; }\\n' > \"$2\"\n")
    case.write("m/net.onnx", "not read")
    path = matrix(case, "m/m.json", models=["net.onnx"], targets=["stm32f4"], generator=command, launcher="none")
    equal(states(batch(case, path)[0], "built"), ["net/stm32f4"], "built")
    equal(states(batch(case, path)[0], "current"), ["net/stm32f4"], "the second time")


# ---- cells that fail, or are stopped ----

@test
def failed_cells(case):
    """One exit code; each is named with its error and log; the rest goes on only if it is asked for."""
    case.write("bad.c", "void bad(const float in[4], float out[4]) { out[0] = unknown; }\n")
    path = matrix(case, models=["bad.c", {"name": "none", "input": "none.c"}, str(TINY)])
    answer, result = batch(case, path, "-j1", status=1)
    equal((len(states(answer, "failed")), len(states(answer, "waiting"))), (1, 5), "stopped")
    has(result.err, "error RP2108", "bad/stm32f4", "--keep-going")
    answer, result = batch(case, path, "-k", status=1)
    equal(states(answer, "built"), ["tiny/stm32f4", "tiny/stm32h7"], "built")
    has(result.err, "4 cells failed", "RP2400", "'unknown' undeclared", "none/stm32h7: RP2900", "out/none/stm32h7/cell.log")
    failed = {cell["folder"]: cell for cell in answer["cells"] if cell["state"] == "failed"}
    equal((failed["bad/stm32f4"]["exit_code"], failed["none/stm32h7"]["exit_code"]), (4, 9), "exit codes")
    has((case.dir / "out" / failed["bad/stm32f4"]["log"]).read_text(), "unknown")
    case.write("bad.c", "void bad(const float in[4], float out[4]) { out[0] = in[0]; }\n")
    case.write("none.c", "void none(const float in[4], float out[4]) { out[0] = in[1]; }\n")
    equal(len(states(batch(case, path)[0], "built")), 4, "the rest")


@test
def an_interrupted_run_is_continued(case):
    """By a signal and by SIGKILL: nothing goes on running, what is done is not done again."""
    path = matrix(case)
    gate = case.dir / "gate"
    wait = program(case, "wait.sh", f'case "$*" in *two*) while [ ! -e "{gate}" ]; do sleep 0.05; done;; esac\nexec "$@"\n')
    argv = [case.tool, "batch", str(path), "-o", str(case.dir / "out"), "-j1", "--launcher", str(wait)]
    for number, status in ((signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)):
        with subprocess.Popen(argv, cwd=case.dir, env=case.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=kit.default_signals) as running:
            kit.wait_for((case.dir / "out/two/stm32f4/cell.log").exists, "the second model")
            running.send_signal(number)
            equal(running.wait(), status, "ended by the signal")
        kit.wait_for(lambda: not case.running(), "the end of all jobs")
        if number == signal.SIGTERM:
            answer = json.loads((case.dir / "out/batch.json").read_text())
            equal(schemas.faults("batch", answer), [], "schema")
            equal((states(answer, "built"), states(answer, "failed")), (["one/stm32f4", "one/stm32h7"], []), "after the signal")
        (case.dir / "out/two/stm32f4/cell.log").unlink()
    for left in case.tmp.glob("relocpack*"):  # of the one that was killed
        shutil.rmtree(left)
    gate.touch()
    answer, _ = batch(case, path, "--launcher", wait)
    equal((states(answer, "current"), states(answer, "built")), (["one/stm32f4", "one/stm32h7"], ["two/stm32f4", "two/stm32h7"]),
          "continued")
    batch(case, path, "-j1", out="serial")
    equal(images(case.dir / "out"), images(case.dir / "serial"), "images of a run that was not interrupted")


@test
def two_at_a_time(case):
    """A second batch in the same folder waits, and finds the work of the first one."""
    path = matrix(case)
    argv = [case.tool, "batch", str(path), "-o", str(case.dir / "out"), "--format", "json", "-j1"]
    both = [subprocess.Popen(argv, cwd=case.dir, env=case.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(2)]
    answers = [one.communicate() for one in both]
    equal([one.returncode for one in both], [0, 0], "exit codes")
    totals = [json.loads(out)["totals"] for out, _ in answers]
    equal(sorted(total["built"] for total in totals), [0, 4], "built")


@test
def a_killed_worker(case):
    """A job that is killed, and one that cannot be started, fail alone and are named."""
    path = matrix(case)
    worker = program(case, "work er.sh", 'case "$*" in *two/stm32f4*) kill -9 $$;; *one/stm32h7*) echo queue full >&2; exit 3;; esac\nexec "$@"\n')
    answer, result = batch(case, path, "-k", "--wrap", f"'{worker}'", status=1)
    equal(states(answer, "failed"), ["one/stm32h7", "two/stm32f4"], "failed")
    has(result.err, "two/stm32f4: it ended", "the last line of its log: queue full")
    batch(case, path)
    batch(case, path, "-j1", out="serial")
    equal(images(case.dir / "out"), images(case.dir / "serial"), "images")
    has(batch(case, path, "--wrap", "/nowhere/srun -n1", "-k", out="none", status=1)[1].err, "4 cells failed", "/nowhere/srun")


@test
def a_full_disk(case):
    """One worker has no room for temporary files: its cells fail, the rest goes on, and later they are made."""
    if os.geteuid() != 0:
        raise kit.Skip("mounting needs root")
    full = case.dir / "full"
    full.mkdir()
    if case.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full, status=None).status != 0:
        raise kit.Skip("no tmpfs can be mounted")
    try:
        case.run("dd", "if=/dev/zero", f"of={full}/x", "bs=1k", status=None)
        path = matrix(case)
        worker = program(case, "work.sh", f'case "$*" in *stm32h7*) export TMPDIR="{full}";; esac\nexec "$@"\n')
        answer, result = batch(case, path, "-k", "--wrap", worker, status=1)
        equal((states(answer, "failed"), states(answer, "built")),
              (["one/stm32h7", "two/stm32h7"], ["one/stm32f4", "two/stm32f4"]), "cells")
        has(result.err, "RP2101")
        (full / "x").unlink()
        case.run("mount", "-o", "remount,size=64m", full)
        equal(len(states(batch(case, path, "--wrap", worker)[0], "built")), 2, "with room")
    finally:
        case.run("umount", full)


@test
def a_full_output_folder(case):
    """No room for the outputs: a clear error, and nothing that looks finished."""
    if os.geteuid() != 0:
        raise kit.Skip("mounting needs root")
    out = case.dir / "out"
    out.mkdir()
    if case.run("mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", out, status=None).status != 0:
        raise kit.Skip("no tmpfs can be mounted")
    try:
        path = matrix(case)
        result = case.relocpack("batch", path, "-o", out, "-k", status=1)
        check("RP2101" in result.err or "RP2108" in result.err, result.err)
        case.run("mount", "-o", "remount,size=64m", out)
        batch(case, path)
        batch(case, path, out="serial")
        equal(images(out), images(case.dir / "serial"), "images")
    finally:
        case.run("umount", out)


# ---- make and ninja ----

HOSTILE = ["a b", "it's", 'quo"te', "$(touch owned)", "$HOME;x", "back\\slash", "line\nend", "-first", "%", "#x", "=y", "ü", "\udcff\udc80"]


@each([str(i) for i in range(len(HOSTILE))])
def odd_folders(case, which):
    """Text from the user is never read by make or a shell: matrix, inputs and outputs in folders with odd names."""
    name = HOSTILE[int(which)]
    folder = case.path(name)
    folder.mkdir()
    for file, text in (("one.c", MODEL.format(name="one", header="one.h")), ("inc/one.h", "#define FACTOR 2.0f\n")):
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    text = json.dumps({"models": [{"name": "one", "input": f"../{name}/one.c", "include": "inc", "define": f"ODD={name}"}],
                       "targets": ["stm32f4"]}, ensure_ascii=False)
    (folder / "m.json").write_bytes(text.encode(errors="surrogateescape"))
    for _ in range(2):
        case.relocpack("batch", "--", folder / "m.json", cwd=folder, env={"CCACHE_DISABLE": "1"})
    has((folder / "build/batch.json").read_text(), '"current":\t1')
    for tool in ("make", "ninja"):
        if tool == "make" or shutil.which("ninja"):
            (folder / "build/one/stm32f4/one_rel.bin").unlink()
            case.run(tool, cwd=folder / "build")
            check((folder / "build/one/stm32f4/one_rel.bin").exists(), f"made by {tool}")
    check(not list(case.dir.rglob("owned")), "a shell read a name")


@test
def odd_commands(case):
    """The path of this program and the words of --wrap keep every character, for make and for ninja."""
    path = matrix(case, targets=["stm32f4"])
    tool = case.path("o#d $(d) 'x' \"y\" \\", "relo cpack")
    shutil.copy(case.tool, tool)
    seen = case.dir / "seen"
    worker = program(case, "w # $x/w'k", f'printf "%s\\n" "$1" >> "{seen}"\nshift\nexec "$@"\n')
    words = f"'{str(worker).replace(chr(39), chr(39) + chr(92) + chr(39) + chr(39))}' 'a #b $c \"d\" \\'"
    env = {"RELOCPACK_DATADIR": kit.ROOT}
    argv = [tool, "batch", path, "-o", case.dir / "out", "--wrap", words]
    case.run(*argv, env=env)
    if shutil.which("ninja"):
        for name in ("one", "two"):
            (case.dir / f"out/{name}/stm32f4/{name}_rel.bin").unlink()
        case.run("ninja", cwd=case.dir / "out", env=env)
    lines = seen.read_text().splitlines()
    equal(set(lines), {'a #b $c "d" \\'}, "words")
    check(len(lines) >= 2 and (case.dir / "out/two/stm32f4/two_rel.bin").exists(), "cells")


@test
def wrappers(case):
    """One by a path is meant from where the user is; one that does not run the cell, and ends well, has made nothing."""
    path = matrix(case, models=[str(TINY)], targets=["stm32f4"])
    program(case, "near/wrap", 'exec "$@"\n')
    equal(states(batch(case, path, "--wrap", "near/wrap", cwd=case.dir)[0], "built"), ["tiny/stm32f4"], "built")
    equal(states(batch(case, path, "--wrap", "ANY=/x/y env", out="env")[0], "built"), ["tiny/stm32f4"], "with a variable")
    kept = case.write("kept/.goals", "mine\n")
    has(case.relocpack("batch", path, "-o", "kept", status=2).err, ".goals' was there before")
    equal(kept.read_text(), "mine\n", "the user's file")
    (case.dir / "out/tiny/stm32f4/tiny_rel.bin").unlink()
    for words, said in (("true", "made nothing: do the words of --wrap run what follows"), ("echo a queue's", "the last line of its log: a queue's")):
        answer, result = batch(case, path, "--wrap", words.replace("'", "\\'"), status=1)
        has(answer["cells"][0]["error"], said)
        equal((answer["cells"][0]["state"], answer["cells"][0]["exit_code"]), ("failed", 0), "state")


@test
def emitted_files(case):
    """--emit runs nothing; make, make -n and ninja do what they should; a job finds out for itself whether it is up to date."""
    kit.need("ninja")
    path = matrix(case)
    answer, _ = batch(case, path, "--emit")
    equal(len(states(answer, "waiting")), 4, "cells")
    out = case.dir / "out"
    case.run("make", "-n", cwd=out)
    equal(images(out), {}, "make -n makes nothing")
    case.run("make", "-j2", cwd=out)
    batch(case, path, out="serial")
    equal(images(out), images(case.dir / "serial"), "by make")
    equal(len(states(batch(case, path, "--list")[0], "current")), 4, "up to date")
    for tool in ("make", "ninja"):
        case.run(tool, cwd=out)
        equal((out / "two/stm32h7/cell.log").read_text(), "", f"nothing to do for {tool}")
    case.write("two.h", "#define FACTOR 11.0f\n")
    case.run("ninja", cwd=out)
    equal(len(states(batch(case, path, "--list")[0], "current")), 4, "after ninja")
    batch(case, path, out="serial")
    equal(images(out), images(case.dir / "serial"), "by ninja")
    shutil.rmtree(out)
    out.mkdir()
    (out / "Makefile").write_text("mine:\n")
    has(case.relocpack("batch", path, "-o", out, status=2).err, "RP2201", "Makefile")
    equal((out / "Makefile").read_text(), "mine:\n", "a Makefile of the user")


@test
def outer_jobs(case):
    """Two batches share the two jobs of an outer make, and nothing else of it comes in."""
    path = matrix(case, variants=["a", "b"])
    log = case.dir / "log"
    launcher = program(case, "count.sh", f'echo + >> "{log}"\n"$@"\ncode=$?\necho - >> "{log}"\nexit $code\n')
    case.write("Makefile", f"all: x y\nx y:\n\t+@'{case.tool}' batch '{path}' -o $@ --launcher '{launcher}' -q > $@.said\n")
    case.run("make", "-j2", "FACTOR=3", "CELLS=none", "-k")
    running = most = 0
    for line in log.read_text().split():
        running += 1 if line == "+" else -1
        most = max(most, running)
    equal(running, 0, "ended")
    check(most <= 2, f"{most} at a time with -j2")
    for out in ("x", "y"):
        has((case.dir / f"{out}.said").read_text(), "8 built")
        has_not((case.dir / out / "make.log").read_text() + (case.dir / out / "one/stm32f4/a/cell.log").read_text(), "jobserver")


# ---- what is chosen, and what is refused ----

@test
def chosen_cells(case):
    path = matrix(case)
    answer, _ = batch(case, path, "--only", "two/*h7", "--only", "one/stm32f4")
    equal((states(answer, "built"), answer["totals"]["selected"]), (["one/stm32f4", "two/stm32h7"], 2), "only")
    has(case.relocpack("batch", path, "--only", "three", status=2).err, "matches no cell")
    answer, _ = batch(case, path, "--list")
    equal(states(answer, "current"), ["one/stm32f4", "two/stm32h7"], "listed")
    batch(case, path)
    answer, result = batch(case, matrix(case, models=["one.c"]))
    equal((answer["removed"], answer["totals"]["cells"]), (["two/stm32f4", "two/stm32h7"], 2), "removed")
    check((case.dir / "out/two/stm32f4/two_rel.bin").exists(), "files of a cell that is gone are left")
    text = case.relocpack("batch", path, "-o", case.dir / "out").out
    has(text, "two/stm32f4 is no cell of the matrix any more")
    equal(result.err.count("["), 0, "nothing was made")


@test
def more_cells_than_a_command_line_has_room_for(case):
    """Their names are 620 KB, and with this stack the kernel takes 512 KB; each is begun, and none does anything."""
    long = "x" * 97
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    path = matrix(case, models=[{"name": f"m{i}{long}", "input": "one.c"} for i in range(50)],
                  targets=[{"name": f"t{i}{long}", "target": "stm32f4"} for i in range(42)], variants=["v" + long])
    result = case.relocpack("batch", path, "-o", case.dir / "out", "-k", "-q", "--wrap", "false", status=1,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (2 << 20, hard)))
    has(result.err, "RP2108", "2100 cells failed", "it ended and said nothing")
    check(not (case.dir / "out/.goals").exists(), "nothing is left")


@test
def budgets_for_the_whole(case):
    path = matrix(case, budgets=["*/stm32f4:flash=warn:1K"])
    answer, _ = batch(case, path)
    flash = [cell["memory"]["flash"] for cell in answer["cells"] if cell["target"] == "stm32f4"]
    budget, = answer["budgets"]
    equal((budget["value"], budget["status"], budget["count"], budget["limit"]), (sum(flash), "warn", 2, 1024), "budget")
    answer, result = batch(case, path, "--budget", "one:flash=1K", "--budget", "total_ram_xip=0", status=7)
    equal([row["status"] for row in answer["budgets"]], ["warn", "over", "over"], "budgets")
    has(result.err, "RP2700", "one:flash=1K", "of 2 cells")
    for text, said in (("flash", "is not [CELLS:]KEY=SIZE"), ("flesh=1K", "did you mean flash"), ("flash=50%", "is not a SIZE"),
                       ("flash=+1K", "is not a SIZE"), ("three:flash=1K", "no cell matches")):
        has(case.relocpack("batch", path, "-o", case.dir / "out", "--budget", text, status=2).err, said)
    path = matrix(case, budget=["flash=1"])
    answer, _ = batch(case, path, "-k", status=1)
    equal(len(states(answer, "failed")), 4, "budgets of generate")
    equal(len(states(batch(case, path, "-k", status=1)[0], "failed")), 4, "and they fail again")


@test
def refused(case):
    """Before anything is made: unknown members, targets, options, files."""
    for members, status, said in (({"varient": []}, 9, "did you mean variants"), ({"weights-threshold": "abc"}, 2, "cell 'one/stm32f4'"),
                                  ({"targets": ["stm32f44"]}, 2, "cell 'one/stm32f44': unknown --target 'stm32f44'"),
                                  ({"variants": ["a/b"]}, 9, "cannot be the name of a folder"),
                                  ({"json": "../../all.json"}, 2, "the cells 'one/stm32f4' and 'one/stm32h7' would both write"),
                                  ({"html": str(case.dir / "all.html")}, 2, "both write '" + str(case.dir / "all.html") + "'"),
                                  ({"html": "cell.args"}, 2, "the cell 'one/stm32f4' would write '"),
                                  ({"json": "../../Makefile"}, 2, "out/Makefile', which batch writes"),
                                  ({"json": "../../.goals"}, 2, "out/.goals', which batch writes"),
                                  ({"targets": [{"name": "stm32f4", "json": "../../one"}], "models": ["one.c"]}, 2, "out/one' would be a file, and a folder for 'stm32f4/cell.args'"),
                                  ({"models": [{"name": "make.log", "input": "one.c"}]}, 2, "give the model, variant or file another name"),
                                  ({"include": [{"model": "one", "target": "stm32f4", "variant": "cell.log"}]}, 2, "cell.log' would be a file"),
                                  ({"depfile": "../.././/two/../all.d"}, 2, "out/all.d'"),
                                  ({"include": ["inc"]}, 9, "folders with headers are for the models"),
                                  ({"relocatable": "splitt"}, 2, "did you mean")):
        has(case.relocpack("batch", matrix(case, **members), "-o", case.dir / "out", status=status).err, said)
    path = matrix(case)
    (case.dir / "build").mkdir()
    (case.dir / "link").symlink_to("build")
    case.write("kept.h", "int kept;\n")
    for words, status, said in (((), 2, "one matrix"), ((path, path), 2, "one matrix"), ((case.dir / "none.json",), 9, "none.json"),
                                ((path, "--list", "--emit"), 2, "exclude each other"), ((path, "--format", "x"), 2, "--format"),
                                ((path, "--wrap", "'x"), 2, "not closed"), ((path, "--wrap", "'a\nb'"), 2, "line end"),
                                ((path, "--html", path), 2, "is an input and would be replaced"),
                                ((path, "--html", "./one.c"), 2, "is an input and would be replaced"),
                                ((path, "--html", "build/one/stm32f4/one_rel.bin"), 2, "is among the files of the cells"),
                                ((path, "--html", "build/../build/batch.json"), 2, "is among the files of the cells"),
                                ((path, "--html", "link/batch.json"), 2, "is among the files of the cells"),
                                ((path, "-o", "new", "--html", "new"), 2, "is among the files of the cells"),
                                ((path, "--html", "kept.h"), 2, "is there and is no page"),
                                ((path, "--html", case.dir / "no/x.html"), 1, "no folder")):
        has(case.relocpack("batch", *words, status=status).err, said)
    check(not (case.dir / "out").exists(), "nothing is made")
    for text in ("", "{", "[]", '{"models": 1}', "\x00"):
        case.relocpack("batch", case.write("bad.json", text), status=9)


@test
def common_work_is_done_once(case):
    """With ccache, the mathematics of a target is compiled for the first model only."""
    kit.need("ccache")
    for model in ("one", "two"):
        case.write(f"{model}.c", f"#include <math.h>\nvoid {model}(const float in[4], float out[4]) {{ out[0] = expf(in[0]) + tanhf(in[1]) + {len(model)}; }}\n")
    path = matrix(case, models=["one.c", "two.c"], targets=["stm32f4"])
    env = {"CCACHE_DIR": case.dir / "cache", "CCACHE_DISABLE": None}
    batch(case, path, "--only", "one", "--launcher", "ccache", env=env)
    case.run("ccache", "-z", env=env)
    batch(case, path, "--launcher", "ccache", env=env)
    numbers = dict(re.findall(r"^(\w+)\t(\d+)$", case.run("ccache", "--print-stats", env=env).out, re.M))
    hits = sum(int(numbers[key]) for key in ("direct_cache_hit", "preprocessed_cache_hit"))
    equal(int(numbers["cache_miss"]), 2, "only the model and the entry glue with its calls are compiled")
    check(hits >= 2, f"{hits} found: expf, tanhf")
    shutil.rmtree(case.dir / "out")
    case.run("ccache", "-z", env=env)
    batch(case, path, "--launcher", "ccache", "-j2", env=env)
    equal(re.findall(r"^cache_miss\t(\d+)$", case.run("ccache", "--print-stats", env=env).out, re.M), ["0"], "a second time")
