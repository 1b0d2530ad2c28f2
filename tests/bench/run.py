#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures relocpack: ratios and instruction counts, never a pass or a fail.

usage: run.py [--quick] [MODEL.c...]     models besides the examples, such as onnx2c output

Prints a Markdown table per question. Times are the best of some runs of both sides of a ratio, one
after the other, on an otherwise quiet machine; instructions and sizes repeat exactly.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from growth import growth, reading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "relocpack")
PACK = os.path.join(ROOT, "build", "bench-pack")
CHECK = os.path.join(ROOT, "build", "bench-check")
SCRIPT = os.path.join(ROOT, "templates", "image.ld")
EXAMPLES = [os.path.join(ROOT, "examples", *parts) for parts in
            (("tiny", "tiny.c"), ("digits", "digits_float.c"), ("digits", "digits_int8.c"))]
CORE = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"]


def best(command, runs, fresh=()):
    """Least wall time of some runs, in seconds; the files in fresh are removed before each."""
    times = []
    for _ in range(runs):
        for path in fresh:
            if os.path.exists(path):
                os.remove(path)
        start = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.monotonic() - start)
    return min(times)


def best_pair(first, second, runs, fresh=()):
    """The same for two commands, taken in turns so that a busy moment meets both."""
    a, b = [], []
    for _ in range(runs):
        a.append(best(first, 1, fresh))
        b.append(best(second, 1, fresh))
    return min(a), min(b)


def name_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def bare_build(source, work):
    """What a firmware build does with the same source: compiles and links it in one gcc run."""
    entry = "entry" if "void entry(" in open(source, errors="replace").read() else name_of(source)
    return ["arm-none-eabi-gcc", *CORE, "-O2", "-ffunction-sections", "-fdata-sections",
            "-nostartfiles", "-Wl,--gc-sections", f"-Wl,-e,{entry}",
            "-Wl,--unresolved-symbols=ignore-all", source, "-lm", "-o",
            os.path.join(work, "bare.elf")]


def packaging(models, work, runs):
    """A new model with the runtime's objects in ccache, without ccache, and the same model again."""
    print("\n## generate against compiling and linking the same source (Cortex-M4)\n")
    print("| model | bare s | new model s | ratio | no launcher s | ratio | again s | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    out = os.path.join(work, "out")
    for source in models:
        base = [TOOL, "generate", "-q", "-i", source, "--mcu", "m4", "-r", "-o", out]
        subprocess.run(base, check=True)
        bare, new, cold = [], [], []
        for run in range(runs):
            other = f"-frandom-seed={os.getpid()}.{run}"  # so the cache does not have the model
            bare.append(best(bare_build(source, work), 1))
            new.append(best(base + ["--cflags=" + other], 1))
            cold.append(best(base + ["--launcher", "none"], 1))
        again = best(base, runs)
        plain = min(bare)
        print(f"| {name_of(source)} | {plain:.2f} | {min(new):.2f} | {min(new) / plain:.2f} | "
              f"{min(cold):.2f} | {min(cold) / plain:.2f} | {again:.2f} | {again / plain:.2f} |")


def pack_step(work, sizes, runs):
    print("\n## the pack step alone against cp\n")
    print("| weights MB | cp ms | pack ms | ratio | split ratio | peak memory KiB |")
    print("|---|---|---|---|---|---|")
    space = os.path.join(work, "space")
    subprocess.run([TOOL, "generate", "-q", "-i", EXAMPLES[1], "--mcu", "m4", "-o",
                    os.path.join(work, "out"), "--workspace", space], check=True)
    weights, copy = os.path.join(work, "weights"), os.path.join(work, "copy")
    for size in sizes:
        with open(weights, "wb") as file:
            for _ in range(size):
                file.write(os.urandom(1 << 20))
        image, data = os.path.join(work, "image"), os.path.join(work, "data")
        pack = [PACK, os.path.join(space, "image.elf"), os.path.join(space, "image.map"), weights,
                image]
        outputs = (copy, image, data)
        plain, packed = best_pair(["cp", weights, copy], pack, runs, outputs)
        split = best(pack + [data], runs, outputs)
        peak = subprocess.run(pack, check=True, capture_output=True, text=True).stdout.strip()
        print(f"| {size} | {plain * 1e3:.1f} | {packed * 1e3:.1f} | {packed / plain:.2f} | "
              f"{split / plain:.2f} | {peak} |")


def cpu_time(command, **env):
    """CPU seconds of a command and all that it starts."""
    with open(os.devnull, "wb") as quiet:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=quiet, stderr=quiet, env={**os.environ, **env})
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime


