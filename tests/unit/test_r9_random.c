/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Property test of elfpack/r9: what it accepts of random functions never returns with another r9,
 * never calls what needs r9 with another one, and never adds a distance to anything else. Each
 * accepted function is run many times with random decisions; the analysis is not told where
 * computed jumps lead. RP_R9_FUNCTIONS sets how many functions are made.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "elfpack/check/r9.h"
#include "runtime/format/reloc_format.h"
#include "tests/unit/r9_machine.h"
#include "tests/unit/r9_program.h"

enum { FUNCTIONS = 3000, RUNS = 100, SHOWN_MAX = 3 };
enum { R9 = 9, SP = 13, LR = 14, PC = 15 };

/* What a function may have; each is in some of them. */
enum {
    HAS_WRITE = 1, /* of r9 */
    HAS_BLOCK = 2, /* IT */
    HAS_CALL = 4,
    HAS_POINTER = 8, /* a call through a register */
    HAS_TABLE = 0x10,
    HAS_JUMP = 0x20, /* computed */
    HAS_DISTANCE = 0x40,
    HAS_STACK = 0x80, /* loads and stores of words */
    HAS_PARTS = 0x100,
    HAS_BRANCH = 0x200,
    HAS_LABEL = 0x400,
    FEATURES = 11
};

/* How r9 is saved and restored. */
enum saving { BY_PUSH, BY_MOVE, BY_STORE, BY_PAIR, NOT_SAVED };

struct maker {
    struct random random;
    struct program program;
    unsigned features;
    enum saving saving;
    uint8_t frame;       /* bytes */
    bool pushes;         /* r4, r5 and lr, at least */
    bool keeps_sp;       /* in r6 */
    unsigned returns_to; /* after the last call by a jump, or 0 */
};

static uint32_t below(struct maker *m, uint32_t count) {
    return random_below(&m->random, count);
}

static bool has(const struct maker *m, unsigned feature) {
    return (m->features & feature) != 0;
}

static struct op *add(struct maker *m, enum op_kind kind) {
    assert_true(m->program.count < OPS_MAX);
    struct op *op = &m->program.ops[m->program.count++];
    *op = (struct op){.kind = (uint8_t)kind};
    return op;
}

static void add_move(struct maker *m, unsigned d, unsigned n) {
    struct op *op = add(m, OP_MOV);
    op->d = (uint8_t)d;
    op->n = (uint8_t)n;
}

/* A register to write: not the one in which r9 is saved, mostly. */
static uint8_t some_target(struct maker *m) {
    static const uint8_t regs[] = {0, 1, 2, 3, 3, 4, 5, 5, 6, 12, LR, R9, R9};
    for (;;) {
        uint8_t reg = regs[below(m, COUNT(regs))];
        bool kept = (reg == R9 && !has(m, HAS_WRITE)) || (reg == LR && !m->pushes) ||
                    (reg == 4 && m->saving == BY_MOVE) || (reg == 6 && m->keeps_sp);
        if (!kept || (reg != R9 && below(m, 12) == 0))
            return reg;
    }
}

static uint8_t some_register(struct maker *m) {
    static const uint8_t regs[] = {0, 1, 2, 3, 3, 4, 5, 6, 12, LR, R9, R9};
    return regs[below(m, COUNT(regs))];
}

/* ---- one operation ---- */

