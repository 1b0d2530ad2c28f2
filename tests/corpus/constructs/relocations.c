/* SPDX-License-Identifier: Apache-2.0 */
/* Relocations of all types, instructions that reach other sections, GOT and attributes by hand. */
#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
#define IN(s)    __attribute__((section(s)))
#define HIDDEN   __attribute__((visibility("hidden")))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)
#define USE(array)  EACH { out[i] = array[in[i] & 3] += in[i]; }
#define READ(array) EACH out[i] = array[in[i] & 3] + in[i];

//@ case word_none
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_NONE, v
    .word 4
v:
    .word 7

//@ case word_abs32_noi
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_ABS32_NOI, v
    .word 4
v:
    .word 7

//@ case word_rel32
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_REL32, v
    .word 4
v:
    .word 7

//@ case word_abs8 expect="RP2401"
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_ABS8, v
    .word 4
v:
    .word 7

//@ case word_sbrel32 expect="RP2401"
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_SBREL32, v
    .word 4
v:
    .word 7

//@ case word_target1
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_TARGET1, v
    .word 4
v:
    .word 7

//@ case word_target2
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_TARGET2, v
    .word 4
v:
    .word 7

//@ case word_prel31
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_PREL31, v
    .word 4
v:
    .word 7

//@ case word_gotoff expect="RP2500"
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_GOTOFF32, v
    .word 4
v:
    .word 7

//@ case word_got_prel expect="RP2500"
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_GOT_PREL, v
    .word 4
v:
    .word 7

//@ case word_copy expect="RP2401"
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_COPY, v
    .word 4
v:
    .word 7

//@ case word_tls_le32 expect="RP2404"
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] == (uint32_t)(uintptr_t)(w + 2)); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word 0
    .reloc w, R_ARM_TLS_LE32, v
    .word 4
v:
    .word 7

//@ case word_of_a_function_without_thumb
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] & 1); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word f
    .text
f:
    movs r0, #5
    bx lr

//@ case word_of_a_function_and_more
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + (w[0] - w[1]) + ((w[2] - w[1]) << 8); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word f + 2, f - 1, f
    .text
    .balign 4
    movs r0, #4
    .type f, %function
f:
    movs r0, #5
    bx lr

//@ case word_of_an_absolute_symbol
extern uint32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + w[in[i] & 1]; }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global fixed
    fixed = 0x20001234
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word fixed, fixed + 4

//@ case got_of_an_absolute_symbol expect="RP2502", llvm="RP2500"
extern char fixed[];
MODEL { EACH out[i] = in[i] + (uint32_t)(uintptr_t)fixed; }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global fixed
    fixed = 0x20001234

//@ case got_of_an_absolute_zero llvm="RP2500"
extern char fixed[];
MODEL { EACH out[i] = in[i] + (uint32_t)(uintptr_t)fixed; }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global fixed
    fixed = 0

