/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/compile/clang_asm.h, on assembly as clang writes it, and as it does not.
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "toolchain/compile/clang_asm.h"

#define CONSTANT(name, words, size)                                                                \
    "\t.type\t" name ",%object\n\t.section\t.rodata." name                                         \
    ",\"a\",%progbits\n\t.p2align\t2\n" name ":\n" words "\t.size\t" name ", " #size "\n\n"
#define MOVES(name, label, reg)                                                                    \
    "\tmovw\t" reg ", :lower16:(" name "-(" label "+4))\n\tmovt\t" reg ", :upper16:(" name         \
    "-(" label "+4))\n"
#define ADDS(label, reg) label ":\n\tadd\t" reg ", pc\n"
#define CODE(text)       "\t.section\t.text.f,\"ax\",%progbits\nf:\n" text "\tbx\tlr\n\n"
#define NUMBERS          "\t.long\t0x3f800000\n\t.long\t-2\n\t.zero\t396\n"
#define ADDRESSES        "\t.long\tf\n\t.long\tw+8\n\t.long\t0\n"

static const struct rp_asm_choice all_weights = {.weights_threshold = 256};

static char *rewritten(struct unit *u, struct rp_asm_constants *all, const char *text,
                       size_t unit) {
    struct rp_buf out = {.arena = &u->arena};
    rp_asm_rewrite(&out, all, &u->arena, text, unit);
    char *copy = rp_strdup(&u->arena, out.data);
    return copy;
}

static char *one(struct unit *u, const char *text, const struct rp_asm_choice *choice) {
    struct rp_asm_constants all = {0};
    rp_asm_collect(&all, &u->arena, text, 0, choice);
    rp_asm_sort(&all);
    rp_asm_check(&all, text, 0);
    return rewritten(u, &all, text, 0);
}

#define UNCHANGED(u, text) assert_string_equal(one(u, text, &all_weights), text)

static void moves_weights(void **state) {
    struct unit *u = *state;
    char *out = one(u,
                    CODE(MOVES("w", ".LPC0_0", "r2") "\tnop\n" ADDS(".LPC0_0", "r2"))
                        CONSTANT("w", NUMBERS, 404),
                    &all_weights);
    CONTAINS(out,
             "\tmovw\tr2, :lower16:rp_at.w(sbrel)\n\tmovt\tr2, :upper16:rp_at.w(sbrel)\n\tnop\n"
             ".LPC0_0:\n\tldr.w\tr2, [r9, r2]\n\tbx\tlr\n");
    CONTAINS(out, "\t.section\t.rodata.w,\"a\",%progbits\n");
    CONTAINS(out, "\t.section\t.data.rp_at.w,\"aw\",%progbits\n");
    CONTAINS(out, "rp_at.w:\n\t.long\tw\n");
}

static void moves_tables(void **state) {
    struct unit *u = *state;
    char *out = one(
        u, CODE(MOVES("t", ".LPC0_0", "r10") ADDS(".LPC0_0", "r10")) CONSTANT("t", ADDRESSES, 12),
        &all_weights);
    CONTAINS(out, "\tmovw\tr10, :lower16:t(sbrel)\n\tmovt\tr10, :upper16:t(sbrel)\n.LPC0_0:\n"
                  "\tadd\tr10, r9\n");
    CONTAINS(out, "\t.section\t.data.rel.ro.t,\"aw\",%progbits\n");
    assert_null(strstr(out, "rp_at"));
    assert_null(strstr(out, ".rodata"));
}

