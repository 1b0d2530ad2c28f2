/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds-checked access to a FlatBuffers file. See flatbuffer.h. */
#include "toolchain/graph/flatbuffer.h"

#include "toolchain/graph/reader.h"

/* The cost of a visit to a table: no useful table is smaller, together with a reference to it. */
enum { TABLE_COST = 24 };

static bool broken(struct rp_graph_reader *reader, size_t at, const char *what) {
    return rp_graph_fail(reader, reader->data + at, "truncated or corrupt: %s", what);
}

static bool spend(struct rp_graph_reader *reader, size_t at, size_t cost) {
    if (cost > reader->left)
        return broken(reader, at, "it refers to the same parts too often");
    reader->left -= cost;
    return true;
}

uint64_t rp_get_le(const uint8_t *bytes, size_t width) {
    uint64_t value = 0;
    for (size_t i = width; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

/* The word at an offset that has been checked. */
static uint32_t word_at(const struct rp_graph_reader *reader, size_t at) {
    return (uint32_t)rp_get_le(reader->data + at, 4);
}

/*
 * Follows the offset at a checked place; its target has room for 4 bytes. 0: the offset is wrong.
 */
static size_t follow(struct rp_graph_reader *reader, size_t at) {
    size_t offset = word_at(reader, at), room = reader->size - at;
    if (offset >= 4 && offset < room && room - offset >= 4)
        return at + offset;
    broken(reader, at, "an offset leads outside the file");
    return 0;
}

static struct rp_fb_table table_at(struct rp_graph_reader *reader, size_t at) {
    struct rp_fb_table none = {0}, table = {.at = at};
    if (at == 0 || reader->failed || !spend(reader, at, TABLE_COST))
        return none;
    /* The offset is signed and subtracted: the vtable may be before or after the table. */
    int64_t vtable = (int64_t)at - (int32_t)word_at(reader, at);
    if (vtable < 0 || (uint64_t)vtable > reader->size - 4) {
        broken(reader, at, "a table's description lies outside the file");
        return none;
    }
    table.vtable = (size_t)vtable;
    table.vtable_size = (size_t)rp_get_le(reader->data + table.vtable, 2);
    table.size = (size_t)rp_get_le(reader->data + table.vtable + 2, 2);
    if (table.vtable_size < 4 || table.vtable_size > reader->size - table.vtable ||
        table.size < 4 || table.size > reader->size - at) {
        broken(reader, table.vtable, "a table is larger than the file");
        return none;
    }
    return table;
}

struct rp_fb_table rp_fb_root(struct rp_graph_reader *reader) {
    return table_at(reader, follow(reader, 0));
}

/* The offset of a field of width bytes; 0 when it is missing. */
static size_t field_at(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                       unsigned field, size_t width) {
    size_t entry = 4 + (size_t)field * 2;
    if (reader->failed || table->at == 0 || entry + 2 > table->vtable_size)
        return 0;
    size_t offset = (size_t)rp_get_le(reader->data + table->vtable + entry, 2);
    if (offset == 0)
        return 0;
    if (offset < 4 || offset > table->size || width > table->size - offset) {
        broken(reader, table->vtable + entry, "a field lies outside its table");
        return 0;
    }
    return table->at + offset;
}

bool rp_fb_has(struct rp_graph_reader *reader, const struct rp_fb_table *table, unsigned field) {
    return field_at(reader, table, field, 1) != 0;
}

uint64_t rp_fb_scalar(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                      unsigned field, size_t width) {
    size_t at = field_at(reader, table, field, width);
    return at != 0 ? rp_get_le(reader->data + at, width) : 0;
}

struct rp_fb_table rp_fb_child(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                               unsigned field) {
    size_t at = field_at(reader, table, field, 4);
    return table_at(reader, at != 0 ? follow(reader, at) : 0);
}

/* Checks a vector. With is_paid, its bytes count as read. */
static struct rp_fb_vector vector_of(struct rp_graph_reader *reader,
                                     const struct rp_fb_table *table, unsigned field, size_t width,
                                     bool is_paid) {
    struct rp_fb_vector vector = {NULL, 0};
    size_t at = field_at(reader, table, field, 4);
    at = at != 0 ? follow(reader, at) : 0;
    if (at == 0)
        return vector;
    size_t count = word_at(reader, at);
    if (count > (reader->size - at - 4) / width)
        broken(reader, at, "a list is longer than the file");
    else if (!is_paid || spend(reader, at, count * width))
        vector = (struct rp_fb_vector){reader->data + at + 4, count};
    return vector;
}

struct rp_fb_vector rp_fb_list(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                               unsigned field, size_t width) {
    return vector_of(reader, table, field, width, true);
}

struct rp_fb_vector rp_fb_bytes(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                                unsigned field) {
    return vector_of(reader, table, field, 1, false);
}

struct rp_fb_table rp_fb_item(struct rp_graph_reader *reader, const struct rp_fb_vector *vector,
                              size_t index) {
    return table_at(reader, follow(reader, (size_t)(vector->data - reader->data) + index * 4));
}

const char *rp_fb_text(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                       unsigned field) {
    struct rp_fb_vector text = rp_fb_list(reader, table, field, 1);
    return rp_graph_text(reader, text.data, text.count);
}
