/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed images for the test firmwares of the loader: a verifier whose every answer a test can
 * change, and images that are changed and signed again. The signature is a stand-in, SHA-256 of key
 * and structure, so that thousands of loads take seconds; signed_adapters.c tests real ones.
 */
#ifndef SIGNED_KIT_H
#define SIGNED_KIT_H

#include "loader_kit.h"
#include "format/reloc_signed.h"

/* ---- the verifier: AI_RELOC_VERIFIER is (*kit_verifier) ---- */
extern const ai_reloc_verifier *kit_verifier;
extern ai_reloc_verifier kit_changed; /* a copy, to be changed */
struct kit_device {
    uint32_t counter;
    int32_t read_fails, commit_fails;
    bool forgets_key;
};
extern struct kit_device kit_device;
/* Called at each call of the verifier, with its number from 0 on since kit_calls was 0. */
extern void (*kit_on_call)(uint32_t number);
extern uint32_t kit_calls;
/* kit_verifier is the good one again, the device what the images ask for. */
void kit_device_reset(void);
extern const ai_reloc_verifier kit_good;

/* ---- an image to change: in damaged ---- */
struct kit_image {
    uint32_t size, trailer;
    struct reloc_signed s; /* of damaged */
};
/* A signed image, its signatures made again by the stand-in. */
struct kit_image kit_take(const uint8_t *image, uint32_t size);
/* CRCs of the trailer are right again. */
void kit_seal(const struct kit_image *image);
/* Signatures hold again. */
void kit_sign(const struct kit_image *image);
/* The value of an entry of S. */
uint8_t *kit_value(const struct kit_image *image, uint32_t type);

#endif
