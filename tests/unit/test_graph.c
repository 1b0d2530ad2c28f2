/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/graph: models that are written here byte by byte, then read, cut at every
 * length and changed in every byte; and files that ask for too much.
 */
#include "tests/unit/unit.h"

#include "tests/unit/model_builder.h"
#include "toolchain/graph/graph.h"
#include "toolchain/graph/read.h"

/* Reads a copy that ends where the file ends, so that a read past the end is seen. */
static bool read_bytes(struct unit *u, struct rp_graph *graph, const void *data, size_t size) {
    void *copy = unit_exact(data, size);
    bool ok = rp_graph_read(graph, &u->arena, &(struct rp_bytes){copy, size}, "m", &u->err);
    free(copy);
    return ok;
}

static bool read_buf(struct unit *u, struct rp_graph *graph, const struct rp_buf *file) {
    return rp_graph_read(graph, &u->arena,
                         &(struct rp_bytes){(const uint8_t *)file->data, file->len}, "m", &u->err);
}

static int64_t integer(const struct rp_graph_node *node, const char *name) {
    const struct rp_attribute *attribute = rp_graph_attribute(node, name);
    assert_non_null(attribute);
    return attribute->integer;
}

static const char *text(const struct rp_graph_node *node, const char *name) {
    const struct rp_attribute *attribute = rp_graph_attribute(node, name);
    assert_non_null(attribute);
    return attribute->text;
}

