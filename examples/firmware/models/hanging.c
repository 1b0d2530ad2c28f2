/* SPDX-License-Identifier: Apache-2.0 */
/* A model that never comes to an end: the watchdog ends it. */
void sine(const float x[1], float y[1]);

void sine(const float x[1], float y[1]) {
    volatile float sum = 0;
    for (;;)
        sum = sum + x[0];
    y[0] = sum;
}
