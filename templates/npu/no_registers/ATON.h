/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands for the pack's ATON.h where nothing names the NPU's registers: in the entry glue, and in
 * networks whose epochs the controller runs. ATON.h has 3 MB, and reading it is most of what their
 * compilation takes. With the releases of LL_ATON below, everything else that the preprocessor makes
 * of the pack's headers is the same with this file, and the macros that differ all begin with ATON_ or
 * RASTA_. With another release, the pack's own file is read.
 */
#ifndef RP_ATON_H
#define RP_ATON_H

#include "ll_aton_version.h"

#include <stdbool.h>
#include <stdint.h>
#if LL_ATON_VERSION_MICRO == 3
#include <inttypes.h>
#include <limits.h>
#endif
#include <string.h>
#if LL_ATON_VERSION_MICRO == 3
#include <stdio.h>
#endif

#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 ||                                    \
    (LL_ATON_VERSION_MICRO != 0 && LL_ATON_VERSION_MICRO != 1 && LL_ATON_VERSION_MICRO != 3)
#include_next <ATON.h>
#endif

#endif
