/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/npu/registers.h. */
#include "tests/unit/unit.h"

#include "toolchain/npu/registers.h"

static bool names(struct unit *u, const char *text) {
    const struct rp_aton_text all = {"net.c", text, strlen(text)};
    const struct rp_aton_beside beside = {"tests/unit", "net_ecblobs.h"};
    return rp_aton_names_registers(&u->arena, &all, &beside);
}

static void finds_words(void **state) {
    struct unit *u = *state;
    static const char *const with[] = {
        "ATON_STRENG_NUM",
        "x = ATONN_DSTPORT(STRSWITCH, 0, CONVACC, 0, 0);",
        "#if ATON_NUM > 1",
        "/* ATON_X */",
        "CONVACC_SRC(0, 1);",
        "LL_ATON_OSAL_ENTER_CS();",
        "RASTA_VERSION_MAJOR",
        "ATON_LIB_PHYSICAL_TO_VIRTUAL_ADDRESS(x)",
        "ATON",
        "a = AT\\\nON_X;",
        "a = AT\\ \nON_X;",
        "#define AT(x) AT##x",
        "%:define AT(x) AT %:%: x",
        "a = AT?\?/\nON_X;",
    };
    static const char *const without[] = {
        "",
        "ATON_LIB_PHYSICAL_TO_VIRTUAL_ADDR((uintptr_t)x)",
        "ATON_LIB_VIRTUAL_TO_PHYSICAL_ADDR",
        "LL_ATON_Cache_MCU_Clean_Range(x, 1); LL_Buffer_InfoTypeDef b;",
        "LL_SW_CONV(); LL_Streng_EncryptionTypedef e;",
        "SRC DST",
        "MY_ATON_X xATON_Y _ATON",
        "printf(\"a\\n\");\\\n",
    };
    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++)
        if (!names(u, with[i]))
            fail_msg("not found: %s", with[i]);
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
        if (names(u, without[i]))
            fail_msg("found: %s", without[i]);
}

/* unit.h exists in the folder of these tests. */
static void finds_includes(void **state) {
    struct unit *u = *state;
    assert_true(names(u, "#include \"unit.h\"\n"));
    assert_true(names(u, "  #  include <unit.h>\n"));
    assert_true(names(u, "%:include \"unit.h\"\n"));
    assert_true(names(u, "#/**/include \"unit.h\"\n"));
    assert_true(names(u, "#\\\ninclude \"unit.h\"\n"));
    assert_true(names(u, "#\f\\\n include \"unit.h\"\n"));
    assert_true(names(u, "?\?=include \"unit.h\"\n"));
    assert_true(names(u, "#include \"../unit/unit.h\"\n"));
    assert_true(names(u, "#include NAME\n"));
    assert_true(names(u, "#include"));
    assert_true(names(u, "#include \"unit.h"));
    assert_true(names(u, "#include_next \"unit.h\"\n"));
    assert_true(names(u, "#import \"unit.h\"\n"));
    assert_false(names(u, "#include \"other.h\"\n#include <string.h>\n"));
    assert_false(names(u, "#include \"net_ecblobs.h\"\n"));
    assert_false(names(u, "/* what they include: \"unit.h\" */"));
}

static void finds_options(void **state) {
    (void)state;
    assert_true(rp_aton_option_names_registers("-DATON_X"));
    assert_true(rp_aton_option_names_registers("-DUNITS=RASTA_VERSION_MAJOR"));
    assert_true(rp_aton_option_names_registers("PORT=CONVACC_SRC"));
    assert_true(rp_aton_option_names_registers("-DPORT=CONVACC_DST(0)"));
    assert_true(rp_aton_option_names_registers("AT(x)=AT##x"));
    assert_false(rp_aton_option_names_registers("-O2"));
    assert_false(rp_aton_option_names_registers("X=SRC"));
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(finds_words), UNIT(finds_includes),
                                       UNIT(finds_options)};
    return RUN(tests);
}
