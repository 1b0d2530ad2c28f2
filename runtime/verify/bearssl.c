/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed images with BearSSL 0.6: SHA-256 and ECDSA P-256. A firmware compiles this file with its
 * BearSSL and the loader, and defines ai_reloc_keys and the verifier (docs/TARGET.md, "Signed
 * images"). No heap. AI_RELOC_BEARSSL_EC names the implementation of the curve.
 */
#include "bearssl.h"

#define AI_RELOC_FIND_KEY
#ifdef LL_ATON_RT_RELOC
#include "ll_aton_reloc_loader.h"
#else
#include "ai_reloc_network.h"
#endif

#ifndef AI_RELOC_BEARSSL_EC
#define AI_RELOC_BEARSSL_EC br_ec_p256_m31
#endif

static br_sha256_context digests[AI_RELOC_DIGESTS];

void ai_reloc_sha256_begin(void *context, uint32_t which) {
    (void)context;
    br_sha256_init(&digests[which]);
}

void ai_reloc_sha256_update(void *context, uint32_t which, const uint8_t *bytes, uint32_t size) {
    (void)context;
    br_sha256_update(&digests[which], bytes, size);
}

void ai_reloc_sha256_end(void *context, uint32_t which, uint8_t digest[32]) {
    (void)context;
    br_sha256_out(&digests[which], digest);
}

int32_t ai_reloc_verify_signature(void *context, const ai_reloc_to_verify *it) {
    (void)context;
    const uint8_t *bytes =
        it->kind == AI_RELOC_ECDSA_P256 ? ai_reloc_find_key(it->kind, it->key_hash) : NULL;
    if (bytes == NULL)
        return AI_RELOC_UNKNOWN_KEY;
    unsigned char point[65] = {4}; /* not compressed */
    unsigned char digest[br_sha256_SIZE];
    br_ec_public_key key = {BR_EC_secp256r1, point, sizeof point};
    br_sha256_context sha;
    memcpy(point + 1, bytes, 64);
    br_sha256_init(&sha);
    br_sha256_update(&sha, it->message, it->size);
    br_sha256_out(&sha, digest);
    return br_ecdsa_i31_vrfy_raw(&AI_RELOC_BEARSSL_EC, digest, sizeof digest, &key, it->signature,
                                 64) == 1
               ? AI_RELOC_HOLDS
               : AI_RELOC_HOLDS_NOT;
}
