/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts the power at every write and every erase of an update, and once more at every one of the
 * update that follows, against a model of the flash. After each cut a start has to find the old
 * image or the new one, whole, and the next update has to succeed.
 *   cc -Isrc -Itest -o power_cut test/power_cut.c src/slots.c && ./power_cut
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/flash.h"
#include "../src/slots.h"

#define CHECK(what)                                                                                \
    ((what) ? (void)0                                                                              \
            : (void)(fprintf(stderr, "line %d, cut at %ld, then %ld: %s\n", __LINE__, first_cut,   \
                             second_cut, #what),                                                   \
                     exit(1)))

/* ---- the flash ---- */

static uint8_t memory[SLOTS * SLOT_SIZE];
static long until_cut = -1; /* operations before the power goes; -1: it stays */
static long first_cut, second_cut;
static uint32_t seed = 1;
static jmp_buf power;

static uint32_t any(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static bool power_goes(void) {
    return until_cut >= 0 && until_cut-- == 0;
}

const uint8_t *flash_at(uint32_t offset) {
    return memory + offset;
}

/* Cut: each bit of the sector is set or not, or only a part of the sector is erased. */
bool flash_erase(uint32_t offset) {
    bool cut = power_goes();
    uint32_t whole = cut ? any() % (FLASH_SECTOR + 1) : FLASH_SECTOR;
    CHECK(offset % FLASH_SECTOR == 0 && offset < sizeof memory);
    memset(memory + offset, 0xFF, whole);
    for (uint32_t i = whole; i < FLASH_SECTOR; i++)
        memory[offset + i] |= (uint8_t)(any() & any());
    if (cut)
        longjmp(power, 1);
    return true;
}

/* Cut: some of the bits are cleared, none or all of them among the possibilities. */
bool flash_write(uint32_t offset, const uint8_t *unit) {
    bool cut = power_goes();
    uint32_t how = any() % 4;
    CHECK(offset % FLASH_UNIT == 0 && offset < sizeof memory);
    for (uint32_t i = 0; i < FLASH_UNIT; i++) {
        CHECK(memory[offset + i] == 0xFF || cut);
        uint8_t cleared = (uint8_t)~unit[i];
        if (cut)
            cleared = how == 0 ? 0 : how == 1 ? cleared : cleared & (uint8_t)any();
        memory[offset + i] &= (uint8_t)~cleared;
    }
    if (cut)
        longjmp(power, 1);
    return true;
}

/* ---- images: a version, bytes that follow from it, and a sum ---- */

enum { LENGTH = 3 * FLASH_SECTOR / 2 + 5 };

static void make_image(uint32_t version, uint8_t image[LENGTH]) {
    uint32_t sum = 0, state = version;
    memcpy(image, &version, 4);
    for (unsigned i = 4; i < LENGTH - 4; i++) {
        state = state * 1664525u + 1013904223u;
        image[i] = (uint8_t)(state >> 24);
    }
    for (unsigned i = 0; i < LENGTH - 4; i++)
        sum = sum * 31 + image[i];
    memcpy(image + LENGTH - 4, &sum, 4);
}

static bool check(const uint8_t *image, uint32_t length) {
    uint8_t wanted[LENGTH];
    uint32_t version;
    memcpy(&version, image, 4);
    make_image(version, wanted);
    return length == LENGTH && memcmp(image, wanted, LENGTH) == 0;
}

/* What a start of the device does. Returns the version that runs. good: the newest does what it
 * should; otherwise the device starts once more. */
static uint32_t start(uint32_t newest, bool good) {
    uint32_t version;
    int which = slots_choose(check);
    CHECK(which >= 0);
    memcpy(&version, slots_image(which), 4);
    if (!slots_start(which))
        return 0;
    if (version != newest || good)
        CHECK(slots_confirm(which));
    else if (!slots_read(which).confirmed)
        return start(newest, good);
    return version;
}

static void install(uint32_t version) {
    struct slots_update update;
    uint8_t image[LENGTH];
    int running = slots_choose(check);
    make_image(version, image);
    CHECK(slots_begin(&update, running));
    for (uint32_t at = 0; at < LENGTH; at += 100)
        CHECK(slots_write(&update, image + at, LENGTH - at < 100 ? LENGTH - at : 100));
    CHECK(slots_finish(&update, check));
}

/* Installs and starts a version with the power cut after some operations. true: it was not cut. */
static bool installs(uint32_t version, bool good, long cut) {
    until_cut = cut;
    if (setjmp(power) != 0)
        return false;
    install(version);
    (void)start(version, good);
    until_cut = -1;
    return true;
}

/* Starts after a cut, which may be cut, too. Returns the version that runs. */
static uint32_t starts(uint32_t newest, bool good) {
    until_cut = -1;
    uint32_t version = start(newest, good);
    CHECK(start(newest, good) == version); /* and it stays */
    return version;
}

/* One device: version 1 from the factory, an update to 2 that is cut, then one to 3. true: neither
 * was cut any more. */
static bool try_cuts(bool good) {
    memset(memory, (int)(any() & 0xFF), sizeof memory);
    until_cut = -1;
    install(1);
    CHECK(start(1, true) == 1);
    bool first_done = installs(2, good, first_cut);
    uint32_t now = starts(2, good);
    CHECK(now == 1 || (good && now == 2));
    CHECK(!first_done || now == (good ? 2u : 1u));
    bool second_done = installs(3, true, second_cut);
    uint32_t then = starts(3, true);
    CHECK(then == now || then == 3);
    CHECK(!second_done || then == 3);
    CHECK(installs(4, true, -1) && starts(4, true) == 4);
    return first_done && second_done;
}

/* What no cut shows: every bit of a cell counts, a damaged image does not run, and an update waits
 * for the confirmation. */
static void try_damage(void) {
    struct slots_update update;
    memset(memory, 0, sizeof memory);
    install(1);
    CHECK(slots_start(0));
    CHECK(!slots_begin(&update, 0));
    CHECK(slots_confirm(0));
    for (uint32_t bit = 0; bit < 8 * CELLS * CELL_SIZE; bit++) {
        uint8_t *byte = memory + SLOT_IMAGE_MAX + bit / 8;
        bool other_cell = bit / 8 / CELL_SIZE == 1;
        *byte ^= (uint8_t)(1u << bit % 8);
        CHECK((slots_read(0).installed && slots_read(0).confirmed) == other_cell);
        CHECK(slots_read(0).tried);
        *byte ^= (uint8_t)(1u << bit % 8);
    }
    install(2);
    CHECK(start(2, true) == 2);
    memory[SLOT_SIZE + LENGTH / 2] ^= 1;
    CHECK(start(2, true) == 1);
    CHECK(slots_begin(&update, 0) && slots_write(&update, (const uint8_t *)"no image", 9));
    CHECK(!slots_finish(&update, check) && !slots_read(1).installed);
    CHECK(slots_begin(&update, 0) && !slots_write(&update, memory, SLOT_IMAGE_MAX + 1));
}

int main(void) {
    enum { OPERATIONS = SLOT_SIZE / FLASH_SECTOR + (LENGTH + 3 * CELL_SIZE) / FLASH_UNIT + 2 };
    long cuts = 0;
    for (int tries = 0; tries < 4; tries++)
        for (int good = 0; good < 2; good++)
            for (first_cut = 0; first_cut <= OPERATIONS; first_cut++)
                for (second_cut = any() % 3; second_cut <= OPERATIONS; second_cut += 3, cuts++)
                    (void)try_cuts(good);
    try_damage();
    first_cut = second_cut = OPERATIONS;
    CHECK(try_cuts(true)); /* there were cuts at all of them */
    printf("%ld pairs of cuts, at each of %d operations: the old or the new image ran\n", cuts,
           OPERATIONS);
    return 0;
}
