/* SPDX-License-Identifier: Apache-2.0 */
/* Makes graphs from text. See ops_text.h. A mistake in the text fails the test. */
#include "tests/unit/ops_text.h"

#include "tests/unit/unit.h"
#include "toolchain/ops/judge.h"

static const struct {
    const char *name;
    enum rp_element element;
    bool quantised;
} types[] = {{"i8", RP_ELEMENT_INT8, true},     {"u8", RP_ELEMENT_UINT8, true},
             {"i16", RP_ELEMENT_INT16, true},   {"f32", RP_ELEMENT_FLOAT32, false},
             {"i32", RP_ELEMENT_INT32, false},  {"i64", RP_ELEMENT_INT64, false},
             {"bool", RP_ELEMENT_BOOL, false},  {"u16", RP_ELEMENT_UINT16, true},
             {"i4", RP_ELEMENT_INT4, true},     {"any", RP_ELEMENT_OTHER, false},
             {"str", RP_ELEMENT_FOREIGN, false}};

static int32_t find_tensor(const struct rp_graph *graph, const char *name) {
    if (strcmp(name, "-") == 0)
        return RP_GRAPH_NONE;
    for (size_t i = 0; i < graph->tensors.count; i++)
        if (strcmp(graph->tensors.items[i].name, name) == 0)
            return (int32_t)i;
    fail_msg("no tensor '%s'", name);
    return RP_GRAPH_NONE;
}

/* "1,2,3", at most 16 of them. */
static size_t read_list(struct rp_arena *arena, const char *text, char separator, int64_t **out) {
    int64_t *list = rp_alloc(arena, 16, sizeof *list);
    size_t count = 0;
    for (char *end; *text != '\0' && count < 16; text = *end == separator ? end + 1 : end) {
        list[count++] = strtoll(text, &end, 10);
        if (end == text || (*end != separator && *end != '\0'))
            fail_msg("'%s' is no list", text);
    }
    *out = list;
    return count;
}

static void set_values(struct rp_graph_tensor *t, struct rp_arena *arena, const char *values) {
    int64_t *list;
    size_t count = read_list(arena, values, ',', &list);
    bool real = t->element == RP_ELEMENT_FLOAT32;
    size_t size = t->element == RP_ELEMENT_INT64           ? 8
                  : t->element == RP_ELEMENT_INT32 || real ? 4
                                                           : 1;
    uint8_t *data = rp_alloc(arena, count, size);
    for (size_t i = 0; i < count && real; i++)
        memcpy(data + i * size, &(float){(float)list[i]}, size);
    for (size_t i = 0; i < count * size && !real; i++)
        data[i] = (uint8_t)((uint64_t)list[i / size] >> (8 * (i % size)));
    t->data = data;
    t->size_bytes = count * size;
}

static void set_shape(struct rp_graph_tensor *t, struct rp_arena *arena, const char *dims) {
    int64_t *list;
    t->shape_known = true;
    t->rank = (unsigned)read_list(arena, dims, 'x', &list);
    for (unsigned i = 0; i < t->rank && i < RP_GRAPH_RANK_MAX; i++)
        t->dims[i] = list[i];
}

static void set_scales(struct rp_graph_tensor *t, struct rp_arena *arena, bool one, double scale,
                       int64_t zero) {
    bool many = t->constant && !one && t->rank > 1 && t->dims[0] < 1024;
    size_t count = many ? (size_t)t->dims[0] : 1;
    double *scales = rp_alloc(arena, count, sizeof *scales);
    int64_t *zeros = rp_alloc(arena, count, sizeof *zeros);
    for (size_t i = 0; i < count; i++) {
        scales[i] = scale;
        zeros[i] = zero;
    }
    t->quantisation = (struct rp_quantisation){scales, zeros, count, 0};
}

static void add_tensor(struct rp_graph *graph, struct rp_arena *arena, char *word) {
    struct rp_graph_tensor *t = RP_PUSH(arena, &graph->tensors);
    memset(t, 0, sizeof *t);
    char *values = strchr(word, '=');
    if (values != NULL)
        *values++ = '\0';
    char *type = strchr(word, ':');
    if (type == NULL)
        fail_msg("'%s' is no tensor", word);
    *type++ = '\0';
    char *dims = strchr(type, ':');
    if (dims != NULL)
        *dims++ = '\0';
    char *zero = strchr(type, '@');
    if (zero != NULL)
        *zero++ = '\0';
    t->name = word;
    t->producer = RP_GRAPH_NONE;
    t->constant = strchr(type, '*') != NULL;
    t->sparse = strchr(type, '/') != NULL;
    bool one = strchr(type, '~') != NULL, quantised = false;
    bool halved = strchr(type, '^') != NULL;
    type[strcspn(type, "*~/^")] = '\0';
    for (size_t i = 0; i < COUNT(types); i++)
        if (strcmp(types[i].name, type) == 0) {
            t->element = types[i].element;
            quantised = types[i].quantised;
        }
    if (dims != NULL)
        set_shape(t, arena, dims);
    if (quantised)
        set_scales(t, arena, one, halved ? 0.25 : 0.5, zero != NULL ? strtoll(zero, NULL, 10) : 0);
    if (values != NULL)
        set_values(t, arena, values);
}

