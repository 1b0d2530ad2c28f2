/* SPDX-License-Identifier: Apache-2.0 */
/* The core: time and reset. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdint.h>

/* 1 once a millisecond, otherwise 0. */
uint32_t system_tick(void);
_Noreturn void system_reset(void);

#endif
