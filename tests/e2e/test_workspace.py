# SPDX-License-Identifier: Apache-2.0
"""No old object for a new source: kept workspaces, compiler caches, the environment, files that change."""
import os
import pathlib
import shutil

import kit
import reader
import test_combinations as combinations
from kit import CROSS, EXAMPLES, check, each, equal, has, sha256, test

TINY = EXAMPLES / "tiny/tiny.c"
HEADER = '#define STEP {}\n'
SOURCE = """#include "step.h"
static const float bias[80] = {{ [3] = {} }};
void entry(const float in[4], float out[4]) {{ for (int i = 0; i < 4; i++) out[i] = in[i] * STEP + bias[i]; }}
"""
CACHES = ["none", "auto"]


def build(case, *words, out="out", **more):
    """The image of model.c in the folder src."""
    case.generate(case.dir / "src/model.c", "-q", *words, out=out, **more)
    reader.read(case.dir / out / "model_rel.bin")
    return (case.dir / out / "model_rel.bin").read_bytes()


def model(case, step=2, bias=5):
    case.write("src/step.h", HEADER.format(step))
    case.write("src/model.c", SOURCE.format(bias))


def set_times(folder, nanoseconds):
    for path in folder.rglob("*"):
        os.utime(path, ns=(nanoseconds, nanoseconds), follow_symlinks=False)


AGES = {"old": 946684800 * 10**9, "same": None, "future": 4000000000 * 10**9}


@each([f"{what}-{age}-{cache}" for what in ("source", "header") for age in AGES for cache in CACHES])
def edited(case, label):
    """An edited file that looks older than, as old as, or much newer than the objects: the image is the new one."""
    what, age, cache = label.split("-")
    model(case)
    words = ["--workspace", case.dir / "ws", "--launcher", cache]
    first = build(case, *words)
    times = (case.dir / "src/model.c").stat().st_mtime_ns
    model(case, **{"source": {"bias": 7}, "header": {"step": 3}}[what])
    set_times(case.dir / "src", AGES[age] or times)
    second = build(case, *words)
    check(second != first, "the old object")
    equal(second, build(case, "--launcher", "none", out="fresh"), "a fresh build")
    inputs = {item["path"]: item["sha256"] for item in case.report("model")["inputs"]}
    equal(inputs["model.c"], sha256(case.dir / "src/model.c"), "hash in the report")


@test
def planted_objects(case):
    """Objects, a linked file and a map of another model, all from the far future: none is used."""
    model(case)
    fresh = build(case, out="fresh")
    case.generate(EXAMPLES / "digits/digits_int8.json", "-q", "--workspace", case.dir / "ws", out="other")
    for path in (case.dir / "ws/obj").glob("*.rsp"):
        shutil.copy(case.dir / "ws/obj/001.o", path.with_suffix(".i"))
    set_times(case.dir / "ws", AGES["future"])
    equal(build(case, "--workspace", case.dir / "ws"), fresh, "image")


@test
def folder_of_another_kind(case):
    """A folder with other contents is not built over; one with other names is used alongside them."""
    model(case)
    for name in ("obj/mine.o", "image.elf", "units.mk", "weights.ld", "model_glue.h"):
        folder = case.dir / "ws"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("precious\n")
        error = case.refuse(2, "RP2201", case.dir / "src/model.c", "--workspace", folder, hint="--workspace")
        has(error, name.split("/", maxsplit=1)[0], "exists, and relocpack did not make it")
        equal((folder / name).read_text(), "precious\n", name)
        shutil.rmtree(folder)
    (case.dir / "ws").mkdir()
    (case.dir / "ws/notes.txt").write_text("mine\n")
    for _ in range(2):
        build(case, "--workspace", case.dir / "ws")
    equal((case.dir / "ws/notes.txt").read_text(), "mine\n", "a file of the user's")


# ---- compiler caches ----

