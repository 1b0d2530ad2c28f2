/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers: 64 bits, doubles, the compiler's helpers, and values that are easily lost. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)
static inline uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static inline float number(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }

//@ case divide_32
MODEL { EACH out[i] = in[i] / (in[7 - i] | 1) + (uint32_t)((int32_t)in[i] / ((int32_t)(in[7 - i] & 1023) + 1)) + in[i] % (in[0] | 3); }

//@ case divide_64
MODEL { EACH { uint64_t a = (uint64_t)in[i] * in[7 - i] + 5; int64_t b = (int64_t)a - (1ll << 40); out[i] = (uint32_t)(a / (in[i] | 1)) + (uint32_t)(b / ((int64_t)(in[i] & 255) + 1)) + (uint32_t)(a % 1000003) + (uint32_t)(b % 77); } }

//@ case shift_64
MODEL { EACH { uint64_t a = (uint64_t)in[i] << 32 | in[7 - i]; int64_t b = (int64_t)a; out[i] = (uint32_t)(a << (in[i] & 63)) ^ (uint32_t)(a >> (in[0] & 63)) ^ (uint32_t)(b >> (in[1] & 63)); } }

//@ case multiply_64
static uint64_t state = 88172645463325252ull;
MODEL { EACH { state ^= state << 13; state ^= state >> 7; state ^= state << 17; out[i] = (uint32_t)((state * in[i]) >> 16); } }

//@ case doubles io="f64:4 > f64:4"
static const double w[4] = {0.1, -2.5e-300, 3e300, 4};
static double state = 1.0 / 3;
void model(const double in[4], double out[4]) { for (int i = 0; i < 4; i++) { state = state * 0.5 + w[i]; out[i] = in[i] * w[i] + state / (1 + in[i] * in[i]); } }

//@ case doubles_converted
static const double w[3] = {1e10, -0.5, 123456.75};
MODEL { EACH { double d = w[in[i] % 3] * (double)in[i] + (double)(int32_t)in[7 - i]; out[i] = (uint32_t)(int64_t)(d / 1e12) + (uint32_t)(d > 1e15) + bits((float)d); } }

//@ case doubles_compared
static double a[3] = {0.5, -0.0, 1e308};
MODEL { EACH { double x = (double)in[i] / 3; out[i] = (x < a[0]) + 2 * (x >= a[2]) + 4 * (a[1] == 0) + 8 * (x != x) + 16 * (a[in[i] % 3] > a[in[i] % 2]); } }

//@ case floats io="f32:8 > f32:8"
static const float w[8] = {1.5f, -2.25f, 1e-40f, 3e38f, -0.0f, 0.1f, 7, 1e-30f};
static float state[8];
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) { state[i] = state[i] * 0.75f + in[i] * 1e-3f; out[i] = in[i] * w[i] - state[7 - i]; } }

//@ case floats_by_helpers cflags="-fno-builtin"
MODEL { EACH { float f = (float)(int32_t)in[i] * 0.5f; uint64_t u = (uint64_t)(double)(f < 0 ? -f : f); out[i] = (uint32_t)u + (uint32_t)(int32_t)(f / 3) + bits((float)u); } }

//@ case denormals
static const uint32_t tiny[4] = {1, 0x007FFFFF, 0x80000001, 0x00400000};
static const float w[2] = {1e-42f, 0x1p-149f};
MODEL { EACH out[i] = bits(number(tiny[in[i] & 3]) * (float)(in[i] & 15) + w[in[i] & 1]) ; }

//@ case nan_payloads
static const float nans[3] = {__builtin_nanf("0x12345"), __builtin_nansf("0x54321"), -__builtin_nanf("1")};
static const double wide[2] = {__builtin_nan("0xABCDEF"), __builtin_inf()};
static float kept = __builtin_nanf("0x777");
MODEL { EACH { uint32_t u; uint64_t d; memcpy(&u, &nans[in[i] % 3], 4); memcpy(&d, &wide[in[i] & 1], 8); out[i] = u ^ (uint32_t)d ^ (uint32_t)(d >> 32); memcpy(&u, &kept, 4); out[i] += u; } }

//@ case infinities io="f32:4 > f32:4"
static const float w[4] = {INFINITY, -INFINITY, 3.4028235e38f, -0.0f};
void model(const float in[4], float out[4]) { for (int i = 0; i < 4; i++) out[i] = (in[i] > 0 ? w[i] : 1 / w[i]) + (in[i] < -1 ? 3.0e38f * 4 : 0); }

