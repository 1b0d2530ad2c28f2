/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each operator of a model will run on an STM32N6: on the Neural-ART hardware, in software on
 * the Cortex-M55, or not at all. In: a struct rp_graph; out: a verdict with its reason for each
 * node, and advice. No files. Source of tables and rules: ST Edge AI Core 2.2.0, "ST Neural-ART NPU
 * - Supported operators and limitations" r1.1; rules name the section of that page.
 */
#ifndef RP_TOOLCHAIN_OPS_OPS_H
#define RP_TOOLCHAIN_OPS_OPS_H

#include "base/file.h"
#include "toolchain/graph/graph.h"

/* From the best to the worst. */
enum rp_ops_place {
    RP_OPS_HW,
    RP_OPS_CONDITIONAL, /* the page does not decide it, or decides by what the file does not say */
    RP_OPS_SW_INT,
    RP_OPS_SW_FLOAT,
    RP_OPS_UNSUPPORTED,
    RP_OPS_PLACES,
    RP_OPS_KEEP = RP_OPS_PLACES /* of a rule: advice only */
};

/* "HW", "conditional", "SW_INT", "SW_FLOAT", "unsupported". */
const char *rp_ops_place_name(enum rp_ops_place place);

/*
 * Rows times columns of the largest global pooling that a public compiled network has in hardware
 * (64 by 32); the page says "limited window" without a number.
 */
enum { RP_OPS_GLOBAL_MAX = 2048 };

/* A row of the page's two tables. */
struct rp_ops_operator {
    enum rp_graph_format format;
    const char *op;
    const char *kind; /* the operator in ONNX's words, also when no ONNX row has that name */
    enum rp_ops_place place;
    const char *comment; /* or "" */
};

/* By position, NULL past the end. */
const struct rp_ops_operator *rp_ops_operator_at(size_t index);
/* The row of a node's operator, NULL when the page has none. */
const struct rp_ops_operator *rp_ops_operator_of(enum rp_graph_format format,
                                                 const struct rp_graph_node *node);

struct rp_ops;
struct rp_ops_node;

/* Sections that more than one file of rules names. */
#define RP_OPS_TFLITE_TABLE "TFlite to Neural-ART Operation Mapping"
#define RP_OPS_ONNX_TABLE   "ONNX to Neural-ART Operation Mapping"
#define RP_OPS_TABLES       "TFlite to, and ONNX to Neural-ART Operation Mapping"

/*
 * One rule of the page. Rules are applied in the order of the table: first those that replace what
 * the operators' table says, better or worse; of the others, the worst verdict counts.
 * What makes a part of a node worse makes the node worse.
 */
struct rp_ops_rule {
    const char *id;
    enum rp_graph_format format; /* with only_format */
    bool only_format;
    const char *kinds; /* " Conv Gemm ": of these only; NULL: of all */
    bool (*applies)(const struct rp_ops *ops, const struct rp_ops_node *node);
    enum rp_ops_place place;
    const char *when;    /* the condition, in words: reason and documentation */
    const char *advice;  /* or NULL */
    const char *section; /* of the page */
    bool replaces;       /* takes the place of what the table says */
};

/* By position, NULL past the end. */
const struct rp_ops_rule *rp_ops_rule_at(size_t index);
/* ops_rules_*.c: each ends with a row without an id. */
extern const struct rp_ops_rule rp_ops_operator_rules[], rp_ops_model_rules[],
    rp_ops_window_rules[], rp_ops_broadcast_rules[];

struct rp_ops_window;

struct rp_ops_rules {
    const struct rp_ops_rule **items;
    size_t count, capacity;
};

struct rp_ops_node {
    const struct rp_graph_node *node;
    const struct rp_ops_operator *row; /* NULL: not in the page's tables */
    const char *kind;                  /* row's, else "" */
    enum rp_ops_place place;
    const char *reason; /* "" when there is nothing to say */
    int32_t part_of;    /* node that it becomes a part of, with its place; RP_GRAPH_NONE: itself */
    bool is_float;      /* floats go in or come out, quantisation nodes around it taken away */
    bool is_swish;      /* a Sigmoid that a product with its own input is a part of */
    bool is_folded;     /* computed by the compiler: it depends on constants only */
    bool macs_known;
    uint64_t macs;             /* multiply-accumulates of one inference */
    struct rp_ops_rules rules; /* those that apply, in the table's order; then those of parts */
};

struct rp_ops_total {
    size_t nodes; /* without those that are parts of others or folded */
    uint64_t macs;
};

/* The zero point that is farthest from 0, once it was asked for. */
struct rp_ops_zero {
    bool is_read, is_known;
    int64_t value;
};

