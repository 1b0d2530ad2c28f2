/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/graph/quantisation: types and scales from a _Q.json file. */
#include "tests/unit/unit.h"

#include "tests/unit/ops_text.h"
#include "toolchain/graph/quantisation.h"
#include "toolchain/ops/judge.h"

#define TENSOR(name, type, scales, zeros)                                                          \
    "\"" name "\": {\"format\": {\"params\": [" scales ", " zeros "], \"class\": \"integer\", "    \
    "\"type\": \"" type "\"}}"
#define WHOLE(tensors) "{\"version\": \"4.0\", \"tensors\": {" tensors "}}"

/* clang-format off */
#define GOOD                                                                                       \
    WHOLE(TENSOR("p", "S8", "[0.5]", "[-3]") "," TENSOR("w", "S8", "[0.25, 2]", "[0, 0]") ","      \
          TENSOR("c", "S8", "[0.5]", "[7]") "," TENSOR("other", "S8", "[1]", "[0]") ","            \
          TENSOR("d", "FLOAT32", "null", "null"))
/* clang-format on */

static bool quantise(struct unit *u, struct rp_graph *graph, const char *text) {
    const struct rp_bytes bytes = {(const uint8_t *)text, strlen(text)};
    ops_text(graph, &u->arena,
             "onnx x:i8:1x4x4x4 d:any w:f32*:2x4x1x1=1,2,3 p:any c:any y:i8 ; "
             "DequantizeLinear x > d ; Relu d > p ; Conv p w > c ; QuantizeLinear c > y");
    return rp_graph_quantise(graph, &u->arena, "m_Q.json", &bytes, &u->err);
}

static void sets_types_and_scales(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_ops ops;
    ACCEPTED(u, quantise(u, &graph, GOOD));
    const struct rp_graph_tensor *t = graph.tensors.items;
    assert_int_equal(t[2].element, RP_ELEMENT_INT8);
    assert_null(t[2].data);
    assert_int_equal(t[2].quantisation.count, 2);
    assert_true(t[2].quantisation.scales[1] == 2);
    assert_int_equal(t[3].quantisation.zero_points[0], -3);
    assert_int_equal(t[1].element, RP_ELEMENT_FLOAT32);
    assert_null(t[1].quantisation.scales);
    rp_ops_judge(&ops, &u->arena, &graph);
    assert_int_equal(ops.nodes[2].place, RP_OPS_HW);
}

/* Values stay when the type is the one of the model file. */
static void keeps_values(void **state) {
    struct unit *u = *state;
    struct rp_graph graph;
    ACCEPTED(u, quantise(u, &graph, WHOLE(TENSOR("w", "FLOAT32", "null", "null"))));
    assert_non_null(graph.tensors.items[2].data);
    assert_int_equal(graph.tensors.items[2].size_bytes, 12);
}

static void refuses_other_files(void **state) {
    static const struct {
        const char *text, *part;
        enum rp_error_id id;
    } cases[] = {
        {"", "not valid JSON", RP_E_MANIFEST},
        {"{\"tensors\": ", "not valid JSON", RP_E_MANIFEST},
        {"[]", "no \"tensors\"", RP_E_INPUT},
        {"{\"tensors\": []}", "no \"tensors\"", RP_E_INPUT},
        {"{\"tensors\": {}}", "belongs to another model", RP_E_INPUT},
        {WHOLE(TENSOR("other", "S8", "[1]", "[0]")), "belongs to another model", RP_E_INPUT},
        {WHOLE("\"w\": {}"), "'w': it has no format", RP_E_INPUT},
        {WHOLE("\"w\": 5"), "'w': it has no format", RP_E_INPUT},
        {WHOLE("\"w\": {\"format\": {}}"), "type is missing", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S7", "[1]", "[0]")), "missing or unknown", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S8", "[1, 2]", "[0]")), "different numbers", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S8", "[]", "[]")), "different numbers", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S8", "[1]", "null")), "different numbers", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S8", "1", "0")), "different numbers", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S8", "[\"1\"]", "[0]")), "not a number", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S8", "[1]", "[0.5]")), "not a number", RP_E_INPUT},
        {WHOLE(TENSOR("w", "S8", "[1]", "[1e30]")), "not a number", RP_E_INPUT},
    };
    struct unit *u = *state;
    struct rp_graph graph;
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, quantise(u, &graph, cases[i].text), cases[i].id, cases[i].part);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(sets_types_and_scales), UNIT(keeps_values),
                                       UNIT(refuses_other_files)};
    return RUN(tests);
}
