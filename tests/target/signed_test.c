/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the loader with AI_RELOC_SIGNED: what is accepted, each refusal with its code,
 * every single bit of a signed image, and an image that changes while it is verified.
 */
#include "signed_kit.h"

#include <string.h>

#ifndef SIGNED_STRIDE
#define SIGNED_STRIDE 1 /* of the bits that are flipped */
#endif

static struct kit_image image;
static ai_rel_network_load_args args;
static uint8_t *ram;

static void take(const uint8_t *bytes, uint32_t size, uint32_t mode) {
    kit_device_reset();
    ram = arena_reset();
    image = kit_take(bytes, size);
    ai_rel_network_info info;
    CHECK(ai_rel_network_rt_get_info_sized(damaged, size, &info) == 0);
    args = (ai_rel_network_load_args){.obj = damaged,
                                      .obj_size = size,
                                      .ram_addr = ram,
                                      .ram_size = info.rt_ram_copy,
                                      .mode = mode};
}

static void take_one(uint32_t mode) {
    take(image_one_start, SIZE_OF(image_one), mode);
}

/* Nothing of a refused image is left: the RAM has the fill, or 0. */
static bool nothing_left(void) {
    for (uint32_t i = 0; i < args.ram_size; i++)
        if (ram[i] != 0 && ram[i] != 0x5A)
            return false;
    return arena_intact(ram, args.ram_size);
}

/* Loads, and checks that a refusal leaves nothing. */
static int32_t load_code(ai_handle *net) {
    *net = (ai_handle)damaged;
    int32_t code = ai_rel_network_load_and_create_sized(&args, net, NULL);
    if (code != 0)
        CHECK(*net == NULL && nothing_left());
    return code;
}

static int32_t load_only(void) {
    ai_handle net;
    int32_t code = load_code(&net);
    if (code == 0)
        CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    return code;
}

/* ---- what is accepted ---- */

static void test_good(uint32_t mode) {
    ai_reloc_signed_info info;
    ai_handle net = AI_HANDLE_NULL;
    take_one(mode);
    CHECK(ai_rel_network_load_signed(&args, &net, NULL, &info) == 0);
    CHECK(info.security_counter == 7 && info.major == 1 && info.minor == 4 && info.revision == 2 &&
          info.build == 0 && strcmp(info.name, "image3") == 0);
    CHECK(works(net, (const uint8_t *)damaged, ID_ONE, 1));
    CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    CHECK(kit_device.counter == 7); /* no load raises it */
    ram = arena_reset();
    net = load_at((const uint8_t *)damaged, ram, mode);
    CHECK(works(net, (const uint8_t *)damaged, ID_ONE, 1));
    CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    take(image_split_start, SIZE_OF(image_split), mode);
    CHECK(load_only() == 0);
}

static void test_commit(void) {
    ai_reloc_signed_info info = {.security_counter = 9};
    kit_device_reset();
    CHECK(ai_rel_network_commit(&info) == 0 && kit_device.counter == 9);
    info.security_counter = 8;
    CHECK(ai_rel_network_commit(&info) == 0 && kit_device.counter == 9);
    info.security_counter = 10;
    kit_device.commit_fails = 1;
    CHECK(ai_rel_network_commit(&info) == AI_RELOC_E_COUNTER);
    kit_device.read_fails = 1;
    CHECK(ai_rel_network_commit(&info) == AI_RELOC_E_COUNTER);
    CHECK(ai_rel_network_commit(NULL) == AI_RELOC_E_ARGUMENT);
}

/* ---- each refusal ---- */

