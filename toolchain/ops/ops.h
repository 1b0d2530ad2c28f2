/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Predicts where each operator of a model will run on an STM32N6: on the Neural-ART hardware, in
 * software on the Cortex-M55, or not at all. In: a struct rp_graph; out: a verdict with its reason
 * for each node, and advice. Reads no files. Tables and rules come from one page of ST Edge AI Core
 * 2.2.0, "ST Neural-ART NPU - Supported operators and limitations" r1.1. "The page" in this folder
 * means that one, and each rule names its section.
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
    RP_OPS_CONDITIONAL, /* the page leaves it open, or it depends on something not in the file */
    RP_OPS_SW_INT,
    RP_OPS_SW_FLOAT,
    RP_OPS_UNSUPPORTED,
    RP_OPS_PLACES,
    RP_OPS_KEEP = RP_OPS_PLACES /* for a rule that only gives advice */
};

/* A row of the page's two tables. */
struct rp_ops_operator {
    enum rp_graph_format format;
    const char *op;
    const char *kind; /* the operator by ONNX's name, even when no ONNX row has that name */
    enum rp_ops_place place;
    const char *comment; /* or "" */
    const char
        *pytorch; /* the page's name of it in PyTorch, or names: "Conv1D/Conv2D"; NULL: none */
};

/* Kinds that several files use. */
#define RP_OPS_QUANTISERS "QuantizeLinear DequantizeLinear"
#define RP_OPS_WEIGHTED   "Conv ConvTranspose Gemm MatMul"

struct rp_ops;
struct rp_ops_node;
struct rp_ops_window;

/*
 * Rows times columns of the largest global pooling that runs in hardware in any public compiled
 * network (64 by 32). The page says "limited window" and gives no number.
 */
enum { RP_OPS_GLOBAL_MAX = 2048 };

/* Sections that rules in several files name. */
#define RP_OPS_TFLITE_TABLE "TFlite to Neural-ART Operation Mapping"
#define RP_OPS_ONNX_TABLE   "ONNX to Neural-ART Operation Mapping"
#define RP_OPS_TABLES       "TFlite to, and ONNX to Neural-ART Operation Mapping"

/*
 * One rule of the page. Rules are applied in their order. The first ones replace the verdict of the
 * operators' table, for better or worse; among the others, the worst verdict counts. A rule that
 * makes a part of a node worse makes the node worse.
 */
struct rp_ops_rule {
    const char *id;
    enum rp_graph_format format; /* counts with only_format */
    bool only_format;
    const char *kinds; /* the rule is for these only: "Conv Gemm"; NULL: for all */
    bool (*applies)(const struct rp_ops *ops, const struct rp_ops_node *node);
    enum rp_ops_place place;
    const char *when;    /* the condition in words, for reports and documentation */
    const char *advice;  /* or NULL */
    const char *section; /* of the page */
    bool replaces;       /* its verdict replaces the table's */
};

struct rp_ops_rules {
    const struct rp_ops_rule **items;
    size_t count, capacity;
};

struct rp_ops_node {
    const struct rp_graph_node *node;
    const struct rp_ops_operator *row; /* NULL: not in the page's tables */
    const char *kind;                  /* that of row, or "" */
    enum rp_ops_place place;
    const char *reason; /* "": none */
    int32_t part_of;    /* the node that it is fused into, or RP_GRAPH_NONE */
    bool is_float;      /* it reads or makes floats, not counting quantisation nodes around it */
    bool is_swish;      /* a Sigmoid that is multiplied by its own input */
    bool is_folded;     /* it depends on constants only, so the compiler computes it */
    bool macs_known;
    uint64_t macs;             /* multiply-accumulates of one inference */
    struct rp_ops_rules rules; /* those that apply, in their order; then those of its parts */
};

struct rp_ops_total {
    size_t nodes; /* fused and folded ones do not count */
    uint64_t macs;
};

/* The zero point that is farthest from 0, stored after its first computation. */
struct rp_ops_zero {
    bool is_read, is_known;
    int64_t value;
};

struct rp_ops {
    const struct rp_graph *given;
    /* a copy, in which a variable batch is 1 and unknown shapes are filled in */
    const struct rp_graph *graph;
    struct rp_arena *arena;
    struct rp_ops_node *nodes; /* the graph's, in its order */
    size_t count;
    /* For each tensor, the node that reads it: of several, the last that is not a
       QuantizeLinear, if there is one. */
    int32_t *reader;
    uint32_t *input;              /* for each tensor: which input of that node it is */
    bool *is_output;              /* for each tensor */
    struct rp_ops_rules rules;    /* all of them */
    struct rp_ops_zero *zeros[2]; /* for each tensor: of its quantisation, and of its own numbers */
    struct rp_ops_total totals[RP_OPS_PLACES];
    size_t parts, folded;
    const struct rp_ops_node *judged; /* the node whose window is kept while rules are applied */
    struct rp_ops_window *window;
    size_t macs_unknown; /* nodes that multiply, but have no shapes in the file */
};

#endif
