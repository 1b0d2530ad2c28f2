/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols: aliases, weak ones, common ones, visibility, names that meet in several files. */
#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
#define WEAK     __attribute__((weak))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)

//@ case alias_of_function
static uint32_t NOINLINE f(uint32_t x) { return x * 3; }
uint32_t g(uint32_t x) __attribute__((alias("f")));
static uint32_t (*const both[])(uint32_t) = {f, g};
MODEL { EACH out[i] = both[in[i] & 1](in[i]) + (f == g); }

//@ case alias_of_variable
static uint32_t v[4] = {1, 2, 3, 4};
extern uint32_t w[4] __attribute__((alias("v")));
MODEL { EACH { v[in[i] & 3] += in[i]; out[i] = w[in[i] & 3]; } }

//@ case alias_of_weights
static const uint32_t v[100] = {1, 2, 3, 4};
extern const uint32_t w[100] __attribute__((alias("v")));
MODEL { EACH out[i] = w[in[i] & 3] + v[in[i] % 100]; }

//@ case alias_of_activations
static uint32_t v[100];
extern uint32_t w[100] __attribute__((alias("v")));
MODEL { EACH { v[in[i] % 100] += in[i]; out[i] = w[in[i] % 100]; } }

//@ case alias_weak_overridden
uint32_t strong(uint32_t x) { return x + 1; }
uint32_t hook(uint32_t x) __attribute__((weak, alias("strong")));
MODEL { EACH out[i] = hook(in[i]); }
//@ file other.c
#include <stdint.h>
uint32_t hook(uint32_t x) { return x * 7; }

//@ case symbol_in_the_middle
__asm__(".data\n.align 2\n.global mid_a\n.hidden mid_a\nmid_a: .word 1\n.global mid_b\n.hidden mid_b\nmid_b: .word 2, 3\n.text\n");
extern uint32_t mid_a[], mid_b[] ;
#pragma GCC visibility push(hidden)
extern uint32_t mid_c[];
#pragma GCC visibility pop
MODEL { EACH out[i] = mid_a[in[i] % 3] + (uint32_t)(mid_b - mid_a); }

//@ case weak_defined
WEAK uint32_t f(uint32_t x) { return x * 3; }
WEAK uint32_t v = 5;
MODEL { EACH out[i] = f(in[i]) + v; }

//@ case weak_overridden
WEAK uint32_t f(uint32_t x) { return x * 3; }
WEAK uint32_t v = 5;
WEAK uint32_t table[3] = {1, 2, 3};
MODEL { EACH out[i] = f(in[i]) + v + table[in[i] % 3]; }
//@ file other.c
#include <stdint.h>
uint32_t f(uint32_t x) { return x * 11; }
uint32_t v = 6;
uint32_t table[3] = {7, 8, 9};

//@ case weak_constant_overridden llvm="RP2500"
WEAK const uint32_t w[100] = {1, 2, 3};
MODEL { EACH out[i] = w[in[i] % 100]; }
//@ file other.c
#include <stdint.h>
const uint32_t w[100] = {7, 8, 9};

//@ case weak_undefined_function llvm="RP2500"
extern uint32_t hook(uint32_t) WEAK;
MODEL { EACH out[i] = hook ? hook(in[i]) : in[i] + 1; }

//@ case weak_undefined_function_in_table
extern uint32_t hook(uint32_t) WEAK;
static uint32_t (*const table[])(uint32_t) = {hook, NULL};
MODEL { EACH out[i] = table[in[i] & 1] ? table[in[i] & 1](in[i]) : in[i] + 1; }

//@ case weak_undefined_variable llvm="RP2500"
extern uint32_t setting WEAK;
MODEL { EACH out[i] = &setting ? setting : in[i] + 1; }

//@ case weak_undefined_variable_offset
extern uint32_t setting[4] WEAK;
static uint32_t *volatile p = setting + 2;
MODEL { EACH out[i] = in[i] + (uint32_t)(uintptr_t)p; }

//@ case weak_undefined_called
extern uint32_t hook(uint32_t) WEAK;
MODEL { EACH { out[i] = in[i]; if (in[i] == 0x12345677) out[i] = hook(in[i]); } }