def incbin(path, size):
    """A model with that many bytes of weights that no compiler has to read as text."""
    with open(path + ".bin", "wb") as file:
        file.truncate(size)
    with open(path + ".c", "w", encoding="ascii") as file:
        file.write('__asm__(".section .rodata.w,\\"a\\",%progbits\\n.balign 16\\n.global w\\n.type w,%object\\n"\n'
                   f'        "w: .incbin \\"{path}.bin\\"\\n.size w, . - w\\n.previous\\n");\n'
                   "extern const unsigned char w[];\nvoid entry(const int in[4], int out[4]) "
                   "{ for (int i = 0; i < 4; i++) out[i] = in[i] + w[in[i] & 1023]; }\n")
    return path + ".c"


def checks(models, work, sizes, runs):
    print("\n## the checks of link and image, as a share of a new model packaged by one job (CPU time)\n")
    print("| model | checks ms | packaging ms | share % | anonymous memory KiB |")
    print("|---|---|---|---|---|")
    weights = [incbin(os.path.join(work, f"weights_{size}_mb"), size << 20) for size in sizes]
    for number, source in enumerate(models + weights):
        space = os.path.join(work, f"checked{number}")
        command = [TOOL, "generate", "-q", "-i", source, "--mcu", "m4", "-r", "-o",
                   os.path.join(work, "out"), "-j", "1", "--launcher", "none"]
        whole = min(cpu_time(command) for _ in range(runs))
        subprocess.run(command + ["--workspace", space], check=True)
        objects = sorted(f"obj/{name}" for name in os.listdir(os.path.join(space, "obj")) if name.endswith(".o"))
        said = subprocess.run([CHECK, str(4 * runs), "1024", SCRIPT, space, os.path.join(work, "image"), *objects],
                              check=True, capture_output=True, text=True).stdout.split()
        print(f"| {name_of(source)} | {int(said[0]) / 1e3:.1f} | {whole * 1e3:.0f} | "
              f"{int(said[0]) / 1e4 / whole:.1f} | {said[1]} |")


def generate(source, work, *more):
    subprocess.run([TOOL, "generate", "-q", "-i", source, "--mcu", "m4", "-r", "-o", work, *more],
                   check=True)
    with open(os.path.join(work, f"{name_of(source)}_generate_rel.json")) as file:
        return json.load(file)


def overhead(models, work):
    print("\n## sizes against a static link, weights and activations aside (Cortex-M4, bytes)\n")
    print("| model | flash static | reloc | RAM static | XIP | COPY | GOT | REL | set at init |")
    print("|---|---|---|---|---|---|---|---|---|")
    for source in models:
        report = generate(source, work, "--compare-static")
        memory, relocations = report["memory"], report["relocations"]
        static = memory["static"]
        print(f"| {name_of(source)} | {static['flash']} | {static['reloc_flash']} | {static['ram']} "
              f"| {memory['ram_xip']} | {memory['ram_copy']} | {relocations['got_entries']} | "
              f"{relocations['rel_words']} | {relocations['fixup_words']} |")


def verify(source, work):
    image = os.path.join(work, f"{name_of(source)}_rel.bin")
    text = subprocess.run([TOOL, "verify", "--json", image], check=True, capture_output=True,
                          text=True).stdout
    return json.loads(text)


