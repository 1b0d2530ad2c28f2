/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands behind the trailer of a signed image: the signed structure, called S here, and its
 * signatures. docs/FORMAT.md, "Signature", says the same in prose. In: the bytes behind the
 * trailer, none of them trusted. Out: a struct reloc_signed of offsets that are all in bounds, or
 * one code of reloc_errors.def. Nothing is written to the image, allocated or called, and there is
 * no cryptography here: a verifier computes the two digests and asks its own library about the
 * signatures. The host's commands and firmware include this file.
 *
 * A verifier does these steps, in this order, and stops at the first code that is not RELOC_OK:
 *   1. reloc_check_image (reloc_core.h) or reloc_npu_check: the image and its trailer
 *   2. reloc_signed_content, reloc_signed_read, reloc_signed_check_content
 *   3. SHA-256 of image and weights, each compared with reloc_signed_equal
 *   4. a signature over S, by a key that it accepts: reloc_signed_find
 *   5. reloc_signed_check_class, reloc_signed_check_api, reloc_signed_check_counter
 */
#ifndef RELOC_SIGNED_H
#define RELOC_SIGNED_H

#include "reloc_core.h"

#define RELOC_SIGNED_MAGIC UINT32_C(0x4D535052) /* bytes "RPSM" */

/* ---- S: a header of 8 bytes, then entries in ascending order of their type ---- */
enum reloc_signed_header {
    RELOC_SGN_MAGIC = 0,
    RELOC_SGN_VERSION = 4, /* u16: 1 */
    RELOC_SGN_SIZE = 6,    /* u16: bytes of S, this header included */
    RELOC_SGN_HEADER_BYTES = 8,
    RELOC_SGN_BYTES_MAX = 512,
    RELOC_SGN_ENTRY_BYTES = 4 /* type u16, length u16; then the value, then zeros up to 4 bytes */
};

enum reloc_signed_type {
    RELOC_SGN_IMAGE_SHA256 = 1,     /* of the code and the trailer: see reloc_signed_trailer */
    RELOC_SGN_WEIGHTS_SHA256 = 2,   /* and u32: their bytes */
    RELOC_SGN_TARGET = 3,           /* u32: flags word of the header */
    RELOC_SGN_BUILD_ID = 4,         /* that of the trailer */
    RELOC_SGN_MODEL_NAME = 5,       /* text */
    RELOC_SGN_MODEL_VERSION = 6,    /* u8 major, u8 minor, u16 revision, u32 build */
    RELOC_SGN_SECURITY_COUNTER = 7, /* u32 */
    RELOC_SGN_DEVICE_CLASS = 8,     /* text */
    RELOC_SGN_FIRMWARE_API = 9,     /* u32 least, u32 most */
    RELOC_SGN_TYPES,
    RELOC_SGN_SKIPPABLE = 0x8000 /* from here on, a verifier skips what it does not know */
};

/* ---- behind S: 1 to 4 signatures, each a hash of its key and the signature itself ---- */
enum reloc_signature_type {
    RELOC_SIG_KEY_HASH = 0x4001,  /* SHA-256 of the DER SubjectPublicKeyInfo */
    RELOC_SIG_ED25519 = 0x4002,   /* over S */
    RELOC_SIG_ECDSA_P256 = 0x4003 /* r, s, big-endian; over the SHA-256 of S */
};
enum {
    RELOC_SIG_KEY_HASH_BYTES = 32,
    RELOC_SIG_VALUE_BYTES = 64, /* of both kinds */
    RELOC_SIG_BYTES = 2 * RELOC_SGN_ENTRY_BYTES + RELOC_SIG_KEY_HASH_BYTES + RELOC_SIG_VALUE_BYTES,
    RELOC_SIG_MAX = 4,
    /* the largest signature_size that there can be */
    RELOC_SIGNED_BYTES_MAX = RELOC_SGN_BYTES_MAX + RELOC_SIG_MAX * RELOC_SIG_BYTES
};

/* Offsets are from bytes. */
struct reloc_signed {
    const uint8_t *bytes;             /* S: what is signed */
    uint32_t size;                    /* of S */
    uint32_t at[RELOC_SGN_TYPES];     /* of a value; 0: S has no such entry */
    uint32_t length[RELOC_SGN_TYPES]; /* of the value, in bytes */
    uint32_t signatures;              /* 1 to RELOC_SIG_MAX, from the end of S on */
};

/* ---- reading ---- */

