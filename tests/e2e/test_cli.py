# SPDX-License-Identifier: Apache-2.0
"""Options that control the work rather than the result: dry run, workspace, log, jobserver, help."""
import json
import os
import re
import shutil

import kit
import reader
from kit import EXAMPLES, MODELS, check, each, equal, has, has_not, matches, test

TINY = EXAMPLES / "tiny" / "tiny.c"
DIGITS = EXAMPLES / "digits" / "digits_float.json"
COMMANDS = ("generate", "verify", "inspect", "doctor", "targets", "explain", "completion", "ops")


@test
def parse_only_builds_nothing(case):
    result = case.generate(DIGITS, "--parse-only")
    has(result.out, "model     digits_float", "dialect   c", "float32[1][8][8]", "float32[1][10]")
    check(not (case.dir / "out").exists(), "an output folder")
    result = case.generate(MODELS / "tensors.c", "--parse-only")
    for dtype in ("float32", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
                  "uint64", "bool"):
        matches(result.out, rf"^(in|out)put +\w+ {dtype}\[")
    equal(len(result.out.splitlines()), 2 + 22, "lines")
    equal(result.err, "", "standard error")


def traps(case):
    """A PATH whose compiler and make leave a mark when they run."""
    mark = case.dir / "mark"
    for name in ("arm-none-eabi-gcc", "make", "ccache"):
        case.write(f"traps/{name}", f"#!/bin/sh\ntouch {mark}\n").chmod(0o755)
    return f"{case.dir / 'traps'}:{os.environ['PATH']}", mark


@test
def dry_run_prints_and_runs_nothing(case):
    path, mark = traps(case)
    result = case.generate(MODELS / "features.c", "--dry-run", "-D", "A=b c", env={"PATH": path})
    check(not mark.exists(), "a program was run")
    check(not (case.dir / "out").exists(), "an output folder")
    text = result.out + result.err
    has(text, "arm-none-eabi-gcc", "-mno-single-pic-base", "'-DA=b c'", "features.c", "glue_c.c", "-c", "image.ld",
        "--emit-relocs")
    check(len(text.splitlines()) >= 4, "preprocess, compile twice, link")
    case.generate(MODELS / "features.c", "--dry-run", "--json", case.dir / "r.json", "--depfile", case.dir / "d")
    check(not (case.dir / "r.json").exists() and not (case.dir / "d").exists(), "files of a dry run")


@test
def quiet_prints_nothing(case):
    result = case.generate(DIGITS, "-q", "-r", "split,gen-c-file", "--compare-static", "-j2")
    equal((result.out, result.err), ("", ""), "output with -q")
    result = case.generate(TINY, "-q", "--budget", "flash=1", status=7)
    equal(result.out, "", "standard output with -q")
    has(result.err, "error RP2700")


@test
def default_prints_the_report_only(case):
    result = case.generate(DIGITS)
    equal(result.err, "", "standard error without a terminal")
    equal(result.out, (case.dir / "out/digits_float_generate_report.txt").read_text(), "standard output")
    has_not(result.out, "\033")


@test
def verbose_prints_the_commands(case):
    result = case.generate(TINY, "-v", "--launcher", "none")
    lines = [line for line in result.err.splitlines() if "arm-none-eabi-gcc" in line]
    check(len(lines) >= 3, f"commands: {result.err}")
    has(result.err, "-mcpu=cortex-m4", "--gc-sections")


@test
def warnings_of_the_compiler_show_with_verbose(case):
    source = case.write("warn.c", "#warning mind the gap\nvoid entry(const float a[1], float b[1]) { b[0] = a[0]; }\n")
    has_not(case.generate(source).err, "mind the gap")
    has(case.generate(source, "-v", out="v").err, "mind the gap")


@test
def log_collects(case):
    log = case.write("log.txt", "from before\n")
    source = case.write("warn.c", "#warning mind the gap\nvoid entry(const float a[1], float b[1]) { b[0] = a[0]; }\n")
    case.generate(source, "--log", log)
    has(log.read_text(), "from before\n", "mind the gap", str(source))
    has(case.generate(TINY, "--log", case.dir / "none" / "log", status=1).err, "error RP2100", "none/log")


