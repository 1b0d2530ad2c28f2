/* SPDX-License-Identifier: Apache-2.0 */
/* What the test firmwares share: see npu_loader_kit.h. */
#include "npu_loader_kit.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "mcu_cache.h"
#include "npu_cache.h"
#include "npu_loader_config.h"

unsigned kit_failures;

void kit_check(bool good, const char *what, unsigned line) {
    if (good)
        return;
    kit_failures++;
    port_print("FAILED line ");
    port_print_u32(line);
    port_print(": ");
    port_print(what);
    port_print("\n");
}

int kit_result(void) {
    port_print(kit_failures == 0 ? "passed\n" : "failed\n");
    return kit_failures > 255 ? 255 : (int)kit_failures;
}

/* ---- arena ---- */

enum { FILL = 0x5A };
#define SHADOW_START UINT32_C(0x78000000)

uint8_t *at(uint32_t address) {
    return (uint8_t *)(uintptr_t)address;
}

void arena_keep(void) {
    memcpy(at(SHADOW_START), at(ARENA_START), ARENA_BYTES);
}

void arena_reset(const uint8_t *image, uint32_t size) {
    memset(at(ARENA_START), FILL, ARENA_BYTES);
    memcpy(at(IMAGE_START), image, size);
    memcpy(at(PARAMS_START), image_params_start, SIZE_OF(image_params));
    arena_keep();
}

/* Eight words at a time: on an emulator, memcmp's loop was most of what the mutations cost. */
bool arena_same(void) {
    const uint32_t *a = (const uint32_t *)ARENA_START, *b = (const uint32_t *)SHADOW_START;
    uint32_t differ = 0;
    for (size_t i = 0; i < ARENA_BYTES / sizeof *a; i += 8)
        differ |= (a[i] ^ b[i]) | (a[i + 1] ^ b[i + 1]) | (a[i + 2] ^ b[i + 2]) |
                  (a[i + 3] ^ b[i + 3]) | (a[i + 4] ^ b[i + 4]) | (a[i + 5] ^ b[i + 5]) |
                  (a[i + 6] ^ b[i + 6]) | (a[i + 7] ^ b[i + 7]);
    return differ == 0;
}

void arena_forget(uint32_t start, uint32_t size) {
    memcpy(at(start - ARENA_START + SHADOW_START), at(start), size);
}

/* ---- caches ---- */

enum { EVENTS = 32 };
static struct event events[EVENTS];
static uint32_t event_count;

void (*kit_hook)(void);

static void note(char kind, uint32_t start, uint32_t size) {
    struct event event = {kind, start, size};
    if (kit_hook != NULL)
        kit_hook();
    if (event_count < EVENTS)
        events[event_count++] = event;
}

void events_reset(void) {
    event_count = 0;
}

bool events_were(const struct event *expected, uint32_t count) {
    bool good = count == event_count;
    for (uint32_t i = 0; i < count && good; i++)
        good = expected[i].kind == events[i].kind && expected[i].start == events[i].start &&
               expected[i].size == events[i].size;
    for (uint32_t i = 0; i < event_count && !good; i++) {
        char kind[] = {events[i].kind, ' ', 0};
        port_print(kind);
        port_print_u32(events[i].start);
        port_print(" ");
        port_print_u32(events[i].size);
        port_print("\n");
    }
    return good;
}

uint32_t test_cpuid(void) {
    if (kit_hook != NULL)
        kit_hook();
    return *(volatile uint32_t *)0xE000ED00u;
}

void test_icache_invalidate(uint32_t address, uint32_t size) {
    note('I', address, size);
}

int mcu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    note('D', start_addr, end_addr - start_addr);
    return 0;
}

int mcu_cache_clean_range(uint32_t start_addr, uint32_t end_addr) {
    note(port_r9() == PORT_R9 ? 'c' : 'x', start_addr, end_addr - start_addr);
    __asm__ volatile("mov r9, #0" : : : "cc"); /* the image saves its own */
    return 0;
}

int mcu_cache_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    note('i', start_addr, end_addr - start_addr);
    return 0;
}