@test
def header_that_comes_first(case):
    """A new header shadows the previously read one."""
    for folder, value in (("late", 1), ("early", 2)):
        case.write(f"{folder}/value.h", f"#define VALUE {value}\n")
    os.rename(case.dir / "early/value.h", case.dir / "value.h")
    case.write("src/model.c", "#include <value.h>\nvoid entry(const float in[4], float out[4]) "
               "{ for (int i = 0; i < 4; i++) out[i] = in[i] * VALUE; }\n")
    words = ["-I", case.dir / "early", "-I", case.dir / "late"]
    images = [build(case, *words) for _ in range(3)]
    os.rename(case.dir / "value.h", case.dir / "early/value.h")
    check(build(case, *words) != images[-1], "the object with the old header")
    equal(build(case, *words), build(case, *words, "--launcher", "none"), "without a cache")


# How assembly says that it reads a file: the code, and options. @ is the file.
READS = {
    "incbin": ('".incbin \\"@\\""', []),
    "joined": ('".inc" "bin \\"@\\""', []),
    "include": ('".include \\"@\\""', []),
    "upper case": ('".INCBIN \\"@\\""', []),
    "mixed case": ('".IncLude \\"@\\""', []),
    "escaped": ('".\\x69ncb\\151n \\"@\\""', []),
    "stringized": ('TEXT(.incb) TEXT(in) " \\"@\\""', ["-D", "TEXT(x)=#x"]),
    "pasted": ('TEXT(.PAIR(inc, bin)) " \\"@\\""', ["-D", "TEXT_(x)=#x", "-D", "TEXT(x)=TEXT_(x)", "-D", "PAIR(a,b)=a##b"]),
    "macro": ('"\\n.macro takes kind\\n.inc\\\\kind \\"@\\"\\n.endm\\ntakes bin"', []),
    "repeated": ('".irp kind, bin\\n.inc\\\\kind \\"@\\"\\n.endr"', []),
    "nested": ('".include \\"@.outer\\""', []),
    "folder": ('".INCBIN \\"w.bin\\""', ["--cflags=-Wa,-I,."]),
    "itself": ('".INCBIN \\"src/model.c\\", 3, 16"', ["--cflags=-Wa,-I,."]),
    "header": ('".INCBIN \\"@\\""', []),
    "piped": ('".INCBIN \\"@\\""', ["--cflags=-pipe"]),
    "options": ('".word VALUE, 2, 3, 4"', ["--cflags=-Wa,@options"]),
    "llvm": ('".incbin \\"@\\""', ["-r", "llvm"]),
    "llvm upper case": ('".INCBIN \\"@\\""', ["-r", "llvm"]),
    "llvm keyword": ('".INCBIN \\"@\\""', ["-r", "llvm", "-D", "JOIN(a,b)=a##b"]),
}
LISTED = [name for name, (code, words) in READS.items() if "@" in code and not {"llvm", "--cflags=-pipe"} & set(words)]


def file_for_assembly(case, label, number):
    """Everything that a label of READS may read, with other contents for each number; the source stays as it was."""
    binary = number.to_bytes(4, "little") * 4
    case.write("w.bin", f".word {number}, 2, 3, 4\n".encode() if "nclude" in READS[label][0].lower() or label == "nested" else binary)
    case.write("w.bin.outer", f'.include "{case.dir}/w.bin"\n')
    case.write("options", f"--defsym VALUE={number}\n")
    code, words = READS[label]
    keyword = "JOIN(__a,sm__)" if label == "llvm keyword" else "__asm__"
    code = (f'{keyword}(".pushsection .rodata.w,\\"a\\"\\n.balign 4\\n.global w\\nw: " {code} "\\n.popsection");\n'
            .replace("@", f"{case.dir}/w.bin"))
    case.write("src/inc.h", code if label == "header" else "")
    case.write("src/model.c", f"/* {number:016} */\n" + '#include "inc.h"\n' + ("" if label == "header" else code) +
               "extern const int w[4];\nvoid entry(const int in[4], int out[4]) "
               "{ for (int i = 0; i < 4; i++) out[i] = in[i] + w[i]; }\n")
    return [word.replace("-I,.", f"-I,{case.dir}").replace("@options", f"@{case.dir}/options")
            for word in words]


