/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog, which the board provides: it resets a device whose model hangs. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

enum { WATCHDOG_SECONDS = 10 }; /* longer than any model runs, and than a sector's erase takes */

void watchdog_begin(void);
void watchdog_feed(void);

#endif
