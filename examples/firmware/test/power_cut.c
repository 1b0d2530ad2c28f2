/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts the power at every write and every erase of an update, and once more at every one of the
 * update that follows, against a model of the flash. After each cut a start has to find the old
 * image or the new one, whole, and the next update has to succeed. The same for a flash that fails.
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
static uint8_t weak[sizeof memory]; /* bits that read differently at each start */
static bool leaves_weak;            /* what is cut has such bits */
static long until_cut = -1;         /* operations before the power goes; -1: it stays */
static bool fails;                  /* instead, operations fail from there on, with no effect */
static long first_cut, second_cut;
static uint32_t seed = 1;
static jmp_buf power;

static uint32_t any(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static bool power_goes(void) {
    return !fails && until_cut >= 0 && until_cut-- == 0;
}

static bool has_failed(void) {
    return fails && (until_cut == 0 || until_cut-- == 0);
}

/* How bits change whose change was cut: none, all, one, or any of them. */
static void change(uint8_t *bytes, const uint8_t *bits, uint32_t count) {
    const uint32_t how = any() % 4, one = any() % (8 * count);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t some[] = {0, 0xFF, i == one / 8 ? 1 << one % 8 : 0, any()};
        bytes[i] ^= bits[i] & some[how];
    }
}

/* Each flash word by itself. */
static void read_weak(void) {
    for (uint32_t at = 0; leaves_weak && at < sizeof memory; at += FLASH_UNIT)
        change(memory + at, weak + at, FLASH_UNIT);
}

const uint8_t *flash_at(uint32_t offset) {
    return memory + offset;
}

/* Cut: a part of the sector is erased, and of the rest any bits. */
bool flash_erase(uint32_t offset) {
    if (has_failed())
        return false;
    bool cut = power_goes();
    uint32_t whole = cut ? any() % (FLASH_SECTOR + 1) : FLASH_SECTOR;
    CHECK(offset % FLASH_SECTOR == 0 && offset < sizeof memory);
    memset(memory + offset, 0xFF, whole);
    memset(weak + offset, 0, whole);
    for (uint32_t i = offset + whole; i < offset + FLASH_SECTOR; i++) {
        uint8_t set = (uint8_t)(any() & any() & ~memory[i]);
        memory[i] |= set;
        weak[i] |= leaves_weak ? set : 0;
    }
    if (cut)
        longjmp(power, 1);
    return true;
}

bool flash_write(uint32_t offset, const uint8_t *unit) {
    uint8_t cleared[FLASH_UNIT];
    if (has_failed())
        return memcmp(memory + offset, unit, FLASH_UNIT) == 0;
    bool cut = power_goes();
    CHECK(offset % FLASH_UNIT == 0 && offset < sizeof memory);
    for (uint32_t i = 0; i < FLASH_UNIT; i++) {
        CHECK(memory[offset + i] == 0xFF || cut);
        cleared[i] = memory[offset + i] & (uint8_t)~unit[i];
    }
    if (cut) {
        change(memory + offset, cleared, FLASH_UNIT);
        if (leaves_weak)
            memcpy(weak + offset, cleared, FLASH_UNIT);
        longjmp(power, 1);
    }
    memcpy(memory + offset, unit, FLASH_UNIT);
    memset(weak + offset, 0, FLASH_UNIT);
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
    CHECK(length != 0 && length <= SLOT_IMAGE_MAX);
    memcpy(&version, image, 4);
    make_image(version, wanted);
    return length == LENGTH && memcmp(image, wanted, LENGTH) == 0;
}

/* What a start of the device does. Returns the version that runs. good: the newest does what it
 * should; otherwise the device starts once more. */
static uint32_t start(uint32_t newest, bool good) {
    uint32_t version;
    read_weak();
    int which = slots_choose(check);
    CHECK(which >= 0);
    if (!slots_start(which)) {
        which = slots_choose_confirmed(check);
        CHECK(which >= 0 && slots_start(which));
    }
    memcpy(&version, slots_image(which), 4);
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
    uint32_t version = start(newest, good), again = start(newest, good);
    CHECK(again == version || leaves_weak); /* it stays, unless bits are weak */
    return again;
}