@test
def workspace_is_kept(case):
    workspace = case.dir / "work space"
    case.generate(TINY, "--workspace", workspace)
    for name in ("image.elf", "image.map", "link.rsp", "units.mk"):
        check((workspace / name).is_file(), name)
    first = (case.dir / "out/tiny_rel.bin").read_bytes()
    case.generate(TINY, "--workspace", workspace, out="again")
    equal((case.dir / "again/tiny_rel.bin").read_bytes(), first, "the image of a used workspace")
    case.generate(EXAMPLES / "digits/digits_int8.json", "--workspace", workspace, out="other", target="stm32h7")
    case.generate(EXAMPLES / "digits/digits_int8.json", out="fresh", target="stm32h7")
    equal((case.dir / "other/digits_int8_rel.bin").read_bytes(),
          (case.dir / "fresh/digits_int8_rel.bin").read_bytes(), "another model in a used workspace")


@test
def no_clean_says_where(case):
    result = case.generate(TINY, "--no-clean", workspace_left=True)
    found = matches(result.err, r"workspace kept in (\S+)")
    check(os.path.isfile(os.path.join(found.group(1), "image.elf")), "the linked file")
    check(found.group(1).startswith(str(case.tmp)), "in TMPDIR")


@test
def failure_leaves_no_workspace(case):
    case.generate(case.write("bad.c", "void entry(const float a[1], float b[1]) { b[0] = }\n"), status=4)
    result = case.generate(case.dir / "bad.c", "--no-clean", status=4, workspace_left=True)
    has(result.err, "workspace kept in")


# ---- make ----

@test
def under_an_outer_make(case):
    """-j of the outer make is shared: no warning about the jobserver, the same bytes."""
    case.write("Makefile", f"""
all: a b c
a b c:
\t+{case.tool} generate -q -i {DIGITS} --target h7 -o $@ --reproducible
""")
    for argv in (["-j2"], ["-j8", "-O"], []):
        for name in "abc":
            shutil.rmtree(case.dir / name, ignore_errors=True)
        result = case.run("make", "-s", *argv)
        equal((result.out, result.err), ("", ""), f"output of make {argv}")
        first, last = kit.snapshot(case.dir / "a"), kit.snapshot(case.dir / "c")
        for name in first.keys() - {"digits_float_generate_report.txt"}:  # that has the folder's name
            equal(first[name] == last[name], True, f"{name} of two runs at a time")
    case.write("Makefile", f"all:\n\t{case.tool} generate -q -i {DIGITS} --target h7 -o d\n")
    result = case.run("make", "-s", "-j2")  # without '+', make shares no jobs
    has_not(result.err, "warning: ignoring", "jobserver")
    reader.read(case.dir / "d" / "digits_float_rel.bin")


@test
def outer_make_variables_do_not_reach_the_inner(case):
    for flags in ("-n", "-k", "-s -i", "B", "--always-make --debug=b", "CC=nothing RP_CC=nothing"):
        shutil.rmtree(case.dir / "out", ignore_errors=True)
        result = case.generate(TINY, env={"MAKEFLAGS": flags, "RP_CC": "nothing", "RP_LAUNCHER": "nothing",
                                          "MAKEFILES": "/no/such/file", "CFLAGS": "-bad", "OBJECTS": "999",
                                          "CPATH": "/nothing", "LIBRARY_PATH": "/nothing"})
        reader.read(case.dir / "out" / "tiny_rel.bin")
        equal(result.err, "", f"messages with MAKEFLAGS={flags}")


@each(["-j1", "-j2", "-j64", "-j 3", "--jobs=2"])
def jobs(case, words):
    case.generate(DIGITS, *words.split())
    reader.read(case.dir / "out" / "digits_float_rel.bin")


# ---- help ----

