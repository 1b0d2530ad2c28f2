/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the loader: what a glitch in one of its instructions does. Each instruction in
 * turn is replaced by NOP, and each branch inverted, for the whole of a load, while images and
 * calls are tried of which every one is refused by one check. Counted are the faults with which any
 * of them is installed (create is reached, or a handle returned), and those with which anything
 * outside the given RAM is written. The MPU lets a load write its RAM, the memory around that, and
 * its stack; a store to anything else is counted as stopped by it. faults.py makes the list of
 * faults, which the emulator puts into memory. Cortex-M4.
 */
#include "loader_faults.h"
#include "loader_trial.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"
#include "semihost.h"

/* ---- the list of faults.py ---- */

enum { PLAN_MAGIC = 0x544C5546, MAX_FAULTS = 6000 };
struct fault {
    uint32_t at;     /* address of the instruction */
    uint16_t put[2]; /* what stands there instead */
    uint32_t bytes;  /* 2 or 4 */
};
struct fault_plan {
    uint32_t magic, count, most_installed, most_outside;
    struct fault faults[MAX_FAULTS];
};
/* The emulator writes it to memory that the firmware does not use otherwise. */
#define fault_plan (*(const struct fault_plan *)FAULT_PLAN_AT)

/* ---- the image and the call ---- */

enum { CREATED = 7 }; /* the SVC of the stub */

const uint8_t *good;
uint32_t good_size;
struct reloc_view good_view;
ai_rel_network_load_args args;
uint8_t *ram;

void seal(void) {
    uint32_t at = good_view.trailer;
    uint8_t *trailer = (uint8_t *)damaged + at;
    reloc_put_le32(trailer, RELOC_TRL_CRC32, reloc_crc32(0, (const uint8_t *)damaged, at));
    reloc_put_le32(trailer, RELOC_TRL_SELF_CRC32, reloc_crc32(0, trailer, RELOC_TRL_SELF_CRC32));
}

/* ---- memory ---- */

/*
 * The functions around a load, which it cannot jump into: they are not executable meanwhile. What
 * is left is call_load, load, and the first instructions after an exception, which turn the MPU
 * off.
 */
#define AROUND __attribute__((section("around_load"), noinline))
__asm__(".section around_load, \"ax\"\n.balign 4096\n.text");
extern const uint8_t __start_around_load[], __stop_around_load[];

/* A load may write its stack, the arena, state and a verifier's memory; anything else is a fault.
 */
enum { FILL = 0x5A5A5A5A, ARENA_WORDS = 8192, ARENA_BEFORE = 512, STACK_BYTES = 8192 };
__attribute__((aligned(4 * ARENA_WORDS))) static uint32_t arena[ARENA_WORDS];
__attribute__((aligned(STACK_BYTES), used)) static uint8_t own_stack[STACK_BYTES];
__asm__(".set own_stack_end, own_stack + 7168");
#define CALLERS (own_stack + 7168) /* where a firmware has the frames of its callers */
__attribute__((aligned(256))) static struct {
    bool created;
    int32_t result;
    ai_handle net;
} state;

__attribute__((aligned(1 << LIST_BYTES_LOG2))) uint8_t list_memory[1 << LIST_BYTES_LOG2];

enum {
    DACCVIOL = 2,
    MPU_CTRL = 0xD94,
    MPU_RNR = 0xD98,
    MPU_RBAR = 0xD9C,
    MPU_RASR = 0xDA0,
    MPU_ON = 5
};
enum {
    MEMORY = 3 << 16 | 1,
    READ_ONLY = 5 << 24 | MEMORY,
    WRITABLE = 3 << 24 | MEMORY,
    NOT_EXECUTABLE = 1 << 28
};

AROUND static void region(uint32_t number, const void *start, uint32_t log2_bytes,
                          uint32_t access) {
    TRIAL_SCS(MPU_RNR) = number;
    TRIAL_SCS(MPU_RBAR) = (uint32_t)(uintptr_t)start;
    TRIAL_SCS(MPU_RASR) = access | (log2_bytes - 1) << 1;
}

