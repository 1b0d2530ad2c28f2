/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/ops/compiled, match and compare: predictions against a network.c. */
#include "tests/unit/unit.h"

#include "base/buf.h"
#include "tests/unit/ops_text.h"
#include "toolchain/ops/compare.h"
#include "toolchain/ops/compiled.h"
#include "toolchain/ops/judge.h"

/* clang-format off */
#define UNITS(epoch, nodes)                                                                        \
    "/* scheduling epoch=" epoch "    nodes=1   --- */\nstatic void f" epoch "(void) {\n" nodes "}\n"
#define CORE(kind, node)  "/* Unit= 27 [PROCESSOR 0] */\n/* kind=" kind " node=" node " */\n"
#define CONV(kind, node)  "/* Unit= 19 [CONV_ACC_V2 0] */\n/* kind=" kind " node=" node " */\n"
#define FLAGS(name, from, to)                                                                      \
    "{ .flags = EpochBlock_Flags_" name ", .epoch_num = " from ", .last_epoch_num = " to ", },\n"
#define BLOB(from, to)                                                                             \
    "{ .flags = EpochBlock_Flags_blob | EpochBlock_Flags_pure_hw, .blob_address = "                \
    "(uintptr_t) (_ec_blob_1), .epoch_num = " from ", .last_epoch_num = " to ", },\n"
#define BUFFER(name)                                                                               \
    "{ .name = \"" name "\", .addr_base = {(unsigned char *)(0x342e0000UL)}, .offset_start = 0, "  \
    ".offset_end = 64, },\n"
#define WEIGHTS(name, shape)                                                                       \
    "{ .name = \"" name "\", .addr_base = {(unsigned char *)(0x342e0000UL)}, .offset_start = 0, "  \
    ".offset_end = 64, .ndims = 4, .shape = " shape ", },\n"
#define TABLE(kind, rows)                                                                          \
    "const LL_Buffer_InfoTypeDef *LL_ATON_" kind "_Buffers_Info_net(void)\n{\n"                    \
    "  static const uint32_t small[] = { 1, 1, 1, 16 };\n"                                         \
    "  static const uint32_t large[] = { 1, 1, 1, 32 };\n"                                         \
    "  static const LL_Buffer_InfoTypeDef buff_info[] = {\n" rows                                  \
    "    {\n      .name = NULL,\n    }\n  };\n\n  return buff_info;\n}\n"
#define NETWORK(units, epochs, rows)                                                               \
    "#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 || LL_ATON_VERSION_MICRO != 3 "  \
    "|| LL_ATON_VERSION_DEV != 8\n#  error \"mismatch\"\n#endif\n"                                 \
    "/* global pool 1 is ? */\n/* index=1 file postfix=RAM name=npuRAM offset=0x342e0000  "        \
    "absolute_mode size=1024 READ_WRITE cacheable=OFF byte width=2 score=82  */\n" units           \
    "const EpochBlock_ItemTypeDef *LL_ATON_EpochBlockItems_net(void) {\n"                          \
    "  static const EpochBlock_ItemTypeDef ll_atonn_rt_epoch_block_array[] = {\n" epochs           \
    "    {\n      .flags = EpochBlock_Flags_last_eb,\n    },\n  };\n\n"                            \
    "  return ll_atonn_rt_epoch_block_array;\n}\n"                                                 \
    TABLE("Input", BUFFER("Input_0_out_0")) TABLE("Output", BUFFER("b")) TABLE("Internal", rows)
/* clang-format on */

static void compare(struct rp_ops_network *network, struct unit *u, const struct rp_graph *graph,
                    const char *text) {
    struct rp_ops ops;
    const struct rp_bytes bytes = {(const uint8_t *)text, strlen(text)};
    rp_ops_judge(&ops, &u->arena, graph);
    ACCEPTED(u, rp_ops_compare(network, &ops, "net.c", &bytes, &u->err));
}

static struct rp_graph *read(struct unit *u, const char *text) {
    struct rp_graph *graph = rp_alloc(&u->arena, 1, sizeof *graph);
    ops_text(graph, &u->arena, text);
    return graph;
}

/* A row each: "agrees Conv2D_1 hardware 1"; the last three are missing when nothing shows. */
static void expect(struct unit *u, const struct rp_ops_network *network, const char *const *rows,
                   size_t count) {
    assert_int_equal(network->nodes.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct rp_ops_compared *row = &network->nodes.items[i];
        const char *text = rp_ops_comparison_name(row->comparison);
        if (row->compiled != NULL)
            text = rp_format(&u->arena, "%s %s %s %d", text, row->compiled->name,
                             rp_ops_unit_name(row->compiled->unit), (int)row->compiled->epoch);
        assert_string_equal(text, rows[i]);
    }
}

