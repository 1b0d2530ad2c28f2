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
    equal((answer["static"]["heap_bytes"], answer["static"]["heap_used_bytes"]), (300, PEAK), "heap")
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


@test
def refused(case):
    own = case.write("own.c", CHURN + "void *malloc(size_t n) { (void)n; return 0; }\n")
    has(case.refuse(2, "RP2200", own, "--heap", "1K", "--entry", "churn", hint="leave out --heap"), "the model defines malloc itself")
    has(case.refuse(2, "RP2200", own, "--heap", "8", "--entry", "churn"), "64 bytes to 256 MB")
    network = npu_kit.source_of(npu_kit.made(case).network)
    has(npu_kit.refuse(case, 2, "RP2200", network, "--heap", "1K"), "Neural-ART")