/* A text without control characters: it is shown, and compared. */
static inline bool reloc_signed_is_text(const uint8_t *text, uint32_t length) {
    for (uint32_t i = 0; i < length; i++)
        if (text[i] < 0x20u || text[i] == 0x7Fu)
            return false;
    return true;
}

/*
 * One entry of S whose value, of length bytes at offset at, is in bounds. Stops: an unknown entry
 * that must not be skipped, a value of another length, a text that would spoil a log, an empty
 * range.
 */
static inline uint32_t reloc_signed_take(struct reloc_signed *s, uint32_t type, uint32_t at,
                                         uint32_t length) {
    static const uint8_t lengths[RELOC_SGN_TYPES][2] = {
        [RELOC_SGN_IMAGE_SHA256] = {RELOC_SHA256_BYTES, RELOC_SHA256_BYTES},
        [RELOC_SGN_WEIGHTS_SHA256] = {RELOC_SHA256_BYTES + 4, RELOC_SHA256_BYTES + 4},
        [RELOC_SGN_TARGET] = {4, 4},
        [RELOC_SGN_BUILD_ID] = {RELOC_BUILD_ID_BYTES, RELOC_BUILD_ID_BYTES},
        [RELOC_SGN_MODEL_NAME] = {1, 64},
        [RELOC_SGN_MODEL_VERSION] = {8, 8},
        [RELOC_SGN_SECURITY_COUNTER] = {4, 4},
        [RELOC_SGN_DEVICE_CLASS] = {1, 32},
        [RELOC_SGN_FIRMWARE_API] = {8, 8},
    };
    if (type >= RELOC_SGN_SKIPPABLE)
        return RELOC_OK;
    if (type >= RELOC_SGN_TYPES || length < lengths[type][0] || length > lengths[type][1])
        return RELOC_N_SIGNED;
    if ((type == RELOC_SGN_MODEL_NAME || type == RELOC_SGN_DEVICE_CLASS) &&
        !reloc_signed_is_text(s->bytes + at, length))
        return RELOC_N_SIGNED;
    if (type == RELOC_SGN_FIRMWARE_API &&
        reloc_get_le32(s->bytes, at) > reloc_get_le32(s->bytes, at + 4u))
        return RELOC_N_SIGNED;
    s->at[type] = at;
    s->length[type] = length;
    return RELOC_OK;
}

/* Stops: bytes between a value and the next multiple of 4 that could hold something unseen. */
static inline bool reloc_signed_is_padded(const uint8_t *bytes, uint32_t at, uint32_t end) {
    while (at < end && bytes[at] == 0)
        at++;
    return at == end;
}

/*
 * The entries of S, whose size is a multiple of 4. Stops: an entry that leaves S, is empty, comes
 * twice or is out of order, and an S without what every signed image states.
 */
static inline uint32_t reloc_signed_read_entries(struct reloc_signed *s) {
    uint32_t at = RELOC_SGN_HEADER_BYTES, last = 0;
    while (at < s->size) {
        uint32_t word = reloc_get_le32(s->bytes, at);
        uint32_t type = word & 0xFFFFu, length = word >> 16;
        at += RELOC_SGN_ENTRY_BYTES;
        if (type <= last || length == 0 || reloc_round4(length) > s->size - at)
            return RELOC_N_SIGNED;
        uint32_t code = reloc_signed_take(s, type, at, length);
        if (code != RELOC_OK)
            return code;
        if (!reloc_signed_is_padded(s->bytes, at + length, at + reloc_round4(length)))
            return RELOC_N_SIGNED;
        at += reloc_round4(length);
        last = type;
    }
    return s->at[RELOC_SGN_IMAGE_SHA256] != 0 && s->at[RELOC_SGN_TARGET] != 0 &&
                   s->at[RELOC_SGN_BUILD_ID] != 0 && s->at[RELOC_SGN_MODEL_NAME] != 0 &&
                   s->at[RELOC_SGN_MODEL_VERSION] != 0 && s->at[RELOC_SGN_SECURITY_COUNTER] != 0
               ? RELOC_OK
               : RELOC_N_SIGNED;
}

