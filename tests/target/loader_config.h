/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader's settings in its own tests: the test firmware supplies heap and cache maintenance.
 * LOADER_ALT selects all other choices (loader_alt.c). LOADER_LEVELS selects what callers without
 * privilege need (loader_levels.c): variables in place of the core's registers, and privileged
 * calls for its caches.
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
#elif defined(LOADER_LEVELS)
extern uint32_t levels_cpuid; /* CPUID */
extern uint32_t levels_cpacr; /* CPACR if all code may use the FPU, else 0 */
void levels_dcache_clean(const void *address, uint32_t size);
void levels_icache_invalidate(const void *address, uint32_t size);
#define AI_RELOC_NO_MALLOC
#define AI_RELOC_READ_CPUID()                     levels_cpuid
#define AI_RELOC_READ_CPACR()                     levels_cpacr
#define AI_RELOC_DCACHE_CLEAN(address, size)      levels_dcache_clean(address, size)
#define AI_RELOC_ICACHE_INVALIDATE(address, size) levels_icache_invalidate(address, size)
#else
#define AI_RELOC_MALLOC(size)                     test_malloc(size)
#define AI_RELOC_FREE(address)                    test_free(address)
#define AI_RELOC_DCACHE_CLEAN(address, size)      test_dcache_clean(address, size)
#define AI_RELOC_ICACHE_INVALIDATE(address, size) test_icache_invalidate(address, size)
#endif

#endif
