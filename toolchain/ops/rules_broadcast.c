/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about operands of different shapes. */
#include "toolchain/ops/rules_broadcast.h"

#include <string.h>

#include "toolchain/ops/ops.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"

#define SECTION "Hardware supported broadcasting"
#define MAPPING RP_OPS_TFLITE_TABLE
#define BINARY  "Add Sub Mul Max Min And Or Equal"

enum { CHANNEL = 1, HEIGHT = 2, WIDTH = 4, OTHER = 8, BEST_MAX = 512, RANK_MAX = 4 };

struct broadcast {
    bool known;       /* all shapes are known */
    bool has_full;    /* an operand has the result's shape */
    size_t spread;    /* number of operands that are smaller than the result */
    bool for_dma;     /* the DMAs broadcast one of these, because the arithmetic unit cannot */
    bool other;       /* one of these is broadcast in a way that the page does not name */
    int64_t elements; /* number of elements of the largest of these */
};

static int64_t aligned(const struct rp_graph_tensor *tensor, unsigned rank, unsigned index) {
    unsigned missing = rank - tensor->rank;
    return index < missing ? 1 : tensor->dims[index - missing];
}

/* Names of dimensions: N H W C in TFLite, N C H W in ONNX, where W of rank 3 counts as H. */
static unsigned extent(enum rp_graph_format format, unsigned rank, unsigned index) {
    static const unsigned tflite[] = {OTHER, HEIGHT, WIDTH, CHANNEL};
    static const unsigned onnx[] = {OTHER, CHANNEL, HEIGHT, WIDTH};
    if (rank > RANK_MAX || index == 0)
        return OTHER;
    return format == RP_GRAPH_TFLITE ? tflite[RANK_MAX - rank + index] : onnx[index];
}

/* The shape of the result; false when it is not known. */
static bool result_shape(const struct rp_ops *ops, const struct rp_ops_node *node,
                         struct rp_graph_tensor *result) {
    *result = (struct rp_graph_tensor){.rank = 0};
    for (size_t i = 0; i < rp_ops_operands(node); i++) {
        const struct rp_graph_tensor *in = rp_ops_operand(ops, node, i);
        if (!rp_ops_is_static(in))
            return false;
        struct rp_graph_tensor wider = {.rank = in->rank > result->rank ? in->rank : result->rank};
        for (unsigned k = 0; k < wider.rank; k++) {
            int64_t a = aligned(result, wider.rank, k), b = aligned(in, wider.rank, k);
            wider.dims[k] = a > b ? a : b;
        }
        *result = wider;
    }
    return true;
}

static void add_operand(struct broadcast *b, enum rp_graph_format format,
                        const struct rp_graph_tensor *in, const struct rp_graph_tensor *result) {
    bool is_full = true;
    unsigned extents = 0;
    int64_t elements = 1;
    for (unsigned i = 0; i < result->rank; i++) {
        int64_t size = aligned(in, result->rank, i);
        is_full = is_full && size == result->dims[i];
        extents |= size > 1 ? extent(format, result->rank, i) : 0;
        if (__builtin_mul_overflow(elements, size, &elements))
            elements = INT64_MAX;
    }
    b->has_full = b->has_full || is_full;
    if (is_full)
        return;
    b->spread++;
    b->for_dma = b->for_dma || extents == (CHANNEL | WIDTH) || extents == (CHANNEL | HEIGHT);
    b->other = b->other || extents >= OTHER || extents == (CHANNEL | HEIGHT | WIDTH);
    b->elements = elements > b->elements ? elements : b->elements;
}

static struct broadcast broadcast_of(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = {0};
    struct rp_graph_tensor result;
    b.known = result_shape(ops, node, &result);
    for (size_t i = 0; b.known && i < rp_ops_operands(node); i++)
        add_operand(&b, ops->graph->format, rp_ops_operand(ops, node, i), &result);
    return b;
}

static bool is_one_way(const struct broadcast *b) {
    return b->spread > 0 && b->has_full;
}

static bool is_two_way(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return b.spread > 0 && !b.has_full;
}

static bool is_other_kind(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return is_one_way(&b) && b.other;
}

static bool is_dma_kind(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return is_one_way(&b) && b.for_dma;
}

static bool is_large(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return is_one_way(&b) && b.elements > BEST_MAX;
}

static bool is_any(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct broadcast b = broadcast_of(ops, node);
    return b.spread > 0;
}

static bool is_deep(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    return out != NULL && out->shape_known && out->rank > RANK_MAX;
}

const struct rp_ops_rule rp_ops_broadcast_rules[] = {
    {"broadcast-two-way", 0, false, BINARY, is_two_way, RP_OPS_SW_INT,
     "all operands are broadcast; the hardware does it in one direction only",
     "Bring one operand to the full shape first.", SECTION},
    {"broadcast-kind", 0, false, BINARY, is_other_kind, RP_OPS_SW_INT,
     "broadcasting along the batch, of more than two dimensions, or with a rank over 4",
     "Broadcast a scalar, channels, rows, columns or two of these.", SECTION},
    {"broadcast-dma", 0, false, BINARY, is_dma_kind, RP_OPS_KEEP,
     "broadcast by the DMAs, not by the arithmetic unit",
     "Broadcasting is fastest of a scalar, of channels, of rows, of columns, or of rows and "
     "columns.",
     SECTION},
    {"broadcast-size", 0, false, BINARY, is_large, RP_OPS_KEEP,
     "more than 512 elements are broadcast", "Broadcast at most 512 elements.", SECTION},
    {"broadcast-order", 0, false, "Sub", is_any, RP_OPS_CONDITIONAL,
     "one operand is broadcast: for the second one the page allows commutative operators only, and "
     "compiled networks have the first one in software",
     "Write x - y as x + (-y).", SECTION},
    {"mul-broadcast", RP_GRAPH_TFLITE, true, "Mul", is_any, RP_OPS_CONDITIONAL,
     "the table has MUL in software with broadcasting, another section has it in hardware",
     "Compile it, and compare with --network.", MAPPING},
    {"mul-dimensions", RP_GRAPH_TFLITE, true, "Mul", is_deep, RP_OPS_SW_INT,
     "more than 4 dimensions", "Reshape to at most 4 dimensions.", MAPPING},
    {0}};
