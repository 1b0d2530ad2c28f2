/* SPDX-License-Identifier: Apache-2.0 */
/* Flow of control: jumps out of functions, recursion, call-backs, what lies on the stack. */
#include <alloca.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)

//@ case setjmp_static
static jmp_buf back;
static uint32_t state = 3;
static NOINLINE void deep(uint32_t x, int n) { if (n == 0) longjmp(back, (int)(x & 15) + 1); deep(x, n - 1); __asm__ volatile(""); }
MODEL { EACH { volatile uint32_t v = in[i]; int r = setjmp(back); if (r == 0) { v += 5; deep(in[i], 5); } out[i] = v + (uint32_t)r * 100 + state++; } }

//@ case setjmp_builtin llvm="RP2503"
static void *back[5];
static uint32_t state = 3;
static NOINLINE void deep(uint32_t x, int n) { state += x; if (n == 0) __builtin_longjmp(back, 1); deep(x, n - 1); __asm__ volatile(""); }
MODEL { for (volatile int i = 0; i < 8; i++) { if (__builtin_setjmp(back) == 0) deep(in[i], 3); else out[i] = state; } }

//@ case recursion
static uint32_t depth, deepest;
static NOINLINE uint32_t ackermann(uint32_t m, uint32_t n) { depth++; if (depth > deepest) deepest = depth; uint32_t r = m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); depth--; return r; }
MODEL { EACH out[i] = ackermann(2, in[i] & 7) + deepest; }

//@ case recursion_mutual
static NOINLINE uint32_t odd(uint32_t n);
static uint32_t calls;
static NOINLINE uint32_t even(uint32_t n) { calls++; return n == 0 ? 1 : odd(n - 1) + 0 * calls; }
static NOINLINE uint32_t odd(uint32_t n) { calls += 2; return n == 0 ? 0 : even(n - 1) + 0 * calls; }
MODEL { EACH out[i] = even(in[i] & 63) + calls; }

//@ case recursion_through_table
static NOINLINE uint32_t a(uint32_t), b(uint32_t);
static uint32_t (*const table[])(uint32_t) = {a, b};
static uint32_t a(uint32_t x) { return x < 2 ? x : table[x & 1](x / 2) + 1; }
static uint32_t b(uint32_t x) { return x < 2 ? x : table[(x >> 1) & 1](x / 3) * 2; }
MODEL { EACH out[i] = a(in[i]); }

//@ case array_of_variable_length
static NOINLINE uint32_t sum(uint32_t n, uint32_t x) { uint32_t v[n]; for (uint32_t i = 0; i < n; i++) v[i] = x + i; __asm__ volatile("" : : "r"(v) : "memory"); uint32_t s = 0; for (uint32_t i = 0; i < n; i++) s = s * 3 + v[n - 1 - i]; return s; }
MODEL { EACH out[i] = sum(in[i] % 40 + 1, in[i]); }

//@ case array_of_variable_length_as_parameter
static NOINLINE uint32_t at(int rows, int columns, uint32_t m[rows][columns], int r, int c) { return m[r % rows][c % columns]; }
static uint32_t grid[6] = {1, 2, 3, 4, 5, 6};
MODEL { EACH out[i] = at(2, 3, (uint32_t(*)[3])grid, (int)(in[i] & 1), (int)(in[i] & 7)); }

//@ case stack_by_alloca
static NOINLINE void fill(uint8_t *p, uint32_t n) { memset(p, (int)n, n); }
MODEL { EACH { uint32_t n = in[i] % 200 + 4; uint8_t *p = alloca(n); fill(p, n); out[i] = p[n - 1] + p[0] * 2u; } }

//@ case stack_large
static NOINLINE uint32_t work(uint32_t x) { volatile uint32_t v[2000]; for (int i = 0; i < 2000; i++) v[i] = x + (uint32_t)i; return v[x % 2000] ^ v[1999]; }
MODEL { EACH out[i] = work(in[i]); }

//@ case callbacks_with_context
struct context { uint32_t sum; uint32_t (*step)(struct context *, uint32_t); };
static uint32_t global = 1;
static uint32_t add(struct context *c, uint32_t x) { return c->sum += x + global++; }
static uint32_t mul(struct context *c, uint32_t x) { c->step = add; return c->sum = c->sum * x + 1; }
static NOINLINE void walk(const uint32_t *x, int n, struct context *c) { while (n-- > 0) c->step(c, *x++); }
MODEL { EACH { struct context c = {3, in[i] & 1 ? add : mul}; walk(in, 8, &c); out[i] = c.sum; } }