@each(list(READS))
def files_that_assembly_takes_in(case, label):
    """However assembly names a file, no cache returns the object with the old contents, and the depfile names the file."""
    if "llvm" in label:
        kit.need("clang")
    images = []
    for number in (1, 2):
        words = file_for_assembly(case, label, number)
        images.append(build(case, *words, "--depfile", case.dir / "d.mk"))
        equal(build(case, *words, "--launcher", "none", out="plain"), images[-1], "without a cache")
    check(images[0] != images[1], "the old contents")
    if label in LISTED:
        has((case.dir / "d.mk").read_text(), f"{case.dir}/w.bin")
        has(case.refuse(2, "RP2200", case.dir / "src/model.c", *words, "--json", case.dir / "w.bin"), "is an input")


@test(needs=["ccache"])
def assembly_that_reads_nothing(case):
    """Such units stay in the cache, though they have assembly, as intrinsics do."""
    log = case.dir / "log"
    case.write("src/model.c", "static inline int add(int a, int b) { int sum; "
               '__asm volatile(".syntax unified\\n\\tadd %0, %1, %2" : "=r"(sum) : "r"(a), "r"(b)); return sum; }\n'
               "void entry(const int in[4], int out[4]) { for (int i = 0; i < 4; i++) out[i] = add(in[i], i); }\n")
    for run in range(2):
        log.unlink(missing_ok=True)
        build(case, "--launcher", "ccache", env={"CCACHE_STATSLOG": log, "CCACHE_DIR": case.dir / "cache"})
        lines = log.read_text().splitlines()
        equal((lines.count("cache_miss") != 0, lines.count("compiler_produced_stdout")), (run == 0, 0), f"ccache: {lines}")


@test
def launcher_that_loses_the_list(case):
    """What a launcher returns without the assembler's list is compiled again without it."""
    case.write("lossy", f'#!/bin/sh\necho x >> {case.dir}/runs\nexec "$@" > /dev/null\n').chmod(0o755)
    file_for_assembly(case, "upper case", 1)
    equal(build(case, "--launcher", case.dir / "lossy"), build(case, "--launcher", "none", out="plain"), "image")
    check((case.dir / "runs").exists(), "the launcher was not used")


# ---- the environment ----

STRAY = {"GNUMAKEFLAGS": "-i", "MAKEFLAGS": "-i", "MAKEFILES": "/no/such", "CPLUS_INCLUDE_PATH": "evil", "CPATH": "evil",
         "C_INCLUDE_PATH": "evil", "OBJC_INCLUDE_PATH": "evil", "LDEMULATION": "armelfb", "GNUTARGET": "elf32-bigarm",
         "GCC_EXEC_PREFIX": "evil/", "COMPILER_PATH": "evil", "LIBRARY_PATH": "evil", "LD_RUN_PATH": "evil",
         "DEPENDENCIES_OUTPUT": "leak.d", "SUNPRO_DEPENDENCIES": "leak.d", "GCC_COMPARE_DEBUG": "-gtoggle",
         "CCC_OVERRIDE_OPTIONS": "+-DSTEP=9", "COLLECT_GCC_OPTIONS": "-bad", "TMPDIR_": "x", "BASH_ENV": "evil.sh",
         "ENV": "evil.sh", "MAKELEVEL": "7", "LD_LIBRARY_PATH": "evil", "LANG": "de_DE.UTF-8", "GCC_COLORS": "error=1"}


@each(["gcc", "llvm"])
def environment(case, label):
    """Variables that compilers, linkers, make and shells obey do not reach them."""
    if label == "llvm" and not kit.shutil.which("clang"):
        raise kit.Skip("clang is missing")
    words = ["-r", "llvm"] if label == "llvm" else []
    model(case)
    case.write("evil/step.h", HEADER.format(99))
    case.write("evil.sh", "echo evil >&2\nexit 1\n")
    want = build(case, *words, "--launcher", "none", out="plain")
    equal(build(case, *words, "--launcher", "none", env=STRAY, cwd=case.dir), want, "image")
    for name, value in STRAY.items():
        if name.endswith("PATH") or name in ("GNUTARGET", "LDEMULATION"):
            equal(build(case, *words, "--launcher", "none", env={name: value}, cwd=case.dir), want, name)
    check(not list(case.dir.rglob("leak.d")), "a file that was asked for by a variable")


