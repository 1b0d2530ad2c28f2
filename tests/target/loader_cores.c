/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the loader for two M33 (AN521): both run one image at the same time, each with
 * an instance of its own; then one instance in turns, under a lock of the firmware. Core 0 prints
 * and exits as loader_test.c does.
 */
#include "loader_kit.h"

#include <string.h>

enum { RUNS = 200 };

static struct core {
    ai_handle net;
    uint32_t ram[512];
    int32_t activations[IMAGE_ACTS_BYTES / 4];
    volatile uint32_t runs, wrong, refused;
} cores[2];

static volatile uint32_t stage;

static void barrier(void) {
    __asm__ volatile("dmb" ::: "memory");
}

static void enter(uint32_t number) {
    barrier();
    stage = number;
    barrier();
}

static void wait_for(uint32_t number) {
    while (stage < number)
        ;
    barrier();
}

static bool load(struct core *own) {
    ai_rel_network_info info;
    ai_rel_network_load_args args = {.obj = image_one_start,
                                     .obj_size = SIZE_OF(image_one),
                                     .ram_addr = own->ram,
                                     .ram_size = sizeof own->ram,
                                     .mode = AI_RELOC_RT_LOAD_MODE_XIP};
    const ai_handle activations[] = {own->activations};
    if (ai_rel_network_rt_get_info_sized(args.obj, args.obj_size, &info) != 0 ||
        ai_rel_network_load_and_create_sized(&args, &own->net, NULL) != 0)
        return false;
    return ai_rel_network_init(own->net, &info.weights, activations);
}

/* Runs once. Returns how often the instance has run, computed from the first output; 0 if the run
 * failed, -1 if an output is wrong. */
static int32_t run(ai_handle net, int32_t seed) {
    int32_t in_data[IMAGE_ELEMENTS], out_data[IMAGE_ELEMENTS];
    ai_buffer in = {.size = IMAGE_ELEMENTS, .data = in_data};
    ai_buffer out = {.size = IMAGE_ELEMENTS, .data = out_data};
    for (int32_t i = 0; i < IMAGE_ELEMENTS; i++)
        in_data[i] = seed * 100 + i;
    if (ai_rel_network_run(net, &in, &out) != 1)
        return 0;
    int32_t count = out_data[0] - in_data[0] - ID_ONE + 1;
    for (int32_t i = 0; i < IMAGE_ELEMENTS; i++)
        if (out_data[i] != in_data[i] * (i + 1) + ID_ONE + count - 1)
            return -1;
    return count;
}

/* Runs until both cores have completed RUNS runs, so that neither runs alone. */
static void run_together(uint32_t number) {
    struct core *own = &cores[number], *other = &cores[1 - number];
    while (own->runs < RUNS || other->runs < RUNS) {
        if (run(own->net, (int32_t)number + 1) != (int32_t)own->runs + 1)
            own->wrong++;
        own->runs++;
    }
}

/* ---- one instance ---- */

/* The firmware supplies the lock, because the loader's mark excludes only callers on the same core.
 */
static uint32_t shared_lock;

static void lock(void) {
    uint32_t seen, failed;
    do
        __asm__ volatile("ldrex %0, [%2]\n\t"
                         "cmp %0, #0\n\t"
                         "ite eq\n\t"
                         "strexeq %1, %3, [%2]\n\t"
                         "movne %1, #1"
                         : "=&r"(seen), "=&r"(failed)
                         : "r"(&shared_lock), "r"(1)
                         : "cc", "memory");
    while (failed != 0);
    barrier();
}

static void unlock(void) {
    barrier();
    *(volatile uint32_t *)&shared_lock = 0;
}

static volatile int32_t shared_count;

static void run_in_turns(uint32_t number) {
    struct core *own = &cores[number], *other = &cores[1 - number];
    while (own->runs < RUNS || other->runs < RUNS) {
        lock();
        int32_t expected = shared_count + 1;
        if (run(cores[0].net, (int32_t)number + 1) != expected)
            own->wrong++;
        shared_count = expected;
        unlock();
        own->runs++;
    }
}

/* While core 0 is inside run, core 1 gets the error for an instance in use. */
static ai_u32 on_node(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    (void)cookie, (void)flags;
    if (node->c_idx == 0) {
        enter(3);
        wait_for(4);
    }
    return 0;
}

/* ---- core 1 ---- */

static uint8_t stack[8192] __attribute__((aligned(8)));

static void second(void) {
    if (!load(&cores[1]))
        cores[1].wrong++;
    enter(1);
    run_together(1);
    wait_for(3);
    cores[1].refused = run(cores[0].net, 9) == 0;
    enter(4);
    wait_for(5);
    run_in_turns(1);
    enter(6);
    for (;;)
        __asm__ volatile("wfi");
}

static void second_fault(void) {
    port_print("FAULT on core 1\n");
    cores[1].wrong++;
    for (;;)
        ;
}

__attribute__((aligned(128))) static const struct {
    uint8_t *stack;
    void (*handlers[15])(void);
} second_vectors = {
    stack + sizeof stack,
    {second, second_fault, second_fault, second_fault, second_fault, second_fault, second_fault}};

/* ---- core 0 ---- */

#define SYSTEM_WORD(offset) (*(volatile uint32_t *)(UINT32_C(0x50021000) + (offset)))
enum { INITSVTOR1 = 0x114, CPUWAIT = 0x118 }; /* SSE-200's system control */

int main(void) {
    CHECK(load(&cores[0]));
    SYSTEM_WORD(INITSVTOR1) = (uint32_t)&second_vectors;
    SYSTEM_WORD(CPUWAIT) = 0;
    wait_for(1);
    run_together(0);
    CHECK(cores[0].wrong == 0 && cores[1].wrong == 0);

    CHECK(ai_rel_platform_observer_register(cores[0].net, on_node, NULL, AI_OBSERVER_PRE_EVT));
    CHECK(run(cores[0].net, 4) == (int32_t)cores[0].runs + 1 && cores[1].refused == 1);
    CHECK(ai_rel_platform_observer_unregister(cores[0].net, on_node, NULL));

    int32_t before = shared_count = (int32_t)cores[0].runs + 1;
    cores[0].runs = cores[1].runs = 0;
    enter(5);
    run_in_turns(0);
    wait_for(6);
    CHECK(cores[0].wrong == 0 && cores[1].wrong == 0);
    CHECK(shared_count - before == (int32_t)(cores[0].runs + cores[1].runs));
    return kit_result();
}
