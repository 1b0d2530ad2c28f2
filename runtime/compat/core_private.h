/* SPDX-License-Identifier: Apache-2.0 */
/* relocpack: forwards to the loader's header in firmware that has no pack of the vendor's, and to
 * the vendor's header of this name where it is on the include path, too. */
#if defined(__has_include)
#if __has_include("ai_platform.h")
#define AI_RELOC_COMPAT_VENDOR 1
#endif
#endif

#ifdef AI_RELOC_COMPAT_VENDOR
#undef AI_RELOC_COMPAT_VENDOR
#pragma GCC system_header /* no warning about include_next */
#include_next <core_private.h>
#else
#include "ai_reloc_network.h"
#endif
