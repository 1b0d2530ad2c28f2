/* SPDX-License-Identifier: Apache-2.0 */
/* C++ without a run-time library: tables of virtual functions, templates, what needs no constructor. */
#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    extern "C" void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)

//@ case cxx_virtual
struct op { virtual uint32_t run(uint32_t x) const = 0; virtual uint32_t twice(uint32_t x) const { return run(run(x)); } };
struct add : op { uint32_t n; constexpr add(uint32_t k) : n(k) {} uint32_t run(uint32_t x) const override { return x + n; } };
struct mul : op { uint32_t n; constexpr mul(uint32_t k) : n(k) {} uint32_t run(uint32_t x) const override { return x * n; } uint32_t twice(uint32_t x) const override { return x * n * n + 1; } };
extern "C" void __cxa_pure_virtual() { for (;;) {} }
MODEL { EACH { add a(3); mul m(5); const op *const ops[] = {&a, &m}; const op *volatile p = ops[in[i] & 1]; out[i] = p->run(in[i]) + p->twice(in[7 - i]); } }

//@ case cxx_virtual_static_objects
struct op { virtual uint32_t run(uint32_t x) const = 0; };
struct add final : op { uint32_t n; constexpr add(uint32_t k) : n(k) {} uint32_t run(uint32_t x) const override { return x + n; } };
struct mul final : op { uint32_t n; constexpr mul(uint32_t k) : n(k) {} uint32_t run(uint32_t x) const override { return x * n; } };
extern "C" void __cxa_pure_virtual() { for (;;) {} }
static constexpr add a3(3), a9(9);
static constexpr mul m5(5);
static const op *const layers[] = {&a3, &m5, &a9};
MODEL { EACH { out[i] = in[i]; for (const op *l : layers) out[i] = l->run(out[i]); } }

//@ case cxx_inheritance_twice
struct A { uint32_t a = 1; virtual uint32_t f() { return a; } };
struct B { uint32_t b = 2; virtual uint32_t g() { return b; } };
struct C : A, B { uint32_t c = 3; uint32_t f() override { return a + c; } uint32_t g() override { return b * c; } };
static NOINLINE uint32_t use(A *x, B *y) { return x->f() * 10 + y->g(); }
MODEL { EACH { C c; c.c = in[i]; c.a = (uint32_t)i; out[i] = use(&c, &c); } }

//@ case cxx_virtual_base
struct V { uint32_t v = 1; virtual uint32_t f() { return v; } };
struct A : virtual V { uint32_t a = 2; };
struct B : virtual V { uint32_t b = 3; uint32_t f() override { return v + b; } };
struct C : A, B { uint32_t c = 4; };
static NOINLINE uint32_t use(V *x) { return x->f(); }
MODEL { EACH { C c; c.v = in[i]; out[i] = use(&c) + c.a; } }

//@ case cxx_rtti_tables
struct op { virtual uint32_t run(uint32_t x) const { return x; } };
struct add : op { uint32_t run(uint32_t x) const override { return x + 3; } };
MODEL { EACH { add a; const op *volatile p = &a; out[i] = p->run(in[i]); } }

//@ case cxx_templates
template <typename T, int N> struct ring { T v[N]; uint32_t at; T push(T x) { v[at++ % N] = x; return v[at % N]; } };
template <typename T> NOINLINE T twice(T x) { return x + x; }
static ring<uint32_t, 5> r;
static ring<int16_t, 3> s;
MODEL { EACH out[i] = r.push(in[i]) + twice<uint32_t>(in[i]) + (uint32_t)s.push(twice<int16_t>((int16_t)in[i])); }

//@ case cxx_template_constants
template <int N> struct table { static const uint32_t w[4]; };
template <int N> const uint32_t table<N>::w[4] = {N, N + 1, N + 2, N * N};
MODEL { EACH out[i] = table<3>::w[in[i] & 3] + table<7>::w[i & 3]; }

