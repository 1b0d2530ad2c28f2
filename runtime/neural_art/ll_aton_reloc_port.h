/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the Neural-ART loader takes from the firmware, the pack and the core: settings, cache
 * maintenance, identification, the LL_ATON release. Included by ll_aton_reloc_network.c only.
 *
 * Settings, each a macro that the build or the file named by LL_ATON_RELOC_CONFIG may define:
 *   LL_ATON_RELOC_DCACHE_CLEAN(address, size)       of the CPU; default: the pack's function
 *   LL_ATON_RELOC_ICACHE_INVALIDATE(address, size)  of the CPU; default: CMSIS
 *   LL_ATON_RELOC_NPU_CACHE(address, size)          clean and invalidate; default: the pack's
 *   LL_ATON_RELOC_NPU_CACHE_ALWAYS                  also for images without cacheable pools
 *   LL_ATON_RELOC_CPUID_SUPERSET                    also images for a lesser core (TARGET.md)
 *   LL_ATON_RELOC_REQUIRE_TRAILER                   images without one are refused
 *   LL_ATON_RELOC_SIGNED                            only signed images are installed (TARGET.md)
 *   AI_RELOC_SIGNED_WEIGHTS 0                       installing does not verify params
 *   AI_RELOC_VERIFIER                               name of the firmware's verifier
 *   LL_ATON_RELOC_REGIONS                           name of a table in the firmware: where images
 *                                                   may have pools; default: the NPU's memories
 *   LL_ATON_RELOC_ANY_REGION                        anywhere but where it is refused always
 *   LL_ATON_RELOC_STACK_RANGE(low, high)            sets both: where the stack in use is
 *   LL_ATON_RELOC_STACK_BELOW, _STACK_ABOVE         bytes, where nothing tells its ends
 *   LL_ATON_RELOC_READ_CPUID(), _READ_CPACR()       for code that is not privileged
 *   LL_ATON_RELOC_FIRMWARE_R9                       r9 is reserved (ll_aton_reloc_table.h)
 *   LL_ATON_RELOC_CALLBACKS                         address of a table, not the default one
 *   LL_ATON_RELOC_FATAL()                           the image's assertions and errors; else: stop
 *   AI_RELOC_LOG(...)                               printf-like; else log_info does nothing
 *   AI_RELOC_LOG_ENABLE 1                           that is printf, unless NDEBUG is defined
 */
#ifndef LL_ATON_RELOC_PORT_H
#define LL_ATON_RELOC_PORT_H

#include "../ll_aton_reloc_loader.h" /* and the file of settings */

#if defined(LL_ATON_RELOC_REQUIRE_TRAILER) || defined(LL_ATON_RELOC_SIGNED)
#define RELOC_REQUIRE_TRAILER 1
#endif

#include <stdint.h>

#include "ll_aton_caches_interface.h"
#include "ll_aton_version.h"
#include "../format/reloc_core.h"
#include "../loader/reloc_shim.h"

/* ---- log ---- */

#if defined(AI_RELOC_LOG_ENABLE) && !defined(NDEBUG) && !defined(AI_RELOC_LOG)
#if AI_RELOC_LOG_ENABLE == 1
extern int printf(const char *format, ...); /* that header is not needed otherwise */
#define AI_RELOC_LOG(...) printf(__VA_ARGS__)
#endif
#endif

/* ---- the release of LL_ATON: tables and prototypes depend on it ---- */

/*
 * Told apart by the call-back table: 0 for 1.1.0, 1 for 1.1.1, 2 for 1.1.3-8, 3 for 1.1.3-262 and
 * later. 1.1.3 changed the table and the epoch functions between two builds of one version.
 */
enum { GENERATION_1_1_0, GENERATION_1_1_1, GENERATION_1_1_3, GENERATION_1_1_3_NEW };
#define DEV_1_1_3_OLD    8
#define DEV_1_1_3_NEW    262
#define RT_VERSION_1_1_3 UINT32_C(0x01010300)
#ifndef LL_ATON_RELOC_GENERATION
#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1
#define LL_ATON_RELOC_GENERATION (-1)
#elif LL_ATON_VERSION_MICRO == 0
#define LL_ATON_RELOC_GENERATION 0
#elif LL_ATON_VERSION_MICRO == 1
#define LL_ATON_RELOC_GENERATION 1
#elif LL_ATON_VERSION_MICRO == 3 && LL_ATON_VERSION_DEV <= DEV_1_1_3_OLD
#define LL_ATON_RELOC_GENERATION 2
#elif LL_ATON_VERSION_MICRO == 3 && LL_ATON_VERSION_DEV >= DEV_1_1_3_NEW
#define LL_ATON_RELOC_GENERATION 3
#else
#define LL_ATON_RELOC_GENERATION (-1)
#endif
#endif
#if LL_ATON_RELOC_GENERATION < 0
#error                                                                                             \
    "This release of LL_ATON is not known to the loader. Compare struct ll_aton_reloc_callback in \
its ll_aton_reloc_network.h with ll_aton_reloc_table.h: define LL_ATON_RELOC_GENERATION (0 to 3) to \
the release whose prototypes it has, and LL_ATON_RELOC_CALLBACKS to the address of a table of yours."
#endif

#define FIRMWARE_RT_VERSION                                                                        \
    ((uint32_t)LL_ATON_VERSION_MAJOR << 24 | (uint32_t)LL_ATON_VERSION_MINOR << 16 |               \
     (uint32_t)LL_ATON_VERSION_MICRO << 8)

/* ---- how this firmware is compiled, as the image's flags say it ---- */

