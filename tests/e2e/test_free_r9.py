# SPDX-License-Identifier: Apache-2.0
"""r9 is an ordinary register of gcc's wherever nothing needs it, and code is as fast as in a static build."""
import json
import re

import kit
from kit import QEMU, check, each, equal, has, has_not, test

# Eleven values that live across a call and in a loop, so r9 is among the registers.
KERNEL = """#ifdef POINTER
#define NEXT(x) next(x)
int kernel(int (*next)(int), const int *p, int n)
#else
int global_step(int x);
#define NEXT(x) CALLED
int kernel(const int *p, int n)
#endif
{
    int a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], f = p[5], g = p[6], h = p[7];
    for (int i = 0; i < n; i++) {
        int t = NEXT(a ^ i);
        a += b * t; b ^= c + i; c -= d * a; d += e ^ b; e -= f * c; f ^= g + d; g += h * e; h -= a ^ f;
    }
    return a + b + c + d + e + f + g + h;
}
"""
MODEL = """extern int kernel(%sconst int *p, int n);
static int calls, own[8];
int global_step(int x) { return x + calls++; }
void entry(const int in[8], int out[1]) {
    calls = 0;
    for (int i = 0; i < 8; i++)
        own[i] = in[i];
    out[0] = kernel(%sown, 50);
}
"""


def built(case, model, kernel, *words):
    """Returns how often kernel and model were compiled with r9 free and with r9 kept, the instructions
    that a run takes more than in the static build, and the log."""
    case.write("kernel.c", kernel)
    source = case.write("model.c", model)
    result = case.generate(source, "--source", case.dir / "kernel.c", "-v", *words)
    answer = json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)
    equal((answer["identical"], len(answer["runs"])), (True, 12), "answer")
    commands = [line for line in result.err.splitlines() if " -fpic " in line]
    count = tuple(sum(name in line and flag in line for line in commands)
                  for name in ("kernel.c", "model.c") for flag in (" -mno-single-pic-base ", " -msingle-pic-base "))
    static = answer["static"]["run_instructions"]
    return count, max(run["run_instructions"] for run in answer["runs"]) - static, result.err


@test(needs=[QEMU])
def pointers_alone(case):
    count, more, _ = built(case, MODEL % ("", ""), KERNEL.replace("CALLED", "((x) * 3)"))
    equal(count, (1, 0, 1, 0), "compiled")
    check(more < 100, f"{more} instructions more than in a static build")


@test(needs=[QEMU])
def one_source(case):
    """The function that needs the GOT takes its address from r9 once, and has r9 for itself after that."""
    kernel = KERNEL.replace("CALLED", "((x) * scale[(x) & 7])")
    source = case.write("model.c", "static int scale[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n" + kernel +
                        (MODEL % ("", "")).replace("extern int", "int"))
    log = case.generate(source, "-v", "--no-clean", "--workspace", case.dir / "space").err
    answer = json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)
    equal(answer["identical"], True, "answer")
    has_not(log, "model.c -msingle-pic-base")
    code = case.run(f"{kit.CROSS}objdump", "-d", "--no-show-raw-insn", case.dir / "space/image.elf").out
    kernel_code = code.split("<kernel>:")[1].split("\n\n")[0]
    check(re.search(r"mov\s+\w+, r9", kernel_code), "takes the address of the GOT from r9")
    equal(case.report("model")["relocations"].get("r9_reserved_in"), None, "report")
    check(re.search(r"push.*\{.*(r9|sb).*\}|stmdb.*\{.*(r9|sb).*\}", kernel_code), "saves r9 and uses it")


@test(needs=[QEMU])
def calls_what_needs_it(case):
    count, _, _ = built(case, MODEL % ("", ""), KERNEL.replace("CALLED", "global_step(x)"))
    equal(count, (1, 1, 1, 0), "compiled with r9 free, then kept in the one that calls")
    equal(case.report("model")["relocations"]["r9_reserved_in"], ["kernel.c"], "report")
    has((case.dir / "out/model_generate_report.txt").read_text(), " r9 is reserved in kernel.c\n")


@test(needs=[QEMU])
def calls_it_through_a_pointer(case):
    model = MODEL % ("int (*next)(int), ", "global_step, ")
    equal(built(case, model, "#define POINTER\n" + KERNEL)[0], (1, 1, 1, 0), "compiled")


