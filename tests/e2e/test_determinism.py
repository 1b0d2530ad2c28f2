# SPDX-License-Identifier: Apache-2.0
"""The same input and toolchain give the same bytes, wherever, whenever and however it runs."""
import os
import shutil
import subprocess
import time

import kit
import standin
from kit import EXAMPLES, MODELS, check, each, equal, has, has_not, test

WORDS = ["-r", "split,gen-c-file", "--reproducible", "-q", "--target", "h7"]
SOURCES = ["digits_float", "features"]


def source_of(name, folder):
    """A copy of the model in a folder of its own."""
    if name == "features":
        shutil.copy(MODELS / "features.c", folder)
        return folder / "features.c"
    for file in (EXAMPLES / "digits").glob("digits_float.*"):
        shutil.copy(file, folder)
    return folder / "digits_float.json"


def build(case, label, name="digits_float", words=(), **more):
    """One build somewhere else; all files but the text report, which names the output folder."""
    folder = case.dir / label / "in put"
    folder.mkdir(parents=True)
    case.relocpack("generate", "-i", source_of(name, folder), "-o", case.dir / label / "out", *WORDS, *words, **more)
    files = kit.snapshot(case.dir / label / "out")
    text = [key for key in files if key.endswith("_generate_report.txt")][0]
    files[text] = files[text].replace(str(case.dir / label).encode(), b"")
    return files


def same(got, want, what):
    equal(sorted(got), sorted(want), f"files, {what}")
    for name, data in want.items():
        if got[name] != data:
            at = next(i for i in range(len(data) + 1) if got[name][i:i + 1] != data[i:i + 1])
            raise kit.Failure(f"{what}: {name} differs at byte {at}: {got[name][at - 30:at + 30]!r}, "
                              f"{data[at - 30:at + 30]!r}")


WAYS = {
    "again": ([], {}), "one_job": (["-j1"], {}), "many_jobs": (["-j8"], {}), "no_launcher": (["--launcher", "none"], {}),
    "no_ccache": ([], {"CCACHE_DISABLE": "1"}), "fresh_ccache": ([], {"CCACHE_DIR": None}),
    "turkish": ([], {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "LANGUAGE": "tr"}),
    "german_numbers": ([], {"LC_ALL": None, "LC_NUMERIC": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}),
    "no_locale": ([], {"LC_ALL": "C"}), "bad_locale": ([], {"LC_ALL": "xx_YY.nonsense"}),
    "far_east": ([], {"TZ": "Pacific/Kiritimati"}), "no_home": ([], {"HOME": None}),
    "other_home": ([], {"HOME": "/nonexistent", "USER": "nobody", "LOGNAME": "nobody"}),
    "columns": ([], {"COLUMNS": "20", "TERM": "dumb", "GCC_COLORS": "error=1", "CFLAGS": "-O0"}),
    "include_paths": ([], {"CPATH": "/tmp", "C_INCLUDE_PATH": "/tmp", "GCC_EXEC_PREFIX": "/tmp"}),
    "verbose": (["-v"], {}), "compare": (["--no-clean"], {}),
}


@each(list(WAYS))
def way(case, label):
    words, env = WAYS[label]
    if env.get("CCACHE_DIR", "") is None:
        env = {"CCACHE_DIR": str(case.dir / "cache")}
    want = build(case, "first")
    got = build(case, "second somewhere else", words=words, env=env, workspace_left="--no-clean" in words)
    same(got, want, label)


@each(SOURCES)
def umask_time_and_folder(case, name):
    want = build(case, "first", name)
    time.sleep(1.1)  # another second, in case anything writes one
    old = os.umask(0o077)
    try:
        got = build(case, "b" * 100, name, cwd="/")
    finally:
        os.umask(old)
    same(got, want, "another time, umask, folder and current folder")
    modes = {path.name: path.stat().st_mode & 0o777 for path in (case.dir / "first/out").iterdir()}
    equal(set(modes.values()), {0o644}, f"modes with umask 022: {modes}")
    modes = {path.stat().st_mode & 0o777 for path in (case.dir / ("b" * 100) / "out").iterdir()}
    equal(modes, {0o600}, "modes with umask 077")


