/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of relocations: see field.h. Formats of instructions: Armv7-M ARM, A7.7 (A6.7). */
#include "elfpack/check/field.h"

#include <elf.h>
#include <stddef.h>

#include "base/buf.h"

enum form {
    FORM_NONE,
    FORM_WORD,
    FORM_WORD31, /* bit 31 is not part of it */
    FORM_HALF,   /* a half-word of data */
    FORM_BYTE,
    FORM_BL,       /* BL, B.W: 25 bits */
    FORM_B_COND,   /* B<c>.W: 21 bits */
    FORM_B11,      /* B: 12 bits */
    FORM_B8,       /* B<c>: 9 bits */
    FORM_CBZ,      /* 7 bits, forward only */
    FORM_MOVW,     /* bits 15..0 */
    FORM_MOVW_ALL, /* bits 15..0, which have to hold the whole value */
    FORM_MOVT,     /* bits 31..16 */
    FORM_LDR8,     /* LDR literal, ADR: 8 bits of words, forward only */
    FORM_LDR12,    /* LDR.W literal: 12 bits and a sign */
    FORM_ADR12     /* ADR.W: 12 bits and a sign */
};

struct row {
    uint8_t form;
    uint8_t kind;
    bool branch;
};

static const struct row table[] = {
    [R_ARM_NONE] = {FORM_NONE, RP_FIELD_NONE, false},
    [R_ARM_ABS32] = {FORM_WORD, RP_FIELD_ADDRESS, false},
    [R_ARM_REL32] = {FORM_WORD, RP_FIELD_PC, false},
    [R_ARM_ABS16] = {FORM_HALF, RP_FIELD_ADDRESS, false},
    [R_ARM_ABS8] = {FORM_BYTE, RP_FIELD_ADDRESS, false},
    [R_ARM_SBREL32] = {FORM_WORD, RP_FIELD_BASE, false},
    [R_ARM_THM_PC22] = {FORM_BL, RP_FIELD_PC, true}, /* THM_CALL */
    [R_ARM_THM_PC8] = {FORM_LDR8, RP_FIELD_PC, false},
    [R_ARM_GOT32] = {FORM_WORD, RP_FIELD_GOT, false}, /* GOT_BREL */
    [R_ARM_THM_JUMP24] = {FORM_BL, RP_FIELD_PC, true},
    [R_ARM_TARGET1] = {FORM_WORD, RP_FIELD_ADDRESS, false},
    [R_ARM_V4BX] = {FORM_NONE, RP_FIELD_NONE, false},
    [R_ARM_TARGET2] = {FORM_WORD, RP_FIELD_PC, false},
    [R_ARM_PREL31] = {FORM_WORD31, RP_FIELD_PC, false},
    [R_ARM_THM_MOVW_ABS_NC] = {FORM_MOVW, RP_FIELD_ADDRESS, false},
    [R_ARM_THM_MOVT_ABS] = {FORM_MOVT, RP_FIELD_ADDRESS, false},
    [R_ARM_THM_MOVW_PREL_NC] = {FORM_MOVW, RP_FIELD_PC, false},
    [R_ARM_THM_MOVT_PREL] = {FORM_MOVT, RP_FIELD_PC, false},
    [R_ARM_THM_JUMP19] = {FORM_B_COND, RP_FIELD_PC, true},
    [R_ARM_THM_JUMP6] = {FORM_CBZ, RP_FIELD_PC, true},
    [R_ARM_THM_ALU_PREL_11_0] = {FORM_ADR12, RP_FIELD_PC, false},
    [R_ARM_THM_PC12] = {FORM_LDR12, RP_FIELD_PC, false},
    [R_ARM_ABS32_NOI] = {FORM_WORD, RP_FIELD_ADDRESS, false},
    [R_ARM_REL32_NOI] = {FORM_WORD, RP_FIELD_PC, false},
    [R_ARM_THM_MOVW_BREL_NC] = {FORM_MOVW, RP_FIELD_BASE, false},
    [R_ARM_THM_MOVT_BREL] = {FORM_MOVT, RP_FIELD_BASE, false},
    [R_ARM_THM_MOVW_BREL] = {FORM_MOVW_ALL, RP_FIELD_BASE, false},
    [R_ARM_GOT_PREL] = {FORM_WORD, RP_FIELD_GOT_PC, false},
    [R_ARM_GNU_VTENTRY] = {FORM_NONE, RP_FIELD_NONE, false},
    [R_ARM_GNU_VTINHERIT] = {FORM_NONE, RP_FIELD_NONE, false},
    [R_ARM_THM_PC11] = {FORM_B11, RP_FIELD_PC, true}, /* THM_JUMP11 */
    [R_ARM_THM_PC9] = {FORM_B8, RP_FIELD_PC, true},   /* THM_JUMP8 */
};