AROUND static void guard_memory(void) {
    region(0, (void *)0x00000000, 22, READ_ONLY);
    region(1, (void *)0x20000000, 25, READ_ONLY);
    region(2, arena, 15, WRITABLE);
    region(3, own_stack, 13, WRITABLE);
    region(4, &state, 8, WRITABLE);
    region(5, __start_around_load, 12, READ_ONLY | NOT_EXECUTABLE);
    region(6, list_memory, LIST_BYTES_LOG2, WRITABLE);
}

AROUND static bool outside_written(void) {
    const uint8_t *image = args.obj, *start = args.ram_addr, *end = start + args.ram_size;
    for (const uint32_t *word = arena; word < arena + ARENA_WORDS; word++) {
        const uint8_t *p = (const uint8_t *)word;
        if (*word != FILL && (p < start || p >= end) && (p < image || p >= image + good_size))
            return true;
    }
    return false;
}

/* ---- a load that may end in any way ---- */

/* The board's watchdog, whose interrupt is NMI: a fault may mask the others. */
#define WATCHDOG(offset) (*(volatile uint32_t *)(UINT32_C(0x40008000) + (offset)))
enum { WDOG_LOAD = 0, WDOG_CONTROL = 8, WDOG_INTCLR = 12, WDOG_LOCK = 0xC00 };
enum { WDOG_KEY = 0x1ACCE551, TIME_LIMIT = 1000000 * FAULT_HASHES + 150000 };

AROUND static void limit_time(bool on) {
    WATCHDOG(WDOG_LOCK) = WDOG_KEY;
    WATCHDOG(WDOG_CONTROL) = 0;
    WATCHDOG(WDOG_INTCLR) = 1;
    WATCHDOG(WDOG_LOAD) = TIME_LIMIT;
    WATCHDOG(WDOG_CONTROL) = on ? 1 : 0;
}

__attribute__((used)) static void load(void) {
    TRIAL_SCS(MPU_CTRL) = MPU_ON;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    int32_t code = ai_rel_network_load_and_create_sized(&args, &state.net, NULL);
    state.result = code;
}

static uint32_t main_sp __attribute__((used)), status;

/*
 * Calls load on its own stack, the process stack; exceptions run on the main stack, which is good
 * whatever becomes of the other. Returns whether load returned.
 */
__attribute__((naked, noipa)) static uint32_t call_load(void) {
    __asm__ volatile("push {r3-r11, lr}\n\t"
                     "ldr r0, =main_sp\n\t"
                     "str sp, [r0]\n\t"
                     "ldr r0, =own_stack_end\n\t"
                     "msr psp, r0\n\t"
                     "movs r0, #2\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "bl load\n\t"
                     "ldr r1, =0xE000ED94\n\t" /* the MPU off, before the main stack is used */
                     "movs r0, #0\n\t"
                     "str r0, [r1]\n\t"
                     "dsb\n\t"
                     "msr control, r0\n\t"
                     "isb\n\t"
                     "ldr r0, =main_sp\n\t"
                     "ldr sp, [r0]\n\t"
                     "movs r0, #1\n\t"
                     "pop {r3-r11, pc}\n"
                     "load_failed:\n\t"
                     "movs r0, #0\n\t"
                     "pop {r3-r11, pc}\n\t"
                     ".ltorg");
}
extern uint8_t load_failed[]; /* code, in call_load */

/*
 * Returns NULL where load goes on, or a frame that ends it. The stub's SVC is the only exception
 * after which it does; its number is not looked at, for it may come from anywhere.
 */
