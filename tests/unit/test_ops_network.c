/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/ops_made, ops_match and ops_network: predictions beside a network.c. */
#include "tests/unit/unit.h"

#include "tests/unit/ops_text.h"

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

/* Row by row: "agrees Conv2D_1 hardware 1", without the last three when nothing is made. */
static void expect(struct unit *u, const struct rp_ops_network *network, const char *const *rows,
                   size_t count) {
    assert_int_equal(network->nodes.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct rp_ops_compared *row = &network->nodes.items[i];
        const char *text = rp_ops_comparison_name(row->comparison);
        if (row->made != NULL)
            text = rp_format(&u->arena, "%s %s %s %d", text, row->made->name,
                             rp_ops_unit_name(row->made->unit), (int)row->made->epoch);
        assert_string_equal(text, rows[i]);
    }
}

static void compares_each_node(void **state) {
    static const char text[] = NETWORK(
        UNITS("1", CONV("Conv", "Conv2D_2") CONV("Mul", "Conv2D_2_mul_scale_7")
                       CONV("Sub", "Gemm_5_suboff_3")) UNITS("2", CORE("Conv", "Gemm_5_conv_4"))
            UNITS("3", CORE("Concat", "Concat_8"))
                UNITS("4", CORE("Softmax", "Softmax_210") CORE("Split", "Softmax_210_split_1"))
                    UNITS("6", CORE("Cast", "Cast_inserted_id9")),
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

/* Within blobs only buffers show; what runs in software always shows. */
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
    expect(u, &network, rows, COUNT(rows));
}

/* The front end takes the second branch first; weights tell that. */
static void finds_the_order(void **state) {
    static const char text[] = NETWORK(
        UNITS("1", CONV("Conv", "Conv2D_1") CONV("Conv", "Conv2D_2") CONV("Sigmoid", "Sigmoid_3")
                       CONV("Conv", "Conv2D_4") CONV("Add", "Add_5")),
        FLAGS("pure_hw", "1", "1"),
        WEIGHTS("Conv2D_2_weights", "large") WEIGHTS("Conv2D_4_weights", "small"));
    static const char *const rows[] = {"agrees Conv2D_1 hardware 1", "agrees Conv2D_4 hardware 1",
                                       "agrees Conv2D_2 hardware 1", "agrees Sigmoid_3 hardware 1",
                                       "agrees Add_5 hardware 1"};
    struct unit *u = *state;
    struct rp_ops_network network;
    compare(&network, u,
            read(u, "tflite x:i8:1x9x9x16 w:i8*:16x1x1x16 s:i8*:1x1x1x16 l:i8*:2x1x1x16 "
                    "a:i8:1x9x9x16 b:i8:1x9x9x1 c:i8:1x9x9x2 d:i8:1x9x9x2 y:i8:1x9x9x2 ; "
                    "CONV_2D x w > a ; CONV_2D a s > b ; CONV_2D a l > c ; LOGISTIC c > d ; "
                    "ADD b d > y"),
            text);
    expect(u, &network, rows, COUNT(rows));
}

/* A model that the front end wrote: two could be meant. */
static void prefers_equal_names(void **state) {
    static const char text[] =
        NETWORK(UNITS("1", CORE("Relu", "Relu_7")) UNITS("2", CONV("Conv", "Conv2D_8")),
                FLAGS("pure_sw", "1", "1") FLAGS("pure_hw", "2", "2"), "");
    static const char *const rows[] = {"not_shown", "differs Relu_7 software 1",
                                       "agrees Conv2D_8 hardware 2"};
    struct unit *u = *state;
    struct rp_ops_network network;
    struct rp_graph *graph =
        read(u, "onnx x:i8:1x4x4x4 w:i8*:4x4x1x1 a:i8 b:i8 y:i8 ; Relu x > a ; "
                "Relu a > b ; Conv b w > y");
    graph->nodes.items[0].name = "Relu_3";
    graph->nodes.items[1].name = "Relu_7";
    compare(&network, u, graph, text);
    expect(u, &network, rows, COUNT(rows));
}

/* A part of another node is compared when it was made on its own. */
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
    const struct CMUnitTest tests[] = {UNIT(compares_each_node), UNIT(compares_blobs),
                                       UNIT(finds_the_order),    UNIT(prefers_equal_names),
                                       UNIT(compares_parts),     UNIT(refuses_other_files)};
    return RUN(tests);
}
