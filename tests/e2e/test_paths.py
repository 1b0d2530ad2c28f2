# SPDX-License-Identifier: Apache-2.0
"""File names of all kinds: no character of a name may mean anything to make, shell or compiler."""
import json
import os
import re
import shutil
import subprocess

import kit
import reader
from kit import EXAMPLES, check, each, equal, has, test

TINY = EXAMPLES / "tiny" / "tiny.c"
DIGITS = EXAMPLES / "digits" / "digits_int8.json"
ODD = {
    "blank": "a b  c", "quote": "it's", "double": 'say "hi"', "dollar": "$HOME $(HOME) ${x}", "semicolon": "a;b",
    "hash": "a#b", "percent": "100%", "ampersand": "a&b", "non_ascii": "modèle-模型", "backslash": "a\\b\\",
    "command": "$(touch PWNED)", "backtick": "`touch PWNED`", "pipe": "a|touch PWNED", "newline": "two\nlines",
    "tab": "a\tb", "star": "*?[a]", "tilde": "~", "equals": "a=b", "colon": "a:b", "comma": "a,b",
    "at": "@file", "brackets": "(a){b}<c>", "bang": "a!b", "dots": "...", "long": "x" * 200,
    "invalid_utf8": "\udcff\udcfe",
}


def check_image(path, data):
    equal(path.read_bytes() == data, True, f"{path.name}: the image is that of the plain name")


@each(list(ODD))
def folder(case, label):
    """Input and output in folders of that name give the same image as elsewhere."""
    case.generate(DIGITS, "--split", out="plain")
    name = ODD[label]
    source = case.dir / "in" / name
    shutil.copytree(EXAMPLES / "digits", source)
    headers = source / "headers"
    headers.mkdir()
    before = kit.snapshot(case.dir)
    depfile = case.dir / "deps.mk"
    case.generate(source / "digits_int8.json", "--split", "-I", headers, "--depfile", depfile,
                  out=f"out/{name}", cwd=case.dir)
    for file in ("digits_int8_rel.bin", "digits_int8_data.bin"):
        equal((case.dir / "out" / name / file).read_bytes(), (case.dir / "plain" / file).read_bytes(), file)
    check(not list(case.dir.rglob("*PWNED*")) or label in ("command", "backtick", "pipe"), "shell injection")
    check(not (case.dir / "PWNED").exists() and not (source / "PWNED").exists(), "shell injection")
    added = set(kit.snapshot(case.dir)) - set(before)
    check(all(path.startswith(("out", "deps.mk")) for path in added), f"files elsewhere: {added}")
    if label not in ("newline", "tab", "semicolon", "equals", "pipe"):  # make has no way to write those
        check_depfile(case, depfile, source / "digits_int8.c")


def check_depfile(case, depfile, source):
    """make reads the names back: the source is newer than nothing, and gone it is missed."""
    text = depfile.read_bytes() + b"\n\t@echo made\n"
    goal = text.split(b": \\\n", 1)[0].replace(b"\\%", b"%")
    equal(run_make(case, b".PHONY: all\nall: " + goal + b"\n" + text), (0, b""), "make with the depfile")
    source.rename(source.with_name("gone"))
    status, err = run_make(case, b".PHONY: all\nall: " + goal + b"\n" + text)
    check(status == 2 and b"digits_int8.c" in err, f"make does not know the source: {err}")
    source.with_name("gone").rename(source)


def run_make(case, text):
    done = subprocess.run(["make", "-s", "-f", "-"], input=text, capture_output=True, env=case.env,
                          cwd=case.dir, check=False)
    return done.returncode, done.stderr


@each(["blank", "quote", "double", "dollar", "hash", "percent", "command", "backtick", "non_ascii", "semicolon",
       "invalid_utf8", "star", "at", "newline"])
def file(case, label):
    """A C file of that name: the C name is derived from it, nothing is executed."""
    source = case.dir / f"{ODD[label]}.c"
    source.write_bytes(TINY.read_bytes())
    includable = label not in ("double", "newline")
    case.generate(source, *(["-r", "gen-c-file"] if includable else []), cwd=case.dir)
    image = reader.read(case.dir / "out" / f"{ODD[label]}_rel.bin")
    check(image.name.isidentifier() and image.name.isascii(), f"C name {image.name!r}")
    check(not list(case.dir.rglob("PWNED")), "shell injection")
    if not includable:
        has(case.refuse(2, "RP2200", source, "-r", "gen-c-file", out="array", hint="--name", cwd=case.dir), "no C file can include")
        return
    case.run(f"{kit.CROSS}gcc", "-fsyntax-only", "-Wall", "-Werror", "-x", "c",
             case.dir / "out" / f"{ODD[label]}_img_rel.c")