@each(list(COMMANDS))
def help_of(case, command):
    first = case.relocpack(command, "--help")
    equal(first.err, "", "standard error")
    has(first.out, f"usage: relocpack {command}")
    for words in ([command, "-h"], ["help", command], [command, "help"]):
        equal(case.relocpack(*words).out, first.out, " ".join(words))
    every = case.relocpack(command, "--help", "all").out
    for words in ([command, "--help=all"], ["help", command, "all"], [command, "help", "all"]):
        equal(case.relocpack(*words).out, every, " ".join(words))
    names = re.findall(r"^  (?:-\w, |    )--([a-z-]+)", every, re.M)
    shown = re.findall(r"^  (?:-\w, |    )--([a-z-]+)", first.out, re.M)
    equal([name for name in shown if name not in names], [], "options of the first screen only")
    documented = (kit.ROOT / "docs" / "CLI.md").read_text()
    for name in names:
        has(documented, f"`--{name}")
    if shown != names:
        has(first.out, f"`relocpack {command} --help all` explains these and {len(names) - len(shown)} more")
        check(first.out.count("\n") <= 46, "the first help is a screen")
    options = [line for line in every.splitlines() if line.startswith("  ")]
    equal([line for line in options if len(line) > 80 and " " in line[30:].strip()], [], "lines above 80 columns")


@test
def general_help(case):
    for words in (["--help"], ["-h"], ["help"]):
        result = case.relocpack(*words)
        has(result.out, *COMMANDS)
        equal(result.err, "", "standard error")
        equal([line for line in result.out.splitlines() if len(line) > 80], [], "lines above 80 columns")
    matches(case.relocpack("--version").out, r"^relocpack \d+\.\d+\.\d+\n$")


COMPLETED = {
    "generate --bud": ["--budget", "--budget-file"], "ins": ["inspect"], "generate --target stm32n": ["stm32n6"],
    "generate --target = stm32n": ["stm32n6"], "generate --target=stm32n": ["--target=stm32n6"],
    "generate -r=split,comp": [], "generate --relocatable=split,comp": ["--relocatable=split,compact"], "--ver": ["--version"],
    "sbom --h": ["--help"], "run --mode xip,no-f": ["xip,no-flash"], "explain RP1061": ["RP1061"], "generate --mcu cortex-m3": ["cortex-m3", "cortex-m33"],
    "generate -r comp": ["compact"], "generate --relocatable split,gen-c-f": ["split,gen-c-file"],
    "generate --math ": ["own", "libc"], "diff --format m": ["markdown"], "sbom --format c": ["cyclonedx"],
    "explain RP210": ["RP2100", "RP2101", "RP2102", "RP2103", "RP2104", "RP2105", "RP2106", "RP2107", "RP2108"], "keygen --type ": ["ed25519", "p256"], "completion z": ["zsh"], "run --board mps2-an38": ["mps2-an385", "mps2-an386"],
    "generate --device nrf5283": ["nrf52832", "nrf52833"], "generate --target nrf52": ["nrf52832", "nrf52833", "nrf52840"], "generate --output some": [], "verify --annotate git": ["github", "gitlab"]}


@test
def completion(case):
    kit.need("bash")
    script = case.write("completion.bash", case.relocpack("completion", "bash").out)
    case.run("bash", "-n", script)
    lines = []
    for words in COMPLETED:
        argv = " ".join(f"'{word}'" for word in words.split(" "))
        lines.append(f"COMP_WORDS=(relocpack {argv}); COMP_CWORD={len(words.split(' '))}; _relocpack; echo \"${{COMPREPLY[@]}}\"")
    done = case.run("bash", "-c", f". {script}\n" + "\n".join(lines))
    equal(dict(zip(COMPLETED, [line.split() for line in done.out.split("\n")])), COMPLETED, "completions")
    for shell in ("zsh", "fish"):
        text = case.relocpack("completion", shell).out
        has(text, "generate", "relocpack", "stm32h7", "cyclonedx")
        kit.need(shell)
        case.run(shell, "-n", case.write(f"completion.{shell}", text))


IN_FISH = {"relocpack inf": [], "relocpack ins": ["inspect"], "relocpack generate --target=stm32n": ["--target=stm32n6"],
           "relocpack generate -r split,comp": ["split,compact"],
           "relocpack explain RP107": ["RP1070", "RP1071", "RP1072", "RP1073", "RP1074", "RP1075", "RP1076", "RP1077", "RP1078", "RP1079"],
           "relocpack completion ": ["bash", "fish", "zsh"], "relocpack generate -i inf": ["info.c"]}


