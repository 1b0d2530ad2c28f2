# SPDX-License-Identifier: Apache-2.0
"""Where an output may be written: not over an input or a second output, and a device stays a device. Then depfiles."""
import json
import os
import shutil
import signal
import stat
import subprocess
import threading
import time

import kit
import reader
from kit import EXAMPLES, check, each, equal, has, has_not, test

TINY = EXAMPLES / "tiny/tiny.c"
SOURCE = '#include "tail.h"\nvoid entry(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * K; }\n'


def model(case):
    """A manifest, its source in a folder of its own, a header that the source includes, an object to link with."""
    case.write("src/tail.h", "#define K 3\n")
    case.write("src/part.c", SOURCE)
    case.write("more.c", "int more(void) { return 1; }\n")
    kit.compile_object(case, case.dir / "more.c", case.dir / "more.o")
    case.write("budget.json", '{"flash": 1000000}')
    return case.write("m.json", '{"sources": ["src/part.c"], "libraries": ["more.o"]}')


INPUTS = ["m.json", "src/part.c", "src/tail.h", "more.o", "budget.json"]


def refused(case, source, *words, **more):
    before = kit.snapshot(case.dir)
    error = case.refuse(2, "RP2200", source, "--budget-file", case.dir / "budget.json", *words, **more)
    equal(kit.snapshot(case.dir), before, f"files after {words}")
    return error


@each(["--json", "--depfile", "--log", "--diagnostics"])
def input_named(case, option):
    """Every file that the run reads, by its name, by a link and by another name of it."""
    source = model(case)
    (case.dir / "links").mkdir()
    for number, name in enumerate(INPUTS):
        path = case.dir / name
        (case.dir / "links" / f"{number}").symlink_to(path)
        os.link(path, case.dir / "links" / f"{number}.hard")
        for other in (path, path.parent / "../" / path.parent.name / path.name, case.dir / f"links/{number}",
                      case.dir / f"links/{number}.hard"):
            has(refused(case, source, option, other), other.name)


@test
def input_in_the_output_folder(case):
    """An input of the name of any output: refused, also a header and the raw weights of a network."""
    model(case)
    for name in ("part_rel.bin", "part_generate_rel.json", "part_generate_report.txt", "ai_reloc_network.h",
                 "part_img_rel.c"):
        shutil.rmtree(case.dir / "in", ignore_errors=True)
        case.write(f"in/{name}", "#define K 3\n")
        case.write("in/part.c", SOURCE.replace("tail.h", name))
        has(refused(case, case.dir / "in/part.c", "-r", "gen-c-file", out="in"), name, "is an input")
        case.generate(case.dir / "in/part.c", "-q", "-r", "gen-c-file", out="elsewhere")


@test
def one_file_for_two(case):
    model(case)
    (case.dir / "out").mkdir()
    (case.dir / "same").symlink_to("out")
    for words in (["--json", "x", "--depfile", "x"], ["--json", "x", "--depfile", "./x"], ["--json", "out/part_rel.bin"],
                  ["--depfile", "same/part_rel.bin"], ["--json", "out/../out/part_generate_rel.json"],
                  ["--json", "-", "--depfile", "-"], ["--json", "x", "--log", "x"],
                  ["--json", "x", "--diagnostics", "x"], ["--log", "out/part_rel.bin"],
                  ["--log", "x", "--diagnostics", "./x"], ["--log", "-", "--diagnostics", "/dev/stdout"],
                  ["--json", "-", "--diagnostics", "-"], ["--depfile", "-", "--log", "-"]):
        case.run(case.tool, "generate", "-q", "-i", "src/part.c", "--target", "f4", "-o", "out", *words, status=2)
        check(not (case.dir / "out/part_rel.bin").is_file() or words[0] == "--log", f"written with {words}")
        for name in ("x", "out/part_rel.bin"):
            (case.dir / name).unlink(missing_ok=True)


def named(case, *words, **more):
    return case.generate(TINY, *words, **more)