//@ case distance_within_the_data
extern int32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + *(uint32_t *)((char *)w + w[0]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word v - .
    .section .data.other,"aw",%progbits
    .balign 4
v:
    .word 7, 8

//@ case distance_within_the_constants
extern const int32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + *(const uint32_t *)((const char *)w + w[0]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .rodata.d,"a",%progbits
    .global w
    .hidden w
    .balign 4
w:
    .word v - .
    .section .rodata.e,"a",%progbits
    .balign 4
v:
    .word 7, 8

//@ case distance_from_data_to_constants expect="RP2500"
extern int32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + *(const uint32_t *)((char *)w + w[0]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .hidden w
    .balign 4
w:
    .word v - .
    .section .rodata.e,"a",%progbits
    .balign 4
v:
    .word 7, 8

//@ case distance_from_constants_to_data expect="RP2500"
extern const int32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + *(const uint32_t *)((char *)w + w[0]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .rodata.e,"a",%progbits
    .global w
    .hidden w
    .balign 4
w:
    .word v - .
    .data
    .balign 4
v:
    .word 7, 8

//@ case distance_from_constants_to_weights
extern const int32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + *(const uint32_t *)((const char *)w + w[0]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .rodata.e,"a",%progbits
    .global w
    .hidden w
    .balign 4
w:
    .word v - .
    .section .rodata.big,"a",%progbits
    .balign 4
v:
    .word 7, 8
    .space 1000

//@ case distance_within_the_weights
extern const int32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + *(const uint32_t *)((const char *)w + w[0]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .rodata.big,"a",%progbits
    .global w
    .hidden w
    .balign 4
w:
    .word v - .
    .space 1000
v:
    .word 7, 8

//@ case distance_between_two_weights
extern const int32_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + *(const uint32_t *)((const char *)w + w[0]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .rodata.big1,"a",%progbits
    .global w
    .hidden w
    .balign 4
w:
    .word v - .
    .space 1000
    .section .rodata.big2,"a",%progbits
    .balign 4
v:
    .word 7, 8
    .space 1000

//@ case distance_of_sixteen_bits 
extern const int16_t w[] HIDDEN;
MODEL { EACH out[i] = in[i] + ((const uint8_t *)w)[w[in[i] & 1]]; }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .rodata.d,"a",%progbits
    .global w
    .hidden w
w:
    .short v - w, u - w
v:
    .byte 7, 9
u:
    .byte 5

//@ case distance_of_eight_bits_in_branches 
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i] % 3); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    tbb [pc, r0]
1:
    .byte (2f - 1b) / 2, (3f - 1b) / 2, (4f - 1b) / 2, 0
2:
    movs r0, #2
    bx lr
3:
    movs r0, #3
    bx lr
4:
    movs r0, #4
    bx lr

//@ case distance_of_far_branches
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i] % 3); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    tbh [pc, r0, lsl #1]
1:
    .short (2f - 1b) / 2, (3f - 1b) / 2, (4f - 1b) / 2, 0
2:
    movs r0, #2
    bx lr
    .space 1000
3:
    movs r0, #3
    bx lr
    .space 3000
4:
    movs r0, #4
    bx lr

//@ case distance_table_in_another_section 
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    adr r1, 9f
    ldr r2, [r1]
    add r1, r2
    and r0, #3
    ldrb r0, [r1, r0]
    bx lr
    .balign 4
9:
    .word table - 9b
    .section .rodata.t,"a",%progbits
table:
    .byte 5, 6, 7, 8

//@ case code_short_branch_across_sections
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    b.n g
    .section .text.g,"ax",%progbits
    .thumb_func
g:
    adds r0, #3
    bx lr

//@ case code_branch_to_data expect="RP2500"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    push {lr}
    cmp r0, #77
    it eq
    bleq v
    pop {pc}
    .data
    .balign 4
    .global v
    .hidden v
    .type v, %function
v:
    .word 0x47704770

//@ case code_branch_to_constants expect="RP2406"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    push {r4, lr}
    mov r4, r0
    bl v
    adds r0, r4
    pop {r4, pc}
    .section .rodata.v,"a",%progbits
    .balign 4
    .type v, %function
    .thumb_func
v:
    .inst.n 0x2003
    .inst.n 0x4770

//@ case code_branch_to_an_address expect="RP2500"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    push {lr}
    cmp r0, #77
    it eq
    bleq fixed
    pop {pc}
    .global fixed
    .thumb_set fixed, 0x20000101

//@ case code_gotoff_by_hand expect="RP2500"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    ldr r1, 1f
    add r1, r9
    ldr r2, [r1]
    adds r2, r0
    str r2, [r1]
    mov r0, r2
    bx lr
    .balign 4
1:
    .word v(GOTOFF)
    .data
    .balign 4
    .global v
    .hidden v
v:
    .word 3

//@ case code_movw_of_one_symbol_movt_of_another expect="RP2500", copy="RP2501"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    movw r1, #:lower16:v
    movt r1, #:upper16:u
    bx lr
    .data
v:
    .word 1
u:
    .word 2

//@ case code_movt_alone expect="RP2500", copy="RP2501"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    movt r0, #:upper16:v
    bx lr
    .data
v:
    .word 1

//@ case code_movw_and_movt_with_offsets expect="RP2500", copy="run"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    movw r1, #:lower16:v + 8
    movt r1, #:upper16:v + 8
    ldr r2, [r1]
    adds r0, r2
    bx lr
    .data
    .balign 4
v:
    .word 1, 2, 3, 4

//@ case code_literal_of_weights expect="RP2500", copy="run"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    ldr r1, =v + 4
    ldr r2, [r1]
    adds r0, r2
    bx lr
    .section .rodata.big,"a",%progbits
    .balign 4
v:
    .word 1, 2, 3, 4
    .space 1000

//@ case code_literal_unaligned expect="RP2500"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .balign 4
    .global asm_f
    .thumb_func
asm_f:
    ldr.w r1, 1f
    ldr r2, [r1]
    adds r0, r2
    bx lr
    .byte 0, 0, 0, 0
1:
    .4byte v
    .data
    .balign 4
v:
    .word 1, 2, 3, 4

//@ case code_vfp_literals cores="M4 M7 M33 M55"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .thumb_func
asm_f:
    vldr s0, 1f
    vldr d1, 2f
    vmov r1, s0
    vmov r2, r3, d1
    adds r0, r1
    eors r0, r2
    eors r0, r3
    bx lr
    .balign 8
2:
    .double 1.1
1:
    .float 2.5

//@ case code_indirect_function expect="RP2405"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .type asm_f, %gnu_indirect_function
    .thumb_func
asm_f:
    adr r0, g
    bx lr
    .balign 4
    .thumb_func
g:
    adds r0, #1
    bx lr

//@ case code_unique_symbol
extern uint32_t w[];
MODEL { EACH out[i] = w[in[i] & 1] += in[i]; }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .data
    .global w
    .type w, %gnu_unique_object
    .balign 4
w:
    .word 3, 4

//@ case common_of_assembly 
extern uint32_t shared_a[4];
extern uint8_t shared_b[3];
uint32_t asm_f(uint32_t);
MODEL { EACH { shared_b[in[i] % 3]++; out[i] = asm_f(shared_a[in[i] & 3] += in[i]) + shared_b[in[i] % 3] + (uintptr_t)shared_a % 64; } }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .comm shared_a, 16, 64
    .comm shared_b, 3, 1
    .lcomm own, 8
    .text
    .global asm_f
    .thumb_func
asm_f:
    bx lr

//@ case common_of_unlike_alignments 
uint32_t shared_a[4] __attribute__((aligned(32), common));
MODEL { EACH out[i] = (shared_a[in[i] & 3] += in[i]) + (uintptr_t)shared_a % 32; }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .comm shared_a, 16, 4

//@ case common_and_weak
uint32_t shared_a[4] __attribute__((common));
MODEL { EACH out[i] = (shared_a[in[i] & 3] += in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .weak shared_a
    .data
    .balign 4
shared_a:
    .word 1, 2, 3, 4

//@ case attributes_say_other_arguments
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 28, 0
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case attributes_say_vfp_arguments cores="M4 M7 M33 M55"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 28, 1
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case attributes_say_a_smaller_core
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .cpu cortex-m0
    .eabi_attribute 6, 12
    .text
    .global asm_f
    .thumb_func
asm_f:
    .inst.w 0xfb00f000
    bx lr

//@ case attributes_say_a_larger_core expect="RP2402", cores="M4 M7 M33"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 6, 21
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case attributes_say_arm_state
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 8, 1
    .eabi_attribute 9, 0
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case attributes_say_r9_is_the_base expect="RP2402", llvm="-"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 14, 1
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case attributes_say_r9_is_for_threads expect="RP2402", llvm="-"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 14, 2
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case attributes_say_other_halves cores="M3 M4 M7 M33", llvm="-"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 38, 2
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case attributes_say_wide_characters
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 18, 2
    .eabi_attribute 26, 2
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr

//@ case code_falls_into_a_section_that_is_left_out expect="RP2406", says="asm_f"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .text.asm_f,"ax",%progbits
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #3
    .section .text.asm_g,"ax",%progbits
    .thumb_func
asm_g:
    adds r0, #5
    bx lr

//@ case code_with_a_size_falls_into_a_section_that_is_left_out expect="RP2406", says="asm_f"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .text.asm_f,"ax",%progbits
    .global asm_f
    .type asm_f, %function
asm_f:
    adds r0, #3
    .size asm_f, .-asm_f
    .section .text.asm_g,"ax",%progbits
    .type asm_g, %function
asm_g:
    adds r0, #5
    bx lr
    .size asm_g, .-asm_g

//@ case top_level_assembly_falls_into_a_section_that_is_left_out expect="RP2406", says="asm_f"
asm(".syntax unified\n.thumb\n.section .text.asm_f,\"ax\",%progbits\n.global asm_f\n.thumb_func\nasm_f:\n"
    "adds r0, #3\n.section .text.asm_g,\"ax\",%progbits\n.thumb_func\nasm_g: adds r0, #5\nbx lr\n.text\n");
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }

//@ case code_falls_into_the_next_section
uint32_t asm_f(uint32_t), asm_g(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]) + asm_g(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .section .text.asm_f,"ax",%progbits
    .balign 4
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #3
    nop
    .section .text.asm_g,"ax",%progbits
    .balign 4
    .global asm_g
    .thumb_func
asm_g:
    adds r0, #5
    bx lr

//@ case control_does_not_come_to_the_end_of_a_function
static volatile uint32_t v;
__attribute__((noinline)) uint32_t never(uint32_t x)
{
    if (x == 0x12345u) {
        v = x;
        __builtin_unreachable();
    }
    return x + 1;
}
__attribute__((noinline)) void stops(uint32_t x)
{
    v = x;
    __builtin_unreachable();
}
MODEL { EACH { if (in[i] == 0x123456u) stops(in[i]); out[i] = never(in[i]); } }

//@ case merged_string_without_its_end
asm(".pushsection .rodata.str1.1,\"aMS\",%progbits,1\nno_end: .ascii \"hello\"\n.popsection\n");
extern const char no_end[];
static const char *volatile other = "hello";
MODEL { EACH out[i] = in[i] + (uint32_t)no_end[i % 5] + (uint32_t)other[4 - i % 5]; }

//@ case attributes_say_other_halves_than_the_core expect="RP2402", llvm="-", cores="M55", says="half-precision"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .eabi_attribute 38, 2
    .text
    .global asm_f
    .thumb_func
asm_f:
    adds r0, #1
    bx lr
