/* SPDX-License-Identifier: Apache-2.0 */
/* Operations as Thumb instructions: see r9_program.h. */
#include "tests/unit/r9_program.h"

#include <elf.h>

#include "runtime/format/reloc_format.h"
#include "tests/unit/r9_codes.h"

enum { PC = 15, LITERALS = 2 };

/* Armv7-M ARM, A7.7. A word with bits 31..16 is an instruction of 32 bits. */
static uint32_t code_of(const struct op *op) {
    uint32_t d = op->d, n = op->n, m = op->m, imm = (uint32_t)op->imm;
    uint32_t n_d = n << 16 | d << 12, high = (d & 8) << 4 | n << 3 | (d & 7);
    uint32_t down = op->imm < 0 ? 0 - imm : imm;
    switch (op->kind) {
    case OP_MOV:
        return 0x4600 | high;
    case OP_NUMBER:
        return 0x2000 | d << 8 | imm;
    case OP_ADD:
        return 0x4400 | high;
    case OP_ADD_NUMBER: /* ADDW, SUBW */
        return (op->imm < 0 ? 0xF2A00000 : 0xF2000000) | n << 16 | d << 8 | down;
    case OP_MIX:
        return 0xEA800000 | n << 16 | d << 8 | m;
    case OP_NEAR:
        return 0x4478 | (d & 8) << 4 | (d & 7);
    case OP_MOVE_SP:
        return (op->imm < 0 ? 0xB080 : 0xB000) | down / 4;
    case OP_LOAD:
        return 0xF8D00000 | n_d | imm;
    case OP_STORE:
        return 0xF8C00000 | n_d | imm;
    case OP_LOAD_AFTER:
        return 0xF8500B00 | n_d | imm;
    case OP_STORE_BEFORE:
        return 0xF8400D00 | n_d | down;
    case OP_LOAD_PAIR:
        return 0xE9D00000 | n_d | m << 8 | imm / 4;
    case OP_STORE_PAIR:
        return 0xE9C00000 | n_d | m << 8 | imm / 4;
    case OP_LOAD_BYTE:
        return 0xF8900000 | n_d | imm;
    case OP_STORE_BYTE:
        return 0xF8800000 | n_d | imm;
    case OP_STORE_HALF:
        return 0xF8A00000 | n_d | imm;
    case OP_STORE_FP:
        return 0xED800A00 | n << 16 | imm / 4;
    case OP_STORE_DOUBLE:
        return 0xED800B00 | n << 16 | imm / 4;
    case OP_LOAD_INDEXED:
        return 0xF8500000 | n_d | m;
    case OP_STORE_INDEXED:
        return 0xF8400000 | n_d | m;
    case OP_PUSH:
        return 0xE92D0000 | op->list;
    case OP_POP:
        return 0xE8BD0000 | op->list;
    case OP_STORE_LIST:
        return 0xE8A00000 | n << 16 | op->list;
    case OP_IT:
        return 0xBF00 | op->list;
    case OP_COMPARE:
        return 0x2800 | d << 8 | imm;
    case OP_CALL_REG:
        return 0x4780 | n << 3;
    case OP_JUMP:
        return 0x4700 | n << 3;
    case OP_MOV_PC:
        return 0x4687 | n << 3;
    case OP_ADD_PC:
        return 0x4487 | n << 3;
    case OP_LOAD_PC:
        return 0xF8D0F000 | n << 16 | imm;
    case OP_TABLE:
        return 0xE8DFF000 | m | (imm == 2 ? 0x10 : 0);
    case OP_TABLE_AWAY:
        return 0xE8D0F000 | n << 16 | m;
    default:
        return NOP;
    }
}

static uint32_t size_of(const struct op *op) {
    switch (op->kind) {
    case OP_TABLE:
        return op->imm == 2 ? 8 : 6;
    case OP_DISTANCE:
    case OP_LITERAL:
    case OP_IF:
    case OP_GO:
    case OP_CALL:
        return 4;
    default:
        return code_of(op) > 0xFFFF ? 4 : 2;
    }
}

static void mark(struct code_sample *s, const char *name) {
    code_symbol(s, name, STT_NOTYPE, code_here(s))->bind = STB_LOCAL;
}

