/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All of the verification firmware except its backend, as one translation unit: every verify builds
 * it, and starting the compiler takes longer than compiling it. In: HARNESS_MAILBOX, if orders come
 * through the mailbox (mailbox.h) and not from the emulator (semihost.h).
 */
#include "start.c"
#include "systick.c"
#include "counter.c"
#include "memory.c"
#include "result.c"
#include "observe.c"
#include "hooks.c"
#include "tensors.c"
#include "harness.c"

#ifdef HARNESS_MAILBOX
#include "mailbox.c"
#include "turn.c"
#else
#include "semihost.c"
#endif