def instructions(models, work):
    print("\n## instructions on the emulated Cortex-M4\n")
    print("| model | run static | run reloc | ratio | install XIP | COPY | words | per word | per byte "
          "copied |\n|---|---|---|---|---|---|---|---|---|")
    for source in models:
        report = generate(source, work)
        result = verify(source, work)
        runs = {run["mode"]: run for run in result["runs"]}
        xip, copy = runs["XIP"], runs["COPY"]
        words = report["relocations"]["got_entries"] + report["relocations"]["rel_words"]
        code = report["memory"]["ram_copy"] - report["memory"]["ram_xip"]
        static = result["static"]["run_instructions"]
        per_byte = (copy["install_instructions"] - xip["install_instructions"]) / code
        print(f"| {name_of(source)} | {static} | {xip['run_instructions']} | "
              f"{xip['run_instructions'] / static:.4f} | {xip['install_instructions']} | "
              f"{copy['install_instructions']} | {words} | "
              f"{xip['install_instructions'] / words:.1f} | {per_byte:.2f} |")


def verifying(models, work, runs):
    """verify with nothing in the cache, with everything, and with --once, as multiples of the bare build; and the share
    of a warm verify that its emulators take to start, each at least what it takes to list the machines."""
    print("\n## verify against compiling and linking the same source (Cortex-M4, CPU time)\n")
    print("| model | emulators | bare s | cold | warm | --once | starting emulators % |")
    print("|---|---|---|---|---|---|---|")
    seen, cache = os.path.join(work, "seen"), os.path.join(work, "cache")
    counting = os.path.join(work, "emulator")
    with open(counting, "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\necho >>{seen}\nexec qemu-system-arm "$@"\n')
    os.chmod(counting, 0o755)
    start = min(cpu_time(["qemu-system-arm", "-M", "help"]) for _ in range(2 * runs))
    for source in models:
        generate(source, work)
        image = os.path.join(work, f"{name_of(source)}_rel.bin")
        subprocess.run([TOOL, "verify", "-q", "--emulator", counting, image], check=True)
        with open(seen, encoding="ascii") as file:
            starts = len(file.readlines())
        os.remove(seen)
        bare, cold, warm, once = [], [], [], []
        for _ in range(runs):
            shutil.rmtree(cache, ignore_errors=True)
            bare.append(cpu_time(bare_build(source, work)))
            cold.append(cpu_time([TOOL, "verify", image], CCACHE_DIR=cache))
            warm.append(cpu_time([TOOL, "verify", image], CCACHE_DIR=cache))
            once.append(cpu_time([TOOL, "verify", "--once", image], CCACHE_DIR=cache))
        plain = min(bare)
        print(f"| {name_of(source)} | {starts} | {plain:.2f} | {min(cold) / plain:.1f} | {min(warm) / plain:.1f} | "
              f"{min(once) / plain:.1f} | {100 * starts * start / min(warm):.0f} |")


def profile_of(command):
    answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer["images"][0]["profile"] if "images" in answer else answer["profile"]


def profiles(models, work, runs):
    """The emulator's log against no profile, and a twin with hooks against the exact counts of that log."""
    print("\n## profiles (emulated Cortex-M4)\n")
    print("| model | instructions | verify s | with --profile | hooked calls | run with hooks | per call | farthest function |")
    print("|---|---|---|---|---|---|---|---|")
    for source in models:
        generate(source, work)
        image = os.path.join(work, f"{name_of(source)}_rel.bin")
        plain, logged = best_pair([TOOL, "verify", image], [TOOL, "verify", "--profile", image], runs)
        exact = profile_of([TOOL, "verify", "--profile", "--json", image])
        twin = profile_of([TOOL, "run", "--profile", "--json", "-", "--board", "mps2-an386", image])
        run, seen = twin["totals"]["run"], twin["totals"]["observed_run"]
        calls = sum(function["calls"] for function in twin["functions"])
        totals = {function["name"]: function["total"] for function in exact["functions"]}
        off = max(abs(function["total"] - totals[function["name"]]) / run for function in twin["functions"]
                  if function["name"] in totals)
        print(f"| {name_of(source)} | {run} | {plain:.2f} | {logged / plain:.2f} | {calls} | {seen / run:.2f} | "
              f"{(seen - run) / calls:.0f} | {100 * off:.2f} % of the run |")


def loader_size(work):
    print("\n## the loader, -Os, bytes of code and constants\n\n| core | bytes |\n|---|---|")
    for core, flags in (("cortex-m3", ["-mcpu=cortex-m3"]), ("cortex-m4", CORE[:1]),
                        ("cortex-m7", ["-mcpu=cortex-m7"]), ("cortex-m33", ["-mcpu=cortex-m33"]),
                        ("cortex-m55", ["-mcpu=cortex-m55"])):
        out = os.path.join(work, "loader.o")
        subprocess.run(["arm-none-eabi-gcc", *flags, "-mthumb", "-Os", "-std=c11", "-I",
                        os.path.join(ROOT, "runtime"), "-c",
                        os.path.join(ROOT, "runtime", "ai_reloc_network.c"), "-o", out], check=True)
        text = subprocess.run(["arm-none-eabi-size", out], check=True, capture_output=True,
                              text=True).stdout
        print(f"| {core} | {text.splitlines()[1].split()[0]} |")


def up_to_date(work, cells, runs):
    """A batch with nothing to do, of all cells and of a quarter of them: what each further cell costs."""
    print("\n## a batch of images that are up to date\n")
    print("| cells | CPU ms | system calls | files read |\n|---|---|---|---|")
    folder, found = os.path.join(work, "batch"), {}
    os.makedirs(folder)
    for i in range(cells):
        with open(os.path.join(folder, f"m{i}.c"), "w", encoding="ascii") as file:
            file.write(f"#include <math.h>\nvoid m{i}(const float x[4], float y[4]) {{ y[0] = expf(x[0]) + {i}; }}\n")
    for count in (cells, cells // 4):
        matrix = os.path.join(folder, f"{count}.json")
        with open(matrix, "w", encoding="ascii") as file:
            json.dump({"models": [f"m{i}.c" for i in range(count)], "targets": ["stm32f4"]}, file)
        command = [TOOL, "batch", matrix, "-q", "-o", os.path.join(folder, "out")]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        log = os.path.join(folder, "calls")
        subprocess.run(["strace", "-o", log, *command], check=True, stdout=subprocess.DEVNULL)
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
        read = sum(line.startswith("openat(") and "O_DIRECTORY" not in line and " = -1 " not in line for line in lines)
        found[count] = (min(cpu_time(command) for _ in range(runs)) * 1e3, len(lines), read)
        print(f"| {count} | {found[count][0]:.0f} | {found[count][1]} | {found[count][2]} |")
    each = [(all_of_them - few) / (cells - cells // 4) for all_of_them, few in zip(found[cells], found[cells // 4])]
    print(f"| one more | {each[0]:.2f} | {each[1]:.1f} | {each[2]:.1f} |")


def main():
    quick = "--quick" in sys.argv[1:]
    models = EXAMPLES + [os.path.abspath(a) for a in sys.argv[1:] if not a.startswith("--")]
    with tempfile.TemporaryDirectory() as work:
        loader_size(work)
        up_to_date(work, 8 if quick else 100, 1 if quick else 5)
        overhead(models, work)
        instructions(models, work)
        verifying(models, work, 1 if quick else 5)
        profiles(models, work, 1 if quick else 5)
        packaging(models, work, 1 if quick else 5)
        checks(models, work, (1,) if quick else (1, 64), 1 if quick else 5)
        reading(TOOL, cpu_time, incbin(os.path.join(work, "read_weights"), (4 if quick else 64) << 20), work,
                1 if quick else 5)
        growth(TOOL, cpu_time, bare_build, work, 50 if quick else 1)
        pack_step(work, (1,) if quick else (1, 16, 128), 2 if quick else 9)


if __name__ == "__main__":
    main()
