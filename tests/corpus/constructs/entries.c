/* SPDX-License-Identifier: Apache-2.0 */
/* What entries look like: tensors of all types, many of them, numbers, results. */
#include <stdbool.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))

//@ case entry_int8 io="i8:64 > i8:10"
static const int8_t w[640] = {1, -2, 3, -4, 5, [639] = -7};
void model(const int8_t in[64], int8_t out[10]) { for (int o = 0; o < 10; o++) { int32_t s = 0; for (int i = 0; i < 64; i++) s += in[i] * w[o * 64 + i]; out[o] = (int8_t)(s >> 4); } }

//@ case entry_uint8_image io="u8:48 > u8:12"
void model(const uint8_t in[1][4][4][3], uint8_t out[1][4][3]) { for (int r = 0; r < 4; r++) for (int c = 0; c < 3; c++) { uint32_t s = 0; for (int k = 0; k < 4; k++) s += in[0][r][k][c]; out[0][r][c] = (uint8_t)(s / 4); } }

//@ case entry_int16 io="i16:16 > i16:16"
static int16_t delay[16];
void model(const int16_t in[16], int16_t out[16]) { for (int i = 0; i < 16; i++) { out[i] = (int16_t)((in[i] + delay[i]) >> 1); delay[i] = in[i]; } }

//@ case entry_int32_and_int64 io="i32:4, i64:2 > i64:4"
void model(const int32_t a[4], const int64_t b[2], int64_t out[4]) { for (int i = 0; i < 4; i++) out[i] = (int64_t)((uint64_t)a[i] * 3u + (uint64_t)b[i & 1]); }

//@ case entry_bools io="b8:8 > b8:8"
void model(const bool in[8], bool out[8]) { for (int i = 0; i < 8; i++) out[i] = in[i] ^ in[7 - i]; }

//@ case entry_float_scalar_result entry="model(in:float[4]) -> out y:float[1]", io="f32:4 > f32:1", decl="float model(const float *);", call="*out0 = model(in0)"
static const float w[4] = {0.5f, -1, 2, 0.25f};
float model(const float *x) { float s = 0; for (int i = 0; i < 4; i++) s += x[i] * w[i]; return s; }

//@ case entry_int_result entry="model(in:float[4], 4) -> out class:int32[1]", io="f32:4 > i32:1", decl="int32_t model(const float *, int32_t);", call="*out0 = model(in0, 4)"
int32_t model(const float *x, int32_t n) { int32_t best = 0; for (int32_t i = 1; i < n; i++) if (x[i] > x[best]) best = i; return best; }

//@ case entry_int8_result entry="model(in:int16[4]) -> out class:int8[1]", io="i16:4 > i8:1", decl="int8_t model(const int16_t *);", call="*out0 = model(in0)"
int8_t model(const int16_t *x) { return (int8_t)(x[0] + x[1] * 3 - x[3]); }

//@ case entry_int64_result entry="model(in:int32[4]) -> out y:int64[1]", io="i32:4 > i64:1", decl="int64_t model(const int32_t *);", call="*out0 = model(in0)"
int64_t model(const int32_t *x) { return (int64_t)x[0] * x[1] + x[2]; }

//@ case entry_double_result entry="model(in:double[4]) -> out y:double[1]", io="f64:4 > f64:1", decl="double model(const double *);", call="*out0 = model(in0)"
double model(const double *x) { return x[0] * 0.5 + x[1] - x[3]; }

//@ case entry_status entry="model(in:float[4], 4, out:float[3], 3) -> 0", io="f32:4 > f32:3", decl="int model(const float *, int, float *, int);", call="model(in0, 4, out0, 3)"
int model(const float *in, int n, float *out, int m) { for (int i = 0; i < m; i++) out[i] = in[i % n] * 2; return 0; }

//@ case entry_numbers_of_all_kinds entry="model(in:int32[2], 4u, 5ll, 0.5f, out:float[2], -1)", io="i32:2 > f32:2",
//@   decl="void model(const int32_t *, unsigned, long long, float, float *, int);", call="model(in0, 4u, 5ll, 0.5f, out0, -1)"
void model(const int32_t *in, unsigned a, long long b, float c, float *out, int d) { out[0] = (float)in[0] * c + (float)a; out[1] = (float)in[1] + (float)b * (float)d; }

