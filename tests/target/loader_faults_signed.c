/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed images for loader_faults.c: each of them is sound, with CRCs that fit, and refused by one
 * check of the signature or of what is signed. The verifier has BearSSL's SHA-256 and a stand-in
 * for signatures: SHA-256 of key and structure.
 */
#include "loader_faults.h"

#include <string.h>

#include "bearssl.h"
#include "format/reloc_signed.h"

/* ---- the verifier: AI_RELOC_VERIFIER is (*faults_verifier) ---- */

struct memory {
    br_sha256_context sha, signature;
    uint32_t counter;
    int32_t read_fails;
    ai_reloc_verifier verifier;
};
_Static_assert(sizeof(struct memory) <= 1 << LIST_BYTES_LOG2, "place for the verifier's memory");
#define memory (*(struct memory *)(void *)list_memory)
const ai_reloc_verifier *const faults_verifier = &memory.verifier;

static void begin(void *context, uint32_t which) {
    (void)context, (void)which;
    br_sha256_init(&memory.sha);
}

static void update(void *context, uint32_t which, const uint8_t *bytes, uint32_t size) {
    (void)context, (void)which;
    br_sha256_update(&memory.sha, bytes, size);
}

static void end(void *context, uint32_t which, uint8_t digest[32]) {
    (void)context, (void)which;
    br_sha256_out(&memory.sha, digest);
}

static void stand_in(const uint8_t *key_hash, const uint8_t *message, uint32_t size,
                     uint8_t signature[64]) {
    br_sha256_init(&memory.signature);
    br_sha256_update(&memory.signature, key_hash, RELOC_SIG_KEY_HASH_BYTES);
    br_sha256_update(&memory.signature, message, size);
    br_sha256_out(&memory.signature, signature);
    memcpy(signature + 32, signature, 32);
}

static struct reloc_signed good_s; /* of damaged */
static uint8_t key_hash[RELOC_SIG_KEY_HASH_BYTES];

static int32_t verify(void *context, const ai_reloc_to_verify *it) {
    uint8_t right[64];
    (void)context;
    if (memcmp(it->key_hash, key_hash, sizeof key_hash) != 0)
        return AI_RELOC_UNKNOWN_KEY;
    stand_in(it->key_hash, it->message, it->size, right);
    return memcmp(right, it->signature, sizeof right) == 0 ? AI_RELOC_HOLDS : AI_RELOC_HOLDS_NOT;
}

static int32_t counter_read(void *context, uint32_t *counter) {
    (void)context;
    *counter = memory.counter;
    return memory.read_fails;
}

static int32_t counter_commit(void *context, uint32_t counter) {
    (void)context, (void)counter;
    return 0;
}

/* ---- signing ---- */

#define TAIL     ((uint8_t *)damaged + good_view.trailer)
#define VALUE(t) (TAIL + RELOC_TRL_BYTES + good_s.at[RELOC_SGN_##t])

static uint8_t *signature_entry(uint32_t offset) {
    return TAIL + RELOC_TRL_BYTES + reloc_signature_at(&good_s, 0) + offset;
}

static void digest_of(const uint8_t *bytes, uint32_t size, const uint8_t *more, uint32_t more_size,
                      uint8_t digest[32]) {
    begin(NULL, 0);
    update(NULL, 0, bytes, size);
    update(NULL, 0, more, more_size);
    end(NULL, 0, digest);
}

/* The two digests in S, of code and weights as they are in damaged. */
static void digest_again(void) {
    uint8_t trailer[RELOC_TRL_BYTES];
    struct reloc_signed_content content =
        reloc_signed_content(&good_view, good_view.weights_start, TAIL);
    reloc_signed_trailer(&content, trailer);
    digest_of((const uint8_t *)damaged, content.code_end, trailer, sizeof trailer,
              VALUE(IMAGE_SHA256));
    digest_of((const uint8_t *)damaged + content.code_end, content.trailer - content.code_end, NULL,
              0, VALUE(WEIGHTS_SHA256));
}

