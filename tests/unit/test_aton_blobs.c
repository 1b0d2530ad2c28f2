/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/aton_blobs: the arrays of <name>_ecblobs.h. */
#include "tests/unit/unit.h"

#include "toolchain/aton.h"

static bool parse_blobs(struct unit *u, const char *text, struct rp_aton_blobs *out) {
    size_t size = strlen(text);
    char *exact = unit_exact(text, size);
    bool ok =
        rp_aton_parse_blobs(out, &u->arena, &(struct rp_aton_text){"b.h", exact, size}, &u->err);
    free(exact);
    return ok;
}

static void reads_blobs(void **state) {
    struct unit *u = *state;
    struct rp_aton_blobs blobs;
    ACCEPTED(u, parse_blobs(u,
                            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                            "#define ECBLOB_CONST_SECTION /* Empty */\nECBLOB_CONST_SECTION\n"
                            "// aligned\n__attribute__((aligned(64)))\n"
                            "static const uint64_t _ec_blob_net_1[3008] =\n{\n  0x1UL, 0x2UL\n};\n"
                            "ECBLOB_CONST_SECTION static const uint32_t _ec_blob_2 [] = { 1, 2,\n"
                            "  (3, 4), };\n"
                            "static uint64_t _ec_blob_net_1_ptr[2 * 1496];\n"
                            "static ECAddr _ec_blob_1_prev_base_addrs[1] = { 0 };\n"
                            "extern const uint64_t _ec_blob_9[];\nint other[3] = { 1 };\n"
                            "bool LL_ATON_EC_Network_Init_net(void)\n{\n  if (!ec_copy_blob(1)) { "
                            "return false; }\n  return true;\n}\n"
                            "#ifdef __cplusplus\n}\n#endif\n",
                            &blobs));
    assert_int_equal(blobs.count, 4);
    assert_string_equal(blobs.items[0].symbol, "_ec_blob_net_1");
    assert_string_equal(blobs.items[0].type, "uint64_t");
    assert_true(blobs.items[0].is_const && blobs.items[0].is_bounded);
    assert_int_equal(blobs.items[0].bytes, 3008 * 8);
    assert_int_equal(blobs.items[0].line, 8);
    assert_true(blobs.items[1].is_const && !blobs.items[1].is_bounded);
    assert_int_equal(blobs.items[1].elements, 3);
    assert_int_equal(blobs.items[1].bytes, 12);
    assert_false(blobs.items[2].is_const);
    assert_int_equal(blobs.items[2].bytes, 2992 * 8);
    assert_int_equal(blobs.items[3].elements, 1);
    assert_int_equal(blobs.items[3].bytes, 0);
    assert_true(blobs.copies && !blobs.relocates);
    ACCEPTED(u, parse_blobs(u, "bool f(void) { return ec_reloc(a); }\n", &blobs));
    assert_true(blobs.count == 0 && !blobs.copies && blobs.relocates);
}

static void refuses_blobs(void **state) {
    struct unit *u = *state;
    struct rp_aton_blobs blobs;
    static const struct {
        const char *text;
        enum rp_error_id id;
        const char *part;
    } cases[] = {
        {"uint8_t _ec_blob_1[];", RP_E_ATON, "b.h:1: the array '_ec_blob_1' has neither a bound"},
        {"uint8_t _ec_blob_1[N];", RP_E_ATON, "the bound of '_ec_blob_1' is not understood"},
        {"uint8_t _ec_blob_1[-1];", RP_E_ATON, "the bound of '_ec_blob_1' is not understood"},
        {"uint8_t _ec_blob_1[2][2];", RP_E_ATON, "the array '_ec_blob_1' is not understood"},
        {"uint8_t _ec_blob_1[2] = { 1, 2, 3 };", RP_E_ATON, "more initialisers (3) than elements"},
        {"uint8_t _ec_blob_1[2] = x;", RP_E_ATON, "'{' expected in front of 'x'"},
        {"uint8_t _ec_blob_1[2] = { 1,", RP_E_INPUT, "a brace is not closed"},
        {"uint8_t _ec_blob_1[2]", RP_E_INPUT, "a declaration does not end"},
        {"/* ", RP_E_INPUT, "a comment is not closed"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, parse_blobs(u, cases[i].text, &blobs), cases[i].id, cases[i].part);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(reads_blobs), UNIT(refuses_blobs)};
    return RUN(tests);
}
