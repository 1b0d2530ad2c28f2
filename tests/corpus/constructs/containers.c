/* SPDX-License-Identifier: Apache-2.0 */
/* Archives and objects as such: how they are made, joined, named, and what else they may be. */
#include <stddef.h>
#include <stdint.h>
#define MODEL void model(const uint32_t in[8], uint32_t out[8])
#define EACH  for (int i = 0; i < 8; i++)
uint32_t kernel(uint32_t), second(uint32_t), third(uint32_t);

//@ case archive_thin expect="RP2906", says="thin"
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file a.c to="archive", ar="qcsT"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x * 3 + state++; }
//@ file b.c to="archive"
#include <stdint.h>
static const uint32_t w[100] = {1, 2, 3, [99] = 7};
uint32_t second(uint32_t x) { return w[x % 100]; }

//@ case archive_with_members_of_one_name
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]) * 3 + third(in[i]) * 5; }
//@ file a.c to="archive", member="k.o"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }
//@ file b.c to="archive", member="k.o"
#include <stdint.h>
static uint32_t state = 70;
uint32_t second(uint32_t x) { return x * state++; }
//@ file c.c to="archive", member="k.o"
#include <stdint.h>
static uint32_t state = 3;
uint32_t third(uint32_t x) { return x + state++; }

//@ case archive_with_members_of_one_name_and_contents
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]) * 3; }
//@ file a.c to="archive", member="k.o", flags="-fdata-sections"
#include <stdint.h>
static uint32_t state[4] = {1, 2, 3, 4};
static const uint32_t w[100] = {1, 2, 3, 4};
static uint32_t scratch[100];
uint32_t kernel(uint32_t x) { scratch[x % 100]++; return w[x % 100] + state[x & 3]++ + scratch[x % 100]; }
//@ file b.c to="archive", member="k.o", flags="-fdata-sections"
#include <stdint.h>
static uint32_t state[4] = {1, 2, 3, 4};
static const uint32_t w[100] = {1, 2, 3, 4};
static uint32_t scratch[100];
uint32_t second(uint32_t x) { scratch[x % 100]++; return w[x % 100] + state[x & 3]++ + scratch[x % 100]; }

//@ case archive_with_long_member_names
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file a.c to="archive", member="a_name_that_is_longer_than_sixteen_characters.c.obj"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }
//@ file b.c to="archive", member="b name (with blanks).o"
#include <stdint.h>
static uint32_t state = 70;
uint32_t second(uint32_t x) { return x * state++; }

//@ case archive_without_index expect="RP2401", says="ranlib"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", ar="qcS"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3; }

//@ case objects_joined
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file a.c to="joined"
#include <stdint.h>
static uint32_t state = 3;
static const char *const names[] = {"one", "two", "three"};
uint32_t kernel(uint32_t x) { return x * 3 + state++ + (uint32_t)names[x % 3][1]; }
//@ file b.c to="joined"
#include <stdint.h>
static const uint32_t w[100] = {1, 2, 3, [99] = 7};
static uint32_t scratch[100];
static const char *const names[] = {"two", "hundred and two"};
uint32_t kernel(uint32_t);
uint32_t second(uint32_t x) { return w[x % 100] + scratch[x % 100]++ + kernel(x) + (uint32_t)names[x & 1][0]; }

//@ case objects_joined_with_sections linked="-Wl,--unresolved-symbols=ignore-all"
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file a.c to="joined", flags="-ffunction-sections -fdata-sections"
#include <stdint.h>
static uint32_t state = 3;
extern int nowhere;
int unused(void) { return nowhere; }
uint32_t kernel(uint32_t x) { return x * 3 + state++; }
//@ file b.c to="joined", flags="-ffunction-sections -fdata-sections"
#include <stdint.h>
static uint32_t state = 9, *const p = &state;
static const float w[3] = {1, 2, 3};
uint32_t second(uint32_t x) { return (uint32_t)w[x % 3] + (*p)++; }

