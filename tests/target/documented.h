/* SPDX-License-Identifier: Apache-2.0 */
/* Interface between the parts of a firmware written as in the vendor's documentation. */
#ifndef DOCUMENTED_H
#define DOCUMENTED_H

#include <stdint.h>

/* ---- documented_board.c: the emulated board ---- */
extern const uint8_t image[]; /* assembled in by the test */
_Noreturn void board_leave(int status);
uint32_t board_cycles(void);
extern char board_log[4096]; /* what printf wrote */
/* Ends the emulator with this status when the condition does not hold. */
#define CHECK(status, condition)                                                                   \
    if (!(condition))                                                                              \
    board_leave(status)

/* ---- documented_create.c ---- */
enum { INPUTS = 16, OUTPUTS = 8, NODES = 3 };
extern void *net; /* ai_handle */
int infer(float *data_in, float *data_out);

/* ---- documented_observe.c ---- */
void observe(float *data_in, const float *expected);

#endif
