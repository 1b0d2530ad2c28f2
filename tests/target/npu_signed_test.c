/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the Neural-ART loader with LL_ATON_RELOC_SIGNED and a real library: what is
 * accepted, what is refused by which code, and that a refusal writes no pool. image_two is signed
 * by another key.
 */
#include "npu_loader_kit.h"
#include "format/reloc_npu_core.h"
#include "format/reloc_signed.h"
#include "signed_keys.h"

#include <string.h>

enum { XIP = AI_RELOC_RT_LOAD_MODE_XIP, COPY = AI_RELOC_RT_LOAD_MODE_COPY };

static uint32_t device_counter = 7;

static int32_t counter_read(void *context, uint32_t *counter) {
    (void)context;
    *counter = device_counter;
    return 0;
}

static int32_t counter_commit(void *context, uint32_t counter) {
    (void)context;
    device_counter = counter;
    return 0;
}

static const uint8_t class_name[] = "boiler";
const ai_reloc_verifier ai_reloc_firmware_verifier = {AI_RELOC_ADAPTER,
                                                      .counter_read = counter_read,
                                                      .counter_commit = counter_commit,
                                                      .device_class = class_name,
                                                      .device_class_size = sizeof class_name - 1,
                                                      .firmware_api = 4};

static ll_aton_reloc_config config;
static ll_aton_reloc_install_args args;
static NN_Instance_TypeDef net;
static struct reloc_npu_view view;

static void take(const uint8_t *image, uint32_t size, uint32_t mode) {
    device_counter = 7;
    arena_reset(image, size);
    args = args_for(size, mode, &config);
    CHECK(reloc_npu_check(at(IMAGE_START), size, &view) == 0);
}

static void split_params(void) {
    config.ext_param_addr = PARAMS_START;
    args.params_size = SIZE_OF(image_params);
}

/* Sums in the trailer are right again. */
static void seal(uint32_t start, uint32_t trailer) {
    uint8_t *bytes = at(start);
    reloc_put_le32(bytes, trailer + RELOC_TRL_CRC32, reloc_crc32(0, bytes, trailer));
    reloc_put_le32(bytes, trailer + RELOC_TRL_SELF_CRC32,
                   reloc_crc32(0, bytes + trailer, RELOC_TRL_SELF_CRC32));
}

/* Other bytes with the same CRC: the difference is its polynomial. */
static void same_crc(uint32_t address) {
    uint32_t words[2];
    memcpy(words, at(address), 8);
    words[0] ^= 0xDB710641u;
    words[1] ^= 1;
    memcpy(at(address), words, 8);
}

/* Nothing but the RAM has been written, and there only 0 is left. */
static bool nothing_left(void) {
    for (uint32_t i = 0; i < config.exec_ram_size; i++)
        if (*at(RAM_START + i) != 0 && *at(RAM_START + i) != 0x5A)
            return false;
    arena_forget(RAM_START, config.exec_ram_size);
    return arena_same();
}

static int32_t refusal(void) {
    arena_keep();
    int32_t code = ll_aton_reloc_install_sized(&args, &net);
    CHECK(code != 0 && nothing_left());
    return code;
}

static void test_good(uint32_t mode) {
    ai_reloc_signed_info info;
    take(image_one_start, SIZE_OF(image_one), mode);
    CHECK(ll_aton_reloc_install_signed(&args, &net, &info) == 0);
    CHECK(info.security_counter == 7 && strcmp(info.name, "image3") == 0);
    CHECK(ll_aton_reloc_is_valid(&net) == 1 && has_params(COPY_START, COPY_FOFF, COPY_BYTES));
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == 0);
    take(image_split_start, SIZE_OF(image_split), mode);
    split_params();
    CHECK(ll_aton_reloc_install_signed(&args, &net, &info) == 0);
    CHECK(ll_aton_reloc_verify(image_split_start, SIZE_OF(image_split), image_params_start,
                               SIZE_OF(image_params), &info) == 0);
    info.security_counter = 9;
    CHECK(ll_aton_reloc_commit(&info) == 0 && device_counter == 9);
}

static void test_refused(uint32_t mode) {
    take(image_one_start, SIZE_OF(image_one), mode);
    device_counter = 8;
    CHECK(refusal() == LL_ATON_RELOC_E_SECURITY_COUNTER);
    CHECK(ll_aton_reloc_install(IMAGE_START, &config, &net) == AI_RELOC_RT_ERR_INVALID_BIN);
    take(image_two_start, SIZE_OF(image_two), mode);
    CHECK(refusal() == LL_ATON_RELOC_E_SIGNED_KEY);
    take(image_one_start, SIZE_OF(image_one), mode);
    same_crc(IMAGE_START + view.base.ro_bytes - 16);
    CHECK(refusal() == LL_ATON_RELOC_E_SIGNED_IMAGE);
    take(image_one_start, SIZE_OF(image_one), mode);
    same_crc(IMAGE_START + view.params_start + 16);
    CHECK(refusal() == LL_ATON_RELOC_E_SIGNED_WEIGHTS);
    take(image_one_start, SIZE_OF(image_one), mode);
    reloc_put_le32(at(IMAGE_START), view.base.trailer + RELOC_TRL_SIGNATURE_SIZE, 0);
    seal(IMAGE_START, view.base.trailer);
    CHECK(refusal() == LL_ATON_RELOC_E_UNSIGNED);
    take(image_split_start, SIZE_OF(image_split), mode);
    split_params();
    same_crc(PARAMS_START + 16);
    CHECK(refusal() == LL_ATON_RELOC_E_SIGNED_WEIGHTS);
    CHECK(ll_aton_reloc_verify(image_split_start, SIZE_OF(image_split), at(PARAMS_START),
                               SIZE_OF(image_params), NULL) == LL_ATON_RELOC_E_SIGNED_WEIGHTS);
}

