# SPDX-License-Identifier: Apache-2.0
"""The private memory of the program does not grow with the weights: the checks of link and image read mapped
files. With weights as text, or a file of options, it grows as that does. Linux limits the memory that a process may
write (RLIMIT_DATA), so the limit itself is the test. Compilers and linker have no limit: make or the program starts
them, which are found through PATH.
"""
import resource

from kit import CROSS, check, each, has, test

MIB = 1 << 20
WEIGHTS = 64 * MIB
LIMIT = 24 * MIB  # of which 8 are the stack of the thread that sums up
UNLIMITED = '#!/bin/sh\nulimit -S -d "$(ulimit -H -d)"\nexec /usr/bin/%s "$@"\n'
MODEL = """__asm__(".section .rodata.weights,\\"a\\",%%progbits\\n.balign 16\\n.global weights\\n"
        ".type weights,%%object\\nweights: .incbin \\"%s\\"\\n.size weights, . - weights\\n.previous\\n");
extern const unsigned char weights[];
void entry(const int in[4], int out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] + weights[in[i] & 1023]; }
"""


def package(case, source, limit, *words, **more):
    for program in ("make", f"{CROSS}gcc"):
        case.write(f"bin/{program}", UNLIMITED % program).chmod(0o755)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    return case.generate(source, *words, "--launcher", "none", "-j", "1",
                         env={"PATH": f"{case.dir}/bin:{case.env['PATH']}"},
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, hard)), **more)


def generate(case, size, limit, *words, **more):
    data = case.write("weights.bin", "")
    with open(data, "r+b") as file:
        file.truncate(size)
    return package(case, case.write("model.c", MODEL % data), limit, *words, **more)


@each(["whole", "split"])
def does_not_grow_with_the_weights(case, way):
    generate(case, WEIGHTS, LIMIT, "-r", *(["split"] if way == "split" else []))
    size = case.path("out", "model_rel.bin").stat().st_size
    check((size > WEIGHTS) == (way == "whole"), f"the image has {size} bytes")


@test
def the_limit_counts(case):
    """The memory that the program needs without weights does not fit into a third of the limit."""
    done = generate(case, 4096, 8 * MIB, status=None)
    check(done.status != 0, "8 MiB were enough")


@each(["c", "cpp", "h"])
def numbers_as_text_are_read_once(case, suffix):
    """Source text is in memory once, at most 1.2 times its size. The numbers are in a branch that no compiler reads."""
    text = ",".join(["0x1f"] * 15) + ",\n"
    count = 48 * MIB // len(text)
    entry = ["--entry", "entry(in:int32[4], out:int32[4])"] if suffix == "h" else []
    source = case.write(f"model.{suffix}", "#if 0\nconst unsigned char weights[] = {\n" + text * count + "};\n#endif\n" +
                        ('extern "C" ' if suffix == "cpp" else "static inline " if suffix == "h" else "") +
                        "void entry(const int in[4], int out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i] + 1; }\n")
    package(case, source, 48 * MIB * 6 // 5 + LIMIT, *entry)


@test
def grows_as_a_file_of_options(case):
    """2 MB of words; a copy of the rest for each of them took 13 GB."""
    words = case.write("words", "".join(f"-DX{i:06}=1\n" for i in range(170000)))
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    result = case.relocpack("generate", "--options-file", words, "-i", "none.c", "--mcu", "m4", status=9,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 * MIB, hard)))
    has(result.err, "RP2900", "none.c")
