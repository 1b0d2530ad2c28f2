/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out which node of a model became which node of the compiler. The compiler's front end
 * numbers nodes in the model's order, with nodes of its own in between. So both are lists in the
 * same order, and the pairs are their longest common subsequence by kind and number of weights.
 * Among equally long ones, more equal names win (a model that the front end wrote has its names),
 * then smaller distances.
 *
 * The model's order is that of the file, or the reverse of the one in which a depth-first walk
 * finishes the nodes. Such a walk visits the readers of a value in the front end's order. The front
 * end puts a Pad in front of some convolutions, which moves these to the end. All orders are tried,
 * and the one with the most pairs is used. What is left over is matched once more in the same way.
 * Source: the numbers and original names in the _Q.json of public results of ST Edge AI Core 2.1
 * and 2.2.
 */
#include "toolchain/ops/match.h"

#include <string.h>

#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"
#include "toolchain/ops/window.h"

enum {
    CELLS_MAX = 1 << 24, /* the table has at most 16 MiB */
    PLACES = 1 << 10,    /* the unit of positions within a list is this fraction of it */
    NAME = 2 * PLACES,   /* an equal name outweighs any distance */
    TIMES = 2            /* the second time matches branches that are elsewhere in the order */
};
static const int64_t pair = (int64_t)1 << 40; /* one more pair outweighs all of these */

/* ---- orders ---- */

enum order { AS_IN_FILE, PADDED_LAST, UNEVEN_LAST, ORDERS };

/* Does this order assume a separate Pad in front of the convolution? */
static bool is_late(const struct rp_ops *ops, const struct rp_ops_node *node, enum order order) {
    if (!rp_ops_kind_is(node, "Conv"))
        return false;
    struct rp_ops_window w = rp_ops_window(ops, node);
    return order == PADDED_LAST ? w.top > 0 || w.bottom > 0 || w.left > 0 || w.right > 0
                                : w.top != w.bottom || w.left != w.right;
}

/* The readers of each node; those of node i are items[first[i]] to items[first[i + 1] - 1]. */
struct readers {
    size_t *first, *next; /* next: the free places while items is filled */
    size_t *items;
};

static int32_t maker(const struct rp_ops *ops, size_t node, size_t input) {
    const struct rp_graph_tensor *in = rp_ops_tensor(ops, ops->nodes[node].node->inputs[input]);
    return in != NULL ? in->producer : RP_GRAPH_NONE;
}

static void add_reader(const struct rp_ops *ops, struct readers *readers, size_t node) {
    for (size_t k = 0; k < ops->nodes[node].node->input_count; k++)
        if (maker(ops, node, k) >= 0)
            readers->items[readers->next[maker(ops, node, k)]++] = node;
}

static struct readers find_readers(const struct rp_ops *ops, enum order order) {
    struct readers r = {rp_alloc(ops->arena, ops->count + 1, sizeof(size_t)),
                        rp_alloc(ops->arena, ops->count + 1, sizeof(size_t)), NULL};
    for (size_t i = 0; i < ops->count; i++)
        for (size_t k = 0; k < ops->nodes[i].node->input_count; k++)
            if (maker(ops, i, k) >= 0)
                r.first[maker(ops, i, k) + 1]++;
    for (size_t i = 0; i < ops->count; i++)
        r.next[i] = r.first[i + 1] += r.first[i];
    memmove(r.next + 1, r.next, ops->count * sizeof *r.next);
    r.next[0] = 0;
    r.items = rp_alloc(ops->arena, r.first[ops->count] + 1, sizeof *r.items);
    for (size_t i = 0; i < ops->count; i++)
        if (!is_late(ops, &ops->nodes[i], order))
            add_reader(ops, &r, i);
    for (size_t i = ops->count; i-- > 0;)
        if (is_late(ops, &ops->nodes[i], order))
            add_reader(ops, &r, i);
    return r;
}

