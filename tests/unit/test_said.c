/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/calls/said.h and toolchain/cread/type.h, on declarations read by
 * toolchain/cread/decl.h.
 */
#include "tests/unit/unit.h"

#include "toolchain/cread/decl.h"
#include "toolchain/calls/said.h"

/* The type of the last name that the text declares. */
static const struct rp_ctype *type_of(struct unit *u, const char *text) {
    struct rp_functions *all = rp_alloc(&u->arena, 1, sizeof *all);
    ACCEPTED(u, rp_cdecl_functions(&u->arena, &(struct rp_c_text){text, strlen(text), "m.c", false},
                                   all, &u->err));
    assert_true(all->declared.count != 0);
    return all->declared.items[all->declared.count - 1].type;
}

static struct rp_tensor tensor_of(const char *dtype, uint32_t rows, uint32_t columns) {
    return (struct rp_tensor){
        .name = "x", .dtype = rp_dtype_find(dtype), .shape = {rows, columns}, .rank = 2};
}

static void prints_as_c_has_it(void **state) {
    struct unit *u = *state;
    static const char *const cases[] = {
        "int f",
        "const float f[1][28]",
        "const float (*f)[28]",
        "void f(const float x[1][28], float y[])",
        "void (*f)(void)",
        "int (*f(int n))[4]",
        "struct pair *f(const struct pair *p, ...)",
        "float *const f",
        "const unsigned char **f",
        "void f(float (*x)(int, const char *), long long int n)",
        "float *(*f[3])(void)",
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = rp_format(&u->arena, "%s;", cases[i]);
        assert_string_equal(rp_ctype_text(&u->arena, type_of(u, text), "f"), cases[i]);
    }
    assert_string_equal(rp_ctype_text(&u->arena, &rp_ctype_unknown, ""), "?");
    assert_string_equal(rp_ctype_text(&u->arena, type_of(u, "typedef const short q; q *f;"), "f"),
                        "const q *f");
}

/* Declarator, tensor, and a part of the reason; NULL: accepted. */
static void compares_memory(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *param, *dtype;
        uint32_t rows, columns;
        enum rp_said_use use;
        const char *why;
    } cases[] = {
        {"const float x[1][28]", "float", 4, 7, RP_SAID_READ, NULL},
        {"const float x[1][28]", "float", 1, 10, RP_SAID_READ,
         "10 elements are given, 28 are declared"},
        {"const float x[1][28]", "float", 4, 7, RP_SAID_WRITTEN, "declared const"},
        {"float x[28]", "float", 4, 7, RP_SAID_WRITTEN, NULL},
        {"float *x", "float", 3, 3, RP_SAID_READ, NULL},
        {"signed char *x", "float", 1, 490, RP_SAID_READ, "float32 is given, int8 is declared"},
        {"signed char *x", "uint8", 1, 490, RP_SAID_READ, "uint8 is given, int8 is declared"},
        {"short *x", "float", 1, 8, RP_SAID_READ, "float32 is given, int16 is declared"},
        {"long *x", "int32", 1, 8, RP_SAID_READ, NULL},
        {"long long *x", "int32", 1, 8, RP_SAID_READ, "int32 is given, int64 is declared"},
        {"float (*x)[28]", "float", 2, 28, RP_SAID_READ, NULL},
        {"float (*x)[28]", "float", 2, 7, RP_SAID_READ, "14 elements are given, a multiple of 28"},
        {"float x[][7]", "float", 3, 7, RP_SAID_READ, NULL},
        {"float x[][7]", "float", 3, 5, RP_SAID_READ, "a multiple of 7"},
        {"float x[n][7]", "float", 3, 7, RP_SAID_READ, NULL},
        {"unsigned char x[16]", "float", 1, 4, RP_SAID_READ, NULL},
        {"unsigned char x[16]", "float", 1, 5, RP_SAID_READ, "20 bytes are given, 16 are declared"},
        {"char *x", "float64", 1, 5, RP_SAID_WRITTEN, NULL},
        {"void *x", "int16", 1, 5, RP_SAID_WRITTEN, NULL},
        {"const void *x", "int16", 1, 5, RP_SAID_WRITTEN, "declared const"},
        {"const void *x", "int16", 1, 5, RP_SAID_READ, NULL},
        {"struct s *x", "float", 1, 4, RP_SAID_READ, "a pointer to a struct is no tensor"},
        {"struct s x", "float", 1, 4, RP_SAID_READ, "not an address"},
        {"float **x", "float", 1, 4, RP_SAID_READ, "a pointer to pointers is no tensor"},
        {"float *x[4]", "float", 1, 4, RP_SAID_READ, "a pointer is no tensor"},
        {"float (*x)(void)", "float", 1, 4, RP_SAID_READ, "a pointer to a function is no tensor"},
        {"float x", "float", 1, 1, RP_SAID_READ, "not an address"},
        {"_Bool *x", "uint8", 1, 1, RP_SAID_READ, "uint8 is given, bool is declared"},
        {"enum e *x", "uint16", 1, 1, RP_SAID_READ, NULL},
        {"enum e *x", "float", 1, 1, RP_SAID_READ, "'enum e' is declared, which is an integer"},
        {"float _Complex *x", "float", 1, 2, RP_SAID_READ, "which no tensor can have"},
        {"_Float16 *x", "uint16", 1, 2, RP_SAID_READ, "which no tensor can have"},
        {"unheard_of *x", "float", 1, 2, RP_SAID_READ, NULL},
        {"const unheard_of *x", "float", 1, 2, RP_SAID_WRITTEN, "declared const"},
        {"float x[4294967295][4294967295][4294967295]", "float", 1, 2, RP_SAID_READ, "multiple"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_ctype *type =
            type_of(u, rp_format(&u->arena, "void f(%s);", cases[i].param))->params[0].type;
        const struct rp_tensor tensor = tensor_of(cases[i].dtype, cases[i].rows, cases[i].columns);
        const char *why = rp_said_at_address(&u->arena, &tensor, type, cases[i].use);
        if ((why == NULL) != (cases[i].why == NULL) ||
            (why != NULL && strstr(why, cases[i].why) == NULL))
            fail_msg("%s: %s", cases[i].param, why != NULL ? why : "accepted");
    }
}

