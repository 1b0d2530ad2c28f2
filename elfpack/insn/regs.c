/* SPDX-License-Identifier: Apache-2.0 */
/* Follows r9 through registers and stack: see regs.h. */
#include "elfpack/insn/regs.h"

#include <stddef.h>

void rp_regs_enter(struct rp_regs *regs) {
    *regs = (struct rp_regs){0};
    regs->reg[RP_REG_BASE].kind = RP_VALUE_BASE;
    regs->reg[RP_REG_SP].kind = RP_VALUE_STACK;
    regs->reg[RP_REG_LINK].kind = RP_VALUE_LINK;
}

void rp_regs_call(struct rp_regs *regs) {
    static const uint8_t changed[] = {0, 1, 2, 3, 12}; /* AAPCS32, 6.1.1 */
    for (size_t i = 0; i < sizeof changed; i++)
        regs->reg[changed[i]] = (struct rp_value){0};
    regs->reg[RP_REG_LINK] = (struct rp_value){0, RP_VALUE_RETURNED};
}

/* For an unknown value, n has no meaning except in r9: where that was written. */
static bool is_unknown(struct rp_value value) {
    return value.kind == RP_VALUE_ANY || value.kind == RP_VALUE_NEAR_SP;
}

static bool may_point_to_stack(struct rp_value value) {
    return value.kind == RP_VALUE_STACK || value.kind == RP_VALUE_NEAR_SP;
}

static struct rp_value join(struct rp_value a, struct rp_value b) {
    if (a.kind == b.kind && (a.n == b.n || is_unknown(a)))
        return a;
    if (a.kind == RP_VALUE_DISTANCE || b.kind == RP_VALUE_DISTANCE)
        return (struct rp_value){0, RP_VALUE_DISTANCE};
    return (struct rp_value){is_unknown(a)   ? a.n
                             : is_unknown(b) ? b.n
                                             : 0,
                             may_point_to_stack(a) || may_point_to_stack(b) ? RP_VALUE_NEAR_SP
                                                                            : RP_VALUE_ANY};
}

static bool differ(struct rp_value a, struct rp_value b) {
    return a.kind != b.kind || (!is_unknown(a) && a.n != b.n);
}

static struct rp_value slot(const struct rp_regs *regs, uint32_t at) {
    for (uint32_t i = 0; i < regs->slot_count; i++)
        if (regs->slots[i].at == at)
            return regs->slots[i].value;
    return (struct rp_value){0, regs->full ? RP_VALUE_DISTANCE : RP_VALUE_ANY};
}

static void forget(struct rp_regs *regs, uint32_t i) {
    regs->slots[i] = regs->slots[--regs->slot_count];
}

/*
 * Without a free slot, the value replaces one that matters less, or becomes unknown. r9 and lr
 * matter most, then distances from r9.
 */
static void add_slot(struct rp_regs *regs, uint32_t at, struct rp_value value) {
    uint32_t i = regs->slot_count;
    if (value.kind == RP_VALUE_ANY)
        return;
    if (i == RP_REGS_SLOTS) {
        for (i = 0; i < RP_REGS_SLOTS && regs->slots[i].value.kind <= value.kind;)
            i++;
        struct rp_value left_out = i == RP_REGS_SLOTS ? value : regs->slots[i].value;
        regs->full = regs->full || left_out.kind == RP_VALUE_DISTANCE;
        if (i == RP_REGS_SLOTS)
            return;
    }
    regs->slot_count += i == regs->slot_count;
    regs->slots[i].at = at;
    regs->slots[i].value = value;
}

/* Forgets the words of the stack that overlap written bytes. */
static void overwrite(struct rp_regs *regs, uint32_t at, uint32_t bytes) {
    for (uint32_t i = 0; i < regs->slot_count;)
        if (regs->slots[i].at - at < bytes || at - regs->slots[i].at < 4)
            forget(regs, i);
        else
            i++;
}

bool rp_regs_join(struct rp_regs *into, const struct rp_regs *from) {
    bool changed = from->full && !into->full;
    into->full = into->full || from->full;
    for (unsigned i = 0; i < 15; i++) {
        struct rp_value both = join(into->reg[i], from->reg[i]);
        changed = changed || differ(both, into->reg[i]);
        into->reg[i] = both;
    }
    for (uint32_t i = 0; i < into->slot_count;) {
        struct rp_value *value = &into->slots[i].value;
        struct rp_value both = join(*value, slot(from, into->slots[i].at));
        changed = changed || differ(both, *value);
        *value = both;
        if (both.kind == RP_VALUE_ANY)
            forget(into, i);
        else
            i++;
    }
    for (uint32_t i = 0; i < from->slot_count; i++) {
        uint32_t at = from->slots[i].at;
        struct rp_value both = join(slot(into, at), from->slots[i].value);
        if (slot(into, at).kind == RP_VALUE_ANY && both.kind != RP_VALUE_ANY) {
            add_slot(into, at, both);
            changed = changed || slot(into, at).kind != RP_VALUE_ANY; /* unless there was no room */
        }
    }
    return changed;
}