static void unsign(void) {
    reloc_put_le32((uint8_t *)damaged + image.trailer, RELOC_TRL_SIGNATURE_SIZE, 0);
    kit_seal(&image);
}
static void no_trailer(void) {
    args.obj_size = image.trailer;
}
static void too_long(void) {
    uint32_t size = RELOC_SIGNED_BYTES_MAX + 4;
    reloc_put_le32((uint8_t *)damaged + image.trailer, RELOC_TRL_SIGNATURE_SIZE, size);
    args.obj_size = image.trailer + RELOC_TRL_BYTES + size;
    kit_seal(&image);
}
static void no_magic(void) {
    ((uint8_t *)damaged)[image.trailer + RELOC_TRL_BYTES] ^= 1;
}
static void change(uint32_t type) {
    kit_value(&image, type)[0] ^= 1;
    kit_sign(&image);
}
static void other_target(void) {
    change(RELOC_SGN_TARGET);
}
static void other_build(void) {
    change(RELOC_SGN_BUILD_ID);
}
static void other_image(void) {
    change(RELOC_SGN_IMAGE_SHA256);
}
static void other_weights(void) {
    change(RELOC_SGN_WEIGHTS_SHA256);
}
static void other_length(void) {
    kit_value(&image, RELOC_SGN_WEIGHTS_SHA256)[RELOC_SHA256_BYTES] ^= 4;
    kit_sign(&image);
}
static void other_class(void) {
    change(RELOC_SGN_DEVICE_CLASS);
}
static void no_class_here(void) {
    kit_changed.device_class_size = 0;
    kit_verifier = &kit_changed;
}
static void old_firmware(void) {
    kit_changed.firmware_api = 2;
    kit_verifier = &kit_changed;
}
static void new_firmware(void) {
    kit_changed.firmware_api = 6;
    kit_verifier = &kit_changed;
}
static void higher_counter(void) {
    kit_device.counter = 8;
}
static void no_counter(void) {
    kit_device.read_fails = -1;
}
static void no_key(void) {
    kit_device.forgets_key = true;
}
static void forged(void) {
    ((uint8_t *)damaged)[image.size - 1] ^= 1;
}
/* The attacker's own code and weights, with right sums in the trailer, which is signed as well. */
static void own_code(void) {
    ((uint8_t *)damaged)[RELOC_HDR_BYTES + 20] ^= 1;
    kit_seal(&image);
}
static void own_weights(void) {
    ((uint8_t *)damaged)[image.trailer - 4] ^= 1;
    kit_seal(&image);
}
/* The same so that the CRC does not change: the difference is its polynomial. */
static void same_crc(uint32_t at) {
    damaged[at / 4] ^= 0xDB710641u;
    damaged[at / 4 + 1] ^= 1;
}
static void other_code(void) {
    same_crc(RELOC_HDR_BYTES + 20);
}
static void same_crc_weights(void) {
    same_crc(image.trailer - 8);
}
static void lacks_verify(void) {
    kit_changed.verify = NULL;
    kit_verifier = &kit_changed;
}
static void lacks_counter(void) {
    kit_changed.counter_read = NULL;
    kit_verifier = &kit_changed;
}
static int32_t says_yes(void *context, const ai_reloc_to_verify *it) {
    (void)context, (void)it;
    return 0; /* as what means success elsewhere */
}
static void careless(void) {
    kit_changed.verify = says_yes;
    kit_verifier = &kit_changed;
}

/* What a load says about changed weights; ai_rel_network_verify always says the first. */
#ifdef SIGNED_CODE_ONLY
#define WEIGHTS_CODE AI_RELOC_E_NONE
#else
#define WEIGHTS_CODE AI_RELOC_E_SIGNED_WEIGHTS
#endif

static const struct {
    void (*act)(void);
    int32_t code;
} refusals[] = {{no_trailer, AI_RELOC_E_NO_TRAILER},
                {unsign, AI_RELOC_E_UNSIGNED},
                {too_long, AI_RELOC_E_SIGNED},
                {no_magic, AI_RELOC_E_SIGNED},
                {other_target, AI_RELOC_E_SIGNED_TARGET},
                {other_build, AI_RELOC_E_SIGNED_BUILD_ID},
                {other_image, AI_RELOC_E_SIGNED_IMAGE},
                {other_weights, WEIGHTS_CODE},
                {other_length, AI_RELOC_E_SIGNED_WEIGHTS},
                {own_code, AI_RELOC_E_SIGNED_IMAGE},
                {own_weights, AI_RELOC_E_SIGNED_IMAGE},
                {other_code, AI_RELOC_E_SIGNED_IMAGE},
                {same_crc_weights, WEIGHTS_CODE},
                {no_key, AI_RELOC_E_SIGNED_KEY},
                {forged, AI_RELOC_E_SIGNATURE},
                {careless, AI_RELOC_E_SIGNATURE},
                {other_class, AI_RELOC_E_DEVICE_CLASS},
                {no_class_here, AI_RELOC_E_DEVICE_CLASS},
                {old_firmware, AI_RELOC_E_FIRMWARE_API},
                {new_firmware, AI_RELOC_E_FIRMWARE_API},
                {higher_counter, AI_RELOC_E_SECURITY_COUNTER},
                {no_counter, AI_RELOC_E_COUNTER},
                {lacks_verify, AI_RELOC_E_VERIFIER},
                {lacks_counter, AI_RELOC_E_VERIFIER}};

static void test_refusals(uint32_t mode) {
    for (uint32_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        take_one(mode);
        ai_handle net = NULL;
        refusals[i].act();
        int32_t code = load_only();
        if (code != refusals[i].code)
            port_print("refusal "), port_print_u32(i), port_print(": "),
                port_print_u32((uint32_t)-code), port_print("\n");
        CHECK(code == refusals[i].code);
        CHECK(ai_rel_network_verify(damaged, args.obj_size, NULL, 0, NULL) ==
              (code != 0 ? code : (int32_t)AI_RELOC_E_SIGNED_WEIGHTS));
        if (code != 0 && args.obj_size == image.size)
            CHECK_ERROR(
                ai_rel_network_load_and_create(damaged, ram, args.ram_size, args.mode, &net),
                INVALID_HANDLE, INVALID_PTR);
        CHECK(net == NULL);
    }
}

