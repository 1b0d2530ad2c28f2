/* SPDX-License-Identifier: Apache-2.0 */
/* Types: structs, unions, bit-fields, packed and flexible ones, arguments of all kinds. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)

//@ case bit_fields
static struct { unsigned a : 3, b : 7, c : 1; int d : 9; unsigned : 0; unsigned e : 13; } s = {5, 100, 1, -200, 8000};
static const struct { int8_t x : 4; uint64_t y : 40; uint8_t z : 3; } t = {-8, 0x9876543210ull, 7};
MODEL { EACH { s.a += in[i]; s.d += (int)in[i]; s.e ^= in[i]; out[i] = s.a + s.b * 2u + s.c + (uint32_t)s.d + s.e + (uint32_t)(t.y >> (in[i] & 31)) + (uint32_t)t.x; } }

//@ case packed_struct
static struct __attribute__((packed)) { uint8_t a; uint32_t b; uint16_t c; float f; uint64_t d; } s[3] = {{1, 2, 3, 4.5f, 5}, {6, 7, 8, 9.25f, 10}};
MODEL { EACH { s[in[i] % 3].b += in[i]; s[i % 3].d += in[i]; out[i] = s[1].b + s[0].a + s[2].c + (uint32_t)s[in[i] % 3].f + (uint32_t)s[0].d; } }

//@ case packed_large_constant
static const struct __attribute__((packed)) { uint8_t a; uint32_t b; } s[100] = {{1, 0x01020304}, {5, 6}, [99] = {7, 8}};
MODEL { EACH out[i] = s[in[i] % 100].b + s[in[i] & 1].a; }

//@ case packed_pointers_aligned
static uint32_t v = 4;
static const struct __attribute__((packed)) { uint32_t *p; uint8_t t[4]; } s[2] = {{&v, {1}}, {&v, {2}}};
MODEL { EACH out[i] = (*s[in[i] & 1].p += in[i]) + s[in[i] & 1].t[0]; }

//@ case union_punned
static const union { float f; uint32_t u; uint8_t b[4]; } table[3] = {{1.5f}, {.u = 0x40490FDB}, {.b = {0, 0, 128, 63}}};
MODEL { EACH out[i] = table[in[i] % 3].u + table[in[i] % 3].b[in[i] & 3] + (table[in[i] % 3].f > 1.2f); }

//@ case union_of_pointer_and_number
static uint32_t v = 3;
static union { uint32_t *p; uint32_t n; } u[3] = {{&v}, {.n = 7}, {.p = NULL}};
MODEL { EACH { out[i] = *u[0].p + u[1].n + (u[2].p == NULL); u[1].n += in[i]; *u[0].p ^= in[i]; } }

//@ case flexible_array
struct list { uint16_t n; uint32_t items[]; };
static const struct list a = {3, {10, 20, 30}}, b = {1, {99}};
static struct list c = {2, {5, 6}};
static const struct list *const lists[] = {&a, &b, &c};
MODEL { EACH { const struct list *l = lists[in[i] % 3]; out[i] = l->items[in[i] % l->n]; c.items[1] += in[i]; } }

//@ case flexible_array_large
static const struct { uint32_t n; int16_t w[]; } s = {3, {[0] = 5, [300] = -7}};
MODEL { EACH out[i] = (uint32_t)s.w[in[i] % 301] + s.n; }

//@ case empty_struct_and_array
struct empty {};
static struct empty e[3];
static uint32_t none[0], after = 5;
static const struct { struct empty a; uint32_t x; uint8_t end[0]; } s = {{}, 9};
MODEL { EACH out[i] = s.x + after + sizeof e + sizeof none + in[i]; after += in[0]; }

//@ case struct_returned
struct triple { uint32_t a, b, c; };
struct one { float f; };
static NOINLINE struct triple three(uint32_t x) { return (struct triple){x, x * 2, x ^ 5}; }
static NOINLINE struct one single(float f) { return (struct one){f * 2}; }
static struct triple (*const f)(uint32_t) = three;
MODEL { EACH { struct triple t = f(in[i]); out[i] = t.a + t.b * 3 + t.c + (uint32_t)single(i).f; } }

//@ case struct_by_value
struct big { uint32_t v[20]; };
struct mixed { double d; uint8_t c; float f[2]; };
static NOINLINE uint32_t sum(struct big b, uint8_t k, struct mixed m, struct big c) { return b.v[k % 20] + c.v[19] + (uint32_t)m.d + (uint32_t)m.f[1]; }
MODEL { struct big b = {{1, 2, 3}}; EACH { b.v[in[i] % 20] += in[i]; out[i] = sum(b, (uint8_t)in[i], (struct mixed){2.5, 1, {1, 3}}, b); } }

//@ case struct_copied
struct big { uint32_t v[30]; const char *name; };
static const struct big from[2] = {{{1, 2, 3}, "first"}, {{4, 5, 6, [29] = 9}, "second"}};
static struct big to;
MODEL { EACH { to = from[in[i] & 1]; out[i] = to.v[in[i] % 30] + (uint32_t)to.name[in[i] % 5]; } }

//@ case struct_initialised_on_stack
struct big { uint32_t v[20]; const char *name; };
MODEL { EACH { struct big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, "abc"}; b.v[in[i] % 20] += in[i]; out[i] = b.v[3] + b.v[in[i] % 20] + (uint32_t)b.name[in[i] % 3]; } }

//@ case variadic
static NOINLINE uint32_t sum(const char *format, ...) {
    va_list list;
    uint32_t s = 0;
    va_start(list, format);
    for (; *format; format++)
        s = s * 3 + (*format == 'd' ? (uint32_t)va_arg(list, double) : *format == 'q' ? (uint32_t)va_arg(list, uint64_t) : *format == 's' ? (uint32_t)*va_arg(list, const char *) : va_arg(list, uint32_t));
    va_end(list);
    return s;
}
MODEL { EACH out[i] = sum("udqsu", in[i], 2.5 * i, (uint64_t)in[i] << 2, "xyz", 7u) + sum(in[i] & 1 ? "uu" : "u", 1u, in[i]); }

//@ case variadic_forwarded
static NOINLINE uint32_t vsum(int n, va_list list) { va_list again; va_copy(again, list); uint32_t s = va_arg(again, uint32_t); va_end(again); while (n-- > 0) s += va_arg(list, uint32_t); return s; }
static NOINLINE uint32_t sum(int n, ...) { va_list list; va_start(list, n); uint32_t s = vsum(n, list); va_end(list); return s; }
static uint32_t (*const f)(int, ...) = sum;
MODEL { EACH out[i] = f(3, in[i], in[7 - i], 5u) + f(1, 9u); }

//@ case many_parameters
static NOINLINE uint64_t f(uint8_t a, uint64_t b, int16_t c, double d, float e, uint32_t *g, const char *h, uint64_t k) { return a + b * 3 + (uint64_t)c + (uint64_t)d + (uint64_t)e + *g + (uint8_t)*h + k; }
static uint32_t v = 4;
MODEL { EACH out[i] = (uint32_t)f((uint8_t)in[i], in[i], (int16_t)(in[i] & 1023), 2.25 * i, 0.5f, &v, "q", in[7 - i]); }

//@ case enums_small cflags="-fshort-enums"
enum kind { A, B = 100, C = 200 };
static enum kind table[4] = {A, B, C, A};
MODEL { EACH { out[i] = (uint32_t)table[in[i] & 3] + sizeof(enum kind); table[in[i] & 3] = in[i] & 1 ? C : B; } }

//@ case enums_wide
enum kind { A = -1, B = 0x7FFFFFFF, C = 5 };
static const enum kind table[4] = {A, B, C, A};
MODEL { EACH out[i] = (uint32_t)table[in[i] & 3]; }

//@ case generic_selection
#define KIND(x) _Generic((x), float: 1, double: 2, uint32_t: 3, const char *: 4, uint32_t *: 5, default: 6)
static uint32_t v;
MODEL { EACH out[i] = (uint32_t)(KIND(1.0f) + 10 * KIND(1.0) + 100 * KIND(in[i]) + 1000 * KIND((const char *)"") + 10000 * KIND(&v) + 100000 * KIND((char)1)) + in[i]; }

//@ case compound_literals
static const uint32_t *const p = (const uint32_t[]){4, 5, 6};
static uint32_t *q = (uint32_t[]){7, 8};
static const struct pair { const char *s; const int16_t *w; } *const r = &(const struct pair){"lit", (const int16_t[]){-1, -2}};
static NOINLINE uint32_t sum(const uint32_t *x, int n) { uint32_t s = 0; while (n-- > 0) s += x[n]; return s; }
MODEL { EACH { q[in[i] & 1] += in[i]; out[i] = p[in[i] % 3] + q[0] + (uint32_t)r->s[1] + (uint32_t)r->w[in[i] & 1] + sum((uint32_t[]){in[i], 2, 3}, 3); } }

//@ case bools
static bool flags[5] = {true, false, true};
static const bool *const p = flags + 2;
MODEL { EACH { flags[in[i] % 5] ^= in[i] & 8; out[i] = (uint32_t)*p + 2u * flags[in[i] % 5] + 4u * (bool)in[i]; } }

//@ case volatile_all
static volatile uint32_t v = 4;
static volatile const uint32_t c[3] = {1, 2, 3};
static volatile struct { uint8_t a; uint16_t b; } s = {1, 2};
MODEL { EACH { v += in[i]; s.b = (uint16_t)(s.b + v); out[i] = v + c[in[i] % 3] + s.a + s.b; } }

//@ case volatile_large_constant
static volatile const uint32_t c[100] = {1, 2, 3};
MODEL { EACH out[i] = c[in[i] % 100] + c[in[i] % 3]; }

//@ case complex_numbers
static const _Complex float c[2] = {1.0f + 2.0fi, -0.5f + 0.25fi};
MODEL { EACH { _Complex float z = (float)(in[i] & 15) + 1.0fi; z = z * c[in[i] & 1] + c[0]; float f = __real__ z + 3 * __imag__ z; memcpy(&out[i], &f, 4); } }

//@ case vectors_of_the_compiler
typedef int16_t v4 __attribute__((vector_size(8)));
static const v4 w = {1, -2, 3, -4};
static v4 state = {5, 6, 7, 8};
MODEL { EACH { v4 x = {(int16_t)in[i], 2, 3, (int16_t)i}; state += x * w; out[i] = (uint32_t)state[in[i] & 3]; } }

//@ case half_floats cores="M4 M7 M33 M55", cflags="-mfp16-format=ieee", llvm="RP2400"
static const __fp16 w[4] = {1.5, -2.0, 0.1, 65504};
static __fp16 state = 1;
MODEL { EACH { state = (__fp16)(w[in[i] & 3] * 0.5f + (float)(in[i] & 7)); float f = state; memcpy(&out[i], &f, 4); } }

//@ case typeof_and_statements
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
MODEL { EACH out[i] = MAX(in[i], in[7 - i]) + (uint32_t)MAX(1.5f, (float)i); }

//@ case int128_like_structs
typedef struct { uint64_t lo, hi; } wide;
static wide acc = {1, 2};
static NOINLINE wide add(wide a, wide b) { wide r = {a.lo + b.lo, a.hi + b.hi}; r.hi += r.lo < a.lo; return r; }
MODEL { EACH { acc = add(acc, (wide){(uint64_t)in[i] << 32 | in[i], in[i]}); out[i] = (uint32_t)(acc.hi ^ acc.lo); } }

//@ case wide_alignment_on_stack
MODEL { EACH { uint32_t a[8] __attribute__((aligned(64))) = {in[i]}; __asm__ volatile("" : : "r"(a) : "memory"); out[i] = a[0] + (uintptr_t)a % 64; } }

//@ case c_restrict_struct_of_arrays
static struct { float x[16], y[16]; uint8_t n; } s = {.x = {1, 2, 3}, .y = {[15] = 4}, .n = 16};
MODEL { EACH { for (int k = 0; k < s.n; k++) s.y[k] += s.x[k] * (float)(in[i] & 7); float f = s.y[in[i] & 15]; memcpy(&out[i], &f, 4); } }