static void sign_again(void) {
    stand_in(key_hash, good_s.bytes, good_s.size,
             signature_entry(RELOC_SIG_BYTES - RELOC_SIG_VALUE_BYTES));
}

/* bad->sealed: the signature holds, over a structure that speaks of what was there before. */
void finish(const struct bad *bad) {
    static const uint8_t class_name[] = "boiler";
    if (bad == NULL) {
        CHECK(reloc_signed_read(TAIL + RELOC_TRL_BYTES,
                                good_size - good_view.trailer - RELOC_TRL_BYTES,
                                &good_s) == RELOC_OK);
        memset(list_memory, 0, sizeof list_memory);
        memcpy(key_hash, reloc_signature_key_hash(&good_s, 0), sizeof key_hash);
        memory.counter = 7;
        memory.verifier = (ai_reloc_verifier){.sha256_begin = begin,
                                              .sha256_update = update,
                                              .sha256_end = end,
                                              .verify = verify,
                                              .counter_read = counter_read,
                                              .counter_commit = counter_commit,
                                              .device_class = class_name,
                                              .device_class_size = sizeof class_name - 1,
                                              .firmware_api = 4};
        seal();
        digest_again();
    }
    if (bad == NULL || bad->sealed)
        sign_again();
    seal();
}

/* ---- bad images ---- */

static void not_signed(void) {
    reloc_put_le32(TAIL, RELOC_TRL_SIGNATURE_SIZE, 0);
}
static void no_trailer(void) {
    args.obj_size = good_view.trailer;
}
static void signature_bit(void) {
    signature_entry(RELOC_SIG_BYTES - 1)[0] ^= 1;
}
static void other_key(void) {
    signature_entry(RELOC_SGN_ENTRY_BYTES)[0] ^= 1;
}
static void signed_bit(void) {
    VALUE(MODEL_VERSION)[0] ^= 1;
}
static void other_structure(void) {
    TAIL[RELOC_TRL_BYTES + RELOC_SGN_VERSION] ^= 2;
}
static void other_target(void) {
    VALUE(TARGET)[0] ^= 7;
}
static void other_build(void) {
    VALUE(BUILD_ID)[0] ^= 1;
}
static void other_class(void) {
    VALUE(DEVICE_CLASS)[0] ^= 1;
}
static void older_firmware(void) {
    reloc_put_le32(VALUE(FIRMWARE_API), 0, 5);
}
static void newer_firmware(void) {
    reloc_put_le32(VALUE(FIRMWARE_API), 4, 3);
}
static void lower_counter(void) {
    reloc_put_le32(VALUE(SECURITY_COUNTER), 0, 6);
}
static void header_word(void) {
    HEADER_ENTRY(RUN) = HEADER_ENTRY(INIT);
}
static void code_bit(void) {
    damaged[good_view.ro_bytes / 4 - 1] ^= UINT32_C(1) << 20;
}
static void data_bit(void) {
    damaged[(good_view.ro_bytes + good_view.data_end) / 4 - 1] ^= 1;
}
static void weights_bit(void) {
    damaged[good_view.weights_start / 4] ^= 1;
}
static void counter_unreadable(void) {
    memory.read_fails = -1;
}
static void no_such_function(void) {
    memory.verifier.verify = NULL;
}

const struct bad bads[] = {
#define BAD(name, holds)                                                                           \
    { #name, name, holds }
    BAD(not_signed, false),    BAD(no_trailer, true),         BAD(signature_bit, false),
    BAD(other_key, false),     BAD(signed_bit, false),        BAD(other_structure, true),
    BAD(other_target, true),   BAD(other_build, true),        BAD(other_class, true),
    BAD(older_firmware, true), BAD(newer_firmware, true),     BAD(lower_counter, true),
    BAD(header_word, true),    BAD(code_bit, true),           BAD(data_bit, true),
    BAD(weights_bit, true),    BAD(counter_unreadable, true), BAD(no_such_function, true)};
const uint32_t bad_count = sizeof bads / sizeof bads[0];