//@ case weak_defined_in_archive llvm="RP2500"
extern uint32_t hook(uint32_t) WEAK;
uint32_t other(uint32_t);
MODEL { EACH out[i] = (hook ? hook(in[i]) : in[i] + 1) + other(in[i]); }
//@ file a.c to="archive"
#include <stdint.h>
uint32_t hook(uint32_t x) { return x * 7; }
//@ file b.c to="archive"
#include <stdint.h>
uint32_t other(uint32_t x) { return x * 9; }

//@ case weak_reference_alias llvm="RP2500"
static uint32_t local(uint32_t) __attribute__((weakref("hook")));
MODEL { EACH out[i] = local ? local(in[i]) : in[i] + 1; }

//@ case undefined_function expect="RP2600", says="nowhere"
uint32_t nowhere(uint32_t);
MODEL { EACH out[i] = nowhere(in[i]); }

//@ case common_symbols cflags="-fcommon"
uint32_t a[4];
uint32_t b;
MODEL { EACH { out[i] = a[in[i] & 3] += in[i]; b += out[i]; } out[7] = b; }
//@ file other.c
#include <stdint.h>
uint32_t a[4];
uint32_t b;

//@ case common_and_defined cflags="-fcommon"
uint32_t a[4];
uint32_t b;
MODEL { EACH { out[i] = a[in[i] & 3] += in[i]; b += out[i]; } out[7] = b; }
//@ file other.c
#include <stdint.h>
uint32_t a[4] = {5, 6, 7, 8};
uint32_t b;

//@ case common_of_unlike_sizes cflags="-fcommon"
uint32_t a[4];
MODEL { EACH { out[i] = a[in[i] & 3] += in[i]; } out[7] = a[0]; }
//@ file other.c
#include <stdint.h>
uint32_t a[150];

//@ case common_in_archive
extern uint32_t a[100];
uint32_t other(uint32_t);
MODEL { EACH out[i] = other(in[i]) + a[in[i] % 100]; }
//@ file lib.c to="archive", flags="-fcommon"
#include <stdint.h>
uint32_t a[100], b;
uint32_t other(uint32_t x) { a[x % 100] += x; return b += x; }

//@ case common_large cflags="-fcommon"
uint32_t a[2000];
MODEL { EACH out[i] = a[in[i] % 2000] += in[i]; }

//@ case common_aligned cflags="-fcommon"
uint32_t a[40] __attribute__((aligned(64)));
MODEL { EACH out[i] = (a[in[i] % 40] += in[i]) + (uintptr_t)a % 64; }

//@ case local_names_in_two_files
static const uint32_t table[4] = {1, 2, 3, 4};
static uint32_t state = 5;
static NOINLINE uint32_t step(uint32_t x) { return table[x & 3] + state++; }
uint32_t other(uint32_t);
MODEL { EACH out[i] = step(in[i]) * 1000 + other(in[i]); }
//@ file other.c
#include <stdint.h>
static const uint32_t table[4] = {10, 20, 30, 40};
static uint32_t state = 50;
static __attribute__((noinline)) uint32_t step(uint32_t x) { return table[x & 3] + state++; }
uint32_t other(uint32_t x) { return step(x); }

//@ case local_weights_in_two_files
static const uint32_t table[100] = {1, 2, 3, 4};
static uint32_t state[100];
uint32_t other(uint32_t);
MODEL { EACH { out[i] = table[in[i] & 3] + other(in[i]) + state[in[i] % 100]; state[in[i] % 100]++; } }
//@ file other.c
#include <stdint.h>
static const uint32_t table[100] = {10, 20, 30, 40};
static uint32_t state[100];
uint32_t other(uint32_t x) { state[x % 100] += 5; return table[x & 3] + state[x % 100]; }

//@ case local_names_in_one_function
MODEL {
    EACH {
        if (in[i] & 1) { static uint32_t n = 1; out[i] = n += in[i]; }
        else { static uint32_t n = 100; out[i] = n += in[i]; }
        { static const uint8_t n[3] = {1, 2, 3}; out[i] += n[in[i] % 3]; }
    }
}