//@ case entry_four_inputs_four_outputs io="f32:4, i8:3, u16:5, i32:1 > f32:4, i8:3, u16:5, i32:1"
void model(const float a[4], const int8_t b[3], const uint16_t c[5], const int32_t d[1], float e[4], int8_t f[3], uint16_t g[5], int32_t h[1]) {
    for (int i = 0; i < 4; i++) e[i] = a[i] * 2 + b[i % 3];
    for (int i = 0; i < 3; i++) f[i] = (int8_t)(b[i] + 1);
    for (int i = 0; i < 5; i++) g[i] = (uint16_t)(c[i] * 3);
    h[0] = d[0] ^ 5;
}

//@ case entry_outputs_first entry="model(out:float[3], in:float[3])", io="f32:3 > f32:3", decl="void model(float *, const float *);", call="model(out0, in0)"
void model(float *y, const float *x) { for (int i = 0; i < 3; i++) y[i] = x[2 - i] * 1.5f; }

//@ case entry_void_pointers entry="model(in:int8[8], out:int8[4])", io="i8:8 > i8:4", decl="void model(const void *, void *);"
void model(const void *in, void *out) { for (int i = 0; i < 4; i++) ((int8_t *)out)[i] = (int8_t)(((const int8_t *)in)[i] - ((const int8_t *)in)[7 - i]); }

//@ case entry_in_another_name entry="run_it_2", io="f32:2 > f32:2", decl="void run_it_2(const float *, float *);", call="run_it_2(in0, out0)"
void run_it_2(const float in[2], float out[2]) { out[0] = in[1]; out[1] = in[0] + 1; }

//@ case entry_found_alone entry="", io="f32:2 > f32:2", decl="void predict(const float *, float *);", call="predict(in0, out0)"
static void helper(float *x) { *x += 1; }
void predict(const float in[2], float out[2]) { out[0] = in[1]; out[1] = in[0]; helper(out); }

//@ case entry_in_another_source entry="other_entry(in:float[2], out:float[2])", io="f32:2 > f32:2", decl="void other_entry(const float *, float *);", call="other_entry(in0, out0)"
float scale = 3;
//@ file other.c
extern float scale;
void other_entry(const float in[2], float out[2]) { out[0] = in[1] * scale; out[1] = in[0]; }

//@ case entry_typedefs io="f32:2 > f32:2"
typedef float real;
typedef const real input_t[2];
#define OUTPUT real out[2]
void model(input_t in, OUTPUT) { out[0] = in[1] * 4; out[1] = in[0]; }

//@ case entry_static_inline_helpers io="f32:2 > f32:2"
static inline __attribute__((always_inline)) float twice(float x) { return x + x; }
void model(const float in[static 2], float out[restrict 2]) { out[0] = twice(in[1]); out[1] = twice(in[0]); }

//@ case entry_wrong_type expect="RP2908", entry="model(in:float[4], out:float[4])", io="f32:4 > f32:4", decl="void model(const int8_t *, int8_t *);", call="model((const int8_t *)in0, (int8_t *)out0)"
void model(const int8_t in[16], int8_t out[16]) { for (int i = 0; i < 16; i++) out[i] = (int8_t)(in[i] + 1); }

//@ case entry_wrong_size expect="RP2908", entry="model(in:float[4], out:float[8])", io="f32:4 > f32:8"
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) out[i] = in[i] + 1; }

//@ case entry_missing expect="RP2902", entry="nothing(in:float[4], out:float[8])"
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) out[i] = in[i] + 1; }

//@ case entry_struct_pointers expect="RP2908", entry="model(in:float[4], out:float[4])", io="f32:4 > f32:4", decl="struct t; void model(const struct t *, struct t *);", call="model((const struct t *)in0, (struct t *)out0)"
struct t { float v[4]; };
void model(const struct t *in, struct t *out) { for (int i = 0; i < 4; i++) out->v[i] = in->v[3 - i]; }

//@ case entry_two_candidates expect="RP2902", entry=""
void first(const float in[8], float out[8]) { out[0] = in[0]; }
void second(const float in[8], float out[8]) { out[0] = in[1]; }