AROUND __attribute__((used)) static uint32_t *handle(uint32_t number) {
    if (number == 11) {
        state.created = true;
        return NULL;
    }
    limit_time(false);
    status = number == 4 ? TRIAL_SCS(TRIAL_CFSR) : 0;
    TRIAL_SCS(TRIAL_CFSR) = TRIAL_SCS(TRIAL_CFSR);
    uint32_t *frame = (uint32_t *)(uintptr_t)(main_sp - 32);
    frame[6] = (uint32_t)(uintptr_t)load_failed & ~UINT32_C(1);
    frame[7] = UINT32_C(1) << 24; /* Thumb */
    return frame;
}

__attribute__((naked)) static void exception(void) {
    __asm__ volatile("ldr r0, =0xE000ED94\n\t" /* the MPU off, before anything is written */
                     "movs r1, #0\n\t"
                     "str r1, [r0]\n\t"
                     "dsb\n\tisb\n\t"
                     "ldr r0, =main_sp\n\t" /* a load may have jumped to where MSP is set */
                     "ldr r0, [r0]\n\t"
                     "msr msp, r0\n\t"
                     "isb\n\t"
                     "mrs r0, ipsr\n\t"
                     "push {r4, lr}\n\t"
                     "bl handle\n\t"
                     "pop {r4, lr}\n\t"
                     "cbz r0, 1f\n\t"
                     "msr msp, r0\n\t"
                     "ldr lr, =0xFFFFFFF9\n\t" /* to the main stack, no FPU registers */
                     "bx lr\n"
                     "1:\tldr r0, =0xE000ED94\n\t"
                     "movs r1, #5\n\t"
                     "str r1, [r0]\n\t"
                     "dsb\n\tisb\n\t"
                     "bx lr\n\t"
                     ".ltorg");
}

extern uint8_t harness_handler_stack_end[];
void harness_reset(void);
__attribute__((aligned(128))) static const struct {
    uint8_t *stack;
    void (*handlers[15])(void);
} vectors = {harness_handler_stack_end,
             {harness_reset, exception, exception, exception, exception, exception, exception, 0, 0,
              0, exception, exception, 0, exception, exception}};

