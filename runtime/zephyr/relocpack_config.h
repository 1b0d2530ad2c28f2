/* SPDX-License-Identifier: Apache-2.0 */
/* The loader's settings (AI_RELOC_CONFIG), as Kconfig has them. */
#ifndef RELOCPACK_CONFIG_H
#define RELOCPACK_CONFIG_H

#ifndef CONFIG_RELOCPACK_MALLOC
#define AI_RELOC_NO_MALLOC
#endif
#ifdef CONFIG_RELOCPACK_REQUIRE_TRAILER
#define AI_RELOC_REQUIRE_TRAILER
#endif
#ifdef CONFIG_RELOCPACK_CPUID_SUPERSET
#define AI_RELOC_CPUID_SUPERSET
#endif
#ifdef CONFIG_RELOCPACK_LOG
#if __has_include(<zephyr/sys/printk.h>)
#include <zephyr/sys/printk.h>
#else /* before Zephyr 3.1 */
#include <sys/printk.h>
#endif
#define AI_RELOC_LOG(...) printk(__VA_ARGS__)
#endif

#endif