@test(needs=[QEMU])
def keeps_it_free_beside(case):
    """Of three sources, those that call nothing with an r9 of their own stay as they were."""
    beside = case.write("beside.c", KERNEL.replace("CALLED", "((x) * 3)").replace("kernel", "beside"))
    model = (MODEL % ("", "")).replace("out[0] = ", "extern int beside(const int *p, int n);\n    out[0] = beside(own, 20) + ")
    count, _, log = built(case, model, KERNEL.replace("CALLED", "global_step(x)"), "--source", beside)
    equal(count, (1, 1, 1, 0), "compiled")
    lines = [line for line in log.splitlines() if "beside.c" in line and " -fpic " in line]
    equal((len(lines), "-mno-single-pic-base" in lines[0]), (1, True), "compiled once, free")


@test(needs=[QEMU])
def the_user_keeps_it(case):
    count, _, log = built(case, MODEL % ("", ""), KERNEL.replace("CALLED", "((x) * 3)"), "--cflags=-msingle-pic-base")
    equal(count, (1, 1, 1, 1), "both words are in each command, the user's last")
    commands = [line for line in log.splitlines() if " -fpic " in line and "kernel.c" in line and " -c " in line]
    equal([re.findall(r"-m\S*single-pic-base", line)[-1] for line in commands], ["-msingle-pic-base"], "the user's is the last")


@test()
def another_instruction(case):
    """Assembly that computes the address of the GOT in a way of its own."""
    kernel = case.write("kernel.S", """.syntax unified
.thumb
.text
.global kernel
.thumb_func
kernel:
    ldr r2, 1f
0:  add r2, r2, pc
    adds r2, #4
    bx lr
    .align 2
1:  .word _GLOBAL_OFFSET_TABLE_ - (0b + 8)
""")
    error = case.refuse(5, "RP2500", case.write("model.c", MODEL % ("", "")), "--source", kernel)
    has(error, "kernel.S", "address of the GOT", ".text+0x")


@test(needs=[QEMU])
def has_constants(case):
    kernel = KERNEL.replace("CALLED", "table[(x) & 7]").replace("{\n    int a", "{\n    static const int table[8] = "
                            "{3, 1, 4, 1, 5, 9, 2, 6};\n    int a", 1)
    count, more, _ = built(case, MODEL % ("", ""), kernel)
    equal(count, (1, 0, 1, 0), "compiled")
    check(more < 100, f"{more} instructions more than in a static build")
    has((case.dir / "out/model_generate_report.txt").read_text(), "Relocations")


# The address of the GOT is kept on the stack, behind more bytes than Armv6-M's instructions reach or move the stack pointer by.
FRAME = """#include <stdint.h>
#define ARRAYS(k) static int32_t s##k[4 + k]; static const int32_t t##k[16] = {3 + k, -7, 11, 2 * k, 5, -1, 8, k, -4, 6, 1, 12, -3, 10, 7 - k, -2};
ARRAYS(0) ARRAYS(1) ARRAYS(2) ARRAYS(3) ARRAYS(4) ARRAYS(5) ARRAYS(6) ARRAYS(7)
#define PASS(a, b, m) for (int i = 0; i < 8; i++) { s##a[i % (4 + a)] += t##b[i] * large[i * m % WORDS]; out[i] ^= s##a[i % (4 + a)] + calls; }
#define CALL(a, from, to) large[from] += step(t##a[in[a] & 15], large + to);
static int32_t calls;
__attribute__((noinline)) static int32_t step(int32_t a, int32_t *p) { calls += a; return p[a & 3] + calls; }
void entry(const int32_t in[8], int32_t out[8]) {
    int32_t large[WORDS];
    for (int i = 0; i < 8; i++) out[i] = 0;
    for (int i = 0; i < WORDS; i++) large[i] = in[i & 7] * (i + 1);
    CALL(5, 16, 4) CALL(3, 1, 11) PASS(7, 0, 4) PASS(4, 0, 2) PASS(3, 6, 1) PASS(0, 4, 3) CALL(2, 12, 8) PASS(7, 2, 9) CALL(0, 15, 6)
    for (int i = 0; i < 8; i++) out[i] += s0[i & 3];
}
"""


@each(["rp2040", "ra2a1"], needs=[QEMU])
def frames_of_small_cores(case, target):
    for words in (20, 130, 2100):
        for level in ("-O2", "-Os"):
            case.generate(case.write("frame.c", FRAME), f"--cflags=-DWORDS={words} {level}", target=target)
            has(case.verify(case.dir / "out/frame_rel.bin").out, "12 of 12 runs bit-identical")
