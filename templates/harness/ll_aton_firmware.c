/* SPDX-License-Identifier: Apache-2.0 */
/* What LL_ATON expects of a firmware, on an emulated board. */
#include <stdint.h>

#include "host.h"
#include "ll_aton_settings.h"

#include "ll_aton_rt_user_api.h"

/*
 * The emulated boards have no caches. A range that no model can mean still shows: one that ends
 * before it starts, or begins at NULL.
 */
static int check_range(uint32_t start, uint32_t end) {
    if (start > end || start < 0x400)
        ll_aton_fatal();
    return 0;
}

int mcu_cache_invalidate(void) {
    return 0;
}

int mcu_cache_clean(void) {
    return 0;
}

int mcu_cache_clean_invalidate(void) {
    return 0;
}

int mcu_cache_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    return check_range(start_addr, end_addr);
}

int mcu_cache_clean_range(uint32_t start_addr, uint32_t end_addr) {
    return check_range(start_addr, end_addr);
}

int mcu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    return check_range(start_addr, end_addr);
}

void npu_cache_invalidate(void) {}

void npu_cache_clean_range(uint32_t start_addr, uint32_t end_addr) {
    (void)check_range(start_addr, end_addr);
}

void npu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    (void)check_range(start_addr, end_addr);
}

/* An undefined instruction: the harness reports the step, the host the text that was printed. */
void ll_aton_fatal(void) {
    host_print("harness: LL_ATON stopped the model\n");
    __builtin_trap();
}

/* assert() of the C library, for which the harness has no streams. */
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *text);
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *text) {
    (void)line;
    (void)function;
    host_print("harness: ");
    host_print(file);
    host_print(": assertion failed: ");
    host_print(text);
    host_print("\n");
    __builtin_trap();
}
