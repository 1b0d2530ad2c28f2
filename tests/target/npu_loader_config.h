/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Neural-ART loader's settings in its own tests. D-cache and NPU cache go through the pack's
 * functions to the platform's, which the test firmware defines (npu_loader_kit.c). Pools may be in
 * the regions of a table, with NPU_LOADER_DEFAULT where they may be by default, with
 * NPU_LOADER_ALT anywhere.
 */
#ifndef NPU_LOADER_CONFIG_H
#define NPU_LOADER_CONFIG_H

#include <stdint.h>

void test_icache_invalidate(uint32_t address, uint32_t size);
void test_fatal(void);
int test_log(const char *format, ...);
uint32_t test_cpuid(void);

#define LL_ATON_RELOC_ICACHE_INVALIDATE(address, size) test_icache_invalidate(address, size)
#define LL_ATON_RELOC_FATAL()                          test_fatal()
#define LL_ATON_RELOC_READ_CPUID()                     test_cpuid()
#if !defined(NPU_LOADER_ALT) && !defined(NPU_LOADER_DEFAULT)
#define LL_ATON_RELOC_REGIONS kit_regions
#endif
#ifdef NPU_LOADER_ALT
#define LL_ATON_RELOC_ANY_REGION
#define LL_ATON_RELOC_REQUIRE_TRAILER
#define LL_ATON_RELOC_CPUID_SUPERSET
#define LL_ATON_RELOC_FIRMWARE_R9
#define LL_ATON_RELOC_NPU_CACHE_ALWAYS
#define AI_RELOC_LOG test_log
#endif

#endif
