/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second loader of Cortex-M images, for the corpus: written from docs/FORMAT.md alone, it shares
 * no line and no header with runtime/. tests/lint/includes.py sees to that.
 */
#ifndef SECOND_LOADER_H
#define SECOND_LOADER_H

#include <stdint.h>

enum { SECOND_XIP = 1, SECOND_COPY = 2 };

/* Why something did not work; 0 is success. */
enum second_error {
    SECOND_OK,
    SECOND_HEADER,    /* magic, version, or words that are not in order */
    SECOND_SEGMENT,   /* a word to rebase that leads to neither code nor data */
    SECOND_CREATE,    /* create answered with an error */
    SECOND_INIT,      /* init_v2 answered false */
    SECOND_REPORT,    /* report answered false, or with other numbers of tensors */
    SECOND_RUN,       /* run answered with another number than 1 */
    SECOND_DESTROY,   /* destroy did not answer 0 */
    SECOND_REGISTERS, /* a call came back with other callee-saved registers */
};

/* Where an instance is put. weights 0: those in the image's file, if any. */
struct second_place {
    uint32_t image, image_bytes;
    uint32_t ram, mode;
    uint32_t weights, acts;
};

struct second_instance {
    uint32_t rom, ram, network;       /* as executed; network is what create stored */
    uint32_t answer;                  /* of the call that failed */
    uint32_t inputs[28], outputs[28]; /* copies of the report's ai_buffers, 7 words each */
    uint32_t input_count, output_count;
};

/* Installs an image as "What an image may rely on" says, and calls create and init_v2. */
enum second_error second_load(const struct second_place *place, struct second_instance *instance);
/* Runs once; the arrays hold an address for each input and output. */
enum second_error second_run(struct second_instance *instance, const uint32_t *inputs,
                             const uint32_t *outputs);
enum second_error second_destroy(struct second_instance *instance);

#endif
