/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/npu/blobs.h (the arrays of <name>_ecblobs.h) and of directives: where
 * network.c includes that header, and the release that it asks for.
 */
#include "tests/unit/unit.h"

#include "toolchain/npu/network.h"
#include "toolchain/npu/parse.h"
#include "toolchain/npu/blobs.h"

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
    assert_true(blobs.items[0].is_const && blobs.items[0].is_bounded && blobs.items[0].in_section);
    assert_int_equal(blobs.items[0].bytes, 3008 * 8);
    assert_int_equal(blobs.items[0].line, 8);
    assert_true(blobs.items[1].is_const && !blobs.items[1].is_bounded);
    assert_int_equal(blobs.items[1].elements, 3);
    assert_int_equal(blobs.items[1].bytes, 12);
    assert_false(blobs.items[2].is_const || blobs.items[2].in_section);
    assert_int_equal(blobs.items[2].bytes, 2992 * 8);
    assert_int_equal(blobs.items[3].elements, 1);
    assert_int_equal(blobs.items[3].bytes, 0);
    assert_true(blobs.copies && !blobs.relocates);
    ACCEPTED(u, parse_blobs(u, "bool f(void) { return ec_reloc(a); }\n", &blobs));
    assert_true(blobs.count == 0 && !blobs.copies && blobs.relocates);
}

/* A definition that one on the compiler's command line cannot replace. */
static void finds_definitions_of_the_section(void **state) {
    static const struct {
        const char *text;
        unsigned line;
    } cases[] = {
        {"#if !defined(ECBLOB_CONST_SECTION)\n#define ECBLOB_CONST_SECTION /* Empty */\n#endif\n",
         0},
        {"#ifndef ECBLOB_CONST_SECTION\n# define ECBLOB_CONST_SECTION\n#endif\n", 0},
        {"#define X ECBLOB_CONST_SECTION\n#undef Y\n", 0},
        {"\n#define /* x */ ECBLOB_CONST_SECTION /* Empty */\n", 2},
        {"#ifndef ECBLOB_RUNTIME_SECTION\n#define ECBLOB_CONST_SECTION\n#endif\n", 2},
        {"#ifndef ECBLOB_CONST_SECTION\n#endif\n#undef ECBLOB_CONST_SECTION\n", 3},
    };
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_aton_blobs blobs;
        ACCEPTED(u, parse_blobs(u, cases[i].text, &blobs));
        assert_int_equal(blobs.section_line, cases[i].line);
    }
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
        {"uint8_t _ec_blob_1[2] = { 1,", RP_E_INPUT, "an initialiser is not closed"},
        {"uint8_t _ec_blob_1[2]", RP_E_INPUT, "a declaration does not end"},
        {"/* ", RP_E_INPUT, "a comment is not closed"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, parse_blobs(u, cases[i].text, &blobs), cases[i].id, cases[i].part);
}

/* ---- directives of network.c ---- */

#define ASKS(major, minor, micro, dev)                                                             \
    "LL_ATON_VERSION_MAJOR != " major " || LL_ATON_VERSION_MINOR != " minor                        \
    " || LL_ATON_VERSION_MICRO != " micro " || LL_ATON_VERSION_DEV != " dev
#define NO_TABLE(kind)                                                                             \
    "const LL_Buffer_InfoTypeDef *LL_ATON_" kind "_Buffers_Info_net(void) { return NULL; }\n"
/* Everything else that a network needs. */
#define REST                                                                                       \
    "/* global pool 1 is ? */\n/* index=1 file postfix=RAM name=npuRAM offset=0x342e0000  "        \
    "absolute_mode size=1024 READ_WRITE cacheable=OFF */\n"                                        \
    "const EpochBlock_ItemTypeDef *LL_ATON_EpochBlockItems_net(void) {\n"                          \
    "  static const EpochBlock_ItemTypeDef a[] = {{.flags = EpochBlock_Flags_last_eb}};\n"         \
    "  return a;\n}\n" NO_TABLE("Input") NO_TABLE("Output") NO_TABLE("Internal")

static bool parse_network(struct unit *u, const char *text, struct rp_aton *out) {
    size_t size = strlen(text);
    char *exact = unit_exact(text, size);
    bool ok = rp_aton_parse(out, &u->arena, &(struct rp_aton_text){"net.c", exact, size}, &u->err);
    free(exact);
    return ok;
}

static void refuse_network(struct unit *u, const char *text, const char *part) {
    struct rp_aton aton;
    REFUSED(u, parse_network(u, text, &aton), RP_E_ATON, part);
}