/* One device: version 1 from the factory, an update to 2 that is cut, then one to 3. true: neither
 * was cut any more. */
static bool try_cuts(bool good) {
    memset(memory, (int)(any() & 0xFF), sizeof memory);
    memset(weak, 0, sizeof weak);
    until_cut = -1;
    install(1);
    CHECK(start(1, true) == 1);
    bool first_done = installs(2, good, first_cut);
    uint32_t now = starts(2, good);
    CHECK(now == 1 || (good && now == 2));
    CHECK(!first_done || now == (good ? 2u : 1u));
    bool second_done = installs(3, true, second_cut);
    uint32_t then = starts(3, true);
    CHECK(then == now || then == 3 || (leaves_weak && (then == 1 || (good && then == 2))));
    CHECK(!second_done || then == 3);
    CHECK(installs(4, true, -1) && starts(4, true) == 4);
    return first_done && second_done;
}

/* ---- what no cut shows ---- */

static bool runs(int which) {
    const struct slot slot = slots_read(which);
    return slot.installed && slot.confirmed;
}

static void flip(uint32_t bit) {
    memory[SLOT_IMAGE_MAX + bit / 8] ^= (uint8_t)(1u << bit % 8);
}

/* Every bit of a cell counts; a damaged image does not run; an update waits for the confirmation.
 */
static void try_damage(void) {
    enum { CELL_BITS = 8 * CELL_SIZE };
    struct slots_update update;
    memset(memory, 0, sizeof memory);
    install(1);
    for (uint32_t bit = 0; bit < CELL_BITS; bit++) {
        flip(CELL_BITS + bit);
        CHECK(slots_read(0).tried && slots_choose(check) < 0 && !slots_start(0));
        flip(CELL_BITS + bit);
    }
    CHECK(slots_start(0));
    CHECK(!slots_begin(&update, 0));
    CHECK(slots_confirm(0));
    for (uint32_t bit = 0; bit < 3 * CELL_BITS; bit++) {
        flip(bit);
        CHECK(runs(0) == (bit / CELL_BITS == 1) && slots_read(0).tried);
        flip(bit);
    }
    install(2);
    for (uint32_t bit = 0; bit < CELLS * CELL_BITS; bit++) {
        flip(bit); /* one cell is enough now */
        CHECK(runs(0) && slots_read(0).number == 1 && slots_read(0).length == LENGTH);
        flip(bit);
    }
    CHECK(start(2, true) == 2);
    memory[SLOT_SIZE + LENGTH / 2] ^= 1;
    CHECK(start(2, true) == 1);
    CHECK(slots_begin(&update, 0) && slots_write(&update, (const uint8_t *)"no image", 9));
    CHECK(!slots_finish(&update, check) && !slots_read(1).installed);
}

/* A cell that is whole, but says what cannot be. */
static void try_foreign_cells(void) {
    const uint32_t MAGIC = 0x6C6F6452;
    const uint32_t words[][3] = {{MAGIC, 1, LENGTH}, {MAGIC + 1, 1, LENGTH}, {MAGIC, 1, SLOT_SIZE}};
    for (unsigned i = 0; i < 3; i++) {
        memset(memory, 0xFF, sizeof memory);
        make_image(1, memory);
        for (unsigned word = 0; word < 4; word++) {
            const uint32_t pair[] = {word < 3 ? words[i][word] : 0,
                                     ~(word < 3 ? words[i][word] : 0)};
            memcpy(memory + SLOT_IMAGE_MAX + 8 * word, pair, 8);
        }
        CHECK(slots_read(0).installed == (i == 0) && slots_choose(check) == (i == 0 ? 0 : -1));
    }
}

/* A file that fills the slot, and one that has a byte more, in pieces. */
static void try_sizes(void) {
    struct slots_update update;
    for (uint32_t piece = 1; piece < 100; piece += 13) {
        uint32_t at = 0;
        CHECK(slots_begin(&update, -1));
        for (; piece <= SLOT_IMAGE_MAX - at; at += piece)
            CHECK(slots_write(&update, memory, piece));
        CHECK(slots_write(&update, memory, SLOT_IMAGE_MAX - at) &&
              !slots_write(&update, memory, 1));
    }
}

