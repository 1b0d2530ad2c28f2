/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger as the firmware's host, on a board: see host.h and mailbox.h. Debuggers read and write
 * memory behind the back of the core's caches, so the data cache is written back and emptied before
 * the firmware waits, and instructions are fetched anew afterwards.
 */
#include "mailbox.h"

#include <string.h>

#include "harness.h"
#include "host.h"
#include "reloc_core.h"

/* Defined on the linker's command line, as the stack is: the block of results. */
extern uint8_t harness_buffer[], harness_buffer_end[], harness_plan_end[];
/* By the linker's own script. */
extern uint8_t __bss_start__[], __bss_end__[];

__attribute__((aligned(32))) volatile uint32_t relocpack_mailbox[MAILBOX_BYTES / 4];

static uint32_t block_bytes;

#define SCS(offset) (*(volatile uint32_t *)(uintptr_t)(UINT32_C(0xE000E000) + (offset)))
enum {
    SCS_SYSTICK = 0x010,
    SCS_ICER = 0x180, /* 16 words: switches interrupts off, */
    SCS_ICPR = 0x280, /* and forgets those that are pending */
    SCS_MPU_CTRL = 0xD94,
    SCS_CLIDR = 0xD78,
    SCS_CCSIDR = 0xD80,
    SCS_CSSELR = 0xD84,
    SCS_CCR = 0xD14,
    SCS_ICIALLU = 0xF50,
    SCS_DCISW = 0xF60, /* drops a line of the data cache, by set and way */
    SCS_DCCIMVAC = 0xF70,
    SCS_DCCISW = 0xF74 /* writes a line back and drops it */
};
#define CCR_DC (UINT32_C(1) << 16)
#define CCR_IC (UINT32_C(1) << 17)

