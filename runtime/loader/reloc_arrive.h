/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifies a signed image while it arrives in pieces of any size (ai_reloc_verify.h): nothing of it
 * has to be written anywhere before the signature is known to hold. In: the bytes in their order.
 * Out: a code as soon as one is known, and at the end what a load would say about signature,
 * digests and device. The layout of the header is the loader's.
 *
 * The check of a whole image (ai_rel_network_check) needs all of it and comes afterwards, in the
 * place where it was written.
 */
#ifndef RELOC_ARRIVE_H
#define RELOC_ARRIVE_H

#include "reloc_verify.h"

enum reloc_arrive_stage {
    RELOC_ARRIVE_NOTHING, /* also after a failure */
    RELOC_ARRIVE_IMAGE,
    RELOC_ARRIVE_VERIFIED,
    RELOC_ARRIVE_WEIGHTS
};

/*
 * Reads the header in check->header, of RELOC_ARRIVE_HEADER bytes (the loader defines that, too),
 * into view, and sets view->trailer. If only a word of the data tells how long the weights are,
 * check->word_at is its offset and view->trailer is RELOC_ARRIVE_LATER.
 */
#define RELOC_ARRIVE_LATER UINT32_MAX
static uint32_t reloc_arrive_header(ai_reloc_check *check, struct reloc_view *view);

static inline uint32_t reloc_arrive_fail(ai_reloc_check *check, uint32_t code) {
    if (code != RELOC_OK) {
        check->code = code;
        check->stage = RELOC_ARRIVE_NOTHING;
    }
    return code;
}

static inline uint32_t reloc_arrive_begin(ai_reloc_check *check) {
    if (check == NULL)
        return RELOC_N_ARGUMENT;
    memset(check, 0, sizeof *check);
    uint32_t code = reloc_verify_ready();
    if (code != RELOC_OK)
        return reloc_arrive_fail(check, code);
    check->stage = RELOC_ARRIVE_IMAGE;
    reloc_hash_begin(AI_RELOC_DIGEST_IMAGE);
    reloc_hash_begin(AI_RELOC_DIGEST_WEIGHTS);
    return RELOC_OK;
}

/* Where the trailer is, and so the end of what is known to come. */
static inline void reloc_arrive_place(ai_reloc_check *check, uint32_t trailer) {
    check->trailer = trailer;
    check->end = trailer == RELOC_ARRIVE_LATER ? trailer : trailer + RELOC_TRL_BYTES;
}

/* A boundary has been reached: the header is complete, the code, or the trailer. */
static inline uint32_t reloc_arrive_at(ai_reloc_check *check) {
    const uint8_t *tail = (const uint8_t *)check->tail;
    struct reloc_view view;
    if (check->received == RELOC_ARRIVE_HEADER) {
        uint32_t code = reloc_arrive_header(check, &view);
        if (code != RELOC_OK)
            return code;
        check->code_end = view.weights_start != 0 ? view.weights_start : view.trailer;
        reloc_arrive_place(check, view.trailer);
        reloc_hash(AI_RELOC_DIGEST_IMAGE, (const uint8_t *)check->header, RELOC_ARRIVE_HEADER);
        return RELOC_OK;
    }
    if (check->trailer == RELOC_ARRIVE_LATER && check->received == check->code_end) {
        if (check->word > RELOC_OFFSET_MASK)
            return RELOC_N_CONTEXT;
        reloc_arrive_place(check, reloc_round4(check->code_end + check->word));
    }
    if (check->end != check->trailer + RELOC_TRL_BYTES || check->received != check->end)
        return RELOC_OK;
    if (reloc_get_le32(tail, RELOC_TRL_MAGIC) != RELOC_TRAILER_MAGIC ||
        reloc_get_le32(tail, RELOC_TRL_SELF_CRC32) != reloc_crc32(0, tail, RELOC_TRL_SELF_CRC32) ||
        reloc_get_le32(tail, RELOC_TRL_LENGTH) != check->trailer)
        return RELOC_N_TRAILER;
    uint32_t size = reloc_get_le32(tail, RELOC_TRL_SIGNATURE_SIZE);
    if (size == 0 || size > RELOC_SIGNED_BYTES_MAX)
        return size == 0 ? RELOC_N_UNSIGNED : RELOC_N_SIGNED;
    check->end += size;
    return RELOC_OK;
}

/* Hashes a piece of the code, and keeps what it has of the word. */
static inline void reloc_arrive_code(ai_reloc_check *check, const uint8_t *bytes, uint32_t size) {
    reloc_hash(AI_RELOC_DIGEST_IMAGE, bytes, size);
    for (uint32_t i = 0; i < 4 && check->word_at != 0; i++) {
        uint32_t at = check->word_at + i - check->received; /* wraps when it was before */
        if (at < size)
            ((uint8_t *)&check->word)[i] = bytes[at];
    }
}

/* As many bytes as are of one part: the header, code, weights, or what is behind. */
static inline uint32_t reloc_arrive_some(ai_reloc_check *check, const uint8_t *bytes,
                                         uint32_t size) {
    uint32_t at = check->received, end = check->end;
    if (at < RELOC_ARRIVE_HEADER)
        end = RELOC_ARRIVE_HEADER;
    else if (at < check->code_end)
        end = check->code_end;
    else if (at < check->trailer)
        end = check->trailer;
    uint32_t some = size < end - at ? size : end - at;
    if (at < RELOC_ARRIVE_HEADER)
        memcpy((uint8_t *)check->header + at, bytes, some);
    else if (at < check->code_end)
        reloc_arrive_code(check, bytes, some);
    else if (at < check->trailer)
        reloc_hash(AI_RELOC_DIGEST_WEIGHTS, bytes, some);
    else
        memcpy((uint8_t *)check->tail + (at - check->trailer), bytes, some);
    check->received += some;
    return some;
}

