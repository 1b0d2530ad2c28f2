/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the loader takes from the firmware and from the core: settings, heap, identification and
 * cache maintenance. Included by ai_reloc_network.c only.
 *
 * Settings, each a macro that the build or the file named by AI_RELOC_CONFIG may define:
 *   AI_RELOC_MALLOC(size), AI_RELOC_FREE(address)   heap, default malloc and free
 *   AI_RELOC_NO_MALLOC                              no heap: RAM is always the caller's
 *   AI_RELOC_DCACHE_CLEAN(address, size)            default: by the core's own registers
 *   AI_RELOC_ICACHE_INVALIDATE(address, size)       the same
 *   AI_RELOC_RT_MCU_CHECKING 0                      no check of core and FPU: the firmware did it
 *   AI_RELOC_CPUID_SUPERSET                         also images for a lesser core (TARGET.md)
 *   AI_RELOC_REQUIRE_TRAILER                        images without one are refused
 *   AI_RELOC_HARDENED                               checks of a load are made twice (TARGET.md)
 *   AI_RELOC_SIGNED                                 only signed images are loaded (TARGET.md)
 *   AI_RELOC_SIGNED_WEIGHTS 0                       loads do not verify weights in the file
 *   AI_RELOC_VERIFIER                               name of the firmware's verifier
 *   AI_RELOC_READ_CPUID(), AI_RELOC_READ_CPACR()    for code that is not privileged
 *   AI_RELOC_LOG(...)                               printf-like: what is loaded or refused
 *   AI_RELOC_LOG_ENABLE 1                           the same by printf, unless NDEBUG is defined
 */
#ifndef RELOC_PORT_H
#define RELOC_PORT_H

#ifdef AI_RELOC_CONFIG
#include AI_RELOC_CONFIG
#endif

#if defined(AI_RELOC_REQUIRE_TRAILER) || defined(AI_RELOC_SIGNED)
#define RELOC_REQUIRE_TRAILER 1
#endif

#include <stdint.h>

#include "../format/reloc_core.h"
#include "reloc_shim.h"

/* ---- heap and policies ---- */

#if !defined(AI_RELOC_MALLOC) && defined(AI_RELOC_NO_MALLOC)
#define AI_RELOC_MALLOC(size)  ((void)(size), (void *)0)
#define AI_RELOC_FREE(address) ((void)(address))
#elif !defined(AI_RELOC_MALLOC)
#include <stdlib.h>
#define AI_RELOC_MALLOC(size)  malloc(size)
#define AI_RELOC_FREE(address) free(address)
#endif

#ifndef AI_RELOC_RT_MCU_CHECKING
#define AI_RELOC_RT_MCU_CHECKING 1
#endif

#ifdef AI_RELOC_CPUID_SUPERSET
enum { CPUID_SUPERSET = 1 };
#else
enum { CPUID_SUPERSET = 0 };
#endif

/* ---- log ---- */

#if defined(AI_RELOC_LOG_ENABLE) && !defined(NDEBUG) && !defined(AI_RELOC_LOG)
#if AI_RELOC_LOG_ENABLE == 1
extern int printf(const char *format, ...); /* otherwise that header is not needed */
#define AI_RELOC_LOG(...) printf(__VA_ARGS__)
#endif
#endif

/* ---- the core ---- */

/* System control space, the same on Armv7-M and Armv8-M (Architecture Reference Manuals, B3.2). */
#define SCS(offset) (*(volatile uint32_t *)(UINT32_C(0xE000E000) + (offset)))
enum {
    SCS_CPUID = 0xD00,
    SCS_CCR = 0xD14, /* bit 16: D-cache on, bit 17: I-cache on; 0 on cores without */
    SCS_CTR = 0xD7C, /* line sizes: 4 << bits 3..0 (I), 4 << bits 19..16 (D) */
    SCS_CPACR = 0xD88,
    SCS_ICIMVAU = 0xF58,
    SCS_DCCMVAC = 0xF68
};
#define CCR_IC          (UINT32_C(1) << 17)  /* the D-cache's bit is the one below */
#define CPACR_CP10_CP11 UINT32_C(0x00500000) /* set in both "privileged" (01) and "full" (11) */

#ifndef AI_RELOC_READ_CPUID
#define AI_RELOC_READ_CPUID() SCS(SCS_CPUID)
#endif
#ifndef AI_RELOC_READ_CPACR
#define AI_RELOC_READ_CPACR() SCS(SCS_CPACR)
#endif

/* ---- caches ---- */

#if !defined(AI_RELOC_DCACHE_CLEAN) || !defined(AI_RELOC_ICACHE_INVALIDATE)
/*
 * Writes the address of each line that the range touches to a maintenance register (SCS_DCCMVAC or
 * SCS_ICIMVAU) if that cache is on.
 */
RELOC_OUTLINE void cache_by_line(uint32_t reg, const void *address, uint32_t size) {
    uint32_t is_data = reg >> 5 & 1u; /* of SCS_DCCMVAC set, of SCS_ICIMVAU not */
    if ((SCS(SCS_CCR) & CCR_IC >> is_data) == 0)
        return;
    uint32_t line = 4u << (SCS(SCS_CTR) >> 16u * is_data & 15u);
    uint32_t at = (uint32_t)address & ~(line - 1u), end = (uint32_t)address + size;
    for (reloc_barrier(); at < end; at += line)
        SCS(reg) = at;
}
#endif

#ifndef AI_RELOC_DCACHE_CLEAN
#define AI_RELOC_DCACHE_CLEAN(address, size) cache_by_line(SCS_DCCMVAC, address, size)
#endif

#ifndef AI_RELOC_ICACHE_INVALIDATE
#define AI_RELOC_ICACHE_INVALIDATE(address, size) cache_by_line(SCS_ICIMVAU, address, size)
#endif

#endif