static void put_table(struct code_sample *s, const struct op *op, const uint32_t *at) {
    uint32_t start = code_here(s) + 4;
    uint32_t first = (at[op->targets[0]] - start) / 2, second = (at[op->targets[1]] - start) / 2;
    CODE(s, code_of(op));
    mark(s, "$d");
    if (op->imm == 2)
        CODE(s, first, second);
    else
        CODE(s, first | second << 8);
    mark(s, "$t");
}

static void put_op(struct code_sample *s, const struct op *op, const uint32_t *at,
                   const uint32_t callees[CALLEE_COUNT], uint32_t literals) {
    uint32_t here = code_here(s), load = 0xF8DF0000u | (uint32_t)op->d << 12;
    switch (op->kind) {
    case OP_DISTANCE:
    case OP_LITERAL:
        CODE(s, load | (literals + (op->kind == OP_LITERAL ? 4 : 0) - ((here + 4) & ~3u)));
        break;
    case OP_IF: { /* encoding T3, near by */
        uint32_t offset = at[op->targets[0]] - (here + 4);
        CODE(s, 0xF0008000u | (offset >> 10 & 0x400) << 16 | (offset >> 12 & 0x3F) << 16 |
                    (offset >> 31 != 0 ? 0x2800u : 0) | (offset >> 1 & 0x7FF));
        break;
    }
    case OP_GO:
        code_jump(s, at[op->targets[0]]);
        break;
    case OP_CALL:
        code_call(s, callees[op->callee]);
        break;
    case OP_TABLE:
        put_table(s, op, at);
        break;
    default:
        CODE(s, code_of(op));
    }
}

void program_put(const struct program *program, struct code_sample *s) {
    uint32_t callees[CALLEE_COUNT], at[OPS_MAX] = {0};
    bool distance = false;
    code_make(s);
    code_symbol(s, "v", STT_OBJECT, RELOC_SEG_RAM)->section = 2;
    callees[CALLEE_NEEDY] = code_function(s, "needy");
    CODE(s, LOAD_BY_R9, BX_LR);
    callees[CALLEE_PLAIN] = code_function(s, "plain");
    CODE(s, NOP, BX_LR);
    callees[CALLEE_HANDS] = code_function(s, "hands");
    CODE(s, PUSH);
    code_call(s, callees[CALLEE_NEEDY]);
    CODE(s, POP);
    uint32_t end = code_function(s, "f");
    for (unsigned i = 0; i < program->count; i++) {
        at[i] = end;
        end += size_of(&program->ops[i]);
        distance = distance || program->ops[i].kind == OP_DISTANCE;
    }
    uint32_t literals = (end + 3) & ~3u;
    callees[CALLEE_LABEL] = program->label != NO_LABEL ? at[program->label] : 0;
    for (unsigned i = 0; i < program->count; i++) {
        assert_int_equal(code_here(s), at[i]);
        put_op(s, &program->ops[i], at, callees, literals);
    }
    mark(s, "$d");
    if (code_here(s) != literals)
        CODE(s, NOP);
    if (distance)
        code_reloc(s, literals, R_ARM_GOT32, 1 /* v */);
    for (unsigned i = 0; i < LITERALS; i++)
        code_word(s, 0);
    unit_put32(s->data, program->label_taken ? callees[CALLEE_LABEL] | 1 : 0);
    unit_put32(s->data + 4, program->needy_taken ? callees[CALLEE_NEEDY] | 1 : 0);
}

void program_print(const struct program *program) {
    static const char *const names[OP_KINDS] = {
        "nop",       "mov",         "number",      "distance",    "literal",      "add",
        "addnumber", "mix",         "near",        "movesp",      "load",         "store",
        "loadafter", "storebefore", "loadpair",    "storepair",   "loadbyte",     "storebyte",
        "storehalf", "storefp",     "storedouble", "loadindexed", "storeindexed", "push",
        "pop",       "storelist",   "it",          "compare",     "if",           "go",
        "call",      "callreg",     "jump",        "movpc",       "addpc",        "loadpc",
        "table",     "tableaway"};
    for (unsigned i = 0; i < program->count; i++) {
        const struct op *op = &program->ops[i];
        printf("%s%3u %s%s d%u n%u m%u imm %d list %x to %u %u callee %u\n",
               program->label == i ? (program->label_taken ? "taken " : "label ") : "", i,
               op->maybe ? op->then ? "then " : "else " : "", names[op->kind], op->d, op->n, op->m,
               (int)op->imm, (unsigned)op->list, op->targets[0], op->targets[1], op->callee);
    }
    printf("needy is %staken\n", program->needy_taken ? "" : "not ");
}
