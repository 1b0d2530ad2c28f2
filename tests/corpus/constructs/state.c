/* SPDX-License-Identifier: Apache-2.0 */
/* State from run to run, memory handed in, weights just below and above the threshold, alignment. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)
#define ALIGNED(n) __attribute__((aligned(n)))

//@ case state_small
static uint32_t runs, sum = 7, history[8];
MODEL { EACH { sum = sum * 3 + in[i]; history[(runs + (uint32_t)i) & 7] ^= sum; out[i] = sum + history[in[i] & 7]; } runs++; }

//@ case state_large
static uint32_t history[64], at;
MODEL { EACH { history[at++ & 63] = in[i]; out[i] = history[(at + in[i]) & 63] + at; } }

//@ case state_in_pointers
static uint32_t a[8], b[8], *front = a, *back = b;
MODEL { EACH { back[i] = in[i] + front[7 - i]; out[i] = back[i]; } uint32_t *t = front; front = back; back = t; }

//@ case state_lazily_made
static uint32_t table[100];
static uint8_t made;
MODEL { if (!made) { for (uint32_t k = 0; k < 100; k++) table[k] = k * k; made = 1; } EACH out[i] = table[in[i] % 100]; }

//@ case state_in_functions
static NOINLINE uint32_t next(uint32_t x) { static uint32_t n = 100; static uint32_t ring[70]; ring[n % 70] = x; return n++ + ring[x % 70]; }
MODEL { EACH out[i] = next(in[i]); }

//@ case state_initialised_by_the_manifest manifest={"entry": "model", "init": "start"}, entry="",
//@   decl="void model(const uint32_t *, uint32_t *); void start(void);", init="start()"
static uint32_t *list[3], one = 1, two = 2, three;
void start(void) { list[0] = &one; list[1] = &two; list[2] = &three; three = 33; }
MODEL { EACH out[i] = *list[in[i] % 3] += in[i]; }

//@ case state_initialised_with_a_result manifest={"entry": "model", "init": "start(4) -> 0", "destroy": "stop"},
//@   decl="void model(const uint32_t *, uint32_t *); int start(int);", init="start(4)"
static uint32_t scale, *const p = &scale;
int start(int k) { scale = (uint32_t)k; return 0; }
void stop(void) { scale = 0; }
MODEL { EACH out[i] = in[i] * *p; }

//@ case state_large_initialised_by_the_manifest manifest={"entry": "model", "init": "start"},
//@   decl="void model(const uint32_t *, uint32_t *); void start(void);", init="start()"
static uint32_t table[300];
void start(void) { for (uint32_t i = 0; i < 300; i++) table[i] = i * i + 1; }
MODEL { EACH out[i] = table[in[i] % 300]++; }

//@ case tensors_in_variables io="f32:4, i32:2 > f32:4",
//@   manifest={"entry": "model", "inputs": [{"name": "a", "dtype": "float32", "shape": [4], "at": "input"},
//@   {"name": "b", "dtype": "int32", "shape": [2], "get": "second"}],
//@   "outputs": [{"name": "c", "dtype": "float32", "shape": [4], "at": "result"}]},
//@   decl="void model(void); extern float input[4], result[4]; int32_t *second(void);",
//@   call="for (int i = 0; i < 4; i++) input[i] = in0[i]; second()[0] = in1[0]; second()[1] = in1[1]; model(); for (int i = 0; i < 4; i++) out0[i] = result[i]"
float input[4], result[4];
static int32_t other[2];
int32_t *second(void) { return other; }
void model(void) { for (int i = 0; i < 4; i++) result[i] = input[i] * 2 + (float)(other[i & 1] & 255); }

//@ case weights_just_below
static const uint8_t a[255] = {1, 2, [254] = 3};
static const uint32_t b[63] = {1, 2, [62] = 3};
MODEL { EACH out[i] = a[in[i] % 255] + b[in[i] % 63]; }

//@ case weights_at_the_threshold
static const uint8_t a[256] = {1, 2, [255] = 3};
static const uint32_t b[64] = {1, 2, [63] = 3};
MODEL { EACH out[i] = a[in[i] % 256] + b[in[i] % 64]; }

//@ case weights_just_above
static const uint8_t a[257] = {1, 2, [256] = 3}, b[259] = {9, [258] = 4};
static const uint16_t c[129] = {1, 2, [128] = 5};
MODEL { EACH out[i] = a[in[i] % 257] + b[in[i] % 259] + c[in[i] % 129]; }

//@ case weights_of_all_types
static const int8_t a[300] = {-1}; static const int16_t b[200] = {-2}; static const int64_t c[50] = {-3};
static const float d[70] = {1.5f}; static const double e[40] = {2.5}; static const _Bool f[300] = {1};
static const struct { float x; int8_t y[3]; } g[40] = {{1, {2, 3, 4}}};
MODEL { EACH out[i] = (uint32_t)(a[in[i] % 300] + b[in[i] % 200] + c[in[i] % 50] + (int)d[in[i] % 70] + (int)e[in[i] % 40] + f[in[i] % 300] + g[in[i] % 40].y[in[i] % 3]); }

//@ case weights_of_zeros
static const uint32_t a[100], b[100] = {0};
MODEL { EACH out[i] = a[in[i] % 100] + b[in[i] % 100] + in[i]; }

//@ case weights_and_string_long
static const char text[] = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789";
static const char *const to = "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij"
    "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij"
    "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij";
MODEL { EACH out[i] = (uint32_t)text[in[i] % 300] + 256u * (uint32_t)to[in[i] % 300]; }

//@ case weights_with_pointers_in_them
static const uint32_t w[100] = {5, 6, 7};
static const struct { const uint32_t *p; uint32_t n[70]; } table[2] = {{w, {1, 2, 3}}, {w + 2, {4, 5, 6}}};
MODEL { EACH out[i] = table[in[i] & 1].p[0] + table[in[i] & 1].n[in[i] % 70]; }

//@ case weights_shared_by_files
extern const int16_t shared[200];
uint32_t other(uint32_t);
MODEL { EACH out[i] = (uint32_t)shared[in[i] % 200] + other(in[i]); }
//@ file other.c
#include <stdint.h>
extern const int16_t shared[200];
static const int16_t *const row = shared + 100;
uint32_t other(uint32_t x) { return (uint32_t)row[x % 100]; }
//@ file data.c
#include <stdint.h>
extern const int16_t shared[200];
const int16_t shared[200] = {1, 2, 3, [100] = -4, -5, [199] = 77};

//@ case weights_writable_array
static uint32_t a[100] = {1, 2, 3}, b[100] = {[99] = 1};
MODEL { EACH out[i] = (a[in[i] % 100] += in[i]) + b[in[i] % 100]++; }

//@ case weights_large slots=3, args="-r split"
static const uint8_t w[100000] = {[1] = 1, [50000] = 2, [99999] = 3};
MODEL { EACH out[i] = w[in[i] % 100000] + w[99999 - in[i] % 2]; }

//@ case activations_just_around
static uint8_t a[255], b[256], c[257], d[4];
MODEL { EACH { a[in[i] % 255]++; b[in[i] % 256] ^= a[in[i] % 255]; c[in[i] % 257] += b[in[i] % 256]; d[i & 3] += c[in[i] % 257]; out[i] = a[in[i] % 255] + b[in[i] % 256] + c[in[i] % 257] + d[i & 3]; } }

//@ case activations_large slots=5
static float a[20000], b[20000];
MODEL { for (int k = 0; k < 2000; k++) a[k * 10] += (float)(in[k & 7] & 255); memcpy(b, a, sizeof b); EACH out[i] = (uint32_t)b[in[i] % 2000 * 10]; }

//@ case activations_union
static union { float f[100]; int8_t q[400]; struct { uint32_t a[50], b[50]; } s; } u;
MODEL { EACH { u.s.a[in[i] % 50] += in[i]; u.q[in[i] % 400] ^= 5; out[i] = u.s.a[in[i] % 50] + u.s.b[in[i] % 50]; } }

//@ case activations_two_dimensions
static int16_t a[10][20], (*row)[20] = a + 3;
MODEL { EACH { a[in[i] % 10][in[i] % 20] += 7; (*row)[in[i] % 20] += 5; out[i] = (uint32_t)a[3][in[i] % 20] + (uint32_t)a[in[i] % 10][in[i] % 20]; } }

//@ case activations_global_and_external
uint32_t pool[200];
extern uint32_t pool2[200];
MODEL { EACH { pool[in[i] % 200] += in[i]; pool2[in[i] % 200] += pool[0] + 1; out[i] = pool[in[i] % 200] + pool2[in[i] % 200]; } }
//@ file other.c
#include <stdint.h>
uint32_t pool2[200];

//@ case alignment_of_variables
static uint32_t a ALIGNED(16) = 1, b ALIGNED(64), c[3] ALIGNED(32) = {1};
MODEL { EACH { a += in[i]; b ^= a; c[in[i] % 3]++; out[i] = a + b + c[0] + (uintptr_t)&a % 16 + (uintptr_t)&b % 64 + (uintptr_t)c % 32; } }

//@ case alignment_of_activations
static uint32_t a[100] ALIGNED(128), b[100] ALIGNED(16);
MODEL { EACH { a[in[i] % 100] += in[i]; b[in[i] % 100]++; out[i] = a[in[i] % 100] + b[in[i] % 100] + (uintptr_t)a % 128 + (uintptr_t)b % 16; } }

//@ case alignment_of_weights
static const uint32_t a[100] ALIGNED(64) = {1}, b[77] ALIGNED(32) = {2}, c[65] = {3};
MODEL { EACH out[i] = a[in[i] % 100] + b[in[i] % 77] + c[in[i] % 65] + (uintptr_t)a % 64 + (uintptr_t)b % 32; }

//@ case alignment_of_constants aligned=True
static const uint32_t a[4] ALIGNED(32) = {1, 2, 3, 4};
MODEL { EACH out[i] = a[in[i] & 3] + (uintptr_t)a % 32; }

//@ case alignment_of_constants_and_variables
static const uint32_t a[4] ALIGNED(32) = {1, 2, 3, 4};
static uint32_t v[4] ALIGNED(32) = {1, 2, 3, 4};
MODEL { EACH out[i] = a[in[i] & 3] + (uintptr_t)v % 32 + v[in[i] & 3]++; }

//@ case alignment_of_functions aligned=True
static __attribute__((noinline, aligned(64))) uint32_t f(uint32_t x) { return x * 3; }
static uint32_t (*volatile p)(uint32_t) = f;
MODEL { EACH out[i] = p(in[i]) + ((uintptr_t)p & 63); }

// In one piece, no address suits both code and data in COPY mode: a warning says so.
//@ case alignment_of_pages slots=2, aligned=True, whole="-"
static uint32_t a[8] ALIGNED(4096) = {1}, b[100] ALIGNED(4096);
static const uint32_t c[100] ALIGNED(4096) = {2};
MODEL { EACH { a[in[i] & 7]++; b[in[i] % 100]++; out[i] = a[in[i] & 7] + b[in[i] % 100] + c[in[i] % 100] + (uintptr_t)a % 4096 + (uintptr_t)b % 4096 + (uintptr_t)c % 4096; } }

//@ case alignment_of_doubles aligned=True
static double a[3] = {1.5, 2.5, 3.5};
static const double b[3] = {1, 2, 3};
static uint64_t c;
MODEL { EACH { c += in[i]; a[in[i] % 3] += b[in[i] % 3]; out[i] = (uint32_t)a[in[i] % 3] + (uint32_t)c; } }

//@ case sources_many
uint32_t f1(uint32_t), f2(uint32_t), f3(uint32_t);
uint32_t shared = 3;
MODEL { EACH out[i] = f1(in[i]) + f2(in[i]) * 3 + f3(in[i]) * 5 + shared; }
//@ file a/f.c
#include <stdint.h>
extern uint32_t shared;
static const uint32_t w[100] = {1, 2};
uint32_t f1(uint32_t x) { return w[x % 100] + shared++; }
//@ file b/f.c
#include <stdint.h>
extern uint32_t shared;
static const uint32_t w[100] = {3, 4};
uint32_t f2(uint32_t x) { return w[x % 100] + shared++; }
//@ file c/f.c
#include <stdint.h>
extern uint32_t shared;
static uint32_t a[100];
uint32_t f3(uint32_t x) { return a[x % 100]++ + shared; }

//@ case sources_unused_one_needs_nothing linked="-Wl,--unresolved-symbols=ignore-all"
MODEL { EACH out[i] = in[i] * 3; }
//@ file unused.c
extern int nowhere(void);
int unused(void) { return nowhere(); }
