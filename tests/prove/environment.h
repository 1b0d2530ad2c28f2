/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the proof of the loaders assumes, included before each source that is proved: the C
 * library's functions over bytes, and a setting that may have either value.
 */
#ifndef PROVE_ENVIRONMENT_H
#define PROVE_ENVIRONMENT_H

#include <stddef.h>
#include <stdint.h>

#include "tests/prove/bytes.h"
#define __FC_STRING_H_ /* Frama-C's own string.h is over char and void */

extern const _Bool prove_trailer_required;
#define RELOC_REQUIRE_TRAILER prove_trailer_required

#endif