//@ case cxx_inline_variables
struct S { static inline uint32_t count = 5; static constexpr uint32_t w[3] = {1, 2, 3}; };
inline uint32_t shared = 7;
MODEL { EACH { S::count += in[i]; shared++; out[i] = S::count + S::w[in[i] % 3] + shared; } }

//@ case cxx_member_pointers
struct op { uint32_t n; NOINLINE uint32_t add(uint32_t x) { return x + n++; } NOINLINE uint32_t mul(uint32_t x) { return x * n; } };
static uint32_t (op::*const table[])(uint32_t) = {&op::add, &op::mul};
static uint32_t op::*const member = &op::n;
static op object = {3};
MODEL { EACH out[i] = (object.*table[in[i] & 1])(in[i]) + object.*member; }

//@ case cxx_lambdas
static uint32_t (*const table[])(uint32_t) = {[](uint32_t x) { return x + 1; }, [](uint32_t x) { return x * 3; }};
template <typename F> static NOINLINE void each(const uint32_t *x, F f) { for (int i = 0; i < 8; i++) f(x[i]); }
MODEL { uint32_t sum = 0; each(in, [&](uint32_t x) { sum += table[x & 1](x); }); EACH out[i] = sum + in[i]; }

//@ case cxx_references_to_globals
static uint32_t v[3] = {1, 2, 3};
static uint32_t &r = v[1];
static const uint32_t &c = v[2];
MODEL { EACH { r += in[i]; out[i] = v[in[i] % 3] + c; } }

//@ case cxx_constructor_at_start expect="RP2403"
struct S { uint32_t n; NOINLINE S(uint32_t k) : n(k) { __asm__ volatile(""); } };
static S s(5);
MODEL { EACH out[i] = in[i] + s.n++; }

//@ case cxx_constructor_of_local_static
struct S { uint32_t n; NOINLINE S(uint32_t k) : n(k) { __asm__ volatile(""); } };
static S &get(uint32_t x) { static S s(x); return s; }
MODEL { EACH out[i] = in[i] + get(in[0]).n++; }

//@ case cxx_namespaces_and_overloads
namespace a { static uint32_t v = 1; static NOINLINE uint32_t f(uint32_t x) { return x + v++; } }
namespace b { static uint32_t v = 100; static NOINLINE uint32_t f(uint32_t x) { return x * v++; } static NOINLINE uint32_t f(float x) { return (uint32_t)(x * 2); } }
namespace { uint32_t v = 7; }
MODEL { EACH out[i] = a::f(in[i]) + b::f(in[i]) + b::f((float)i) + v++; }

//@ case cxx_weights_in_class
struct layer { static const int8_t w[300]; const int8_t *p; uint32_t n; };
const int8_t layer::w[300] = {1, -2, 3, -4};
static constexpr layer layers[] = {{layer::w, 300}, {layer::w + 2, 3}};
MODEL { EACH { const layer &l = layers[in[i] & 1]; out[i] = (uint32_t)l.p[in[i] % l.n]; } }

//@ case cxx_new expect="RP2600", says="_Znaj"
MODEL { EACH { uint32_t *p = new uint32_t[4]; p[in[i] & 3] = in[i]; out[i] = p[in[i] & 3]; delete[] p; } }

//@ case cxx_placement_new
inline void *operator new(size_t, void *p) noexcept { return p; }
struct S { uint32_t n; S(uint32_t k) : n(k * 3) {} ~S() { n = 0; } };
alignas(S) static uint8_t room[sizeof(S)];
MODEL { EACH { S *s = new (room) S(in[i]); out[i] = s->n; s->~S(); } }

//@ case cxx_exceptions cflags="-fexceptions", expect="RP2600"
static NOINLINE uint32_t f(uint32_t x) { if (x == 0x7654321) throw 5; return x; }
MODEL { EACH { try { out[i] = f(in[i]); } catch (int k) { out[i] = (uint32_t)k; } } }

//@ case cxx_enumerations
enum class kind : uint8_t { a = 3, b = 200 };
static kind table[3] = {kind::a, kind::b, kind::a};
MODEL { EACH { out[i] = (uint32_t)table[in[i] % 3]; table[in[i] % 3] = kind::b; } }
