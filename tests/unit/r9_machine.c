/* SPDX-License-Identifier: Apache-2.0 */
/* Running operations: see r9_machine.h. */
#include "tests/unit/r9_machine.h"

enum { SP = 13, LR = 14, PC = 15, BASE_REG = 9, KEPT_SP = 6, STEPS_MAX = 150 };
#define UNFOLLOWED UINT32_MAX
/* Words of the stack, counted from the stack pointer of the entry. */
enum { BELOW = 80, ABOVE = 40 };

/* WORD: of memory that is not the stack. Its relocation tells where it leads. */
enum tag { ANY, BASE, LINK, DISTANCE, STACK, NUMBER, CODE_NEAR, WORD };

struct value {
    uint8_t tag;    /* enum tag */
    int32_t n;      /* of STACK and NUMBER */
    unsigned since; /* of these: the stretch of code where it was made */
};

enum { ENTRY_F, ENTRY_LABEL, ENTRIES };

/* What all runs have shown of the two ways into the program. */
struct seen {
    bool needs[ENTRIES];
    bool calls[ENTRIES][CALLEE_COUNT]; /* with the r9 of the entry */
    bool own[CALLEE_COUNT];            /* called with another */
};

struct machine {
    const struct program *program;
    struct random *random;
    struct seen *seen;
    unsigned entry;
    struct value reg[16];
    struct value stack[BELOW + ABOVE];
    unsigned stretch; /* counts stretches without branches and targets of branches */
    bool flag;        /* the condition of the IT block */
    bool sets_sp;     /* to what the analysis may not follow */
    bool entered;     /* at its label as well */
    bool targets[OPS_MAX];
    bool near_pc;  /* the program can compute addresses of its own code */
    unsigned next; /* the operation */
    bool jumped, over;
    enum wrong wrong;
};

uint32_t random_below(struct random *random, uint32_t count) {
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random->state >> 33) % count);
}

/* ---- values ---- */

static bool is_base(const struct machine *m) {
    return m->reg[BASE_REG].tag == BASE;
}

static void find(struct machine *m, enum wrong wrong) {
    m->wrong = wrong;
    m->over = true;
}

/* After a computed jump, r9 itself is known, but not which other registers hold the same. */
static void find_distance(struct machine *m) {
    if (!m->jumped)
        find(m, WRONG_BASE);
}

/* The sum of two registers, as a value or as an address. */
static struct value sum(struct machine *m, struct value a, struct value b) {
    bool distance = a.tag == DISTANCE || b.tag == DISTANCE;
    if (a.tag == BASE || b.tag == BASE)
        m->seen->needs[m->entry] = true;
    else if (distance)
        find_distance(m);
    unsigned since = a.since == b.since ? a.since : UNFOLLOWED;
    if (a.tag == NUMBER && (b.tag == STACK || b.tag == NUMBER))
        return (struct value){b.tag, a.n + b.n, since};
    if (a.tag == STACK && b.tag == NUMBER)
        return (struct value){STACK, a.n + b.n, since};
    return (struct value){0};
}

/* A register as an address on its own. */
static struct value address(struct machine *m, unsigned reg, int32_t offset) {
    struct value value = m->reg[reg];
    if (value.tag == BASE)
        m->seen->needs[m->entry] = true;
    if (value.tag == DISTANCE)
        find_distance(m);
    if (value.tag != STACK)
        return (struct value){0};
    return (struct value){STACK, value.n + offset, reg == SP ? m->stretch : value.since};
}

/* The word of the stack at an address; NULL for memory elsewhere. */
static struct value *word_at(struct machine *m, struct value at) {
    int32_t index = (at.n >> 2) + BELOW;
    return at.tag == STACK && index >= 0 && index < BELOW + ABOVE ? &m->stack[index] : NULL;
}

static struct value load(struct machine *m, struct value at) {
    const struct value *word = word_at(m, at);
    if (at.tag != STACK)
        return (struct value){.tag = WORD};
    return word != NULL && (at.n & 3) == 0 ? *word : (struct value){0};
}

/*
 * Stores bytes; value: what a whole word becomes. A pointer that may have come on several ways is
 * not followed by the analysis; it counts on functions not to overwrite what they saved by such a
 * pointer, so what does it is no function.
 */
