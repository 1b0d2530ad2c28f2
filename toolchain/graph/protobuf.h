/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields of a protobuf message, one after the other, without generated code: strings, bytes
 * and messages within are pointed at, not copied.
 */
#ifndef RP_TOOLCHAIN_GRAPH_PROTOBUF_H
#define RP_TOOLCHAIN_GRAPH_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of a message, or of packed numbers. */
struct rp_pb {
    const uint8_t *data;
    size_t size;
    bool broken; /* what follows is no protobuf; data is where */
};

enum rp_pb_kind { RP_PB_VARINT, RP_PB_FIXED64, RP_PB_BYTES, RP_PB_FIXED32 };

struct rp_pb_field {
    uint32_t number;
    enum rp_pb_kind kind;
    uint64_t value;    /* of a number */
    struct rp_pb body; /* of bytes */
};

/* The next field; false at the end, and with broken set. */
bool rp_pb_next(struct rp_pb *rest, struct rp_pb_field *field);
/* The next of packed varints; false as above. */
bool rp_pb_next_varint(struct rp_pb *rest, uint64_t *value);

#endif
