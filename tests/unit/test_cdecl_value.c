/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of rp_cdecl_eval, in toolchain/cread/expr.h: dimensions and the constants in them. */
#include "tests/unit/unit.h"

#include "toolchain/cread/decl.h"
#include "toolchain/cread/reduce.h"

#define OPEN  "(((((((((((((((" /* 15 of them */
#define CLOSE ")))))))))))))))"

static const struct rp_function *only(struct unit *u, const char *text) {
    static struct rp_functions all;
    const struct rp_c_text source = {text, strlen(text), "model.c", false};
    all = (struct rp_functions){0};
    ACCEPTED(u, rp_cdecl_functions(&u->arena, &source, &all, &u->err));
    assert_int_equal(all.count, 1);
    return &all.items[0];
}

static const struct {
    const char *dims;
    uint32_t want; /* 0: not known */
} dimensions[] = {{"[10]", 10},
                  {"[0x10]", 16},
                  {"[(3+4)*2]", 14},
                  {"[2*3+4*5]", 26},
                  {"[100/7]", 14},
                  {"[10U]", 10},
                  {"[10UL]", 10},
                  {"[010]", 8},
                  {"[static 4]", 4},
                  {"[const 4]", 4},
                  {"[20-5-5]", 10},
                  {"[ ( ( 7 ) ) ]", 7},
                  {"[4294967295]", UINT32_MAX},
                  {"[]", 0},
                  {"[0]", 0},
                  {"[N]", 0},
                  {"[*]", 0},
                  {"[1.5]", 0},
                  {"[10/0]", 0},
                  {"[5-6]", 0},
                  {"[4294967296]", 0},
                  {"[2 3]", 0},
                  {"[+]", 0},
                  {"[3*]", 0},
                  {"[sizeof(int)]", 4},
                  {"[sizeof(double) / sizeof(short)]", 4},
                  {"[sizeof(char *)]", 4},
                  {"[sizeof(float[3][2])]", 24},
                  {"[sizeof(struct s)]", 0},
                  {"[sizeof x]", 0},
                  {"[sizeof('a')]", 4},
                  {"[sizeof('\\n') + 1]", 5},
                  {"[sizeof('ab')]", 0},
                  {"[_Alignof(double)]", 8},
                  {"[alignof(short[3])]", 2},
                  {"[_Alignof(struct s)]", 0},
                  {"[1 << 5]", 32},
                  {"[1 << 31]", 0},
                  {"[1u << 31]", 1u << 31},
                  {"[1 << 32]", 0},
                  {"[64 >> 2 << 1]", 32},
                  {"[17 % 5]", 2},
                  {"[1 % 0]", 0},
                  {"[6 & 12 | 3 ^ 1]", 6},
                  {"[~7 & 12]", 0},
                  {"[-3 + 7]", 4},
                  {"[- -4]", 4},
                  {"[-1u]", 0},
                  {"[4u - 5]", 0},
                  {"[-1 < 1u ? 3 : 4]", 0},
                  {"[2 > 1 ? 3 : 4]", 3},
                  {"[2 <= 1 ? 3 : 1 == 1 ? 5 : 6]", 5},
                  {"[(1 && 0) + (0 || 2) + !0 + (3 != 4) + (3 >= 3)]", 4},
                  {"['a']", 97},
                  {"['\\n']", 10},
                  {"[L'a']", 0},
                  {"[(int)4]", 4},
                  {"[(unsigned char)200 + (short)100]", 300},
                  {"[(unsigned char)256]", 0},
                  {"[(int)4.5]", 0},
                  {"[(float)4]", 0},
                  {"[(4)]", 4},
                  {"[1 ? 2]", 0},
                  {"[" OPEN OPEN OPEN OPEN "1" CLOSE CLOSE CLOSE CLOSE "]", 1},
                  {"[" OPEN OPEN OPEN OPEN OPEN "1" CLOSE CLOSE CLOSE CLOSE CLOSE "]", 0},
                  {"[4294967295*4294967295]", 0},
                  {"[65536*65536]", 0},
                  {"[65536*65535]", 65536u * 65535u},
                  {"[4294967295+4294967295]", 0},
                  {"[0xFFFFFFFFFF*0xFFFFFFFFFF]", 0},
                  {"[99999999999999999999]", 0},
                  {"[4294967295*4294967295/4294967295]", 0},
                  {"[-1]", 0},
                  {"[08]", 0}};

