/* SPDX-License-Identifier: Apache-2.0 */
/* Reads protobuf messages with nanopb, which no other file uses. See protobuf.h. */
#include "toolchain/graph/protobuf.h"

#include <pb_decode.h>

/* Advances to the position of the stream. */
static bool advance(struct rp_pb *rest, const pb_istream_t *stream, bool ok) {
    rest->data += rest->size - stream->bytes_left;
    rest->size = stream->bytes_left;
    rest->broken = !ok;
    return ok;
}

static bool read_number(pb_istream_t *stream, struct rp_pb_field *field) {
    uint32_t word;
    switch (field->kind) {
    case RP_PB_VARINT:
        return pb_decode_varint(stream, &field->value);
    case RP_PB_FIXED64:
        return pb_decode_fixed64(stream, &field->value);
    case RP_PB_FIXED32:
        if (!pb_decode_fixed32(stream, &word))
            return false;
        field->value = word;
        return true;
    case RP_PB_BYTES:
    default:
        return pb_decode_varint(stream, &field->value) && field->value <= stream->bytes_left;
    }
}

bool rp_pb_next(struct rp_pb *rest, struct rp_pb_field *field) {
    static const int kinds[] = {[PB_WT_VARINT] = RP_PB_VARINT,
                                [PB_WT_64BIT] = RP_PB_FIXED64,
                                [PB_WT_STRING] = RP_PB_BYTES,
                                [PB_WT_32BIT] = RP_PB_FIXED32};
    pb_istream_t stream = pb_istream_from_buffer(rest->data, rest->size);
    pb_wire_type_t wire;
    bool is_end = false;
    *field = (struct rp_pb_field){0};
    if (rest->broken || rest->size == 0)
        return false;
    /* Types 3 and 4 begin and end groups, which schemas no longer have. */
    if (!pb_decode_tag(&stream, &wire, &field->number, &is_end) || field->number == 0 ||
        (wire != PB_WT_VARINT && wire != PB_WT_64BIT && wire != PB_WT_STRING &&
         wire != PB_WT_32BIT)) {
        rest->broken = true;
        return false;
    }
    field->kind = (enum rp_pb_kind)kinds[wire];
    bool ok = read_number(&stream, field);
    if (ok && field->kind == RP_PB_BYTES) {
        field->body.data = rest->data + (rest->size - stream.bytes_left);
        field->body.size = (size_t)field->value;
        ok = pb_read(&stream, NULL, field->body.size);
    }
    return advance(rest, &stream, ok);
}

bool rp_pb_next_varint(struct rp_pb *rest, uint64_t *value) {
    if (rest->broken || rest->size == 0)
        return false;
    if (*rest->data < 0x80) { /* the usual case; weights can be millions of these */
        *value = *rest->data++;
        rest->size--;
        return true;
    }
    pb_istream_t stream = pb_istream_from_buffer(rest->data, rest->size);
    return advance(rest, &stream, pb_decode_varint(&stream, value));
}
