/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documented inspection, node by node, of an image that has MODEL_NODES nodes but tells nothing
 * of their tensors: code with stai_… functions, and plain C.
 */
#include <ai_reloc_network.h>
#include <core_common.h>
#include <core_private.h>

#include "documented.h"

static unsigned lists(const ai_tensor_chain *tensors) {
    return (GET_TENSOR_LIST_IN(tensors) != NULL) + (GET_TENSOR_LIST_OUT(tensors) != NULL) +
           (GET_TENSOR_LIST_WEIGTHS(tensors) != NULL) + (GET_TENSOR_LIST_SCRATCH(tensors) != NULL);
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
    CHECK(23, ai_rel_network_destroy(network) == AI_HANDLE_NULL);
    return 0;
}