static void store(struct machine *m, struct value at, uint32_t bytes, struct value value) {
    bool whole = bytes == 4 && (at.n & 3) == 0;
    bool followed = at.since == m->stretch && !m->sets_sp;
    for (int32_t i = at.n & ~3; i < at.n + (int32_t)bytes; i += 4) {
        struct value *word = word_at(m, (struct value){at.tag, i, at.since});
        if (word != NULL && !followed && (word->tag == BASE || word->tag == LINK))
            m->over = true;
        else if (word != NULL)
            *word = whole ? value : (struct value){0};
    }
}

/* Interrupts and called functions may write there. */
static void clobber_below(struct machine *m) {
    for (int32_t i = 0; i < m->reg[SP].n / 4 + BELOW; i++) {
        bool kept = m->stack[i].tag == BASE || m->stack[i].tag == LINK;
        m->over = m->over || (kept && m->sets_sp);
        m->stack[i] = (struct value){0};
    }
}

/* ---- where control goes ---- */

static void note_call(struct machine *m, enum callee callee) {
    if (is_base(m))
        m->seen->calls[m->entry][callee] = true;
    else
        m->seen->own[callee] = true;
}

static void call(struct machine *m) {
    for (unsigned reg = 0; reg <= LR; reg++)
        if (reg <= 3 || reg == 12)
            m->reg[reg] = (struct value){0};
    m->reg[LR] = (struct value){CODE_NEAR, 0};
}

static void call_taken(struct machine *m) {
    if (m->program->needy_taken)
        note_call(m, CALLEE_NEEDY);
    if (m->program->label_taken)
        note_call(m, CALLEE_LABEL);
}

static void leave(struct machine *m) {
    if (!is_base(m))
        find(m, WRONG_RETURN);
    m->over = true;
}

/* To any operation, but not into an IT block. */
static void jump_anywhere(struct machine *m) {
    m->stretch++;
    m->jumped = true;
    do
        m->next = random_below(m->random, m->program->count);
    while (m->program->ops[m->next].maybe);
}

/* To the label, if that is the only one whose address can be known. */
static void jump_to(struct machine *m, struct value to) {
    jump_anywhere(m);
    if (to.tag == WORD && m->program->label_taken && !m->near_pc)
        m->next = m->program->label;
}

/*
 * With the stack pointer of the entry, a branch to where a function begins is a tail call, which
 * takes no distances along.
 */
static void branch(struct machine *m, unsigned target) {
    bool begins = target == 0 || target == m->program->label;
    m->next = target;
    for (unsigned i = 0; i < 15 && m->entered && begins && m->reg[SP].n == 0; i++)
        if (m->reg[i].tag == DISTANCE)
            m->reg[i].tag = ANY;
}

/*
 * To an address in a register or from memory. What is in the way of a tail call leads to a function
 * whose address is taken, unless the program computes addresses of code. With an lr that was
 * written for it, it may also call such a function, which returns to where lr says.
 */
static void jump(struct machine *m, struct value to) {
    bool tail = m->reg[SP].n == 0 && m->reg[LR].tag == LINK;
    if (to.tag == LINK) {
        leave(m);
    } else if (to.tag == CODE_NEAR) {
        jump_anywhere(m);
    } else if (to.tag != ANY && to.tag != WORD) {
        m->over = true; /* no address of code */
    } else if (tail && (!m->near_pc || random_below(m->random, 2) == 0)) {
        call_taken(m);
        leave(m);
    } else {
        struct value lr = m->reg[LR];
        if ((lr.tag == ANY || lr.tag == WORD) && random_below(m->random, 2) == 0) {
            call_taken(m);
            call(m);
            to = lr;
        }
        jump_to(m, to);
    }
}

/* ---- operations ---- */

/* Numbers are not followed in r9, nor is what a call leaves in lr: nothing may rely on that. */
static void set(struct machine *m, unsigned reg, struct value value) {
    bool lost = (reg == BASE_REG && value.tag == NUMBER) || (reg != LR && value.tag == CODE_NEAR);
    m->reg[reg] = value;
    if (lost)
        m->reg[reg] = (struct value){0};
    if (reg == SP && (value.tag != STACK || value.n > 0 || value.n < -4 * BELOW + 64))
        m->over = true; /* out of its frame */
}

