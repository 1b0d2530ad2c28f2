/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifies signed images with the firmware's verifier (ai_reloc_verify.h). reloc_signed.h reads
 * what is signed; here, it is compared with the bytes that will run, and the signature and the
 * device's own facts decide. In: a checked image. Out: one code of reloc_errors.def. Both loaders
 * include this, and only when they are configured for signatures. There are no variables.
 *
 * What stands behind the content (trailer, S, signatures) is copied first: what is verified is what
 * was copied, whatever happens to the image afterwards.
 */
#ifndef RELOC_VERIFY_H
#define RELOC_VERIFY_H

#include "../ai_reloc_verify.h"
#include "../format/reloc_core.h"
#include "../format/reloc_signed.h"

#ifndef AI_RELOC_VERIFIER
#define AI_RELOC_VERIFIER ai_reloc_firmware_verifier
#endif
extern const ai_reloc_verifier AI_RELOC_VERIFIER;

/* Whether each load hashes weights that lie in the file. */
#ifndef AI_RELOC_SIGNED_WEIGHTS
#define AI_RELOC_SIGNED_WEIGHTS 1
#endif

enum { RELOC_TAIL_BYTES = RELOC_TRL_BYTES + RELOC_SIGNED_BYTES_MAX };
_Static_assert(sizeof(((ai_reloc_check *)0)->tail) == RELOC_TAIL_BYTES, "place for the tail");
_Static_assert(sizeof(((ai_reloc_check *)0)->header) == RELOC_HDR_BYTES_MAX,
               "place for the header");

/* Both lead into the copy of what stands behind the content. */
struct reloc_verify {
    struct reloc_signed_content content;
    struct reloc_signed s;
};
struct reloc_tail {
    uint32_t words[RELOC_TAIL_BYTES / 4];
};

/* ---- SHA-256 ---- */

static inline void reloc_hash_begin(uint32_t which) {
    AI_RELOC_VERIFIER.sha256_begin(AI_RELOC_VERIFIER.context, which);
}

static inline void reloc_hash(uint32_t which, const uint8_t *bytes, uint32_t size) {
    if (size != 0)
        AI_RELOC_VERIFIER.sha256_update(AI_RELOC_VERIFIER.context, which, bytes, size);
}

/* Ends a digest and compares it with what S has. */
static inline bool reloc_hash_is(uint32_t which, const struct reloc_signed *s, uint32_t type) {
    uint8_t digest[RELOC_SHA256_BYTES] = {0};
    AI_RELOC_VERIFIER.sha256_end(AI_RELOC_VERIFIER.context, which, digest);
    return reloc_signed_equal(digest, s->bytes + s->at[type], RELOC_SHA256_BYTES);
}

/* The end of the image's digest: its trailer, without what another signature changes. */
RELOC_OUTLINE uint32_t reloc_verify_image(const struct reloc_verify *v, uint32_t which) {
    uint8_t trailer[RELOC_TRL_BYTES];
    reloc_signed_trailer(&v->content, trailer);
    reloc_hash(which, trailer, RELOC_TRL_BYTES);
    return reloc_hash_is(which, &v->s, RELOC_SGN_IMAGE_SHA256) ? RELOC_OK : RELOC_N_SIGNED_IMAGE;
}

/* ---- steps, in this order ---- */

/* Stops: a verifier with a function missing, as one is that was not filled in. */
static inline uint32_t reloc_verify_ready(void) {
    const ai_reloc_verifier *by = &AI_RELOC_VERIFIER;
    return by->sha256_begin != NULL && by->sha256_update != NULL && by->sha256_end != NULL &&
                   by->verify != NULL && by->counter_read != NULL && by->counter_commit != NULL &&
                   (by->device_class != NULL || by->device_class_size == 0)
               ? RELOC_OK
               : RELOC_N_VERIFIER;
}