@test
def completion_in_fish(case):
    """Files are offered where one may stand, and nowhere else."""
    kit.need("fish")
    case.write("info.c", "")
    script = case.write("completion.fish", case.relocpack("completion", "fish").out)
    for line, wanted in IN_FISH.items():
        shown = case.run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'", cwd=case.dir).out.splitlines()
        equal([row.split("\t")[0] for row in shown], wanted, line)


@test
def completion_in_zsh(case):
    """Its bashcompinit hands over --option=value as one word."""
    kit.need("zsh")
    case.write("functions/_relocpack", case.relocpack("completion", "zsh").out)
    for line, wanted in (("relocpack inspe", "inspect"), ("relocpack generate --target=stm32n", "--target=stm32n6"),
                         ("relocpack generate -r split,comp", "split,compact"), ("relocpack explain RP270", "RP2700")):
        script = case.write("typed.zsh", f"""zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "fpath=({case.dir}/functions \\$fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' insert-tab false; PS1='rea''dy> '"
zpty -r -m z text '*ready> *'
zpty -w -n z "{line}"$'\\t'
zpty -w z "X; exit"
while zpty -r z text; do print -rn -- $text; done
""")
        shown = case.run("zsh", "-f", script, env={"TERM": "dumb"}).out
        matches(shown, rf"{wanted}[ \b]*X")


@test
def version_for_scripts(case):
    row = json.loads(case.relocpack("--version", "--json").out)
    equal(case.relocpack("--version").out, f"relocpack {row['version']}\n", "version")
    check(os.path.exists(os.path.join(row["cmake_dir"], "relocpackConfig.cmake")), f"{row}")
    check(os.path.exists(os.path.join(row["loader_dir"], "ai_reloc_network.h")), f"{row}")
    equal(row["image_formats"], {"cortex-m": "2.0", "neural-art": "8.0"}, "formats")
    has(case.relocpack("--version", "--xml", status=2).err, "--json")


@test
def starts_with_few_libraries(case):
    """Loading libraries is nearly all that a short command costs."""
    loaded = {line.split()[0].split(".so")[0] for line in case.run("ldd", case.tool).out.splitlines() if "=>" in line}
    wanted = {"libcrypto", "libdw", "libelf", "libcjson", "libz", "libm", "libc", "liblzma", "libbz2"}
    static = case.run("cc", "-print-file-name=libarchive.a").out.strip()
    if static.startswith("/"):
        equal(loaded - wanted, set(), "libraries")
    has(" ".join(loaded), "libcrypto")


@test
def targets_match_the_compiler(case):
    """Every line of `targets` is a set of flags that the compiler accepts."""
    source = case.write("one.c", "int f(int a) { return a; }\n")
    for line in case.relocpack("targets").out.splitlines():
        words = line.split()
        if len(words) > 3 and words[1].startswith("cortex"):
            flags = [word for word in words if word.startswith("-m")]
            case.run(f"{kit.CROSS}gcc", *flags, "-c", source, "-o", case.dir / "one.o")
            core = "cortex-m55" if words[1] in ("cortex-m52", "cortex-m85") else words[1]  # they run its code
            has(" ".join(flags), f"-mcpu={core}", "-mthumb")


@test
def colour_only_on_a_terminal(case):
    kit.need("script")
    command = f"{case.tool} generate -i {TINY} --target nonsense"
    plain = case.run("sh", "-c", command, status=2)
    has_not(plain.err, "\033")
    shown = case.run("script", "-qec", command, "/dev/null", status=2, env={"TERM": "xterm"})
    has(shown.out, "\033[", "error")
    shown = case.run("script", "-qec", command, "/dev/null", status=2, env={"TERM": "xterm", "NO_COLOR": "1"})
    has_not(shown.out.replace("\033[K", ""), "\033[")  # that clears the progress line


@test
def json_of_commands_is_json(case):
    case.generate(TINY)
    for words in (["targets", "--json"], ["inspect", "--json", case.dir / "out/tiny_rel.bin"]):
        json.loads(case.relocpack(*words).out)