void npu_cache_clean_range(uint32_t start_addr, uint32_t end_addr) {
    note('n', start_addr, end_addr - start_addr);
}

void npu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    note('N', start_addr, end_addr - start_addr);
}

void test_fatal(void) {
    CHECK(false);
}

unsigned log_lines;

int test_log(const char *format, ...) {
    log_lines += strlen(format) != 0;
    return 0;
}

/* ---- the pack's library, of which the loader's table has the addresses ---- */

unsigned concat_calls, concat_r9;
int concat_result;

/* The image calls LL_ATON_LIB_Concat only: six arguments, of which two are on the stack. */
static int library(const char *function, ...) {
    static const int expected[] = {0, 2, 0, 3, 44, 55};
    va_list arguments;
    bool good = strcmp(function, "LL_ATON_LIB_Concat") == 0;
    va_start(arguments, function);
    for (unsigned i = 0; i < 6 && good; i++) {
        int argument = va_arg(arguments, int);
        good = expected[i] == 0 || argument == expected[i];
    }
    va_end(arguments);
    concat_calls += good;
    concat_r9 = port_r9();
    return concat_result;
}

#define ARGUMENTS(...) __VA_ARGS__
#define X(kind, member, function, parameters, arguments)                                           \
    int function parameters {                                                                      \
        return library(#function, ARGUMENTS arguments);                                            \
    }
LL_ATON_LIB_FUNCTIONS(X)
#undef X

/* ---- installing ---- */

const ll_aton_reloc_region kit_regions[] = {{COPY_START, 0x1000},
                                            {COPY_RO, 0x1000},
                                            {RESET_START, 0x1000},
                                            {0, 0},
                                            {0, UINT32_MAX}}; /* behind the end: not read */

ll_aton_reloc_install_args args_for(uint32_t size, uint32_t mode, ll_aton_reloc_config *config) {
    ll_aton_reloc_info info;
    ll_aton_reloc_install_args args = {
        .file_ptr = IMAGE_START, .file_size = size, .config = config};
    CHECK(ll_aton_reloc_get_info_sized(IMAGE_START, size, &info) == 0);
    memset(config, 0, sizeof *config);
    config->exec_ram_addr = RAM_START;
    config->exec_ram_size = mode & AI_RELOC_RT_LOAD_MODE_XIP ? info.rt_ram_xip : info.rt_ram_copy;
    config->ext_ram_addr = EXT_START;
    config->ext_ram_size = info.ext_ram_sz;
    config->mode = mode;
    return args;
}

uint32_t image_word(uint32_t offset) {
    uint32_t word;
    memcpy(&word, at(IMAGE_START + offset), 4);
    return word;
}

void put_image_word(uint32_t offset, uint32_t word) {
    memcpy(at(IMAGE_START + offset), &word, 4);
}

uint32_t random_u32(void) {
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

uint32_t random_word(uint32_t old, uint32_t bytes) {
    static const uint32_t edges[] = {0,           1,           8,           0x0FFFFFFFu,
                                     0x20000000u, 0x40000000u, 0x4FFFFFFCu, 0x80000000u,
                                     0x90000000u, 0x8FFFFFFCu, COPY_START,  UINT32_MAX};
    switch (random_u32() % 6) {
    case 0:
        return edges[random_u32() % (sizeof edges / sizeof edges[0])];
    case 1:
        return old + 8 - random_u32() % 17;
    case 2:
        return old ^ 1u << random_u32() % 32;
    case 3:
        return image_word(random_u32() % (bytes / 4) * 4);
    case 4:
        return (old & 0xF0000000u) | random_u32() % (bytes + 8);
    default:
        return random_u32();
    }
}

bool filled_with(uint32_t start, uint32_t size, int value) {
    for (uint32_t i = 0; i < size; i++)
        if (*at(start + i) != (uint8_t)value)
            return false;
    return true;
}

bool has_params(uint32_t start, uint32_t foff, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (*at(start + i) != IMAGE_PARAM(foff + i))
            return false;
    return true;
}
