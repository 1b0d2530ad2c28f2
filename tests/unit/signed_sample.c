/* SPDX-License-Identifier: Apache-2.0 */
/* Small images to be signed: see signed_sample.h. */
#include "tests/unit/signed_sample.h"

#include "tests/unit/test_reloc_images.h"
#include "tests/unit/test_reloc_npu_images.h"

static void put_word(struct block *block, uint32_t word) {
    unit_put32(block->bytes + block->size, word);
    block->size += 4;
}

void put_entry(struct block *block, uint32_t type, const void *value, uint32_t length) {
    put_word(block, type | length << 16);
    memcpy(block->bytes + block->size, value, length);
    block->size += (length + 3) / 4 * 4;
}

void put_head(struct block *block) {
    memset(block, 0, sizeof *block);
    memcpy(block->bytes, "RPSM", 4);
    block->size = 8;
}

void end_head(struct block *block) {
    unit_put32(block->bytes + 4, 1 | block->size << 16);
}

void signed_sample_seal(uint8_t *image, uint32_t trailer) {
    unit_put32(image + trailer + 20, unit_crc32(image, trailer));
    unit_sha256(image + trailer + 24, image, trailer);
    unit_put32(image + trailer + 92, unit_crc32(image + trailer, 92));
}

static void take_image(struct signed_sample *sample, const uint8_t *bytes, uint32_t size,
                       uint32_t weights) {
    assert_true(size <= sizeof sample->image);
    memcpy(sample->image, bytes, size);
    sample->image_size = size;
    sample->trailer = size - RELOC_TRL_BYTES;
    sample->code_end = weights != 0 ? weights : sample->trailer;
    signed_sample_seal(sample->image, sample->trailer);
}

static void take_weights(struct signed_sample *sample, const uint8_t *bytes, uint32_t size) {
    assert_true(size <= sizeof sample->weights);
    memcpy(sample->weights, bytes, size);
    sample->weights_size = size;
    signed_sample_seal(sample->weights, size - RELOC_TRL_BYTES);
}

/* Weights inside (0), apart (1), none (2). */
static void make_cortex_m(struct signed_sample *sample, unsigned way) {
    struct image image = build(), weights = {.size = 32};
    if (way != 0)
        split(&image);
    if (way == 2)
        put(&image, RO_BYTES + CTX_AT + 28, 0);
    add_trailer(&image, RELOC_TRL_IMAGE, way == 1 ? RELOC_TRL_SPLIT : 0);
    if (way == 2)
        put(&image, image.size - RELOC_TRL_BYTES + RELOC_TRL_WEIGHTS_LENGTH, 0);
    take_image(sample, image.bytes, image.size, way == 0 ? WEIGHTS_AT : 0);
    memset(weights.bytes, 0xA7, WEIGHTS_BYTES);
    add_trailer(&weights, RELOC_TRL_WEIGHTS, RELOC_TRL_SPLIT);
    if (way == 1)
        take_weights(sample, weights.bytes, weights.size);
}

static void make_npu(struct signed_sample *sample, bool apart) {
    struct npu_image image = npu_build(RELOC_NPU_ENTRY_COUNT), params;
    if (apart)
        params = npu_split(&image);
    npu_add_trailer(&image, RELOC_TRL_IMAGE, apart ? RELOC_TRL_SPLIT : 0);
    take_image(sample, image.bytes, image.size, apart ? 0 : NPU_PARAMS);
    if (!apart)
        return;
    npu_add_trailer(&params, RELOC_TRL_WEIGHTS, RELOC_TRL_SPLIT);
    take_weights(sample, params.bytes, params.size);
}

void signed_sample_make(struct signed_sample *sample, unsigned which) {
    static const char *const names[SIGNED_SAMPLES] = {
        "weights inside", "weights apart", "no weights", "params inside", "params apart"};
    *sample = (struct signed_sample){.name = names[which]};
    if (which < 3)
        make_cortex_m(sample, which);
    else
        make_npu(sample, which == 4);
}

enum rp_error_id signed_sample_verify(const uint8_t *image, uint32_t size, const uint8_t *weights,
                                      uint32_t weights_size, const struct rp_key *key) {
    static struct rp_error err; /* large */
    const struct rp_mapped files[] = {{"image.bin", image, size},
                                      {"weights.bin", weights, weights_size}};
    struct rp_subject subject;
    struct reloc_signed s;
    err.id = 0;
    if (!rp_subject_read(&subject, &files[0], weights_size != 0 ? &files[1] : NULL, &err) ||
        !rp_signed_read(&subject, &s, &err) || !rp_signed_check(&subject, &s, &err))
        return err.id;
    if (key == NULL)
        return (enum rp_error_id)0;
    uint32_t i = reloc_signed_find(&s, rp_key_hash(key), 0);
    if (i == s.signatures)
        return RP_E_SIGNED_KEY;
    return rp_key_kind(key)->type == reloc_signature_kind(&s, i) &&
                   rp_key_verify(key, s.bytes, s.size, reloc_signature_value(&s, i))
               ? (enum rp_error_id)0
               : RP_E_SIGNATURE;
}
