/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model file (.tflite, .onnx) as a list of operators and tensors, with what is needed to predict
 * where each operator will run. Weights are not copied: constants point into the file's bytes.
 * Strings and arrays live in the command's arena.
 */
#ifndef RP_TOOLCHAIN_GRAPH_GRAPH_H
#define RP_TOOLCHAIN_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum rp_graph_format { RP_GRAPH_TFLITE, RP_GRAPH_ONNX };

enum rp_element {
    RP_ELEMENT_OTHER, /* not stated in the file */
    RP_ELEMENT_FLOAT32,
    RP_ELEMENT_FLOAT16, /* also bfloat16 */
    RP_ELEMENT_FLOAT64,
    RP_ELEMENT_INT4, /* also unsigned */
    RP_ELEMENT_INT8,
    RP_ELEMENT_UINT8,
    RP_ELEMENT_INT16,
    RP_ELEMENT_UINT16,
    RP_ELEMENT_INT32,
    RP_ELEMENT_UINT32,
    RP_ELEMENT_INT64,
    RP_ELEMENT_UINT64,
    RP_ELEMENT_BOOL,
    RP_ELEMENT_FOREIGN, /* none of these: strings, complex numbers, floats of 8 bits, ... */
    RP_ELEMENTS
};

enum { RP_GRAPH_RANK_MAX = 8, RP_GRAPH_NONE = -1 };

/* As stated in the file; not what QuantizeLinear and DequantizeLinear nodes of ONNX express. */
struct rp_quantisation {
    const double *scales;       /* count of them; NULL: not quantised */
    const int64_t *zero_points; /* count of them */
    size_t count;               /* 1: per tensor */
    int32_t axis;               /* of a per-channel quantisation */
};

struct rp_graph_tensor {
    const char *name;
    enum rp_element element;
    bool shape_known; /* rank and dims are in the file */
    unsigned rank;    /* at most RP_GRAPH_RANK_MAX; beyond that, shape_known is false */
    int64_t dims[RP_GRAPH_RANK_MAX]; /* outermost first; -1: not static */
    struct rp_quantisation quantisation;
    bool constant; /* has a value in the file */
    /* A constant's value, little-endian: in the file, or in the arena when the file packs it. */
    const uint8_t *data; /* NULL: in another file, or sparse */
    size_t size_bytes;
    bool sparse;           /* the file has only some elements of the constant */
    const char *elsewhere; /* another file that contains the constant, or NULL */
    int32_t producer;      /* index of the node that makes it, or RP_GRAPH_NONE */
    uint32_t consumers;    /* number of node inputs that read it */
};

/* An attribute of a node. TFLite's builtin options have their schema names, enums are text. */
struct rp_attribute {
    const char *name;
    const char *text; /* string or enum, or NULL */
    int64_t integer;  /* also bool */
    double real;
    const int64_t *list;                  /* ints, or NULL */
    size_t count;                         /* of list */
    const struct rp_graph_tensor *tensor; /* ONNX, or NULL */
};

struct rp_graph_node {
    const char *name;      /* or that of the first output, if the file gives none */
    const char *op;        /* "CONV_2D", "Conv", or the code of a custom operator */
    const char *domain;    /* ONNX; "" is the standard one */
    bool custom;           /* TFLite's CUSTOM, or a domain other than ONNX's and com.microsoft */
    uint32_t version;      /* of the operator, TFLite */
    const int32_t *inputs; /* tensor indexes; RP_GRAPH_NONE for an omitted one */
    size_t input_count;
    const int32_t *outputs;
    size_t output_count;
    const struct rp_attribute *attributes;
    size_t attribute_count;
};

struct rp_graph {
    enum rp_graph_format format;
    const char *producer; /* the program that wrote the file, or "" */
    int64_t opset;        /* ONNX, standard domain */
    struct {
        struct rp_graph_tensor *items;
        size_t count;
        size_t capacity;
    } tensors;
    struct { /* in the order in which they run: producers come before their consumers */
        struct rp_graph_node *items;
        size_t count;
        size_t capacity;
    } nodes;
    const int32_t *inputs; /* tensor indexes; ONNX initialisers are not among them */
    size_t input_count;
    const int32_t *outputs;
    size_t output_count;
    size_t inner_graphs; /* number of bodies of control flow (If, WHILE ...), which are not read */
};

/* The attribute of a node, or NULL. */
const struct rp_attribute *rp_graph_attribute(const struct rp_graph_node *node, const char *name);
/* The size of an element in bits; 0: unknown. */
unsigned rp_element_bits(enum rp_element element);
/* The float of these bits. */
float rp_graph_float(uint32_t bits);

#endif
