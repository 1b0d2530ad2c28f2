/* SPDX-License-Identifier: Apache-2.0 */
/*
 * y = sin(x) for x from 0 to 2 pi, by one hidden layer of 16 neurons with ReLU: lines between 17
 * points. Its successors have the same tensors.
 */
#define NEURONS 16

static const float bias[NEURONS] = {
    0,          -0.392699f, -0.785398f, -1.178097f, -1.570796f, -1.963495f, -2.356194f, -2.748894f,
    -3.141593f, -3.534292f, -3.926991f, -4.319690f, -4.712389f, -5.105088f, -5.497787f, -5.890486f,
};
static const float weight[NEURONS] = {
    0.974495f, -0.148358f, -0.274130f, -0.358168f, -0.387678f, -0.358168f, -0.274130f, -0.148358f,
    0,         0.148358f,  0.274130f,  0.358168f,  0.387678f,  0.358168f,  0.274130f,  0.148358f,
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