struct rp_ops {
    const struct rp_graph *given;
    /* a copy: a batch that varies is 1, shapes that were not known are filled in */
    const struct rp_graph *graph;
    struct rp_arena *arena;
    struct rp_ops_node *nodes; /* as many as the graph has, in its order */
    size_t count;
    /* Of each tensor the node that reads it: of several the last, a QuantizeLinear if all are. */
    int32_t *reader;
    uint32_t *input;              /* of each tensor: which input of that node it is */
    bool *is_output;              /* of each tensor */
    struct rp_ops_rules rules;    /* all of them */
    struct rp_ops_zero *zeros[2]; /* of each tensor: in its quantisation; its numbers */
    struct rp_ops_total totals[RP_OPS_PLACES];
    size_t parts, folded;
    const struct rp_ops_node *judged; /* whose window is kept, while the rules are asked */
    struct rp_ops_window *window;
    size_t macs_unknown; /* nodes that multiply and whose shapes the file does not have */
};

/*
 * Judges every node. The graph is from rp_graph_read, or is as sound: indexes in range, each tensor
 * written by one node at most.
 */
void rp_ops_judge(struct rp_ops *ops, struct rp_arena *arena, const struct rp_graph *graph);

/* ---- ops_summary.c ---- */

/* All nodes of one operator that stand for themselves. */
struct rp_ops_group {
    const char *op;
    size_t first; /* node */
    size_t nodes, places[RP_OPS_PLACES];
    uint64_t macs;
};

struct rp_ops_groups {
    struct rp_ops_group *items; /* in the order of their first nodes */
    size_t count, capacity;
};

/* A rule that has advice, and the nodes it is for. */
struct rp_ops_advice {
    const struct rp_ops_rule *rule;
    struct {
        size_t *items;
        size_t count, capacity;
    } nodes;
    uint64_t macs; /* of these nodes */
};

struct rp_ops_advices {
    /* first what keeps operators off the hardware, the worst first; then what the most MACs need */
    struct rp_ops_advice *items;
    size_t count, capacity;
};

/* Is it neither a part of another node nor folded? */
bool rp_ops_stands(const struct rp_ops_node *node);
/* Adds up the nodes that stand, by operator; ops: judged. What out holds is in ops's arena. */
void rp_ops_group(struct rp_ops_groups *out, const struct rp_ops *ops);
/* The rules with advice that apply to a node, each once; ops: judged. In ops's arena as well. */
void rp_ops_advise(struct rp_ops_advices *out, const struct rp_ops *ops);

/* ---- ops_made.c ---- */

/* From the best to the worst. */
enum rp_ops_unit {
    RP_OPS_MADE_HARDWARE,
    RP_OPS_MADE_HYBRID, /* in an epoch of hardware with a processor's help */
    RP_OPS_MADE_SOFTWARE
};

/* A node that the compiler made, with all that it was split into. */
struct rp_ops_made {
    const char *name;  /* "Conv2D_9" */
    const char *kinds; /* of the model's nodes that become this one: " Conv "; "": of none */
    int64_t number;    /* the 9 of Conv2D_9; -1: none, the compiler put it in */
    enum rp_ops_unit unit;
    int64_t epoch;   /* its own, else the first one of its pieces; -1: not known */
    bool is_whole;   /* epoch is its own */
    int64_t weights; /* how many it has; 0: none, or not known */
    int32_t node;    /* of the model, or RP_GRAPH_NONE; set by rp_ops_match */
};

struct rp_ops_mades {
    struct rp_ops_made *items; /* by number, then by name */
    size_t count, capacity;
};

struct rp_aton;
/* text: all of network.c, that aton was read from, ended by a 0. */
void rp_ops_gather_made(struct rp_ops_mades *out, struct rp_arena *arena,
                        const struct rp_aton *aton, const char *text);

/* ---- ops_match.c ---- */

/* Sets the node of each made one that has one; false when there are too many nodes for that. */
bool rp_ops_match(struct rp_ops_mades *mades, const struct rp_ops *ops);

/* ---- ops_network.c ---- */

/* What was predicted beside what was made. */
enum rp_ops_comparison {
    RP_OPS_AGREES,
    RP_OPS_HYBRID, /* made with hardware and a processor's help: neither agrees nor differs */
    RP_OPS_DIFFERS,
    RP_OPS_UNDECIDED, /* predicted conditional */
    RP_OPS_NOT_SHOWN, /* no node of its own */
    RP_OPS_COMPARISONS
};

/* "agrees", "hybrid", "differs", "undecided", "not_shown". */
const char *rp_ops_comparison_name(enum rp_ops_comparison comparison);
/* "hardware", "hybrid", "software". */
const char *rp_ops_unit_name(enum rp_ops_unit unit);

struct rp_ops_compared {
    size_t node;
    const struct rp_ops_made *made; /* NULL: not shown */
    enum rp_ops_comparison comparison;
};

