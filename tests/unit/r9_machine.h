/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a program with random decisions: conditions, what is loaded, where computed jumps lead, what
 * a called function leaves. Of values it knows where they are from, not what they are.
 */
#ifndef RP_TESTS_UNIT_R9_MACHINE_H
#define RP_TESTS_UNIT_R9_MACHINE_H

#include "tests/unit/r9_program.h"

/* The generator of random numbers, which is the same everywhere. */
struct random {
    uint64_t state;
};
uint32_t random_below(struct random *random, uint32_t count);

/* What was found wrong in some run. */
enum wrong { WRONG_NOTHING, WRONG_RETURN, WRONG_CALL, WRONG_BASE };

/* The first that is found in so many runs. */
enum wrong machine_run(const struct program *program, struct random *random, unsigned runs);

#endif