static void compares_each_node(void **state) {
    static const char text[] = NETWORK(
        UNITS("1", CONV("Conv", "Conv2D_2") CONV("Mul", "Conv2D_2_mul_scale_7")
                       CONV("Sub", "Gemm_5_suboff_3")) UNITS("2", CORE("Conv", "Gemm_5_conv_4"))
            UNITS("3", CORE("Concat", "Concat_8"))
                UNITS("4", CORE("Softmax", "Softmax_210") CORE("Split", "Softmax_210_split_1"))
                    UNITS("6", CORE("Cast", "Cast_inserted_id9") CONV("Mul", "Own_77")),
        FLAGS("pure_hw", "1", "1") FLAGS("pure_sw", "2", "2") FLAGS("hybrid", "3", "3")
            FLAGS("pure_sw", "4", "4") FLAGS("pure_hw", "5", "5") FLAGS("pure_sw", "6", "6"),
        BUFFER("Transpose_212_out_0"));
    static const char *const rows[] = {"agrees Conv2D_2 hardware 1",
                                       "differs Gemm_5 software 1",
                                       "hybrid Concat_8 hybrid 3",
                                       "differs",
                                       "agrees Softmax_210 software 4",
                                       "undecided",
                                       "not_shown"};
    struct unit *u = *state;
    struct rp_ops_network network;
    compare(&network, u,
            read(u, "tflite x:i8:1x9x9x16 w:i8*:32x3x3x16 a:i8:1x9x9x32 v:i8*:4x32 g:i8 c:i8 e:i8 "
                    "s:i8 t:i8 y:f32 ; CONV_2D x w > a ; FULLY_CONNECTED a v > g ; "
                    "CONCATENATION g a > c ; ELU c > e ; SOFTMAX e > s ; TRANSPOSE s > t ; "
                    "DEQUANTIZE t > y"),
            text);
    assert_string_equal(network.name, "net");
    assert_int_equal(network.hardware, 2);
    assert_int_equal(network.software, 3);
    assert_int_equal(network.hybrid, 1);
    assert_false(network.has_blobs);
    assert_int_equal(network.counts[RP_OPS_AGREES], 2);
    assert_int_equal(network.counts[RP_OPS_DIFFERS], 2);
    assert_int_equal(network.inserted, 1);
    expect(u, &network, rows, COUNT(rows));
}

/* Inside blobs, only buffers show. Software always shows. */
static void compares_blobs(void **state) {
    static const char text[] =
        NETWORK(UNITS("4", CORE("Softmax", "Softmax_9")), BLOB("1", "3") FLAGS("pure_sw", "4", "4"),
                WEIGHTS("Conv2D_2_weights", "small") BUFFER("AveragePool_6_out_0")
                    BUFFER("Quantize_4_out_0"));
    static const char *const rows[] = {"agrees Conv2D_2 hardware -1", "not_shown",
                                       "differs AveragePool_6 hardware -1",
                                       "agrees Softmax_9 software 4"};
    struct unit *u = *state;
    struct rp_ops_network network;
    compare(&network, u,
            read(u, "tflite x:i8:1x9x9x16 w:i8*:1x1x1x16 a:i8:1x9x9x1 b:i8 m:i8 y:i8 ; "
                    "CONV_2D x w > a ; ADD a a > b ; MEAN b > m ; SOFTMAX m > y"),
            text);
    assert_true(network.has_blobs);
    assert_int_equal(network.hardware, 3);
    assert_int_equal(network.compiled.count, 4); /* Input_0 too; "b" has no number */
    expect(u, &network, rows, COUNT(rows));
}

/* All compiled nodes have numbers, and run on the convolutions' unit. */
static void expect_pairs(struct unit *u, const char *graph, const char *text,
                         const char *const *names, size_t count) {
    struct rp_ops_network network;
    compare(&network, u, read(u, graph), text);
    assert_int_equal(network.nodes.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct rp_ops_compiled_node *compiled = network.nodes.items[i].compiled;
        const char *name = compiled != NULL ? compiled->name : "";
        if (strcmp(name, names[i]) != 0)
            fail_msg("%s: node %zu is %s, not %s", graph, i, name, names[i]);
    }
}

/* The front end takes the second branch first, as the weights show. */
static void finds_the_order(void **state) {
    static const char text[] = NETWORK(
        UNITS("1", CONV("Conv", "Conv2D_1") CONV("Conv", "Conv2D_2") CONV("Conv", "Conv2D_4")
                       CONV("Add", "Add_5")),
        FLAGS("pure_hw", "1", "1"),
        WEIGHTS("Conv2D_2_weights", "large") WEIGHTS("Conv2D_4_weights_transposed_3", "small")
            WEIGHTS("Conv2D_1_weights_part", "small"));
    static const char *const names[] = {"Conv2D_1", "Conv2D_4", "Conv2D_2", "Add_5"};
    expect_pairs(*state,
                 "tflite x:i8:1x9x9x16 w:i8*:16x1x1x16 s:i8*:1x1x1x16 l:i8*:2x1x1x16 "
                 "a:i8:1x9x9x16 b:i8:1x9x9x1 c:i8:1x9x9x2 y:i8:1x9x9x2 ; "
                 "CONV_2D x w > a ; CONV_2D a s > b ; CONV_2D a l > c ; ADD b c > y",
                 text, names, COUNT(names));
}