static void computes_dimensions(void **state) {
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(dimensions); i++) {
        char text[256];
        snprintf(text, sizeof text, "void f(float a%s) {}", dimensions[i].dims);
        const struct rp_param *param = &only(u, text)->params[0];
        assert_string_equal(param->name, "a");
        if (param->dims_complete != (dimensions[i].want != 0) ||
            (dimensions[i].want != 0 && param->shape[0] != dimensions[i].want))
            fail_msg("%s: %u, complete %d", text, param->shape[0], param->dims_complete);
    }
}

/* Enumeration constants as dimensions; those after one that is not understood are unknown. */
static void knows_enumerations(void **state) {
    struct unit *u = *state;
    static const char text[] = "enum { A = 3, B, C = A * B, D = sizeof(struct s), E, F = 2 };\n"
                               "typedef enum tag { G = 7, H = -2, I } tag;\n"
                               "const int J = 4, K = J * 2; static const unsigned char L = 256;\n"
                               "int M = 5; constexpr long N = K + 1; const int *const O = 4;\n"
                               "enum __attribute__((packed)) q { S = 11 };\n"
                               "typedef enum r /* sizes */ // of it\n: short { T = 12 } r;\n";
    static const struct {
        const char *name;
        uint32_t want; /* 0: not known, nor are those after it */
    } cases[] = {{"A", 3}, {"B", 4},     {"C", 12}, {"D", 0},  {"E", 0}, {"F", 2},
                 {"G", 7}, {"I + 3", 2}, {"J", 4},  {"K", 8},  {"L", 0}, {"M", 0},
                 {"N", 9}, {"O", 0},     {"P", 0},  {"S", 11}, {"T", 12}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_buf reduced = {.arena = &u->arena};
        const char *whole = rp_format(&u->arena, "%svoid f(float a[%s]) {}", text, cases[i].name);
        assert_true(rp_cdecl_reduce(whole, strlen(whole), &reduced)); /* keeps the constants */
        const struct rp_param *param = &only(u, reduced.data)->params[0];
        assert_int_equal(param->dims_complete ? param->shape[0] : 0, cases[i].want);
    }
}

/* A constant whose value is not known hides an older one of its name, which would be wrong. */
static void hides_older_constants(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        uint32_t want; /* 0: not known */
    } cases[] = {
        {"const int n = 4; void f(float a[n]) {}", 4},
        {"const int n = 4; const int n = sizeof(struct s); void f(float a[n]) {}", 0},
        {"const int n = 4; constexpr int n = count(); void f(float a[2 * n]) {}", 0},
        {"const int n = count(); const int n = 4; void f(float a[n]) {}", 4},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_param *param = &only(u, cases[i].text)->params[0];
        assert_int_equal(param->dims_complete ? param->shape[0] : 0, cases[i].want);
    }
}

/* A parameter hides a constant of the same name, and is the count of the dimension. */
static void knows_counting_parameters(void **state) {
    struct unit *u = *state;
    const struct rp_function *f =
        only(u, "enum { n = 3 };\nvoid f(const float a[n], int n, const float b[n][n + 1]) {}");
    assert_int_equal(f->type->params[0].type->count, 3);
    assert_int_equal(f->type->params[2].type->count, 0);
    assert_string_equal(f->type->params[2].type->counted_by, "n");
    assert_int_equal(f->type->params[2].type->of->count, 0);
    assert_null(f->type->params[2].type->of->counted_by);
}

/* Very deep nesting, also of casts and choices. */
static void survives_types_in_types(void **state) {
    struct unit *u = *state;
    enum { DEEP = 50000 };
    static const char *const forms[][2] = {
        {"sizeof(int[", "])"}, {"(int[", "])1"}, {"1 ? ", " : 2"}, {"0 ? 1 : ", ""}};
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct rp_buf text = {.arena = &u->arena};
        rp_buf_puts(&text, "void f(float a[");
        for (int k = 0; k < DEEP; k++)
            rp_buf_puts(&text, forms[i][0]);
        rp_buf_puts(&text, "2");
        for (int k = 0; k < DEEP; k++)
            rp_buf_puts(&text, forms[i][1]);
        rp_buf_puts(&text, "]) {}");
        assert_int_equal(only(u, text.data)->params[0].dims_complete, false);
    }
    assert_int_equal(
        only(u, "void f(float a[sizeof(char[sizeof(char[3])])]) {}")->params[0].shape[0], 3);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        UNIT(computes_dimensions),       UNIT(knows_enumerations),      UNIT(hides_older_constants),
        UNIT(knows_counting_parameters), UNIT(survives_types_in_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
