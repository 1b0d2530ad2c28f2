/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the loader: one word of the image has another value for a moment while it is
 * loaded; each load changes another word at another moment. Every load is either refused or
 * installs a model that computes what the image does; nothing outside its RAM is written. The test
 * does not change what the firmware has to lock (docs/TARGET.md): REL list, trailer, weights, and
 * in XIP mode code. The emulator counts instructions (-icount), so that all runs are the same.
 */
#include "loader_kit.h"
#include "loader_trial.h"

#include <string.h>

#include "format/reloc_format.h"

#ifdef AI_RELOC_SIGNED
#include "signed_kit.h"
#endif

#ifndef FLICKER_LOADS
#define FLICKER_LOADS 1200 /* in each mode */
#endif
enum { LOADS = FLICKER_LOADS };

/* ---- the change ---- */

enum { SYST_CSR = 0x010, SYST_RVR = 0x014, SYST_CVR = 0x018, SYST_MAX = 0xFFFFFF };

static struct {
    volatile uint32_t *word;
    uint32_t value, original;
    uint32_t lasts; /* in ticks */
    uint32_t stage;
} change;

static void tick_after(uint32_t ticks) {
    TRIAL_SCS(SYST_CSR) = 0;
    TRIAL_SCS(SYST_RVR) = ticks;
    TRIAL_SCS(SYST_CVR) = 0;
    TRIAL_SCS(SYST_CSR) = 7;
}

static void on_tick(uint32_t number, uint32_t r0, uint32_t r1) {
    (void)number, (void)r0, (void)r1;
    TRIAL_SCS(SYST_CSR) = 0;
    if (change.stage++ == 0) {
        *change.word = change.value;
        tick_after(change.lasts);
    } else {
        *change.word = change.original;
    }
}

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (random_state >> 4) % limit;
}

/* ---- loads ---- */

static ai_rel_network_load_args args;
static ai_handle net;
static int32_t code;

static void load(void) {
    net = AI_HANDLE_NULL;
    code = ai_rel_network_load_and_create_sized(&args, &net, NULL);
}

static bool right;

static void use(void) {
    right = works(net, (const uint8_t *)damaged, ID_ONE, 1) &&
            ai_rel_network_destroy(net) == AI_HANDLE_NULL;
}

static uint32_t ticks_of_load(void) {
    TRIAL_SCS(SYST_CSR) = 0;
    TRIAL_SCS(SYST_RVR) = SYST_MAX;
    TRIAL_SCS(SYST_CVR) = 0;
    TRIAL_SCS(SYST_CSR) = 5;
    CHECK(trial(load, true) && code == 0);
    uint32_t ticks = SYST_MAX - TRIAL_SCS(SYST_CVR);
    CHECK(trial(use, true) && right);
    return ticks;
}

static uint32_t header_offset(uint32_t at) {
    return damaged[at / 4] & RELOC_OFFSET_MASK;
}

/*
 * Half of the changes hit a word of the header early in the load, when it is read; the others hit a
 * word from first up to end late in the load, when it is copied. One in eight comes at any time.
 */
static void choose(uint32_t first, uint32_t end, uint32_t ticks) {
    bool header = random_below(2) == 0;
    uint32_t at = header ? random_below(RELOC_HDR_BYTES / 4) : first + random_below(end - first);
#ifdef AI_RELOC_SIGNED /* the digests follow the copy */
    uint32_t late = ticks * 3 / 4;
#else
    const uint32_t late = 4000;
#endif
    uint32_t moment = header ? random_below(600) : ticks - random_below(late);
    change.word = &damaged[at];
    change.original = damaged[at];
    change.value = random_below(4) == 0 ? random_below(UINT32_MAX)
                                        : damaged[at] ^ UINT32_C(1) << random_below(32);
    change.lasts = random_below(3) == 0 ? SYST_MAX : 5 + random_below(100);
    change.stage = 0;
    tick_after(1 + (random_below(8) == 0 ? random_below(ticks) : moment));
}

static void test_changes(uint32_t mode) {
    uint32_t size = SIZE_OF(image_one), refused = 0;
    args = args_for(image_one_start, size, arena_reset());
    args.mode = mode;
#ifdef AI_RELOC_SIGNED
    kit_device_reset();
    (void)kit_take(image_one_start, size);
#endif
    bool copy = mode == AI_RELOC_RT_LOAD_MODE_COPY;
    uint32_t data = header_offset(RELOC_HDR_DATA_DATA) / 4;
    uint32_t rel = header_offset(RELOC_HDR_REL_START) / 4;
    uint32_t ticks = ticks_of_load();
    CHECK(ticks > 4000);
    for (uint32_t i = 0; i < LOADS; i++) {
        uint8_t *ram = arena_reset();
        choose(copy ? RELOC_HDR_BYTES / 4 : data, rel, ticks);
        bool returned = trial(load, true);
        TRIAL_SCS(SYST_CSR) = 0;
        *change.word = change.original;
        CHECK(returned && arena_intact(ram, args.ram_size));
        refused += code != 0;
        CHECK(!returned || code != 0 || (trial(use, true) && right));
    }
    port_print("refused: ");
    port_print_u32(refused);
    port_print("\n");
    CHECK(refused > LOADS / 20 && refused < LOADS);
}

int main(void) {
    port_set_r9();
    trial_start();
    trial_service = on_tick;
    test_changes(AI_RELOC_RT_LOAD_MODE_COPY);
    test_changes(AI_RELOC_RT_LOAD_MODE_XIP);
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
