/* SPDX-License-Identifier: Apache-2.0 */
/* Elements and attributes of a graph. See graph.h. */
#include "toolchain/graph/graph.h"

#include <string.h>

unsigned rp_element_bits(enum rp_element element) {
    static const unsigned char bits[] = {
        [RP_ELEMENT_FLOAT32] = 32, [RP_ELEMENT_FLOAT16] = 16, [RP_ELEMENT_FLOAT64] = 64,
        [RP_ELEMENT_INT4] = 4,     [RP_ELEMENT_INT8] = 8,     [RP_ELEMENT_UINT8] = 8,
        [RP_ELEMENT_INT16] = 16,   [RP_ELEMENT_UINT16] = 16,  [RP_ELEMENT_INT32] = 32,
        [RP_ELEMENT_UINT32] = 32,  [RP_ELEMENT_INT64] = 64,   [RP_ELEMENT_UINT64] = 64,
        [RP_ELEMENT_BOOL] = 8,     [RP_ELEMENT_FOREIGN] = 0};
    return bits[element];
}

const struct rp_attribute *rp_graph_attribute(const struct rp_graph_node *node, const char *name) {
    for (size_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return &node->attributes[i];
    return NULL;
}

float rp_graph_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