//@ case globals_across_files
extern uint32_t counter, *const to_counter;
extern const uint32_t table[];
uint32_t bump(uint32_t);
MODEL { EACH { out[i] = bump(in[i]) + counter + *to_counter + table[in[i] & 1]; } }
//@ file a.c
#include <stdint.h>
uint32_t counter = 7;
uint32_t *const to_counter = &counter;
//@ file b.c
#include <stdint.h>
extern uint32_t counter;
const uint32_t table[2] = {100, 200};
uint32_t bump(uint32_t x) { return counter += x; }

//@ case visibility_of_all_kinds
__attribute__((visibility("default"))) uint32_t a = 1;
__attribute__((visibility("hidden"))) uint32_t b = 2;
__attribute__((visibility("protected"))) uint32_t c = 3;
__attribute__((visibility("internal"))) uint32_t d = 4;
__attribute__((visibility("default"))) NOINLINE uint32_t f(uint32_t x) { return x + a; }
__attribute__((visibility("protected"))) NOINLINE uint32_t g(uint32_t x) { return x + b; }
MODEL { EACH { out[i] = f(in[i]) ^ g(in[i]) ^ c ^ d; a += in[i]; d++; } }

//@ case symbol_names_of_assembly
uint32_t v __asm__("a.name.with$signs") = 4;
uint32_t NOINLINE f(uint32_t x) __asm__("f.part.0");
uint32_t f(uint32_t x) { return x + v++; }
MODEL { EACH out[i] = f(in[i]); }

//@ case symbol_of_the_glue expect="RP2407"
uint32_t rp_instance[4] = {1, 2, 3, 4};
MODEL { EACH out[i] = rp_instance[in[i] & 3] + in[i]; }

//@ case symbol_of_the_glue_weak expect="RP2407"
WEAK uint32_t rp_instance[4] = {1, 2, 3, 4};
MODEL { EACH out[i] = rp_instance[in[i] & 3] + in[i]; }

//@ case symbol_of_the_glue_function
uint32_t rp_run(uint32_t x) { return x + 1; }
MODEL { EACH out[i] = rp_run(in[i]); }

//@ case symbol_of_the_script expect="RP2407"
uint32_t _rp_got_start[4] = {1, 2, 3, 4};
MODEL { EACH out[i] = _rp_got_start[in[i] & 3] + in[i]; }

//@ case symbol_of_the_script_read expect="RP2407"
extern uint32_t _rp_got_start[];
MODEL { EACH out[i] = in[i] + (_rp_got_start[0] == 3); }

//@ case symbol_of_the_script_in_library expect="RP2407"
uint32_t other(uint32_t);
MODEL { EACH out[i] = other(in[i]); }
//@ file lib.c to="archive"
#include <stdint.h>
__attribute__((weak)) uint32_t _rp_data_end = 5;
uint32_t other(uint32_t x) { return x + _rp_data_end; }

//@ case symbol_got
extern uint32_t _GLOBAL_OFFSET_TABLE_[];
MODEL { EACH out[i] = in[i] + (_GLOBAL_OFFSET_TABLE_ == 0); }

//@ case symbol_end_of_bss expect="RP2600"
extern uint32_t __bss_start__[], __bss_end__[], _end[];
static uint32_t x[4];
MODEL { EACH out[i] = (__bss_start__ <= x && x < __bss_end__) + (x[in[i] & 3] += in[i]); }

//@ case memcpy_of_the_model
static uint32_t count;
void *memcpy(void *to, const void *from, size_t n) {
    char *a = to;
    const char *b = from;
    count++;
    for (size_t i = 0; i < n; i++) {
        __asm__ volatile("");
        a[i] = b[i];
    }
    return to;
}
static NOINLINE void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
MODEL { EACH out[i] = 0; copy(out, in, 4 * (1 + in[0] % 8)); out[7] += count > 0; }

//@ case function_defined_twice expect="RP2401"
uint32_t f(uint32_t x) { return x + 1; }
MODEL { EACH out[i] = f(in[i]); }
//@ file other.c
#include <stdint.h>
uint32_t f(uint32_t x) { return x + 2; }

//@ case version_of_symbols
__asm__(".symver f_old, f@OLD\n");
NOINLINE uint32_t f_old(uint32_t x) { return x * 5; }
MODEL { EACH out[i] = f_old(in[i]); }

