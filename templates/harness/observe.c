/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures nodes: see observe.h. The time of a call-back is read first when it comes and last when
 * it goes, so that finding the node is not in any node's time.
 */
#include "observe.h"

#include <stddef.h>
#include <string.h>

#include "ai_reloc_tensor.h"
#include "counter.h"
#include "result.h"

enum { LISTS = AI_TENSOR_CHAIN_SIZE };

/* A node's figures, in the area. */
struct figures {
    struct observed_node node;
    uint32_t runs;
    uint32_t bytes[LISTS]; /* of its tensors, by list; HARNESS_ANY: not known */
    uint32_t weights_at;   /* address of the first of its weights, or 0 */
    uint64_t since;        /* the last moment */
    uint64_t times[HARNESS_NODE_TIMES];
};

static struct {
    struct figures *nodes;
    uint32_t room, count, next;
    uint32_t overhead; /* of the call-backs at two moments */
    uint32_t events;
    bool full;
} observed;

/* ---- what a node's tensors take ---- */

static void add_tensors(struct figures *of, uint16_t which) {
    const ai_tensor_list *list = ai_reloc_tensor_list(of->node.tensors, which);
    of->bytes[which] = 0;
    AI_FOR_EACH_TENSOR_LIST_DO(i, tensor, list) {
        uint32_t at = (uint32_t)(uintptr_t)AI_TENSOR_ARRAY_GET_DATA_ADDR(tensor);
        of->bytes[which] += AI_TENSOR_ARRAY_BYTE_SIZE(tensor);
        if (which == AI_TENSOR_CHAIN_WEIGHTS && (of->weights_at == 0 || at < of->weights_at))
            of->weights_at = at;
    }
}

static void add_all_tensors(struct figures *of) {
    bool known = of->node.tensors != NULL && of->node.tensors->size == LISTS;
    for (uint16_t i = 0; i < LISTS; i++) {
        of->bytes[i] = HARNESS_ANY;
        if (known)
            add_tensors(of, i);
    }
}

/* ---- moments ---- */

/* Nodes come in the same order in each run, so the search begins behind the last one found. */
static struct figures *find(const struct observed_node *node) {
    for (uint32_t i = 0; i < observed.count; i++) {
        uint32_t at = (observed.next + i) % observed.count;
        if (observed.nodes[at].node.key == node->key) {
            observed.next = at;
            return &observed.nodes[at];
        }
    }
    if (observed.count == observed.room) {
        observed.full = true;
        return NULL;
    }
    struct figures *made = &observed.nodes[observed.count++];
    memset(made, 0, sizeof *made);
    made->node = *node;
    add_all_tensors(made);
    return made;
}

void observe_moment(const struct observed_node *node, uint32_t moment) {
    uint64_t now = counter_now();
    observed.events++;
    struct figures *of = observed.room != 0 ? find(node) : NULL;
    if (of == NULL || moment > HARNESS_NODE_TIMES)
        return;
    uint64_t least = of->since + observed.overhead;
    if (moment == 0)
        of->runs++;
    else if (now > least) /* cycles vary a little */
        of->times[moment - 1] += now - least;
    of->since = counter_now();
}

ai_u32 observe_node(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    const struct observed_node what = {node->c_idx, node->type, node->id, node->tensors};
    (void)cookie;
    if (flags & (AI_OBSERVER_PRE_EVT | AI_OBSERVER_POST_EVT))
        observe_moment(&what, (flags & AI_OBSERVER_POST_EVT) != 0);
    else
        observed.events++;
    return 0;
}

/* ---- beginning and end ---- */

void observe_begin(struct harness_area_used area, const ai_observer_exec_ctx *observer) {
    static const ai_observer_node node;
    memset(&observed, 0, sizeof observed);
    observed.nodes = (struct figures *)(uintptr_t)area.address;
    observed.room = area.size_bytes / sizeof *observed.nodes;
    if (observed.room == 0)
        return;
    counter_restart();
    (void)observer->on_node(observer->cookie, AI_OBSERVER_PRE_EVT, &node);
    (void)observer->on_node(observer->cookie, AI_OBSERVER_POST_EVT, &node);
    observed.overhead = (uint32_t)observed.nodes[0].times[0];
    observed.count = observed.events = 0;
}

uint32_t observe_events(void) {
    uint32_t events = observed.events;
    observed.events = 0;
    return events;
}

bool observe_record(void) {
    for (uint32_t i = 0; i < observed.count; i++) {
        const struct figures *of = &observed.nodes[i];
        result_begin(RECORD_NODE, RESULT_NODE_BYTES);
        result_word(i);
        result_word(of->node.type);
        result_word(of->node.id);
        result_word(of->runs);
        result_bytes(of->bytes, sizeof of->bytes);
        result_word(of->weights_at);
        result_word(observed.overhead);
        result_bytes(of->times, sizeof of->times);
        result_end();
    }
    return !observed.full;
}

_Static_assert(sizeof(struct figures) == HARNESS_NODE_ROOM, "what a host gives for each node");
_Static_assert(RESULT_NODE_BYTES == RESULT_NODE_TIMES + 8 * HARNESS_NODE_TIMES, "the NODE record");
