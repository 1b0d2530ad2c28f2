/* SPDX-License-Identifier: Apache-2.0 */
/* The source that the proof reads: the installation of a Neural-ART image. */
#include <stdint.h>

/* Structures of the pack have another layout where the proof is made; none is read here. */
#define _Static_assert(condition, text)

#define RELOC_SHIM_H /* instructions: calls, barriers */
/*@ assigns \nothing; */
void reloc_barrier(void);

/* What the core tells, and its caches and stack. */
extern volatile uint32_t prove_cpuid, prove_cpacr, prove_stack;
#define LL_ATON_RELOC_READ_CPUID()                     prove_cpuid
#define LL_ATON_RELOC_READ_CPACR()                     prove_cpacr
#define LL_ATON_RELOC_STACK_RANGE(low, high)           ((low) = prove_stack, (high) = prove_stack)
#define LL_ATON_RELOC_DCACHE_CLEAN(address, size)      ((void)0)
#define LL_ATON_RELOC_ICACHE_INVALIDATE(address, size) ((void)0)
#define LL_ATON_RELOC_NPU_CACHE(address, size)         ((void)0)

#define LL_ATON_CACHES_INTERFACE_H

#define LL_ATON_RT_RELOC
#define LL_ATON_PLATFORM LL_ATON_PLAT_STM32N6
#define LL_ATON_OSAL     LL_ATON_OSAL_BARE_METAL
#include "runtime/neural_art/ll_aton_reloc_install.h"