/* Three branches; the first one has padding. */
#define BRANCHES(first, second, third)                                                             \
    "onnx x:i8:1x4x8x8 t:i8:1x4x8x8 w:i8*:4x4x3x3 a:i8 b:i8 c:i8 d:i8 e:i8 f:i8 ; Softmax x > t "  \
    "; "                                                                                           \
    "Conv t w > a pads=" first " ; Sigmoid a > d ; Conv t w > b pads=" second " ; Tanh b > e ; "   \
    "Conv t w > c pads=" third " ; Abs c > f"

static void finds_late_branches(void **state) {
    static const char padded[] =
        NETWORK(UNITS("1", CONV("S", "Softmax_1") CONV("C", "Conv2D_2") CONV("S", "Sigmoid_3")
                               CONV("C", "Conv2D_4") CONV("A", "Abs_5") CONV("C", "Conv2D_6")
                                   CONV("T", "Tanh_7")),
                FLAGS("pure_hw", "1", "1"), "");
    static const char *const padded_names[] = {"Softmax_1", "Conv2D_2", "Sigmoid_3", "Conv2D_6",
                                               "Tanh_7",    "Conv2D_4", "Abs_5"};
    static const char uneven[] =
        NETWORK(UNITS("1", CONV("S", "Softmax_1") CONV("C", "Conv2D_2") CONV("T", "Tanh_3")
                               CONV("C", "Conv2D_4") CONV("A", "Abs_5") CONV("C", "Conv2D_6")
                                   CONV("S", "Sigmoid_7")),
                FLAGS("pure_hw", "1", "1"), "");
    static const char *const uneven_names[] = {"Softmax_1", "Conv2D_6", "Sigmoid_7", "Conv2D_2",
                                               "Tanh_3",    "Conv2D_4", "Abs_5"};
    static const char *const paddeds[] = {BRANCHES("1,0,1,0", "0,0,0,0", "0,0,1,0"),
                                          BRANCHES("0,1,0,1", "0,0,0,0", "0,0,0,1")};
    static const char *const unevens[] = {BRANCHES("1,0,1,0", "0,0,1,0", "0,0,0,0"),
                                          BRANCHES("0,1,0,1", "0,0,0,1", "0,0,0,0")};
    for (size_t i = 0; i < COUNT(paddeds); i++) {
        expect_pairs(*state, paddeds[i], padded, padded_names, COUNT(padded_names));
        expect_pairs(*state, unevens[i], uneven, uneven_names, COUNT(uneven_names));
    }
}

/* A branch at another place is found among what is left over. */
static void finds_moved_nodes(void **state) {
    static const char text[] = NETWORK(UNITS("1", CONV("T", "Tanh_1") CONV("S", "Sigmoid_2")),
                                       FLAGS("pure_hw", "1", "1"), "");
    static const char *const names[] = {"Sigmoid_2", "Tanh_1"};
    expect_pairs(*state, "onnx x:i8 a:i8 y:i8 ; Sigmoid x > a ; Tanh a > y", text, names,
                 COUNT(names));
}

/* Of two candidates the nearer one is taken, unless the other one has the same name. */
static void prefers_equal_names(void **state) {
    static const char text[] =
        NETWORK(UNITS("1", CORE("Relu", "Relu_7")) UNITS("2", CONV("Conv", "Conv2D_8")),
                FLAGS("pure_sw", "1", "1") FLAGS("pure_hw", "2", "2"), "");
    static const char *const rows[][3] = {
        {"not_shown", "differs Relu_7 software 1", "agrees Conv2D_8 hardware 2"},
        {"differs Relu_7 software 1", "not_shown", "agrees Conv2D_8 hardware 2"}};
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_ops_network network;
        struct rp_graph *graph =
            read(u, "onnx x:i8:1x4x4x4 w:i8*:4x4x1x1 a:i8 b:i8 y:i8 ; Relu x > a ; "
                    "Relu a > b ; Conv b w > y");
        graph->nodes.items[0].name = i == 0 ? "Relu_3" : "Relu_7";
        compare(&network, u, graph, text);
        expect(u, &network, rows[i], COUNT(rows[i]));
    }
}