/* RAM right behind the content would overwrite what is to be verified. */
static void test_overlap(void) {
    take_one(AI_RELOC_RT_LOAD_MODE_XIP);
    ai_handle net = NULL;
    for (uint32_t at = image.trailer; at < image.size; at += 4) {
        args.ram_addr = (uint8_t *)damaged + at;
        CHECK(ai_rel_network_load_and_create_sized(&args, &net, NULL) == AI_RELOC_E_RAM_OVERLAP);
    }
    CHECK(net == NULL);
}

/* On the heap, nothing stays allocated. */
static void test_heap(void) {
    take_one(AI_RELOC_RT_LOAD_MODE_COPY);
    forged();
    args.ram_addr = NULL;
    ai_handle net = NULL;
    CHECK(ai_rel_network_load_and_create_sized(&args, &net, NULL) == AI_RELOC_E_SIGNATURE);
    CHECK(heap_blocks == 0);
}

/* ---- every single bit, with sums that are right again ---- */

static uint32_t saved[KIT_IMAGE_WORDS];

static void test_bits(void) {
    take_one(AI_RELOC_RT_LOAD_MODE_XIP);
    memcpy(saved, damaged, image.size);
    uint32_t refused = 0;
    for (uint32_t bit = 0; bit < 8 * image.size; bit += SIGNED_STRIDE) {
        memcpy(damaged, saved, image.size);
        ((uint8_t *)damaged)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (bit / 8 < image.trailer + RELOC_TRL_BYTES)
            kit_seal(&image);
        if (memcmp(damaged, saved, image.size) == 0)
            continue; /* a bit of the sums themselves */
        args.mode =
            bit / SIGNED_STRIDE % 2 ? AI_RELOC_RT_LOAD_MODE_XIP : AI_RELOC_RT_LOAD_MODE_COPY;
        ram = arena_reset();
        refused++;
        if (load_only() == 0) {
            CHECK(false);
            port_print_u32(bit);
        }
    }
    port_print("bits refused: ");
    port_print_u32(refused);
    port_print("\n");
    CHECK(refused > 8 * (image.size - 12) / SIGNED_STRIDE);
}

/* ---- an image that changes while it is verified ---- */

static uint32_t change_at, change_when;

static void change_image(uint32_t number) {
    if (number == change_when)
        ((uint8_t *)damaged)[change_at] ^= 0x10;
}

/*
 * At each call of the verifier another byte changes, and stays so. What is not the firmware's to
 * protect (docs/TARGET.md) may change: all but REL, weights and, in place, header and code.
 */
static void test_changes(uint32_t mode, uint32_t stride) {
    take_one(mode);
    CHECK(load_only() == 0);
    uint32_t calls = kit_calls, refused = 0, loaded = 0;
    uint32_t data = damaged[RELOC_HDR_DATA_DATA / 4] & RELOC_OFFSET_MASK;
    uint32_t rel = damaged[RELOC_HDR_REL_START / 4] & RELOC_OFFSET_MASK;
    memcpy(saved, damaged, image.size);
    for (uint32_t n = 0; n < calls; n++)
        for (uint32_t at = (mode == AI_RELOC_RT_LOAD_MODE_COPY ? 0 : data) + n % stride;
             at < image.size; at += stride) {
            if (at >= rel && at < image.trailer)
                at = image.trailer;
            ai_handle net;
            ram = arena_reset();
            change_at = at;
            change_when = n;
            kit_calls = 0;
            kit_on_call = change_image;
            int32_t code = load_code(&net);
            kit_on_call = NULL;
            memcpy(damaged, saved, image.size);
            refused += code != 0;
            loaded += code == 0;
            if (code == 0)
                CHECK(works(net, (const uint8_t *)damaged, ID_ONE, 1) &&
                      ai_rel_network_destroy(net) == AI_HANDLE_NULL);
        }
    CHECK(loaded > 0 && (refused > 0 || mode == AI_RELOC_RT_LOAD_MODE_COPY));
}

void test_arrival(void);
void test_split(void);

int main(void) {
    port_set_r9();
    test_good(AI_RELOC_RT_LOAD_MODE_XIP);
    test_good(AI_RELOC_RT_LOAD_MODE_COPY);
    test_commit();
    test_refusals(AI_RELOC_RT_LOAD_MODE_XIP);
    test_refusals(AI_RELOC_RT_LOAD_MODE_COPY);
    test_overlap();
    test_heap();
    test_bits();
    test_changes(AI_RELOC_RT_LOAD_MODE_COPY, 5);
    test_changes(AI_RELOC_RT_LOAD_MODE_XIP, 3);
    test_arrival();
    test_split();
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
