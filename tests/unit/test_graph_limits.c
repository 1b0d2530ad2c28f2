/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of the readers of model files at their limits: FlatBuffers files that end exactly
 * where something in them ends, lists that ask for too much, and every way in which ONNX writes
 * numbers.
 */
#include "tests/unit/unit.h"

#include "tests/unit/model_builder.h"
#include "toolchain/graph/graph.h"
#include "toolchain/graph/read.h"

/* Empties the file. graph points into a copy of its exact size, which lives until it is freed. */
static bool read_file(struct unit *u, struct rp_graph *graph, struct rp_buf *file, void **copy) {
    size_t size = file->len;
    *copy = unit_exact(file->data, size);
    file->len = 0;
    return rp_graph_read(graph, &u->arena, &(struct rp_bytes){*copy, size}, "m", &u->err);
}

static void refuse_file(struct unit *u, struct rp_buf *file, const char *part) {
    struct rp_graph graph;
    void *copy;
    REFUSED(u, read_file(u, &graph, file, &copy), RP_E_INPUT, part);
    free(copy);
}

/* ---- FlatBuffers ---- */

/* 16-bit words behind the identifier: a root table at 8, then the given words. */
static void tells_bounds_of_tables(void **state) {
    static const struct {
        uint16_t words[8];
        size_t size; /* of the file */
        const char *part;
    } rows[] = {
        /* the vtable of the table at 8 is 4 bytes at 12: complete, and a byte short */
        {{0xFFFC, 0xFFFF, 4, 4}, 16, "schema version 0"},
        {{0xFFFB, 0xFFFF, 4, 4}, 16, "description lies outside"},
        /* the size of the vtable, and that of the table */
        {{0xFFFC, 0xFFFF, 6, 4}, 16, "a table is larger"},
        {{0xFFFC, 0xFFFF, 3, 4}, 16, "a table is larger"},
        {{0xFFFC, 0xFFFF, 4, 8}, 16, "schema version 0"},
        {{0xFFFC, 0xFFFF, 4, 9}, 16, "a table is larger"},
        {{0xFFFC, 0xFFFF, 4, 3}, 16, "a table is larger"},
        /* a field of 4 bytes, at the end of the table and of the file */
        {{0xFFFC, 0xFFFF, 6, 10, 6}, 18, "schema version"},
        {{0xFFFC, 0xFFFF, 6, 10, 7}, 18, "a field lies outside"},
        {{0xFFFC, 0xFFFF, 6, 10, 11}, 18, "a field lies outside"},
        {{0xFFFC, 0xFFFF, 6, 10, 3}, 18, "a field lies outside"},
    };
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_buf file = {.arena = &u->arena};
        rp_buf_le32(&file, 8);
        rp_buf_puts(&file, "TFL3");
        for (size_t k = 0; k < COUNT(rows[i].words); k++)
            rp_buf_append(
                &file, (uint8_t[]){(uint8_t)rows[i].words[k], (uint8_t)(rows[i].words[k] >> 8)}, 2);
        file.len = rows[i].size;
        refuse_file(u, &file, rows[i].part);
    }
}

/* A model with one graph, which has one tensor and one output. */
static struct fb_table one_tensor(struct rp_buf *out, int32_t output) {
    fb_begin(out);
    struct fb_table model = fb_table(out, 0, "404");
    fb_set(out, model.fields[0], 3, 4);
    struct fb_table subgraph = fb_table(out, fb_vector(out, model.fields[2], 1, 4), "404");
    fb_ints(out, subgraph.fields[2], &output, 1);
    return fb_table(out, fb_vector(out, subgraph.fields[0], 1, 4), "00040000004");
}