/* The flash fails from some operation on: the update says so, and the image before it stays. */
static void try_failing_flash(void) {
    bool done = false;
    for (first_cut = 0; !done; first_cut++) {
        struct slots_update update;
        uint8_t image[LENGTH];
        memset(memory, 0, sizeof memory);
        until_cut = -1;
        install(1);
        CHECK(start(1, true) == 1);
        make_image(2, image);
        until_cut = first_cut;
        fails = true;
        done = slots_begin(&update, 0) && slots_write(&update, image, LENGTH) &&
               slots_finish(&update, check) && slots_start(1) && slots_confirm(1);
        bool said = until_cut == 0 && !done;
        fails = false;
        until_cut = -1;
        CHECK(said || done);
        CHECK(done || !runs(1));
        CHECK(start(2, false) == (done ? 2u : 1u));
    }
}

/* The flash takes no more writes once an update is installed: the confirmed image runs each time.
 * Without a confirmed image, none runs. */
static void try_worn_flash(void) {
    memset(memory, 0, sizeof memory);
    install(1);
    fails = true;
    until_cut = 0;
    CHECK(!slots_start(slots_choose(check)) && slots_choose_confirmed(check) < 0);
    fails = false;
    until_cut = -1;
    CHECK(start(1, true) == 1);
    install(2);
    fails = true;
    until_cut = 0;
    for (int starts_left = 5; starts_left > 0; starts_left--)
        CHECK(start(2, true) == 1);
    fails = false;
    until_cut = -1;
    CHECK(start(2, true) == 2);
}

/* Neither image can be used: the older is replaced, and the new one runs. Numbers overflow. */
static void try_both_failed(void) {
    struct slots_update update;
    uint8_t image[LENGTH];
    for (uint32_t first = 0; first < 2; first++) {
        memset(memory, 0, sizeof memory);
        for (uint32_t version = 1; version <= 2 + first; version++) {
            install(version);
            CHECK(start(version, true) == version);
        }
        int newest = slots_choose(check);
        make_image(9, image);
        CHECK(slots_begin(&update, -1) && update.slot == 1 - newest);
        CHECK(slots_write(&update, image, LENGTH) && slots_finish(&update, check));
        CHECK(start(9, true) == 9);
    }
    for (uint32_t before = 2; before < 4; before++) { /* the first small number is in either slot */
        memset(memory, 0, sizeof memory);
        CHECK(slots_begin(&update, -1));
        update.number = UINT32_MAX - before;
        CHECK(slots_write(&update, image, LENGTH) && slots_finish(&update, check));
        CHECK(start(9, true) == 9);
        for (uint32_t version = 1; version < 9; version++) {
            install(version);
            CHECK(start(version, true) == version);
        }
    }
}

int main(void) {
    /* sectors, units of the image, cells: kept, and three of the new image */
    enum {
        OPERATIONS = SLOT_SIZE / FLASH_SECTOR + (LENGTH + FLASH_UNIT - 1) / FLASH_UNIT +
                     CELLS * (CELL_SIZE / FLASH_UNIT)
    };
    long cuts = 0;
    try_damage();
    try_foreign_cells();
    try_sizes();
    try_failing_flash();
    try_worn_flash();
    try_both_failed();
    for (int tries = 0; tries < 6; tries++)
        for (int good = 0; good < 2; good++)
            for (first_cut = 0; first_cut <= OPERATIONS; first_cut++)
                for (second_cut = any() % 3; second_cut <= OPERATIONS; second_cut += 3, cuts++) {
                    leaves_weak = tries % 3 == 2;
                    (void)try_cuts(good);
                }
    leaves_weak = false;
    first_cut = second_cut = OPERATIONS;
    CHECK(try_cuts(true)); /* there were cuts at all of them */
    first_cut = second_cut = OPERATIONS - 1;
    CHECK(!try_cuts(true));
    printf("%ld pairs of cuts, at each of %d operations: the old or the new image ran\n", cuts,
           OPERATIONS);
    return 0;
}