static inline uint32_t reloc_arrive_update(ai_reloc_check *check, const uint8_t *bytes,
                                           uint32_t size) {
    if (check == NULL || (bytes == NULL && size != 0))
        return RELOC_N_ARGUMENT;
    if (check->stage != RELOC_ARRIVE_IMAGE)
        return check->code != RELOC_OK ? check->code : (uint32_t)RELOC_N_ARGUMENT;
    while (size != 0) {
        uint32_t some = reloc_arrive_some(check, bytes, size);
        if (some == 0) /* more than a signed file has */
            return reloc_arrive_fail(check, RELOC_N_TRAILER);
        uint32_t code = reloc_arrive_at(check);
        if (code != RELOC_OK)
            return reloc_arrive_fail(check, code);
        bytes += some;
        size -= some;
    }
    return RELOC_OK;
}

/* What verified the image, made again from what is kept of it. */
static inline uint32_t reloc_arrive_read(ai_reloc_check *check, struct reloc_verify *v) {
    struct reloc_view view;
    uint32_t code = reloc_arrive_header(check, &view);
    view.trailer = check->trailer;
    return code != RELOC_OK ? code : reloc_verify_read(v, check->tail, &view, view.weights_start);
}

static inline uint32_t reloc_arrive_end(ai_reloc_check *check, ai_reloc_signed_info *info) {
    struct reloc_verify v;
    if (check == NULL)
        return RELOC_N_ARGUMENT;
    if (check->stage != RELOC_ARRIVE_IMAGE)
        return check->code != RELOC_OK ? check->code : (uint32_t)RELOC_N_ARGUMENT;
    uint32_t code = check->end == 0 || check->received != check->end ||
                            check->end == check->trailer + RELOC_TRL_BYTES
                        ? (uint32_t)RELOC_N_TRUNCATED
                        : reloc_arrive_read(check, &v);
    if (code == RELOC_OK)
        code = reloc_verify_image(&v, AI_RELOC_DIGEST_IMAGE);
    if (code == RELOC_OK && v.content.has_weights && !v.content.weights_apart &&
        !reloc_hash_is(AI_RELOC_DIGEST_WEIGHTS, &v.s, RELOC_SGN_WEIGHTS_SHA256))
        code = RELOC_N_SIGNED_WEIGHTS;
    if (code == RELOC_OK)
        code = reloc_verify_trust(&v.s, info);
    check->stage = RELOC_ARRIVE_VERIFIED;
    return reloc_arrive_fail(check, code);
}

/* ---- weights in a file of their own, behind an image that is verified ---- */

static inline uint32_t reloc_arrive_weights_begin(ai_reloc_check *check) {
    struct reloc_verify v;
    if (check == NULL || check->stage != RELOC_ARRIVE_VERIFIED)
        return check != NULL && check->code != RELOC_OK ? check->code : (uint32_t)RELOC_N_ARGUMENT;
    uint32_t code = reloc_arrive_read(check, &v);
    if (code == RELOC_OK && !v.content.weights_apart)
        code = RELOC_N_ARGUMENT;
    if (code != RELOC_OK)
        return code;
    check->stage = RELOC_ARRIVE_WEIGHTS;
    check->received = 0;
    check->end = reloc_get_le32(v.s.bytes, v.s.at[RELOC_SGN_WEIGHTS_SHA256] + RELOC_SHA256_BYTES);
    reloc_hash_begin(AI_RELOC_DIGEST_WEIGHTS);
    return RELOC_OK;
}

static inline uint32_t reloc_arrive_weights_update(ai_reloc_check *check, const uint8_t *bytes,
                                                   uint32_t size) {
    if (check == NULL || (bytes == NULL && size != 0))
        return RELOC_N_ARGUMENT;
    if (check->stage != RELOC_ARRIVE_WEIGHTS)
        return check->code != RELOC_OK ? check->code : (uint32_t)RELOC_N_ARGUMENT;
    if (size > check->end - check->received)
        return reloc_arrive_fail(check, RELOC_N_SIGNED_WEIGHTS);
    reloc_hash(AI_RELOC_DIGEST_WEIGHTS, bytes, size);
    check->received += size;
    return RELOC_OK;
}

static inline uint32_t reloc_arrive_weights_end(ai_reloc_check *check) {
    struct reloc_verify v;
    if (check == NULL || check->stage != RELOC_ARRIVE_WEIGHTS)
        return check != NULL && check->code != RELOC_OK ? check->code : (uint32_t)RELOC_N_ARGUMENT;
    uint32_t code =
        check->received != check->end ? (uint32_t)RELOC_N_TRUNCATED : reloc_arrive_read(check, &v);
    if (code == RELOC_OK && !reloc_hash_is(AI_RELOC_DIGEST_WEIGHTS, &v.s, RELOC_SGN_WEIGHTS_SHA256))
        code = RELOC_N_SIGNED_WEIGHTS;
    check->stage = RELOC_ARRIVE_VERIFIED;
    return reloc_arrive_fail(check, code);
}

#endif