static void reads_tensors_elsewhere(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_buf file = {.arena = &u->arena};
    void *copy;
    struct fb_table tensor = one_tensor(&file, 0);
    fb_string(&file, tensor.fields[3], "w");
    fb_set(&file, tensor.fields[10], 7, 4);
    ACCEPTED(u, read_file(u, &graph, &file, &copy));
    assert_true(graph.tensors.items[0].constant && graph.tensors.items[0].data == NULL);
    free(copy);
    fb_string(&file, one_tensor(&file, -1).fields[3], "w");
    refuse_file(u, &file, "output 0 of the model is not a tensor");
}

static void refuses_nameless_operators(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    fb_begin(&file);
    struct fb_table model = fb_table(&file, 0, "44");
    fb_set(&file, model.fields[0], 3, 4);
    struct fb_table code = fb_table(&file, fb_vector(&file, model.fields[1], 1, 4), "1");
    fb_set(&file, code.fields[0], 32, 1);
    refuse_file(u, &file, "a custom operator that names no operator");
}

/* ---- ONNX: lists that ask for too much ---- */

static void put_list(struct rp_buf *node, const char *name, size_t count) {
    struct rp_buf attribute = {.arena = node->arena};
    char *numbers = calloc(count, 1);
    assert_non_null(numbers);
    pb_text(&attribute, 1, name);
    pb_bytes(&attribute, 8, numbers, count);
    pb_message(node, 5, &attribute);
    free(numbers);
}

static struct rp_buf with_node(struct rp_buf *node) {
    struct rp_buf file = {.arena = node->arena}, graph = {.arena = node->arena};
    pb_message(&graph, 1, node);
    onnx_model(&file, &graph);
    return file;
}

static void refuses_long_lists(void **state) {
    enum { LONGEST = 65536 };
    struct unit *u = *state;
    struct rp_graph graph;
    void *copy;
    struct rp_buf node = onnx_node(&u->arena, "Relu", "", "y");
    put_list(&node, "pads", LONGEST);
    struct rp_buf file = with_node(&node);
    ACCEPTED(u, read_file(u, &graph, &file, &copy));
    assert_int_equal(rp_graph_attribute(&graph.nodes.items[0], "pads")->count, LONGEST);
    free(copy);
    node = onnx_node(&u->arena, "Relu", "", "y");
    put_list(&node, "pads", LONGEST + 1);
    file = with_node(&node);
    refuse_file(u, &file, "attribute 'pads' has 65537 numbers");
    node = onnx_node(&u->arena, "Relu", "", "y");
    for (size_t i = 0; i < 24; i++)
        put_list(&node, "pads", LONGEST);
    file = with_node(&node);
    refuse_file(u, &file, "far more memory");
}

static void refuses_many_attributes(void **state) {
    struct unit *u = *state;
    struct rp_buf node = onnx_node(&u->arena, "Relu", "", "y");
    for (size_t i = 0; i < 400000; i++)
        pb_text(&node, 5, "");
    struct rp_buf file = with_node(&node);
    refuse_file(u, &file, "far more memory");
}

static struct rp_buf with_initialiser(struct rp_buf *tensor) {
    struct rp_buf file = {.arena = tensor->arena}, graph = {.arena = tensor->arena};
    pb_text(tensor, 8, "w");
    pb_message(&graph, 5, tensor);
    onnx_model(&file, &graph);
    return file;
}

static void refuses_unpacked_numbers(void **state) {
    struct unit *u = *state;
    enum { MANY = 5000000 };
    struct rp_buf tensor = {.arena = &u->arena};
    char *numbers = calloc(MANY, 1);
    assert_non_null(numbers);
    pb_number(&tensor, 2, 7);
    pb_bytes(&tensor, 7, numbers, MANY);
    free(numbers);
    struct rp_buf file = with_initialiser(&tensor);
    refuse_file(u, &file, "far more memory");
}

/* ---- ONNX: numbers ---- */

