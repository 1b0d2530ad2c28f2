/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes Thumb instructions: see insn.h. */
#include "elfpack/insn/insn.h"

#include <stddef.h>

#include "elfpack/insn/thumb.h"

/* ---- the table ---- */

/* How the fields of a row become operands. */
enum shape {
    OTHER,
    /* 16 bits */
    ADD_SMALL,
    ADD_BYTE,
    ADD_HIGH,
    MOV_HIGH,
    MOV_BYTE,
    SHIFT_LEFT,
    NEGATE,
    STORE_SP,
    LOAD_SP,
    ADD_SP,
    MOVE_SP,
    PUSH,
    POP,
    COMPARE_BRANCH,
    BLX,
    IT,
    /* 32 bits */
    STM_DOWN,
    LDM_DOWN,
    STORE_PAIR,
    LOAD_PAIR,
    TABLE,
    MOV,
    ADD,
    ADD_CONSTANT,
    MOVW,
    MOVT,
    SYSTEM,
    LOOP,
    LOOP_START,
    CALL,
    NEAR,
    FP_MEMORY,
    FP_MULTIPLE,
    /* both */
    LITERAL,
    ADR,
    INDEXED,
    STORE,
    STORE_PART,
    LOAD_PART,
    LOAD,
    STM,
    LDM,
    BX,
    BRANCH,
    BRANCH_IF,
    STOP
};

/* Registers of 16-bit instructions, read (r) or written (w): where their numbers are. */
enum {
    wL = 1,        /* bits 2..0 */
    rL = 2,        /* the same */
    r3 = 4,        /* bits 5..3 */
    r6 = 8,        /* bits 8..6 */
    w8 = 0x10,     /* bits 10..8 */
    r8 = 0x20,     /* the same */
    wH = 0x40,     /* bits 7, 2..0 */
    rH = 0x80,     /* the same */
    rS = 0x100,    /* bits 6..3 */
    wLIST = 0x200, /* bits 7..0; of 32-bit ones 15..0 */
    rLIST = 0x400
};
/* Of 32-bit instructions. */
enum {
    wN = 1, /* bits 19..16 */
    rN = 2,
    wT = 4, /* bits 15..12 */
    rT = 8,
    wD = 0x10, /* bits 11..8 */
    rD = 0x20,
    wM = 0x40, /* bits 3..0 */
    rM = 0x80,
    wBACK = 0x800,       /* bit 21: n is written */
    NOT_PC = 0x1000,     /* n = 15 is undefined */
    rwPAIR = 0x2000,     /* 2 × bits 19..17, 2 × bits 11..9 + 1 */
    rwEVEN = 0x4000,     /* 2 × bits 15..13 */
    rwEVEN_ODD = 0x8000, /* the same, 2 × bits 22..20 + 1 */
    rwFIRST = 0x10000,   /* 2 × bits 19..17 */
    rwLOW_BACK = 0x20000 /* bits 18..16, written if bit 21 */
};

struct row {
    uint32_t mask, value;
    uint8_t family, shape;
    uint32_t registers;
};

