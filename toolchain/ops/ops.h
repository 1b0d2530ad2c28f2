/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each operator of a model will run on an STM32N6: on the Neural-ART hardware, in software on
 * the Cortex-M55, or not at all. In: a struct rp_graph; out: a verdict with its reason for each
 * node, and advice. No files. Source of tables and rules: ST Edge AI Core 2.2.0, "ST Neural-ART NPU
 * - Supported operators and limitations" r1.1; rules name the section of that page.
 */
#ifndef RP_TOOLCHAIN_OPS_OPS_H
#define RP_TOOLCHAIN_OPS_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
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

/* A row of the page's two tables. */
struct rp_ops_operator {
    enum rp_graph_format format;
    const char *op;
    const char *kind; /* the operator in ONNX's words, also when no ONNX row has that name */
    enum rp_ops_place place;
    const char *comment; /* or "" */
};

struct rp_ops;
struct rp_ops_node;
struct rp_ops_window;

/*
 * Rows times columns of the largest global pooling that a public compiled network has in hardware
 * (64 by 32); the page says "limited window" without a number.
 */
enum { RP_OPS_GLOBAL_MAX = 2048 };

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
    const char *kinds; /* "Conv Gemm": of these only; NULL: of all */
    bool (*applies)(const struct rp_ops *ops, const struct rp_ops_node *node);
    enum rp_ops_place place;
    const char *when;    /* the condition, in words: reason and documentation */
    const char *advice;  /* or NULL */
    const char *section; /* of the page */
    bool replaces;       /* takes the place of what the table says */
};

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

#endif