/* Stores the nodes in out, which has room for all; some may be missing when the graph is odd. */
static size_t walk(const struct rp_ops *ops, enum order order, size_t *out) {
    size_t *missing = rp_alloc(ops->arena, ops->count + 1, sizeof *missing);
    size_t *ready = rp_alloc(ops->arena, ops->count + 1, sizeof *ready);
    size_t depth = 0, count = 0;
    struct readers readers = find_readers(ops, order);
    for (size_t i = ops->count; i-- > 0;) {
        for (size_t k = 0; k < ops->nodes[i].node->input_count; k++)
            missing[i] += maker(ops, i, k) >= 0;
        if (missing[i] == 0)
            ready[depth++] = i;
    }
    while (depth != 0) {
        size_t node = ready[--depth];
        out[count++] = node;
        for (size_t k = readers.first[node]; k < readers.first[node + 1]; k++)
            if (--missing[readers.items[k]] == 0)
                ready[depth++] = readers.items[k];
    }
    return count;
}

/* ---- the longest common subsequence ---- */

enum step { SKIP_NODE, SKIP_MADE, PAIR };

/* What the cells of the table need to know about a node of the model. */
struct traits {
    size_t kind;     /* equal for nodes of equal kinds */
    int64_t weights; /* 0: not known */
    size_t same;     /* the compiled node with its name, or compiled_count */
};

struct match {
    const struct rp_ops *ops;
    struct traits *traits;
    bool *fits;      /* [kind * compiled_count + k]: can nodes of this kind become node k? */
    int64_t *places; /* positions of the compiled nodes */
    struct rp_ops_compiled_node *compiled; /* the numbered ones */
    size_t *nodes;                         /* the candidates, in order */
    bool *taken;                           /* which nodes of the model have been matched */
    size_t compiled_count, node_count;
    unsigned char *steps; /* [i * (compiled_count + 1) + k]: of the best match of i and k nodes */
    int64_t *above, *row; /* scores of two rows of the table */
};

static int64_t weights_of(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *w = rp_ops_operand(ops, node, 1);
    int64_t product = 1;
    if (!rp_ops_kind_is(node, "Conv Gemm MatMul") || !rp_ops_is_constant(ops, w) ||
        !rp_ops_is_static(w))
        return 0;
    for (unsigned i = 0; i < w->rank; i++)
        if (__builtin_mul_overflow(product, w->dims[i], &product))
            return 0;
    return product;
}

/* 0 when the two are not a pair. */
static int64_t score(const struct match *m, size_t i, size_t k) {
    const struct traits *node = &m->traits[m->nodes[i]];
    const struct rp_ops_compiled_node *compiled = &m->compiled[k];
    if (!m->fits[node->kind * m->compiled_count + k] || compiled->node != RP_GRAPH_NONE ||
        m->taken[m->nodes[i]])
        return 0;
    if (compiled->weights != 0 && node->weights != 0 && node->weights != compiled->weights)
        return 0;
    int64_t distance = (int64_t)(i * PLACES / m->node_count) - m->places[k];
    return pair + (node->same == k ? NAME : 0) - (distance < 0 ? -distance : distance);
}

static int64_t fill(struct match *m) {
    size_t width = m->compiled_count + 1;
    memset(m->above, 0, width * sizeof *m->above);
    for (size_t i = 1; i <= m->node_count; i++) {
        m->row[0] = 0;
        for (size_t k = 1; k < width; k++) {
            int64_t own = score(m, i - 1, k - 1);
            enum step step = m->row[k - 1] > m->above[k] ? SKIP_MADE : SKIP_NODE;
            m->row[k] = step == SKIP_MADE ? m->row[k - 1] : m->above[k];
            if (own != 0 && m->above[k - 1] + own > m->row[k]) {
                m->row[k] = m->above[k - 1] + own;
                step = PAIR;
            }
            m->steps[i * width + k] = (unsigned char)step;
        }
        int64_t *swap = m->above;
        m->above = m->row;
        m->row = swap;
    }
    return m->above[m->compiled_count];
}

