/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the fields of a protobuf message one after the other, without generated code. Results point
 * to strings, bytes and inner messages; nothing is copied.
 */
#ifndef RP_TOOLCHAIN_GRAPH_PROTOBUF_H
#define RP_TOOLCHAIN_GRAPH_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rest of a message, or of packed numbers. */
struct rp_pb {
    const uint8_t *data;
    size_t size;
    bool broken; /* what follows, from data on, is not protobuf */
};

enum rp_pb_kind { RP_PB_VARINT, RP_PB_FIXED64, RP_PB_BYTES, RP_PB_FIXED32 };

struct rp_pb_field {
    uint32_t number;
    enum rp_pb_kind kind;
    uint64_t value;    /* when it is a number */
    struct rp_pb body; /* when it is bytes */
};

/* The next field; false at the end, or with broken set. */
bool rp_pb_next(struct rp_pb *rest, struct rp_pb_field *field);
/* The next packed varint; false as above. */
bool rp_pb_next_varint(struct rp_pb *rest, uint64_t *value);

#endif
