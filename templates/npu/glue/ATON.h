/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands for the pack's ATON.h in the entry glue: 3 MB of the NPU's registers, which take most of the
 * time that the glue's compilation takes and which the glue does not use. That its object is the same
 * was seen with these releases of LL_ATON; with another one, the pack's own file is read.
 */
#ifndef RP_ATON_H
#define RP_ATON_H

#include "ll_aton_version.h"

#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 ||                                    \
    (LL_ATON_VERSION_MICRO != 0 && LL_ATON_VERSION_MICRO != 1 && LL_ATON_VERSION_MICRO != 3)
#include_next <ATON.h>
#endif

#endif
