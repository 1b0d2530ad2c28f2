/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for the numbers of the TFLite schema, version 3: builtin operators, their options, and
 * element types. Private to tflite.c.
 */
#ifndef RP_TOOLCHAIN_GRAPH_TFLITE_NAMES_H
#define RP_TOOLCHAIN_GRAPH_TFLITE_NAMES_H

#include "toolchain/graph/graph.h"

enum { RP_TFLITE_CUSTOM = 32 }; /* the builtin operator whose name is its custom code */

enum rp_tflite_kind {
    RP_TFLITE_END, /* ends a list of options */
    RP_TFLITE_INT,
    RP_TFLITE_BOOL,
    RP_TFLITE_REAL,
    RP_TFLITE_LIST, /* of ints */
    RP_TFLITE_PADDING,
    RP_TFLITE_ACTIVATION,
    RP_TFLITE_TYPE,
    RP_TFLITE_KERNEL,
    RP_TFLITE_WEIGHTS,
    RP_TFLITE_MIRROR
};

/* An option's field number is its place in the list. */
struct rp_tflite_option {
    const char *name;
    enum rp_tflite_kind kind;
    int fallback; /* when it is missing */
};

/* NULL when the number is not known. */
const char *rp_tflite_builtin(int32_t code);
enum rp_element rp_tflite_element(uint64_t type);
/* The options of a member of the union BuiltinOptions, up to RP_TFLITE_END; NULL as above. */
const struct rp_tflite_option *rp_tflite_options(uint64_t member);
/* The text of an enum value, or NULL. */
const char *rp_tflite_text(enum rp_tflite_kind kind, uint64_t value);

#endif
