/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documented inspection, node by node, of an image that has MODEL_NODES nodes but tells nothing
 * of their tensors: code with stai_… functions, and plain C.
 */
#include <ai_reloc_network.h>
#include <core_common.h>
#include <core_private.h>
#include <string.h>

#include "documented.h"

static unsigned lists(const ai_tensor_chain *tensors) {
    return (GET_TENSOR_LIST_IN(tensors) != NULL) + (GET_TENSOR_LIST_OUT(tensors) != NULL) +
           (GET_TENSOR_LIST_WEIGTHS(tensors) != NULL) + (GET_TENSOR_LIST_SCRATCH(tensors) != NULL);
}

/* The documented look at one map of the report. */
static bool is_map(const ai_buffer_array *map, const ai_handle *first, unsigned bytes) {
    unsigned found = 0;
    for (unsigned i = 0; i < map->size; i++) {
        const ai_buffer *buffer = &map->buffer[i];
        found += AI_BUFFER_SIZE(buffer);
        if (AI_BUFFER_FORMAT(buffer) != AI_BUFFER_FORMAT_U8 ||
            AI_BUFFER_CHANNELS(buffer) != AI_BUFFER_SIZE(buffer))
            return false;
    }
    return found == bytes && (bytes == 0 || map->buffer[0].data == *first);
}

int main(void) {
    ai_network_report report;
    ai_handle network;
    ai_error err =
        ai_rel_network_load_and_create(image, NULL, 0, AI_RELOC_RT_LOAD_MODE_XIP, &network);
    CHECK(10, err.type == AI_ERROR_NONE);
    CHECK(11, ai_rel_network_get_report(network, &report) && report.n_nodes == MODEL_NODES);
    ai_observer_node node = {.c_idx = 0};
    while (ai_rel_platform_observer_node_info(network, &node)) {
        CHECK(20, node.inner_tensors == NULL && lists(node.tensors) == 0);
        node.c_idx++;
    }
    CHECK(21, node.c_idx == MODEL_NODES);
    node.c_idx = 0xFFFF;
    CHECK(22, !ai_rel_platform_observer_node_info(network, &node));
#ifdef MODEL_ACTS_BYTES /* known to the code itself */
    static ai_u8 acts[MODEL_ACTS_BYTES + 8] __attribute__((aligned(8)));
    const ai_handle parts[] = {acts, NULL};
    ai_rel_network_info info;
    CHECK(29, ai_rel_network_rt_get_info(image, &info).type == AI_ERROR_NONE);
    const ai_handle weights[] = {info.weights, NULL};
    CHECK(30, ai_rel_network_init(network, weights, parts));
    CHECK(31, ai_rel_network_get_report(network, &report));
    CHECK(37, strcmp(report.model_signature, "0x2f17a0c1") == 0);
    CHECK(32, report.map_signature == AI_MAGIC_SIGNATURE);
    CHECK(33, is_map(&report.map_activations, parts, MODEL_ACTS_BYTES));
    CHECK(34, report.map_weights.size == 2 &&
                  is_map(&report.map_weights, &report.map_weights.buffer[0].data, 48));
    CHECK(35, memcmp(report.map_weights.buffer[1].data, (const float[]){-2.0f}, 4) == 0);
#else
    CHECK(36, report.map_signature == 0 && report.map_weights.size == 0);
    (void)is_map;
#endif
    CHECK(23, ai_rel_network_destroy(network) == AI_HANDLE_NULL);
    return 0;
}