static const struct row rows16[] = {
#define X16(mask, value, family, shape, registers)                                                 \
    {mask, value, RP_FAMILY_##family, shape, registers},
#include "elfpack/insn/insn.def"
#undef X16
};

static const struct row rows32[] = {
#define X32(mask, value, family, shape, registers)                                                 \
    {mask, value, RP_FAMILY_##family, shape, registers},
#include "elfpack/insn/insn.def"
#undef X32
};

static const struct row *find(const struct row *rows, size_t count, uint32_t code) {
    for (size_t i = 0; i < count; i++)
        if ((code & rows[i].mask) == rows[i].value)
            return &rows[i];
    return NULL;
}

/* ---- fields ---- */

static uint32_t field(uint32_t code, unsigned low, unsigned bits) {
    return code >> low & ((1u << bits) - 1);
}

static int32_t extend(uint32_t value, unsigned bits) {
    uint32_t sign = 1u << (bits - 1);
    return (int32_t)((value ^ sign) - sign);
}

static uint32_t bit(uint32_t number) {
    return 1u << number;
}

/* The 12 bits i:imm3:imm8 of many 32-bit instructions. */
static uint32_t constant12(uint32_t code) {
    return field(code, 26, 1) << 11 | field(code, 12, 3) << 8 | field(code, 0, 8);
}

/* ThumbExpandImm (A5.3.2). */
static uint32_t expand(uint32_t constant) {
    uint32_t byte = constant & 0xFF, rotation = constant >> 7;
    if (constant >> 10 == 0)
        return byte * ((constant >> 8 & 3) == 0   ? 1u
                       : (constant >> 8 & 3) == 1 ? 0x10001u
                       : (constant >> 8 & 3) == 2 ? 0x1000100u
                                                  : 0x1010101u);
    byte = 0x80 | (constant & 0x7F);
    return byte >> rotation | byte << (32 - rotation);
}

/* ---- 16 bits ---- */

static void registers16(struct rp_insn *out, uint32_t is) {
    uint32_t code = out->code, low = bit(field(code, 0, 3)), byte = bit(field(code, 8, 3));
    uint32_t high = bit(field(code, 7, 1) << 3 | field(code, 0, 3));
    uint32_t reads = ((is & rL) != 0 ? low : 0) | ((is & r3) != 0 ? bit(field(code, 3, 3)) : 0) |
                     ((is & r6) != 0 ? bit(field(code, 6, 3)) : 0) | ((is & r8) != 0 ? byte : 0) |
                     ((is & rH) != 0 ? high : 0) | ((is & rS) != 0 ? bit(field(code, 3, 4)) : 0) |
                     ((is & rLIST) != 0 ? field(code, 0, 8) : 0);
    uint32_t writes = ((is & wL) != 0 ? low : 0) | ((is & w8) != 0 ? byte : 0) |
                      ((is & wH) != 0 ? high : 0) | ((is & wLIST) != 0 ? field(code, 0, 8) : 0);
    out->reads = (uint16_t)reads;
    out->writes = (uint16_t)(writes & 0x7FFF);
}

/* LDM, STM, PUSH, POP. back: n is written back. */
static void take_list(struct rp_insn *out, bool store, uint32_t list, bool down, bool back) {
    int32_t bytes = 0;
    for (uint32_t left = list; left != 0; left &= left - 1)
        bytes += 4;
    out->kind = store ? RP_INSN_STORE_LIST : RP_INSN_LOAD_LIST;
    *(store ? &out->reads : &out->writes) = (uint16_t)list;
    if (back)
        out->writes |= (uint16_t)bit(out->n);
    out->imm = down ? -bytes : 0;
    out->step = !back ? 0 : down ? -bytes : bytes;
}

static void stack16(struct rp_insn *out, unsigned shape) {
    uint32_t code = out->code;
    out->n = 13;
    out->d = (uint8_t)field(code, 8, 3);
    out->imm = (int32_t)field(code, 0, 8) * 4;
    if (shape == STORE_SP || shape == LOAD_SP) {
        out->kind = shape == STORE_SP ? RP_INSN_STORE : RP_INSN_LOAD;
    } else if (shape == PUSH) {
        take_list(out, true, field(code, 0, 8) | field(code, 8, 1) << 14, true, true);
    } else if (shape == POP) {
        take_list(out, false, field(code, 0, 8) | field(code, 8, 1) << 15, false, true);
        out->flow = field(code, 8, 1) != 0 ? RP_FLOW_JUMP : RP_FLOW_NEXT;
    } else {
        out->kind = RP_INSN_ADD_CONSTANT;
        if (shape == MOVE_SP) {
            out->d = 13;
            out->imm = (int32_t)field(code, 0, 7) * (field(code, 7, 1) != 0 ? -4 : 4);
            out->writes = (uint16_t)bit(13);
        }
    }
}

static void arithmetic16(struct rp_insn *out, unsigned shape) {
    uint32_t code = out->code;
    bool subtract = field(code, shape == ADD_BYTE ? 11 : 9, 1) != 0;
    out->d = (uint8_t)field(code, 0, 3);
    out->n = (uint8_t)field(code, 3, 3);
    out->m = (uint8_t)field(code, 6, 3);
    out->kind = RP_INSN_ADD_CONSTANT;
    if (shape == ADD_BYTE) {
        out->d = out->n = (uint8_t)field(code, 8, 3);
        out->imm = (int32_t)field(code, 0, 8) * (subtract ? -1 : 1);
    } else if (field(code, 10, 1) != 0) {
        out->imm = (int32_t)out->m * (subtract ? -1 : 1);
    } else {
        out->kind = subtract ? RP_INSN_OTHER : RP_INSN_ADD;
        out->reads |= (uint16_t)bit(out->m);
    }
}

static void high16(struct rp_insn *out, unsigned shape) {
    out->d = out->n = (uint8_t)(field(out->code, 7, 1) << 3 | field(out->code, 0, 3));
    out->m = (uint8_t)field(out->code, 3, 4);
    out->kind = shape == ADD_HIGH ? RP_INSN_ADD : RP_INSN_MOV;
    if (out->d == 15) {
        out->flow = RP_FLOW_JUMP;
        out->kind = shape == ADD_HIGH ? RP_INSN_ADD : RP_INSN_OTHER;
    }
}

static void branch16(struct rp_insn *out, unsigned shape, uint32_t address) {
    uint32_t code = out->code;
    out->m = (uint8_t)field(code, 3, 4);
    out->flow = shape == BX       ? RP_FLOW_JUMP
                : shape == BLX    ? RP_FLOW_CALL_REG
                : shape == BRANCH ? RP_FLOW_BRANCH
                                  : RP_FLOW_BRANCH_IF;
    out->target = address + 4 +
                  (shape == BRANCH      ? (uint32_t)extend(field(code, 0, 11) << 1, 12)
                   : shape == BRANCH_IF ? (uint32_t)extend(field(code, 0, 8) << 1, 9)
                                        : field(code, 9, 1) << 6 | field(code, 3, 5) << 1);
}

static uint8_t memory_kind(unsigned shape) {
    return shape == STORE       ? RP_INSN_STORE
           : shape == LOAD      ? RP_INSN_LOAD
           : shape == LOAD_PART ? RP_INSN_LOAD_PART
                                : RP_INSN_STORE_PART;
}

static void operands16(struct rp_insn *out, unsigned shape, uint32_t address) {
    uint32_t code = out->code;
    switch (shape) {
    case ADD_SMALL:
    case ADD_BYTE:
        arithmetic16(out, shape);
        break;
    case ADD_HIGH:
    case MOV_HIGH:
        high16(out, shape);
        break;
    case SHIFT_LEFT:
    case NEGATE:
        out->kind = shape == NEGATE ? RP_INSN_NEGATE : RP_INSN_SHIFT_LEFT;
        out->d = (uint8_t)field(code, 0, 3);
        out->m = (uint8_t)field(code, 3, 3);
        out->imm = (int32_t)field(code, 6, 5);
        if (shape == SHIFT_LEFT && out->imm == 0)
            out->kind = RP_INSN_MOV;
        break;
    case MOV_BYTE:
        out->kind = RP_INSN_CONSTANT;
        out->d = (uint8_t)field(code, 8, 3);
        out->imm = (int32_t)field(code, 0, 8);
        break;
    case STORE_SP:
    case LOAD_SP:
    case ADD_SP:
    case MOVE_SP:
    case PUSH:
    case POP:
        stack16(out, shape);
        break;
    case BX:
    case BLX:
    case BRANCH:
    case BRANCH_IF:
    case COMPARE_BRANCH:
        branch16(out, shape, address);
        break;
    case LITERAL:
    case ADR:
        out->kind = shape == LITERAL ? RP_INSN_LITERAL : RP_INSN_ADDRESS;
        out->d = (uint8_t)field(code, 8, 3);
        out->target = ((address + 4) & ~3u) + field(code, 0, 8) * 4;
        break;
    case STORE:
    case LOAD:
    case STORE_PART:
    case LOAD_PART:
        out->kind = memory_kind(shape);
        out->m = field(code, 15, 1) != 0 ? 2 : 1; /* bytes, unless it is a word */
        out->imm = (int32_t)field(code, 6, 5) * (shape == STORE || shape == LOAD ? 4 : out->m);
        out->d = (uint8_t)field(code, 0, 3);
        out->n = (uint8_t)field(code, 3, 3);
        break;
    case INDEXED:
        out->kind = RP_INSN_INDEXED;
        out->d = (uint8_t)field(code, 0, 3);
        out->n = (uint8_t)field(code, 3, 3);
        out->m = (uint8_t)field(code, 6, 3);
        break;
    case STM:
    case LDM:
        out->n = (uint8_t)field(code, 8, 3);
        take_list(out, shape == STM, field(code, 0, 8), false,
                  shape == STM || (field(code, 0, 8) >> out->n & 1) == 0);
        break;
    case IT:
        out->kind = RP_INSN_IT;
        out->imm = (int32_t)field(code, 0, 8);
        break;
    case STOP:
        out->flow = RP_FLOW_STOP;
        break;
    default:
        break;
    }
}

/* ---- 32 bits ---- */

static void registers32(struct rp_insn *out, uint32_t is) {
    uint32_t code = out->code;
    uint32_t n = bit(field(code, 16, 4)), t = bit(field(code, 12, 4)), d = bit(field(code, 8, 4));
    uint32_t m = bit(field(code, 0, 4)), even = bit(2 * field(code, 13, 3));
    uint32_t odd = bit(2 * field(code, 20, 3) + 1), first = bit(2 * field(code, 17, 3));
    uint32_t second = bit(2 * field(code, 9, 3) + 1), low = bit(field(code, 16, 3));
    uint32_t both = ((is & rwPAIR) != 0 ? first | second : 0) | ((is & rwEVEN) != 0 ? even : 0) |
                    ((is & rwEVEN_ODD) != 0 ? even | odd : 0) | ((is & rwFIRST) != 0 ? first : 0);
    bool back = field(code, 21, 1) != 0;
    out->reads = (uint16_t)(both | ((is & rN) != 0 ? n : 0) | ((is & rT) != 0 ? t : 0) |
                            ((is & rD) != 0 ? d : 0) | ((is & rM) != 0 ? m : 0) |
                            ((is & rwLOW_BACK) != 0 ? low : 0));
    out->writes = (uint16_t)(both | ((is & wN) != 0 ? n : 0) | ((is & wT) != 0 ? t : 0) |
                             ((is & wD) != 0 ? d : 0) | ((is & wM) != 0 ? m : 0) |
                             ((is & wBACK) != 0 && back ? n : 0) |
                             ((is & rwLOW_BACK) != 0 && back ? low : 0) |
                             ((is & wLIST) != 0 ? field(code, 0, 16) : 0));
    out->writes &= 0x7FFF;
}

/* STR, STRB, STRH, LDR, LDRB …: imm12, or PUW and imm8. */
static void memory32(struct rp_insn *out, unsigned shape) {
    uint32_t code = out->code;
    out->kind = memory_kind(shape);
    if (shape == STORE_PART)
        out->m = (uint8_t)(1 << field(code, 21, 2));
    out->d = (uint8_t)field(code, 12, 4);
    out->imm = (int32_t)field(code, 0, 12);
    if (field(code, 23, 1) == 0) {
        int32_t offset = (int32_t)field(code, 0, 8) * (field(code, 9, 1) != 0 ? 1 : -1);
        out->imm = field(code, 10, 1) != 0 ? offset : 0;
        out->step = field(code, 8, 1) != 0 ? offset : 0;
    }
    if (shape == LOAD && out->d == 15)
        out->flow = RP_FLOW_JUMP;
}

static void pair32(struct rp_insn *out, unsigned shape) {
    uint32_t code = out->code;
    int32_t offset = (int32_t)field(code, 0, 8) * (field(code, 23, 1) != 0 ? 4 : -4);
    out->kind = shape == STORE_PAIR ? RP_INSN_STORE_PAIR : RP_INSN_LOAD_PAIR;
    out->d = (uint8_t)field(code, 12, 4);
    out->m = (uint8_t)field(code, 8, 4);
    out->imm = field(code, 24, 1) != 0 ? offset : 0;
    out->step = field(code, 21, 1) != 0 ? offset : 0;
}

static void branch32(struct rp_insn *out, unsigned shape, uint32_t address) {
    uint32_t code = out->code, stored = code >> 16 | code << 16;
    uint32_t distance = field(code, 1, 10) << 2 | field(code, 11, 1) << 1;
    if (shape == LOOP || shape == LOOP_START)
        out->target = shape == LOOP ? address + 4 - distance : address + 4 + distance;
    else
        out->target = rp_thumb_branch(stored, address, shape == BRANCH_IF);
    out->flow = shape == CALL ? RP_FLOW_CALL : shape == BRANCH ? RP_FLOW_BRANCH : RP_FLOW_BRANCH_IF;
}

static void near32(struct rp_insn *out, unsigned shape, uint32_t address) {
    uint32_t code = out->code, here = (address + 4) & ~3u;
    bool down = shape == ADR ? field(code, 23, 1) != 0 : field(code, 23, 1) == 0;
    uint32_t offset = shape == ADR ? constant12(code) : field(code, 0, 12);
    out->kind = shape == ADR ? RP_INSN_ADDRESS : shape == LITERAL ? RP_INSN_LITERAL : RP_INSN_NEAR;
    out->d = (uint8_t)field(code, shape == ADR ? 8 : 12, 4);
    out->target = down ? here - offset : here + offset;
    if (shape == LITERAL && out->d == 15)
        out->flow = RP_FLOW_JUMP;
}

static void fp32(struct rp_insn *out, unsigned shape) {
    uint32_t code = out->code;
    bool down = field(code, 23, 1) == 0;
    bool store = field(code, 20, 1) == 0;
    uint32_t size = field(code, 8, 4) == 11 ? 8 : field(code, 8, 4) == 10 ? 4 : 2;
    int32_t bytes = (int32_t)field(code, 0, 8) * (size == 2 ? 2 : 4);
    if (shape == FP_MULTIPLE) {
        out->kind = store ? RP_INSN_STORE_PART : RP_INSN_FP_LIST;
        out->step = field(code, 21, 1) == 0 ? 0 : down ? -bytes : bytes;
        out->imm = down ? -bytes : 0;
        size = bytes < 255 ? (uint32_t)bytes : 255; /* at most 128 are defined */
    } else if (out->n == 15) {
        out->kind = RP_INSN_NEAR;
    } else if (store) {
        out->kind = RP_INSN_STORE_PART;
        out->imm = down ? -bytes : bytes;
    }
    if (out->kind == RP_INSN_STORE_PART) {
        out->d = 15; /* not a general register */
        out->m = (uint8_t)size;
    }
}

/*
 * The family of a special register, SYSm of MRS and MSR (B5.2): Armv6-M lacks BASEPRI and
 * FAULTMASK; those that Armv8-M added belong to its family.
 */
static uint8_t system_family(uint32_t code) {
    uint32_t number = field(code, 0, 8), low = number & 0x7F;
    if (number >= 17 && number <= 19)
        return RP_FAMILY_V7M;
    if (number <= 9 || number == 16 || number == 20)
        return number == 4 ? RP_FAMILY_NONE : RP_FAMILY_V6M;
    if (low >= 0x20 && low <= 0x27)
        return RP_FAMILY_PACBTI;
    bool added =
        low == 8 || low == 9 || low == 10 || low == 11 || low == 0x18 || (low >= 16 && low <= 20);
    return added ? RP_FAMILY_V8M : RP_FAMILY_NONE;
}

static void operands32(struct rp_insn *out, unsigned shape, uint32_t address) {
    uint32_t code = out->code, constant;
    out->n = (uint8_t)field(code, 16, 4);
    out->d = (uint8_t)field(code, 8, 4);
    out->m = (uint8_t)field(code, 0, 4);
    switch (shape) {
    case STM:
    case LDM:
    case STM_DOWN:
    case LDM_DOWN:
        take_list(out, shape == STM || shape == STM_DOWN, field(code, 0, 16),
                  shape == STM_DOWN || shape == LDM_DOWN, field(code, 21, 1) != 0);
        if (out->kind == RP_INSN_LOAD_LIST && (out->writes & 0x8000) != 0)
            out->flow = RP_FLOW_JUMP;
        break;
    case STORE:
    case STORE_PART:
    case LOAD_PART:
    case LOAD:
        memory32(out, shape);
        break;
    case STORE_PAIR:
    case LOAD_PAIR:
        pair32(out, shape);
        break;
    case LOOP:
    case LOOP_START:
    case BRANCH:
    case BRANCH_IF:
    case CALL:
        branch32(out, shape, address);
        break;
    case LITERAL:
    case NEAR:
    case ADR:
        near32(out, shape, address);
        break;
    case FP_MEMORY:
    case FP_MULTIPLE:
        fp32(out, shape);
        break;
    case INDEXED:
        out->kind = RP_INSN_INDEXED;
        out->d = (uint8_t)field(code, 12, 4);
        if (out->d == 15 && (code & 0xFFF00000u) == 0xF8500000u)
            out->flow = RP_FLOW_JUMP;
        break;
    case ADD_CONSTANT:
        constant = field(code, 25, 1) != 0 ? constant12(code) : expand(constant12(code));
        out->kind = RP_INSN_ADD_CONSTANT;
        out->imm = (int32_t)(field(code, 23, 1) != 0 ? 0 - constant : constant);
        break;
    case MOV:
        out->kind = RP_INSN_MOV;
        break;
    case ADD:
        out->kind = RP_INSN_ADD;
        break;
    case MOVW:
    case MOVT:
        out->kind = shape == MOVW ? RP_INSN_MOVW : RP_INSN_MOVT;
        out->imm = (int32_t)(field(code, 16, 4) << 12 | constant12(code));
        break;
    case SYSTEM:
        out->family = system_family(code);
        break;
    case TABLE:
        out->flow = RP_FLOW_TABLE;
        break;
    case BX:
        out->flow = RP_FLOW_JUMP;
        break;
    case STOP:
        out->flow = RP_FLOW_STOP;
        break;
    default:
        break;
    }
}

/* ---- both ---- */

static uint32_t half(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8;
}

struct rp_insn rp_insn_read(const uint8_t *at, uint32_t left, uint32_t address) {
    struct rp_insn out = {0};
    if (left < 2)
        return out;
    out.code = half(at);
    out.size = out.code >= 0xE800 ? 4 : 2; /* A5.1 */
    if (out.size > left)
        return (struct rp_insn){.code = out.code, .size = 2};
    if (out.size == 2) {
        const struct row *row = find(rows16, sizeof rows16 / sizeof rows16[0], out.code);
        if (row == NULL)
            return out;
        out.family = row->family;
        registers16(&out, row->registers);
        operands16(&out, row->shape, address);
        return out;
    }
    out.code = out.code << 16 | half(at + 2);
    const struct row *row = find(rows32, sizeof rows32 / sizeof rows32[0], out.code);
    if (row == NULL || ((row->registers & NOT_PC) != 0 && field(out.code, 16, 4) == 15))
        return out;
    out.family = row->family;
    registers32(&out, row->registers);
    operands32(&out, row->shape, address);
    return out;
}

bool rp_insn_is_filling(const struct rp_insn *insn) {
    return insn->code == 0xBF00 || insn->code == 0xF3AF8000 || insn->code == 0x46C0;
}

unsigned rp_insn_it_count(const struct rp_insn *it) {
    unsigned count = 4;
    for (uint32_t mask = (uint32_t)it->imm & 15; (mask & 1) == 0 && count > 1; mask >>= 1)
        count--;
    return count;
}

bool rp_insn_it_then(const struct rp_insn *it, unsigned index) {
    uint32_t first = (uint32_t)it->imm >> 4 & 1;
    return index == 0 || ((uint32_t)it->imm >> (4 - index) & 1) == first;
}
