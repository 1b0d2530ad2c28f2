/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tests/corpus/board.py writes for corpus_runner.c: a struct corpus_plan at CORPUS_PLAN, all
 * words, little-endian. tests/corpus/board.py has the same order.
 */
#ifndef CORPUS_PLAN_H
#define CORPUS_PLAN_H

#include <stdint.h>

enum { CORPUS_TENSORS = 4 };

/* One construct: a static build and an image of it, and where both lie. */
struct corpus_job {
    uint32_t number;
    uint32_t is_copy_only; /* create must refuse XIP */
    uint32_t static_entry; /* of the static build: uint32_t entry(op, inputs, outputs) */
    uint32_t image, image_bytes, image_copy;
    uint32_t weights, weights_bytes, weights_copy; /* 0: in the image's file */
    uint32_t ram[4], ram_xip, ram_copy; /* an address for each run, bytes for each mode */
    uint32_t acts[2], acts_bytes;
    uint32_t input_count, output_count;
    uint32_t input_bytes[CORPUS_TENSORS], output_bytes[CORPUS_TENSORS];
    uint32_t sets, inputs; /* number of input sets, which are contiguous; the first */
};

struct corpus_plan {
    uint32_t jobs;
    uint32_t scratch; /* for tensors and results */
    uint32_t pattern;
    struct corpus_job job[];
};

/* Records of result.bin: these words, then bytes of output. */
struct corpus_record {
    uint32_t number, phase, error, detail, bytes;
};

enum corpus_phase {
    CORPUS_BEGUN,
    CORPUS_STATIC,
    CORPUS_XIP_A, /* the image in its place, first RAM address; lives beside the next instance */
    CORPUS_XIP_B, /* a copy of it elsewhere, second RAM address */
    CORPUS_COPY_A,
    CORPUS_COPY_B,
    CORPUS_FAULT, /* detail: the program counter */
    CORPUS_ENDED
};

/* Errors beside those of second_loader.h. */
enum {
    CORPUS_GUARD = 100,  /* a write outside RAM, activations or output */
    CORPUS_FLASH,        /* the image or its weights have changed */
    CORPUS_XIP_ACCEPTED, /* a COPY-only image ran in place */
};

#endif