/* ---- one instruction ---- */

struct step {
    struct rp_regs *regs;
    const struct rp_insn *insn;
    struct rp_regs before;
    struct rp_regs_use use;
};

/* The value of a register before the instruction. */
static struct rp_value value_of(const struct step *step, unsigned reg) {
    return reg < 15 && step->before.reg[reg].kind != RP_VALUE_RETURNED ? step->before.reg[reg]
                                                                       : (struct rp_value){0};
}

static void put(struct step *step, unsigned reg, struct rp_value value) {
    step->regs->reg[reg] = value;
}

/* The value is used in a way that is not followed. */
static void lose(struct step *step, struct rp_value value) {
    if (value.kind == RP_VALUE_DISTANCE) {
        step->use.lost = true;
        step->use.literal = value.n;
    }
    step->use.base = step->use.base || value.kind == RP_VALUE_BASE;
}

/* Two registers are added, to an address or for one. */
static void add_registers(struct step *step, unsigned n, unsigned m) {
    struct rp_value a = value_of(step, n), b = value_of(step, m);
    bool first = a.kind == RP_VALUE_DISTANCE, second = b.kind == RP_VALUE_DISTANCE;
    step->use.base = step->use.base || a.kind == RP_VALUE_BASE || b.kind == RP_VALUE_BASE;
    if (!first && !second)
        return;
    step->use.literal = first ? a.n : b.n;
    step->use.good = (first ? b : a).kind == RP_VALUE_BASE;
    step->use.bad = !step->use.good;
    step->use.other = (uint8_t)(first ? m : n);
}

/* A register alone is used as an address. */
static void address(struct step *step, unsigned n) {
    struct rp_value value = value_of(step, n);
    step->use.base = step->use.base || value.kind == RP_VALUE_BASE;
    if (value.kind == RP_VALUE_DISTANCE) {
        step->use.bad = true;
        step->use.literal = value.n;
        step->use.other = (uint8_t)n;
    }
}

static void store(struct step *step, struct rp_value base, uint32_t offset, unsigned reg) {
    struct rp_value value = value_of(step, reg);
    if (value.kind == RP_VALUE_CONSTANT ||
        value.kind == RP_VALUE_LOADED) /* not needed on the stack */
        value = (struct rp_value){0};
    if (base.kind == RP_VALUE_STACK) {
        overwrite(step->regs, base.n + offset, 4);
        add_slot(step->regs, base.n + offset, value);
    } else if (value.kind == RP_VALUE_DISTANCE) {
        lose(step, value);
    }
}

/* The value of a word of memory, which may be on the stack if its address comes from sp. */
static struct rp_value loaded(const struct step *step, unsigned n, unsigned m) {
    bool stack = n == RP_REG_SP || may_point_to_stack(value_of(step, n)) ||
                 may_point_to_stack(value_of(step, m));
    return (struct rp_value){0, stack ? RP_VALUE_ANY : RP_VALUE_LOADED};
}

static void load(struct step *step, struct rp_value base, uint32_t offset, unsigned reg) {
    put(step, reg,
        base.kind == RP_VALUE_STACK ? slot(&step->before, base.n + offset)
                                    : loaded(step, step->insn->n, RP_REG_PC));
}

static void write_back(struct step *step) {
    struct rp_value base = value_of(step, step->insn->n);
    if (step->insn->step != 0)
        put(step, step->insn->n,
            base.kind == RP_VALUE_STACK
                ? (struct rp_value){base.n + (uint32_t)step->insn->step, RP_VALUE_STACK}
                : (struct rp_value){0, is_unknown(base) ? base.kind : RP_VALUE_ANY});
}

/* Stores of bytes, half-words and FP registers. */
static void store_part(struct step *step) {
    const struct rp_insn *insn = step->insn;
    struct rp_value base = value_of(step, insn->n);
    address(step, insn->n);
    lose(step, value_of(step, insn->d));
    if (base.kind == RP_VALUE_STACK)
        overwrite(step->regs, base.n + (uint32_t)insn->imm, insn->m);
    write_back(step);
}

