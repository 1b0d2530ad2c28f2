/* SPDX-License-Identifier: Apache-2.0 */
/* Where sections go: names, flags and types of all kinds, all with values, and the ends of parts. */
#include <stddef.h>
#include <stdint.h>
#define NOINLINE __attribute__((noinline))
#define IN(s)    __attribute__((section(s)))
#define HIDDEN   __attribute__((visibility("hidden")))
#define MODEL    void model(const uint32_t in[8], uint32_t out[8])
#define EACH     for (int i = 0; i < 8; i++)
#define USE(array)  EACH { out[i] = array[in[i] & 3] += in[i]; }
#define READ(array) EACH out[i] = array[in[i] & 3] + in[i];

//@ case named_glue_7 expect="RP2406", llvm="RP2500"
static uint32_t a[4] IN(".glue_7") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_vfp11_veneer expect="RP2406", llvm="RP2500"
static uint32_t a[4] IN(".vfp11_veneer") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_iplt expect="RP2407"
static uint32_t a[4] IN(".iplt") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_igot_plt expect="RP2407"
static uint32_t a[4] IN(".igot.plt") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_got_plt expect="RP2407"
static uint32_t a[4] IN(".got.plt") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_rel_iplt expect="RP2407"
static uint32_t a[4] IN(".rel.iplt") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_plt expect="RP2405"
static uint32_t a[4] IN(".plt") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_dynamic expect="RP2405"
static uint32_t a[4] IN(".dynamic") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_tm_clone_table
static uint32_t a[4] IN(".tm_clone_table") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_rp_imports expect="RP2407"
static uint32_t a[4] IN(".rp_imports") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_rp_fixups expect="RP2407"
static uint32_t a[4] IN(".rp_fixups") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_network_rt_ctx_mine expect="RP2405"
static uint32_t a[4] IN(".network_rt_ctx.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_gnu_linkonce_d_mine
static uint32_t a[4] IN(".gnu.linkonce.d.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_gnu_linkonce_r_mine
static uint32_t a[4] IN(".gnu.linkonce.r.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_gnu_linkonce_t_mine
static uint32_t a[4] IN(".gnu.linkonce.t.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_eh_frame expect="RP2405"
static uint32_t a[4] IN(".eh_frame") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_arm_exidx_mine expect="RP2405"
static uint32_t a[4] IN(".ARM.exidx.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_gnu_attributes expect="RP2405"
static uint32_t a[4] IN(".gnu.attributes") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_data1
static uint32_t a[4] IN(".data1") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_tdata_mine expect="RP2404"
static uint32_t a[4] IN(".tdata.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_ctors_mine expect="RP2403"
static uint32_t a[4] IN(".ctors.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_gnu_sgstubs expect="RP2405"
static uint32_t a[4] IN(".gnu.sgstubs") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_text_unlikely_mine
static uint32_t a[4] IN(".text.unlikely.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_data_rel_local_mine
static uint32_t a[4] IN(".data.rel.local.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_data_rel_ro_local_mine
static uint32_t a[4] IN(".data.rel.ro.local.mine") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_rodata_str1_1
static uint32_t a[4] IN(".rodata.str1.1") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_rodata_cst4
static uint32_t a[4] IN(".rodata.cst4") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_data_itself
static uint32_t a[4] IN(".data") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_text_itself expect="RP2406", says="'a'", llvm="run"
static uint32_t a[4] IN(".text") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_text_itself_constant
static const uint32_t a[4] IN(".text") = {1, 2, 3, 4};
static const uint32_t *const p[2] IN(".text") = {NULL, NULL};
MODEL { EACH out[i] = a[in[i] & 3] + in[i] + (p[in[i] & 1] != NULL); }

//@ case named_rodata_itself
static uint32_t a[4] IN(".rodata") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_with_quotes
static uint32_t a[4] IN(".data.\"quoted\"") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_with_parentheses
static uint32_t a[4] IN(".data.(a.o)") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_with_star
static uint32_t a[4] IN(".rodata.*") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_with_letters
static uint32_t a[4] IN(".data.ä") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case named_with_long
static uint32_t a[4] IN(".data.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") = {1, 2, 3, 4};
MODEL { USE(a) }

//@ case flags_rodata_without_contents
__asm__(".section .rodata.z,\"a\",%nobits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 100\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_rodata_large_without_contents
__asm__(".section .rodata.z,\"a\",%nobits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 1000\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_rodata_writable_without_contents
__asm__(".section .rodata.z,\"aw\",%nobits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 100\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_rodata_large_writable_without_contents
__asm__(".section .rodata.z,\"aw\",%nobits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 1000\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_data_without_contents
__asm__(".section .data.z,\"aw\",%nobits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 100\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_data_large_without_contents
__asm__(".section .data.z,\"aw\",%nobits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 1000\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_data_read_only llvm="RP2500"
__asm__(".section .data.z,\"a\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_bss_read_only llvm="RP2500"
__asm__(".section .bss.z,\"a\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_arena_read_only llvm="RP2500"
__asm__(".section .tensor_arena,\"a\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_text_without_contents
__asm__(".section .text.z,\"aw\",%nobits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 100\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_text_read_only
__asm__(".section .text.z,\"a\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_text_writable_code
__asm__(".section .text.z,\"awx\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_data_code llvm="RP2500"
__asm__(".section .data.z,\"ax\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_not_loaded
__asm__(".section .data.z,\"w\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_excluded expect="RP2600"
__asm__(".section .data.z,\"awe\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_of_a_group
__asm__(".section .data.z,\"awG\",%progbits,mine,comdat\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_of_a_group_that_is_none
__asm__(".section .data.z,\"awG\",%progbits,mine\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_note_with_data
__asm__(".section .data.z,\"aw\",%note\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_array_of_constructors_by_type
__asm__(".section .data.z,\"aw\",%init_array\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_mergeable_words
__asm__(".section .rodata.z,\"aM\",%progbits,4\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_mergeable_variables
__asm__(".section .data.z,\"awM\",%progbits,4\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_mergeable_strings
__asm__(".section .rodata.z,\"aMS\",%progbits,1\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .asciz \"abc\", \"bc\", \"xabc\", \"abcdefg\"\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_mergeable_without_an_end
__asm__(".section .rodata.z,\"aMS\",%progbits,1\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 0x61626364, 0x61626364, 0x61626364, 0x61626364\n"
        ".size flagged, . - flagged\n.text\n");
extern const uint32_t flagged[] HIDDEN;
MODEL { READ(flagged) }

//@ case flags_thread_local_by_flag expect="RP2404"
__asm__(".section .data.z,\"awT\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_unknown_type llvm="RP2400"
__asm__(".section .data.z,\"aw\",%0x60000001\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_retained
__asm__(".section .data.z,\"awR\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .word 1, 2, 3, 4\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case flags_zeros_with_contents_large
__asm__(".section .bss.z,\"aw\",%progbits\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        ".type flagged, %object\n"
        "flagged: .space 1000\n"
        ".size flagged, . - flagged\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case linked_to_another expect="RP2405"
__asm__(".section .data.owner,\"aw\",%progbits\n"
        ".balign 4\n"
        "owner: .word 9\n"
        ".section .data.z,\"awo\",%progbits,.data.owner\n"
        ".balign 4\n"
        ".global flagged\n"
        ".hidden flagged\n"
        "flagged: .word 1, 2, 3, 4\n.text\n");
extern uint32_t flagged[] HIDDEN;
MODEL { USE(flagged) }

//@ case end_empty_arrays 
static uint32_t a[4] IN(".data.m1") = {1, 2, 3, 4}, end_of_data[0] IN(".data.zzz"), end_of_zeros[0];
static const uint32_t c[4] = {5, 6, 7, 8}, end_of_constants[0] IN(".rodata.zzz");
static uint32_t *volatile p = end_of_data, *volatile q = end_of_zeros;
static const uint32_t *volatile r = end_of_constants;
MODEL { EACH out[i] = (a[in[i] & 3] += in[i]) + c[in[i] & 3] + (p != NULL) + (q != NULL) + (r != NULL); }

//@ case end_pointers_past_everything 
static uint32_t a[4] = {1, 2, 3, 4}, b[3], large[100];
static const uint32_t c[3] = {5, 6, 7}, w[100] = {1, 2, [99] = 3};
static uint32_t *volatile pa = a + 4, *volatile pb = b + 3, *volatile pl = large + 100;
static const uint32_t *volatile pc = c + 3, *volatile pw = w + 100;
MODEL { EACH { b[in[i] % 3]++; large[in[i] % 100]++; out[i] = pa[-1 - (int)(in[i] & 3)] + pb[-1 - (int)(in[i] % 3)] + pl[-1 - (int)(in[i] % 100)] + pc[-1 - (int)(in[i] % 3)] + pw[-1 - (int)(in[i] % 100)]; } }

//@ case end_object_of_one_byte 
static uint8_t a = 3, b;
static const uint8_t c = 5;
static uint8_t *volatile pa = &a + 1, *volatile pb = &b + 1;
static const uint8_t *volatile pc = &c + 1;
MODEL { EACH { a += (uint8_t)in[i]; b++; out[i] = pa[-1] + pb[-1] + pc[-1]; } }

//@ case end_flexible_arrays 
struct list { uint32_t n; uint32_t v[]; };
static struct list a = {3, {1, 2, 3}};
static const struct list w = {70, {1, 2, 3, [69] = 9}};
static struct list *const lists[] = {&a};
MODEL { EACH { a.v[in[i] % a.n] += in[i]; out[i] = lists[0]->v[in[i] % 3] + w.v[in[i] % w.n]; } }

//@ case start_and_stop_of_usual_sections llvm="RP2500"
static uint32_t a IN(".data.mine") = 3;
extern uint32_t __start_data[] __attribute__((weak));
MODEL { EACH out[i] = in[i] + a++ + (__start_data != NULL); }

//@ case order_of_array_of_pieces 
static const uint32_t a IN(".rodata.pieces.1") __attribute__((used)) = 1, b IN(".rodata.pieces.2") __attribute__((used)) = 2;
MODEL { EACH out[i] = in[i] + *(in[i] & 1 ? &a : &b); }