static void move_list(struct machine *m, const struct op *op) {
    unsigned n = op->kind == OP_STORE_LIST ? op->n : SP, count = 0;
    struct value at = address(m, n, 0), to = {0};
    for (unsigned reg = 0; reg < 16; reg++)
        count += op->list >> reg & 1;
    if (op->kind == OP_PUSH)
        at.n -= 4 * (int32_t)count;
    for (unsigned reg = 0, i = 0; reg < 16; reg++) {
        struct value word = {at.tag, at.n + 4 * (int32_t)i, at.since};
        if ((op->list >> reg & 1) == 0)
            continue;
        if (op->kind == OP_POP && reg == PC)
            to = load(m, word);
        else if (op->kind == OP_POP)
            set(m, reg, load(m, word));
        else
            store(m, word, 4, m->reg[reg]);
        i++;
    }
    if (op->kind != OP_PUSH)
        at.n += 4 * (int32_t)count;
    set(m, n, at);
    if (op->kind == OP_POP && (op->list >> PC & 1) != 0 && !m->over)
        jump(m, to);
}

static void memory(struct machine *m, const struct op *op) {
    struct value at = address(m, op->n, op->kind == OP_LOAD_AFTER ? 0 : op->imm);
    struct value next = {at.tag, at.n + 4, at.since}, value = m->reg[op->d], second = m->reg[op->m];
    switch (op->kind) {
    case OP_LOAD_AFTER:
        set(m, op->n, (struct value){at.tag, at.n + op->imm, at.since});
        set(m, op->d, load(m, at));
        break;
    case OP_LOAD:
        set(m, op->d, load(m, at));
        break;
    case OP_LOAD_PAIR:
        value = load(m, at);
        set(m, op->m, load(m, next));
        set(m, op->d, value);
        break;
    case OP_LOAD_PC:
        jump(m, load(m, at));
        break;
    case OP_STORE_BEFORE:
        store(m, at, 4, value);
        set(m, op->n, at);
        break;
    case OP_STORE_PAIR:
        store(m, next, 4, second);
        store(m, at, 4, value);
        break;
    case OP_STORE:
        store(m, at, 4, value);
        break;
    case OP_STORE_BYTE:
    case OP_STORE_HALF:
        store(m, at, op->kind == OP_STORE_BYTE ? 1 : 2, value);
        break;
    case OP_LOAD_BYTE:
        set(m, op->d, (struct value){0});
        break;
    default: /* OP_STORE_FP, OP_STORE_DOUBLE */
        store(m, at, op->kind == OP_STORE_DOUBLE ? 8 : 4, (struct value){0});
        if (op->kind == OP_STORE_DOUBLE)
            store(m, next, 4, (struct value){0});
    }
}

static void flow(struct machine *m, const struct op *op) {
    switch (op->kind) {
    case OP_IT:
    case OP_COMPARE:
        m->flag = random_below(m->random, 2) != 0;
        break;
    case OP_IF:
        if (random_below(m->random, 2) != 0)
            branch(m, op->targets[0]);
        break;
    case OP_GO:
        branch(m, op->targets[0]);
        break;
    case OP_CALL:
        note_call(m, (enum callee)op->callee);
        call(m);
        break;
    case OP_CALL_REG:
        call_taken(m);
        call(m);
        break;
    case OP_JUMP:
    case OP_MOV_PC:
        jump(m, m->reg[op->n]);
        break;
    case OP_TABLE:
        m->next = op->targets[random_below(m->random, 2)];
        break;
    case OP_ADD_PC:
        if (m->reg[op->n].tag == DISTANCE)
            find_distance(m);
        jump_anywhere(m);
        break;
    default: /* OP_TABLE_AWAY */
        sum(m, m->reg[op->n], m->reg[op->m]);
        jump_anywhere(m);
    }
}

