/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of an adapter of runtime/verify, with the real library: what is accepted and
 * refused, and what it costs in instructions and stack. SIGNED_PSA: with PSA Crypto, which has to
 * be started.
 */
#include "loader_kit.h"
#include "format/reloc_core.h"
#include "signed_keys.h"

#include <string.h>

#ifdef SIGNED_PSA
#include "psa/crypto.h"
psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t size, size_t *length);
psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t size, size_t *length) {
    (void)context; /* blinds no secret here: only public numbers are computed with */
    memset(output, 0x55, size);
    *length = size;
    return PSA_SUCCESS;
}
static bool start_library(void) {
    return psa_crypto_init() == PSA_SUCCESS;
}

/* The heap, counted. */
#include <stdlib.h>
static size_t heap_now, heap_most;
void *signed_calloc(size_t count, size_t size) {
    uint64_t *block = calloc(1, 8 + count * size);
    if (block == NULL)
        return NULL;
    block[0] = count * size;
    heap_now += count * size;
    if (heap_now > heap_most)
        heap_most = heap_now;
    return block + 1;
}
void signed_free(void *block) {
    if (block == NULL)
        return;
    heap_now -= (size_t)((uint64_t *)block)[-1];
    free((uint64_t *)block - 1);
}
#else
static bool start_library(void) {
    return true;
}
#endif

static int32_t counter_read(void *context, uint32_t *counter) {
    (void)context;
    *counter = 7;
    return 0;
}

static int32_t counter_commit(void *context, uint32_t counter) {
    (void)context, (void)counter;
    return -1;
}

static const uint8_t class_name[] = "boiler";
const ai_reloc_verifier ai_reloc_firmware_verifier = {AI_RELOC_ADAPTER,
                                                      .counter_read = counter_read,
                                                      .counter_commit = counter_commit,
                                                      .device_class = class_name,
                                                      .device_class_size = sizeof class_name - 1,
                                                      .firmware_api = 4};

/* ---- measuring ---- */

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)

static uint32_t calibrated; /* ticks of 2^21 instructions */

extern uint8_t harness_stack_start[];

static void say(const char *what, uint32_t number) {
    port_print(what);
    port_print_u32(number);
    port_print("\n");
}

static void start(void) {
    SYST_CSR = 0;
    SYST_RVR = 0x00FFFFFFu;
    SYST_CVR = 0;
    SYST_CSR = 5;
}

/* Thousands of instructions. */
static uint32_t stop(void) {
    uint32_t ticks = 0x00FFFFFFu - SYST_CVR;
    CHECK((SYST_CSR >> 16 & 1) == 0); /* the counter has not wrapped */
    SYST_CSR = 0;
    return (uint32_t)((uint64_t)ticks * (1u << 21) / calibrated / 1000);
}

static void calibrate(void) {
    uint32_t rounds = 1u << 20;
    start();
    __asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "+l"(rounds) : : "cc");
    calibrated = 0x00FFFFFFu - SYST_CVR; /* 2 instructions a round */
}

/* Paints the stack below, calls, and returns how much of the paint is gone. */
static uint32_t stack_of(void (*function)(void)) {
    uint8_t *low = harness_stack_start, *here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    for (uint8_t *p = low; p < here; p++)
        *(volatile uint8_t *)p = 0xA5;
    function();
    while (low < here && *low == 0xA5)
        low++;
    return (uint32_t)(here - low);
}

static uint32_t size_one;

static void verify_one(void) {
    CHECK(ai_rel_network_verify(damaged, size_one, NULL, 0, NULL) == 0);
}

static void check_one(void) {
    CHECK(ai_rel_network_check(damaged, size_one) == 0);
}

static void verdict_only(void) {
    struct reloc_view view;
    CHECK(reloc_core_check((const uint8_t *)damaged, size_one, &view) == 0);
    const uint8_t *s = (const uint8_t *)damaged + view.trailer + RELOC_TRL_BYTES;
    uint32_t size = reloc_get_le32(s, 4) >> 16;
    const uint8_t *pair = s + size;
    const ai_reloc_to_verify it = {reloc_get_le32(pair, 36) & 0xFFFFu, pair + 4, s, size,
                                   pair + 40};
    start();
    int32_t verdict = ai_reloc_verify_signature(NULL, &it);
    uint32_t thousands = stop();
    CHECK(verdict == AI_RELOC_HOLDS);
    say("verify, 1000 instructions: ", thousands);
}