/* S, and the image that it speaks of. Of the view, only flags and trailer are needed. */
static inline uint32_t reloc_verify_read(struct reloc_verify *v, const uint32_t *tail,
                                         const struct reloc_view *view, uint32_t weights_start) {
    v->content = reloc_signed_content(view, weights_start, (const uint8_t *)tail);
    uint32_t code = reloc_signed_of_image(&v->content, &v->s);
    return code != RELOC_OK ? code : reloc_signed_check_content(&v->s, &v->content);
}

/*
 * Copies the tail of a checked image and reads it. weights_start: view->weights_start, or
 * params_start of a Neural-ART image.
 */
RELOC_OUTLINE uint32_t reloc_verify_open(struct reloc_verify *v, struct reloc_tail *copy,
                                         const struct reloc_view *view, uint32_t weights_start) {
    uint8_t *tail = (uint8_t *)copy->words;
    uint32_t code = reloc_verify_ready();
    if (code != RELOC_OK)
        return code;
    if (view->trailer == 0)
        return RELOC_N_NO_TRAILER;
    memcpy(tail, view->image + view->trailer, RELOC_TRL_BYTES);
    uint32_t size = reloc_get_le32(tail, RELOC_TRL_SIGNATURE_SIZE);
    if (size > RELOC_SIGNED_BYTES_MAX)
        return RELOC_N_SIGNED;
    if (size > view->size - view->trailer - RELOC_TRL_BYTES) /* it has changed since the check */
        return RELOC_N_TRUNCATED;
    memcpy(tail + RELOC_TRL_BYTES, view->image + view->trailer + RELOC_TRL_BYTES, size);
    return reloc_verify_read(v, copy->words, view, weights_start);
}

/* Begins the digest of an image with the header as it was checked. */
static inline void reloc_verify_header(const struct reloc_view *view, uint32_t header_bytes) {
    reloc_hash_begin(AI_RELOC_DIGEST_LOAD);
    reloc_hash(AI_RELOC_DIGEST_LOAD, view->header, header_bytes);
}

/* The rest of the image from an offset on, and the weights if they are in the file and wanted. */
RELOC_OUTLINE uint32_t reloc_verify_rest(const struct reloc_verify *v,
                                         const struct reloc_view *view, uint32_t from,
                                         bool weights) {
    const struct reloc_signed_content *c = &v->content;
    reloc_hash(AI_RELOC_DIGEST_LOAD, view->image + from, c->code_end - from);
    uint32_t code = reloc_verify_image(v, AI_RELOC_DIGEST_LOAD);
    if (code != RELOC_OK || !weights || !c->has_weights || c->weights_apart)
        return code;
    reloc_hash_begin(AI_RELOC_DIGEST_LOAD);
    reloc_hash(AI_RELOC_DIGEST_LOAD, view->image + c->code_end, c->trailer - c->code_end);
    return reloc_hash_is(AI_RELOC_DIGEST_LOAD, &v->s, RELOC_SGN_WEIGHTS_SHA256)
               ? RELOC_OK
               : RELOC_N_SIGNED_WEIGHTS;
}

/* One signature that holds is enough. Stops: keys that are not accepted, and forgeries. */
static inline uint32_t reloc_verify_signature(const struct reloc_signed *s) {
    uint32_t code = RELOC_N_SIGNED_KEY;
    for (uint32_t i = 0; i < s->signatures; i++) {
        const ai_reloc_to_verify it = {reloc_signature_kind(s, i), reloc_signature_key_hash(s, i),
                                       s->bytes, s->size, reloc_signature_value(s, i)};
        int32_t verdict = AI_RELOC_VERIFIER.verify(AI_RELOC_VERIFIER.context, &it);
        if (verdict == AI_RELOC_HOLDS)
            return RELOC_OK;
        if (verdict != AI_RELOC_UNKNOWN_KEY)
            code = RELOC_N_SIGNATURE;
    }
    return code;
}