@test
def streams(case):
    """A FIFO, a device, the standard output in three spellings: written to, and still what they were."""
    report = case.generate(TINY, "-q", "--reproducible") and (case.dir / "out/tiny_generate_rel.json").read_text()
    for path in ("-", "/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"):
        equal(named(case, "--reproducible", "--json", path).out, report, f"--json {path}")
        has(named(case, "-q", "--depfile", path).out, "tiny_rel.bin:", str(TINY))
    equal(named(case, "-q", "--reproducible", "--json", "/dev/stderr").err, report, "--json /dev/stderr")
    out = case.dir / "redirected"
    with open(out, "wb") as file:
        subprocess.run([case.tool, "generate", "-q", "-i", TINY, "--target", "stm32f4", "-o", case.dir / "out", "--reproducible",
                        "--json", "/dev/stdout"], check=True, stdout=file, env=case.env)
        file.write(b"more\n")
    equal(out.read_text(), report + "more\n", "a redirected standard output")
    fifo = case.dir / "fifo"
    os.mkfifo(fifo)
    got = []
    thread = threading.Thread(target=lambda: got.append(fifo.read_text()))
    thread.start()
    named(case, "-q", "--reproducible", "--json", fifo)
    thread.join()
    equal(got, [report], "what came out of the FIFO")
    check(stat.S_ISFIFO(fifo.stat().st_mode), "the FIFO is one no more")
    node = case.dir / "null"
    if os.geteuid() == 0:
        try:
            os.mknod(node, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            named(case, "-q", "--json", node, "--depfile", node, "--log", node)
            check(stat.S_ISCHR(node.lstat().st_mode), "the device is one no more")
        except PermissionError:
            pass
    equal(sorted(name for name in os.listdir(case.dir) if "relocpack" in name), [], "left over")


@test
def log_into_a_fifo(case):
    """The log comes in parts, and its reader gets all of them; a signal ends the wait for a reader."""
    fifo = case.dir / "fifo"
    os.mkfifo(fifo)
    got = []
    thread = threading.Thread(target=lambda: got.append(fifo.read_text()))
    thread.start()
    named(case, "-q", "--log", fifo)
    thread.join()
    has(got[0], "relocpack: preprocess", "relocpack: link", "exit code 0")
    process = subprocess.Popen([case.tool, "generate", "-q", "-i", TINY, "--target", "f4", "-o", case.dir / "out", "--log", fifo,
                                "--workspace", case.dir / "work"], env=case.env, stderr=subprocess.DEVNULL)
    while not (case.dir / "work/preprocess.log").exists() and process.poll() is None:
        time.sleep(0.2)  # it is opened next
    process.terminate()
    equal(process.wait(kit.BUSY), -signal.SIGTERM, "end")


@test
def diagnostics_on_a_redirected_output(case):
    """Appended to the other output, not over it."""
    out = case.dir / "redirected"
    with open(out, "wb") as file:
        subprocess.run([case.tool, "generate", "-i", TINY, "--target", "stm32f4", "-o", case.dir / "out", "--import", "nothing",
                        "--diagnostics", "/dev/stdout"], check=True, stdout=file, env=case.env)
    has(out.read_text(), "XIP size", '{"id":"RP1017"')


@test
def empty_header_for_diagnostics(case):
    header = case.write("empty.h", "")
    source = case.write("model.c", '#include "empty.h"\nvoid entry(const float x[1], float y[1]) { y[0] = x[0]; }\n')
    has(case.refuse(2, "RP2200", source, "--import", "nothing", "--diagnostics", header), "empty.h' is an input")
    case.write("model.c", '#include "empty.h"\nvoid entry(const float x[1], float y[1]) { y[0] = z; }\n')
    case.generate(source, "--diagnostics", header, status=4)
    equal(header.read_text(), "", "the header")


@test
def stream_that_takes_nothing(case):
    """All or nothing, including streams; a reader that goes away is an error and not a signal."""
    case.generate(TINY, "-q")
    before = kit.snapshot(case.dir / "out")
    source = case.write("tiny.c", TINY.read_text().replace("0.5f", "0.25f"))
    has(case.generate(source, "-q", "--json", "/dev/full", status=1).err, "RP2101", "/dev/full")
    equal(kit.snapshot(case.dir / "out"), before, "files of before")
    fifo = case.dir / "fifo"
    os.mkfifo(fifo)
    process = subprocess.Popen([case.tool, "generate", "-q", "-i", source, "--target", "f4", "-o", case.dir / "out", "--json", fifo],
                               env=case.env, stderr=subprocess.PIPE)
    os.close(os.open(fifo, os.O_RDONLY))
    err = process.communicate()[1].decode()
    check(process.returncode in (0, 1), f"status {process.returncode}: {err}")
    equal([name for name in os.listdir(case.dir / "out") if name.startswith(".")], [], "hidden files")


@test
def links_are_followed(case):
    (case.dir / "deep").mkdir()
    (case.dir / "a").symlink_to("deep/b")
    (case.dir / "deep/b").symlink_to("../real")
    for _ in range(2):
        named(case, "-q", "--json", case.dir / "a")
        json.loads((case.dir / "real").read_text())
        check((case.dir / "a").is_symlink() and (case.dir / "deep/b").is_symlink(), "the links")
    first = case.dir / "real.json"  # a name that the tool chooses is not followed, whatever it leads to
    (case.dir / "real").rename(first)
    for command in ([["sbom", first, "-o", case.dir / "a"], ["report", first, "--html", case.dir / "a"]]):
        case.relocpack(*command)
        check((case.dir / "a").is_symlink() and (case.dir / "deep/b").is_symlink() and (case.dir / "real").stat().st_size > 1000, command[0])
    image = next((case.dir / "out").glob("*_rel.bin"))
    case.write("kept", "kept")
    image.unlink()
    image.symlink_to(case.dir / "kept")
    named(case, "-q")
    check(not image.is_symlink() and (case.dir / "kept").read_text() == "kept", "a link in the folder of outputs")
    (case.dir / "folder").symlink_to("deep")
    has(named(case, "--json", case.dir / "folder", status=1).err, "is a folder")
    (case.dir / "round").symlink_to("round")
    has(named(case, "--json", case.dir / "round", status=1).err, "round")
    has(named(case, "--json", case.dir / "none/x", status=1).err, "none")


@test
def no_file_in_the_output_folder(case):
    """A FIFO or socket that has the name of an output stays."""
    (case.dir / "out").mkdir()
    os.mkfifo(case.dir / "out/tiny_rel.bin")
    has(case.refuse(2, "RP2200", TINY), "tiny_rel.bin", "not a regular file")
    check(stat.S_ISFIFO((case.dir / "out/tiny_rel.bin").stat().st_mode), "the FIFO")


@test(needs=[kit.QEMU])
def save_output(case):
    """verify --save-output: not over the image, its report, the source or the inputs; not twice; a FIFO is written to."""
    model(case)
    case.generate(case.dir / "src/part.c", "-q")
    image = case.dir / "out/part_rel.bin"
    case.write("input.bin", bytes(16))
    before = kit.snapshot(case.dir)
    words = ["--input", case.dir / "input.bin"]
    for path in (image, case.dir / "out/part_generate_rel.json", case.dir / "src/part.c", case.dir / "src/tail.h",
                 case.dir / "input.bin"):
        has(case.verify(image, *words, "--save-output", path, status=2).err, "RP2200", path.name)
        equal(kit.snapshot(case.dir), before, f"files after {path.name}")
    case.verify(image, *words, "--save-output", case.dir / "saved.bin")
    os.mkfifo(case.dir / "fifo")
    got = []
    thread = threading.Thread(target=lambda: got.append((case.dir / "fifo").read_bytes()))
    thread.start()
    case.verify(image, *words, "--save-output", case.dir / "fifo")
    thread.join()
    equal(got, [(case.dir / "saved.bin").read_bytes()], "what came out of the FIFO")


# ---- what a depfile says ----

def touch(path, seconds):
    os.utime(path, (path.stat().st_mtime + seconds,) * 2)


DEPENDS = ["src/part.c", "src/tail.h", "src/deep er/in$ide#1.h", "m.json", "more.o", "budget.json"]


def rule_case(case):
    source = model(case)
    case.write("src/deep er/in$ide#1.h", "#define DEEP 1\n")
    case.write("src/tail.h", '#define K 3\n#include "deep er/in$ide#1.h"\n')
    return source, ["generate", "-q", "-i", source, "--target", "f4", "-o", "out", "--budget-file", "budget.json", "--depfile", "d.mk"]


@test(needs=["ninja"])
def ninja_rebuilds(case):
    """Each input by itself. If nothing changed, there is no work; a deleted header that is no longer needed does no harm."""
    words = rule_case(case)[1]
    command = " ".join([case.tool, *map(str, words)]).replace("$", "$$")
    case.write("build.ninja", f"rule pack\n  command = echo made >> count; {command}\n  depfile = d.mk\n"
               "build out/m_rel.bin: pack\n")
    count = lambda: len((case.dir / "count").read_text().splitlines())
    case.run("ninja")
    for number, name in enumerate(DEPENDS):
        has(case.run("ninja").out, "no work to do")
        touch(case.dir / name, 1000 + number)
        touch(case.dir / "out/m_rel.bin", 0)
        case.run("ninja")
        equal(count(), number + 2, f"runs after {name} changed")
        os.utime(case.dir / name)
        case.run("ninja")
        (case.dir / "count").write_text("made\n" * (number + 2))
    case.write("src/tail.h", "#define K 4\n")
    shutil.rmtree(case.dir / "src/deep er")
    case.run("ninja")
    has(case.run("ninja").out, "no work to do")


@test
def make_rebuilds(case):
    words = rule_case(case)[1]
    command = " ".join([case.tool, *map(str, words)])
    case.write("Makefile", f"out/m_rel.bin:\n\t@echo made\n\t@{command}\n-include d.mk\n")
    equal(case.run("make", "-rs").out, "made\n", "the first time")
    for name in DEPENDS:
        equal(case.run("make", "-rs").out, "", f"nothing changed, before {name}")
        touch(case.dir / "out/m_rel.bin", -10)
        for other in DEPENDS:
            touch(case.dir / other, -1000)
        equal(case.run("make", "-rs").out, "", "older inputs")
        os.utime(case.dir / name)
        equal(case.run("make", "-rs").out, "made\n", f"{name} changed")
    case.write("src/tail.h", "#define K 4\n")
    shutil.rmtree(case.dir / "src/deep er")
    touch(case.dir / "out/m_rel.bin", -10)
    equal(case.run("make", "-rs").out, "made\n", "a header is gone")
    equal(case.run("make", "-rs").out, "", "and forgotten")


@test
def depfile_names_tools_files(case):
    """Templates, the C library and files that assembly includes are also inputs; the workspace is not."""
    case.generate(TINY, "-q", "--depfile", case.dir / "d.mk", "--workspace", case.dir / "ws")
    text = (case.dir / "d.mk").read_text()
    has(text, "templates/image.ld", "templates/glue_c.c", "runtime/format/reloc_format.h", "libgcc.a", "stdint.h")
    has_not(text, str(case.dir / "ws"), str(case.tmp))


# ---- files that change meanwhile ----

@each(["source", "archive", "replaced", "times-kept"])
def changed_while_building(case, what):
    """A launcher changes an input after it was read: no report may describe what was not compiled."""
    source = model(case)
    target = case.dir / ("more.o" if what == "archive" else "src/part.c")
    change = {"replaced": f"cp {target} {target}.new; echo '// x' >> {target}.new; mv {target}.new {target}",
              "times-kept": f"touch -r {target} {case.dir}/ref; sed -i s/out.i./out[i+0]/ {target}; "
                            f"touch -r {case.dir}/ref {target}"}.get(what, f"echo >> {target}")
    launcher = case.write("launcher", f'#!/bin/sh\n"$@" || exit 1\ntest -e {case.dir}/done || {{ {change}; touch {case.dir}/done; }}\n')
    launcher.chmod(0o755)
    has(case.refuse(1, "RP2104", source, "--launcher", launcher, "-j1", hint="run it again"), target.name)
    case.generate(source, "-q", "--launcher", launcher)
    reader.read(case.dir / "out/m_rel.bin")
