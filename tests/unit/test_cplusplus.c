/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/calls/cplusplus.h, and of what toolchain/cread/decl.h reads of C++. */
#include "tests/unit/unit.h"

#include "base/buf.h"
#include "toolchain/calls/calls.h"
#include "toolchain/calls/cplusplus.h"
#include "toolchain/calls/entry.h"

/* Names have what they are in; what a namespace or class declares ends with it. */
static void reads_members(void **state) {
    struct unit *u = *state;
    static const char text[] =
        "typedef float real;\n"
        "namespace a::b { inline namespace c { void f(const real x[2], real y[1]) { } } }\n"
        "namespace a { typedef double real; const int n = 3;\n"
        "class M final : public N<int> { int k; public: M() : k{1} { } virtual ~M() { }\n"
        "int g(float *x) const noexcept { return 1; } private: static inline void h(const real "
        "x[n], "
        "float y[n]) { }\nprotected: void later(int); struct inner { void deep(real x[1]) { } }; "
        "}; }\n"
        "struct S make(const real x[4]) { } enum class e { g }; union u { int i; };\n"
        "template <typename T, int n = (3 > 2)> struct P { T t; void p(const real x[4], float "
        "y[2]) "
        "override { } };\n"
        "static struct Q { int q; } q = { 1 };\nvoid last(const real x[4], real y[2]) { }\n";
    static const struct {
        const char *name, *dtype; /* of the first parameter */
        bool member, is_static;
        unsigned shape;
    } want[] = {{"a::b::c::f", "float32", false, false, 2},
                {"a::M::g", "float32", true, false, 0},
                {"a::M::h", "float64", true, true, 3},
                {"a::M::inner::deep", "float64", true, false, 1},
                {"make", "float32", false, false, 4},
                {"P::p", "float32", true, false, 4},
                {"last", "float32", false, false, 4}};
    struct rp_functions all = {0};
    const struct rp_c_text source = {text, sizeof text - 1, "net.h", true};
    ACCEPTED(u, rp_cdecl_functions(&u->arena, &source, &all, &u->err));
    size_t k = 0;
    for (size_t i = 0; i < all.count && k < COUNT(want); i++) {
        const struct rp_function *f = &all.items[i];
        if (strcmp(f->name, want[k].name) != 0)
            continue;
        assert_string_equal(f->params[0].dtype->name, want[k].dtype);
        assert_int_equal(f->params[0].rank != 0 ? f->params[0].shape[0] : 0, want[k].shape);
        assert_int_equal(f->is_member, want[k].member);
        assert_int_equal(f->is_static, want[k].is_static);
        k++;
    }
    assert_int_equal(k, COUNT(want));
    assert_true(rp_strings_have(&all.namespaces, "a::b"));
    assert_true(rp_strings_have(&all.namespaces, "a"));
    assert_false(rp_strings_have(&all.namespaces, "a::M"));
    bool declared = false; /* a member without a body */
    for (size_t i = 0; i < all.declared.count; i++)
        declared = declared || strcmp(all.declared.items[i].name, "a::M::later") == 0;
    assert_true(declared);
}

/* Nested too deep, or not closed: what was there before is read, and the time is linear. */
static void reads_odd_blocks(void **state) {
    struct unit *u = *state;
    struct rp_buf text = {.arena = &u->arena};
    rp_buf_puts(&text, "void before(const float x[1], float y[1]) { }\n");
    for (int i = 0; i < 20000; i++)
        rp_buf_puts(&text, "namespace a {");
    rp_buf_puts(&text, "void inside(int) { }");
    for (int i = 0; i < 20000; i++)
        rp_buf_puts(&text, "}");
    rp_buf_puts(&text, "}}} void after(int) { }");
    struct rp_functions all = {0};
    const struct rp_c_text source = {text.data, text.len, "net.h", true};
    ACCEPTED(u, rp_cdecl_functions(&u->arena, &source, &all, &u->err));
    assert_string_equal(all.items[0].name, "before");
    assert_int_equal(all.namespaces.count, 16);
}

static void names_without_templates(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {{"f", "f"},
                                           {"a::B<float, 4>::f", "a::B::f"},
                                           {"a::B<C<1>, D>::f<2>", "a::B::f"},
                                           {"f<>", "f"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(rp_cplusplus_plain_name(&u->arena, cases[i][0]), cases[i][1]);
}

/* Which functions are called for an object, and where the last output is what they return. */
static void chooses_calls(void **state) {
    struct unit *u = *state;
    static const char text[] =
        "namespace a { int f(const float *x) { return 1; } const int *at(const float *x); struct M "
        "{ void g(const float *x, float "
        "*y) { } static int h(const float *x) { return 2; } int k(const float *x) { return 3; } "
        "int "
        "k(const float *x, int *y) { return 4; } }; }\n";
    static const struct {
        const char *entry, *object;
        bool returns;
    } cases[] = {{"a::f(in:float[4], out:int32[1])", NULL, true},
                 {"a::f(in:float[4], out:int32[2])", NULL, false},
                 {"a::f(in:float[4]) -> out:int32[1]", NULL, true},
                 {"a::at(in:float[4], out:int32[2])", NULL, true},
                 {"a::at(in:float[4], out:int32[1])", NULL, true},
                 {"a::M::g(in:float[4], out:float[1])", "a::M", false},
                 {"a::M::h(in:float[4], out:int32[1])", NULL, true},
                 {"a::M::k(in:float[4], out:int32[1])", "a::M", false},
                 {"a::M::unknown(in:float[4], out:int32[1])", "a::M", false},
                 {"a::T<b::C, 4>::run(in:float[4], out:int32[1])", "a::T<b::C, 4>", false},
                 {"::run(in:float[4], out:int32[1])", NULL, false}};
    struct rp_functions all = {0};
    const struct rp_c_text source = {text, sizeof text - 1, "net.h", true};
    ACCEPTED(u, rp_cdecl_functions(&u->arena, &source, &all, &u->err));
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_model model = {0};
        ACCEPTED(u, rp_entry_parse(&model, &u->arena, cases[i].entry, &u->err));
        assert_true(model.code.is_cplusplus);
        rp_cplusplus_choose(&model, &u->arena, &all);
        rp_calls_take_result(&model, &u->arena, &all);
        if (cases[i].object == NULL)
            assert_null(model.entry.class_name);
        else
            assert_string_equal(model.entry.class_name, cases[i].object);
        assert_int_equal(model.entry.result != NULL, cases[i].returns);
        assert_int_equal(model.entry.arguments.count, cases[i].returns ? 1 : 2);
        if (cases[i].returns)
            assert_int_equal(model.entry.returns_address, strstr(cases[i].entry, "::at(") != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(reads_members), UNIT(reads_odd_blocks),
                                       UNIT(names_without_templates), UNIT(chooses_calls)};
    return RUN(tests);
}
