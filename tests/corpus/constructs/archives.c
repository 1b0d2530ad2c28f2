/* SPDX-License-Identifier: Apache-2.0 */
/* Archives and objects: several members, and members that were compiled in other ways. */
#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)
uint32_t kernel(uint32_t), second(uint32_t);

//@ case archive_of_several_members
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file a.c to="archive"
#include <stdint.h>
extern uint32_t shared[4];
uint32_t kernel(uint32_t x) { return shared[x & 3]++; }
//@ file b.c to="archive"
#include <stdint.h>
uint32_t shared[4] = {1, 2, 3, 4};
//@ file c.c to="archive"
#include <stdint.h>
uint32_t kernel(uint32_t);
uint32_t second(uint32_t x) { return kernel(x / 2) * 3; }
//@ file unused.c to="archive"
extern int nowhere;
int unused(void) { return nowhere; }

//@ case archive_for_size
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-Os"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
static const uint32_t w[5] = {9, 8, 7, 6, 5};
uint32_t kernel(uint32_t x) { switch (x & 7) { case 0: return state[0]++; case 1: return w[x % 5]; case 2: return 5; case 3: return x * 3; case 4: return x; default: return state[x % 3]; } }

//@ case archive_without_optimisation
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-O0"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3}, *p = state + 2;
static uint32_t (*f)(uint32_t);
static uint32_t g(uint32_t x) { return x + *p; }
uint32_t kernel(uint32_t x) { f = g; state[x % 3]++; return f(x); }

//@ case archive_for_speed
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-O3 -funroll-loops"
#include <stdint.h>
static int16_t w[64] = {1, 2, 3, [63] = 9};
uint32_t kernel(uint32_t x) { uint32_t s = 0; for (int i = 0; i < 64; i++) { s += (uint32_t)w[i] * x; w[i] ^= (int16_t)i; } return s; }

//@ case archive_with_sections linked="-Wl,--unresolved-symbols=ignore-all"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-ffunction-sections -fdata-sections"
#include <stdint.h>
static uint32_t a = 1, b[100], c[3] = {1, 2, 3};
static const uint32_t w[100] = {4, 5};
extern int nowhere(void);
int unused(void) { return nowhere(); }
uint32_t kernel(uint32_t x) { a += x; b[x % 100] += a; return b[x % 100] + c[x % 3] + w[x % 100]; }

//@ case archive_without_pic expect="RP2500", says="kernels.a(pic0.o)", copy="run"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", pic=False
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }

//@ case archive_without_pic_but_pure
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", pic=False
#include <stdint.h>
uint32_t kernel(uint32_t x) { for (int i = 0; i < 5; i++) x = x * 5 + (x >> 3); return x; }

//@ case archive_without_pic_uses_r9_and_calls_back expect="RP2503", copy="RP2503"
uint32_t each(uint32_t (*)(uint32_t, uint32_t), uint32_t);
static uint32_t state;
static uint32_t back(uint32_t x, uint32_t y) { return x * 3 + y + state++; }
MODEL { EACH out[i] = each(back, in[i]); }
//@ file a.c to="archive", pic=False, flags="-ffixed-r4 -ffixed-r5 -ffixed-r6 -ffixed-r7 -ffixed-r8"
#include <stdint.h>
uint32_t each(uint32_t (*f)(uint32_t, uint32_t), uint32_t x) { uint32_t a = x * 3, b = x ^ 5, c = x + 9; for (int i = 0; i < 5; i++) { a = f(a, b); b = f(b, c); c = f(c, a); } return a + b + c; }

//@ case archive_with_r10 expect="RP2503", copy="RP2503"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-mpic-register=r10"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }

//@ case archive_with_plain_fpic expect="RP2500", copy="RP2500"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", pic=False, flags="-fpic"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }

//@ case archive_with_long_calls
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-mlong-calls"
#include <stdint.h>
uint32_t second(uint32_t);
uint32_t kernel(uint32_t x) { return second(x) + 1; }
//@ file b.c to="archive"
#include <stdint.h>
static uint32_t state = 3;
uint32_t second(uint32_t x) { return x + state++; }

//@ case archive_for_another_core expect="RP2402", cores="M4 M7"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-mcpu=cortex-m33 -mfpu=fpv5-sp-d16"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3 + 1; }

//@ case archive_for_a_smaller_core cores="M7 M33 M55"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-mcpu=cortex-m4 -mfpu=fpv4-sp-d16"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x * 3 + state++; }