/* Where the signature with this index begins: the entry with the hash of its key. */
static inline uint32_t reloc_signature_at(const struct reloc_signed *s, uint32_t index) {
    return s->size + index * RELOC_SIG_BYTES;
}
static inline const uint8_t *reloc_signature_key_hash(const struct reloc_signed *s,
                                                      uint32_t index) {
    return s->bytes + reloc_signature_at(s, index) + RELOC_SGN_ENTRY_BYTES;
}
/* RELOC_SIG_ED25519 or RELOC_SIG_ECDSA_P256. */
static inline uint32_t reloc_signature_kind(const struct reloc_signed *s, uint32_t index) {
    return reloc_get_le32(s->bytes, reloc_signature_at(s, index) + RELOC_SGN_ENTRY_BYTES +
                                        RELOC_SIG_KEY_HASH_BYTES) &
           0xFFFFu;
}
static inline const uint8_t *reloc_signature_value(const struct reloc_signed *s, uint32_t index) {
    return s->bytes + reloc_signature_at(s, index) + RELOC_SIG_BYTES - RELOC_SIG_VALUE_BYTES;
}

/* Stops: anything but pairs of a key's hash and a signature, such as entries that are not signed.
 */
static inline uint32_t reloc_signed_read_signatures(const struct reloc_signed *s) {
    for (uint32_t i = 0; i < s->signatures; i++) {
        uint32_t at = reloc_signature_at(s, i);
        uint32_t kind = reloc_signature_kind(s, i);
        uint32_t value = at + RELOC_SGN_ENTRY_BYTES + RELOC_SIG_KEY_HASH_BYTES;
        if (reloc_get_le32(s->bytes, at) !=
                (RELOC_SIG_KEY_HASH | (uint32_t)RELOC_SIG_KEY_HASH_BYTES << 16) ||
            reloc_get_le32(s->bytes, value) >> 16 != RELOC_SIG_VALUE_BYTES ||
            (kind != RELOC_SIG_ED25519 && kind != RELOC_SIG_ECDSA_P256))
            return RELOC_N_SIGNED;
    }
    return RELOC_OK;
}

/*
 * The size bytes behind a trailer, which its signature_size counts: S and signatures, and nothing
 * else. Fills s (valid only on RELOC_OK). Returns RELOC_OK, RELOC_N_UNSIGNED or RELOC_N_SIGNED.
 */
static inline uint32_t reloc_signed_read(const uint8_t *bytes, uint32_t size,
                                         struct reloc_signed *s) {
    *s = (struct reloc_signed){.bytes = bytes};
    if (size == 0)
        return RELOC_N_UNSIGNED;
    if (size < RELOC_SGN_HEADER_BYTES ||
        reloc_get_le32(bytes, RELOC_SGN_MAGIC) != RELOC_SIGNED_MAGIC)
        return RELOC_N_SIGNED;
    uint32_t word = reloc_get_le32(bytes, RELOC_SGN_VERSION);
    s->size = word >> 16;
    if ((word & 0xFFFFu) != 1u || s->size < RELOC_SGN_HEADER_BYTES || s->size % 4u != 0 ||
        s->size > RELOC_SGN_BYTES_MAX || s->size > size)
        return RELOC_N_SIGNED;
    uint32_t rest = size - s->size;
    s->signatures = rest / RELOC_SIG_BYTES;
    if (rest % RELOC_SIG_BYTES != 0 || s->signatures == 0 || s->signatures > RELOC_SIG_MAX)
        return RELOC_N_SIGNED;
    uint32_t code = reloc_signed_read_entries(s);
    return code != RELOC_OK ? code : reloc_signed_read_signatures(s);
}

static inline uint32_t reloc_signed_word(const struct reloc_signed *s, uint32_t type) {
    return reloc_get_le32(s->bytes, s->at[type]);
}

/* ---- what the image really is ---- */

/* Offsets in a checked image with a trailer. */
struct reloc_signed_content {
    const uint8_t *tail; /* the trailer and what is behind it: in the image, or a copy */
    uint32_t code_end;   /* the weights, if they are in the file, else the trailer */
    uint32_t trailer;
    uint32_t flags;     /* of the header, as it was checked */
    bool has_weights;   /* in the file or apart */
    bool weights_apart; /* in a file of their own */
};

/*
 * weights_start: view->weights_start, or params_start of a Neural-ART image. The view must have a
 * trailer. tail: view->image + view->trailer, or a copy from there on, which nobody can change.
 */
static inline struct reloc_signed_content
reloc_signed_content(const struct reloc_view *view, uint32_t weights_start, const uint8_t *tail) {
    bool apart =
        weights_start == 0 && (reloc_get_le32(tail, RELOC_TRL_FLAGS) & RELOC_TRL_SPLIT) != 0;
    return (struct reloc_signed_content){
        .tail = tail,
        .code_end = weights_start != 0 ? weights_start : view->trailer,
        .trailer = view->trailer,
        .flags = view->flags,
        .has_weights = weights_start != 0 || apart,
        .weights_apart = apart,
    };
}