//@ case callbacks_registered
static uint32_t (*hooks[4])(uint32_t);
static uint32_t n;
static void add_hook(uint32_t (*f)(uint32_t)) { hooks[n++ & 3] = f; }
static uint32_t a(uint32_t x) { return x + 1; }
static uint32_t b(uint32_t x) { return x * 2 + n; }
MODEL { EACH { add_hook(in[i] & 1 ? a : b); out[i] = in[i]; for (int k = 0; k < 4; k++) if (hooks[k]) out[i] = hooks[k](out[i]); } }

//@ case nested_functions llvm="RP2400"
MODEL { uint32_t sum = 0; void add(uint32_t x) { sum += x; } EACH { add(in[i]); out[i] = sum; } }

//@ case nested_functions_by_pointer llvm="RP2400"
static NOINLINE void each(const uint32_t *x, int n, void (*f)(uint32_t)) { while (n-- > 0) f(*x++); }
MODEL { uint32_t sum = 0; void add(uint32_t x) { sum = sum * 3 + x; } EACH { each(in, i + 1, add); out[i] = sum; } }

//@ case far_jumps_in_several_functions
uint32_t counts[3], turns[3];
#define TWICE(text)    text text
#define LARGE(text)    TWICE(TWICE(TWICE(TWICE(TWICE(text)))))
#define LONG(name, a)  NOINLINE __attribute__((optimize("O0"))) uint32_t name(const uint32_t *x) { uint32_t p = x[0], q = x[1], r = x[2], s = x[3]; counts[a] += p; for (int n = 0; n < 9; n++) { if ((p & 1) != 0) { LARGE(p += q; q ^= r; r += s; s ^= p;) } else if ((q & 1) != 0) { LARGE(r += s; s ^= p; p += q;) p ^= r; } else { LARGE(s += r; p ^= s;) p += q; } turns[a]++; } counts[a]++; return p + q + r + s; }
LONG(first, 0)
LONG(second, 1)
LONG(third, 2)
MODEL { EACH out[i] = in[i] + first(in) + second(in + 2) + third(in + 4) + counts[i % 3] + turns[i % 3]; }

//@ case goto_out_of_loops
MODEL { EACH { uint32_t n = 0; for (uint32_t a = 0; a < 9; a++) for (uint32_t b = 0; b < 9; b++) { n++; if (a * b == in[i] % 64) goto found; } n += 1000; found: out[i] = n; } }

//@ case duffs_device
MODEL { EACH { uint32_t n = in[i] % 13 + 1, r = 0, t = (n + 3) / 4; switch (n & 3) { case 0: do { r = r * 3 + 1; case 3: r += 7; case 2: r ^= 0x55; case 1: r <<= 1; } while (--t > 0); } out[i] = r; } }

//@ case cleanup_attribute
static uint32_t closed;
static void close_it(uint32_t *p) { closed += *p; }
MODEL { EACH { { uint32_t v __attribute__((cleanup(close_it))) = in[i]; v ^= 3; } out[i] = closed; } }

//@ case optimise_attributes
static uint32_t state = 2;
static __attribute__((noinline, optimize("O0"))) uint32_t slow(uint32_t x) { uint32_t y = x + state; state++; return y * 2; }
static __attribute__((noinline, optimize("O3"))) uint32_t fast(const uint32_t *x) { uint32_t s = 0; for (int i = 0; i < 8; i++) s += x[i] * state; return s; }
MODEL { EACH out[i] = slow(in[i]) + fast(in); }

//@ case compiled_without_optimisation cflags="-O0"
static const uint32_t w[4] = {1, 2, 3, 4};
static uint32_t state[3] = {5, 6}, *p = state + 1;
static uint32_t f(uint32_t x) { switch (x & 7) { case 0: return w[1]; case 1: return *p; case 2: return 7; case 3: return state[2]++; default: return x; } }
MODEL { EACH { *p += in[i]; out[i] = f(in[i]); } }

//@ case compiled_for_size cflags="-Os"
static const uint32_t w[100] = {1, 2, 3, 4};
static uint32_t state[100], *p = state + 1;
static uint32_t f(uint32_t x) { switch (x & 7) { case 0: return w[1]; case 1: return *p; case 2: return 7; case 3: return state[2]++; case 4: return 99; case 5: return x * 3; default: return x; } }
MODEL { EACH { *p += in[i]; out[i] = f(in[i]) + w[in[i] % 100]; } }

//@ case compiled_for_speed cflags="-O3 -funroll-loops"
static const int16_t w[64] = {1, -2, 3, -4, [63] = 5};
static int32_t acc[8];
MODEL { EACH { for (int k = 0; k < 64; k++) acc[i] += w[k] * (int16_t)(in[i] + (uint32_t)k); out[i] = (uint32_t)acc[i]; } }

//@ case compiled_with_anchors cflags="-fsection-anchors -fno-data-sections", llvm="RP2400"
static uint32_t a = 1, b = 2, c = 3, d[4] = {4, 5, 6, 7}, z, y[3];
static const uint32_t e = 8, f[3] = {9, 10, 11};
MODEL { EACH { a += in[i]; b ^= a; c += b; d[in[i] & 3] += c; z += 1; y[in[i] % 3] += z; out[i] = a + b + c + d[0] + e + f[in[i] % 3] + y[1] + z; } }

