/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly: inside functions, at top level, and in files of its own. */
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)

//@ case asm_inline
MODEL { EACH { uint32_t x; __asm__("rbit %0, %1\n\tadd %0, %0, #7" : "=r"(x) : "r"(in[i])); out[i] = x; } }

//@ case asm_inline_memory
static uint32_t v = 3;
MODEL { EACH { __asm__ volatile("ldr r12, %0\n\tadd r12, r12, %1\n\tstr r12, %0" : "+m"(v) : "r"(in[i]) : "r12", "cc"); out[i] = v; } }

//@ case asm_inline_literal llvm="run"
MODEL { EACH { uint32_t x; __asm__("ldr %0, =0x12345678\n\teor %0, %0, %1" : "=&r"(x) : "r"(in[i])); out[i] = x; } }

//@ case asm_inline_address expect="RP2500", copy="run", llvm="run"
static uint32_t v __attribute__((used)) = 3;
MODEL { EACH { uint32_t *p; __asm__("ldr %0, =v" : "=r"(p)); out[i] = (*p)++ + in[i]; } }

//@ case asm_inline_address_of_constant expect="RP2500", copy="run", llvm="run"
static const uint32_t c __attribute__((used)) = 3;
MODEL { EACH { const uint32_t *p; __asm__("movw %0, #:lower16:c\n\tmovt %0, #:upper16:c" : "=r"(p)); out[i] = *p + in[i]; } }

//@ case asm_inline_call llvm="run"
static uint32_t state = 3;
NOINLINE __attribute__((used)) uint32_t helper(uint32_t x) { return x * 3 + state++; }
MODEL { EACH { register uint32_t r0 __asm__("r0") = in[i]; __asm__ volatile("bl helper" : "+r"(r0) : : "r1", "r2", "r3", "r12", "lr", "cc", "memory"); out[i] = r0; } }

//@ case asm_inline_adr
MODEL { EACH { uint32_t x; __asm__("adr %0, 1f\n\tldr %0, [%0]\n\tb 2f\n\t.align 2\n1: .word 0x11223344\n2:" : "=r"(x)); out[i] = x ^ in[i]; } }

//@ case asm_inline_tbb
static NOINLINE uint32_t f(uint32_t n) {
    uint32_t r;
    __asm__ volatile("tbb [pc, %1]\n1: .byte (2f - 1b) / 2, (3f - 1b) / 2, (4f - 1b) / 2, 0\n"
            "2: mov %0, #11\n\tb 5f\n3: mov %0, #22\n\tb 5f\n4: mov %0, #33\n5:" : "=r"(r) : "r"(n));
    return r;
}
MODEL { EACH out[i] = f(in[i] % 3) + in[i]; }

//@ case asm_uses_r9 llvm="RP2503", copy="RP2503"
static uint32_t state = 3;
MODEL { EACH { register uint32_t r9v __asm__("r9") = in[i]; __asm__ volatile("add %0, %0, #1" : "+r"(r9v)); out[i] = r9v + state++; } }

//@ case asm_saves_r9 llvm="run"
static uint32_t state = 3;
MODEL { EACH { uint32_t x; __asm__ volatile("push {r9}\n\tmov r9, %1\n\tadd %0, r9, #1\n\tpop {r9}" : "=r"(x) : "r"(in[i])); out[i] = x + state++; } }

//@ case asm_clobbers_r9 llvm="RP2503", copy="RP2400"
static uint32_t state = 3;
MODEL { EACH { uint32_t x; __asm__ volatile("mov r9, %1\n\tadd %0, r9, #1" : "=r"(x) : "r"(in[i]) : "r9"); out[i] = x + state++; } }

//@ case asm_destroys_r9 expect="RP2503", llvm="RP2503"
static uint32_t state = 3;
static NOINLINE uint32_t f(uint32_t x) { __asm__ volatile("mov r9, #0" : "+r"(x)); return x; }
MODEL { EACH { out[i] = f(in[i]) + state++; } }

//@ case asm_top_level_function
__asm__(".text\n.align 1\n.global top_f\n.hidden top_f\n.type top_f, %function\n.thumb_func\ntop_f: add r0, r0, r0, lsl #1\n bx lr\n.size top_f, . - top_f\n");
uint32_t top_f(uint32_t);
MODEL { EACH out[i] = top_f(in[i]); }

//@ case asm_top_level_without_size
__asm__(".text\n.align 1\n.global top_f\n.hidden top_f\n.thumb_func\ntop_f: add r0, r0, r0, lsl #1\n bx lr\n");
uint32_t top_f(uint32_t);
static uint32_t (*const p)(uint32_t) = top_f;
MODEL { EACH out[i] = top_f(in[i]) + p(in[0]); }