static void measure(void) {
    size_one = SIZE_OF(image_one);
    memcpy(damaged, image_one_start, size_one);
    calibrate();
    verdict_only();
    ai_reloc_sha256_begin(NULL, 0);
    start();
    for (int i = 0; i < 16; i++)
        ai_reloc_sha256_update(NULL, 0, (const uint8_t *)damaged, 1024);
    say("SHA-256 of 16 KB, 1000 instructions: ", stop());
    start();
    check_one();
    say("ai_rel_network_check, 1000 instructions: ", stop());
    start();
    verify_one();
    say("ai_rel_network_verify, 1000 instructions: ", stop());
    say("bytes of the image: ", size_one);
    uint32_t check = stack_of(check_one);
    say("stack of ai_rel_network_check: ", check);
    say("stack of ai_rel_network_verify: ", stack_of(verify_one));
#ifdef SIGNED_PSA
    say("heap at most: ", heap_most);
    CHECK(heap_now == 0);
#endif
    say("sizeof (ai_reloc_check): ", sizeof(ai_reloc_check));
}

/* ---- what is accepted and refused ---- */

static int32_t load(const uint8_t *image, uint32_t size, uint32_t mode, bool use) {
    ai_handle net = AI_HANDLE_NULL;
    ai_rel_network_load_args args = {
        .obj = image, .obj_size = size, .ram_addr = arena_reset(), .ram_size = 8192, .mode = mode};
    int32_t code = ai_rel_network_load_and_create_sized(&args, &net, NULL);
    if (code == 0) {
        CHECK(!use || works(net, image, ID_ONE, 1));
        CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    }
    return code;
}

static void test_good(void) {
    for (uint32_t mode = 1; mode <= 2; mode++) {
        CHECK(load(image_one_start, SIZE_OF(image_one), mode, true) == 0);
        CHECK(load(image_two_start, SIZE_OF(image_two), mode, true) == 0);
        CHECK(load(image_split_start, SIZE_OF(image_split), mode, true) == 0);
    }
    CHECK(ai_rel_network_verify(image_split_start, SIZE_OF(image_split), image_weights_start,
                                SIZE_OF(image_weights), NULL) == 0);
}

/* image_two without its last signature, which is by the key that is accepted. */
static void test_key(void) {
    struct reloc_view view;
    uint32_t size = SIZE_OF(image_two);
    memcpy(damaged, image_two_start, size);
    CHECK(reloc_core_check((const uint8_t *)damaged, size, &view) == 0);
    uint8_t *trailer = (uint8_t *)damaged + view.trailer;
    uint32_t behind = reloc_get_le32(trailer, RELOC_TRL_SIGNATURE_SIZE) - 104;
    reloc_put_le32(trailer, RELOC_TRL_SIGNATURE_SIZE, behind);
    reloc_put_le32(trailer, RELOC_TRL_SELF_CRC32, reloc_crc32(0, trailer, RELOC_TRL_SELF_CRC32));
    CHECK(load((const uint8_t *)damaged, size - 104, 1, false) == AI_RELOC_E_SIGNED_KEY);
}

/* Bits of all that stands behind the trailer. */
static void test_bits(void) {
    struct reloc_view view;
    uint32_t size = SIZE_OF(image_one), refused = 0;
    memcpy(damaged, image_one_start, size);
    CHECK(reloc_core_check((const uint8_t *)damaged, size, &view) == 0);
    for (uint32_t bit = 8 * (view.trailer + RELOC_TRL_BYTES); bit < 8 * size;
         bit += SIGNED_STRIDE) {
        ((uint8_t *)damaged)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(load((const uint8_t *)damaged, size, 2, false) != 0);
        ((uint8_t *)damaged)[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refused++;
    }
    say("bits refused: ", refused);
}

int main(void) {
    port_set_r9();
    CHECK(start_library());
    test_good();
    test_key();
    test_bits();
    measure();
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