/* Loads and stores at the sum of two registers. */
static void indexed(struct step *step) {
    const struct rp_insn *insn = step->insn;
    struct rp_value base = value_of(step, insn->n), index = value_of(step, insn->m);
    add_registers(step, insn->n, insn->m);
    if ((insn->reads >> insn->d & 1) != 0 && insn->d != insn->n && insn->d != insn->m)
        lose(step, value_of(step, insn->d));
    bool is_store = (insn->writes >> insn->d & 1) == 0 && insn->flow != RP_FLOW_JUMP;
    bool is_word = insn->size == 4 ? insn->code >> 20 == 0xF85 : insn->code >> 9 == 0x2C;
    if (!is_store && is_word)
        put(step, insn->d, loaded(step, insn->n, insn->m));
    uint32_t shift = insn->size == 4 ? insn->code >> 4 & 3 : 0;
    if (is_store && base.kind == RP_VALUE_STACK && index.kind == RP_VALUE_CONSTANT)
        overwrite(step->regs, base.n + (index.n << shift), 4);
    else if (is_store && base.kind == RP_VALUE_CONSTANT && index.kind == RP_VALUE_STACK)
        overwrite(step->regs, base.n + index.n, 4);
}

/* Loads and stores with a constant offset: of one, two or many registers. */
static void memory(struct step *step) {
    const struct rp_insn *insn = step->insn;
    struct rp_value base = value_of(step, insn->n);
    uint32_t offset = (uint32_t)insn->imm;
    bool is_store = insn->kind == RP_INSN_STORE || insn->kind == RP_INSN_STORE_PAIR ||
                    insn->kind == RP_INSN_STORE_LIST;
    void (*move)(struct step *, struct rp_value, uint32_t, unsigned) = is_store ? store : load;
    address(step, insn->n);
    if (insn->kind == RP_INSN_LOAD_LIST || insn->kind == RP_INSN_STORE_LIST) {
        uint32_t list = insn->code;
        list = insn->size == 4 ? list & 0xFFFF
               : insn->kind == RP_INSN_STORE_LIST && insn->n == RP_REG_SP
                   ? (list & 0xFF) | (list & 0x100) << 6
               : insn->n == RP_REG_SP ? (list & 0xFF) | (list & 0x100) << 7
                                      : list & 0xFF;
        for (unsigned reg = 0; reg < 16; reg++)
            if ((list >> reg & 1) != 0) {
                move(step, base, offset, reg);
                offset += 4;
            }
    } else {
        move(step, base, offset, insn->d);
        if (insn->kind == RP_INSN_LOAD_PAIR || insn->kind == RP_INSN_STORE_PAIR)
            move(step, base, offset + 4, insn->m);
    }
    write_back(step);
}

static bool is_number(struct rp_value value) {
    return value.kind == RP_VALUE_STACK || value.kind == RP_VALUE_CONSTANT;
}

/* Loads, shifts or negates a constant. */
static void constant(struct step *step) {
    const struct rp_insn *insn = step->insn;
    struct rp_value value = value_of(step, insn->m);
    if (insn->kind == RP_INSN_CONSTANT)
        value = (struct rp_value){(uint32_t)insn->imm, RP_VALUE_CONSTANT};
    else if (value.kind != RP_VALUE_CONSTANT)
        lose(step, value);
    else
        value.n = insn->kind == RP_INSN_NEGATE ? 0 - value.n : value.n << insn->imm;
    if (value.kind == RP_VALUE_CONSTANT)
        put(step, insn->d, value);
}

static void arithmetic(struct step *step) {
    const struct rp_insn *insn = step->insn;
    struct rp_value value = value_of(step, insn->n);
    if (insn->kind == RP_INSN_ADD) { /* a constant is added to a constant or the stack pointer */
        struct rp_value second = value_of(step, insn->m);
        add_registers(step, insn->n, insn->m);
        if (is_number(value) && second.kind == RP_VALUE_CONSTANT)
            put(step, insn->d, (struct rp_value){value.n + second.n, value.kind});
        else if (value.kind == RP_VALUE_CONSTANT && is_number(second))
            put(step, insn->d, (struct rp_value){value.n + second.n, second.kind});
    } else if (is_number(value)) {
        put(step, insn->d, (struct rp_value){value.n + (uint32_t)insn->imm, value.kind});
    } else if (value.kind == RP_VALUE_DISTANCE) {
        put(step, insn->d, value);
    } else {
        lose(step, value);
    }
}