@test
def faked_time(case):
    """__DATE__ and __TIME__ in the model do not reach the image; SOURCE_DATE_EPOCH decides."""
    source = case.write("m/stamp.c", 'const char stamp[] = __DATE__ " " __TIME__;\n'
                        "void entry(const float a[1], unsigned char b[21]) { for (int i = 0; i < 21; i++) "
                        "b[i] = (unsigned char)stamp[i] + (unsigned char)a[0]; }\n")
    images = []
    for out, env in (("a", {}), ("b", {}), ("c", {"SOURCE_DATE_EPOCH": "1700000000"})):
        case.relocpack("generate", "-i", source, "-o", case.dir / out, *WORDS, env=env)
        images.append((case.dir / out / "stamp_rel.bin").read_bytes())
        time.sleep(1.1)
    equal(images[0] == images[1], True, "the same bytes a second later")
    check(b"Jan  1 1970" in images[0] and b"Nov 14 2023" in images[2], "the dates")


@test
def file_macro(case):
    """__FILE__ does not reveal where the model is."""
    images = []
    for folder in ("one", "another place"):
        source = case.write(f"{folder}/where.c", "const char *name(void) { return __FILE__; }\n"
                            "void entry(const float a[1], unsigned char b[8]) { for (int i = 0; i < 8; i++) "
                            "b[i] = (unsigned char)name()[i] + (unsigned char)a[0]; }\n")
        case.relocpack("generate", "-i", source, "-o", case.dir / folder / "out", *WORDS, cwd=case.dir)
        images.append((case.dir / folder / "out/where_rel.bin").read_bytes())
        check(b"where.c" in images[-1] and b"/where.c" not in images[-1], "__FILE__")
        check(str(case.dir).encode() not in images[-1], "the path is in the image")
    equal(images[0] == images[1], True, "the same bytes in another folder")


@test
def no_paths_in_reproducible_files(case):
    files = build(case, "first", "features")
    for name, data in files.items():
        for secret in (str(case.base), str(kit.ROOT), str(case.tmp), os.uname().nodename):
            has_not(data.decode(errors="replace"), secret)


@test
def networks_too(case):
    pack = standin.pack(case, (10, 0))
    moved = case.dir / "other pack"
    shutil.copytree(pack, moved)
    wants = []
    for label, root in (("a", pack), ("b", moved)):
        source = standin.network(case, (10, 0), name=f"{label}/net")
        case.relocpack("generate", "-i", source, "-o", case.dir / label / "out", *WORDS[:-2], "--target", "f4",
                       env={"STEDGEAI_CORE_DIR": root})
        files = kit.snapshot(case.dir / label / "out")
        wants.append(files)
    same(wants[1], wants[0], "another folder of network and pack")


@test
def order_of_the_folder(case):
    """The order in which a file system lists a folder does not matter."""
    wants = []
    for label, names in (("a", ["x.h", "model.c", "y_data.c"]), ("b", ["y_data.c", "model.c", "x.h"])):
        for name in names:
            case.write(f"{label}/in/{name}", (EXAMPLES / "tiny/tiny.c").read_text() if name == "model.c" else "")
        case.relocpack("generate", "-i", case.dir / label / "in", "--entry", "tiny", "-o", case.dir / label / "out", *WORDS)
        files = kit.snapshot(case.dir / label / "out")
        wants.append(files)
    same(wants[1], wants[0], "files created in another order")


@test(needs=[kit.QEMU])
def reproducible_report_is_enough_to_verify(case):
    """With the model's path: target, entry, macros and flags are in the report."""
    source = case.write("m.c", "void f(const float *a, float *b) { b[0] = a[0] * K + a[1]; }\n")
    words = ["--entry", "f(in:float[2], out:float[1])", "-D", "K=3", "--cflags", "-ffast-math", "--reproducible"]
    case.generate(source, *words, "-q", target="stm32l5")
    image = case.dir / "out/m_rel.bin"
    error = case.verify(image, status=2).err
    has(error, "RP2200", "m_generate_rel.json", "--reproducible", "--model")
    has(case.verify(image, "--model", source).out, "bit-identical")
    for name in ("m_generate_report.txt", "m_generate_rel.json"):
        has_not((case.dir / "out" / name).read_text(), str(case.dir), "out/")


@test
def reproducible_report_has_no_run(case):
    case.generate(EXAMPLES / "tiny/tiny.c", "--reproducible", out="r")
    case.generate(EXAMPLES / "tiny/tiny.c", out="n")
    check("run" not in case.report("tiny", "r") and "run" in case.report("tiny", "n"), "the member run")
    run = case.report("tiny", "n").pop("run")
    check(run["started"].startswith("20") and run["wall_s"] > 0, f"run: {run}")
    report = case.report("tiny", "n")
    del report["run"]
    equal(report, case.report("tiny", "r"), "the rest")
    equal(subprocess.run(["tail", "-c1", case.dir / "r/tiny_generate_rel.json"], capture_output=True,
                         check=True).stdout, b"\n", "end of the file")
