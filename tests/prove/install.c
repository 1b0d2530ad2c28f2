/* SPDX-License-Identifier: Apache-2.0 */
/* The source that the proof reads: the installation of a Cortex-M image. */
#include <stdint.h>

/* Structures of the API have another layout where the proof is made; no function here reads them. */
#define _Static_assert(condition, text)

#define RELOC_SHIM_H /* instructions: calls, barriers */
/*@ assigns \nothing; */
void reloc_barrier(void);

/* What the core tells, and the caches: registers of it. */
extern volatile uint32_t prove_cpuid, prove_cpacr;
#define AI_RELOC_READ_CPUID()                     prove_cpuid
#define AI_RELOC_READ_CPACR()                     prove_cpacr
#define AI_RELOC_DCACHE_CLEAN(address, size)      ((void)0)
#define AI_RELOC_ICACHE_INVALIDATE(address, size) ((void)0)
#define AI_RELOC_NO_MALLOC

#include "runtime/cortex_m/ai_reloc_install.h"
