/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions for tests of elfpack/r9, as abstract operations: r9_program.c writes them as Thumb
 * instructions, r9_machine.c runs the operations. Neither knows the decoder of elfpack.
 */
#ifndef RP_TESTS_UNIT_R9_PROGRAM_H
#define RP_TESTS_UNIT_R9_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/unit/code_sample.h"

enum op_kind {
    OP_NOP,
    OP_MOV,           /* d = n */
    OP_NUMBER,        /* d = imm, 0 to 255; d is r0 to r7 */
    OP_DISTANCE,      /* d = the literal, a distance from r9 */
    OP_LITERAL,       /* d = the literal, a number */
    OP_ADD,           /* d = d + n */
    OP_ADD_NUMBER,    /* d = n + imm */
    OP_MIX,           /* d = n ^ m */
    OP_NEAR,          /* d = d + pc */
    OP_MOVE_SP,       /* sp = sp + imm */
    OP_LOAD,          /* d = [n + imm] */
    OP_STORE,         /* [n + imm] = d */
    OP_LOAD_AFTER,    /* d = [n]; n += imm */
    OP_STORE_BEFORE,  /* n += imm; [n] = d */
    OP_LOAD_PAIR,     /* d, m = [n + imm] */
    OP_STORE_PAIR,    /* [n + imm] = d, m */
    OP_LOAD_BYTE,     /* d = byte [n + imm] */
    OP_STORE_BYTE,    /* byte [n + imm] = d */
    OP_STORE_HALF,    /* half-word [n + imm] = d */
    OP_STORE_FP,      /* [n + imm] = s0 */
    OP_STORE_DOUBLE,  /* [n + imm] = d0 */
    OP_LOAD_INDEXED,  /* d = [n + m] */
    OP_STORE_INDEXED, /* [n + m] = d */
    OP_PUSH,          /* list */
    OP_POP,           /* list, with pc perhaps */
    OP_STORE_LIST,    /* [n] = list; n += its size */
    OP_IT,            /* list: mask and condition as in the instruction */
    OP_COMPARE,       /* changes the flags */
    OP_IF,            /* to targets[0], or on */
    OP_GO,            /* to targets[0] */
    OP_CALL,          /* of callee */
    OP_CALL_REG,      /* of n */
    OP_JUMP,          /* bx n */
    OP_MOV_PC,        /* pc = n */
    OP_ADD_PC,        /* pc = pc + n */
    OP_LOAD_PC,       /* pc = [n + imm] */
    OP_TABLE,         /* tbb, or tbh if imm is 2, with a table of both targets behind it */
    OP_TABLE_AWAY,    /* tbb [n, m]: the table is elsewhere */
    OP_KINDS
};

/* NEEDY loads by r9, and HANDS calls it. */
enum callee { CALLEE_NEEDY, CALLEE_PLAIN, CALLEE_HANDS, CALLEE_LABEL, CALLEE_COUNT };

struct op {
    uint8_t kind, d, n, m;
    uint8_t callee, targets[2]; /* indices of operations */
    bool maybe, then;           /* in an IT block: executed if the condition holds, or if not */
    int32_t imm;
    uint32_t list;
};

enum { OPS_MAX = 40, NO_LABEL = 255 };

struct program {
    struct op ops[OPS_MAX];
    unsigned count;
    uint8_t label;    /* an operation that is called, or whose address is taken; or NO_LABEL */
    bool label_taken; /* that address, and that of NEEDY, is in the data */
    bool needy_taken;
};

/* Writes the functions needy, plain, hands, and the program as f. */
void program_put(const struct program *program, struct code_sample *sample);
/* For people: an operation on each line. */
void program_print(const struct program *program);

#endif
