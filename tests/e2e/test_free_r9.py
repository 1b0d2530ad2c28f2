# SPDX-License-Identifier: Apache-2.0
"""Sources that reach nothing through r9 are compiled with r9 as an ordinary register, as fast as in a static build."""
import json

from kit import QEMU, check, equal, has, has_not, test

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
    case.write("kernel.c", kernel)
    source = case.write("model.c", model)
    result = case.generate(source, "--source", case.dir / "kernel.c", "-v", *words)
    answer = json.loads(case.verify(case.dir / "out/model_rel.bin", "--json").out)
    equal((answer["identical"], len(answer["runs"])), (True, 12), "answer")
    plain = [line for line in result.err.splitlines() if " -fno-pic" in line and "kernel.c" in line]
    static = answer["static"]["run_instructions"]
    return len(plain), max(run["run_instructions"] for run in answer["runs"]) - static, result.err


@test(needs=[QEMU])
def pointers_alone(case):
    count, more, log = built(case, MODEL % ("", ""), KERNEL.replace("CALLED", "((x) * 3)"))
    equal(count, 1, "compiled again")
    check(more < 100, f"{more} instructions more than in a static build")
    has_not("".join(line for line in log.splitlines() if "model.c" in line), "-fno-pic")


@test(needs=[QEMU])
def calls_what_needs_it(case):
    equal(built(case, MODEL % ("", ""), KERNEL.replace("CALLED", "global_step(x)"))[0], 0, "compiled again")


@test(needs=[QEMU])
def calls_it_through_a_pointer(case):
    """Only the link shows it; then everything is as before."""
    model = MODEL % ("int (*next)(int), ", "global_step, ")
    count, _, log = built(case, model, "#define POINTER\n" + KERNEL)
    commands = [line for line in log.splitlines() if "kernel.c" in line and " -fpic " in line]
    equal((count, len(commands)), (1, 3), "compiled with r9 kept, free, kept")


@test(needs=[QEMU])
def has_constants(case):
    """It would lead to absolute addresses, so it is compiled as before."""
    kernel = KERNEL.replace("CALLED", "table[(x) & 7]").replace("{\n    int a", "{\n    static const int table[8] = "
                            "{3, 1, 4, 1, 5, 9, 2, 6};\n    int a", 1)
    built(case, MODEL % ("", ""), kernel)
    has((case.dir / "out/model_generate_report.txt").read_text(), "Relocations")