@test
def make_that_ignores_errors(case):
    """A source that does not compile, an object of an earlier run, and orders to make to go on."""
    model(case)
    build(case, "--workspace", case.dir / "ws")
    before = kit.snapshot(case.dir / "out")
    case.write("src/model.c", SOURCE.format("no_such_thing"))
    set_times(case.dir / "src", AGES["old"])
    for name in ("GNUMAKEFLAGS", "MAKEFLAGS"):
        for flags in ("-i", "-k", "-t", "-n", "-q", "--ignore-errors", "i", "-o obj/001.o"):
            error = case.refuse(4, "RP2400", case.dir / "src/model.c", "--workspace", case.dir / "ws", env={name: flags})
            has(error, "no_such_thing")
    case.write("more.mk", "obj/001.o:\n\ttrue\n.IGNORE:\n")
    case.refuse(4, "RP2400", case.dir / "src/model.c", "--workspace", case.dir / "ws",
                env={"MAKEFILES": case.dir / "more.mk"})
    equal(kit.snapshot(case.dir / "out"), before, "the files of before")


@test
def pass_env(case):
    """The launcher sees the names of the table, those of --pass-env, and no others."""
    launcher = case.write("launcher", f"#!/bin/sh\nenv >> {case.dir}/seen\nexec \"$@\"\n")
    launcher.chmod(0o755)
    env = {"LM_LICENSE_FILE": "1", "OTHER_VARIABLE": "2", "CCACHE_X": "3", "DISTCC_X": "4", "ICECC_X": "5",
           "LD_LIBRARY_PATH": "/nothing"}
    case.generate(TINY, "--launcher", launcher, "--pass-env", "LM_LICENSE_FILE", "--pass-env", "NOT_SET_AT_ALL", env=env)
    seen = dict(line.split("=", 1) for line in (case.dir / "seen").read_text().splitlines())
    for name in ("LM_LICENSE_FILE", "CCACHE_X", "DISTCC_X", "ICECC_X"):
        equal(seen.get(name), env[name], name)
    for name in ("OTHER_VARIABLE", "LD_LIBRARY_PATH", "NOT_SET_AT_ALL", "GNUMAKEFLAGS"):
        check(name not in seen, name)
    for name in ("MAKEFLAGS", "GNUMAKEFLAGS", "RP_CC", "A=B", ""):
        has(case.refuse(2, "RP2200", TINY, "--pass-env", name, out="none"), "--pass-env")


@each(["1", "3"])
def programs_that_are_started(case, sources):
    """A command alone needs no make, and no unit is compiled twice."""
    for name, rest in (("make", 'exec /usr/bin/make "$@"'), ("launch", 'exec "$@"')):
        case.write(f"bin/{name}", f'#!/bin/sh\necho {name} >> {case.dir}/seen\n{rest}\n').chmod(0o755)
    more = [case.write(f"more{i}.c", f"int more{i}(int x) {{ return x + {i}; }}\n") for i in range(1, int(sources))]
    words = [word for path in more for word in ("--source", path)]
    case.generate(TINY, *words, "--launcher", case.dir / "bin/launch", env={"PATH": f"{case.dir}/bin:{case.env['PATH']}"})
    seen = (case.dir / "seen").read_text().split()
    equal((seen.count("launch"), seen.count("make")), (int(sources) + 1, 0 if sources == "1" else 2), "compilations and makes")


def watching(case):
    """A launcher that records for each source whether a cache has to preprocess it (1), or its text was read already and is in the key."""
    launcher = case.write("launcher", f"""#!/bin/sh
case "$CCACHE_EXTRAFILES" in obj/*.key) how=text;; *) how=${{CCACHE_NODIRECT:-0}}; esac
echo "$how $(grep -o '[a-z_]*[.]c"*$' "${{2#@}}" | head -n 1)" >> {case.dir}/seen
exec "$@"
""")
    launcher.chmod(0o755)
    return launcher


@test
def cache_trusts_names_of_own_files_only(case):
    """Sources that may depend on the user's folders are looked up by their preprocessed text."""
    launcher = watching(case)
    case.generate(TINY, "--launcher", launcher)
    case.verify(case.dir / "out/tiny_rel.bin", "--launcher", launcher)
    seen = set((case.dir / "seen").read_text().replace('"', "").splitlines())
    has(seen, "text tiny.c", "0 glue_c.c", "0 firmware.c", "0 backend_loader.c", "0 backend_static.c")
    check("0 tiny.c" not in seen and "1 tiny.c" not in seen, f"{seen}")
    case.generate(kit.EXAMPLES / "digits" / "digits_float.c", "--launcher", launcher, out="mathematics")
    has((case.dir / "seen").read_text(), "0 expf.c")
    (case.dir / "seen").unlink()
    source, more, env, _, _ = combinations.stai(case)  # its glue includes the network's header
    case.generate(source, *more, "--launcher", launcher, env=env)
    has((case.dir / "seen").read_text(), "1 glue_c.c")