/* Packed, one by one, or both. */
static void expect_bytes(struct unit *u, struct rp_buf *tensor, const void *value, size_t size) {
    struct rp_graph graph;
    void *copy;
    struct rp_buf file = with_initialiser(tensor);
    ACCEPTED(u, read_file(u, &graph, &file, &copy));
    assert_int_equal(graph.tensors.items[0].size_bytes, size);
    assert_memory_equal(graph.tensors.items[0].data, value, size);
    free(copy);
}

static struct rp_buf tensor_of(struct rp_arena *arena, unsigned type, size_t count) {
    struct rp_buf tensor = {.arena = arena};
    pb_number(&tensor, 1, count);
    pb_number(&tensor, 2, type);
    return tensor;
}

static void reads_floats(void **state) {
    static const float floats[] = {0.5f, -2.0f, 3.0f, 4.0f};
    static const double doubles[] = {0.25, -8.0};
    struct unit *u = *state;
    struct rp_buf tensor = tensor_of(&u->arena, 1, 4);
    pb_bytes(&tensor, 4, floats, sizeof floats);
    expect_bytes(u, &tensor, floats, sizeof floats);
    tensor = tensor_of(&u->arena, 1, 4);
    pb_bytes(&tensor, 4, floats, 8);
    pb_float(&tensor, 4, floats[2]);
    pb_bytes(&tensor, 4, floats + 3, 4);
    expect_bytes(u, &tensor, floats, sizeof floats);
    tensor = tensor_of(&u->arena, 1, 2);
    pb_float(&tensor, 4, floats[0]);
    pb_bytes(&tensor, 4, floats + 1, 4);
    expect_bytes(u, &tensor, floats, 8);
    tensor = tensor_of(&u->arena, 11, 2);
    pb_bytes(&tensor, 10, doubles, sizeof doubles);
    expect_bytes(u, &tensor, doubles, sizeof doubles);
    tensor = tensor_of(&u->arena, 11, 2);
    pb_bytes(&tensor, 10, doubles, 8);
    pb_bytes(&tensor, 10, doubles + 1, 8);
    expect_bytes(u, &tensor, doubles, sizeof doubles);
}

static void reads_integers(void **state) {
    struct unit *u = *state;
    struct rp_buf tensor = tensor_of(&u->arena, 12, 1);
    pb_number(&tensor, 11, 0x81020304);
    expect_bytes(u, &tensor, "\4\3\2\x81", 4);
    tensor = tensor_of(&u->arena, 13, 1);
    pb_number(&tensor, 11, 7);
    expect_bytes(u, &tensor, "\7\0\0\0\0\0\0\0", 8);
    tensor = tensor_of(&u->arena, 22, 3); /* int4: two to a byte */
    pb_bytes(&tensor, 9, "\x21\3", 2);
    expect_bytes(u, &tensor, "\x21\3", 2);
    tensor = tensor_of(&u->arena, 7, 1);
    pb_bytes(&tensor, 7, "\x80", 1);
    pb_number(&tensor, 7, 1);
    struct rp_buf file = with_initialiser(&tensor);
    refuse_file(u, &file, "no number");
}

/* ---- ONNX: names ---- */

static struct rp_buf initialiser(struct rp_arena *arena, const char *name) {
    struct rp_buf tensor = tensor_of(arena, 3, 1);
    pb_text(&tensor, 9, "1");
    pb_text(&tensor, 8, name);
    return tensor;
}

static void refuses_second_values(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena}, graph = {.arena = &u->arena},
                  tensor = {.arena = &u->arena}, node = {.arena = &u->arena};
    for (size_t i = 0; i < 2; i++) {
        tensor = initialiser(&u->arena, "w");
        pb_message(&graph, 5, &tensor);
    }
    onnx_model(&file, &graph);
    refuse_file(u, &file, "initialiser 'w' occurs twice");
    for (size_t i = 0; i < 2; i++) {
        tensor = initialiser(&u->arena, "w");
        node = onnx_node(&u->arena, "Constant", "", "w");
        if (i == 1)
            pb_text(&node, 7, "org.example");
        pb_message(&graph, 5, &tensor);
        pb_message(&graph, 1, &node);
        onnx_model(&file, &graph);
        refuse_file(u, &file, i == 1 ? "operator 0 computes it" : "'w' already has a value");
    }
}

