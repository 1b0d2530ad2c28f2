/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the fields of an ONNX message. See onnx_field.h. */
#include "toolchain/graph/onnx_field.h"

#include "toolchain/graph/protobuf.h"
#include "toolchain/graph/reader.h"

bool rp_onnx_next(struct rp_graph_reader *reader, struct rp_pb *rest, struct rp_pb_field *field) {
    if (reader->failed)
        return false;
    bool ok = rp_pb_next(rest, field);
    if (rest->broken)
        rp_graph_fail(reader, rest->data, "%s", reader->broken);
    return ok;
}

bool rp_onnx_is(const struct rp_pb_field *field, uint32_t number, enum rp_pb_kind kind) {
    return field->number == number && field->kind == kind;
}

struct rp_pb_field rp_onnx_find(struct rp_graph_reader *reader, struct rp_pb body, uint32_t number,
                                enum rp_pb_kind kind) {
    struct rp_pb_field field, found = {0};
    while (rp_onnx_next(reader, &body, &field))
        if (rp_onnx_is(&field, number, kind))
            found = field;
    return found;
}

const char *rp_onnx_text(struct rp_graph_reader *reader, const struct rp_pb *bytes) {
    return rp_graph_text(reader, bytes->data, bytes->size);
}
