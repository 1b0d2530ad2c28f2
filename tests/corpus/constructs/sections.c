/* SPDX-License-Identifier: Apache-2.0 */
/* Sections with names: what an attribute puts somewhere has to come out right, or be refused by name. */
#include <stdint.h>
#define NOINLINE   __attribute__((noinline))
#define IN(s)      __attribute__((section(s)))
#define MODEL      void model(const uint32_t in[8], uint32_t out[8])
#define EACH       for (int i = 0; i < 8; i++)
#define USE(array) EACH { out[i] = array[in[i] & 3] += in[i]; }
#define READ(array) EACH out[i] = array[in[i] & 3] + in[i];

//@ case section_tensor_arena
static uint32_t arena[64] IN(".tensor_arena");
MODEL { USE(arena) }

//@ case section_tensor_arena_values
static float arena[4] IN(".tensor_arena") = {1, 2, 3, 4};
MODEL { EACH { arena[in[i] & 3] += 1.0f; out[i] = (uint32_t)arena[in[i] & 3]; } }

//@ case section_tensor_arena_pointers llvm="RP2500"
static uint32_t v = 7;
static uint32_t *arena[4] IN(".tensor_arena") = {&v, &v, &v, &v};
MODEL { EACH out[i] = *arena[in[i] & 3] + in[i]; }

//@ case section_bss_named
static uint32_t a[4] IN(".bss.mine"), b[100] IN(".bss.large");
MODEL { EACH { out[i] = a[in[i] & 3] += in[i]; b[in[i] % 100] += a[0]; out[i] += b[in[i] % 100]; } }

//@ case section_bss_noinit
static uint32_t a[4] IN(".bss.noinit.tvm");
MODEL { EACH a[i & 3] = in[i]; EACH out[i] = a[in[i] & 3]; }

//@ case section_bss_progbits
__asm__(".section .bss.x,\"aw\",%progbits\n.align 2\n.global bssx\n.hidden bssx\n.type bssx, %object\n.size bssx, 16\nbssx: .word 1, 2, 3, 4\n.text\n");
extern uint32_t bssx[4] __attribute__((visibility("hidden")));
MODEL { USE(bssx) }

//@ case section_data_named
static uint32_t a[4] IN(".data.mine") = {1, 2, 3, 4};
static uint32_t b[4] IN(".data.zeros") = {0};
MODEL { EACH { out[i] = (a[in[i] & 3] += in[i]) + b[in[i] & 3]++; } }

//@ case section_data_pointers llvm="RP2500"
static uint32_t v[2] = {5, 6};
static uint32_t *a[2] IN(".data.mine") = {v, v + 1};
MODEL { EACH out[i] = *a[in[i] & 1] += in[i]; }

//@ case section_data_large_zeros
static uint32_t a[200] IN(".data.zeros") = {0};
MODEL { EACH out[i] = a[in[i] % 200] += in[i]; }

//@ case section_rodata_named
static const uint32_t a[4] IN(".rodata.mine") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_rodata_large
static const uint32_t a[100] IN(".rodata.mine") = {1, 2, 3, 4, [99] = 9};
MODEL { EACH out[i] = a[in[i] % 100] + a[in[i] & 3]; }

//@ case section_rodata_tvm
static const float a[100] IN(".rodata.tvm") = {1, 2, 3, 4, [99] = 9};
MODEL { EACH out[i] = (uint32_t)a[in[i] % 100] + (uint32_t)a[in[i] & 3]; }

//@ case section_rodata_pointers
static uint32_t v[2] = {5, 6};
static uint32_t *const a[2] IN(".rodata.mine") = {v, v + 1};
MODEL { EACH out[i] = *a[in[i] & 1] += in[i]; }

//@ case section_rodata_const_pointers expect="run"
static const uint32_t v[2] = {5, 6};
static const uint32_t *const a[2] IN(".rodata.mine") = {v, v + 1};
MODEL { EACH out[i] = *a[in[i] & 1] + in[i]; }