/* What the Neural-ART compiler made of the model. */
struct rp_ops_network {
    const char *name;
    uint64_t hardware, software, hybrid, other; /* epochs */
    bool has_blobs; /* epochs of the epoch controller: what is in them may not show */
    struct rp_ops_mades mades;
    struct { /* nodes that stand for themselves, and parts that were made on their own */
        struct rp_ops_compared *items;
        size_t count, capacity;
    } nodes;
    size_t counts[RP_OPS_COMPARISONS];
    size_t inserted;                 /* nodes on the processor that are none of the model's */
    size_t weighted, weighted_found; /* numbered nodes with weights; of these, the model's */
    bool is_doubtful;                /* fewer than half are: it may be of another model */
};

/*
 * Compares with a network.c. The compiler's front end names nodes anew and numbers them in the
 * model's order, so they are matched by kind and order. Errors as of rp_aton_parse, and RP_E_INPUT
 * when there are too many nodes for that.
 */
bool rp_ops_compare(struct rp_ops_network *out, const struct rp_ops *ops, const char *path,
                    const struct rp_bytes *text, struct rp_error *err);

/* ---- parts of it, ops_*.c ---- */

/* What a tensor is, with the QuantizeLinear and DequantizeLinear around it taken away. */
struct rp_ops_value {
    enum rp_element element;
    bool is_quantised; /* with scales, or an integer in an operator that has them as inputs */
    size_t scales;     /* 1: per tensor; 0: not known */
    double scale;      /* the first one, with scales */
    bool zero_known;
    int64_t zero; /* the one that is farthest from 0 */
};

const struct rp_graph_tensor *rp_ops_tensor(const struct rp_ops *ops, int32_t index);
/* The n-th operand: of QLinear operators, scales and zero points do not count. */
const struct rp_graph_tensor *rp_ops_operand(const struct rp_ops *ops,
                                             const struct rp_ops_node *node, size_t n);
size_t rp_ops_operands(const struct rp_ops_node *node);
const struct rp_graph_tensor *rp_ops_result(const struct rp_ops *ops,
                                            const struct rp_ops_node *node, size_t n);
/* The zero point of a QLinear operator's result; NULL: it has none. */
const struct rp_graph_tensor *rp_ops_result_zero(const struct rp_ops *ops,
                                                 const struct rp_ops_node *node);
/* What an operator computes on: operand 0, but 2 of TFLite's TRANSPOSE_CONV. */
const struct rp_graph_tensor *rp_ops_data(const struct rp_ops *ops, const struct rp_ops_node *node);
/* The node that makes a tensor; NULL: none does, or tensor is NULL. */
struct rp_ops_node *rp_ops_producer(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
/* What a node is a part of, in the end; a node that stands for itself is its own. */
struct rp_ops_node *rp_ops_whole(const struct rp_ops *ops, struct rp_ops_node *node);
/* A constant, also behind a DequantizeLinear. */
bool rp_ops_is_constant(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
struct rp_ops_value rp_ops_value(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
bool rp_ops_is_float(enum rp_element element);
/* A constant operand of an operator that computes with it (weights aside) is in floats. */
bool rp_ops_has_float_constant(const struct rp_ops *ops, const struct rp_ops_node *node);
/* The rank and all dims are known and static. */
bool rp_ops_is_static(const struct rp_graph_tensor *tensor);
/* How many integers a constant int32 or int64 tensor has, at most max are stored; 0: not readable.
 */
size_t rp_ops_integers(const struct rp_graph_tensor *tensor, int64_t *out, size_t max);
/* An attribute's integer or text; when it is not there, missing. */
int64_t rp_ops_integer(const struct rp_ops_node *node, const char *name, int64_t missing);
const char *rp_ops_text(const struct rp_ops_node *node, const char *name, const char *missing);
bool rp_ops_kind_is(const struct rp_ops_node *node, const char *kinds);
/* Is it a word of " Conv Gemm "? */
bool rp_ops_is_word(const char *words, const char *word);

/* Kernel or pooling window, sizes in elements; 0 in a member: not known, in pads -1. */
struct rp_ops_window {
    size_t spatial; /* dimensions of the image */
    int64_t height, width;
    int64_t stride_height, stride_width;
    int64_t dilation_height, dilation_width;
    int64_t top, left, bottom, right;
    int64_t in_height, in_width, in_channels;
    int64_t out_height, out_width, out_channels;
    int64_t groups;
};
struct rp_ops_window rp_ops_window(const struct rp_ops *ops, const struct rp_ops_node *node);

/* Fills in shapes and types that are not known, and small integers; tensors: of ops->graph. */
void rp_ops_infer_shapes(struct rp_ops *ops, struct rp_graph_tensor *tensors);
/* Sets part_of, is_float and is_folded. */
void rp_ops_fuse(struct rp_ops *ops);
/* Sets macs. */
void rp_ops_count_macs(const struct rp_ops *ops, struct rp_ops_node *node);

#endif
