// SPDX-License-Identifier: Apache-2.0
/*
 * Prints "name hash" for every function of runtime/math; a target must print the same.
 *
 * Build: cc -std=c11 -O2 -ffp-contract=off -fno-builtin print_hashes.c target_math.c
 * ../../runtime/math/ *.c
 */
#include <stdio.h>

#include "target_math.h"

int main(void) {
    unsigned i;

    for (i = 0; i < rp_math_count; ++i) {
        printf("%s %08X\n", rp_math_name(i), (unsigned)rp_math_hash(i));
    }
    return 0;
}
