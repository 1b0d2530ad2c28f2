/* SPDX-License-Identifier: Apache-2.0 */
/* Signed images that arrive in pieces, and weights in a file of their own: see signed_test.c. */
#include "signed_kit.h"

#include <string.h>

static ai_reloc_check check;
static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (random_state >> 4) % limit;
}

/* Pieces of piece bytes; 0: of any size. *taken: the bytes before the first failure. */
static int32_t arrive(const uint8_t *bytes, uint32_t size, uint32_t piece, uint32_t *taken,
                      ai_reloc_signed_info *info) {
    int32_t code = ai_reloc_check_begin(&check);
    for (*taken = 0; code == 0 && *taken < size;) {
        uint32_t some = piece != 0 ? piece : random_below(200);
        if (some > size - *taken)
            some = size - *taken;
        code = ai_reloc_check_update(&check, bytes + *taken, some);
        if (code == 0)
            *taken += some;
    }
    int32_t last = ai_reloc_check_end(&check, info);
    CHECK(code == 0 || last == code); /* it stays */
    CHECK(last == 0 || ai_reloc_check_update(&check, bytes, 1) == last);
    return last;
}

static int32_t arrive_code(const struct kit_image *image, uint32_t size, uint32_t piece) {
    uint32_t taken;
    return arrive((const uint8_t *)damaged, image != NULL ? image->size : size, piece, &taken,
                  NULL);
}

static struct kit_image take_one(void) {
    kit_device_reset();
    return kit_take(image_one_start, SIZE_OF(image_one));
}

static void test_pieces(void) {
    struct kit_image image = take_one();
    ai_reloc_signed_info info;
    uint32_t taken;
    for (uint32_t piece = 1; piece <= 130; piece++)
        CHECK(arrive_code(&image, 0, piece) == 0);
    for (uint32_t i = 0; i < 100; i++)
        CHECK(arrive_code(&image, 0, 0) == 0);
    CHECK(arrive((const uint8_t *)damaged, image.size, image.size, &taken, &info) == 0);
    CHECK(info.security_counter == 7 && strcmp(info.name, "image3") == 0);
    CHECK(ai_reloc_check_weights_begin(&check) == AI_RELOC_E_ARGUMENT); /* they are in the file */
}

/* Cut anywhere, and with something behind. */
static void test_lengths(void) {
    struct kit_image image = take_one();
    for (uint32_t size = 0; size < image.size; size += 3)
        CHECK(arrive_code(NULL, size, 0) == AI_RELOC_E_TRUNCATED);
    CHECK(arrive_code(NULL, image.size - 1, 0) == AI_RELOC_E_TRUNCATED);
    CHECK(arrive_code(NULL, image.size + 1, 0) == AI_RELOC_E_TRAILER);
    CHECK(arrive_code(NULL, image.size + 500, 1) == AI_RELOC_E_TRAILER);
}

static void test_early(void) {
    uint32_t taken;
    struct kit_image image = take_one();
    damaged[0] ^= 1;
    CHECK(arrive((uint8_t *)damaged, image.size, 1, &taken, NULL) == AI_RELOC_E_MAGIC);
    CHECK(taken == RELOC_HDR_BYTES - 1);
    image = take_one();
    damaged[RELOC_HDR_FLAGS / 4] ^= 0x10; /* another part number */
    CHECK(arrive((uint8_t *)damaged, image.size, 1, &taken, NULL) == AI_RELOC_E_CPU);
    CHECK(taken == RELOC_HDR_BYTES - 1);
    image = take_one();
    damaged[RELOC_HDR_REL_END / 4] = RELOC_SEG_FLASH;
    CHECK(arrive((uint8_t *)damaged, image.size, 1, &taken, NULL) == AI_RELOC_E_REL);
    image = take_one();
    reloc_put_le32((uint8_t *)damaged + image.trailer, RELOC_TRL_SIGNATURE_SIZE, 0);
    kit_seal(&image);
    CHECK(arrive((uint8_t *)damaged, image.size, 1, &taken, NULL) == AI_RELOC_E_UNSIGNED);
    CHECK(taken == image.trailer + RELOC_TRL_BYTES - 1);
}

static void test_facts(void) {
    struct kit_image image = take_one();
    kit_device.counter = 8;
    CHECK(arrive_code(&image, 0, 0) == AI_RELOC_E_SECURITY_COUNTER);
    kit_device_reset();
    kit_device.forgets_key = true;
    CHECK(arrive_code(&image, 0, 0) == AI_RELOC_E_SIGNED_KEY);
    kit_device_reset();
    kit_changed.firmware_api = 99;
    kit_verifier = &kit_changed;
    CHECK(arrive_code(&image, 0, 0) == AI_RELOC_E_FIRMWARE_API);
    kit_changed = kit_good;
    kit_changed.device_class_size = 3;
    CHECK(arrive_code(&image, 0, 0) == AI_RELOC_E_DEVICE_CLASS);
    kit_changed.sha256_end = NULL;
    CHECK(arrive_code(&image, 0, 0) == AI_RELOC_E_VERIFIER);
    kit_device_reset();
    CHECK(ai_reloc_check_begin(NULL) == AI_RELOC_E_ARGUMENT);
    CHECK(ai_reloc_check_begin(&check) == 0);
    CHECK(ai_reloc_check_update(&check, NULL, 1) == AI_RELOC_E_ARGUMENT);
    CHECK(ai_reloc_check_update(&check, NULL, 0) == 0);
}

