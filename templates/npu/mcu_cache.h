/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For compiling LL_ATON sources into an image, in which cache operations are call-backs into the
 * firmware: the declarations that the sources expect. Used if the pack has no file of this name.
 */
#ifndef RP_MCU_CACHE_H
#define RP_MCU_CACHE_H

#include <stdint.h>

int mcu_cache_invalidate(void);
int mcu_cache_clean(void);
int mcu_cache_clean_invalidate(void);
int mcu_cache_invalidate_range(uint32_t start_addr, uint32_t end_addr);
int mcu_cache_clean_range(uint32_t start_addr, uint32_t end_addr);
int mcu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr);

#endif
