/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small images of both formats, with weights in them and apart, to be signed; and a signature block
 * that is written byte by byte from docs/FORMAT.md.
 */
#ifndef RP_TESTS_UNIT_SIGNED_SAMPLE_H
#define RP_TESTS_UNIT_SIGNED_SAMPLE_H

#include "elfpack/image/keys.h"
#include "elfpack/image/signed.h"
#include "tests/unit/unit.h"

enum { SIGNED_SAMPLE_MAX = 4096 };

struct signed_sample {
    const char *name;
    uint8_t image[SIGNED_SAMPLE_MAX];
    uint8_t weights[SIGNED_SAMPLE_MAX];
    uint32_t image_size;
    uint32_t weights_size; /* of the file of their own, 0: none */
    uint32_t trailer;      /* where it begins */
    uint32_t code_end;     /* what is signed as image, without the trailer, ends here */
};

/* Cortex-M and Neural-ART, each with weights inside, apart, and (Cortex-M) without any. */
enum { SIGNED_SAMPLES = 5 };
void signed_sample_make(struct signed_sample *sample, unsigned which);
/* Makes the sums in the trailer right again, as one does who changes the image. */
void signed_sample_seal(uint8_t *image, uint32_t trailer);

/* A signature block that is written entry by entry. */
struct block {
    uint8_t bytes[SIGNED_SAMPLE_MAX];
    uint32_t size;
};
/* Begins S; ends it, once all entries are there. */
void put_head(struct block *block);
void put_entry(struct block *block, uint32_t type, const void *value, uint32_t length);
void end_head(struct block *block);

/* What a verifier says: RP_OK as 0, or the id of the error. key NULL: no signature is asked. */
enum rp_error_id signed_sample_verify(const uint8_t *image, uint32_t size, const uint8_t *weights,
                                      uint32_t weights_size, const struct rp_key *key);

#endif
