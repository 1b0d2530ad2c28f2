/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the test image (loader_image.c) computes and the test firmware (loader_test.c) expects.
 * An image: output = input * weights[i] + IMAGE_ID * runs, three nodes, one input, one output.
 */
#ifndef LOADER_IMAGE_H
#define LOADER_IMAGE_H

enum {
    IMAGE_ELEMENTS = 8, /* i32 elements of input, output and weights */
    IMAGE_NODES = 3,
    IMAGE_ACTS_BYTES = 64,
    IMAGE_WEIGHTS_BYTES = 4 * IMAGE_ELEMENTS,
    IMAGE_MACC = 1234,
    IMAGE_NODE_ID = 40 /* id of node i is IMAGE_NODE_ID + i */
};

/* The second 32 bits of n_macc in images with the 136-byte report. */
#define IMAGE_MACC_HIGH 5u

#endif