static const struct rp_graph_tensor *named(const struct rp_graph *graph, const char *name) {
    for (size_t i = 0; i < graph->tensors.count; i++)
        if (strcmp(graph->tensors.items[i].name, name) == 0)
            return &graph->tensors.items[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

/* ---- TFLite ---- */

static void test_tflite(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    tflite_sample(&file);
    ACCEPTED(u, read_buf(u, &graph, &file));
    assert_int_equal(graph.format, RP_GRAPH_TFLITE);
    assert_string_equal(graph.producer, "by hand");
    assert_int_equal(graph.nodes.count, 2);
    assert_int_equal(graph.input_count, 1);
    assert_int_equal(graph.outputs[0], 4);
    const struct rp_graph_node *conv = &graph.nodes.items[0];
    assert_string_equal(conv->op, "CONV_2D");
    assert_int_equal(conv->version, 5);
    assert_string_equal(text(conv, "padding"), "VALID");
    assert_string_equal(text(conv, "fused_activation_function"), "RELU6");
    assert_int_equal(integer(conv, "stride_w"), 2);
    assert_int_equal(integer(conv, "dilation_w_factor"), 1);
    assert_int_equal(integer(conv, "dilation_h_factor"), 2);
    assert_null(rp_graph_attribute(conv, "axis"));
    assert_int_equal(conv->input_count, 3);
    const struct rp_graph_node *custom = &graph.nodes.items[1];
    assert_string_equal(custom->op, "My?Op");
    assert_string_equal(conv->name, "mid");
    assert_string_equal(custom->name, "out");
    assert_true(custom->custom && !conv->custom);
    assert_int_equal(custom->inputs[1], RP_GRAPH_NONE);
    assert_int_equal(custom->version, 1);
}

static void test_tflite_tensors(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    tflite_sample(&file);
    ACCEPTED(u, read_buf(u, &graph, &file));
    const struct rp_graph_tensor *in = named(&graph, "in"), *weights = named(&graph, "weights");
    const struct rp_graph_tensor *bias = named(&graph, "bias"), *mid = named(&graph, "mid");
    assert_true(in->shape_known && in->rank == 4 && in->dims[0] == -1 && in->dims[3] == 3);
    assert_int_equal(in->element, RP_ELEMENT_INT8);
    assert_int_equal(in->producer, RP_GRAPH_NONE);
    assert_true(!in->constant && in->consumers == 1 && in->quantisation.count == 1);
    assert_int_equal(in->quantisation.zero_points[0], -3);
    assert_true(weights->constant && weights->size_bytes == 6 && weights->data[5] == 6);
    assert_int_equal(weights->quantisation.count, 2);
    assert_true(weights->quantisation.scales[1] == 1.0);
    assert_int_equal(weights->dims[0], 2);
    assert_int_equal(bias->element, RP_ELEMENT_INT32);
    assert_true(bias->constant && bias->data[4] == 2 && bias->size_bytes == 8);
    assert_true(mid->producer == 0 && mid->consumers == 1);
    assert_null(named(&graph, "out")->quantisation.scales);
}

/* ---- ONNX ---- */

static void test_onnx(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    onnx_sample(&file);
    ACCEPTED(u, read_buf(u, &graph, &file));
    assert_int_equal(graph.format, RP_GRAPH_ONNX);
    assert_string_equal(graph.producer, "by hand 1");
    assert_int_equal(graph.opset, 13);
    assert_int_equal(graph.nodes.count, 4);
    assert_int_equal(graph.input_count, 1); /* "w" has a value */
    const struct rp_graph_node *conv = &graph.nodes.items[2], *mine = &graph.nodes.items[3];
    assert_string_equal(conv->op, "Conv");
    assert_string_equal(conv->name, "conv?[1m");
    assert_int_equal(conv->inputs[2], RP_GRAPH_NONE);
    assert_int_equal(conv->attribute_count, 6);
    assert_int_equal(rp_graph_attribute(conv, "kernel_shape")->list[1], 3);
    assert_int_equal(rp_graph_attribute(conv, "pads")->count, 2);
    assert_int_equal(rp_graph_attribute(conv, "pads")->list[1], -1);
    assert_string_equal(text(conv, "auto_pad"), "VALID");
    assert_string_equal(text(conv, "body"), "<graph>");
    assert_int_equal(integer(conv, "group"), 1);
    assert_true(rp_graph_attribute(conv, "alpha")->real == 0.25);
    assert_true(mine->custom && !conv->custom);
    assert_string_equal(mine->domain, "org.example");
    assert_string_equal(mine->name, "out");
}

static void test_onnx_tensors(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    onnx_sample(&file);
    ACCEPTED(u, read_buf(u, &graph, &file));
    const struct rp_graph_tensor *in = named(&graph, "in"), *w = named(&graph, "w");
    const struct rp_graph_tensor *s = named(&graph, "s"), *z = named(&graph, "z");
    const struct rp_graph_tensor *c = named(&graph, "c"), *mid = named(&graph, "mid");
    assert_true(in->shape_known && in->rank == 4 && in->dims[0] == -1 && in->dims[3] == -1);
    assert_int_equal(in->dims[1], 3);
    assert_true(w->constant && w->size_bytes == 6 && w->data[1] == 2 && w->rank == 2);
    assert_true(s->shape_known && s->rank == 0 && s->size_bytes == 4);
    assert_memory_equal(s->data, &(float){0.5f}, 4);
    assert_memory_equal(z->data, "\xFD\7", 2);
    assert_true(c->constant && c->producer == 1 && c->element == RP_ELEMENT_INT64);
    assert_memory_equal(c->data, "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
    assert_true(!mid->shape_known && mid->consumers == 1 && mid->producer == 2);
    assert_int_equal(named(&graph, "out")->rank, 2);
}

/* ---- every prefix, every byte ---- */

/* Whatever is accepted is sound: indexes in range, names present, constants readable. */
static unsigned touch(const struct rp_graph *graph) {
    unsigned sum = 0;
    for (size_t i = 0; i < graph->tensors.count; i++) {
        const struct rp_graph_tensor *tensor = &graph->tensors.items[i];
        assert_true(tensor->producer < (int32_t)graph->nodes.count && tensor->rank <= 8);
        for (size_t k = 0; tensor->data != NULL && k < tensor->size_bytes; k++)
            sum += tensor->data[k];
        sum += (unsigned)strlen(tensor->name);
    }
    for (size_t i = 0; i < graph->nodes.count; i++)
        for (size_t k = 0; k < graph->nodes.items[i].input_count; k++)
            assert_true(graph->nodes.items[i].inputs[k] < (int32_t)graph->tensors.count);
    return sum;
}

static void try_bytes(struct unit *u, const void *data, size_t size) {
    struct rp_graph graph;
    uint8_t *copy = unit_exact(data, size);
    if (rp_graph_read(&graph, &u->arena, &(struct rp_bytes){copy, size}, "m", &u->err))
        (void)touch(&graph);
    else
        assert_int_equal(u->err.id, RP_E_INPUT);
    u->err.id = 0;
    free(copy);
}

static void mutate(struct unit *u, void (*sample)(struct rp_buf *out)) {
    static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    sample(&file);
    for (size_t len = 0; len < file.len; len++) {
        assert_false(read_bytes(u, &graph, file.data, len));
        assert_int_equal(u->err.id, RP_E_INPUT);
        u->err.id = 0;
    }
    for (size_t at = 0; at < file.len; at++) {
        char was = file.data[at];
        for (size_t i = 0; i < COUNT(values); i++) {
            file.data[at] = (char)values[i];
            try_bytes(u, file.data, file.len);
        }
        for (unsigned bit = 0; bit < 8; bit++) {
            file.data[at] = (char)(was ^ (1 << bit));
            try_bytes(u, file.data, file.len);
        }
        file.data[at] = was;
    }
}

static void test_tflite_mutated(void **state) {
    mutate(*state, tflite_sample);
}

static void test_onnx_mutated(void **state) {
    mutate(*state, onnx_sample);
}

/* ---- hostile ---- */

/* 60000 tensors share one table with 60000 scales: it takes linear time, or is an error. */
static void test_tflite_shared(void **state) {
    enum { MANY = 60000 };
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    fb_begin(&file);
    struct fb_table model = fb_table(&file, 0, "404");
    fb_set(&file, model.fields[0], 3, 4);
    struct fb_table subgraph = fb_table(&file, fb_vector(&file, model.fields[2], 1, 4), "4");
    size_t list = fb_vector(&file, subgraph.fields[0], MANY, 4);
    struct fb_table tensor = fb_table(&file, list, "00004");
    for (size_t i = 1; i < MANY; i++)
        fb_set(&file, list + i * 4, tensor.at - (list + i * 4), 4);
    struct fb_table quantisation = fb_table(&file, tensor.fields[4], "004");
    (void)fb_vector(&file, quantisation.fields[2], MANY, 4);
    REFUSED(u, read_buf(u, &graph, &file), RP_E_INPUT, "the same parts too often");
}

/* The elements are not where those of a dense constant are, so there is no data. */
static void test_tflite_sparse(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    fb_begin(&file);
    struct fb_table model = fb_table(&file, 0, "40404");
    fb_set(&file, model.fields[0], 3, 4);
    struct fb_table subgraph = fb_table(&file, fb_vector(&file, model.fields[2], 1, 4), "4");
    struct fb_table tensor = fb_table(&file, fb_vector(&file, subgraph.fields[0], 1, 4), "0044004");
    fb_set(&file, tensor.fields[2], 1, 4);
    fb_string(&file, tensor.fields[3], "w");
    (void)fb_table(&file, tensor.fields[6], "");
    size_t buffers = fb_vector(&file, model.fields[4], 2, 4);
    (void)fb_table(&file, buffers, "");
    struct fb_table buffer = fb_table(&file, buffers + 4, "4");
    (void)fb_vector(&file, buffer.fields[0], 8, 1);
    ACCEPTED(u, read_buf(u, &graph, &file));
    const struct rp_graph_tensor *w = named(&graph, "w");
    assert_true(w->constant && w->sparse && w->data == NULL && w->size_bytes == 8);
}

static void test_tflite_refused(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena};
    struct rp_graph graph;
    fb_begin(&file);
    struct fb_table model = fb_table(&file, 0, "4044");
    fb_set(&file, model.fields[0], 2, 4);
    REFUSED(u, read_buf(u, &graph, &file), RP_E_INPUT, "schema version 2");
    fb_set(&file, model.fields[0], 3, 4);
    size_t list = fb_vector(&file, model.fields[2], 0, 4);
    fb_string(&file, model.fields[3], "x");
    REFUSED(u, read_buf(u, &graph, &file), RP_E_INPUT, "no graph");
    fb_set(&file, list - 4, 0xFFFFFFFF, 4);
    REFUSED(u, read_buf(u, &graph, &file), RP_E_INPUT, "a list is longer than the file");
}

/* A graph of two nodes, given by their inputs and outputs; its output is "out". */
static struct rp_buf two_nodes(struct rp_arena *arena, const char *const names[4]) {
    struct rp_buf file = {.arena = arena}, graph = {.arena = arena};
    for (size_t i = 0; i < 4; i += 2) {
        struct rp_buf node = onnx_node(arena, "Relu", names[i], names[i + 1]);
        pb_message(&graph, 1, &node);
    }
    onnx_value(&graph, 11, "in", 1, "1");
    onnx_value(&graph, 12, "out", 1, "1");
    onnx_model(&file, &graph);
    return file;
}

static void test_onnx_links(void **state) {
    static const struct {
        const char *names[4];
        const char *part;
    } rows[] = {{{"b", "out", "in", "b"}, "not in execution order"},
                {{"a", "a", "in", "out"}, "not in execution order"},
                {{"in", "out", "in", "out"}, "is the output of operator 0 and of operator 1"},
                {{"in", "b", "x", "out"}, "'x' is used or is an output"},
                {{"in", "b", "b", "c"}, "'out' is used or is an output"},
                {{"in", "b", "b", "in"}, "'in' is used before operator 1"}};
    struct unit *u = *state;
    struct rp_graph graph;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_buf file = two_nodes(&u->arena, rows[i].names);
        REFUSED(u, read_buf(u, &graph, &file), RP_E_INPUT, rows[i].part);
    }
}

/* Some exporters write Constant nodes after the nodes that use them. */
static void test_onnx_late_constant(void **state) {
    struct unit *u = *state;
    struct rp_buf file = {.arena = &u->arena}, graph = {.arena = &u->arena};
    struct rp_buf add = onnx_node(&u->arena, "Add", "in c", "out"),
                  constant = onnx_node(&u->arena, "Constant", "", "c");
    struct rp_graph read;
    pb_message(&graph, 1, &add);
    pb_message(&graph, 1, &constant);
    onnx_value(&graph, 11, "in", 1, "1");
    onnx_value(&graph, 12, "out", 1, "1");
    onnx_model(&file, &graph);
    ACCEPTED(u, read_buf(u, &read, &file));
    assert_true(named(&read, "c")->constant && named(&read, "c")->producer == 1);
}

static bool read_initialiser(struct unit *u, struct rp_graph *graph, unsigned field,
                             struct rp_buf *tensor) {
    struct rp_buf file = {.arena = &u->arena}, body = {.arena = &u->arena};
    pb_text(tensor, 8, "w");
    if (field == 15) {
        struct rp_buf values = *tensor;
        *tensor = (struct rp_buf){.arena = &u->arena};
        pb_message(tensor, 1, &values);
    }
    pb_message(&body, field, tensor);
    onnx_model(&file, &body);
    bool ok = read_buf(u, graph, &file);
    if (ok)
        assert_string_equal(graph->tensors.items[0].name, "w");
    return ok;
}

/* An operator that has the initialiser as its output. */
static bool read_overwritten(struct unit *u, struct rp_graph *graph) {
    struct rp_buf file = {.arena = &u->arena}, body = {.arena = &u->arena},
                  tensor = {.arena = &u->arena}, node = onnx_node(&u->arena, "Relu", "", "w");
    pb_text(&tensor, 8, "w");
    pb_message(&body, 5, &tensor);
    pb_message(&body, 1, &node);
    onnx_model(&file, &body);
    return read_buf(u, graph, &file);
}

static void test_onnx_initialisers(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_buf tensor = {.arena = &u->arena}, entry = {.arena = &u->arena};
    REFUSED(u, read_initialiser(u, &graph, 15, &tensor), RP_E_INPUT, "'w' is a sparse tensor");
    pb_number(&tensor, 1, 1u << 31);
    pb_number(&tensor, 1, 1u << 31);
    pb_number(&tensor, 1, 1u << 31);
    pb_number(&tensor, 2, 1);
    REFUSED(u, read_initialiser(u, &graph, 5, &tensor), RP_E_INPUT, "impossible shape");
    pb_number(&tensor, 1, 3);
    pb_number(&tensor, 2, 1);
    pb_text(&tensor, 9, "12345678");
    REFUSED(u, read_initialiser(u, &graph, 5, &tensor), RP_E_INPUT, "8 bytes where its type");
    REFUSED(u, read_overwritten(u, &graph), RP_E_INPUT, "'w' has a value in the file, but oper");
    pb_number(&tensor, 1, 1000000);
    pb_number(&tensor, 2, 1);
    pb_text(&entry, 1, "location");
    pb_text(&entry, 2, "weights.bin");
    pb_message(&tensor, 13, &entry);
    pb_number(&tensor, 14, 1);
    ACCEPTED(u, read_initialiser(u, &graph, 5, &tensor));
    assert_string_equal(graph.tensors.items[0].elsewhere, "weights.bin");
    assert_true(graph.tensors.items[0].constant && graph.tensors.items[0].data == NULL);
}

/* A node of op with an attribute, and its output "w". */
static bool read_attribute(struct unit *u, struct rp_graph *graph, const char *op,
                           struct rp_buf *attribute) {
    struct rp_buf file = {.arena = &u->arena}, body = {.arena = &u->arena},
                  node = onnx_node(&u->arena, op, "", "w");
    pb_message(&node, 5, attribute);
    pb_message(&body, 1, &node);
    onnx_model(&file, &body);
    return read_buf(u, graph, &file);
}

/* The value of a Constant may be numbers; that of other operators may be a tensor. */
static void test_onnx_attributes(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_buf attribute = {.arena = &u->arena}, tensor = {.arena = &u->arena};
    const struct rp_graph_tensor *w;
    pb_text(&attribute, 1, "value_ints");
    pb_number(&attribute, 8, 5);
    pb_number(&attribute, 8, (uint64_t)-1);
    ACCEPTED(u, read_attribute(u, &graph, "Constant", &attribute));
    w = named(&graph, "w");
    assert_true(w->constant && w->element == RP_ELEMENT_INT64 && w->rank == 1 && w->dims[0] == 2);
    assert_memory_equal(w->data, "\5\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 16);
    pb_text(&attribute, 1, "value_int");
    pb_number(&attribute, 3, 5);
    ACCEPTED(u, read_attribute(u, &graph, "Constant", &attribute));
    w = named(&graph, "w");
    assert_true(w->element == RP_ELEMENT_INT64 && w->shape_known && w->rank == 0);
    pb_text(&attribute, 1, "value_floats");
    pb_float(&attribute, 7, 0.5f);
    ACCEPTED(u, read_attribute(u, &graph, "Constant", &attribute));
    w = named(&graph, "w");
    assert_true(w->element == RP_ELEMENT_FLOAT32 && w->rank == 1 && w->size_bytes == 4);
    pb_text(&attribute, 1, "value_string");
    pb_text(&attribute, 4, "text");
    ACCEPTED(u, read_attribute(u, &graph, "Constant", &attribute));
    assert_true(named(&graph, "w")->constant && named(&graph, "w")->data == NULL);
    pb_text(&attribute, 1, "value");
    pb_number(&tensor, 1, 1);
    pb_number(&tensor, 2, 7);
    pb_number(&tensor, 7, 9);
    pb_message(&attribute, 5, &tensor);
    ACCEPTED(u, read_attribute(u, &graph, "ConstantOfShape", &attribute));
    const struct rp_attribute *value = rp_graph_attribute(&graph.nodes.items[0], "value");
    assert_true(value->tensor->element == RP_ELEMENT_INT64 && value->tensor->data[0] == 9);
    assert_false(named(&graph, "w")->constant);
    pb_text(&attribute, 1, "value");
    pb_number(&tensor, 1, 2);
    pb_number(&tensor, 2, 7);
    pb_message(&attribute, 5, &tensor);
    REFUSED(u, read_attribute(u, &graph, "ConstantOfShape", &attribute), RP_E_INPUT,
            "constant 'value' has 0 bytes");
}

static void test_not_a_model(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_buf file = {.arena = &u->arena};
    REFUSED(u, read_bytes(u, &graph, "", 0), RP_E_INPUT, "empty");
    REFUSED(u, read_bytes(u, &graph, "hello, world", 12), RP_E_INPUT, "neither TFLite");
    REFUSED(u, read_bytes(u, &graph, "\x08\x08", 2), RP_E_INPUT, "it has no graph");
    REFUSED(u, read_bytes(u, &graph, "PK\3\4....", 8), RP_E_INPUT, "a zip archive");
    REFUSED(u, read_bytes(u, &graph, "version https://git-lfs.github.com/spec/v1\n", 43),
            RP_E_INPUT, "a Git LFS pointer");
    REFUSED(u, read_bytes(u, &graph, "\0\0\0\0TFL3", 8), RP_E_INPUT, "outside the file");
    for (int i = 0; i < 2; i++)
        pb_text(&file, 7, "");
    REFUSED(u, read_buf(u, &graph, &file), RP_E_INPUT, "two graphs");
}

static void test_names(void **state) {
    static const struct {
        const char *in, *out;
    } rows[] = {{"gr\xC3\xBC\xC3\x9F", "gr\xC3\xBC\xC3\x9F"}, /* two letters of Latin-1 */
                {"a\x7F\x01z", "a??z"},
                {"\xC0\xAF\xC3", "???"},   /* too long, and cut */
                {"\xED\xA0\x80", "???"},   /* a surrogate */
                {"\xE2\x80\xAE.", "???."}, /* changes the direction of text */
                {"\xC2\x9B", "??"},        /* a control of Latin-1 */
                {"\xE2\x81\xA0\xE2\x81\xAF\xE2\x81\xB0", "??????\xE2\x81\xB0"}, /* invisible */
                {"\xE2\x81\x9F", "\xE2\x81\x9F"},
                {"\xE2\x80\x8B\xE2\x80\x8F\xE2\x80\xA8", "?????????"},
                {"\xE0\x9F\xBF", "???"}, /* too long */
                {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
                {"\xF4\x90\x80\x80", "????"}, /* past the last */
                {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"}};
    struct unit *u = *state;
    struct rp_graph graph;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_buf file = {.arena = &u->arena}, body = {.arena = &u->arena};
        onnx_value(&body, 11, rows[i].in, 1, "1");
        onnx_model(&file, &body);
        ACCEPTED(u, read_buf(u, &graph, &file));
        assert_string_equal(graph.tensors.items[0].name, rows[i].out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(test_tflite),          UNIT(test_tflite_tensors),     UNIT(test_onnx),
        UNIT(test_onnx_tensors),    UNIT(test_tflite_mutated),     UNIT(test_onnx_mutated),
        UNIT(test_tflite_shared),   UNIT(test_tflite_sparse),      UNIT(test_tflite_refused),
        UNIT(test_onnx_links),      UNIT(test_onnx_late_constant), UNIT(test_onnx_initialisers),
        UNIT(test_onnx_attributes), UNIT(test_not_a_model),        UNIT(test_names)};
    return RUN(tests);
}
