/* SPDX-License-Identifier: Apache-2.0 */
/*
 * y = sin(x) for x from 0 to 2 pi, by one hidden layer of 6 neurons with ReLU: lines between 7
 * points. Its successors have the same tensors.
 */
#define NEURONS 6

static const float bias[NEURONS] = {
    0, -1.047198f, -2.094395f, -3.141593f, -4.188790f, -5.235988f,
};
static const float weight[NEURONS] = {
    0.826993f, -0.826993f, -0.826993f, -0.000000f, 0.826993f, 0.826993f,
};

void sine(const float x[1], float y[1]);

void sine(const float x[1], float y[1]) {
    float sum = 0;
    for (int i = 0; i < NEURONS; i++) {
        float hidden = x[0] + bias[i];
        sum += hidden > 0 ? hidden * weight[i] : 0;
    }
    y[0] = sum;
}
