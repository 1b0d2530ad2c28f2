/* SPDX-License-Identifier: Apache-2.0
 * tiny: the smallest model worth packaging, one dense layer, y = W x + b.
 * In: x, 1x4 floats. Out: y, 1x2 floats; x = {1, 2, 3, 4} gives {5.5, -1.25}. */

static const float weights[2][4] = {
    {0.5f, -1.0f, 1.5f, 0.5f},
    {-0.25f, 0.75f, 0.5f, -1.0f},
};
static const float bias[2] = {0.5f, 0.0f};

void tiny(const float x[1][4], float y[1][2]) {
    for (int o = 0; o < 2; o++) {
        y[0][o] = bias[o];
        for (int i = 0; i < 4; i++) {
            y[0][o] += weights[o][i] * x[0][i];
        }
    }
}
