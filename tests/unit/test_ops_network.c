/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/ops_network: a prediction beside what a network.c says. */
#include "tests/unit/unit.h"

#include "tests/unit/ops_text.h"

#define FLAGS(name, from, to)                                                                      \
    "{ .flags = EpochBlock_Flags_" name ", .epoch_num = " from ", .last_epoch_num = " to ", },\n"
#define SOFTWARE(epoch, kind, node)                                                                \
    "/* scheduling epoch=" epoch "    nodes=1   --- */\nstatic void f" epoch "(void) {\n"          \
    "/* Unit= 27 [PROCESSOR 0] */\n/* kind=" kind " node=" node " */\n}\n"
#define HARDWARE                                                                                   \
    "/* scheduling epoch=1    nodes=1   --- */\nstatic void f1(void) {\n"                          \
    "/* Unit= 19 [CONV_ACC_V2 0] */\n/* kind=Conv node=Conv2D_1 */\n}\n"
#define TABLE(kind)                                                                                \
    "const LL_Buffer_InfoTypeDef *LL_ATON_" kind "_Buffers_Info_net(void)\n{\n"                    \
    "  static const LL_Buffer_InfoTypeDef buff_info[] = {\n"                                       \
    "{ .name = \"b\", .addr_base = {(unsigned char *)(0x342e0000UL)}, .offset_start = 0, "         \
    ".offset_end = 64, },\n    {\n      .name = NULL,\n    }\n  };\n\n  return buff_info;\n}\n"

static const char NETWORK[] =
    "#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 || LL_ATON_VERSION_MICRO != 3 "
    "|| LL_ATON_VERSION_DEV != 8\n#  error \"mismatch\"\n#endif\n"
    "/* global pool 1 is ? */\n/* index=1 file postfix=RAM name=npuRAM offset=0x342e0000  "
    "absolute_mode size=1024 READ_WRITE cacheable=OFF byte width=2 score=82  */\n" HARDWARE
        SOFTWARE("5", "Softmax", "Softmax_210") SOFTWARE("6", "Conv", "Gemm_12_conv_4")
            SOFTWARE("7", "Concat", "Concat_3") SOFTWARE("8", "Transpose", "Transpose_55") SOFTWARE(
                "8", "Transpose",
                "Transpose_55") "const EpochBlock_ItemTypeDef *LL_ATON_EpochBlockItems_net(void) "
                                "{\n"
                                "  static const EpochBlock_ItemTypeDef "
                                "ll_atonn_rt_epoch_block_array[] = {\n" FLAGS(
                                    "pure_hw", "1", "1") FLAGS("pure_hw", "2", "4") FLAGS("pure_sw",
                                                                                          "5", "5")
                                    FLAGS("pure_sw", "6", "6") FLAGS("hybrid", "7", "7") FLAGS(
                                        "hybrid", "8",
                                        "8") "    {\n      .flags = EpochBlock_Flags_last_eb,\n    "
                                             "},\n  };\n\n"
                                             "  return ll_atonn_rt_epoch_block_array;\n}\n" TABLE(
                                                 "Input")
                                                 TABLE(
                                                     "Output") "const LL_Buffer_InfoTypeDef "
                                                               "*LL_ATON_Internal_Buffers_Info_net("
                                                               "void)\n{\n  return NULL;\n}\n";

static const char MODEL[] =
    "tflite x:i8:1x9x9x16 w:i8*:32x3x3x16 a:i8:1x9x9x32 v:i8*:4x32 g:i8 c:i8 e:i8 s:i8 y:i8 ; "
    "CONV_2D x w > a ; FULLY_CONNECTED a v > g ; CONCATENATION g a > c ; ELU c > e ; "
    "SOFTMAX e > s ; TRANSPOSE s > y";

static const struct rp_ops_made_kind *kind(const struct rp_ops_network *network, const char *name) {
    for (size_t i = 0; i < network->kinds.count; i++)
        if (strcmp(network->kinds.items[i].kind, name) == 0)
            return &network->kinds.items[i];
    fail_msg("no kind '%s'", name);
    return NULL;
}

static void judge(struct rp_ops *ops, struct unit *u) {
    struct rp_graph *graph = rp_alloc(&u->arena, 1, sizeof *graph);
    ops_text(graph, &u->arena, MODEL);
    rp_ops_judge(ops, &u->arena, graph);
}

static void compares(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    struct rp_ops_network network;
    const struct rp_bytes text = {(const uint8_t *)NETWORK, sizeof NETWORK - 1};
    judge(&ops, u);
    ACCEPTED(u, rp_ops_compare(&network, &ops, "net.c", &text, &u->err));
    assert_string_equal(network.name, "net");
    assert_int_equal(network.hardware, 4);
    assert_int_equal(network.software, 2);
    assert_int_equal(network.hybrid, 2);
    assert_false(network.has_blobs);
    assert_int_equal(network.nodes, 6);
    assert_int_equal(kind(&network, "Conv")->software, 0);
    assert_int_equal(kind(&network, "Conv")->agree, 1);
    assert_int_equal(kind(&network, "Gemm")->software, 1);
    assert_int_equal(kind(&network, "Gemm")->agree, 0);
    assert_int_equal(kind(&network, "Concat")->hybrid, 1);
    assert_int_equal(kind(&network, "Concat")->agree, 0);
    assert_int_equal(kind(&network, "Elu")->agree, 0);
    assert_int_equal(kind(&network, "Softmax")->agree, 1);
    assert_int_equal(kind(&network, "Transpose")->hybrid, 1);
    assert_int_equal(network.agree, 2);
    assert_int_equal(network.undecided, 1);
    assert_int_equal(network.inserted, 0);
}

static void refuses_other_files(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    struct rp_ops_network network;
    const struct rp_bytes text = {(const uint8_t *)"int x;\n", 7};
    judge(&ops, u);
    REFUSED(u, rp_ops_compare(&network, &ops, "net.c", &text, &u->err), RP_E_ATON, "net.c");
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(compares), UNIT(refuses_other_files)};
    return RUN(tests);
}