//@ case rounding_builtin io="f32:8 > f32:8"
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) out[i] = floorf(in[i]) + 2 * ceilf(in[i]) + 3 * truncf(in[i]) + 5 * roundf(in[i] * 0.5f) + fmaxf(in[i], 0.25f) + fminf(in[i], -0.25f) + fabsf(in[i]); }

//@ case mathematics io="f32:8 > f32:8", own_math=("expf", "tanhf", "logf", "sqrtf", "powf", "expm1f", "log1pf")
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) { float x = fabsf(in[i]) < 10 ? in[i] : 1; out[i] = expf(x) + tanhf(x) + logf(fabsf(x) + 1) + sqrtf(fabsf(x)) + powf(fabsf(x) + 0.5f, 1.5f); } }

//@ case mathematics_by_pointer io="f32:8 > f32:8", own_math=("expf", "tanhf", "sinf", "cosf", "expm1f")
static float (*const table[])(float) = {expf, tanhf, sinf, cosf};
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) { float x = fabsf(in[i]) < 10 ? in[i] : 1; out[i] = table[i & 3](x); } }

//@ case mathematics_libc io="f32:8 > f32:8", args="--math libc", expect="RP2500", copy="run"
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) { float x = fabsf(in[i]) < 10 ? in[i] : 1; out[i] = expf(x) + tanhf(x); } }

//@ case saturation
static NOINLINE int32_t sat(int64_t x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x; }
MODEL { EACH out[i] = (uint32_t)sat((int64_t)(int32_t)in[i] * (int32_t)in[7 - i] >> 15) + (uint32_t)sat((int64_t)(int32_t)in[i] << 3); }

//@ case bit_counts
MODEL { EACH out[i] = (uint32_t)__builtin_clz(in[i] | 1) + 32u * (uint32_t)__builtin_popcount(in[i]) + 1024u * (uint32_t)__builtin_ctz(in[i] | 0x80000000) + __builtin_bswap32(in[i]) + (uint32_t)__builtin_popcountll((uint64_t)in[i] * in[i]) + (uint32_t)__builtin_parity(in[i]); }

//@ case overflow_builtins
MODEL { EACH { uint32_t r; int32_t s; uint64_t q; out[i] = (uint32_t)__builtin_add_overflow(in[i], in[7 - i], &r) + 2u * (uint32_t)__builtin_mul_overflow((int32_t)in[i], 7, &s) + 4u * (uint32_t)__builtin_mul_overflow((uint64_t)in[i] << 20, (uint64_t)in[0], &q); out[i] ^= r ^ (uint32_t)s ^ (uint32_t)q; } }

//@ case narrow_arithmetic
static int8_t a[8] = {127, -128, 1, -1, 64, -64, 3, 0};
static uint16_t b[8] = {65535, 1, 2};
MODEL { EACH { a[i] = (int8_t)(a[i] + (int8_t)in[i]); b[i] = (uint16_t)(b[i] * in[i]); out[i] = (uint32_t)(a[i] >> 1) + b[i] + (uint32_t)(a[i] * a[7 - i]); } }

//@ case wide_constants
MODEL { EACH out[i] = (in[i] ^ 0x12345678) + (in[i] & 1 ? 0xDEADBEEF : 0x80000001) + (uint32_t)((in[i] * 0x123456789ABCDEFull) >> 17); }

//@ case literal_pool_far
#define STEP(n) x = (x ^ (0x10203040u + n * 0x01010101u)) * (0x9E3779B1u + n * 2u) + number_of[(x >> n) & 3];
static uint32_t number_of[4] = {1, 2, 3, 4};
MODEL { EACH { uint32_t x = in[i]; STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15) STEP(16) STEP(17) STEP(18) STEP(19) out[i] = x; number_of[i & 3]++; } }

//@ case single_precision_only cores="M4 M33", llvm="run", io="f32:4 > f64:4"
static double total;
void model(const float in[4], double out[4]) { for (int i = 0; i < 4; i++) { total += (double)in[i] * 0.125; out[i] = total / 3.0; } }

//@ case contraction io="f32:8 > f32:8"
void model(const float in[8], float out[8]) { for (int i = 0; i < 8; i++) out[i] = in[i] * in[7 - i] + in[i] * 0.3f - in[(i + 3) & 7]; }
