/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Non-secure firmware for the emulated M33, started by loader_secure.c. It loads images with its
 * own loader and through the services of the secure side, which it also calls with pointers into
 * secure memory. Prints and exits as loader_test.c does.
 */
#include "loader_kit.h"
#include "loader_secure.h"

#include <string.h>

/* ---- the loader on this side ---- */

static void test_own(void) {
    for (uint32_t mode = AI_RELOC_RT_LOAD_MODE_XIP; mode <= AI_RELOC_RT_LOAD_MODE_COPY; mode++) {
        ai_handle net = load_at(image_one_start, arena_reset(), mode);
        CHECK(works(net, image_one_start, ID_ONE, 1) && run_is_right(net, ID_ONE, 2));
        CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    }
}

/* ---- the secure side's services ---- */

static int32_t in_data[IMAGE_ELEMENTS] = {5, -4, 3, -2, 1, 0, -1, 2}, out_data[IMAGE_ELEMENTS];
static const struct secure_run good_run = {in_data, out_data};

static int32_t load(const void *image, uint32_t size) {
    struct secure_load request = {image, size};
    return secure_load(&request);
}

static int32_t run(uint32_t number, const int32_t *input, int32_t *output) {
    struct secure_run request = {input, output};
    return secure_run(number, &request);
}

static bool runs_right(uint32_t number, int32_t id, int32_t count) {
    memset(out_data, 0xCC, sizeof out_data);
    if (secure_run(number, &good_run) != 0)
        return false;
    for (int32_t i = 0; i < IMAGE_ELEMENTS; i++)
        if (out_data[i] != in_data[i] * (i + 1) + id + count - 1)
            return false;
    return true;
}

static void test_services(void) {
    CHECK(load(image_one_start, SIZE_OF(image_one)) == 0);
    memcpy(damaged, image_two_start, SIZE_OF(image_two));
    CHECK(load(damaged, SIZE_OF(image_two)) == 1);
    memset(damaged, 0xDE, sizeof damaged); /* the secure side runs its own copy */
    CHECK(runs_right(0, ID_ONE, 1) && runs_right(1, ID_TWO, 1) && runs_right(0, ID_ONE, 2));
    CHECK(load(image_one_start, SIZE_OF(image_one)) == SECURE_E_FULL);
    CHECK(secure_destroy(1) == 0 && secure_destroy(1) == SECURE_E_NUMBER);
}

/* Each pointer in turn leads into secure memory, or begins or ends there. */
static void test_pointers(void) {
    const uint8_t *rom = (const uint8_t *)secure_rom(), *ram = (const uint8_t *)secure_ram();
    uint32_t size = SIZE_OF(image_one);
    uint8_t *before = (uint8_t *)0x80FFFFF0u; /* the last 16 bytes of this side's memory */
    CHECK(load(rom, size) == SECURE_E_POINTER && load(ram, size) == SECURE_E_POINTER);
    CHECK(load((const uint8_t *)0x7FFFFFF0u, size) == SECURE_E_POINTER);
    CHECK(load(before, size) == SECURE_E_POINTER && load(NULL, size) == SECURE_E_POINTER);
    CHECK(load((const uint8_t *)0xFFFFFFF0u, size) == SECURE_E_POINTER);
    CHECK(load(image_one_start, UINT32_MAX) == SECURE_E_SIZE);
    CHECK(load(image_one_start, size - 4) == AI_RELOC_E_TRAILER);
    CHECK(secure_load((const struct secure_load *)(const void *)rom) == SECURE_E_POINTER);
    CHECK(secure_load((const struct secure_load *)(const void *)ram) == SECURE_E_POINTER);
    CHECK(secure_load(NULL) == SECURE_E_POINTER);
    int32_t *secret = (int32_t *)(uintptr_t)ram;
    CHECK(run(0, secret, out_data) == SECURE_E_POINTER);
    CHECK(run(0, in_data, secret) == SECURE_E_POINTER);
    CHECK(run(0, (int32_t *)(void *)before, out_data) == SECURE_E_POINTER);
    CHECK(run(0, in_data, (int32_t *)(void *)before) == SECURE_E_POINTER);
    CHECK(secure_run(0, (const struct secure_run *)(const void *)ram) == SECURE_E_POINTER);
}

static void test_numbers(void) {
    static const uint32_t numbers[] = {1, 2, 0x80000000u, UINT32_MAX};
    for (uint32_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        CHECK(secure_run(numbers[i], &good_run) == SECURE_E_NUMBER);
        CHECK(secure_destroy(numbers[i]) == SECURE_E_NUMBER);
    }
    CHECK(secure_run(secure_ram(), &good_run) == SECURE_E_NUMBER);
}

/* ---- an interrupt that calls a service while one is running ---- */

#define SCS_WORD(address) (*(volatile uint32_t *)(address))
static volatile uint32_t ticks_refused, ticks_run, ticks_wrong;
static int32_t tick_data[IMAGE_ELEMENTS];

static void tick(void) {
    int32_t result = run(0, in_data, tick_data);
    if (result == 0)
        ticks_run++;
    else if (result == SECURE_E_BUSY)
        ticks_refused++;
    else
        ticks_wrong++;
}

__attribute__((aligned(128))) static void (*vectors[16])(void);

enum { LOADS = 2000 }; /* at most: the interrupt must come during a service and between two */

static void test_interrupted(void) {
    const uint32_t *old = (const uint32_t *)SCS_WORD(0xE000ED08u); /* VTOR, and the table */
    memcpy((void *)vectors, old, sizeof vectors);
    vectors[15] = tick;
    SCS_WORD(0xE000ED08u) = (uint32_t)vectors;
    SCS_WORD(0xE000E014u) = 5000; /* SysTick: reload value, counter, control */
    SCS_WORD(0xE000E018u) = 0;
    SCS_WORD(0xE000E010u) = 7;
    for (uint32_t i = 0; i < LOADS && (ticks_refused == 0 || ticks_run == 0); i++) {
        int32_t number;
        do
            number = load(image_two_start, SIZE_OF(image_two));
        while (number == SECURE_E_BUSY);
        CHECK(number == 1 && runs_right(1, ID_TWO, 1) && secure_destroy(1) == 0);
    }
    SCS_WORD(0xE000E010u) = 0;
    CHECK(ticks_refused != 0 && ticks_run != 0 && ticks_wrong == 0);
}

int main(void) {
    test_own();
    test_services();
    test_pointers();
    test_numbers();
    CHECK(runs_right(0, ID_ONE, 3)); /* none of the refused calls has run the model */
    test_interrupted();
    CHECK(runs_right(0, ID_ONE, 4 + (int32_t)ticks_run));
    CHECK(secure_destroy(0) == 0);
    CHECK(secure_failures() == 0);
    return kit_result();
}