AROUND static void catch_exceptions(void) {
    TRIAL_SCS(TRIAL_VTOR) = (uint32_t)(uintptr_t)&vectors;
    TRIAL_SCS(TRIAL_SHCSR) |= 7u << 16;       /* handlers for usage, bus and memory faults */
    TRIAL_SCS(0xF34) &= ~(UINT32_C(3) << 30); /* FPCCR: exceptions save no FPU registers */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* The good image, whose create only tells that it was called; args for it; then made bad. */
AROUND static void prepare(const struct bad *bad, uint32_t mode) {
    memset(arena, FILL & 0xFF, sizeof arena);
    memset(damaged, 0, sizeof damaged);
    memcpy(damaged, good, good_size);
    uint32_t create = HEADER_ENTRY(CREATE) & RELOC_OFFSET_MASK & ~UINT32_C(1);
    static const uint16_t stub[] = {0xDF00 | CREATED, 0x2000, 0x4770}; /* svc; movs r0, #0; bx lr */
    memcpy((uint8_t *)damaged + create, stub, sizeof stub);
    bool copy = mode == AI_RELOC_RT_LOAD_MODE_COPY;
    args = (ai_rel_network_load_args){.obj = damaged,
                                      .obj_size = good_size,
                                      .ram_addr = ram,
                                      .ram_size = copy ? reloc_ram_copy(&good_view)
                                                       : reloc_ram_xip(&good_view),
                                      .mode = mode};
    finish(NULL);
    if (bad != NULL) {
        bad->make();
        finish(bad);
    }
}

enum outcome { REFUSED, INSTALLED = 1, OUTSIDE = 2, CALLERS_FRAME = 4, STRAY = 8 };

AROUND static bool callers_written(void) {
    for (const uint8_t *p = CALLERS; p < own_stack + STACK_BYTES; p++)
        if (*p != (FILL & 0xFF))
            return true;
    return false;
}

AROUND static uint32_t attempt(const struct bad *bad, uint32_t mode) {
    prepare(bad, mode);
    memset(own_stack, FILL & 0xFF, sizeof own_stack);
    state.created = false;
    state.result = AI_RELOC_E_OBJECT;
    state.net = AI_HANDLE_NULL;
    limit_time(true);
    status = 0;
    bool returned = call_load() != 0;
    limit_time(false);
    __asm__ volatile("cpsie i\n\tcpsie f");
    bool installed =
        state.created || (returned && state.result == 0 && state.net != AI_HANDLE_NULL);
    return (installed ? INSTALLED : 0) | (outside_written() ? OUTSIDE : 0) |
           ((status & DACCVIOL) != 0 ? STRAY : 0) | (callers_written() ? CALLERS_FRAME : 0);
}

/* ---- faults ---- */

AROUND static void put(const struct fault *fault, const uint16_t *halves) {
    memcpy((void *)(uintptr_t)fault->at, halves, fault->bytes);
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

AROUND static void report(const struct fault *fault, const struct bad *bad, uint32_t outcome) {
    semihost_print(outcome & INSTALLED ? "installed "
                   : outcome & OUTSIDE ? "outside   "
                   : outcome & STRAY   ? "stray     "
                                       : "callers   ");
    semihost_print(bad->name);
    semihost_print_hex(fault->bytes == 2 ? " " : " wide ", fault->at);
}

/* All bad images and calls, in both modes. Returns what happened at all. */
AROUND static uint8_t try_fault(const struct fault *fault) {
    uint16_t before[2];
    uint32_t all = 0;
    memcpy(before, (const void *)(uintptr_t)fault->at, fault->bytes);
    for (uint32_t i = 0; i < 2 * bad_count; i++) {
        put(fault, fault->put);
        uint32_t outcome = attempt(&bads[i / 2], 1 + i % 2);
        put(fault, before);
        if ((outcome & ~all) != 0)
            report(fault, &bads[i / 2], outcome & ~all);
        all |= outcome;
    }
    return (uint8_t)all;
}

static uint8_t outcomes[MAX_FAULTS];

AROUND int main(void) {
    ram = (uint8_t *)(arena + ARENA_BEFORE);
    good = image_one_start;
    good_size = SIZE_OF(image_one);
    catch_exceptions();
    guard_memory();
    CHECK((uint32_t)__start_around_load % 4096 == 0 &&
          __stop_around_load - __start_around_load <= 4096);
    CHECK(fault_plan.magic == PLAN_MAGIC && fault_plan.count <= MAX_FAULTS);
    CHECK(reloc_core_check(good, good_size, &good_view) == RELOC_OK);
    for (uint32_t mode = AI_RELOC_RT_LOAD_MODE_XIP; mode <= AI_RELOC_RT_LOAD_MODE_COPY; mode++) {
        CHECK(attempt(NULL, mode) == INSTALLED);
        for (uint32_t i = 0; i < bad_count; i++)
            CHECK(attempt(&bads[i], mode) == REFUSED);
    }
    if (kit_failures != 0)
        return kit_result();
    for (uint32_t i = 0; i < fault_plan.count; i++)
        outcomes[i] = try_fault(&fault_plan.faults[i]);
    uint32_t installed = 0, outside = 0, callers = 0, stray = 0;
    for (uint32_t i = 0; i < fault_plan.count; i++) {
        installed += (outcomes[i] & INSTALLED) != 0;
        outside += (outcomes[i] & OUTSIDE) != 0;
        stray += (outcomes[i] & STRAY) != 0;
        callers += (outcomes[i] & CALLERS_FRAME) != 0;
    }
    port_print_u32(fault_plan.count);
    port_print(" faults, ");
    port_print_u32(installed);
    port_print(" install a bad image, ");
    port_print_u32(outside);
    port_print(" write outside, ");
    port_print_u32(stray);
    port_print(" are stopped by the MPU, ");
    port_print_u32(callers);
    port_print(" write to the frames of callers\n");
    CHECK(installed <= fault_plan.most_installed && outside <= fault_plan.most_outside);
    return kit_result();
}
