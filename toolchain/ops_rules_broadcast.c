/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about operators with two operands of different shapes. */
#include <string.h>

#include "toolchain/ops.h"

#define SECTION "Hardware supported broadcasting"
#define MAPPING "Operation Mapping"
#define BINARY  " Add Sub Mul Max Min And Or Equal "

enum { CHANNEL = 1, HEIGHT = 2, WIDTH = 4, OTHER = 8, BEST_MAX = 512, RANK_MAX = 4 };

struct broadcast {
    bool known;       /* both shapes are */
    bool spread[2];   /* that operand is smaller than the result */
    unsigned extents; /* in which dimensions the spread one is larger than 1 */
    int64_t elements; /* of it */
};

static int64_t aligned(const struct rp_graph_tensor *tensor, unsigned rank, unsigned index) {
    unsigned missing = rank - tensor->rank;
    return index < missing ? 1 : tensor->dims[index - missing];
}

/* Names of dimensions: N H W C with TFLite, N C H W with ONNX; of rank 3 there is no H. */
static unsigned extent(enum rp_graph_format format, unsigned rank, unsigned index) {
    static const unsigned tflite[] = {OTHER, HEIGHT, WIDTH, CHANNEL};
    static const unsigned onnx[] = {OTHER, CHANNEL, HEIGHT, WIDTH};
    bool is_tflite = format == RP_GRAPH_TFLITE;
    if (rank > RANK_MAX)
        return OTHER;
    if (rank == 1)
        return CHANNEL;
    if (index == 0)
        return OTHER;
    if (is_tflite)
        return tflite[RANK_MAX - rank + index];
    return rank == 3 && index == 2 ? WIDTH : onnx[index];
}

static struct broadcast broadcast_of(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = {.elements = 1};
    const struct rp_graph_tensor *in[2] = {rp_ops_operand(ops, node, 0),
                                           rp_ops_operand(ops, node, 1)};
    if (rp_ops_operands(node) != 2 || !rp_ops_is_static(in[0]) || !rp_ops_is_static(in[1]))
        return b;
    b.known = true;
    unsigned rank = in[0]->rank > in[1]->rank ? in[0]->rank : in[1]->rank;
    for (unsigned i = 0; i < rank; i++) {
        int64_t x = aligned(in[0], rank, i), y = aligned(in[1], rank, i);
        b.spread[0] = b.spread[0] || x < y;
        b.spread[1] = b.spread[1] || y < x;
    }
    const struct rp_graph_tensor *small = b.spread[0] ? in[0] : in[1];
    for (unsigned i = 0; i < rank && b.spread[0] != b.spread[1]; i++) {
        int64_t size = aligned(small, rank, i);
        if (size > 1)
            b.extents |= extent(ops->graph->format, rank, i);
        if (__builtin_mul_overflow(b.elements, size, &b.elements))
            b.elements = INT64_MAX;
    }
    return b;
}

static bool is_one_way(const struct broadcast *b) {
    return b->known && b->spread[0] != b->spread[1];
}

/* Channel and width, or channel and height: the DMAs do that, the arithmetic unit does not. */
static bool is_for_dma(const struct broadcast *b) {
    return is_one_way(b) && (b->extents == (CHANNEL | WIDTH) || b->extents == (CHANNEL | HEIGHT));
}

static bool is_two_way(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return b.known && b.spread[0] && b.spread[1];
}

static bool is_other_kind(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return is_one_way(&b) && (b.extents >= OTHER || b.extents == (CHANNEL | HEIGHT | WIDTH));
}

static bool is_dma_kind(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return is_for_dma(&b);
}

static bool is_large(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return is_one_way(&b) && b.elements > BEST_MAX;
}

static bool is_any(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return b.known && (b.spread[0] || b.spread[1]);
}

static bool is_deep(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    return out != NULL && out->shape_known && out->rank > RANK_MAX;
}

const struct rp_ops_rule rp_ops_broadcast_rules[] = {
    {"broadcast-two-way", 0, false, BINARY, is_two_way, RP_OPS_SW_INT,
     "both operands are broadcast; the hardware can broadcast one of them",
     "Bring one operand to the full shape first.", SECTION},
    {"broadcast-kind", 0, false, BINARY, is_other_kind, RP_OPS_SW_INT,
     "broadcasting along the batch, or of more than two dimensions",
     "Broadcast a scalar, channels, rows, columns or two of these.", SECTION},
    {"broadcast-dma", 0, false, BINARY, is_dma_kind, RP_OPS_KEEP,
     "broadcast by the DMAs, not by the arithmetic unit",
     "Broadcasting is fastest of a scalar, of channels, of rows, of columns, or of rows and "
     "columns.",
     SECTION},
    {"broadcast-size", 0, false, BINARY, is_large, RP_OPS_KEEP,
     "more than 512 elements are broadcast", "Broadcast at most 512 elements.", SECTION},
    {"broadcast-order", 0, false, " Sub ", is_any, RP_OPS_CONDITIONAL,
     "one operand is broadcast: for the second one the page allows commutative operators only, and "
     "compiled networks have the first one in software",
     "Write x - y as x + (-y).", SECTION},
    {"mul-broadcast", RP_GRAPH_TFLITE, true, " Mul ", is_any, RP_OPS_CONDITIONAL,
     "the table has MUL in software with broadcasting, another section has it in hardware",
     "Look at the compiler's result for these.", MAPPING},
    {"mul-dimensions", RP_GRAPH_TFLITE, true, " Mul ", is_deep, RP_OPS_SW_INT,
     "more than 4 dimensions", "Reshape to at most 4 dimensions.", MAPPING},
    {0}};
