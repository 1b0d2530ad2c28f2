/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures functions of a model that was compiled with -finstrument-functions: the compiler calls
 * the two hooks at each entry and exit, and the image imports them from this firmware. A frame is a
 * function as called from another one.
 */
#ifndef HARNESS_HOOKS_H
#define HARNESS_HOOKS_H

#include "harness.h"
#include "part.h"

/* From now on, calls are noted in the area. Measures what the hooks themselves take. */
PART void hooks_begin(struct harness_area_used area);
/* Writes FRAME records, and ends; false when there were more frames than the area holds. */
PART bool hooks_end(void);

/* Called by the model. */
PART void __cyg_profile_func_enter(void *function, void *site);
PART void __cyg_profile_func_exit(void *function, void *site);

#endif