/* The first one counts: an initialiser, then inputs. */
static void keeps_first_types(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_buf file = {.arena = &u->arena}, body = {.arena = &u->arena},
                  tensor = initialiser(&u->arena, "w");
    void *copy;
    pb_message(&body, 5, &tensor);
    onnx_value(&body, 11, "w", 1, "5");
    pb_text(&tensor, 8, "untyped");
    pb_message(&body, 5, &tensor);
    onnx_value(&body, 11, "untyped", 1, "5");
    onnx_value(&body, 11, "x", 1, "5");
    onnx_value(&body, 13, "x", 3, "6");
    onnx_model(&file, &body);
    ACCEPTED(u, read_file(u, &graph, &file, &copy));
    assert_true(graph.tensors.items[0].element == RP_ELEMENT_INT8);
    assert_int_equal(graph.tensors.items[0].dims[0], 1);
    assert_true(graph.tensors.items[1].element == RP_ELEMENT_OTHER);
    assert_true(graph.tensors.items[2].element == RP_ELEMENT_FLOAT32);
    assert_int_equal(graph.tensors.items[2].dims[0], 5);
    free(copy);
}

static void reads_odd_dimensions(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_buf tensor = tensor_of(&u->arena, 1, (size_t)-5);
    void *copy;
    pb_number(&tensor, 14, 1);
    struct rp_buf file = with_initialiser(&tensor);
    ACCEPTED(u, read_file(u, &graph, &file, &copy));
    assert_int_equal(graph.tensors.items[0].dims[0], -1);
    free(copy);
}

static void tells_domains(void **state) {
    static const struct {
        const char *domain, *read;
        bool custom;
    } rows[] = {{"ai.onnx", "", false},
                {"ai.onnx.ml", "ai.onnx.ml", false},
                {"com.microsoft", "com.microsoft", false},
                {"com.example", "com.example", true}};
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_graph graph;
        struct rp_buf node = onnx_node(&u->arena, "Relu", "", "y");
        void *copy;
        pb_text(&node, 7, rows[i].domain);
        struct rp_buf file = with_node(&node);
        ACCEPTED(u, read_file(u, &graph, &file, &copy));
        assert_string_equal(graph.nodes.items[0].domain, rows[i].read);
        assert_int_equal(graph.nodes.items[0].custom, rows[i].custom);
        free(copy);
    }
}

static void counts_inner_graphs(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_buf node = onnx_node(&u->arena, "If", "", "y"), attribute = {.arena = &u->arena};
    void *copy;
    for (unsigned field = 5; field <= 11; field += 3) { /* a tensor, a text of bytes, graphs */
        pb_text(&attribute, 1, "body");
        pb_text(&attribute, field, "");
        pb_message(&node, 5, &attribute);
    }
    pb_text(&attribute, 1, "then_branch");
    pb_text(&attribute, 6, "");
    pb_message(&node, 5, &attribute);
    struct rp_buf file = with_node(&node);
    ACCEPTED(u, read_file(u, &graph, &file, &copy));
    assert_int_equal(graph.inner_graphs, 2);
    free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tells_bounds_of_tables),
        UNIT(reads_tensors_elsewhere),
        UNIT(refuses_nameless_operators),
        UNIT(refuses_long_lists),
        UNIT(refuses_many_attributes),
        UNIT(refuses_unpacked_numbers),
        UNIT(reads_floats),
        UNIT(reads_integers),
        UNIT(refuses_second_values),
        UNIT(keeps_first_types),
        UNIT(reads_odd_dimensions),
        UNIT(tells_domains),
        UNIT(counts_inner_graphs),
    };
    return RUN(tests);
}