/* Params of the caller take precedence over those in the image, so they are what is verified. */
static void test_params_instead(void) {
    take(image_one_start, SIZE_OF(image_one), XIP);
    uint32_t length = view.base.trailer - view.params_start;
    memcpy(at(PARAMS_START), at(IMAGE_START + view.params_start), length);
    config.ext_param_addr = PARAMS_START;
    args.params_size = length;
    CHECK(ll_aton_reloc_install_sized(&args, &net) == 0);
    memset(at(RAM_START), 0, config.exec_ram_size);
    same_crc(PARAMS_START + 16);
    CHECK(refusal() == LL_ATON_RELOC_E_SIGNED_WEIGHTS);
    args.params_size = length - 1;
    CHECK(refusal() != 0);
}

static void test_bits(void) {
    uint32_t size = SIZE_OF(image_one), refused = 0;
    take(image_one_start, size, COPY);
    uint32_t trailer = view.base.trailer;
    for (uint32_t bit = 0; bit < 8 * size; bit += SIGNED_STRIDE) {
        take(image_one_start, size, bit / SIGNED_STRIDE % 2 != 0 ? XIP : COPY);
        *at(IMAGE_START + bit / 8) ^= (uint8_t)(1u << bit % 8);
        if (bit / 8 < trailer + RELOC_TRL_BYTES)
            seal(IMAGE_START, trailer);
        if (memcmp(at(IMAGE_START), image_one_start, size) == 0)
            continue;
        (void)refusal();
        refused++;
    }
    port_print("bits refused: ");
    port_print_u32(refused);
    port_print("\n");
}

/* ---- arrival ---- */

static ai_reloc_check check;

static int32_t arrive(const uint8_t *bytes, uint32_t size, uint32_t piece) {
    int32_t code = ll_aton_reloc_check_begin(&check);
    for (uint32_t i = 0; i < size && code == 0; i += piece)
        code = ll_aton_reloc_check_update(&check, bytes + i, piece < size - i ? piece : size - i);
    int32_t last = ll_aton_reloc_check_end(&check, NULL);
    CHECK(code == 0 || code == last);
    return last;
}

static int32_t arrive_params(uint32_t size, uint32_t piece) {
    int32_t code = ll_aton_reloc_check_params_begin(&check);
    for (uint32_t i = 0; i < size && code == 0; i += piece)
        code = ll_aton_reloc_check_params_update(&check, at(PARAMS_START + i),
                                                 piece < size - i ? piece : size - i);
    int32_t last = ll_aton_reloc_check_params_end(&check);
    CHECK(code == 0 || code == last);
    return last;
}

static void test_arrival(void) {
    uint32_t size = SIZE_OF(image_one);
    device_counter = 7;
    for (uint32_t piece = 1; piece < 12; piece++)
        CHECK(arrive(image_one_start, size, piece) == 0);
    CHECK(arrive(image_one_start, size, size) == 0);
    CHECK(arrive(image_one_start, size - 1, 100) == LL_ATON_RELOC_E_TRUNCATED);
    CHECK(arrive(image_two_start, SIZE_OF(image_two), 100) == LL_ATON_RELOC_E_SIGNED_KEY);
    for (uint32_t bit = 0; bit < 8 * size; bit += 4 * SIGNED_STRIDE) {
        take(image_one_start, size, XIP);
        *at(IMAGE_START + bit / 8) ^= (uint8_t)(1u << bit % 8);
        if (bit / 8 < view.base.trailer + RELOC_TRL_BYTES)
            seal(IMAGE_START, view.base.trailer);
        CHECK(memcmp(at(IMAGE_START), image_one_start, size) == 0 ||
              arrive(at(IMAGE_START), size, 64) != 0);
    }
    take(image_split_start, SIZE_OF(image_split), XIP);
    CHECK(arrive(image_split_start, SIZE_OF(image_split), 50) == 0);
    CHECK(arrive_params(SIZE_OF(image_params), 9) == 0);
    *at(PARAMS_START + 7) ^= 1;
    CHECK(arrive(image_split_start, SIZE_OF(image_split), 50) == 0);
    CHECK(arrive_params(SIZE_OF(image_params), 9) == LL_ATON_RELOC_E_SIGNED_WEIGHTS);
}

int main(void);
int main(void) {
    port_set_r9();
    test_good(XIP);
    test_good(COPY);
    test_refused(XIP);
    test_refused(COPY);
    test_params_instead();
    test_bits();
    test_arrival();
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
