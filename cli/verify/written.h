/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes of the outputs the model writes: what none of the runs wrote was not compared. */
#ifndef RP_CLI_VERIFY_WRITTEN_H
#define RP_CLI_VERIFY_WRITTEN_H

#include "cli/verify/verification.h"

/* The byte at an offset of memory that was filled with a word. */
static inline uint8_t rp_fill_byte(uint32_t word, uint64_t at) {
    return (uint8_t)(word >> (8 * (at & 3u)));
}

/*
 * Finds what no run of the static build or of the image has written, for the verdict. RP_E_VERIFY
 * when that is a whole output: inputs and outputs may be confused.
 */
bool rp_verify_written(struct rp_verification *verify, struct rp_error *err);
/*
 * Warns of outputs that are written in part (RP1076), on stderr unless quiet. RP_E_VERIFY with
 * --strict.
 */
bool rp_verify_tell_unwritten(struct rp_verification *verify, struct rp_error *err);

#endif