@test(needs=["ccache"])
def header_of_a_passed_folder_comes(case):
    """A header in a folder of CPATH hides the C library's: our own files are compiled again as well."""
    env = {"CPATH": case.dir / "inc", "CCACHE_DIR": case.dir / "cache"}
    (case.dir / "inc").mkdir()
    source, words = kit.EXAMPLES / "digits" / "digits_float.c", ["--pass-env", "CPATH", "--launcher", "ccache"]
    for _ in range(2):
        case.generate(source, *words, "--workspace", case.dir / "work", env=env)
    case.write("inc/stdint.h", '#include_next <stdint.h>\n#ifndef S\n#define S\nstatic const char s[] __attribute__((used)) = "shadow";\n#endif\n')
    case.generate(source, *words, "--workspace", case.dir / "work", env=env)
    objects = sorted((case.dir / "work/obj").glob("*.o"))
    equal([b"shadow" in path.read_bytes() for path in objects], [False, True, True], "the model, the glue and expf")


@test
def compiler_writes_no_object(case):
    """A launcher that does nothing and reports success."""
    launcher = case.write("launcher", "#!/bin/sh\nexit 0\n")
    launcher.chmod(0o755)
    has(case.refuse(4, "RP2400", TINY, "--launcher", launcher, "--workspace", case.dir / "ws"), "tiny.c", "obj/001.o")


# ---- no space ----

def full(case, size):
    """A file system of that size, or a skip where none can be mounted."""
    folder = case.dir / "full"
    folder.mkdir()
    if os.geteuid() != 0 or case.run("mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder,
                                     status=None).status != 0:
        raise kit.Skip("cannot mount a file system")
    return folder


