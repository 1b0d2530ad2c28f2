/* SPDX-License-Identifier: Apache-2.0 */
/* relocpack: forwards to the loader's header in firmware that has no pack of the vendor's.
 * It has the documented names of the platform observer, ai_platform_observer_*, for handles of
 * relocatable models. Where the vendor's headers are also on the include path, they are used and
 * these names are the vendor's, for models that are linked in: docs/TARGET.md, section 1.
 */
#if defined(__has_include)
#if __has_include("ai_platform.h")
#define AI_RELOC_COMPAT_VENDOR 1
#endif
#endif

#ifdef AI_RELOC_COMPAT_VENDOR
#undef AI_RELOC_COMPAT_VENDOR
#pragma GCC system_header /* no warning about include_next */
#include_next <ai_platform_interface.h>

#elif !defined(AI_RELOC_COMPAT_PLATFORM_INTERFACE_H)
#define AI_RELOC_COMPAT_PLATFORM_INTERFACE_H

#include "ai_reloc_network.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline ai_bool ai_platform_observer_register(ai_handle network, ai_observer_node_cb cb,
                                                    ai_handle cookie, ai_u32 flags) {
    return ai_rel_platform_observer_register(network, cb, cookie, flags);
}

static inline ai_bool ai_platform_observer_unregister(ai_handle network, ai_observer_node_cb cb,
                                                      ai_handle cookie) {
    return ai_rel_platform_observer_unregister(network, cb, cookie);
}

static inline ai_bool ai_platform_observer_node_info(ai_handle network,
                                                     ai_observer_node *node_info) {
    return ai_rel_platform_observer_node_info(network, node_info);
}

/* The documented snippets ask a model named "network" for its error. */
static inline ai_error ai_network_get_error(ai_handle network) {
    return ai_rel_network_get_error(network);
}

#ifdef __cplusplus
}
#endif

#endif
