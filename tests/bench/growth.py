# SPDX-License-Identifier: Apache-2.0
"""Whether costs grow faster than the work. Part of run.py.

Models of a size and of four times that size: CPU time of relocpack against that of gcc compiling
and linking the same source. A ratio that stays shows that nothing grows faster than the
compiler's own work. And reading an image against hashing it.
"""
import hashlib
import os
import subprocess
import time
import zlib

ENTRY = "void entry(const int in[4], int out[4]) {\n    int s = in[0];\n"
END = "    for (int i = 0; i < 4; i++) out[i] = s;\n}\n"


def functions(count, _):
    yield from (f"__attribute__((noinline)) int f{i}(int x) {{ return x * {i} + 1; }}\n" for i in range(count))
    yield from (ENTRY, *(f"    s = f{i}(s);\n" for i in range(count)), END)


def words_of_the_got(count, _):
    """Fifty for each function: in a single one, the time of gcc grows with their square."""
    yield from (f"int v{i} = {i};\n" for i in range(count))
    for first in range(0, count, 50):
        words = " + ".join(f"v{i}" for i in range(first, min(first + 50, count)))
        yield f"__attribute__((noinline)) int f{first}(int x) {{ return x + {words}; }}\n"
    yield from (ENTRY, *(f"    s = f{i}(s);\n" for i in range(0, count, 50)), END)


def pointers(count, _):
    yield f"static const int a[64] = {{1}};\nconst int *const t[{count}] = {{\n"
    yield from (f"a + {i % 64},\n" for i in range(count))
    yield f"}};\n{ENTRY}    s += *t[(unsigned)s % {count}];\n{END}"


def lines(count, _):
    yield from (ENTRY, *(f"    s = s * {i % 17} + in[{i % 4}];\n" for i in range(count)), END)


def members(count, work):
    """Of an archive, all of them used; one object under many names would define a name many times."""
    folder = os.path.join(work, f"members{count}")
    os.makedirs(folder, exist_ok=True)
    for i in range(count):
        with open(os.path.join(folder, f"m{i}.s"), "w", encoding="ascii") as file:
            file.write(f'.syntax unified\n.cpu cortex-m4\n.thumb\n.section .text.f{i},"ax"\n.global f{i}\n.thumb_func\n'
                       f".type f{i},%function\nf{i}: adds r0,#{i % 200}\nbx lr\n.size f{i},.-f{i}\n")
        subprocess.run(["arm-none-eabi-as", f"m{i}.s", "-o", f"m{i}.o"], check=True, cwd=folder)
    subprocess.run(["arm-none-eabi-ar", "qc", "lib.a", *(f"m{i}.o" for i in range(count))], check=True, cwd=folder)
    yield from (f"int f{i}(int);\n" for i in range(count))
    yield from (ENTRY, *(f"    s = f{i}(s);\n" for i in range(count)), END)


def sources(count, work):
    """Of a folder, of which the model needs one."""
    folder = os.path.join(work, f"sources{count}")
    os.makedirs(folder, exist_ok=True)
    for i in range(count):
        with open(os.path.join(folder, f"s{i}.c"), "w", encoding="ascii") as file:
            file.write(f"int g{i}(int x) {{ return x + {i}; }}\n")
    yield f"int g1(int);\n{ENTRY}    s = g1(s);\n{END}"


def options(count, work):
    with open(os.path.join(work, f"options{count}"), "w", encoding="ascii") as file:
        file.writelines(f"-DX{i}=1\n" for i in range(count))
    yield ENTRY + END


# name: the text, its size, (options of relocpack, of the bare build), by folder and size
ROWS = {
    "functions": (functions, 2500, lambda work, n: ([], [])),
    "words of the GOT": (words_of_the_got, 2500, lambda work, n: ([], [])),
    "pointers to rebase": (pointers, 25000, lambda work, n: ([], [])),
    "lines": (lines, 5000, lambda work, n: ([], [])),
    "members of an archive": (members, 500, lambda work, n: (
        ["--runtime-lib", f"{work}/members{n}/lib.a"], [f"{work}/members{n}/lib.a"])),
    "files in a folder": (sources, 2500, lambda work, n: (["--source", f"{work}/sources{n}"], [f"{work}/sources{n}/s1.c"])),
    "options in a file": (options, 1000, lambda work, n: (["--options-file", f"{work}/options{n}"], [f"@{work}/options{n}"])),
}


def growth(tool, cpu_time, bare_build, work, divisor):
    """divisor: of the sizes, for a quick run."""
    print("\n## large models against compiling and linking alone (CPU time, without a launcher)\n")
    print("| what | number | bare s | relocpack s | ratio | four times as many: bare s | relocpack s | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for number, (name, (text, size, flags)) in enumerate(ROWS.items()):
        cells = []
        for count in (size // divisor, 4 * size // divisor):
            source = os.path.join(work, f"large{number}.c")
            with open(source, "w", encoding="ascii") as file:
                file.writelines(text(count, work))
            ours, theirs = flags(work, count)
            bare = bare_build(source, work)
            plain = cpu_time(bare[:-2] + theirs + bare[-2:])
            whole = cpu_time([tool, "generate", "-q", "-i", source, "--mcu", "m4", "-r", "--launcher", "none", "-o",
                              os.path.join(work, "large"), *ours])
            cells += [f"{plain:.2f}", f"{whole:.2f}", f"{whole / plain:.2f}"]
        print(f"| {name} | {size // divisor} | {' | '.join(cells)} |")


def hash_seconds(path):
    """SHA-256 and CRC-32 of a file that is in memory already, each once: what its trailer needs."""
    with open(path, "rb") as file:
        data = file.read()
    start = time.process_time()
    hashlib.sha256(data)
    zlib.crc32(data)
    return time.process_time() - start


def reading(tool, cpu_time, source, work, runs):
    print("\n## reading an image against its hash and CRC (CPU time)\n")
    print("| image MB | hash ms | inspect ms | ratio | diff of two ms | ratio |")
    print("|---|---|---|---|---|---|")
    out = os.path.join(work, "read")
    subprocess.run([tool, "generate", "-q", "-i", source, "--mcu", "m4", "-r", "-o", out], check=True)
    image = os.path.join(out, os.path.splitext(os.path.basename(source))[0] + "_rel.bin")
    plain = min(hash_seconds(image) for _ in range(runs))
    inspect = min(cpu_time([tool, "inspect", image]) for _ in range(runs))
    diff = min(cpu_time([tool, "diff", image, image]) for _ in range(runs))
    print(f"| {os.path.getsize(image) >> 20} | {plain * 1e3:.0f} | {inspect * 1e3:.0f} | {inspect / plain:.2f} | "
          f"{diff * 1e3:.0f} | {diff / plain:.2f} |")
