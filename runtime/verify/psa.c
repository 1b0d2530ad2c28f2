/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed images with PSA Crypto (Mbed TLS 2.28 and later, TF-M, or a vendor's): SHA-256 and ECDSA
 * P-256. A firmware compiles this file with the loader, has called psa_crypto_init, and defines
 * ai_reloc_keys and the verifier (docs/TARGET.md, "Signed images"). Mbed TLS takes memory from its
 * heap; without any left, nothing holds.
 */
#include "psa/crypto.h"

#define AI_RELOC_FIND_KEY
#ifdef LL_ATON_RT_RELOC
#include "ll_aton_reloc_loader.h"
#else
#include "ai_reloc_network.h"
#endif

static psa_hash_operation_t digests[AI_RELOC_DIGESTS];

void ai_reloc_sha256_begin(void *context, uint32_t which) {
    (void)context;
    (void)psa_hash_abort(&digests[which]);
    (void)psa_hash_setup(&digests[which], PSA_ALG_SHA_256);
}

/* After a failure the operation is in error, and so its end fails. */
void ai_reloc_sha256_update(void *context, uint32_t which, const uint8_t *bytes, uint32_t size) {
    (void)context;
    if (psa_hash_update(&digests[which], bytes, size) != PSA_SUCCESS)
        (void)psa_hash_abort(&digests[which]);
}

/* Without a digest, one that no image has. */
void ai_reloc_sha256_end(void *context, uint32_t which, uint8_t digest[32]) {
    (void)context;
    size_t length = 0;
    if (psa_hash_finish(&digests[which], digest, 32, &length) != PSA_SUCCESS || length != 32)
        memset(digest, 0, 32);
}

int32_t ai_reloc_verify_signature(void *context, const ai_reloc_to_verify *it) {
    (void)context;
    const uint8_t *bytes =
        it->kind == AI_RELOC_ECDSA_P256 ? ai_reloc_find_key(it->kind, it->key_hash) : NULL;
    if (bytes == NULL)
        return AI_RELOC_UNKNOWN_KEY;
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = 0;
    uint8_t point[65] = {4}, digest[32]; /* the point is not compressed */
    size_t length = 0;
    memcpy(point + 1, bytes, 64);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_HASH);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    if (psa_hash_compute(PSA_ALG_SHA_256, it->message, it->size, digest, sizeof digest, &length) !=
            PSA_SUCCESS ||
        psa_import_key(&attributes, point, sizeof point, &key) != PSA_SUCCESS)
        return AI_RELOC_HOLDS_NOT;
    psa_status_t status = psa_verify_hash(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), digest,
                                          sizeof digest, it->signature, 64);
    (void)psa_destroy_key(key);
    return status == PSA_SUCCESS ? AI_RELOC_HOLDS : AI_RELOC_HOLDS_NOT;
}