//@ case section_rodata_variable
static uint32_t a[4] IN(".rodata.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_rodata_variable_zero
static uint32_t a[4] IN(".rodata.zero");
MODEL { USE(a) }

//@ case section_rodata_plain_variable
static uint32_t a[4] IN(".rodata") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_text_variable
static uint32_t a[4] IN(".text.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_text_constant
static const uint32_t a[4] IN(".text.mine") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_text_named
static NOINLINE IN(".text.kernels") uint32_t f(uint32_t x) { return x * 3; }
static NOINLINE IN(".text.unlikely") uint32_t g(uint32_t x) { return x + 3; }
MODEL { EACH out[i] = f(in[i]) ^ g(in[i]); }

//@ case section_text_hot_cold
static NOINLINE __attribute__((cold)) uint32_t f(uint32_t x) { return x * 3; }
static NOINLINE __attribute__((hot)) uint32_t g(uint32_t x) { return x & 64 ? f(x) : x + 3; }
MODEL { EACH out[i] = g(in[i]); }

//@ case section_code_in_data expect="run", llvm="RP2500"
static NOINLINE IN(".data.code") uint32_t f(uint32_t x) { return x * 3; }
MODEL { EACH out[i] = f(in[i]); }

//@ case section_noinit
static uint32_t a[4] IN(".noinit");
MODEL { EACH a[i & 3] = in[i]; EACH out[i] = a[in[i] & 3]; }

//@ case section_ccmram
static uint32_t a[4] IN(".ccmram") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_external_flash
static const uint32_t a[400] IN(".ExternalFlashSection") = {1, 2, 3, 4, [399] = 9};
static const uint32_t b[4] IN(".ExternalFlashSection") = {5, 6, 7, 8};
MODEL { EACH out[i] = a[in[i] % 400] + b[in[i] & 3] + in[i]; }

//@ case section_external_flash_without_a_dot
const uint32_t a[400] IN("SDRAM_ROM") __attribute__((aligned(32))) = {1, 2, 3, 4, [399] = 9};
MODEL { EACH out[i] = a[in[i] % 400] + in[i]; }

//@ case section_external_flash_pointers
static uint32_t v[2] = {5, 6};
static uint32_t *const a[2] IN(".ext") = {v, v + 1};
MODEL { EACH out[i] = *a[in[i] & 1] += in[i]; }

//@ case section_sdram_zeros
static uint32_t a[4000] IN(".sdram") __attribute__((aligned(32)));
MODEL { EACH { a[in[i] % 4000] += in[i] | 1; out[i] = a[in[i + 1 & 7] % 4000]; } }

//@ case section_dtcm_values_and_zeros
static uint32_t a[4] IN(".dtcm") = {1, 2, 3, 4};
static uint32_t b[400] IN(".dtcm");
MODEL { EACH { b[in[i] % 400] = a[in[i] & 3] += in[i]; out[i] = b[in[i + 1 & 7] % 400]; } }

//@ case section_of_zeros_here_and_values_there
static uint32_t a[400] IN(".sram2");
uint32_t more(uint32_t);
MODEL { EACH { a[in[i] % 400] += 1; out[i] = more(in[i]) + a[in[i + 1 & 7] % 400]; } }
//@ file more.c to="source"
#include <stdint.h>
static uint32_t b[4] __attribute__((section(".sram2"))) = {1, 2, 3, 4};
uint32_t more(uint32_t);
uint32_t more(uint32_t x) { return b[x & 3] += x; }

//@ case section_ramfunc expect="RP2405"
static NOINLINE IN(".ramfunc") uint32_t f(uint32_t x) { return x * 3; }
MODEL { EACH out[i] = f(in[i]); }

//@ case section_c_identifier expect="RP2405"
static const uint32_t one IN("my_table") __attribute__((used)) = 1;
static const uint32_t two IN("my_table") __attribute__((used)) = 2;
extern const uint32_t __start_my_table[], __stop_my_table[];
MODEL { EACH out[i] = __start_my_table[in[i] & 1] + (uint32_t)(__stop_my_table - __start_my_table); }

//@ case section_context expect="RP2407"
static uint32_t a[4] IN(".network_rt_ctx") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_flags
static const uint32_t a[1] IN(".network_rt_flags") = {1};
MODEL { EACH out[i] = a[0] + in[i]; }

//@ case section_entries
static const uint32_t a[4] IN(".network_rt_init") = {1};
MODEL { EACH out[i] = a[0] + in[i]; }

//@ case section_got_named expect="RP2405"
static uint32_t a[4] IN(".got.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_got expect="RP2407"
static uint32_t a[4] IN(".got") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_init_array_data expect="RP2403"
static uint32_t count;
static void count_up(void) { count++; }
static void (*const starter)(void) IN(".init_array") __attribute__((used)) = count_up;
MODEL { EACH out[i] = in[i] + count; }

//@ case section_preinit_array expect="RP2403"
static uint32_t count;
static void count_up(void) { count++; }
static void (*const starter)(void) IN(".preinit_array") __attribute__((used)) = count_up;
MODEL { EACH out[i] = in[i] + count; }

//@ case section_init_code expect="RP2403"
static uint32_t count = 3;
static void IN(".init") __attribute__((used)) setup(void) { count++; }
MODEL { EACH out[i] = in[i] + count; }

//@ case section_exidx expect="RP2405"
static const uint32_t a[4] IN(".ARM.extab.mine") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_comment expect="RP2405"
static const uint32_t a[4] IN(".comment") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_debug expect="RP2405"
static const uint32_t a[4] IN(".debug_mine") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_note expect="RP2405"
static const uint32_t a[4] IN(".note.mine") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_sdata
static uint32_t a[4] IN(".sdata") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_data_rel_ro llvm="RP2500"
static const uint32_t v[2] = {3, 4};
static const uint32_t *const a[2] IN(".data.rel.ro.mine") = {v, v + 1};
MODEL { EACH out[i] = *a[in[i] & 1] + in[i]; }

//@ case section_pointers_in_bss_name
__asm__(".section .bss.p,\"aw\",%progbits\n.align 2\n.global bssp\n.hidden bssp\nbssp: .word bssv, bssv + 4\n"
        ".data\n.align 2\nbssv: .word 3, 4\n.text\n");
extern uint32_t *bssp[2] __attribute__((visibility("hidden")));
MODEL { EACH out[i] = *bssp[in[i] & 1] += in[i]; }

//@ case section_lonely_dot_name
static uint32_t a[4] IN(".x") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_flash_name
static const uint32_t a[4] IN(".flash") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_data_dollar
static uint32_t a[4] IN(".data$mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_rodata_cst
static const uint32_t a[4] IN(".rodata.cst16.mine") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_order_kept
static const uint32_t a IN(".rodata.list.1") = 1, b IN(".rodata.list.2") = 2;
MODEL { EACH out[i] = (in[i] & 1 ? &a : &b)[0]; }

//@ case section_bss_in_library
extern float library_state[4];
MODEL { EACH { library_state[in[i] & 3] += 1; out[i] = (uint32_t)library_state[in[i] & 3]; } }
//@ file lib.s to="archive"
    .section .bss.x,"aw",%progbits
    .align 2
    .global library_state
    .type library_state, %object
    .size library_state, 16
library_state:
    .float 1, 2, 3, 4

//@ case section_arena_in_library
extern float library_state[4];
MODEL { EACH { library_state[in[i] & 3] += 1; out[i] = (uint32_t)library_state[in[i] & 3]; } }
//@ file lib.c to="object"
float library_state[4] __attribute__((section(".tensor_arena"))) = {1, 2, 3, 4};

//@ case section_common_named expect="RP2407"
static uint32_t a[4] IN("COMMON") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case section_weights_of_ours
static const uint32_t a[4] IN(".weights") = {1, 2, 3, 4};
MODEL { READ(a) }

//@ case section_retained
static const uint32_t a[4] __attribute__((used, retain)) = {1, 2, 3, 4};
static uint32_t b[4] __attribute__((used)) = {9};
MODEL { READ(a) }
