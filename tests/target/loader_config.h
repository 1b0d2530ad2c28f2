/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader's settings in its own tests: heap and cache maintenance go to the test firmware, or,
 * with LOADER_ALT, every other choice there is (loader_alt.c).
 */
#ifndef LOADER_CONFIG_H
#define LOADER_CONFIG_H

#include <stdint.h>

void *test_malloc(uint32_t size);
void test_free(void *address);
void test_dcache_clean(const void *address, uint32_t size);
void test_icache_invalidate(const void *address, uint32_t size);

#ifdef LOADER_ALT
#define AI_RELOC_CPUID_SUPERSET
#define AI_RELOC_NO_MALLOC
#define AI_RELOC_REQUIRE_TRAILER
#else
#define AI_RELOC_MALLOC(size)                     test_malloc(size)
#define AI_RELOC_FREE(address)                    test_free(address)
#define AI_RELOC_DCACHE_CLEAN(address, size)      test_dcache_clean(address, size)
#define AI_RELOC_ICACHE_INVALIDATE(address, size) test_icache_invalidate(address, size)
#endif

#endif