//@ case compiled_without_sections cflags="-fno-data-sections -fno-function-sections"
static uint32_t a = 1, z[100];
static const uint32_t w[100] = {9, 10, 11};
static NOINLINE uint32_t f(uint32_t x) { return w[x % 100] + a++; }
MODEL { EACH { z[in[i] % 100] += in[i]; out[i] = f(in[i]) + z[in[i] % 100]; } }

//@ case compiled_with_long_calls cflags="-mlong-calls", llvm="run"
static uint32_t state = 4;
static NOINLINE uint32_t f(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = f(in[i]) * 3; }

//@ case compiled_with_pure_code cflags="-mpure-code", cores="M3 M4 M7 M33", expect="RP2400", llvm="run"
static uint32_t state = 4;
static const uint32_t w[4] = {0x12345678, 2, 3, 4};
MODEL { EACH out[i] = (in[i] ^ 0x98765432) + state++ + w[in[i] & 3]; }

//@ case compiled_with_stack_protector cflags="-fstack-protector-all", expect="RP2600", llvm="RP2600"
static NOINLINE uint32_t f(uint32_t x) { volatile char v[20]; v[x % 20] = (char)x; return (uint32_t)v[x % 20]; }
MODEL { EACH out[i] = f(in[i]); }

//@ case compiled_with_profiling cflags="-finstrument-functions", expect="RP2600", llvm="RP2600"
MODEL { EACH out[i] = in[i] + 1; }

//@ case compiled_for_links cflags="-flto", expect="RP2200", llvm="RP2200"
MODEL { EACH out[i] = in[i] + 1; }

//@ case compiled_as_ropi_off cflags="-fno-pic", expect="RP2500", copy="run", llvm="run"
static uint32_t state = 4;
static uint32_t *volatile p = &state;
MODEL { EACH out[i] = in[i] + (*p)++; }

//@ case compiled_for_fixed_r10 cflags="-mpic-register=r10", expect="RP2200", llvm="RP2200"
static uint32_t state = 4;
MODEL { EACH out[i] = in[i] + state++; }

//@ case compiled_with_arm_state cflags="-marm", expect="RP2400", llvm="RP2400"
MODEL { EACH out[i] = in[i] + 1; }

//@ case compiled_with_soft_floats cflags="-mfloat-abi=soft", cores="M4 M7 M33 M55", expect="RP2402", llvm="-"
static float f = 1.5f;
static NOINLINE float g(float a, float b) { return a * b + f; }
MODEL { EACH out[i] = (uint32_t)g((float)(in[i] & 255), 2.5f); }

//@ case trap_never_reached
static NOINLINE uint32_t f(uint32_t x) { if (x == 0xFEDCBA98) __builtin_trap(); return x + 1; }
MODEL { EACH out[i] = f(in[i]); }

//@ case prefetch_and_expect
static const uint32_t w[100] = {1, 2, 3};
MODEL { EACH { __builtin_prefetch(&w[in[i] % 100]); out[i] = __builtin_expect(in[i] > 5, 1) ? w[in[i] % 100] : 7; } }

//@ case atomics without="M0"
/* Armv6-M has no LDREX. gcc calls __atomic_fetch_add_4 instead, for which Debian has no libatomic. */
#include <stdatomic.h>
static _Atomic uint32_t a = 3;
static atomic_flag lock = ATOMIC_FLAG_INIT;
MODEL { EACH { while (atomic_flag_test_and_set(&lock)) {} atomic_fetch_add(&a, in[i]); out[i] = a; uint32_t want = a; atomic_compare_exchange_strong(&a, &want, want ^ 1); atomic_flag_clear(&lock); } }

//@ case return_address
static NOINLINE uint32_t f(void) { return __builtin_return_address(0) != NULL && __builtin_frame_address(0) != NULL; }
MODEL { EACH out[i] = f() + in[i]; }

//@ case compiled_with_aligned_loops cflags="-O3 -falign-loops=16 -falign-functions=32 -falign-jumps=8"
static uint32_t w[40] = {1, 2, 3};
MODEL { EACH { uint32_t s = 0; for (uint32_t k = 0; k < 40; k++) { if (w[k] & 1) s += w[k] * in[i]; else w[k] ^= s; } out[i] = s; } }

//@ case compiled_without_jump_tables cflags="-fno-jump-tables -fno-inline"
static uint32_t state = 3;
static uint32_t f(uint32_t x) { switch (x & 15) { case 0: return 1; case 1: return 5; case 2: return x * 3; case 3: return state++; case 4: return 9; case 5: return 7; default: return x; } }
MODEL { EACH out[i] = f(in[i]); }

