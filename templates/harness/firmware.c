/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verification firmware but for its backend, in one translation unit: it is part of every
 * verify, and starting the compiler costs more than compiling it. In: HARNESS_MAILBOX, if orders
 * come through the mailbox (mailbox.h) and not from the emulator (semihost.h).
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