static const struct row *find(uint32_t type) {
    static const struct row unknown;
    return type < sizeof table / sizeof table[0] ? &table[type] : &unknown;
}

enum rp_field_kind rp_field_kind(uint32_t type) {
    return (enum rp_field_kind)find(type)->kind;
}

uint32_t rp_field_size(uint32_t type) {
    switch ((enum form)find(type)->form) {
    case FORM_NONE:
        return 0;
    case FORM_BYTE:
        return 1;
    case FORM_HALF:
    case FORM_B11:
    case FORM_B8:
    case FORM_CBZ:
    case FORM_LDR8:
        return 2;
    case FORM_WORD:
    case FORM_WORD31:
    case FORM_BL:
    case FORM_B_COND:
    case FORM_MOVW:
    case FORM_MOVW_ALL:
    case FORM_MOVT:
    case FORM_LDR12:
    case FORM_ADR12:
        break;
    }
    return 4;
}

bool rp_field_is_word(uint32_t type) {
    return find(type)->form == FORM_WORD;
}

bool rp_field_is_branch(uint32_t type) {
    return find(type)->branch;
}

bool rp_field_rounds_place(uint32_t type) {
    return find(type)->form == FORM_LDR8 || find(type)->form == FORM_LDR12 ||
           find(type)->form == FORM_ADR12;
}

/* ---- instructions: the first half-word is in bits 31..16, as in the manual ---- */