static void add_memory(struct maker *m, bool part) {
    static const uint8_t words[] = {OP_LOAD,         OP_STORE,         OP_LOAD,
                                    OP_STORE,        OP_STORE_PAIR,    OP_LOAD_PAIR,
                                    OP_LOAD_INDEXED, OP_STORE_INDEXED, OP_STORE_BEFORE,
                                    OP_LOAD_AFTER,   OP_STORE_LIST};
    static const uint8_t parts[] = {OP_STORE_BYTE, OP_STORE_HALF, OP_STORE_FP, OP_STORE_DOUBLE,
                                    OP_LOAD_BYTE};
    struct op *op = add(m, part ? parts[below(m, COUNT(parts))] : words[below(m, COUNT(words))]);
    bool load = op->kind == OP_LOAD || op->kind == OP_LOAD_PAIR || op->kind == OP_LOAD_INDEXED ||
                op->kind == OP_LOAD_AFTER || op->kind == OP_LOAD_BYTE;
    op->d = load ? some_target(m) : some_register(m);
    op->n = below(m, 3) != 0 ? SP : some_register(m);
    op->imm = 4 * (int32_t)below(m, 8);
    op->m = load ? some_target(m) : some_register(m);
    if (op->kind == OP_LOAD_INDEXED || op->kind == OP_STORE_INDEXED)
        op->m = some_register(m);
    if (op->kind == OP_LOAD_BYTE || op->kind == OP_STORE_BYTE)
        op->imm += (int32_t)below(m, 4);
    if (op->kind == OP_STORE_LIST)
        op->list = 0x1211 | 1u << below(m, 9);
    if (op->kind == OP_STORE_BEFORE || op->kind == OP_LOAD_AFTER)
        op->imm = op->kind == OP_LOAD_AFTER ? 4 : -4;
    bool back =
        op->kind == OP_STORE_BEFORE || op->kind == OP_LOAD_AFTER || op->kind == OP_STORE_LIST;
    if (back && (op->n == R9 || op->n == SP) && (op->n == SP || !has(m, HAS_WRITE)))
        op->n = 5;
    if (back && op->n == op->d)
        op->d = (uint8_t)((op->n + 1) % 4);
    if (op->kind == OP_LOAD_PAIR && op->m == op->d)
        op->m = (uint8_t)((op->d + 1) % 4);
    if (op->kind == OP_STORE_LIST && (op->list >> op->n & 1) != 0)
        op->n = 3, op->list &= ~8u;
}

static void add_arithmetic(struct maker *m) {
    static const uint8_t kinds[] = {OP_MOV,     OP_MOV, OP_MOV,        OP_MOV,        OP_NUMBER,
                                    OP_LITERAL, OP_ADD, OP_ADD_NUMBER, OP_ADD_NUMBER, OP_MIX};
    struct op *op = add(m, kinds[below(m, COUNT(kinds))]);
    op->d = some_target(m);
    op->n = some_register(m);
    op->m = some_register(m);
    op->imm = (int32_t)below(m, 8) * 4;
    if (op->kind == OP_NUMBER)
        op->d = (uint8_t)below(m, 4);
    if ((op->kind == OP_ADD_NUMBER && below(m, 2) == 0) || (op->kind == OP_MOV && below(m, 6) == 0))
        op->n = SP;
    if (op->kind == OP_MOV && below(m, 30) == 0)
        op->d = SP;
    if (op->kind == OP_ADD && below(m, 30) == 0)
        op->d = SP;
}

static void add_distance(struct maker *m) {
    static const uint8_t kinds[] = {OP_LOAD_INDEXED, OP_ADD, OP_LOAD_INDEXED, OP_STORE_INDEXED};
    uint8_t reg = some_target(m);
    if (reg == R9)
        reg = 3;
    add(m, OP_DISTANCE)->d = reg;
    if (below(m, 4) == 0)
        return;
    struct op *op = add(m, kinds[below(m, COUNT(kinds))]);
    op->d = op->kind == OP_STORE_INDEXED ? 0 : reg;
    op->n = R9;
    op->m = reg;
    if (below(m, 25) == 0)
        op->n = some_register(m);
}

static void add_call(struct maker *m) {
    struct op *op = add(m, has(m, HAS_POINTER) && below(m, 2) == 0 ? OP_CALL_REG : OP_CALL);
    op->n = (uint8_t)(below(m, 4));
    op->callee = has(m, HAS_WRITE) && below(m, 4) != 0 ? CALLEE_PLAIN : (uint8_t)below(m, 3);
    if (has(m, HAS_LABEL) && !m->program.label_taken && below(m, 2) == 0)
        op->callee = CALLEE_LABEL;
}