//@ case compiled_without_unaligned_access cflags="-mno-unaligned-access -O2"
static struct __attribute__((packed)) { uint8_t a; uint32_t b; uint16_t c; } s[3] = {{1, 2, 3}, {4, 5, 6}};
MODEL { EACH { s[in[i] % 3].b += in[i]; out[i] = s[in[i] % 3].b + s[in[i] % 3].c; } }

//@ case compiled_freestanding cflags="-ffreestanding -fno-builtin"
static uint32_t a[9] = {1, 2, 3};
MODEL { EACH { uint32_t b[9]; memcpy(b, a, sizeof b); a[in[i] % 9] += in[i]; out[i] = b[in[i] % 9]; } }

//@ case compiled_with_default_visibility cflags="-fvisibility=default"
uint32_t shared[3] = {1, 2, 3};
NOINLINE uint32_t f(uint32_t x) { return shared[x % 3]++; }
MODEL { EACH out[i] = f(in[i]) + f(in[i] / 2); }

//@ case compiled_without_merging cflags="-fno-merge-constants"
static const char *const names[] = {"abc", "bc", "c", "abc"};
MODEL { EACH out[i] = (uint32_t)names[in[i] & 3][in[i] % 2 ? 0 : 1]; }

//@ case compiled_with_all_merged cflags="-fmerge-all-constants"
static const uint32_t a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4};
static const float f[4] = {1, 2, 3, 4}, g[4] = {1, 2, 3, 4};
MODEL { EACH out[i] = a[in[i] & 3] + b[in[i] & 3] + (uint32_t)f[in[i] & 3] + (uint32_t)g[in[i] & 3]; }

//@ case compiled_as_a_whole_program cflags="-fwhole-program", expect="RP2902", llvm="run"
static uint32_t state = 3;
MODEL { EACH out[i] = in[i] + state++; }

//@ case compiled_with_traps cflags="-ftrapv"
static int32_t state = 3;
MODEL { EACH { int32_t x = (int32_t)(in[i] & 255); state = state % 100 + x; out[i] = (uint32_t)(x * state); } }

//@ case compiled_with_sanitizer cflags="-fsanitize=undefined", expect="RP2600"
static int32_t state = 3;
MODEL { EACH { int32_t x = (int32_t)(in[i] & 255); state = state % 100 + x; out[i] = (uint32_t)(x * state); } }

//@ case compiled_with_traps_of_the_sanitizer cflags="-fsanitize=undefined -fsanitize-undefined-trap-on-error"
static int32_t state = 3;
MODEL { EACH { int32_t x = (int32_t)(in[i] & 255); state = state % 100 + x; out[i] = (uint32_t)(x * state); } }

//@ case compiled_for_coverage cflags="--coverage", expect="RP2200"
static uint32_t state = 3;
MODEL { EACH out[i] = in[i] + state++; }

//@ case compiled_with_entries_to_patch cflags="-fpatchable-function-entry=4,2", expect="RP2405", llvm="RP2400"
static uint32_t state = 3;
static NOINLINE uint32_t f(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = f(in[i]); }

//@ case compiled_with_unwinding_tables cflags="-fasynchronous-unwind-tables -fexceptions"
static uint32_t state = 3;
static NOINLINE uint32_t f(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = f(in[i]); }

//@ case compiled_with_old_debug_information cflags="-gdwarf-2 -g3"
static uint32_t state = 3;
MODEL { EACH out[i] = in[i] + state++; }

//@ case compiled_without_debug_information cflags="-g0"
static uint32_t state = 3;
MODEL { EACH out[i] = in[i] + state++; }

//@ case compiled_for_secure_state llvm="RP2400", cflags="-mcmse", cores="M33 M55"
static uint32_t state = 3;
MODEL { EACH out[i] = in[i] + state++; }

//@ case called_from_the_other_state cflags="-mcmse", cores="M33 M55", expect="RP2405", llvm="RP2400"
static uint32_t state = 3;
uint32_t __attribute__((cmse_nonsecure_entry)) gate(uint32_t x);
uint32_t gate(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = gate(in[i]); }

//@ case compiled_without_the_frame_pointers_omission cflags="-fno-omit-frame-pointer -mtpcs-frame", llvm="RP2400"
static uint32_t state = 3;
static NOINLINE uint32_t f(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = f(in[i]); }

//@ case cold_parts_of_functions cflags="-O2 -freorder-blocks-and-partition", llvm="RP2400"
static uint32_t state = 3;
static NOINLINE __attribute__((cold)) void rare(uint32_t x) { state ^= x; }
static NOINLINE uint32_t f(uint32_t x) { if (__builtin_expect(x > 0x80000000u, 0)) { rare(x); state++; rare(x + 1); } return x + state; }
MODEL { EACH out[i] = f(in[i]); }