//@ case asm_top_level_destroys_r9 expect="RP2503", llvm="RP2503"
__asm__(".text\n.align 1\n.global top_f\n.hidden top_f\n.thumb_func\ntop_f: mov r9, r0\n add r0, r9, #1\n bx lr\n");
uint32_t top_f(uint32_t);
static uint32_t state = 3;
MODEL { EACH out[i] = top_f(in[i]) + state++; }

//@ case asm_top_level_r9_and_call expect="RP2503", llvm="RP2503"
__asm__(".text\n.align 1\n.global top_f\n.hidden top_f\n.thumb_func\ntop_f: push {r4, r9, lr}\n mov r9, r0\n bl helper\n add r0, r0, r9\n pop {r4, r9, pc}\n");
uint32_t top_f(uint32_t);
static uint32_t state = 3;
__attribute__((used)) NOINLINE uint32_t helper(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = top_f(in[i]); }

//@ case asm_top_level_data
__asm__(".data\n.align 2\n.global top_v\n.hidden top_v\ntop_v: .word 1, 2, top_v, 4\n.section .rodata\n.align 2\n.global top_c\n.hidden top_c\ntop_c: .word 7, 8\n.text\n");
extern uint32_t top_v[4] __attribute__((visibility("hidden")));
extern const uint32_t top_c[2] __attribute__((visibility("hidden")));
MODEL { EACH { out[i] = top_v[in[i] & 1] + (top_v[2] == (uint32_t)(uintptr_t)top_v) + top_v[3] + top_c[in[i] & 1]; top_v[1] += in[i]; } }