//@ case object_without_symbols
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", objcopy="--strip-unneeded"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
static const uint32_t w[3] = {4, 5, 6};
static __attribute__((noinline)) uint32_t f(uint32_t x) { switch (x & 7) { case 0: return 5; case 1: return w[x % 3]; case 2: return x * 7; case 3: return 9; case 5: return 11; default: return state[x % 3]++; } }
uint32_t kernel(uint32_t x) { return f(x) + f(x / 8); }

//@ case object_with_compressed_debug_information
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", flags="-g3 -gz"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
uint32_t kernel(uint32_t x) { return x + state[x % 3]++; }

//@ case object_with_old_compressed_debug_information
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-g3", objcopy="--compress-debug-sections=zlib-gnu"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
uint32_t kernel(uint32_t x) { return x + state[x % 3]++; }

//@ case object_with_renamed_sections
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", objcopy="--rename-section .data=.data.renamed --rename-section .text=.text.renamed --prefix-symbols="
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
uint32_t kernel(uint32_t x) { return x + state[x % 3]++; }

//@ case object_with_variables_made_read_only
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", objcopy="--set-section-flags .data=alloc,readonly,data,contents"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
uint32_t kernel(uint32_t x) { return x + state[x % 3]++; }

//@ case object_with_zeros_that_have_contents
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", objcopy="--set-section-flags .bss=alloc,contents"
#include <stdint.h>
static uint32_t state[3], large[100];
uint32_t kernel(uint32_t x) { return x + state[x % 3]++ + large[x % 100]++; }

//@ case object_of_big_endian expect="RP2906"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", flags="-mbig-endian"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3; }

//@ case archive_of_big_endian expect="RP2906"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-mbig-endian"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3; }

//@ case object_in_arm_state expect="RP2402"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="object", flags="-mcpu=cortex-a9 -marm -mfpu=vfpv3"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3; }

//@ case archive_in_arm_state_of_an_old_core expect="RP2402", without="M0 M23"
/* Baseline cores refuse it, too, each in its way: ld joins armv4t and Armv6-M, where the instruction is found, and not Armv8-M. */
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-march=armv4t -marm -mfloat-abi=soft"
#include <stdint.h>
uint32_t kernel(uint32_t x) { return x * 3; }

//@ case archive_for_the_smallest_core expect="RP2402", cores="M4 M7 M33 M55"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-mcpu=cortex-m0 -mfloat-abi=soft"
#include <stdint.h>
static uint32_t state[3] = {1, 2, 3};
uint32_t kernel(uint32_t x) { switch (x & 7) { case 0: return 5; case 1: return 6; case 2: return x * 7; case 3: return 9; case 5: return 11; default: return state[x % 3]++; } }

//@ case archive_with_the_default_pic_register
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", pic="-fpic -msingle-pic-base -mno-pic-data-is-text-relative"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }

//@ case archive_with_data_relative_to_text expect="RP2500"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-mpic-data-is-text-relative"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }

//@ case archive_with_large_pic
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-fPIC"
#include <stdint.h>
uint32_t shared_state[3] = {1, 2, 3};
uint32_t kernel(uint32_t x) { return x + shared_state[x % 3]++; }

//@ case archive_as_of_an_executable
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", flags="-fno-pic -fpie"
#include <stdint.h>
uint32_t shared_state[3] = {1, 2, 3};
static uint32_t own[3] = {4, 5, 6};
uint32_t kernel(uint32_t x) { return x + shared_state[x % 3]++ + own[x % 3]++; }

//@ case archive_of_fdpic expect="RP2402", says="FDPIC", without="M0 M23"
/* gcc has no FDPIC for Thumb-1. */
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", pic="-mfdpic -Wa,--fdpic"
#include <stdint.h>
static uint32_t state = 3;
static uint32_t f(uint32_t x) { return x + state++; }
uint32_t (*volatile p)(uint32_t) = f;
uint32_t kernel(uint32_t x) { return p(x); }

//@ case archive_of_clang_with_a_static_base expect="RP2402", llvm="run", without="M0 M23"
/* Without MOVW it is a word with R_ARM_SBREL32, which ld refuses (RP2401). */
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", clang=True, pic="-fropi -frwpi"
#include <stdint.h>
static uint32_t state = 3;
static const uint32_t w[4] = {5, 6, 7, 8};
uint32_t kernel(uint32_t x) { return x + state++ + w[x & 3]; }

