/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed images with libsodium 1.0: SHA-256 and Ed25519. A firmware compiles this file with its
 * libsodium and the loader, and defines ai_reloc_keys and the verifier (docs/TARGET.md, "Signed
 * images"). No heap, no random numbers.
 */
#include "sodium/crypto_hash_sha256.h"
#include "sodium/crypto_sign_ed25519.h"

#define AI_RELOC_FIND_KEY
#ifdef LL_ATON_RT_RELOC
#include "ll_aton_reloc_loader.h"
#else
#include "ai_reloc_network.h"
#endif

static crypto_hash_sha256_state digests[AI_RELOC_DIGESTS];

void ai_reloc_sha256_begin(void *context, uint32_t which) {
    (void)context;
    (void)crypto_hash_sha256_init(&digests[which]);
}

void ai_reloc_sha256_update(void *context, uint32_t which, const uint8_t *bytes, uint32_t size) {
    (void)context;
    (void)crypto_hash_sha256_update(&digests[which], bytes, size);
}

void ai_reloc_sha256_end(void *context, uint32_t which, uint8_t digest[32]) {
    (void)context;
    (void)crypto_hash_sha256_final(&digests[which], digest);
}

int32_t ai_reloc_verify_signature(void *context, const ai_reloc_to_verify *it) {
    (void)context;
    const uint8_t *bytes =
        it->kind == AI_RELOC_ED25519 ? ai_reloc_find_key(it->kind, it->key_hash) : NULL;
    if (bytes == NULL)
        return AI_RELOC_UNKNOWN_KEY;
    return crypto_sign_ed25519_verify_detached(it->signature, it->message, it->size, bytes) == 0
               ? AI_RELOC_HOLDS
               : AI_RELOC_HOLDS_NOT;
}
