/* SPDX-License-Identifier: Apache-2.0 */
/* Report and observer, on the emulated core: see loader_test.c. */
#include "loader_kit.h"

#include <stddef.h>
#include <string.h>

/* One image reports 124 bytes, the other 136: both reports are correct, and the bytes after them
 * are unchanged. */
void test_report(void) {
    struct {
        ai_network_report report;
        uint32_t guard;
    } r;
    uint8_t *ram = arena_reset();
    ai_handle one = load_at(image_one_start, ram, AI_RELOC_RT_LOAD_MODE_XIP);
    ai_handle two = load_at(image_two_start, ram + 4096, AI_RELOC_RT_LOAD_MODE_COPY);
    for (int wide = 0; wide < 2; wide++) {
        uint64_t macc = wide ? (uint64_t)IMAGE_MACC_HIGH << 32 | IMAGE_MACC : IMAGE_MACC;
        if (sizeof r.report.n_macc == 4 && wide)
            macc = UINT32_MAX;
        memset(&r, 0x99, sizeof r);
        CHECK(ai_rel_network_get_info(wide ? one : two, &r.report));
        CHECK(strcmp(r.report.model_name, "alpha") == 0 && r.report.model_signature == NULL);
        CHECK(r.report.runtime_version.major == (wide ? 9 : 7) && r.report.n_macc == macc);
        CHECK(r.report.n_inputs == 1 && r.report.n_outputs == 1);
        CHECK(r.report.inputs->size == IMAGE_ELEMENTS && r.report.outputs->shape.size == 4);
        CHECK(r.report.map_signature == 0xA1FACADEu && r.report.map_weights.size == 0);
        CHECK(r.report.n_nodes == IMAGE_NODES && r.report.signature == 0x5160);
        CHECK(r.guard == 0x99999999u);
    }
    CHECK(ai_rel_network_destroy(one) == NULL && ai_rel_network_destroy(two) == NULL);
}

/* ---- observer ---- */

struct events {
    unsigned count;
    uint32_t flags[4 * IMAGE_NODES];
    uint16_t nodes[4 * IMAGE_NODES];
    ai_handle net;
    bool good;
};

static ai_u32 on_event(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    struct events *events = cookie;
    ai_observer_node info = {.c_idx = node->c_idx};
    events->good = events->good && port_r9() == PORT_R9 && node->id == IMAGE_NODE_ID + node->c_idx;
    /* Queries are allowed here; calls that would change the busy instance are refused. */
    events->good = events->good && ai_rel_platform_observer_node_info(events->net, &info) &&
                   info.id == node->id && port_r9() == PORT_R9;
    events->good = events->good && ai_rel_network_run(events->net, NULL, NULL) == 0 &&
                   ai_rel_network_destroy(events->net) == events->net &&
                   !init_with(events->net, image_weights_start) &&
                   !ai_rel_platform_observer_unregister(events->net, on_event, cookie);
    if (events->count < 4 * IMAGE_NODES) {
        events->flags[events->count] = flags;
        events->nodes[events->count] = node->c_idx;
    }
    events->count++;
    return 0;
}

static ai_u32 on_event_other(const ai_handle cookie, const ai_u32 flags,
                             const ai_observer_node *node) {
    (void)flags;
    (void)node;
    ++*(unsigned *)cookie;
    return 0;
}

void test_observer(void) {
    static const uint32_t expected[] = {0x102, 0x104, 2, 4, 0x202, 0x204};
    uint8_t *ram = arena_reset();
    ai_handle net = load_at(image_one_start, ram, AI_RELOC_RT_LOAD_MODE_COPY);
    ai_handle other = load_at(image_one_start, ram + 8192, AI_RELOC_RT_LOAD_MODE_XIP);
    struct events events = {.net = net, .good = true};
    unsigned count = 0;
    CHECK(!ai_rel_platform_observer_register(net, NULL, &events, 6));
    CHECK(!ai_rel_platform_observer_unregister(net, on_event, &events));
    CHECK(ai_rel_platform_observer_register(net, on_event, &events,
                                            AI_OBSERVER_PRE_EVT | AI_OBSERVER_POST_EVT));
    CHECK(!ai_rel_platform_observer_register(net, on_event_other, &count, 6));
    CHECK(ai_rel_platform_observer_register(other, on_event_other, &count,
                                            AI_OBSERVER_INIT_EVT | AI_OBSERVER_POST_EVT));
    CHECK(works(net, image_one_start, ID_ONE, 1) && count == 0);
    CHECK(events.good && events.count == 2 * IMAGE_NODES);
    for (unsigned i = 0; i < 2 * IMAGE_NODES; i++)
        CHECK(events.flags[i] == expected[i] && events.nodes[i] == i / 2);
    CHECK(works(other, image_one_start, ID_ONE, 1) && count == 2 * IMAGE_NODES);
    CHECK(ai_rel_network_destroy(net) == net); /* the test image refuses while observed */
    /* as in the vendor's API: the only observer is removed, whatever the other arguments are */
    CHECK(ai_rel_platform_observer_unregister(net, NULL, NULL));
    CHECK(!ai_rel_platform_observer_unregister(net, on_event, &events));
    CHECK(run_is_right(net, ID_ONE, 2) && events.count == 2 * IMAGE_NODES);
    CHECK(ai_rel_platform_observer_register(net, on_event_other, &count, AI_OBSERVER_PRE_EVT));
    CHECK(run_is_right(net, ID_ONE, 3) && count == 3 * IMAGE_NODES);
    CHECK(ai_rel_platform_observer_unregister(net, on_event_other, &count));
    CHECK(ai_rel_platform_observer_unregister(other, on_event_other, &count));
    CHECK(ai_rel_network_destroy(net) == NULL && ai_rel_network_destroy(other) == NULL);
}

void test_node_info(void) {
    ai_handle net = load_at(image_one_start, arena_reset(), AI_RELOC_RT_LOAD_MODE_XIP);
    ai_observer_node node = {0};
    unsigned nodes = 0;
    while (ai_rel_platform_observer_node_info(net, &node)) {
        CHECK(node.id == IMAGE_NODE_ID + nodes);
        node.c_idx++;
        nodes++;
    }
    CHECK(nodes == IMAGE_NODES && ai_rel_network_destroy(net) == NULL);
}