static uint32_t get_half(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

static void put_half(uint8_t *bytes, uint32_t half) {
    bytes[0] = (uint8_t)half;
    bytes[1] = (uint8_t)(half >> 8);
}

static uint32_t get_wide(const uint8_t *bytes) {
    return get_half(bytes) << 16 | get_half(bytes + 2);
}

static void put_wide(uint8_t *bytes, uint32_t wide) {
    put_half(bytes, wide >> 16);
    put_half(bytes + 2, wide);
}

/* Bits high to low of the word, as in the manual: word<high:low>. */
static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static int32_t sign_extend(uint32_t value, unsigned sign_bit) {
    uint32_t sign = UINT32_C(1) << sign_bit;
    return (int32_t)((value ^ sign) - sign);
}

/* imm4:i:imm3:imm8 of MOVW and MOVT */
static uint32_t get_mov(uint32_t wide) {
    return bits(wide, 19, 16) << 12 | bits(wide, 26, 26) << 11 | bits(wide, 14, 12) << 8 |
           bits(wide, 7, 0);
}

static uint32_t put_mov(uint32_t wide, uint32_t half) {
    return (wide & 0xFBF08F00u) | bits(half, 15, 12) << 16 | bits(half, 11, 11) << 26 |
           bits(half, 10, 8) << 12 | bits(half, 7, 0);
}

enum { LDR_ADD = 1 << 23, ADR_SUB = 0x00A00000 };

/* ---- fields ---- */

int32_t rp_field_addend(uint32_t type, const uint8_t *bytes) {
    enum form form = (enum form)find(type)->form;
    uint32_t half = rp_field_size(type) >= 2 ? get_half(bytes) : 0;
    uint32_t wide = rp_field_size(type) == 4 ? get_wide(bytes) : 0;
    uint32_t s = bits(wide, 26, 26);
    int32_t size;
    switch (form) {
    case FORM_NONE:
        break;
    case FORM_WORD:
        return (int32_t)rp_get_le32(bytes);
    case FORM_WORD31:
        return sign_extend(rp_get_le32(bytes) & 0x7FFFFFFFu, 30);
    case FORM_HALF:
        return sign_extend(half, 15);
    case FORM_BYTE:
        return sign_extend(bytes[0], 7);
    case FORM_BL:
        /* S:I1:I2:imm10:imm11:0, I1 = NOT(J1 EOR S), I2 = NOT(J2 EOR S) */
        return sign_extend(s << 24 | (bits(wide, 13, 13) ^ s ^ 1) << 23 |
                               (bits(wide, 11, 11) ^ s ^ 1) << 22 | bits(wide, 25, 16) << 12 |
                               bits(wide, 10, 0) << 1,
                           24);
    case FORM_B_COND:
        /* S:J2:J1:imm6:imm11:0 */
        return sign_extend(s << 20 | bits(wide, 11, 11) << 19 | bits(wide, 13, 13) << 18 |
                               bits(wide, 21, 16) << 12 | bits(wide, 10, 0) << 1,
                           20);
    case FORM_B11:
        return sign_extend(bits(half, 10, 0) << 1, 11);
    case FORM_B8:
        return sign_extend(bits(half, 7, 0) << 1, 8);
    case FORM_CBZ: /* AAELF32: ((imm + 4) & 0x7f) - 4 */
        return (int32_t)(((bits(half, 9, 9) << 6 | bits(half, 7, 3) << 1) + 4) & 0x7Fu) - 4;
    case FORM_MOVW:
    case FORM_MOVW_ALL:
    case FORM_MOVT:
        return sign_extend(get_mov(wide), 15);
    case FORM_LDR8: /* AAELF32: ((imm + 4) & 0x3ff) - 4 */
        return (int32_t)(((bits(half, 7, 0) << 2) + 4) & 0x3FFu) - 4;
    case FORM_LDR12:
        size = (int32_t)bits(wide, 11, 0);
        return (wide & LDR_ADD) != 0 ? size : -size;
    case FORM_ADR12:
        size = (int32_t)(s << 11 | bits(wide, 14, 12) << 8 | bits(wide, 7, 0)); /* i:imm3:imm8 */
        return (wide & ADR_SUB) == ADR_SUB ? -size : size;
    }
    return 0;
}

/* Is value a multiple of step from low to high? */
static bool fits(int32_t value, int32_t low, int32_t high, int32_t step) {
    return value >= low && value <= high && value % step == 0;
}

bool rp_field_put(uint32_t type, uint8_t *bytes, uint32_t value) {
    enum form form = (enum form)find(type)->form;
    uint32_t half = rp_field_size(type) >= 2 ? get_half(bytes) : 0;
    uint32_t wide = rp_field_size(type) == 4 ? get_wide(bytes) : 0;
    int32_t distance = (int32_t)value;
    /* bit 0 of a branch's value is the Thumb state of the target and not part of the field */
    int32_t jump = (int32_t)(value & ~UINT32_C(1));
    uint32_t size = distance < 0 ? 0u - value : value, s = bits(value, 24, 24);
    switch (form) {
    case FORM_NONE:
        break;
    case FORM_WORD:
        rp_put_le32(bytes, value);
        break;
    case FORM_WORD31:
        rp_put_le32(bytes, (rp_get_le32(bytes) & 0x80000000u) | (value & 0x7FFFFFFFu));
        return fits(distance, -(1 << 30), (1 << 30) - 1, 1);
    case FORM_HALF:
        put_half(bytes, value);
        return fits(distance, INT16_MIN, UINT16_MAX, 1);
    case FORM_BYTE:
        bytes[0] = (uint8_t)value;
        return fits(distance, INT8_MIN, UINT8_MAX, 1);
    case FORM_BL:
        put_wide(bytes, (wide & 0xF800D000u) | s << 26 | bits(value, 21, 12) << 16 |
                            (bits(value, 23, 23) ^ s ^ 1) << 13 |
                            (bits(value, 22, 22) ^ s ^ 1) << 11 | bits(value, 11, 1));
        return fits(jump, -(1 << 24), (1 << 24) - 2, 2);
    case FORM_B_COND:
        put_wide(bytes, (wide & 0xFBC0D000u) | bits(value, 20, 20) << 26 |
                            bits(value, 17, 12) << 16 | bits(value, 18, 18) << 13 |
                            bits(value, 19, 19) << 11 | bits(value, 11, 1));
        return fits(jump, -(1 << 20), (1 << 20) - 2, 2);
    case FORM_B11:
        put_half(bytes, (half & 0xF800u) | bits(value, 11, 1));
        return fits(jump, -(1 << 11), (1 << 11) - 2, 2);
    case FORM_B8:
        put_half(bytes, (half & 0xFF00u) | bits(value, 8, 1));
        return fits(jump, -(1 << 8), (1 << 8) - 2, 2);
    case FORM_CBZ:
        put_half(bytes, (half & 0xFD07u) | bits(value, 6, 6) << 9 | bits(value, 5, 1) << 3);
        return fits(jump, 0, (1 << 7) - 2, 2);
    case FORM_MOVW:
    case FORM_MOVW_ALL:
        put_wide(bytes, put_mov(wide, value));
        return form == FORM_MOVW || fits(distance, 0, UINT16_MAX, 1);
    case FORM_MOVT:
        put_wide(bytes, put_mov(wide, value >> 16));
        break;
    case FORM_LDR8:
        put_half(bytes, (half & 0xFF00u) | bits(value, 9, 2));
        return fits(distance, 0, 1020, 4);
    case FORM_LDR12:
        put_wide(bytes, (wide & 0xFF7FF000u) | size | (distance < 0 ? 0 : (uint32_t)LDR_ADD));
        return fits(distance, -4095, 4095, 1);
    case FORM_ADR12:
        put_wide(bytes, (wide & 0xFB0F8F00u) | bits(size, 11, 11) << 26 | bits(size, 10, 8) << 12 |
                            bits(size, 7, 0) | (distance < 0 ? (uint32_t)ADR_SUB : 0));
        return fits(distance, -4095, 4095, 1);
    }
    return true;
}