@test
def commands_in_names(case):
    """What stands behind a line end in a name is no GDB command."""
    for source, out in ((f"{case.dir}/x\nshell touch PWNED\n#.c", "out"), (TINY, "out\nshell touch PWNED\n#")):
        if source != TINY:
            (case.dir / source).write_bytes(TINY.read_bytes())
        case.generate(source, out=out)
        has(case.refuse(2, "RP2200", source, "--debug", out=f"{out}/debug", hint="--name"), "line end")
    case.generate(case.dir / "x\nshell touch PWNED\n#.c", "--debug", "--name", "x")


@test
def leading_dash(case):
    for name in ("-x", "--output"):
        (case.dir / name).mkdir()
        (case.dir / name / "-tiny.c").write_bytes(TINY.read_bytes())
        case.relocpack("generate", "--target", "f4", "-i", f"{name}/-tiny.c", "-o", f"{name}/-out", "-q",
                       cwd=case.dir)
        reader.read(case.dir / name / "-out" / "-tiny_rel.bin")
    (case.dir / "-m.c").write_bytes(TINY.read_bytes())
    case.relocpack("generate", "--target=f4", "--input=-m.c", "--output=-out", "-q", cwd=case.dir)
    reader.read(case.dir / "-out" / "-m_rel.bin")
    case.relocpack("inspect", "--", "-out/-m_rel.bin", cwd=case.dir)


@test
def too_long_a_name(case):
    """Names that the system accepts for a source but not with a suffix added: an error, no crash."""
    source = case.dir / ("y" * 250 + ".c")
    source.write_bytes(TINY.read_bytes())
    result = case.generate(source, status=None)
    check(result.status in (1, 9, 2), result.show())
    has(result.err, "relocpack: error", "y" * 50)
    case.generate(source, "--name", "short")
    deep = case.dir
    for _ in range(14):
        deep = deep / ("d" * 200)
    deep.mkdir(parents=True)
    (deep / "tiny.c").write_bytes(TINY.read_bytes())
    case.generate(deep / "tiny.c", out="deep")
    reader.read(case.dir / "deep" / "tiny_rel.bin")


ASKING = """#if __has_include(<factor.h>)
#include <factor.h>
#elif !defined FACTOR
#define FACTOR 2
#endif
void model(const float x[4], float y[4]) { for (int i = 0; i < 4; i++) y[i] = x[i] * FACTOR; }
"""


@test
def paths_in_cflags(case):
    """They begin in the current folder, where the user is: the compiler runs in another one."""
    source = case.write("model.c", ASKING)
    (case.dir / "inc").mkdir()
    (case.dir / "inc/factor.h").write_text("#define FACTOR 3\n")
    case.generate(source, "-I", case.dir / "inc", out="want")
    want = (case.dir / "want/model_rel.bin").read_bytes()
    for words in ("-Iinc", "-I ./inc", "-isystem inc", "-idirafter inc", "-include inc/factor.h"):
        case.generate(source, f"--cflags={words}", cwd=case.dir)
        equal((case.dir / "out/model_rel.bin").read_bytes(), want, words)
    case.verify(case.dir / "out/model_rel.bin", cwd=case.tmp)


@test
def read_only_input(case):
    source = case.dir / "in"
    shutil.copytree(EXAMPLES / "digits", source)
    for path in [*source.iterdir(), source]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = kit.snapshot(source)
    times = {path.name: path.stat().st_mtime_ns for path in source.iterdir()}
    case.generate(source / "digits_float.json")
    equal(kit.snapshot(source), before, "the input folder")
    equal({path.name: path.stat().st_mtime_ns for path in source.iterdir()}, times, "times")
    source.chmod(0o755)


@test
def output_is_input(case):
    """Twice in a row: the first run's output is not an input of the second."""
    source = case.dir / "model"
    source.mkdir()
    (source / "tiny.c").write_bytes(TINY.read_bytes())
    for _ in range(2):
        case.relocpack("generate", "--target", "f4", "-i", source, "-o", source, "-r", "gen-c-file", "-q")
        equal((source / "tiny.c").read_bytes(), TINY.read_bytes(), "the source")
        reader.read(source / "tiny_rel.bin")