//@ case asm_file_function
uint32_t asm_f(uint32_t, uint32_t);
MODEL { EACH out[i] = asm_f(in[i], in[7 - i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .text
    .global asm_f
    .type asm_f, %function
asm_f:
    push {r4, lr}
    umull r2, r4, r0, r1
    eor r0, r2, r4
    pop {r4, pc}
    .size asm_f, . - asm_f

//@ case asm_file_without_size
uint32_t asm_f(uint32_t, uint32_t);
MODEL { EACH out[i] = asm_f(in[i], in[7 - i]); }
//@ file f.s to="archive"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    ldr r2, =0x89ABCDEF
    eor r0, r0, r2
    add r0, r0, r1
    bx lr

//@ case asm_file_literal_pool_of_address expect="RP2500", says="asm_f", copy="run"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    ldr r2, =table
    and r0, r0, #3
    ldr r0, [r2, r0, lsl #2]
    bx lr
    .section .rodata
    .align 2
table:
    .word 1, 22, 333, 4444

//@ case asm_file_relative_table
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    ldr r2, 2f
1:  add r2, pc
    and r0, r0, #3
    ldr r0, [r2, r0, lsl #2]
    bx lr
    .align 2
2:  .word table - (1b + 4)
    .section .rodata
    .align 2
table:
    .word 1, 22, 333, 4444

//@ case asm_file_relative_variable expect="RP2500", copy="RP2500"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    ldr r2, 2f
1:  add r2, pc
    ldr r3, [r2]
    add r0, r0, r3
    str r0, [r2]
    bx lr
    .align 2
2:  .word state - (1b + 4)
    .data
    .align 2
state:
    .word 1

//@ case asm_file_movw_movt expect="RP2500", copy="run"
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    movw r2, #:lower16:state
    movt r2, #:upper16:state
    ldr r3, [r2]
    add r0, r0, r3
    str r0, [r2]
    bx lr
    .data
    .align 2
state:
    .word 1

//@ case asm_file_destroys_r9 expect="RP2503"
uint32_t asm_f(uint32_t);
static uint32_t state = 3;
MODEL { EACH out[i] = asm_f(in[i]) + state++; }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    mov r9, r0
    adds r0, r9, #1
    bx lr

//@ case asm_file_r9_calls_back expect="RP2503"
uint32_t asm_f(uint32_t, uint32_t (*)(uint32_t));
static uint32_t state = 3;
static uint32_t back(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = asm_f(in[i], back); }
//@ file f.s to="archive"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    push {r4, r9, lr}
    mov r9, r0
    blx r1
    add r0, r0, r9
    pop {r4, r9, pc}

//@ case asm_file_r9_alone
uint32_t asm_f(uint32_t);
static uint32_t state = 3;
MODEL { EACH out[i] = asm_f(in[i]) + state++; }
//@ file f.s to="archive"
    .syntax unified
    .thumb
    .global asm_f
    .type asm_f, %function
asm_f:
    push {r4, r9, lr}
    mov r9, r0
    add r0, r0, r9
    pop {r4, r9, pc}
    .size asm_f, . - asm_f

//@ case asm_file_r9_and_aligned_loop
uint32_t asm_f(uint32_t);
static uint32_t state = 3;
MODEL { EACH out[i] = asm_f(in[i]) + state++; }
//@ file f.s to="archive"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    push {r4, r9, lr}
    sub sp, #12
    str r0, [sp, #4]
    and r9, r0, #7
    movs r4, #0
    b 2f
    .balign 16
1:  add r4, r4, r9
    sub r9, r9, #1
2:  cmp r9, #0
    bne 1b
    ldr r0, [sp, #4]
    add r0, r0, r4
    add sp, #12
    pop {r4, r9, pc}

//@ case asm_file_r9_kept_in_another_register expect="RP2503"
uint32_t asm_f(uint32_t, uint32_t (*)(uint32_t));
static uint32_t state = 3;
static uint32_t back(uint32_t x) { return x + state++; }
MODEL { EACH out[i] = asm_f(in[i], back); }
//@ file f.s to="archive"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    push {r4, lr}
    mov r4, r9
    mov r9, #0
    blx r1
    mov r9, r4
    pop {r4, pc}

//@ case asm_file_jumps
uint32_t asm_f(uint32_t);
uint32_t asm_back(uint32_t);
static uint32_t state = 3;
uint32_t asm_back(uint32_t x) { return x * 5 + state++; }
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    cmp r0, #10
    bls 1f
    b.w asm_back
1:  adds r0, #100
    bx lr

//@ case asm_file_conditional_jump
uint32_t asm_f(uint32_t);
uint32_t asm_back(uint32_t);
uint32_t asm_back(uint32_t x) { return x * 5; }
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    cmp r0, #10
    bhi.w asm_back
    adds r0, #100
    bx lr

//@ case asm_file_data_among_code
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    adr r1, table
    and r0, r0, #3
    ldrb r0, [r1, r0]
    bx lr
    .align 2
table:
    .byte 0xDF, 0xF8, 0x09, 0x90
    .word 0xF0F09900

//@ case asm_file_table_of_functions llvm="RP2500"
extern uint32_t (*const asm_table[2])(uint32_t);
MODEL { EACH out[i] = asm_table[in[i] & 1](in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .thumb_func
f1: adds r0, #1
    bx lr
    .thumb_func
f2: lsls r0, r0, #3
    bx lr
    .section .data.rel.ro.asm_table,"aw",%progbits
    .global asm_table
    .align 2
asm_table:
    .word f1, f2

//@ case asm_file_table_without_thumb_bit llvm="RP2500"
extern uint32_t (*const asm_table[2])(uint32_t);
MODEL { EACH out[i] = asm_table[in[i] & 1] ? in[i] : 1; }
//@ file f.s to="object"
    .syntax unified
    .thumb
f1: adds r0, #1
    bx lr
f2: lsls r0, r0, #3
    bx lr
    .section .data.rel.ro.asm_table,"aw",%progbits
    .global asm_table
    .align 2
asm_table:
    .word f1, f2

//@ case asm_file_halves_of_words expect="RP2401"
extern const uint16_t asm_table[2];
MODEL { EACH out[i] = in[i] + (asm_table[0] == 0); }
//@ file f.s to="object"
    .section .rodata
    .global asm_table
    .align 2
asm_table:
    .short asm_table, 5

//@ case asm_file_address_unaligned expect="RP2500"
extern uint8_t asm_table[8];
static uint32_t get(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }
MODEL { EACH out[i] = in[i] + (get(asm_table + 1) == (uint32_t)(uintptr_t)asm_table); }
//@ file f.s to="object"
    .data
    .global asm_table
    .align 2
asm_table:
    .byte 5
    .4byte asm_table
    .byte 1, 2, 3

//@ case asm_file_double_precision expect="RP2402", cores="M4"
double asm_f(double);
MODEL { EACH { double d = asm_f(in[i]); out[i] = (uint32_t)(int64_t)d; } }
//@ file f.s to="object", flags="-mfpu=fpv5-d16"
    .syntax unified
    .thumb
    .fpu fpv5-d16
    .global asm_f
    .thumb_func
asm_f:
    vadd.f64 d0, d0, d0
    bx lr

//@ case asm_file_double_precision_untagged expect="RP2408", cores="M4"
uint32_t asm_f(uint32_t);
MODEL { EACH { out[i] = in[i]; if (in[i] == 0x1234567) out[i] = asm_f(in[i]); } }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    .inst.w 0xee300b00
    bx lr

//@ case asm_file_privileged
uint32_t asm_f(uint32_t);
MODEL { EACH out[i] = asm_f(in[i]); }
//@ file f.s to="object"
    .syntax unified
    .thumb
    .global asm_f
    .thumb_func
asm_f:
    mrs r1, primask
    cpsid i
    adds r0, r0, #3
    msr primask, r1
    bx lr