//@ case names_of_a_program
uint32_t _start[2] = {1, 2}, _estack[2] = {3, 4}, _sdata = 5, _ebss = 6, __StackTop[3] = {7, 8, 9}, SystemInit = 10;
NOINLINE uint32_t Reset_Handler(uint32_t x) { return x + 1; }
NOINLINE uint32_t main_(uint32_t x) __asm__("main");
uint32_t main_(uint32_t x) { return x * 3; }
MODEL { EACH out[i] = main_(in[i]) + Reset_Handler(in[i]) + _start[in[i] & 1]++ + _estack[in[i] & 1] + _sdata++ + _ebss + __StackTop[in[i] % 3] + SystemInit; }

//@ case names_of_the_library
static uint8_t heap[64];
static uint32_t used;
void *malloc(size_t n) { void *p = heap + used % 64; used += (uint32_t)n; return p; }
void abort(void) { used = 99; for (;;) {} }
uint32_t errno = 3, environ = 4;
NOINLINE uint32_t rand_(uint32_t x) __asm__("rand");
uint32_t rand_(uint32_t x) { return x * 7 + errno++; }
MODEL { EACH { uint8_t *p = malloc(1); *p += 1; out[i] = rand_(in[i]) + *p + environ; if (in[i] == 0x1234567) abort(); } }

//@ case names_of_the_compilers_helpers
unsigned long long __aeabi_uldivmod_(unsigned long long a, unsigned long long b) __asm__("__aeabi_lmul_of_mine");
NOINLINE unsigned long long __aeabi_uldivmod_(unsigned long long a, unsigned long long b) { return a * b; }
void *__aeabi_memcpy(void *to, const void *from, size_t n);
void *__aeabi_memcpy(void *to, const void *from, size_t n) { char *a = to; const char *b = from; while (n--) { *a++ = *b++; __asm__ volatile(""); } return to; }
MODEL { EACH { uint64_t x = __aeabi_uldivmod_(in[i], 5) / (in[7 - i] | 1); __aeabi_memcpy(out + i, &x, 4); } }

//@ case names_of_linker_stubs
NOINLINE uint32_t __scale_veneer(uint32_t x) { return x * 3; }
NOINLINE uint32_t __own_from_thumb(uint32_t x) { return x + 3; }
MODEL { EACH out[i] = __scale_veneer(in[i]) + __own_from_thumb(in[i]); }

//@ case names_of_mapping_symbols llvm="RP2400"
uint32_t d __asm__("$d.mine") = 3;
MODEL { EACH out[i] = in[i] + d++; }

//@ case name_of_the_offset_table expect="RP2407"
uint32_t _GLOBAL_OFFSET_TABLE_[2] = {1, 2};
MODEL { EACH out[i] = _GLOBAL_OFFSET_TABLE_[in[i] & 1] + in[i]; }

//@ case name_of_the_unwinder
static uint32_t count = 3;
void __aeabi_unwind_cpp_pr0(void);
void __aeabi_unwind_cpp_pr0(void) {}
MODEL { EACH out[i] = in[i] + count++; }

//@ case names_with_letters_of_all_kinds
uint32_t größe = 3;
static uint32_t \u00e9t\u00e9[2] = {1, 2};
MODEL { EACH out[i] = größe++ + \u00e9t\u00e9[in[i] & 1]; }

//@ case names_very_long
#define LONG(x) x##_a_name_that_is_longer_than_any_line_of_a_map_and_longer_than_what_anybody_would_write_by_hand_but_generators_do_write_such_names_for_tensors_and_layers_of_graphs
static uint32_t LONG(variable)[4] = {1, 2, 3, 4};
static NOINLINE uint32_t LONG(function)(uint32_t x) { return LONG(variable)[x & 3]++; }
static uint32_t (*const LONG(table)[])(uint32_t) = {LONG(function)};
MODEL { EACH out[i] = LONG(table)[0](in[i]); }

//@ case hidden_and_undefined expect="RP2600", says="nowhere"
#pragma GCC visibility push(hidden)
uint32_t nowhere(uint32_t);
#pragma GCC visibility pop
MODEL { EACH out[i] = nowhere(in[i]); }

//@ case variables_defined_twice expect="RP2401", says="'shared'"
uint32_t shared = 3;
MODEL { EACH out[i] = shared + in[i]; }
//@ file other.c
#include <stdint.h>
uint32_t shared = 4;