@test
def current_folder_as_output(case):
    (case.dir / "tiny.c").write_bytes(TINY.read_bytes())
    case.relocpack("generate", "--target", "f4", "-i", "tiny.c", "-o", ".", "-q", cwd=case.dir)
    reader.read(case.dir / "tiny_rel.bin")
    equal([name for name in os.listdir(case.dir) if name.startswith(".")], [], "hidden files")


@test
def output_through_a_link(case):
    (case.dir / "real").mkdir()
    (case.dir / "out").symlink_to(case.dir / "real")
    case.generate(TINY)
    reader.read(case.dir / "real" / "tiny_rel.bin")
    check((case.dir / "out").is_symlink(), "the link")


@test
def output_file_that_is_a_link(case):
    """A link of the image's name is replaced; what it leads to is left alone."""
    elsewhere = case.write("elsewhere.bin", "precious")
    (case.dir / "out").mkdir()
    (case.dir / "out" / "tiny_rel.bin").symlink_to(elsewhere)
    (case.dir / "out" / "ai_reloc_network.h").symlink_to(case.dir / "nowhere")
    case.generate(TINY)
    equal(elsewhere.read_text(), "precious", "what the link leads to")
    reader.read(case.dir / "out" / "tiny_rel.bin")
    check(not (case.dir / "out" / "tiny_rel.bin").is_symlink(), "the link is replaced")
    check(not (case.dir / "nowhere").exists(), "written through a link to nowhere")


@test
def two_sources_of_one_name(case):
    for name, value in (("a", 1), ("b", 2)):
        case.write(f"{name}/part.c", f"int part_{name}(void) {{ return {value}; }}\n")
    case.write("main.c", "int part_a(void), part_b(void);\nvoid entry(const float in[1], float out[1]) "
               "{ out[0] = in[0] + part_a() + part_b(); }\n")
    manifest = case.write("m.json", '{"sources": ["main.c", "a/part.c", "b/part.c"]}')
    case.generate(manifest)
    reader.read(case.dir / "out" / "m_rel.bin")


@test
def input_that_an_output_would_replace(case):
    source = case.dir / "tiny_img_rel.c"
    source.write_bytes(TINY.read_bytes())
    error = case.refuse(2, "RP2200", source, "--name", "tiny", "-r", "gen-c-file", out=".")
    has(error, "tiny_img_rel.c", "is an input")
    equal(source.read_bytes(), TINY.read_bytes(), "the input")
    equal(kit.visible(case.dir), ["tiny_img_rel.c"], "files")


@test
def names_that_are_no_utf8(case):
    """JSON is UTF-8 whatever the names are."""
    folder = os.fsencode(case.dir) + b"/\xff\xc3(\xed\xa0\x80"
    os.mkdir(folder)
    shutil.copy(TINY, folder + b"/tiny.c")
    case.generate(os.fsdecode(folder + b"/tiny.c"), "--name", os.fsdecode(b"a\xe9\xf0\x9f\x98\x80"), out="out")
    report = json.loads((case.dir / "out").joinpath(os.fsdecode(b"a\xe9\xf0\x9f\x98\x80_generate_rel.json"))
                        .read_text("utf-8"))
    equal(report["model"]["name"], "a\ufffd\U0001F600", "name")
    equal(report["run"]["input"].split("/")[-2], "\ufffd\ufffd(\ufffd\ufffd\ufffd", "folder")


@test
def file_size_limit(case):
    """A file that may not grow so large is an error, as on a full disk."""
    case.generate(TINY)
    before = kit.snapshot(case.dir / "out")
    result = case.run("sh", "-c", f'ulimit -f 1; exec "$0" generate -q -i "$1" --target f4 -o out', case.tool, TINY,
                      status=None, cwd=case.dir)
    check(result.status in range(1, 10), f"exit status {result.status}")
    has(result.err, "relocpack: error")
    equal(kit.snapshot(case.dir / "out"), before, "the files of before")


