/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries and exits of functions: see hooks.h. The time is read last at an entry and first at an
 * exit, so that finding the frame is in the time of the caller.
 */
#include "hooks.h"

#include <string.h>

#include "counter.h"
#include "result.h"

struct frame {
    uint32_t function;            /* address; 0: outside all functions */
    uint32_t parent, first, next; /* indices of frames; 0: none */
    uint32_t calls;
    uint32_t reserved;
    uint64_t since, total;
};
_Static_assert(sizeof(struct frame) == HARNESS_FRAME_ROOM, "what a host gives for each frame");

enum { TRIES = 16 };

static struct {
    struct frame *frames;
    uint32_t room, count, at;
    uint32_t lost; /* entries without a frame, whose exits are still to come */
    bool full;
    uint32_t pair, inside; /* what an entry and an exit take, and how much of it is measured */
} hooks;

/* The frame of a function called from the current one; 0: there is no room. */
static uint32_t frame_of(uint32_t function) {
    uint32_t last = 0;
    for (uint32_t i = hooks.frames[hooks.at].first; i != 0; i = hooks.frames[i].next) {
        if (hooks.frames[i].function == function)
            return i;
        last = i;
    }
    if (hooks.count == hooks.room) {
        hooks.full = true;
        return 0;
    }
    uint32_t made = hooks.count++;
    memset(&hooks.frames[made], 0, sizeof hooks.frames[made]);
    hooks.frames[made].function = function;
    hooks.frames[made].parent = hooks.at;
    if (last != 0)
        hooks.frames[last].next = made;
    else
        hooks.frames[hooks.at].first = made;
    return made;
}

void __cyg_profile_func_enter(void *function, void *site) {
    (void)site;
    if (hooks.room == 0)
        return;
    uint32_t frame = hooks.lost == 0 ? frame_of((uint32_t)(uintptr_t)function) : 0;
    if (frame == 0) {
        hooks.lost++;
        return;
    }
    hooks.at = frame;
    hooks.frames[frame].calls++;
    hooks.frames[frame].since = counter_now();
}

void __cyg_profile_func_exit(void *function, void *site) {
    (void)site;
    (void)function;
    if (hooks.room == 0)
        return;
    uint64_t now = counter_now();
    if (hooks.lost != 0) {
        hooks.lost--;
        return;
    }
    struct frame *frame = &hooks.frames[hooks.at];
    frame->total += now - frame->since;
    hooks.at = frame->parent;
}

static void forget(void) {
    memset(&hooks.frames[0], 0, sizeof hooks.frames[0]);
    hooks.count = 1;
    hooks.at = hooks.lost = 0;
    hooks.full = false;
}

/* The first pairs fill caches, so only the second half of them counts. */
static void calibrate(void) {
    void (*volatile const enter)(void *, void *) = __cyg_profile_func_enter;
    void (*volatile const leave)(void *, void *) = __cyg_profile_func_exit;
    uint64_t begin = 0;
    counter_restart();
    for (uint32_t i = 0; i < 2 * TRIES; i++) {
        if (i == TRIES) {
            hooks.frames[1].total = 0;
            begin = counter_now();
        }
        enter(&hooks, NULL);
        leave(&hooks, NULL);
    }
    hooks.pair = (uint32_t)(counter_now() - begin) / TRIES;
    hooks.inside = (uint32_t)hooks.frames[1].total / TRIES;
}

void hooks_begin(struct harness_area_used area) {
    memset(&hooks, 0, sizeof hooks);
    hooks.frames = (struct frame *)(uintptr_t)area.address;
    hooks.room = area.size_bytes / sizeof *hooks.frames;
    if (hooks.room < 2) {
        hooks.room = 0;
        return;
    }
    forget();
    calibrate();
    forget();
}

bool hooks_end(void) {
    for (uint32_t i = 1; i < hooks.count; i++) {
        const struct frame *of = &hooks.frames[i];
        result_begin(RECORD_FRAME, RESULT_FRAME_BYTES);
        result_word(i);
        result_word(of->parent);
        result_word(of->function);
        result_word(of->calls);
        result_bytes(&of->total, sizeof of->total);
        result_word(hooks.pair);
        result_word(hooks.inside);
        result_end();
    }
    hooks.room = 0;
    return !hooks.full;
}