static void add_jump(struct maker *m) {
    if (m->pushes && below(m, 4) == 0) { /* a call, lr says where to return to */
        struct op *lr = add(m, OP_LOAD);
        lr->d = LR;
        struct op *to = add(m, OP_LOAD);
        to->d = 3;
        to->imm = 4;
        add(m, OP_JUMP)->n = 3;
        m->returns_to = m->program.count;
        return;
    }
    static const uint8_t kinds[] = {OP_JUMP, OP_MOV_PC, OP_ADD_PC, OP_LOAD_PC, OP_TABLE_AWAY};
    struct op *op = add(m, kinds[below(m, COUNT(kinds))]);
    op->n = (uint8_t)below(m, 6);
    op->m = (uint8_t)below(m, 4);
}

static void add_return(struct maker *m);

static void add_plain(struct maker *m) {
    if (has(m, HAS_DISTANCE) && below(m, 8) == 0)
        add_distance(m);
    else if (has(m, HAS_STACK) && below(m, 3) == 0)
        add_memory(m, has(m, HAS_PARTS) && below(m, 2) == 0);
    else
        add_arithmetic(m);
}

static void add_block(struct maker *m) {
    unsigned count = 1 + below(m, 4), mask = 0;
    unsigned it = m->program.count;
    add(m, OP_IT);
    for (unsigned i = 0; i < count; i++) {
        unsigned first = m->program.count;
        if (i + 1 == count && below(m, 3) == 0) {
            static const uint8_t ends[] = {OP_GO, OP_JUMP};
            add(m, ends[below(m, 2)])->n = LR;
        } else if (below(m, 6) == 0) {
            add(m, OP_COMPARE)->d = (uint8_t)below(m, 4);
        } else {
            add_plain(m);
        }
        m->program.count = first + 1; /* one operation each */
        struct op *op = &m->program.ops[first];
        op->maybe = true;
        op->then = i == 0 || below(m, 2) == 0;
        mask = i == 0 ? 0 : mask << 1 | !op->then;
    }
    m->program.ops[it].list = (mask << 1 | 1) << (4 - count); /* EQ */
}

static void add_any(struct maker *m) {
    uint32_t what = below(m, 20);
    if (what == 0 && has(m, HAS_BLOCK))
        add_block(m);
    else if (what <= 1 && has(m, HAS_BLOCK))
        add_block(m);
    else if (what <= 3 && has(m, HAS_CALL))
        add_call(m);
    else if (what == 4 && has(m, HAS_TABLE)) {
        struct op *op = add(m, OP_TABLE);
        op->imm = 1 + (int32_t)below(m, 2);
    } else if (what == 5 && has(m, HAS_JUMP))
        add_jump(m);
    else if (what <= 7 && has(m, HAS_BRANCH))
        add(m, below(m, 4) == 0 ? OP_GO : OP_IF);
    else if (what == 8)
        add_return(m);
    else if (what == 9 && has(m, HAS_JUMP) && has(m, HAS_LABEL))
        add(m, OP_NEAR)->d = (uint8_t)below(m, 4);
    else
        add_plain(m);
}

/* ---- a function ---- */

static void add_move_sp(struct maker *m, int32_t bytes) {
    if (bytes != 0)
        add(m, OP_MOVE_SP)->imm = bytes;
}

static uint32_t saved_list(const struct maker *m) {
    return 0x30 | (m->saving == BY_PUSH ? 1u << R9 : 0);
}

static void add_prologue(struct maker *m) {
    if (m->pushes)
        add(m, OP_PUSH)->list = saved_list(m) | 1u << LR;
    if (m->saving == BY_MOVE)
        add_move(m, 4, R9);
    add_move_sp(m, -m->frame);
    if (m->keeps_sp)
        add_move(m, 6, SP);
    if (m->saving == BY_STORE || m->saving == BY_PAIR) {
        struct op *op = add(m, m->saving == BY_STORE ? OP_STORE : OP_STORE_PAIR);
        op->d = R9;
        op->n = SP;
        op->m = 5;
        op->imm = m->frame - 8;
    }
}

