/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that tests of elfpack/r9 have in common. */
#ifndef RP_TESTS_UNIT_R9_CODES_H
#define RP_TESTS_UNIT_R9_CODES_H

#define NOP        0xBF00u
#define BX_LR      0x4770u
#define BX_R3      0x4718u
#define BLX_R3     0x4798u
#define PUSH       0xB510u     /* push {r4, lr} */
#define POP        0xBD10u     /* pop {r4, pc} */
#define PUSH_R9    0xE92D4210u /* push {r4, r9, lr} */
#define POP_R9     0xE8BD8210u /* pop {r4, r9, pc} */
#define MOV_R9_R1  0x4689u
#define MOV_R4_R9  0x464Cu
#define MOV_R9_R4  0x46A1u
#define LOAD_BY_R9 0xF8D93004u /* ldr r3, [r9, #4] */
#define LITERAL    0x4B00u     /* ldr r3, [pc]: the word behind this and the next two half-words */

#endif