@each(["temporary", "named", "compiler"])
def no_space(case, label):
    """From a few bytes to nearly enough: RP2101 names the folder and does not blame the version of gcc."""
    folder = full(case, "512k")
    env, words, named = {"TMPDIR": folder}, ["--launcher", "none"], str(folder)
    try:
        if label != "temporary":
            words += ["--workspace", (folder if label == "named" else case.dir) / "ws"]
        if label == "named":
            env = {}
        refused = 0
        source = case.write("wide.c", "const int w[20000] = { [0 ... 19999] = 7 };\n"
                            "void entry(const float in[1], float out[1]) { out[0] = in[0] + w[(int)in[0]]; }\n")
        for left in (0, 4, 8, 16, 32, 64, 96, 128, 192, 256, 384):
            shutil.rmtree(folder / "ws", ignore_errors=True)
            filler = folder / "filler"
            with open(filler, "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    pass
            os.truncate(filler, max(0, filler.stat().st_size - left * 1024))
            result = case.run(case.tool, "generate", "-q", "-i", source, "--target", "f4", "-o", case.dir / "out",
                              *words, status=None, env=env)
            filler.unlink()
            if result.status == 0:
                continue
            refused += 1
            equal(result.status, 1, f"with {left} KiB left\n{result.show()}")
            has(result.err, "error RP2101", named)
        check(refused > 0, "there was space")
    finally:
        case.run("umount", folder)


@test
def limits_on_file_size(case):
    """From zero bytes on: an error of the system or of the compiler, never of the version of gcc."""
    for blocks in (0, 1, 2, 4, 8):
        result = case.run("bash", "-c", f'ulimit -f {blocks}; exec "$@"', "bash", case.tool, "generate", "-q", "-i",
                          EXAMPLES / "digits/digits_float.c", "--target", "f4", "-o", case.dir / "out", "--launcher",
                          "none", status=None)
        equal(result.status, 1, f"ulimit -f {blocks}\n{result.show()}")
        has(result.err, "error RP2101")
        check(not (case.dir / "out").exists(), "an output folder")


# ---- leftovers of killed runs ----

@test
def leftovers_are_removed(case):
    """The next run removes what a killed one left in TMPDIR; folders that others hold or made stay."""
    slow = case.write("slow", "#!/bin/sh\ntouch \"$STARTED\"\nsleep 5000\n")
    slow.chmod(0o755)
    def run(name):
        mark = case.dir / name
        process = kit.subprocess.Popen([case.tool, "generate", "-q", "-i", TINY, "--target", "f4", "-o", case.dir / "out",
                                        "--launcher", slow, "--pass-env", "STARTED"], env={**case.env, "STARTED": str(mark)},
                                       cwd=case.dir, stderr=kit.subprocess.DEVNULL)
        while not mark.exists():
            check(process.poll() is None, "it has ended")
        return process
    def workspaces():
        return {name for name in os.listdir(case.tmp) if name.startswith("relocpack-")}
    killed = run("killed")
    left = workspaces()
    equal(len(left), 1, "workspaces")
    killed.kill()
    killed.wait()
    while any(is_in(pid, case.tmp / next(iter(left))) for pid in os.listdir("/proc") if pid.isdigit()):
        pass  # its compiler ends with it
    live = run("live")
    check(not left & workspaces(), f"left: {workspaces()}")
    equal(len(workspaces()), 1, "a workspace in use")
    for name in ("relocpack-abcdef", "relocpack-abc", "relocpack-abcdefg"):
        (case.tmp / name).mkdir(mode=0o700)
    (case.tmp / "relocpack-link00").symlink_to(case.dir)
    case.generate(TINY, "-q", workspace_left=True)
    check({"relocpack-abcdef", "relocpack-abc", "relocpack-abcdefg", "relocpack-link00"} < workspaces(), "others' folders")
    equal(len(workspaces()), 5, f"the one in use and four others: {workspaces()}")
    live.terminate()
    live.wait()
    equal(len(workspaces()), 4, "after its end")


def is_in(pid, folder):
    """Whether the process has that folder open, or as its own."""
    try:
        files = [f"/proc/{pid}/cwd", *(f"/proc/{pid}/fd/{name}" for name in os.listdir(f"/proc/{pid}/fd"))]
        return any(os.readlink(file).startswith(str(folder)) for file in files)
    except OSError:
        return False


@test
def kept_workspaces_stay(case):
    """--no-clean: no later run removes the folder that the user wants to see."""
    result = case.generate(TINY, "--no-clean", workspace_left=True)
    kept = pathlib.Path(kit.matches(result.err, r"workspace kept in (\S+)").group(1))
    for _ in range(2):
        case.generate(TINY, "-q", workspace_left=True)
    case.run(f"{CROSS}readelf", "-h", kept / "image.elf")


@test(needs=["ccache"])
def ccache_ignores_no_option(case):
    """Whatever ccache's settings in the environment or in a file: another option gives another object."""
    source = case.write("model.c", "static char k = (char)200;\nvoid entry(const float x[1], float y[1]) { y[0] = x[0] + k; }\n")
    folder = case.dir / "cache"
    images = {}
    for setting in ("env", "file", None):
        case.write("cache/ccache.conf", "ignore_options = -f*\n" if setting == "file" else "")
        env = {"CCACHE_DIR": folder, "CCACHE_IGNOREOPTIONS": "-f*" if setting == "env" else None}
        for flag in ("-funsigned-char", "-fsigned-char"):
            case.generate(source, "--launcher", "ccache", f"--cflags={flag}", env=env)
            images.setdefault(flag, set()).add((case.dir / "out/model_rel.bin").read_bytes())
    equal([len(found) for found in images.values()], [1, 1], "images of one option")
    check(not images["-funsigned-char"] & images["-fsigned-char"], "both options make the same image")


@test(needs=["ccache"])
def ccache_without_a_cache(case):
    source = case.write("model.c", "void entry(const float x[1], float y[1]) { y[0] = x[0]; }\n")
    blocked = case.write("file", "")
    env = {"CCACHE_DIR": blocked / "cache"}
    case.refuse(4, "RP2400", source, "--launcher", "ccache", env=env, hint="--launcher none")
    case.generate(source, "--launcher", "none", env=env)