/* Compiled nodes by number. The epoch is that of the whole node, or of its first part. */
static void gathers_what_was_made(void **state) {
    static const char text[] =
        NETWORK(UNITS("1", CONV("M", "Conv2D_2_mul_3") CORE("Relu", "Relu_1234567890"))
                    UNITS("2", CONV("C", "Conv2D_2") CONV("M", "Gemm_5_b_1"))
                        UNITS("3", CONV("C", "Conv2D_2") CONV("M", "Gemm_5_a_2"))
                            UNITS("4", CORE("Cast", "Cast_inserted_id_9_b")),
                FLAGS("pure_hw", "1", "3") FLAGS("pure_sw", "4", "4"),
                WEIGHTS("Conv2D_2_weights", "small") WEIGHTS("Conv2D_6_weights_3", "small")
                    WEIGHTS("Quantize_7_weights", "small") WEIGHTS("own", "small")
                        WEIGHTS("Conv2D_9_weights", "large")
                            WEIGHTS("Gemm_5_weights_transposed_3", "large"));
    static const struct {
        const char *name;
        int epoch, weights;
    } compiled[] = {{"Cast_inserted_id_9_b", 4, 0},
                    {"Relu_1234567890", 1, 0},
                    {"Conv2D_2", 2, 16},
                    {"Gemm_5", 2, 32},
                    {"Conv2D_9", -1, 32}};
    struct unit *u = *state;
    struct rp_ops_network network;
    compare(&network, u, read(u, "onnx x:i8 y:i8 ; Relu x > y"), text);
    assert_int_equal(network.compiled.count, COUNT(compiled));
    for (size_t i = 0; i < COUNT(compiled); i++) {
        assert_string_equal(network.compiled.items[i].name, compiled[i].name);
        assert_int_equal(network.compiled.items[i].epoch, compiled[i].epoch);
        assert_int_equal(network.compiled.items[i].weights, compiled[i].weights);
    }
    assert_null(network.nodes.items[0].compiled);
}

/* The table has a cell for each pair: with 4200 of both, more than 2^24. */
static void refuses_too_many(void **state) {
    enum { MANY = 4200 };
    static const char whole[] = NETWORK("@", FLAGS("pure_hw", "1", "1"), "");
    struct unit *u = *state;
    struct rp_ops ops;
    struct rp_ops_network network;
    struct rp_graph *graph = read(u, "onnx x:i8 y:i8 ; Relu x > y");
    const struct rp_graph_node relu = graph->nodes.items[0];
    struct rp_buf text = {.arena = &u->arena};
    const char *mark = strchr(whole, '@');
    for (size_t i = 1; i < MANY; i++)
        *RP_PUSH(&u->arena, &graph->nodes) = relu;
    rp_buf_append(&text, whole, (size_t)(mark - whole));
    rp_buf_puts(&text, "/* scheduling epoch=1    nodes=1   --- */\n");
    for (size_t i = 0; i < MANY; i++)
        rp_buf_puts(&text, rp_format(&u->arena, "/* kind=Relu node=Relu_%zu */\n", i));
    rp_buf_puts(&text, mark + 1);
    rp_ops_judge(&ops, &u->arena, graph);
    REFUSED(u,
            rp_ops_compare(&network, &ops, "net.c",
                           &(struct rp_bytes){(const uint8_t *)text.data, text.len}, &u->err),
            RP_E_INPUT, "its 4200 nodes and the model's 4200 are too many");
}

/* A fused node is compared when it was compiled on its own. */
static void compares_parts(void **state) {
    static const char text[] =
        NETWORK(UNITS("1", CONV("Conv", "Conv2D_1")) UNITS("2", CORE("Relu", "Relu_2")),
                FLAGS("pure_hw", "1", "1") FLAGS("pure_sw", "2", "2"), "");
    static const char *const rows[] = {"agrees Conv2D_1 hardware 1", "differs Relu_2 software 2"};
    struct unit *u = *state;
    struct rp_ops_network network;
    compare(&network, u,
            read(u, "onnx x:i8:1x4x4x4 w:i8*:4x4x1x1 a:i8 y:i8 ; Conv x w > a ; Relu a > y"), text);
    expect(u, &network, rows, COUNT(rows));
}

static void refuses_other_files(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    struct rp_ops_network network;
    const struct rp_bytes text = {(const uint8_t *)"int x;\n", 7};
    rp_ops_judge(&ops, &u->arena, read(u, "tflite x:i8 y:i8 ; RELU x > y"));
    REFUSED(u, rp_ops_compare(&network, &ops, "net.c", &text, &u->err), RP_E_ATON, "net.c");
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(compares_each_node),    UNIT(compares_blobs),
                                       UNIT(finds_the_order),       UNIT(prefers_equal_names),
                                       UNIT(compares_parts),        UNIT(refuses_other_files),
                                       UNIT(finds_late_branches),   UNIT(finds_moved_nodes),
                                       UNIT(gathers_what_was_made), UNIT(refuses_too_many)};
    return RUN(tests);
}