/* Restores and returns, rarely without some part. */
static void add_return(struct maker *m) {
    if (m->keeps_sp)
        add_move(m, SP, 6);
    if ((m->saving == BY_STORE || m->saving == BY_PAIR) && below(m, 20) != 0) {
        struct op *op = add(m, m->saving == BY_STORE ? OP_LOAD : OP_LOAD_PAIR);
        op->d = R9;
        op->n = SP;
        op->m = 5;
        op->imm = m->frame - 8;
    }
    if (below(m, 40) != 0)
        add_move_sp(m, m->frame);
    if (m->saving == BY_MOVE && below(m, 20) != 0)
        add_move(m, R9, 4);
    if (m->pushes) {
        uint32_t how = below(m, has(m, HAS_JUMP) ? 4 : 3);
        uint32_t last = how == 0 ? 1u << 3 : how == 3 ? 1u << LR : 1u << PC;
        add(m, OP_POP)->list = saved_list(m) | last; /* r3 is below r4, so its word is another */
        if (how == 0)
            m->program.ops[m->program.count - 1].list = saved_list(m) | (1u << 12);
        if (how == 0)
            add(m, OP_JUMP)->n = 12;
        else if (how == 3)
            add(m, below(m, 2) == 0 ? OP_JUMP : OP_MOV_PC)->n = (uint8_t)below(m, 4);
    } else {
        add(m, OP_JUMP)->n = has(m, HAS_JUMP) && below(m, 3) == 0 ? 3 : LR;
    }
}

/* Sets the targets of branches and tables, which lead forwards, and the label. */
static void set_targets(struct maker *m) {
    struct program *p = &m->program;
    uint8_t free[OPS_MAX], count = 0;
    for (unsigned i = 0; i < p->count; i++)
        if (!p->ops[i].maybe)
            free[count++] = (uint8_t)i;
    for (unsigned i = 0; i < p->count; i++)
        for (unsigned k = 0; k < 2; k++) {
            uint8_t to = free[below(m, count)];
            bool forwards =
                p->ops[i].kind == OP_TABLE || (p->ops[i].kind == OP_GO && below(m, 4) != 0);
            while (forwards && to <= i)
                to = free[below(m, count)];
            p->ops[i].targets[k] = to;
        }
    if (has(m, HAS_LABEL) || p->label_taken)
        p->label = p->label_taken && m->returns_to != 0 && !p->ops[m->returns_to].maybe
                       ? (uint8_t)m->returns_to
                       : free[1 + below(m, count - 1u)];
}

static void make(struct maker *m) {
    m->program = (struct program){.label = NO_LABEL};
    m->features = m->returns_to = 0;
    for (unsigned i = 0; i < FEATURES; i++) {
        static const uint8_t of_ten[FEATURES] = {6, 5, 5, 4, 3, 2, 4, 7, 5, 5, 1};
        m->features |= below(m, 10) < of_ten[i] ? 1u << i : 0;
    }
    m->saving = has(m, HAS_WRITE) ? (enum saving)below(m, 4) : NOT_SAVED;
    if (below(m, 30) == 0)
        m->saving = NOT_SAVED;
    m->frame = m->saving == BY_STORE || m->saving == BY_PAIR ? 16 : (uint8_t)(16 * below(m, 2));
    m->pushes = m->saving == BY_PUSH || has(m, HAS_CALL) || below(m, 2) == 0;
    m->keeps_sp = below(m, 6) == 0;
    m->program.needy_taken = below(m, 2) == 0;
    m->program.label_taken = has(m, HAS_LABEL) && below(m, 2) == 0;
    for (unsigned i = below(m, 5); i >= 3; i--) /* in front of the frame */
        add_any(m);
    add_prologue(m);
    unsigned body = 2 + below(m, 14);
    for (unsigned i = 0; i < body && m->program.count < 22; i++)
        add_any(m);
    add_return(m);
    set_targets(m);
}

/* ---- what comes out ---- */