static void leaves_what_is_small(void **state) {
    struct unit *u = *state;
    static const char text[] =
        CODE(MOVES("w", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2")) CONSTANT("w", NUMBERS, 255);
    static const struct rp_asm_choice none = {0}, named = {1, "s_net_weights"};
    UNCHANGED(*state, text);
    assert_string_equal(one(u, text, &none), text);
    assert_string_equal(one(u, text, &named), text);
    CONTAINS(one(u,
                 CODE("") CONSTANT("get.s_net_weights", NUMBERS, 404)
                     CODE(MOVES("get.s_net_weights", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2")),
                 &named),
             "rp_at.get.s_net_weights");
}

/* Anything but exactly the three instructions keeps the constant where it is. */
static void leaves_what_is_not_understood(void **state) {
    static const char *const codes[] = {
        MOVES("w", ".LPC0_0", "r2") ".LPC0_0:\n\tadd\tr3, pc\n",
        MOVES("w", ".LPC0_0", "r2") ".LPC0_0:\n\tadd.w\tr2, r2, pc\n",
        MOVES("w", ".LPC0_0", "r2") ".LPC0_0:\n\tnop\n\tadd\tr2, pc\n",
        MOVES("w", ".LPC0_0", "r2"),
        MOVES("w", ".LPC0_0", "r2") ADDS(".LPC0_1", "r2"),
        MOVES("w", ".LPC0_0", "r2") MOVES("w", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2"),
        MOVES("w+4", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2"),
        "\tmovw\tr2, :lower16:(w-(.LPC0_0+4))\n" ADDS(".LPC0_0", "r2"),
        "\tmovw\tr2, :lower16:(w-(.LPC0_0+4))\n\tmovt\tr3, :upper16:(w-(.LPC0_0+4))\n" ADDS(
            ".LPC0_0", "r2"),
        "\tmovwne\tr2, :lower16:(w-(.LPC0_0+4))\n",
        "\tldr\tr2, .LCPI0_0\n.LCPI0_0:\n\t.long\tw-(.LPC0_0+4)\n",
        "\t.long\tw\n",
        "\t.set\tother, w\n",
        "\t.weak\tw\n",
    };
    for (size_t i = 0; i < COUNT(codes); i++) {
        struct unit *u = *state;
        char *text = rp_format(&u->arena, "\t.section\t.text.f,\"ax\",%%progbits\n%s%s", codes[i],
                               CONSTANT("w", NUMBERS, 404));
        UNCHANGED(u, text);
    }
    UNCHANGED(*state, CODE(MOVES("w", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2"))
                          CONSTANT("w", NUMBERS "other:\n", 404));
    UNCHANGED(*state, CODE(MOVES("w", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2"))
                          CONSTANT("w", NUMBERS "\t.long\tf-w\n", 404));
}

/* A name is a whole word; strings and debug information are not references. */
static void knows_names(void **state) {
    char *out =
        one(*state,
            CODE(MOVES("w", ".LPC0_0", "r2")
                     ADDS(".LPC0_0", "r2") "\tbl\tw.f\n\tbl\tw_f\n"
                                           "\t.loc\t0 1 2 w\n\t.cfi_sections w\n")
                CONSTANT("w", NUMBERS, 404) "\t.section\t.rodata.str1.1,\"aMS\",%progbits,1\n"
                                            "\t.asciz\t\"w\"\n"
                                            "\t.section\t.debug_info,\"\",%progbits\n"
                                            "\t.byte\tw\n",
            &all_weights);
    CONTAINS(out, "ldr.w");
}

/* Static variables belong to their unit; all units decide on a global one. */
static void knows_units(void **state) {
    struct unit *u = *state;
    const char *const texts[] = {
        CODE(MOVES("w", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2") MOVES("g", ".LPC0_1", "r2")
                 ADDS(".LPC0_1", "r2")) CONSTANT("w", NUMBERS, 404) "\t.section\t.rodata.g,\"a\","
                                                                    "%progbits\n\t.globl\tg\ng:\n"
                                                                    "\t.zero\t400\n\t.size\tg, "
                                                                    "400\n",
        CODE(MOVES("g", ".LPC0_0", "r2") ADDS(".LPC0_0", "r2") "\tb\tw\n"),
        CODE("\tldr\tr0, =g\n"),
    };
    for (size_t count = 2; count <= 3; count++) {
        struct rp_asm_constants all = {0};
        for (size_t i = 0; i < count; i++)
            rp_asm_collect(&all, &u->arena, texts[i], i, &all_weights);
        rp_asm_sort(&all);
        for (size_t i = 0; i < count; i++)
            rp_asm_check(&all, texts[i], i);
        assert_int_equal(all.count, 2);
        CONTAINS(rewritten(u, &all, texts[0], 0), "rp_at.w");
        assert_int_equal(strstr(rewritten(u, &all, texts[1], 1), "rp_at.g") != NULL, count == 2);
        assert_null(strstr(rewritten(u, &all, texts[1], 1), "rp_at.w"));
    }
}

#define DISTANCE(name, reg)                                                                        \
    "\tmovw\t" reg ", :lower16:" name "(sbrel)\n\tmovt\t" reg ", :upper16:" name "(sbrel)\n"
#define WORDED(name, reg) DISTANCE("rp_at." name, reg) "\tldr.w\t" reg ", [r9, " reg "]\n"

/*
 * Variables of the firmware, and those in a section of constants, are not where clang looks for
 * them.
 */
static void variables_that_are_elsewhere(void **state) {
    struct unit *u = *state;
    struct rp_asm_constants all = {0};
    static const char text[] =
        CODE(DISTANCE("host", "r1") "\tstr.w\tr0, [r9, r1]\n" DISTANCE("table", "r12")
                 DISTANCE("own", "r2") "\tbl\thost\n" MOVES("host", ".LPC0_0", "r3")
                     ADDS(".LPC0_0",
                          "r3")) "\t.section\t.rodata.tvm,\"aw\",%progbits\n"
                                 "\t.globl\ttable\n\t.p2align\t4\ntable:\n\t.long\t3\nlocal:\n"
                                 "\t.section\t.bss.own,\"aw\",%nobits\nown:\n";
    rp_asm_collect(&all, &u->arena, text, 0, &all_weights);
    rp_asm_import(&all, &u->arena, "host");
    rp_asm_sort(&all);
    rp_asm_check(&all, text, 0);
    const char *out = rewritten(u, &all, text, 0);
    CONTAINS(out, WORDED("host", "r1") "\tsub.w\tr1, r1, r9\n\tstr.w\tr0, [r9, r1]\n");
    CONTAINS(out, WORDED("table", "r12") "\tsub.w\tr12, r12, r9\n");
    CONTAINS(out, "\n" DISTANCE("own", "r2") "\tbl\thost\n");
    CONTAINS(out, DISTANCE("rp_at.host", "r3") ".LPC0_0:\n\tldr.w\tr3, [r9, r3]\n");
    CONTAINS(out, "rp_at.host:\n\t.long\thost\n");
    CONTAINS(out, "rp_at.table:\n\t.long\ttable\n");
    assert_null(strstr(out, "rp_at.own"));
    assert_true(rp_asm_find(&all, "tvm", 3, 0)->apart);
    assert_null(rp_asm_find(&all, "local", 5, 1));
    assert_non_null(rp_asm_find(&all, "table", 5, 1));
}

static void leaves_the_fpu_to_the_command_line(void **state) {
    assert_string_equal(
        one(*state, "\t.cpu\tcortex-m55\n\t.fpu\tfpv5-d16\nf:\n\t.fpu\tfpv5-d16\n", &all_weights),
        "\t.cpu\tcortex-m55\nf:\n\t.fpu\tfpv5-d16\n");
}

static void takes_any_text(void **state) {
    static const char *const texts[] = {"\n", "\n\n\t.section\n", "\tmovw\n\tmovw\tr0\n.LPC0_0:\n",
                                        "\t.section\t.rodata.\n", ":\n\t.size\t, 4\n"};
    for (size_t i = 0; i < COUNT(texts); i++)
        UNCHANGED(*state, texts[i]);
    UNCHANGED(*state, "\t.section\t.rodata.w,\"a\",%progbits\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(moves_weights),
        UNIT(moves_tables),
        UNIT(leaves_what_is_small),
        UNIT(leaves_what_is_not_understood),
        UNIT(knows_names),
        UNIT(knows_units),
        UNIT(variables_that_are_elsewhere),
        UNIT(leaves_the_fpu_to_the_command_line),
        UNIT(takes_any_text),
    };
    return RUN(tests);
}