/* A literal, or half of a constant or an address. */
static void half_or_literal(struct step *step, uint32_t at, bool distance) {
    const struct rp_insn *insn = step->insn;
    struct rp_value value = value_of(step, insn->d);
    if (insn->kind == RP_INSN_MOVT) {
        if (value.kind != (distance ? RP_VALUE_DISTANCE : RP_VALUE_CONSTANT))
            return;
        if (!distance)
            value.n = (value.n & 0xFFFF) | (uint32_t)insn->imm << 16;
    } else if (distance) {
        value.n = insn->kind == RP_INSN_LITERAL ? insn->target : at;
        value.kind = RP_VALUE_DISTANCE;
    } else if (insn->kind == RP_INSN_MOVW) {
        value = (struct rp_value){(uint32_t)insn->imm, RP_VALUE_CONSTANT};
    } else {
        return;
    }
    put(step, insn->d, value);
}

static void other(struct step *step) {
    if (step->insn->flow == RP_FLOW_TABLE && step->insn->reads != 0) { /* TBB, TBH: an address */
        add_registers(step, step->insn->n, step->insn->m);
        return;
    }
    for (unsigned reg = 0; reg < 15; reg++)
        if ((step->insn->reads >> reg & 1) != 0)
            lose(step, value_of(step, reg));
}

/* Does it compute, rather than load, something from a value that may point to the stack? */
static bool computes_from_stack(const struct step *step) {
    enum rp_insn_kind kind = step->insn->kind;
    bool near = false;
    for (unsigned reg = 0; reg < 15; reg++)
        near = near ||
               ((step->insn->reads >> reg & 1) != 0 && may_point_to_stack(step->before.reg[reg]));
    return near && kind != RP_INSN_LOAD && kind != RP_INSN_LOAD_PAIR && kind != RP_INSN_LOAD_LIST &&
           kind != RP_INSN_INDEXED && kind != RP_INSN_LOAD_PART;
}

struct rp_regs_use rp_regs_apply(struct rp_regs *regs, const struct rp_insn *insn, uint32_t at,
                                 bool distance) {
    struct step step = {.regs = regs, .insn = insn, .before = *regs};
    bool near = computes_from_stack(&step);
    regs->reg[RP_REG_PC] = (struct rp_value){0};
    for (unsigned reg = 0; reg < 15; reg++)
        if ((insn->writes >> reg & 1) != 0)
            regs->reg[reg] = (struct rp_value){reg == RP_REG_BASE ? at : 0,
                                               near ? RP_VALUE_NEAR_SP : RP_VALUE_ANY};
    switch (insn->kind) {
    case RP_INSN_MOV:
        put(&step, insn->d, value_of(&step, insn->m));
        break;
    case RP_INSN_CONSTANT:
    case RP_INSN_SHIFT_LEFT:
    case RP_INSN_NEGATE:
        constant(&step);
        break;
    case RP_INSN_ADD:
    case RP_INSN_ADD_CONSTANT:
        arithmetic(&step);
        break;
    case RP_INSN_LOAD:
    case RP_INSN_STORE:
    case RP_INSN_LOAD_PAIR:
    case RP_INSN_STORE_PAIR:
    case RP_INSN_LOAD_LIST:
    case RP_INSN_STORE_LIST:
        memory(&step);
        break;
    case RP_INSN_INDEXED:
        indexed(&step);
        break;
    case RP_INSN_STORE_PART:
        store_part(&step);
        break;
    case RP_INSN_LOAD_PART:
    case RP_INSN_FP_LIST:
        address(&step, insn->n);
        write_back(&step);
        break;
    case RP_INSN_LITERAL:
    case RP_INSN_MOVW:
    case RP_INSN_MOVT:
        half_or_literal(&step, at, distance);
        break;
    default:
        other(&step);
        break;
    }
    struct rp_value *base = &regs->reg[RP_REG_BASE];
    if (base->kind == RP_VALUE_CONSTANT || base->kind == RP_VALUE_LOADED ||
        (is_unknown(*base) && base->n == 0))
        *base = (struct rp_value){at, is_unknown(*base) ? base->kind : RP_VALUE_ANY};
    const struct rp_value sp = regs->reg[RP_REG_SP];
    for (uint32_t i = 0; sp.kind == RP_VALUE_STACK && i < regs->slot_count;)
        if ((int32_t)(regs->slots[i].at - sp.n) < 0) /* calls and interrupts write below sp */
            forget(regs, i);
        else
            i++;
    return step.use;
}
