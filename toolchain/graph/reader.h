/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of TFLite and ONNX files share. Private to this folder. */
#ifndef RP_TOOLCHAIN_GRAPH_READER_H
#define RP_TOOLCHAIN_GRAPH_READER_H

#include "base/error.h"
#include "toolchain/graph/graph.h"

/* More than any model has. It limits what a hostile file can ask for with a few bytes each. */
enum { RP_GRAPH_ITEMS_MAX = 1 << 18 };

struct rp_graph_reader {
    struct rp_graph *graph;
    struct rp_arena *arena;
    const uint8_t *data; /* the whole file */
    size_t size;
    const char *path;
    const char *kind;   /* of file, for messages: "model file" */
    const char *broken; /* the message for a file that is not protobuf */
    struct rp_error *err;
    bool failed; /* err is set, and every further read gives nothing */
    /*
     * FlatBuffers: bytes that may still be read, as parts can be shared. ONNX: bytes of memory that
     * may still be allocated.
     */
    size_t left;
};

/* Sets RP_E_INPUT with the path and the offset of where, unless that is NULL. Returns false. */
bool rp_graph_fail(struct rp_graph_reader *reader, const uint8_t *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A copy that is safe to print: control characters and bytes that are not UTF-8 become '?'. */
const char *rp_graph_text(struct rp_graph_reader *reader, const uint8_t *bytes, size_t len);
/* An empty tensor or node at the end of its list; NULL when there are too many. */
struct rp_graph_tensor *rp_graph_add_tensor(struct rp_graph_reader *reader);
struct rp_graph_node *rp_graph_add_node(struct rp_graph_reader *reader);
/* Does a constant with a static shape have the number of bytes that it needs? */
bool rp_graph_check_size(struct rp_graph_reader *reader, const struct rp_graph_tensor *tensor);

#endif