static void compares_numbers(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *type, *number;
        bool converted;
        const char *why;
    } cases[] = {
        {"int n", "4", false, NULL},
        {"int n", "-4", false, NULL},
        {"int n", "4.0", false, "int32 is declared"},
        {"int n", "4ll", false, "of 64 bits"},
        {"int n", "2147483648u", false, "does not have it"},
        {"unsigned n", "2147483648u", false, NULL},
        {"unsigned n", "0xffffffff", false, NULL},
        {"unsigned n", "-1", false, "does not have it"},
        {"signed char n", "-128", false, NULL},
        {"signed char n", "-129", false, "does not have it"},
        {"unsigned char n", "256", false, "does not have it"},
        {"_Bool n", "2", false, "bool is declared"},
        {"long long n", "4", false, "write 4ll"},
        {"long long n", "4", true, NULL},
        {"long long n", "4LL", false, NULL},
        {"long long n", "5000000000", false, NULL},
        {"float n", "4", false, "write 4.0f"},
        {"float n", "4", true, NULL},
        {"float n", "0.5", false, "write 0.5f"},
        {"float n", "0.5f", false, NULL},
        {"double n", "0.5f", false, "write 0.5"},
        {"double n", "1e3", false, NULL},
        {"float *n", "0", false, NULL},
        {"float *n", "1", false, "the pointer 'float *'"},
        {"void *n", "1", false, NULL},
        {"struct s n", "0", false, "'struct s' is declared"},
        {"enum e n", "3", false, NULL},
        {"what n", "3", false, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_ctype *type =
            type_of(u, rp_format(&u->arena, "void f(%s);", cases[i].type))->params[0].type;
        const char *why = rp_said_number(&u->arena, cases[i].number, type, cases[i].converted);
        if ((why == NULL) != (cases[i].why == NULL) ||
            (why != NULL && strstr(why, cases[i].why) == NULL))
            fail_msg("%s, %s: %s", cases[i].type, cases[i].number, why != NULL ? why : "accepted");
    }
}

