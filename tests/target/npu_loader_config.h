/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Neural-ART loader's settings in its own tests. D-cache and NPU cache go through the pack's
 * functions to the platform's, which the test firmware defines (npu_loader_kit.c).
 */
#ifndef NPU_LOADER_CONFIG_H
#define NPU_LOADER_CONFIG_H

#include <stdint.h>

void test_icache_invalidate(uint32_t address, uint32_t size);
void test_fatal(void);
int test_log(const char *format, ...);

#define LL_ATON_RELOC_ICACHE_INVALIDATE(address, size) test_icache_invalidate(address, size)
#define LL_ATON_RELOC_FATAL()                          test_fatal()
#ifdef NPU_LOADER_ALT
#define LL_ATON_RELOC_REQUIRE_TRAILER
#define LL_ATON_RELOC_CPUID_SUPERSET
#define LL_ATON_RELOC_FIRMWARE_R9
#define LL_ATON_RELOC_NPU_CACHE_ALWAYS
#define AI_RELOC_LOG test_log
#endif

#endif