//@ case archive_of_another_float_abi expect="RP2402", llvm="?", cores="M4 M7 M33 M55"
float fkernel(float);
MODEL { EACH out[i] = (uint32_t)fkernel((float)(in[i] & 255)); }
//@ file a.c to="archive", flags="-mfloat-abi=softfp"
float fkernel(float x) { return x * 3 + 1; }

//@ case archive_with_doubles_for_single expect="RP2402", cores="M4"
double dkernel(double);
MODEL { EACH out[i] = (uint32_t)dkernel((double)(in[i] & 255)); }
//@ file a.c to="archive", flags="-mcpu=cortex-m7 -mfpu=fpv5-d16"
double dkernel(double x) { return x * 3 + 1; }

//@ case archive_with_doubles_for_single_in_v8 expect="RP2408", cores="M33"
double dkernel(double);
MODEL { EACH out[i] = (uint32_t)dkernel((double)(in[i] & 255)); }
//@ file a.c to="archive", flags="-mcpu=cortex-m7 -mfpu=fpv5-d16"
double dkernel(double x) { return x * 3 + 1; }

//@ case archive_with_small_enums
enum kind { A, B, C = 200 };
uint32_t ekernel(const enum kind *);
static const enum kind kinds[4] = {A, B, C, A};
MODEL { EACH out[i] = ekernel(kinds) + in[i]; }
//@ file a.c to="archive", flags="-fno-short-enums"
#include <stdint.h>
enum kind { A, B, C = 200 };
uint32_t ekernel(const enum kind *k) { return (uint32_t)k[0]; }

//@ case archive_with_small_wide_characters
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-fshort-wchar"
#include <stddef.h>
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x + L"abcd"[x & 3]; }

//@ case archive_with_unwinding_tables
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-fexceptions -funwind-tables -g"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x * 3 + state++; }

//@ case archive_with_constructor expect="RP2403"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive"
#include <stdint.h>
static uint32_t state = 3;
__attribute__((constructor)) static void start(void) { state = 9; }
uint32_t kernel(uint32_t x) { return x * 3 + state++; }

//@ case archive_with_constructor_unused
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3; }
//@ file b.c to="archive"
static int state = 3;
__attribute__((constructor)) static void start(void) { state = 9; }
int unused(void) { return state; }

//@ case archive_with_link_time_state
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-flto"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
uint32_t kernel(uint32_t x) { return x * 3 + state[x % 3]++; }

//@ case archive_with_link_time_code
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-flto"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3; }

//@ case archive_with_large_constants
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive"
#include <stdint.h>
static const uint32_t w[200] = {1, 2, 3, [199] = 4};
static uint32_t a[200];
uint32_t kernel(uint32_t x) { a[x % 200]++; return w[x % 200] + a[x % 200]; }

//@ case archive_refers_to_weights_of_the_model
extern const int16_t weights[200];
extern uint32_t pool[100];
const int16_t weights[200] = {1, 2, 3, [199] = -5};
uint32_t pool[100];
MODEL { EACH { pool[in[i] % 100] ^= in[i]; out[i] = kernel(in[i]); } }
//@ file a.c to="archive"
#include <stdint.h>
extern const int16_t weights[200];
extern uint32_t pool[100];
static const int16_t *const last = weights + 199;
uint32_t kernel(uint32_t x) { return (uint32_t)weights[x % 200] + (uint32_t)*last + pool[x % 100]; }

//@ case archive_overridden_by_the_model
uint32_t kernel(uint32_t x) { return x + 1; }
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file a.c to="archive"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x + 5; }
//@ file b.c to="archive"
#include <stdint.h>
uint32_t kernel(uint32_t);
uint32_t second(uint32_t x) { return kernel(x) * 2; }

//@ case archives_two_in_a_circle
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", archive="one"
#include <stdint.h>
uint32_t second(uint32_t);
uint32_t third(uint32_t x) { return x + 3; }
uint32_t kernel(uint32_t x) { return second(x) + 1; }
//@ file b.c to="archive", archive="two"
#include <stdint.h>
uint32_t third(uint32_t);
static uint32_t state = 3;
uint32_t second(uint32_t x) { return third(x) + state++; }

//@ case objects_of_equal_names
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file a/k.c to="object"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }
//@ file b/k.c to="object"
#include <stdint.h>
static uint32_t state = 70;
uint32_t second(uint32_t x) { return x * state++; }

//@ case object_of_other_cpp_flags
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", flags="-fno-common -fno-zero-initialized-in-bss -fmerge-all-constants"
#include <stdint.h>
static uint32_t zero[30] = {0};
static const char *const names[] = {"abc", "bc"};
uint32_t kernel(uint32_t x) { return zero[x % 30]++ + (uint32_t)names[x & 1][0]; }