static void step(struct machine *m, const struct op *op) {
    struct value n = m->reg[op->n], other = m->reg[op->m];
    switch (op->kind) {
    case OP_NOP:
    case OP_KINDS:
        break;
    case OP_MOV:
        set(m, op->d, n);
        break;
    case OP_NUMBER:
        set(m, op->d, (struct value){NUMBER, op->imm, m->stretch});
        break;
    case OP_DISTANCE:
        set(m, op->d, (struct value){DISTANCE, 0});
        break;
    case OP_LITERAL:
        set(m, op->d, (struct value){NUMBER, 0, m->stretch});
        break;
    case OP_ADD:
        set(m, op->d, sum(m, m->reg[op->d], n));
        break;
    case OP_ADD_NUMBER:
        m->seen->needs[m->entry] = m->seen->needs[m->entry] || n.tag == BASE;
        n.n += op->imm;
        set(m, op->d,
            n.tag == STACK || n.tag == NUMBER || n.tag == DISTANCE ? n : (struct value){0});
        break;
    case OP_MIX:
        m->seen->needs[m->entry] = m->seen->needs[m->entry] || n.tag == BASE || other.tag == BASE;
        set(m, op->d, (struct value){0});
        break;
    case OP_NEAR:
        if (m->reg[op->d].tag == DISTANCE)
            find_distance(m);
        set(m, op->d, (struct value){0});
        break;
    case OP_MOVE_SP:
        set(m, SP, (struct value){STACK, m->reg[SP].n + op->imm, m->stretch});
        break;
    case OP_LOAD_INDEXED:
        n = sum(m, n, other);
        set(m, op->d, load(m, n));
        break;
    case OP_STORE_INDEXED:
        n = sum(m, n, other);
        store(m, n, 4, m->reg[op->d]);
        break;
    case OP_PUSH:
    case OP_POP:
    case OP_STORE_LIST:
        move_list(m, op);
        break;
    case OP_LOAD:
    case OP_STORE:
    case OP_LOAD_AFTER:
    case OP_STORE_BEFORE:
    case OP_LOAD_PAIR:
    case OP_STORE_PAIR:
    case OP_LOAD_BYTE:
    case OP_STORE_BYTE:
    case OP_STORE_HALF:
    case OP_STORE_FP:
    case OP_STORE_DOUBLE:
    case OP_LOAD_PC:
        memory(m, op);
        break;
    default:
        flow(m, op);
    }
}

static enum wrong run(const struct machine *start) {
    struct machine m = *start;
    m.reg[BASE_REG].tag = BASE;
    m.reg[SP].tag = STACK;
    m.reg[LR].tag = LINK;
    if (m.entered && random_below(m.random, 3) == 0) {
        m.entry = ENTRY_LABEL;
        m.next = m.program->label;
    }
    for (unsigned i = 0; i < STEPS_MAX && !m.over; i++) {
        const struct op *op = &m.program->ops[m.next];
        assert_true(m.next < m.program->count);
        if (op->maybe || m.targets[m.next])
            m.stretch++;
        m.reg[SP].since = m.stretch;
        m.next++;
        if (!op->maybe || op->then == m.flag)
            step(&m, op);
        if (op->maybe)
            m.stretch++;
        if (!m.over)
            clobber_below(&m);
    }
    return m.wrong;
}

/* Does something that is called with an r9 of the program's own need the entry's? */
static bool calls_wrongly(const struct seen *seen) {
    bool reached[CALLEE_COUNT];
    memcpy(reached, seen->own, sizeof reached);
    reached[CALLEE_NEEDY] = reached[CALLEE_NEEDY] || reached[CALLEE_HANDS];
    for (unsigned i = 0; i < CALLEE_COUNT && reached[CALLEE_LABEL]; i++)
        reached[i] = reached[i] || seen->calls[ENTRY_LABEL][i];
    return reached[CALLEE_NEEDY] || reached[CALLEE_HANDS] ||
           (reached[CALLEE_LABEL] && seen->needs[ENTRY_LABEL]);
}

enum wrong machine_run(const struct program *program, struct random *random, unsigned runs) {
    struct seen seen = {0};
    struct machine start = {
        .program = program, .random = random, .seen = &seen, .entered = program->label_taken};
    for (unsigned i = 0; i < program->count; i++) {
        const struct op *op = &program->ops[i];
        start.sets_sp = start.sets_sp || (op->kind == OP_MOV && op->d == SP && op->n != KEPT_SP) ||
                        (op->kind == OP_ADD && op->d == SP);
        start.near_pc = start.near_pc || op->kind == OP_NEAR;
        start.entered = start.entered || (op->kind == OP_CALL && op->callee == CALLEE_LABEL);
        if (op->kind == OP_IF || op->kind == OP_GO || op->kind == OP_TABLE)
            start.targets[op->targets[0]] = start.targets[op->targets[1]] = true;
    }
    if (program->label != NO_LABEL)
        start.targets[program->label] = true;
    for (unsigned i = 0; i < runs; i++) {
        enum wrong wrong = run(&start);
        if (wrong != WRONG_NOTHING)
            return wrong;
    }
    return calls_wrongly(&seen) ? WRONG_CALL : WRONG_NOTHING;
}
