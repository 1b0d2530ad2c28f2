/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entry vector of an image as a C type: twelve words in section .network_rt_init, which the
 * linker script puts at byte 52 of the image. A static build of the same sources exports the same
 * object, so that one harness can drive both. Signatures: docs/FORMAT.md, "Entry vector".
 */
#ifndef RELOCPACK_IMAGE_GLUE_H
#define RELOCPACK_IMAGE_GLUE_H

#include "../ai_reloc_types.h"

struct rp_entries {
    ai_error (*create)(ai_handle *network, const ai_buffer *config);
    ai_bool (*init)(ai_handle network, const ai_network_params *params);
    ai_bool (*init_v2)(ai_handle network, const ai_handle *weights, const ai_handle *activations);
    ai_i32 (*run)(ai_handle network, const ai_buffer *input, ai_buffer *output);
    ai_bool (*report)(ai_handle network, ai_network_report *report);
    ai_error (*error)(ai_handle network);
    ai_handle (*destroy)(ai_handle network);
    ai_i32 (*forward)(ai_handle network, const ai_buffer *input);
    ai_bool (*obs_register)(ai_handle network, ai_observer_exec_ctx *ctx);
    ai_bool (*obs_unregister)(ai_handle network, ai_observer_exec_ctx *ctx);
    ai_bool (*obs_node_info)(ai_handle network, ai_observer_node *node);
    void *ctx; /* ai_reloc_rt_ctx, reloc_format.h RELOC_CTX_* */
};

extern const struct rp_entries rp_entries;

#endif