/* What is behind the trailer: S and signatures. */
static inline uint32_t reloc_signed_of_image(const struct reloc_signed_content *content,
                                             struct reloc_signed *s) {
    return reloc_signed_read(content->tail + RELOC_TRL_BYTES,
                             reloc_get_le32(content->tail, RELOC_TRL_SIGNATURE_SIZE), s);
}

/*
 * The trailer as it is part of what is signed: signature_size and self_crc32 are 0, so that another
 * signature does not change it. The signed digest of an image is the SHA-256 of its bytes up to
 * code_end, followed by these.
 */
static inline void reloc_signed_trailer(const struct reloc_signed_content *content,
                                        uint8_t out[RELOC_TRL_BYTES]) {
    memcpy(out, content->tail, RELOC_TRL_BYTES);
    memset(out + RELOC_TRL_SIGNATURE_SIZE, 0, 4);
    memset(out + RELOC_TRL_SELF_CRC32, 0, 4);
}

/* In the same time wherever they differ. */
static inline bool reloc_signed_equal(const uint8_t *a, const uint8_t *b, uint32_t size) {
    uint32_t differ = 0;
    for (uint32_t i = 0; i < size; i++)
        differ |= (uint32_t)(a[i] ^ b[i]);
    return differ == 0;
}

/*
 * Does S speak of this image? Stops: S of another image or target, weights that S does not know,
 * and S with weights for an image that has none. The digests are for the caller to compare.
 */
static inline uint32_t reloc_signed_check_content(const struct reloc_signed *s,
                                                  const struct reloc_signed_content *content) {
    if (reloc_signed_word(s, RELOC_SGN_TARGET) != content->flags)
        return RELOC_N_SIGNED_TARGET;
    if (!reloc_signed_equal(s->bytes + s->at[RELOC_SGN_BUILD_ID],
                            content->tail + RELOC_TRL_BUILD_ID, RELOC_BUILD_ID_BYTES))
        return RELOC_N_SIGNED_BUILD_ID;
    uint32_t weights = s->at[RELOC_SGN_WEIGHTS_SHA256];
    if ((weights != 0) != content->has_weights)
        return RELOC_N_SIGNED_WEIGHTS;
    return weights == 0 || content->weights_apart ||
                   reloc_get_le32(s->bytes, weights + RELOC_SHA256_BYTES) ==
                       content->trailer - content->code_end
               ? RELOC_OK
               : RELOC_N_SIGNED_WEIGHTS;
}

/* The index of the first signature by the key with this hash, from index on; else signatures. */
static inline uint32_t reloc_signed_find(const struct reloc_signed *s, const uint8_t *key_hash,
                                         uint32_t index) {
    while (index < s->signatures && !reloc_signed_equal(reloc_signature_key_hash(s, index),
                                                        key_hash, RELOC_SIG_KEY_HASH_BYTES))
        index++;
    return index;
}

/* ---- whether this device may run it: S is trusted now ---- */

/* The device's class of length bytes, 0 when it has none: then only images without one are for it.
 */
static inline uint32_t reloc_signed_check_class(const struct reloc_signed *s, const uint8_t *text,
                                                uint32_t length) {
    return s->length[RELOC_SGN_DEVICE_CLASS] == length &&
                   (length == 0 ||
                    reloc_signed_equal(s->bytes + s->at[RELOC_SGN_DEVICE_CLASS], text, length))
               ? RELOC_OK
               : RELOC_N_DEVICE_CLASS;
}

/* The version of the firmware's API. An image that names none runs with all. */
static inline uint32_t reloc_signed_check_api(const struct reloc_signed *s, uint32_t version) {
    uint32_t at = s->at[RELOC_SGN_FIRMWARE_API];
    return at == 0 || (version >= reloc_get_le32(s->bytes, at) &&
                       version <= reloc_get_le32(s->bytes, at + 4u))
               ? RELOC_OK
               : RELOC_N_FIRMWARE_API;
}

/* The lowest counter that the device still accepts. Stops: going back to a model that was revoked.
 */
static inline uint32_t reloc_signed_check_counter(const struct reloc_signed *s, uint32_t least) {
    return reloc_signed_word(s, RELOC_SGN_SECURITY_COUNTER) >= least ? RELOC_OK
                                                                     : RELOC_N_SECURITY_COUNTER;
}

#endif