#if defined(__ARM_FEATURE_CMSE) && (__ARM_FEATURE_CMSE == 3)
enum { FIRMWARE_SECURE = 1 };
#else
enum { FIRMWARE_SECURE = 0 };
#endif

#ifdef LL_ATON_EB_DBG_INFO
enum { FIRMWARE_DBG_INFO = 1 };
#else
enum { FIRMWARE_DBG_INFO = 0 };
#endif

#if defined(LL_ATON_RT_MODE) && (LL_ATON_RT_MODE == LL_ATON_RT_ASYNC)
enum { FIRMWARE_ASYNC = 1 };
#else
enum { FIRMWARE_ASYNC = 0 };
#endif

#ifdef LL_ATON_RELOC_CPUID_SUPERSET
enum { CPUID_SUPERSET = 1 };
#else
enum { CPUID_SUPERSET = 0 };
#endif

#ifdef LL_ATON_RELOC_NPU_CACHE_ALWAYS
enum { NPU_CACHE_ALWAYS = 1 };
#else
enum { NPU_CACHE_ALWAYS = 0 };
#endif

/* ---- the core ---- */

#define CPACR_CP10_CP11 UINT32_C(0x00500000) /* set in both "privileged" (01) and "full" (11) */
#ifndef LL_ATON_RELOC_READ_CPUID
#define LL_ATON_RELOC_READ_CPUID() (*(volatile uint32_t *)UINT32_C(0xE000ED00))
#endif
#ifndef LL_ATON_RELOC_READ_CPACR
#define LL_ATON_RELOC_READ_CPACR() (*(volatile uint32_t *)UINT32_C(0xE000ED88))
#endif

/* ---- the stack: where no pool may be ---- */

#ifndef LL_ATON_RELOC_STACK_BELOW
#define LL_ATON_RELOC_STACK_BELOW 1024
#endif
#ifndef LL_ATON_RELOC_STACK_ABOVE
#define LL_ATON_RELOC_STACK_ABOVE 4096
#endif
#ifndef LL_ATON_RELOC_STACK_RANGE
/*
 * The stack that the loader runs on. It begins at its limit if there is one, else some way below
 * the stack pointer; the main stack of privileged code ends where the first word of the vector
 * table says. The limits read as 0 in code that is not privileged.
 */
static void stack_range(uint32_t *low, uint32_t *high) {
    uint32_t sp, control, limit = 0, top = 0;
    __asm volatile("mov %0, sp" : "=r"(sp));
    __asm volatile("mrs %0, control" : "=r"(control));
    if ((control & 3u) == 0) /* SPSEL and nPRIV; the pointer is VTOR */
        top = **(volatile uint32_t *volatile *)UINT32_C(0xE000ED08);
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
    if ((control & 2u) != 0)
        __asm volatile("mrs %0, psplim" : "=r"(limit));
    else
        __asm volatile("mrs %0, msplim" : "=r"(limit));
#endif
    if (limit == 0 && sp > LL_ATON_RELOC_STACK_BELOW)
        limit = sp - LL_ATON_RELOC_STACK_BELOW;
    *low = limit;
    *high = top > sp ? top : sp + LL_ATON_RELOC_STACK_ABOVE;
}
#define LL_ATON_RELOC_STACK_RANGE(low, high) stack_range(&(low), &(high))
#endif

/* ---- caches ---- */

#ifndef LL_ATON_RELOC_DCACHE_CLEAN
#define LL_ATON_RELOC_DCACHE_CLEAN(address, size)                                                  \
    LL_ATON_Cache_MCU_Clean_Invalidate_Range((uintptr_t)(address), (uint32_t)(size))
#endif
#if !defined(LL_ATON_RELOC_ICACHE_INVALIDATE) && defined(ARM_CACHEL1_ARMV7_H)
#define LL_ATON_RELOC_ICACHE_INVALIDATE(address, size)                                             \
    SCB_InvalidateICache_by_Addr((void *)(address), (int32_t)(size))
#elif !defined(LL_ATON_RELOC_ICACHE_INVALIDATE)
/* Without CMSIS: CCR bit 17 is the I-cache, CTR bits 3..0 its lines (4 bytes << n), ICIMVAU. */
static void icache_invalidate(uint32_t address, uint32_t size) {
    volatile uint32_t *const invalidate = (volatile uint32_t *)UINT32_C(0xE000EF58);
    uint32_t line = 4u << (*(volatile uint32_t *)UINT32_C(0xE000ED7C) & 15u);
    uint32_t at = address & ~(line - 1u);
    if ((*(volatile uint32_t *)UINT32_C(0xE000ED14) & UINT32_C(1) << 17) == 0)
        return;
    reloc_barrier();
    for (; at - address < size || address - at < line; at += line)
        *invalidate = at;
}
#define LL_ATON_RELOC_ICACHE_INVALIDATE(address, size) icache_invalidate(address, size)
#endif
/*
 * Called before a range is written: it writes dirty lines back first. The whole cache is not
 * flushed, because it may hold dirty lines of other models; and 1.1.3 has no function for that.
 */
#ifndef LL_ATON_RELOC_NPU_CACHE
#define LL_ATON_RELOC_NPU_CACHE(address, size)                                                     \
    LL_ATON_Cache_NPU_Clean_Invalidate_Range((uintptr_t)(address), (uint32_t)(size))
#endif

#ifndef LL_ATON_RELOC_FATAL
#define LL_ATON_RELOC_FATAL()                                                                      \
    for (;;) {                                                                                     \
    }
#endif

#endif
