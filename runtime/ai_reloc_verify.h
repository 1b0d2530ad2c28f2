/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed images: what the firmware gives to a loader that is compiled with AI_RELOC_SIGNED (or
 * LL_ATON_RELOC_SIGNED), and what the loader tells about an image whose signature holds. The
 * cryptography is the firmware's own library; runtime/verify/ has adapters for some of them.
 * docs/TARGET.md, "Signed images", explains all of it. Only types, so it costs nothing without.
 */
#ifndef AI_RELOC_VERIFY_H
#define AI_RELOC_VERIFY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of signatures, as the image has them. */
enum ai_reloc_signature_kind { AI_RELOC_ED25519 = 0x4002, AI_RELOC_ECDSA_P256 = 0x4003 };

enum {
    AI_RELOC_KEY_HASH_BYTES = 32,
    AI_RELOC_SHA256_BYTES = 32,
    AI_RELOC_SIGNATURE_BYTES = 64, /* of both kinds; P-256: r, s, big-endian */
    AI_RELOC_MODEL_NAME_BYTES = 64
};

/* What verify returns. No simple mistake of a function returns the first one. */
enum ai_reloc_verdict {
    AI_RELOC_HOLDS = 0x3A6C,
    AI_RELOC_HOLDS_NOT = 1,
    AI_RELOC_UNKNOWN_KEY = 2 /* no key of that kind with that hash is accepted */
};

/*
 * The digests that may be open at the same time: that of a load, and those of a file that arrives
 * in pieces meanwhile.
 */
enum ai_reloc_digest {
    AI_RELOC_DIGEST_LOAD,
    AI_RELOC_DIGEST_IMAGE,
    AI_RELOC_DIGEST_WEIGHTS,
    AI_RELOC_DIGESTS
};

/* A signature to be verified. message and signature are on the stack, at multiples of 4. */
typedef struct ai_reloc_to_verify_s {
    uint32_t kind;           /* enum ai_reloc_signature_kind */
    const uint8_t *key_hash; /* 32 bytes: SHA-256 of the key's DER SubjectPublicKeyInfo */
    const uint8_t *message;  /* of size bytes; P-256 is over its SHA-256 */
    uint32_t size;
    const uint8_t *signature; /* 64 bytes */
} ai_reloc_to_verify;

/* The firmware's, a constant. Every function is needed: without one, nothing is loaded. */
typedef struct ai_reloc_verifier_s {
    void *context; /* passed to the functions */
    /* SHA-256; which: enum ai_reloc_digest */
    void (*sha256_begin)(void *context, uint32_t which);
    void (*sha256_update)(void *context, uint32_t which, const uint8_t *bytes, uint32_t size);
    void (*sha256_end)(void *context, uint32_t which, uint8_t digest[32]);
    /* A verdict, enum ai_reloc_verdict: does it hold, and does the firmware accept that key? */
    int32_t (*verify)(void *context, const ai_reloc_to_verify *it);
    /* The least security counter that the device accepts. 0, or the load fails. */
    int32_t (*counter_read)(void *context, uint32_t *counter);
    /* Raises it. 0, or ai_rel_network_commit fails. */
    int32_t (*counter_commit)(void *context, uint32_t counter);
    const uint8_t *device_class; /* text; only images for that class are accepted */
    uint32_t device_class_size;  /* 0: only images that name no class */
    uint32_t firmware_api;       /* what images with a range of versions are held against */
} ai_reloc_verifier;

/* The default name of that constant; the setting AI_RELOC_VERIFIER gives it another. */
extern const ai_reloc_verifier ai_reloc_firmware_verifier;

/* What a signature that holds says about an image. */
typedef struct ai_reloc_signed_info_s {
    uint32_t security_counter;
    uint8_t major, minor;
    uint16_t revision;
    uint32_t build;
    char name[AI_RELOC_MODEL_NAME_BYTES + 4]; /* terminated */
} ai_reloc_signed_info;

/* ---- a file that arrives in pieces ---- */

/*
 * The state of ai_reloc_check_begin, _update, _end: all members are private. The header and what
 * stands behind the image are kept, the rest is only hashed.
 */
typedef struct ai_reloc_check_s {
    uint32_t stage;
    uint32_t code;     /* the first failure, without its sign */
    uint32_t received; /* bytes of the file */
    uint32_t code_end, trailer, end;
    uint32_t word_at, word; /* of the data, where the layout needs it */
    uint32_t header[26];
    uint32_t tail[256];
} ai_reloc_check;

/* ---- keys, for the adapters ---- */

/* A public key that the firmware accepts. */
typedef struct ai_reloc_key_s {
    uint32_t kind;     /* enum ai_reloc_signature_kind */
    uint8_t hash[32];  /* SHA-256 of the DER SubjectPublicKeyInfo */
    uint8_t bytes[64]; /* P-256: x, y; Ed25519: 32 bytes, then zeros */
} ai_reloc_key;

/* The firmware's table of these: a constant in flash, so that only its own update changes it. */
extern const ai_reloc_key ai_reloc_keys[];
extern const uint32_t ai_reloc_key_count;

/*
 * The functions of an adapter, a file of runtime/verify/: any of them, but one only. The context is
 * not used.
 */
void ai_reloc_sha256_begin(void *context, uint32_t which);
void ai_reloc_sha256_update(void *context, uint32_t which, const uint8_t *bytes, uint32_t size);
void ai_reloc_sha256_end(void *context, uint32_t which, uint8_t digest[32]);
int32_t ai_reloc_verify_signature(void *context, const ai_reloc_to_verify *it);
/* For the verifier's initialiser, in C. */
#define AI_RELOC_ADAPTER                                                                           \
    .sha256_begin = ai_reloc_sha256_begin, .sha256_update = ai_reloc_sha256_update,                \
    .sha256_end = ai_reloc_sha256_end, .verify = ai_reloc_verify_signature

#ifdef AI_RELOC_FIND_KEY /* adapters define it */
/* The bytes of an accepted key, or NULL. */
static inline const uint8_t *ai_reloc_find_key(uint32_t kind, const uint8_t hash[32]) {
    for (uint32_t i = 0; i < ai_reloc_key_count; i++)
        if (ai_reloc_keys[i].kind == kind && memcmp(ai_reloc_keys[i].hash, hash, 32) == 0)
            return ai_reloc_keys[i].bytes;
    return NULL;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