static bool accepts(const struct program *program) {
    struct code_sample s;
    struct rp_error err = {0};
    uint32_t places[] = {RELOC_SEG_RAM, RELOC_SEG_RAM + 4};
    struct rp_r9_found found;
    program_put(program, &s);
    struct unit own = {0};
    code_read(&s, &own, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
    assert_int_equal(s.code.stranger_count, 0);
    s.layout.words.rel = (struct rp_words){places, 2, 2};
    bool ok = rp_r9_check(&s.layout, &own.arena, &s.code, &found, &err);
    assert_int_equal(ok, found.wrong.count == 0);
    rp_arena_release(&own.arena);
    code_free(&s);
    return ok;
}

static unsigned features_of(const struct program *p) {
    unsigned found = p->label != NO_LABEL ? HAS_LABEL : 0;
    for (unsigned i = 0; i < p->count; i++) {
        const struct op *op = &p->ops[i];
        unsigned kind = op->kind;
        found |= kind == OP_IT ? HAS_BLOCK : kind == OP_CALL ? HAS_CALL : 0;
        found |= kind == OP_CALL_REG ? HAS_POINTER : kind == OP_TABLE ? HAS_TABLE : 0;
        found |= kind == OP_DISTANCE ? HAS_DISTANCE : kind == OP_IF ? HAS_BRANCH : 0;
        found |=
            kind == OP_LOAD || kind == OP_STORE_PAIR || kind == OP_STORE_INDEXED ? HAS_STACK : 0;
        found |= kind == OP_STORE_BYTE || kind == OP_STORE_FP ? HAS_PARTS : 0;
        bool loads = kind == OP_LOAD || kind == OP_MOV || kind == OP_ADD || kind == OP_LOAD_INDEXED;
        found |= loads && op->d == R9 ? HAS_WRITE : 0;
        found |= (kind == OP_POP && (op->list >> R9 & 1) != 0) ? HAS_WRITE : 0;
        found |= (kind == OP_JUMP && op->n != LR && op->n != 12) || kind == OP_ADD_PC ||
                         kind == OP_MOV_PC || kind == OP_LOAD_PC || kind == OP_TABLE_AWAY
                     ? HAS_JUMP
                     : 0;
    }
    return found;
}

/* Takes away what is not needed for the function to be wrong. */
static void minimise(struct program *p, enum wrong wrong) {
    for (unsigned i = 0; i < p->count; i++) {
        struct program less = *p;
        struct random random = {1};
        if (less.ops[i].kind == OP_NOP || less.ops[i].kind == OP_IT)
            continue;
        less.ops[i] = (struct op){.kind = OP_NOP, .maybe = p->ops[i].maybe, .then = p->ops[i].then};
        if (i + 1 < p->count && accepts(&less) && machine_run(&less, &random, 20000) == wrong)
            *p = less;
    }
}

static void keeps_its_promise(void **state) {
    (void)state;
    const char *text = getenv("RP_R9_FUNCTIONS");
    unsigned count = text != NULL ? (unsigned)strtoul(text, NULL, 10) : FUNCTIONS;
    unsigned made[FEATURES] = {0}, accepted[FEATURES] = {0}, all = 0;
    unsigned wrongs[WRONG_BASE + 1] = {0};
    struct maker maker = {.random = {9}};
    for (unsigned i = 0; i < count; i++) {
        make(&maker);
        unsigned features = features_of(&maker.program);
        bool ok = accepts(&maker.program);
        struct program program = maker.program;
        for (unsigned k = 0; k < FEATURES; k++) {
            made[k] += features >> k & 1;
            accepted[k] += ok ? features >> k & 1 : 0;
        }
        all += ok;
        enum wrong wrong = ok ? machine_run(&program, &maker.random, RUNS) : WRONG_NOTHING;
        wrongs[wrong]++;
        if (wrong != WRONG_NOTHING &&
            wrongs[WRONG_RETURN] + wrongs[WRONG_CALL] + wrongs[WRONG_BASE] <= SHOWN_MAX) {
            minimise(&program, wrong);
            printf("function %u is accepted, and wrong in way %u:\n", i, (unsigned)wrong);
            program_print(&program);
        }
    }
    printf("%u of %u accepted; wrong: %u return, %u call, %u add a distance\n", all, count,
           wrongs[WRONG_RETURN], wrongs[WRONG_CALL], wrongs[WRONG_BASE]);
    for (unsigned k = 0; k < FEATURES; k++)
        printf("feature 0x%X: %u of %u\n", 1u << k, accepted[k], made[k]);
    assert_int_equal(wrongs[WRONG_RETURN] + wrongs[WRONG_CALL] + wrongs[WRONG_BASE], 0);
    for (unsigned k = 0; k < FEATURES; k++) /* writing r9 among them */
        assert_true(accepted[k] > made[k] / 10 && accepted[k] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(keeps_its_promise)};
    return RUN(tests);
}