static void add_attribute(struct rp_graph_node *node, struct rp_arena *arena, char *word) {
    struct rp_attribute *a =
        (struct rp_attribute *)(uintptr_t)&node->attributes[node->attribute_count++];
    char *value = strchr(word, '=');
    *value++ = '\0';
    a->name = word;
    if (strchr("-0123456789", *value) == NULL) {
        a->text = value;
        return;
    }
    int64_t *list;
    a->count = read_list(arena, value, ',', &list);
    a->list = list;
    a->integer = list[0];
}

static void add_node(struct rp_graph *graph, struct rp_arena *arena, char **words, size_t count) {
    int32_t index = (int32_t)graph->nodes.count;
    struct rp_graph_node *node = RP_PUSH(arena, &graph->nodes);
    int32_t *inputs = rp_alloc(arena, count, sizeof *inputs);
    int32_t *outputs = rp_alloc(arena, count, sizeof *outputs);
    *node = (struct rp_graph_node){.name = "", .domain = "", .inputs = inputs, .outputs = outputs};
    node->custom = words[0][0] == '!';
    node->op = words[0] + node->custom;
    node->attributes = rp_alloc(arena, count, sizeof *node->attributes);
    bool after = false;
    for (size_t i = 1; i < count; i++) {
        if (strcmp(words[i], ">") == 0) {
            after = true;
        } else if (strchr(words[i], '=') != NULL) {
            add_attribute(node, arena, words[i]);
        } else {
            int32_t at = find_tensor(graph, words[i]);
            if (after) {
                outputs[node->output_count++] = at;
                graph->tensors.items[at].producer = index;
            } else {
                inputs[node->input_count++] = at;
                if (at >= 0)
                    graph->tensors.items[at].consumers++;
            }
        }
    }
}

static void find_outputs(struct rp_graph *graph, struct rp_arena *arena) {
    int32_t *outputs = rp_alloc(arena, graph->tensors.count, sizeof *outputs);
    graph->outputs = outputs;
    for (size_t i = 0; i < graph->tensors.count; i++)
        if (graph->tensors.items[i].name[0] == '+' ||
            (graph->tensors.items[i].consumers == 0 && graph->tensors.items[i].name[0] != '_'))
            outputs[graph->output_count++] = (int32_t)i;
}

void ops_text(struct rp_graph *graph, struct rp_arena *arena, const char *text) {
    char *copy = rp_strdup(arena, text), *words[64];
    size_t count = 0;
    *graph = (struct rp_graph){.producer = "", .opset = 17};
    char *next = NULL, *word = strtok_r(copy, " ", &next);
    graph->format = strncmp(word, "onnx", 4) == 0 ? RP_GRAPH_ONNX : RP_GRAPH_TFLITE;
    if (graph->format == RP_GRAPH_ONNX && word[4] != '\0')
        graph->opset = (int64_t)strtoll(word + 4, NULL, 10);
    while ((word = strtok_r(NULL, " ", &next)) != NULL && strcmp(word, ";") != 0)
        add_tensor(graph, arena, word);
    while (word != NULL) {
        word = strtok_r(NULL, " ", &next);
        if (word != NULL && strcmp(word, ";") != 0 && count < COUNT(words)) {
            words[count++] = word;
        } else if (count > 0) {
            add_node(graph, arena, words, count);
            count = 0;
        }
    }
    find_outputs(graph, arena);
}

void ops_judge(struct rp_ops *ops, struct rp_arena *arena, const char *text) {
    struct rp_graph *graph = rp_alloc(arena, 1, sizeof *graph);
    ops_text(graph, arena, text);
    rp_ops_judge(ops, arena, graph);
}

bool ops_follow(const struct rp_ops_node *node, const char *id) {
    for (size_t i = 0; i < node->rules.count; i++)
        if (strcmp(node->rules.items[i]->id, id) == 0)
            return true;
    return false;
}
