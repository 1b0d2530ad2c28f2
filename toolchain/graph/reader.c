/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of model files share: errors, texts, new tensors and nodes. */
#include "toolchain/graph/reader.h"

#include <stdio.h>
#include <string.h>

#include "toolchain/graph/graph.h"

bool rp_graph_fail(struct rp_graph_reader *reader, const uint8_t *where, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *why = rp_vformat(reader->arena, fmt, args);
    va_end(args);
    reader->failed = true;
    if (where == NULL)
        return rp_fail(reader->err, RP_E_INPUT, "%s '%s': %s", reader->kind, reader->path, why);
    return rp_fail(reader->err, RP_E_INPUT, "%s '%s', at offset %zu: %s", reader->kind,
                   reader->path, (size_t)(where - reader->data), why);
}

/* ---- texts ---- */

/* The length of the UTF-8 character at text; 0 when it is malformed or not printable. */
static size_t printable(const uint8_t *text, size_t len) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7F;
    size_t need = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if (text[0] < 0xC2 || text[0] > 0xF4 || need > len)
        return 0;
    uint32_t point = text[0] & (0x7Fu >> need);
    for (size_t i = 1; i < need; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        point = point << 6 | (text[i] & 0x3F);
    }
    /* No C1 controls, no marks that change the direction of text, no surrogates. */
    bool shown = point >= 0xA0 && (point < 0x200B || point > 0x200F) &&
                 (point < 0x2028 || point > 0x202E) && (point < 0x2060 || point > 0x206F) &&
                 (point < 0xD800 || point > 0xDFFF);
    return point >= least[need] && point <= 0x10FFFF && shown ? need : 0;
}

const char *rp_graph_text(struct rp_graph_reader *reader, const uint8_t *bytes, size_t len) {
    if (len == 0)
        return "";
    char *text = rp_alloc(reader->arena, len + 1, 1);
    for (size_t at = 0, step; at < len; at += step) {
        size_t good = printable(bytes + at, len - at);
        step = good != 0 ? good : 1;
        if (good != 0)
            memcpy(text + at, bytes + at, good);
        else
            text[at] = '?';
    }
    return text;
}

/* ---- tensors and nodes ---- */

struct rp_graph_tensor *rp_graph_add_tensor(struct rp_graph_reader *reader) {
    if (reader->graph->tensors.count == RP_GRAPH_ITEMS_MAX) {
        rp_graph_fail(reader, NULL, "more than %d tensors", RP_GRAPH_ITEMS_MAX);
        return NULL;
    }
    struct rp_graph_tensor *tensor = RP_PUSH(reader->arena, &reader->graph->tensors);
    *tensor = (struct rp_graph_tensor){.name = "", .producer = RP_GRAPH_NONE};
    return tensor;
}

struct rp_graph_node *rp_graph_add_node(struct rp_graph_reader *reader) {
    if (reader->graph->nodes.count == RP_GRAPH_ITEMS_MAX) {
        rp_graph_fail(reader, NULL, "more than %d operators", RP_GRAPH_ITEMS_MAX);
        return NULL;
    }
    struct rp_graph_node *node = RP_PUSH(reader->arena, &reader->graph->nodes);
    *node = (struct rp_graph_node){.name = "", .op = "", .domain = "", .version = 1};
    return node;
}

bool rp_graph_check_size(struct rp_graph_reader *reader, const struct rp_graph_tensor *tensor) {
    uint64_t bits = rp_element_bits(tensor->element);
    if (tensor->data == NULL || !tensor->shape_known || bits == 0)
        return true;
    for (unsigned i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] < 0 || __builtin_mul_overflow(bits, (uint64_t)tensor->dims[i], &bits))
            return rp_graph_fail(reader, tensor->data, "constant '%s' has an impossible shape",
                                 tensor->name);
    uint64_t bytes = bits / 8 + (bits % 8 != 0);
    return bytes == tensor->size_bytes ||
           rp_graph_fail(reader, tensor->data,
                         "constant '%s' has %zu bytes where its type and shape need %llu",
                         tensor->name, tensor->size_bytes, (unsigned long long)bytes);
}
