# SPDX-License-Identifier: Apache-2.0
"""--heap: malloc and its like over memory of the instance (templates/heap.c)."""
import json

import npu_kit
from kit import QEMU, each, equal, has, test

CHURN = """
#include <stdlib.h>
#include <string.h>
static float *kept;
void churn(const float x[8], float y[8]) {
    float *a = calloc(8, sizeof *a), *volatile big = malloc(100000);
    float *b = malloc(8 * sizeof *b);
    char *volatile odd = malloc(3);
    if (kept == NULL)
        kept = malloc(32);
    for (int i = 0; i < 8; i++)
        a[i] += x[i];
    free(a);
    b = realloc(b, 16 * sizeof *b);
    if (b == NULL || big != NULL || odd == NULL || kept == NULL || calloc(0x20000000u, 16) != NULL) {
        memset(y, 0xFF, 32);
        return;
    }
    for (int i = 0; i < 16; i++)
        b[i] = x[i & 7] * (float)i;
    float *volatile c = aligned_alloc(8, 64);
    free(odd);
    free(odd + 1);
    memcpy(c, b, 64);
    free(b);
    for (int i = 0; i < 8; i++)
        y[i] = kept[i] = c[i] + c[15 - i];
    free(c);
    free(NULL);
}
"""
# header 8 and data, in the order of the calls: a 40, b 40, odd 16, kept 40; b again does not fit into its place, nor into a's: 72 behind
# kept; then c: a and b are free neighbours and hold its 72.
PEAK = 40 + 40 + 16 + 40 + 72


@each(["cortex-m0", "cortex-m4", "cortex-m55"], needs=(QEMU,))
def images_have_a_heap(case, core):
    """The second call finds the memory of the first one free again, so the heap does not grow."""
    source = case.write("churn.c", CHURN)
    case.generate(source, "--heap", "300", "--mcu", core, target=None)
    result = case.verify(case.dir / "out/churn_rel.bin", "--json")
    answer = json.loads(result.out)
    equal(answer["identical"], True, "identical")
    equal((answer["static"]["heap_bytes"], answer["static"]["heap_used_bytes"]), (304, PEAK), "heap")
    case.generate(source, "--heap", "64K", "--mcu", core, target=None)
    large = json.loads(case.verify(case.dir / "out/churn_rel.bin", "--json").out)
    equal([run["identical"] for run in large["runs"]], [True] * 12, "runs")


EXHAUSTED = """
#include <stdlib.h>
void count(const float x[1], int y[1]) {
    y[0] = x[0] > 1e30f;
    while (malloc(56) != NULL)
        y[0]++;
}
"""


@test(needs=(QEMU,))
def exhausted(case):
    """640 bytes are ten blocks of 64. The next run gets none; each instance has a heap of its own."""
    case.write("count.c", EXHAUSTED)
    case.generate(case.dir / "count.c", "--heap", "640")
    has(case.verify(case.dir / "out/count_rel.bin").out, "the runs used 640 of the 640 bytes of --heap", "the model keeps state")


ALIGNED = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void *aligned_alloc(size_t align, size_t size) { (void)align; return malloc(size); }
void rest(const float x[1], int y[4]) {
    char *text = strdup(x[0] > 1e30f ? "a" : "abc");
    void *volatile a = malloc(8), *volatile b = malloc(100), *volatile c = aligned_alloc(8, 16);
    y[0] = (int)((uintptr_t)a & 7);
    y[1] = (int)((uintptr_t)b & 7);
    y[2] = (int)((uintptr_t)c & 7);
    y[3] = text != NULL ? (int)strlen(text) : -1;
    free(text);
    free(a);
    free(b);
    y[0] |= realloc(c, 0) != NULL ? 8 : 0;
}
"""


@each(["cortex-m0", "cortex-m7"], needs=(QEMU,))
def blocks_are_aligned_wherever_the_ram_is(case, core):
    """RAM may lie at an odd multiple of 4. The C library's strdup, which has to be patched, allocates from the heap, too."""
    case.generate(case.write("rest.c", ALIGNED), "--heap", "1K", "--mcu", core, "--entry", "rest(in:float[1], out:int32[4])",
                  "-r", "copy-only", target=None)
    has(case.verify(case.dir / "out/rest_rel.bin").out, "6 of 6 runs bit-identical")
    plain = ALIGNED.replace('strdup(x[0] > 1e30f ? "a" : "abc")', "calloc(3, 4)")
    case.generate(case.write("rest.c", plain), "--heap", "1K", "--mcu", core, "--entry", "rest(in:float[1], out:int32[4])", target=None)
    has(case.verify(case.dir / "out/rest_rel.bin").out, "12 of 12 runs bit-identical")


@test
def refused(case):
    own = case.write("own.c", CHURN + "void *malloc(size_t n) { (void)n; return 0; }\n")
    has(case.refuse(2, "RP2200", own, "--heap", "1K", "--entry", "churn", hint="leave out --heap"), "the model defines malloc itself")
    has(case.refuse(2, "RP2200", case.write("churn.c", CHURN), "--heap", "1K", "--import", "free"), "free is imported from the firmware")
    has(case.refuse(2, "RP2200", own, "--heap", "8", "--entry", "churn"), "64 bytes to 256 MB")
    network = npu_kit.source_of(npu_kit.made(case).network)
    has(npu_kit.refuse(case, 2, "RP2200", network, "--heap", "1K"), "Neural-ART")
