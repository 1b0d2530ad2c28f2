/* SPDX-License-Identifier: Apache-2.0 */
/* Turns and results through a mailbox: see turn.h. */
#include "turn.h"

#include <string.h>

#include "harness.h"
#include "host.h"
#include "format/reloc_core.h"

extern volatile uint32_t relocpack_mailbox[];
__attribute__((aligned(32))) volatile uint32_t relocpack_mailbox[MAILBOX_BYTES / 4];

static struct {
    const struct turn_settings *settings;
    uint32_t block_bytes; /* in the buffer */
    bool lost;            /* the host did not answer in time */
} turn;

/* ---- caches ---- */

#define SCS(offset) (*(volatile uint32_t *)(uintptr_t)(UINT32_C(0xE000E000) + (offset)))
enum {
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

static bool has_caches(void) {
    return (SCS(SCS_CLIDR) & 7u) != 0;
}

static bool uses_cache(uint32_t which) {
    return has_caches() && (SCS(SCS_CCR) & which) != 0;
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

static void empty_data_cache(void) {
    if (uses_cache(CCR_DC))
        for_each_line(SCS_DCCISW);
    barrier();
}

/* Between two looks, lines of memory that the host has written may have come back. */
static void fetch_memory(void) {
    empty_data_cache();
    if (uses_cache(CCR_IC))
        SCS(SCS_ICIALLU) = 0;
    barrier();
}

void turn_enable_caches(void) {
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

/* ---- turns ---- */

static uint32_t address_in_memory(const volatile void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

static void set_word(uint32_t at, uint32_t value) {
    relocpack_mailbox[at / 4] = value;
}

/*
 * Whether *go is turn. drop_line: the register that drops a cache line, or a word of no importance.
 * The host's breakpoint is on the first instruction.
 */
__attribute__((naked, noinline, noclone)) static bool
look(__attribute__((unused)) volatile const uint32_t *go, __attribute__((unused)) uint32_t number,
     __attribute__((unused)) volatile uint32_t *drop_line) {
    __asm__ volatile(".syntax unified\n\t"
                     ".global relocpack_wait\n"
                     "relocpack_wait: nop\n\t"
                     "str r0, [r2]\n\t"
                     "dsb\n\t"
                     "ldr r3, [r0]\n\t"
                     "subs r0, r3, r1\n\t"
                     "negs r1, r0\n\t" /* carry only for 0 */
                     "adcs r0, r0, r1\n\t"
                     "bx lr");
}
extern const uint8_t relocpack_wait[];

void turn_begin(const struct turn_settings *settings) {
    turn.settings = settings;
    memset((void *)(uintptr_t)relocpack_mailbox, 0, MAILBOX_BYTES);
    set_word(MAILBOX_MAGIC, MAILBOX_MAGIC_WORD);
    set_word(MAILBOX_VERSION, MAILBOX_VERSION_NOW);
    set_word(MAILBOX_WAIT, address_in_memory(relocpack_wait) & ~UINT32_C(1));
    set_word(MAILBOX_PLAN, address_in_memory(harness_plan));
    set_word(MAILBOX_PLAN_ROOM, settings->plan_room);
    set_word(MAILBOX_BUFFER, address_in_memory(settings->buffer));
    set_word(MAILBOX_BUFFER_ROOM, settings->buffer_room);
    set_word(MAILBOX_CLOCK_HZ, settings->clock_hz);
    set_word(MAILBOX_IMAGES, settings->images);
    set_word(MAILBOX_AREA_COUNT, settings->area_count);
    for (uint32_t i = 0; i < settings->area_count; i++) {
        const uint32_t at = MAILBOX_AREAS + i * MAILBOX_AREA_BYTES;
        set_word(at + MAILBOX_AREA_ADDRESS, settings->areas[i].address);
        set_word(at + MAILBOX_AREA_SIZE, settings->areas[i].size_bytes);
        set_word(at + MAILBOX_AREA_FLAGS, settings->areas[i].flags);
    }
}

void turn_offer(enum harness_mailbox_state state, uint32_t status) {
    set_word(MAILBOX_TURN, relocpack_mailbox[MAILBOX_TURN / 4] + 1u);
    set_word(MAILBOX_STATE, (uint32_t)state);
    set_word(MAILBOX_STATUS, status);
    set_word(MAILBOX_BLOCK_BYTES, turn.block_bytes);
    set_word(MAILBOX_BLOCK_CRC, reloc_crc32(0, turn.settings->buffer, turn.block_bytes));
    set_word(MAILBOX_CRC,
             reloc_crc32(0, (const uint8_t *)(uintptr_t)relocpack_mailbox, MAILBOX_CRC));
    empty_data_cache();
}

bool turn_is_answered(void) {
    static volatile uint32_t nowhere;
    volatile uint32_t *drop_line = uses_cache(CCR_DC) ? &SCS(SCS_DCCIMVAC) : &nowhere;
    if (!look(&relocpack_mailbox[MAILBOX_GO / 4], relocpack_mailbox[MAILBOX_TURN / 4], drop_line))
        return false;
    fetch_memory();
    turn.block_bytes = 0;
    return true;
}

bool turn_has_plan(void) {
    const uint32_t bytes = relocpack_mailbox[MAILBOX_PLAN_BYTES / 4];
    return bytes <= turn.settings->plan_room &&
           reloc_crc32(0, harness_plan, bytes) == relocpack_mailbox[MAILBOX_PLAN_CRC / 4];
}

/* ---- results ---- */

/* A full block. False: the host has gone, and what follows is dropped. */
static bool hand_over(void) {
    turn_offer(MAILBOX_MORE, HARNESS_EXIT_NONE);
    for (uint32_t looks = 0; !turn_is_answered(); looks++)
        if (turn.settings->patience != 0 && looks == turn.settings->patience)
            return false;
    return true;
}

bool host_open(void) {
    turn.block_bytes = 0;
    turn.lost = false;
    return true;
}

bool host_write(const void *data, uint32_t size) {
    const uint8_t *from = (const uint8_t *)data;
    const uint32_t room = turn.settings->buffer_room;
    while (size != 0 && !turn.lost) {
        uint32_t part = room - turn.block_bytes < size ? room - turn.block_bytes : size;
        memcpy(turn.settings->buffer + turn.block_bytes, from, part);
        turn.block_bytes += part;
        from += part;
        size -= part;
        turn.lost = turn.block_bytes == room && !hand_over();
    }
    return !turn.lost;
}

bool host_close(void) {
    return !turn.lost;
}

void host_print(const char *text) {
    (void)text;
}

void host_print_hex(const char *label, uint32_t value) {
    (void)label;
    (void)value;
}
