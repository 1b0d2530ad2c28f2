/* SPDX-License-Identifier: Apache-2.0 */
/* Like mcu_cache.h, for the NPU's cache. */
#ifndef RP_NPU_CACHE_H
#define RP_NPU_CACHE_H

#include <stdint.h>

void npu_cache_invalidate(void);
void npu_cache_clean_range(uint32_t start_addr, uint32_t end_addr);
void npu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr);

#endif