/* Every bit, with sums that are right again. */
static void test_bits(void) {
    static uint32_t saved[KIT_IMAGE_WORDS];
    struct kit_image image = take_one();
    memcpy(saved, damaged, image.size);
    for (uint32_t bit = 0; bit < 8 * image.size; bit += 5) {
        memcpy(damaged, saved, image.size);
        ((uint8_t *)damaged)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (bit / 8 < image.trailer + RELOC_TRL_BYTES)
            kit_seal(&image);
        CHECK(memcmp(damaged, saved, image.size) == 0 || arrive_code(&image, 0, 256) != 0);
    }
}

/* A load, or another check of an image where it lies, while one arrives. */
static void test_meanwhile(void) {
    struct kit_image image = take_one();
    const uint8_t *bytes = (const uint8_t *)damaged;
    CHECK(ai_reloc_check_begin(&check) == 0 && ai_reloc_check_update(&check, bytes, 333) == 0);
    CHECK(ai_rel_network_verify(damaged, image.size, NULL, 0, NULL) == 0);
    CHECK(ai_reloc_check_update(&check, bytes + 333, image.size - 333) == 0);
    CHECK(ai_reloc_check_end(&check, NULL) == 0);
}

void test_arrival(void);
void test_arrival(void) {
    test_pieces();
    test_lengths();
    test_early();
    test_facts();
    test_bits();
    test_meanwhile();
}

/* ---- weights apart ---- */

static uint32_t weights[64];

static int32_t weights_arrive(uint32_t size, uint32_t piece) {
    int32_t code = ai_reloc_check_weights_begin(&check);
    for (uint32_t at = 0; code == 0 && at < size; at += piece)
        code = ai_reloc_check_weights_update(&check, (uint8_t *)weights + at,
                                             piece < size - at ? piece : size - at);
    int32_t last = ai_reloc_check_weights_end(&check);
    CHECK(code == 0 || last == code);
    return last;
}

/* A sum that is right again, as one does who changes weights. */
static void seal_weights(uint32_t size) {
    uint8_t *bytes = (uint8_t *)weights;
    uint32_t at = size - RELOC_TRL_BYTES;
    reloc_put_le32(bytes, at + RELOC_TRL_CRC32, reloc_crc32(0, bytes, at));
    reloc_put_le32(bytes, at + RELOC_TRL_SELF_CRC32,
                   reloc_crc32(0, bytes + at, RELOC_TRL_SELF_CRC32));
}

void test_split(void);
void test_split(void) {
    kit_device_reset();
    struct kit_image image = kit_take(image_split_start, SIZE_OF(image_split));
    uint32_t size = SIZE_OF(image_weights);
    ai_reloc_signed_info info;
    CHECK(size <= sizeof weights);
    memcpy(weights, image_weights_start, size);
    CHECK(ai_rel_network_verify(damaged, image.size, weights, size, &info) == 0);
    CHECK(info.security_counter == 7);
    CHECK(ai_rel_network_verify(damaged, image.size, NULL, 0, NULL) == AI_RELOC_E_SIGNED_WEIGHTS);
    for (uint32_t piece = 1; piece < 40; piece += 3) {
        CHECK(arrive_code(&image, 0, 0) == 0);
        CHECK(weights_arrive(size, piece) == 0);
    }
    for (uint32_t bit = 0; bit < 8 * size; bit += 3) {
        memcpy(weights, image_weights_start, size);
        ((uint8_t *)weights)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        seal_weights(size);
        if (memcmp(weights, image_weights_start, size) == 0)
            continue;
        CHECK(ai_rel_network_verify(damaged, image.size, weights, size, NULL) != 0);
        CHECK(arrive_code(&image, 0, 0) == 0);
        CHECK(weights_arrive(size, 50) == AI_RELOC_E_SIGNED_WEIGHTS);
        CHECK(ai_reloc_check_weights_begin(&check) == AI_RELOC_E_SIGNED_WEIGHTS); /* it stays */
    }
    memcpy(weights, image_weights_start, size);
    CHECK(arrive_code(&image, 0, 0) == 0 && weights_arrive(size - 1, 7) == AI_RELOC_E_TRUNCATED);
    CHECK(arrive_code(&image, 0, 0) == 0);
    CHECK(weights_arrive(size + 1, 7) == AI_RELOC_E_SIGNED_WEIGHTS);
    CHECK(ai_reloc_check_begin(&check) == 0);
    CHECK(ai_reloc_check_weights_begin(&check) == AI_RELOC_E_ARGUMENT);
}