//@ case archive_of_clang_with_read_only_code_alone expect="RP2500", copy="run", llvm="RP2500"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", clang=True, pic="-fropi"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }

//@ case archive_of_clang_that_is_pure
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", clang=True
#include <stdint.h>
uint32_t kernel(uint32_t x) { for (int i = 0; i < 5; i++) x = x * 5 + (x >> 3); return x; }

//@ case archive_of_clang_as_fpic expect="RP2500", copy="run"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.c to="archive", clang=True, pic="-fpic"
#include <stdint.h>
static uint32_t state = 3;
uint32_t kernel(uint32_t x) { return x + state++; }

//@ case archive_of_cxx_templates
MODEL { EACH out[i] = kernel(in[i]) + second(in[i]); }
//@ file ring.h to="header"
#include <stdint.h>
template <typename T> struct ring { T v[5]; uint32_t at; __attribute__((noinline)) T push(T x) { v[at++ % 5] = x; return v[at % 5]; } static uint32_t count; };
template <typename T> uint32_t ring<T>::count = 7;
inline uint32_t shared = 9;
inline const uint32_t table[80] = {1, 2, 3, 4};
struct op { virtual uint32_t run(uint32_t x) const { return x; } };
struct add : op { uint32_t run(uint32_t x) const override { return x + shared++; } };
//@ file a.cpp to="archive", flags="-fno-exceptions -fno-rtti -fno-threadsafe-statics -std=c++17"
#include "ring.h"
static ring<uint32_t> r;
extern "C" uint32_t kernel(uint32_t x) { ring<uint32_t>::count++; add a; const op *volatile p = &a; return r.push(x) + shared++ + p->run(x) + table[x % 80]; }
//@ file b.cpp to="archive", flags="-fno-exceptions -fno-rtti -fno-threadsafe-statics -std=c++17 -Os"
#include "ring.h"
static ring<uint32_t> r;
extern "C" uint32_t second(uint32_t x) { add a; const op *volatile p = &a; return r.push(x) + shared + ring<uint32_t>::count + p->run(x) * 3 + table[x % 80]; }

//@ case archive_of_cxx_with_guarded_statics expect="RP2600", says="__cxa_guard_acquire"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.cpp to="archive", flags="-fno-exceptions -fno-rtti"
#include <stdint.h>
struct S { uint32_t n; __attribute__((noinline)) S(uint32_t k) : n(k) { __asm__ volatile(""); } };
extern "C" uint32_t kernel(uint32_t x) { static S s(x); return s.n++; }

//@ case archive_of_cxx_with_unwinding_tables
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.cpp to="archive", flags="-fno-rtti -fno-threadsafe-statics -fexceptions"
#include <stdint.h>
struct op { virtual uint32_t run(uint32_t x) const { return x; } };
struct add : op { uint32_t n = 4; uint32_t run(uint32_t x) const override { return x + n; } };
extern "C" __attribute__((noinline)) uint32_t twice(uint32_t x) { add a; const op *volatile p = &a; return p->run(p->run(x)); }
extern "C" uint32_t kernel(uint32_t x) { return twice(x) * 3; }

//@ case archive_of_cxx_with_destructor expect="RP2403"
MODEL { EACH out[i] = kernel(in[i]); }
//@ file a.cpp to="archive", flags="-fno-exceptions -fno-rtti"
#include <stdint.h>
struct S { uint32_t n; S() : n(3) {} ~S() { n = 0; } };
static S s;
extern "C" uint32_t kernel(uint32_t x) { return x + s.n++; }

//@ case archive_that_only_the_library_uses
MODEL { EACH out[i] = (uint32_t)(in[i] / (in[7 - i] | 1)); }
//@ file a.c to="archive"
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n) { char *a = to; const char *b = from; while (n--) { *a++ = *b++; __asm__ volatile(""); } return to; }
int unused(void) { return 3; }