@test
def runs_that_share_a_workspace(case):
    """They wait for each other, so no image has another model's code."""
    sources = {name: case.write(f"{name}/{name}.c", TINY.read_text().replace("0.5f", value))
               for name, value in (("a", "0.25f"), ("b", "0.125f"))}
    def run(name, out, workspace):
        return [case.tool, "generate", "-q", "-i", sources[name], "--target", "f4", "-o", case.dir / out,
                "--workspace", case.dir / workspace, "--launcher", "none"]
    for name in sources:
        case.run(*run(name, f"{name}-alone", f"ws-{name}"))
    for turn in range(4):
        running = [subprocess.Popen(run(name, f"{name}-{turn}", "ws")) for name in sources]
        equal([process.wait() for process in running], [0, 0], "exit status")
        for name in sources:
            image = f"{name}_rel.bin"
            equal(kit.sha256(case.dir / f"{name}-{turn}" / image), kit.sha256(case.dir / f"{name}-alone" / image), name)


@test(needs=["pkg-config"])
def installed(case):
    """make install into a folder of its own, used from elsewhere without the source tree."""
    root = case.dir / "root"
    case.run("make", "-C", kit.ROOT, "install", f"DESTDIR={root}", "PREFIX=/opt/rp", status=0)
    moved = case.dir / "moved"
    shutil.move(root / "opt/rp", moved)
    tool = moved / "bin" / "relocpack"
    env = {"PATH": "/usr/bin:/bin"}
    (case.dir / "cwd").mkdir()
    case.run(tool, "generate", "-i", DIGITS, "--target", "h7", "-o", "out", cwd=case.dir / "cwd", env=env)
    reader.read(case.dir / "cwd/out/digits_int8_rel.bin")
    for name in ("ai_reloc_network.c", "ai_reloc_network.h"):
        equal(kit.sha256(moved / "share/relocpack/loader" / name), kit.sha256(case.dir / "cwd/out" / name), name)
    equal(kit.visible(moved / "share/relocpack/runtime/compat"), kit.visible(kit.ROOT / "runtime/compat"), "forwarding headers")
    where = {"PKG_CONFIG_PATH": str(moved / "share/pkgconfig"), "PATH": "/usr/bin:/bin"}
    for name in ("loaderdir", "amalgamationdir", "compatdir", "source", "npu_source"):
        path = case.run("pkg-config", f"--variable={name}", "relocpack-loader", env=where).out.strip()
        check(kit.pathlib.Path(path).resolve().is_relative_to(moved.resolve()) and kit.pathlib.Path(path).exists(), f"{name}: {path}")
    case.run(tool, "generate", "-i", DIGITS, "--target", "h7", "-o", "parts", "--loader-sources", cwd=case.dir / "cwd", env=env)
    strings = case.run("strings", "-n", "6", tool).out
    check(str(kit.ROOT) + "/templates" not in strings, "the program knows the source tree")
    if shutil.which(kit.QEMU):
        case.run(tool, "verify", "out/digits_int8_rel.bin", cwd=case.dir / "cwd", env=env)
    pages = kit.visible(moved / "share/man/man1")
    check({"relocpack.1", "relocpack-generate.1", "relocpack-sbom.1"} <= set(pages), f"manual pages: {pages}")
    for page in pages if shutil.which("groff") else ():
        equal(case.run("groff", "-man", "-Tutf8", "-ww", "-z", moved / "share/man/man1" / page).err, "", f"warnings about {page}")
    check({"report.schema.json", "diff.schema.json"} <= set(kit.visible(moved / "share/relocpack/schemas")), "schemas")
    case.run("bash", "-n", moved / "share/bash-completion/completions/relocpack")
    case.run("make", "-C", kit.ROOT, "install", f"DESTDIR={case.dir / 'second'}", "PREFIX=/usr")
    case.run("make", "-C", kit.ROOT, "uninstall", f"DESTDIR={case.dir / 'second'}", "PREFIX=/usr")
    left = [path for path in (case.dir / "second").rglob("*") if not path.is_dir()]
    equal(left, [], "files after uninstall")


@test(needs=["ccache"])
def names_that_ccache_cannot_take(case):
    """In depend mode, ccache never ends when a list of dependencies has "::": it preprocesses such a unit itself."""
    text = '#include "f::g/k.h"\nvoid w(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] * K; }\n'
    case.write("f::g/k.h", "#define K 2\n")
    for name in ("z::w.c", "d::e/n.c", "plain.c"):
        case.write(name, text)
        case.run("timeout", "120", case.tool, "generate", "-i", name, "-I", ".", "--target", "stm32f4", "-q", "-o", "out")