static void barrier(void) {
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

/* ---- caches ---- */

static bool has_caches(void) {
    return (SCS(SCS_CLIDR) & 7u) != 0;
}

/* Writes every set and way of the first level's data cache to a register. */
static void for_each_line(uint32_t operation) {
    SCS(SCS_CSSELR) = 0;
    barrier();
    uint32_t size = SCS(SCS_CCSIDR);
    uint32_t line_shift = (size & 7u) + 4u;
    uint32_t sets = (size >> 13 & 0x7FFFu) + 1u, ways = (size >> 3 & 0x3FFu) + 1u;
    uint32_t way_shift = ways > 1 ? (uint32_t)__builtin_clz(ways - 1u) : 0;
    for (uint32_t set = 0; set < sets; set++)
        for (uint32_t way = 0; way < ways; way++)
            SCS(operation) = (ways > 1 ? way << way_shift : 0) | set << line_shift;
    barrier();
}

static void publish_memory(void) {
    if (has_caches() && (SCS(SCS_CCR) & CCR_DC) != 0)
        for_each_line(SCS_DCCISW);
    barrier();
}

static void fetch_memory(void) {
    if (has_caches() && (SCS(SCS_CCR) & CCR_IC) != 0)
        SCS(SCS_ICIALLU) = 0;
    barrier();
}

#ifdef HARNESS_ENABLE_CACHES
static void enable_caches(void) {
    if (!has_caches())
        return;
    SCS(SCS_ICIALLU) = 0;
    barrier();
    SCS(SCS_CCR) |= CCR_IC;
    if ((SCS(SCS_CCR) & CCR_DC) == 0) {
        for_each_line(SCS_DCISW); /* after a reset its contents are unknown */
        SCS(SCS_CCR) |= CCR_DC;
    }
    barrier();
}
#endif

/* ---- turns ---- */

/*
 * The waiting loop. r0: address of GO; r1: the turn; r2: the register that drops a cache line, or a
 * word of no importance. The breakpoint of the host is on its first instruction.
 */
__attribute__((naked, noinline)) static void
wait_for_go(__attribute__((unused)) volatile const uint32_t *go,
            __attribute__((unused)) uint32_t turn,
            __attribute__((unused)) volatile uint32_t *drop_line) {
    __asm__ volatile(".global harness_wait\n"
                     "harness_wait: nop\n\t"
                     "str r0, [r2]\n\t"
                     "dsb\n\t"
                     "ldr r3, [r0]\n\t"
                     "cmp r3, r1\n\t"
                     "bne harness_wait\n\t"
                     "isb\n\t"
                     "bx lr");
}
extern const uint8_t harness_wait[];

static uint32_t address_of(const volatile void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

static void turn(enum harness_mailbox_state state, uint32_t status) {
    volatile uint32_t *words = relocpack_mailbox;
    static volatile uint32_t nowhere;
    bool cached = has_caches() && (SCS(SCS_CCR) & CCR_DC) != 0;
    const uint32_t next = words[MAILBOX_TURN / 4] + 1u;
    const uint32_t fixed[] = {MAILBOX_MAGIC_WORD,
                              MAILBOX_VERSION_NOW,
                              next,
                              (uint32_t)state,
                              status,
                              address_of(harness_wait) & ~UINT32_C(1),
                              address_of(harness_plan),
                              address_of(harness_plan_end) - address_of(harness_plan),
                              address_of(harness_buffer),
                              address_of(harness_buffer_end) - address_of(harness_buffer),
                              block_bytes,
                              reloc_crc32(0, harness_buffer, block_bytes)};
    for (uint32_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        words[i] = fixed[i];
    words[MAILBOX_CRC / 4] =
        reloc_crc32(0, (const uint8_t *)(uintptr_t)relocpack_mailbox, MAILBOX_CRC);
    publish_memory();
    wait_for_go(&words[MAILBOX_GO / 4], next, cached ? &SCS(SCS_DCCIMVAC) : &nowhere);
    fetch_memory();
    block_bytes = 0;
}

static bool plan_arrived(void) {
    uint32_t bytes = relocpack_mailbox[MAILBOX_PLAN_BYTES / 4];
    return bytes <= address_of(harness_plan_end) - address_of(harness_plan) &&
           reloc_crc32(0, harness_plan, bytes) == relocpack_mailbox[MAILBOX_PLAN_CRC / 4];
}

void host_next(uint32_t status) {
    turn(status == HARNESS_EXIT_FAULT ? MAILBOX_OVER : MAILBOX_READY, status);
    while (!plan_arrived())
        turn(MAILBOX_READY, HARNESS_EXIT_PLAN);
}

/* ---- the firmware's host ---- */

void host_begin(void) {
    memset(__bss_start__, 0, (size_t)(__bss_end__ - __bss_start__));
    SCS(SCS_SYSTICK) = 0;
    for (uint32_t i = 0; i < 16; i++) {
        SCS(SCS_ICER + 4 * i) = UINT32_MAX;
        SCS(SCS_ICPR + 4 * i) = UINT32_MAX;
    }
    SCS(SCS_MPU_CTRL) = 0;
#ifdef HARNESS_ENABLE_CACHES
    enable_caches();
#endif
    barrier();
}

void host_print(const char *text) {
    (void)text;
}

void host_print_hex(const char *label, uint32_t value) {
    (void)label;
    (void)value;
}

bool host_open(void) {
    block_bytes = 0;
    return true;
}

bool host_write(const void *data, uint32_t size) {
    const uint8_t *from = (const uint8_t *)data;
    const uint32_t room = address_of(harness_buffer_end) - address_of(harness_buffer);
    while (size != 0) {
        uint32_t part = room - block_bytes < size ? room - block_bytes : size;
        memcpy(harness_buffer + block_bytes, from, part);
        block_bytes += part;
        from += part;
        size -= part;
        if (block_bytes == room)
            turn(MAILBOX_MORE, HARNESS_EXIT_NONE);
    }
    return true;
}

bool host_close(void) {
    return true;
}
