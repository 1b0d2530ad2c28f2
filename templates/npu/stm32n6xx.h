/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one fact that LL_ATON takes from the device's header: where secure code (-mcmse) and other
 * code find the NPU's registers. The releases use different names for it.
 */
#ifndef RP_STM32N6XX_H
#define RP_STM32N6XX_H

#define NPU_BASE_NS 0x480E0000UL
#define NPU_BASE_S  0x580E0000UL

#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3
#define CPU_IN_SECURE_STATE
#define NPU_BASE NPU_BASE_S
#else
#define NPU_BASE NPU_BASE_NS
#endif

#endif