static inline void reloc_verify_describe(const struct reloc_signed *s, ai_reloc_signed_info *info) {
    const uint8_t *version = s->bytes + s->at[RELOC_SGN_MODEL_VERSION];
    memset(info, 0, sizeof *info);
    info->security_counter = reloc_signed_word(s, RELOC_SGN_SECURITY_COUNTER);
    info->major = version[0];
    info->minor = version[1];
    info->revision = (uint16_t)(version[2] | version[3] << 8);
    info->build = reloc_get_le32(version, 4);
    memcpy(info->name, s->bytes + s->at[RELOC_SGN_MODEL_NAME], s->length[RELOC_SGN_MODEL_NAME]);
}

/* The signature, then whether this device may run it. info may be NULL. */
RELOC_OUTLINE uint32_t reloc_verify_trust(const struct reloc_signed *s,
                                          ai_reloc_signed_info *info) {
    const ai_reloc_verifier *by = &AI_RELOC_VERIFIER;
    uint32_t least = UINT32_MAX, code = reloc_verify_signature(s);
    if (code == RELOC_OK)
        code = reloc_signed_check_class(s, by->device_class, by->device_class_size);
    if (code == RELOC_OK)
        code = reloc_signed_check_api(s, by->firmware_api);
    if (code == RELOC_OK && by->counter_read(by->context, &least) != 0)
        code = RELOC_N_COUNTER;
    if (code == RELOC_OK)
        code = reloc_signed_check_counter(s, least);
    if (code == RELOC_OK && info != NULL)
        reloc_verify_describe(s, info);
    return code;
}

/* Raises the device's counter to that of an image that has run well. */
RELOC_OUTLINE uint32_t reloc_verify_commit(const ai_reloc_signed_info *info) {
    const ai_reloc_verifier *by = &AI_RELOC_VERIFIER;
    uint32_t least = UINT32_MAX, code = reloc_verify_ready();
    if (code == RELOC_OK && info == NULL)
        code = RELOC_N_ARGUMENT;
    if (code == RELOC_OK && by->counter_read(by->context, &least) != 0)
        code = RELOC_N_COUNTER;
    if (code == RELOC_OK && info->security_counter > least &&
        by->counter_commit(by->context, info->security_counter) != 0)
        code = RELOC_N_COUNTER;
    return code;
}

/*
 * An image where it lies, without a load, and its weights, of any kind. weights: a file of size
 * bytes, if they are apart, else NULL.
 */
RELOC_OUTLINE uint32_t reloc_verify_in_place(const struct reloc_view *view, uint32_t weights_start,
                                             const uint8_t *weights, uint32_t size,
                                             ai_reloc_signed_info *info) {
    struct reloc_verify v;
    struct reloc_tail tail;
    uint32_t code = reloc_verify_open(&v, &tail, view, weights_start);
    if (code == RELOC_OK && v.content.weights_apart != (weights != NULL))
        code = weights != NULL ? RELOC_N_ARGUMENT : RELOC_N_SIGNED_WEIGHTS;
    if (code == RELOC_OK) {
        reloc_hash_begin(AI_RELOC_DIGEST_LOAD);
        code = reloc_verify_rest(&v, view, 0, true);
    }
    if (code == RELOC_OK && weights != NULL) {
        uint32_t at = v.s.at[RELOC_SGN_WEIGHTS_SHA256] + RELOC_SHA256_BYTES;
        uint32_t length = reloc_get_le32(v.s.bytes, at);
        if (length > size)
            return RELOC_N_SIGNED_WEIGHTS;
        reloc_hash_begin(AI_RELOC_DIGEST_LOAD);
        reloc_hash(AI_RELOC_DIGEST_LOAD, weights, length);
        if (!reloc_hash_is(AI_RELOC_DIGEST_LOAD, &v.s, RELOC_SGN_WEIGHTS_SHA256))
            code = RELOC_N_SIGNED_WEIGHTS;
    }
    return code != RELOC_OK ? code : reloc_verify_trust(&v.s, info);
}

#endif