static void compares_results_and_variables(void **state) {
    struct unit *u = *state;
    const struct rp_tensor one = tensor_of("int32", 1, 1), four = tensor_of("float", 1, 4);
    assert_null(rp_said_as_value(&u->arena, &one, type_of(u, "long f(void);")->of));
    assert_non_null(rp_said_as_value(&u->arena, &one, type_of(u, "float f(void);")->of));
    assert_non_null(rp_said_as_value(&u->arena, &one, type_of(u, "void f(void);")->of));
    assert_non_null(rp_said_as_value(&u->arena, &one, type_of(u, "int *f(void);")->of));
    assert_null(rp_said_in_variable(&u->arena, &four, type_of(u, "float v[2][2];"), RP_SAID_READ));
    assert_null(rp_said_in_variable(&u->arena, &one, type_of(u, "int v;"), RP_SAID_WRITTEN));
    assert_non_null(rp_said_in_variable(&u->arena, &four, type_of(u, "float v[5];"), RP_SAID_READ));
    assert_non_null(rp_said_in_variable(&u->arena, &four, type_of(u, "float *v;"), RP_SAID_READ));
    assert_non_null(
        rp_said_in_variable(&u->arena, &four, type_of(u, "const float v[4];"), RP_SAID_WRITTEN));
    assert_int_equal(rp_said_bytes(type_of(u, "short v[3][4];")), 24);
    assert_int_equal(rp_said_bytes(type_of(u, "short *v;")), 4);
    assert_int_equal(rp_said_bytes(type_of(u, "extern short v[];")), 0);
    assert_int_equal(rp_said_bytes(type_of(u, "struct s v;")), 0);
}

static void suggests_what_is_declared(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"void f(const signed char *x, short *y);", "f(in x:int8[N], out y:int16[N])"},
        {"int f(const float x[1][28], int n, double (*y)[2]);",
         "f(in x:float32[1,28], NUMBER, out y:float64[N,2]) -> out:int32[1]"},
        {"void f(const void *, float y[][4]);", "f(in:TYPE[N], out y:float32[N,4])"},
        {"void f(struct s *x, float *y);", NULL},
        {"void f(float **x);", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *said = rp_said_suggest_call(&u->arena, "f", type_of(u, cases[i][0]));
        if (cases[i][1] == NULL)
            assert_null(said);
        else
            assert_string_equal(said, cases[i][1]);
    }
}

static void readings_agree_or_not(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *compiler;
        const char *merged; /* NULL: they do not agree */
    } cases[] = {
        {"void f(const float x[1][28], float *y);", "void f(const float (*x)[28], float *y);",
         "void f(const float x[1][28], float *y)"},
        {"void f(const odd *x);", "void f(const short *x);", "void f(const short *x)"},
        {"void f(const float x[N][7]);", "void f(const float (*x)[7]);",
         "void f(const float x[][7])"},
        {"void f(float x[][N]);", "void f(float (*x)[7]);", "void f(float x[][7])"},
        {"float v[N];", "float v[7];", "float v[7]"},
        {"float v[8];", "float v[7];", NULL},
        {"void f(const float *x);", "void f(const int *x);", NULL},
        {"void f(const float *x);", "void f(const float *x, int n);", NULL},
        {"void f(float (*x)[28]);", "void f(float (*x)[27]);", NULL},
        {"int f(void);", "float f(void);", NULL},
        {"void f();", "void f(int n);", "void f(int n)"},
        {"char f(void);", "unsigned char f(void);", "unsigned char f(void)"},
        {"void f(const float *x);", "void f(float *x);", "void f(const float *x)"},
        {"void f(int n, ...);", "void f(int n);", NULL},
        {"struct s f(void);", "int f(void);", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_ctype *text = type_of(u, cases[i].text);
        const struct rp_ctype *compiler = type_of(u, cases[i].compiler);
        assert_int_equal(rp_ctype_agree(text, compiler), cases[i].merged != NULL);
        assert_int_equal(rp_ctype_agree(compiler, text), cases[i].merged != NULL);
        if (cases[i].merged == NULL)
            continue;
        const char *name = strstr(cases[i].text, " v[") != NULL ? "v" : "f";
        assert_string_equal(
            rp_ctype_text(&u->arena, rp_ctype_merge(&u->arena, text, compiler), name),
            cases[i].merged);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(prints_as_c_has_it),        UNIT(compares_memory),
        UNIT(compares_numbers),          UNIT(compares_results_and_variables),
        UNIT(suggests_what_is_declared), UNIT(readings_agree_or_not),
    };
    return RUN(tests);
}