static void list(struct match *m, enum order order) {
    size_t count = 0, all = m->ops->count;
    for (size_t i = 0; order == AS_IN_FILE && i < all; i++)
        m->nodes[i] = i;
    if (order != AS_IN_FILE)
        all = walk(m->ops, order, m->nodes);
    for (size_t i = 0; i < all; i++) {
        const struct rp_ops_node *node = &m->ops->nodes[m->nodes[i]];
        bool quantiser = rp_ops_kind_is(node, RP_OPS_QUANTISERS);
        if (!node->is_folded && (rp_ops_is_standalone(node) || !quantiser))
            m->nodes[count++] = m->nodes[i];
    }
    m->node_count = count;
}

static void take_pairs(struct match *m) {
    for (size_t i = m->node_count, k = m->compiled_count; i > 0 && k > 0;) {
        enum step step = (enum step)m->steps[i * (m->compiled_count + 1) + k];
        i -= step != SKIP_MADE;
        k -= step != SKIP_NODE;
        if (step == PAIR) {
            m->compiled[k].node = (int32_t)m->nodes[i];
            m->taken[m->nodes[i]] = true;
        }
    }
}

static void match(struct match *m) {
    enum order best = AS_IN_FILE;
    int64_t most = -1;
    for (enum order order = AS_IN_FILE; order < ORDERS; order++) {
        list(m, order);
        int64_t sum = fill(m);
        best = sum > most ? order : best;
        most = sum > most ? sum : most;
    }
    list(m, best);
    for (int times = 0; times < TIMES; times++) {
        fill(m);
        take_pairs(m);
    }
}

/* Numbers the kinds of the nodes, stores the first node of each in firsts and returns how many. */
static size_t number_kinds(struct match *m, size_t *firsts) {
    size_t count = 0;
    for (size_t i = 0; i < m->ops->count; i++) {
        size_t kind = 0;
        while (kind < count && strcmp(m->ops->nodes[firsts[kind]].kind, m->ops->nodes[i].kind) != 0)
            kind++;
        if (kind == count)
            firsts[count++] = i;
        m->traits[i].kind = kind;
    }
    return count;
}

static void prepare(struct match *m) {
    const struct rp_ops *ops = m->ops;
    size_t *firsts = rp_alloc(ops->arena, ops->count + 1, sizeof *firsts);
    size_t kinds = number_kinds(m, firsts),
           end = (size_t)m->compiled[m->compiled_count - 1].number + 1;
    m->fits = rp_alloc(ops->arena, kinds + 1, m->compiled_count);
    m->places = rp_alloc(ops->arena, m->compiled_count, sizeof *m->places);
    for (size_t k = 0; k < m->compiled_count; k++) {
        m->places[k] = (int64_t)((size_t)m->compiled[k].number * PLACES / end);
        for (size_t kind = 0; kind < kinds; kind++)
            m->fits[kind * m->compiled_count + k] =
                rp_ops_kind_is(&ops->nodes[firsts[kind]], m->compiled[k].kinds);
    }
    for (size_t i = 0; i < ops->count; i++) {
        struct traits *node = &m->traits[i];
        node->weights = weights_of(ops, &ops->nodes[i]);
        while (node->same < m->compiled_count &&
               strcmp(ops->nodes[i].node->name, m->compiled[node->same].name) != 0)
            node->same++;
    }
}

bool rp_ops_match(struct rp_ops_compiled *compiled, const struct rp_ops *ops) {
    size_t first = 0;
    while (first < compiled->count && compiled->items[first].number < 0)
        first++;
    if (first == compiled->count)
        return true;
    size_t width = compiled->count - first + 1;
    if (ops->count + 1 > CELLS_MAX / width)
        return false;
    struct match m = {.ops = ops,
                      .compiled = compiled->items + first,
                      .compiled_count = width - 1,
                      .traits = rp_alloc(ops->arena, ops->count + 1, sizeof *m.traits),
                      .nodes = rp_alloc(ops->arena, ops->count + 1, sizeof *m.nodes),
                      .taken = rp_alloc(ops->arena, ops->count + 1, sizeof *m.taken),
                      .steps = rp_alloc(ops->arena, ops->count + 1, width),
                      .above = rp_alloc(ops->arena, width, sizeof *m.above),
                      .row = rp_alloc(ops->arena, width, sizeof *m.row)};
    prepare(&m);
    match(&m);
    return true;
}
