/* SPDX-License-Identifier: Apache-2.0 */
/* See signed_kit.h. */
#include "signed_kit.h"

#include <string.h>

#include "bearssl.h"

/* ---- the verifier ---- */

ai_reloc_verifier kit_changed;
const ai_reloc_verifier *kit_verifier = &kit_good;
struct kit_device kit_device;
void (*kit_on_call)(uint32_t number);
uint32_t kit_calls;

const ai_reloc_key ai_reloc_keys[] = {{0, {0}, {0}}}; /* the adapter's, not used */
const uint32_t ai_reloc_key_count = 0;

static void called(void) {
    uint32_t number = kit_calls++;
    if (kit_on_call != NULL)
        kit_on_call(number);
}

static void begin(void *context, uint32_t which) {
    called();
    ai_reloc_sha256_begin(context, which);
}

static void update(void *context, uint32_t which, const uint8_t *bytes, uint32_t size) {
    called();
    ai_reloc_sha256_update(context, which, bytes, size);
}

static void end(void *context, uint32_t which, uint8_t digest[32]) {
    called();
    ai_reloc_sha256_end(context, which, digest);
}

static void stand_in(const uint8_t *key_hash, const uint8_t *message, uint32_t size,
                     uint8_t signature[64]) {
    br_sha256_context sha;
    br_sha256_init(&sha);
    br_sha256_update(&sha, key_hash, RELOC_SIG_KEY_HASH_BYTES);
    br_sha256_update(&sha, message, size);
    br_sha256_out(&sha, signature);
    memcpy(signature + 32, signature, 32);
}

static uint8_t accepted[RELOC_SIG_KEY_HASH_BYTES];

static int32_t verify(void *context, const ai_reloc_to_verify *it) {
    uint8_t right[64];
    (void)context;
    called();
    CHECK((uint32_t)it->message % 4 == 0 && (uint32_t)it->signature % 4 == 0);
    if (kit_device.forgets_key || it->kind != AI_RELOC_ECDSA_P256 ||
        memcmp(it->key_hash, accepted, sizeof accepted) != 0)
        return AI_RELOC_UNKNOWN_KEY;
    stand_in(it->key_hash, it->message, it->size, right);
    return memcmp(right, it->signature, sizeof right) == 0 ? AI_RELOC_HOLDS : AI_RELOC_HOLDS_NOT;
}

static int32_t counter_read(void *context, uint32_t *counter) {
    (void)context;
    called();
    *counter = kit_device.counter;
    return kit_device.read_fails;
}

static int32_t counter_commit(void *context, uint32_t counter) {
    (void)context;
    if (kit_device.commit_fails == 0)
        kit_device.counter = counter;
    return kit_device.commit_fails;
}

static const uint8_t class_name[] = "boiler";
const ai_reloc_verifier kit_good = {.sha256_begin = begin,
                                    .sha256_update = update,
                                    .sha256_end = end,
                                    .verify = verify,
                                    .counter_read = counter_read,
                                    .counter_commit = counter_commit,
                                    .device_class = class_name,
                                    .device_class_size = sizeof class_name - 1,
                                    .firmware_api = 4};

void kit_device_reset(void) {
    kit_device = (struct kit_device){.counter = 7};
    kit_verifier = &kit_good;
    kit_changed = kit_good;
    kit_on_call = NULL;
    kit_calls = 0;
}

/* ---- images ---- */

void kit_seal(const struct kit_image *image) {
    uint8_t *bytes = (uint8_t *)damaged, *trailer = bytes + image->trailer;
    reloc_put_le32(trailer, RELOC_TRL_CRC32, reloc_crc32(0, bytes, image->trailer));
    reloc_put_le32(trailer, RELOC_TRL_SELF_CRC32, reloc_crc32(0, trailer, RELOC_TRL_SELF_CRC32));
}

void kit_sign(const struct kit_image *image) {
    const struct reloc_signed *s = &image->s;
    for (uint32_t i = 0; i < s->signatures; i++) {
        uint32_t at = reloc_signature_at(s, i) + RELOC_SIG_BYTES - RELOC_SIG_VALUE_BYTES;
        stand_in(reloc_signature_key_hash(s, i), s->bytes, s->size,
                 (uint8_t *)damaged + image->trailer + RELOC_TRL_BYTES + at);
    }
}

uint8_t *kit_value(const struct kit_image *image, uint32_t type) {
    return (uint8_t *)damaged + image->trailer + RELOC_TRL_BYTES + image->s.at[type];
}

struct kit_image kit_take(const uint8_t *image, uint32_t size) {
    struct kit_image taken = {.size = size};
    struct reloc_view view;
    memcpy(damaged, image, size);
    CHECK(reloc_core_check((const uint8_t *)damaged, size, &view) == 0 && view.trailer != 0);
    taken.trailer = view.trailer;
    uint32_t at = view.trailer + RELOC_TRL_BYTES;
    CHECK(reloc_signed_read((const uint8_t *)damaged + at, size - at, &taken.s) == RELOC_OK);
    memcpy(accepted, reloc_signature_key_hash(&taken.s, 0), sizeof accepted);
    kit_sign(&taken);
    return taken;
}