/* One line that is understood is enough; two have to agree. */
static void reads_the_release(void **state) {
    static const char *const lines[] = {
        "#if " ASKS("1", "2", "3", "8"),
        "#if (LL_ATON_VERSION_MAJOR != 1) || (LL_ATON_VERSION_MINOR != (2)) || "
        "LL_ATON_VERSION_MICRO != 3 || LL_ATON_VERSION_DEV != 8",
        "#if((LL_ATON_VERSION_MAJOR!=1||LL_ATON_VERSION_MINOR!=2)||(LL_ATON_VERSION_MICRO!=3||"
        "LL_ATON_VERSION_DEV!=8)) // why",
        "# if 0x1U != LL_ATON_VERSION_MAJOR || /* x */ 2 != LL_ATON_VERSION_MINOR || \\\n"
        "8 != LL_ATON_VERSION_DEV || 3L != LL_ATON_VERSION_MICRO",
        "#if LL_ATON_VERSION_MAJOR >= 1\n#endif\n#if " ASKS("1", "2", "3", "8"),
        "#if " ASKS("1", "2", "3", "8") "\n#error\n#endif\n#if LL_ATON_VERSION_MAJOR >= 1",
        "#if " ASKS("1", "2", "3", "8") "\n#error\n#endif\n#if " ASKS("1", "2", "3", "8"),
    };
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct rp_aton aton;
        ACCEPTED(
            u, parse_network(
                   u, rp_format(&u->arena, "%s\n#error \"x\"\n#endif\n%s", lines[i], REST), &aton));
        const struct rp_aton_version *version = &aton.version;
        assert_true(version->known && version->is_error);
        assert_int_equal(version->major, 1);
        assert_int_equal(version->minor, 2);
        assert_int_equal(version->micro, 3);
        assert_int_equal(version->dev, 8);
        assert_int_equal(version->line, i == 4 ? 3 : 1);
    }
}

static void refuses_other_questions_about_the_release(void **state) {
    static const char *const lines[] = {
        "LL_ATON_VERSION_MAJOR != 1",
        "LL_ATON_VERSION_MAJOR >= 1",
        "LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 2 || LL_ATON_VERSION_MICRO != 3",
        "LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MAJOR != 2 || LL_ATON_VERSION_MICRO != 3 || "
        "LL_ATON_VERSION_DEV != 8",
        "LL_ATON_VERSION_MAJOR == 1 || LL_ATON_VERSION_MINOR != 2 || LL_ATON_VERSION_MICRO != 3 || "
        "LL_ATON_VERSION_DEV != 8",
        "LL_ATON_VERSION_MAJOR != 1 && LL_ATON_VERSION_MINOR != 2 && LL_ATON_VERSION_MICRO != 3 && "
        "LL_ATON_VERSION_DEV != 8",
        "(LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR) != 2 || LL_ATON_VERSION_MICRO != 3 "
        "|| LL_ATON_VERSION_DEV != 8",
        "(" ASKS("1", "2", "3", "8"),
        ASKS("1", "2", "3", "8") ")",
        ASKS("1", "2", "3", "8") " || X != 2",
        ASKS("1", "2", "N", "8"),
        ASKS("1", "2", "-3", "8"),
        "!(LL_ATON_VERSION_MAJOR == 1 && LL_ATON_VERSION_MINOR == 2)",
    };
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(lines); i++)
        refuse_network(u,
                       rp_format(&u->arena, "\n#if %s\n#error \"x\"\n#endif\n%s", lines[i], REST),
                       "net.c:2: which LL_ATON release this line asks for is not understood");
    refuse_network(u,
                   "#if " ASKS("1", "2", "3", "8") "\n#error\n#endif\n#if " ASKS(
                       "1", "2", "3", "9") "\n#endif\n" REST,
                   "net.c:4: another LL_ATON release than on line 1");
}

/* As it is written, and only where the compiler may see it. */
static void finds_the_header_of_the_blobs(void **state) {
    static const struct {
        const char *text, *header;
        unsigned line;
        bool system;
    } cases[] = {
        {"#include \"a_ecblobs.h\"\n", "a_ecblobs.h", 1, false},
        {"\n# include /* x */ <../b/a_ecblobs.h> // y\n", "../b/a_ecblobs.h", 2, true},
        {"#include \"a_ecblobs.h.in\"\n#include \"_ecblobs.h\"\n#include A_ecblobs.h\n", NULL, 0,
         false},
        {"#if 0 // not now\n#include \"a_ecblobs.h\"\n#endif\n", NULL, 0, false},
        {"#if 0\n#ifdef A\n#else\n#include \"a_ecblobs.h\"\n#endif\n#include "
         "\"b_ecblobs.h\"\n#else\n#include \"c_ecblobs.h\"\n#endif\n",
         "c_ecblobs.h", 8, false},
        {"#if 0\n#elif 1\n#include \"a_ecblobs.h\"\n#endif\n", "a_ecblobs.h", 3, false},
        {"#if 0\n#endif\n#if 1\n#include \"a_ecblobs.h\"\n#endif\n", "a_ecblobs.h", 4, false},
    };
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_aton aton;
        ACCEPTED(u, parse_network(u, rp_format(&u->arena, "%s%s", cases[i].text, REST), &aton));
        assert_int_equal(aton.blobs_header != NULL, cases[i].header != NULL);
        if (aton.blobs_header != NULL)
            assert_string_equal(aton.blobs_header, cases[i].header);
        assert_int_equal(aton.blobs_line, cases[i].line);
        assert_int_equal(aton.blobs_system, cases[i].system);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(reads_blobs),
                                       UNIT(finds_definitions_of_the_section),
                                       UNIT(refuses_blobs),
                                       UNIT(reads_the_release),
                                       UNIT(refuses_other_questions_about_the_release),
                                       UNIT(finds_the_header_of_the_blobs)};
    return RUN(tests);
}
