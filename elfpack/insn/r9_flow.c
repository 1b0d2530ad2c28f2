/* SPDX-License-Identifier: Apache-2.0 */
/* Follows r9 through functions: see r9_flow.h. */
#include "elfpack/insn/r9_flow.h"

#include <stdlib.h>

#include "base/buf.h"
#include "elfpack/insn/regs.h"

/* What is known about the registers at the target of a branch. */
struct known {
    struct rp_regs regs;
    bool queued;
};

/* Properties of an input section, anywhere in which a computed jump may lead. */
enum {
    SECTION_WRITES_R9 = 1,
    SECTION_NEAR = 2, /* it computes addresses from the pc, which needs no relocation */
    SECTION_JUMPS = 4 /* jumps to its labels have been followed */
};

struct walk {
    struct rp_flow *flow;
    struct rp_arena *arena;
    struct known **known; /* by half-word; NULL: not reached */
    uint8_t *visited;     /* by half-word */
    uint8_t *sections;    /* by index in the map */
    struct rp_words work;
    struct rp_words lost; /* instructions that use distances in unknown ways */
};

/* Orders a function before or after an address. */
static int compare_start(const void *address, const void *function) {
    return ((const struct rp_function *)function)->start > *(const uint32_t *)address ? -1 : 1;
}

struct rp_function *rp_flow_function(const struct rp_flow *flow, uint32_t address) {
    struct rp_function *items = flow->functions.items;
    size_t next =
        rp_lower_bound(&address, items, flow->functions.count, sizeof *items, compare_start);
    return next != 0 && address < items[next - 1].end ? &items[next - 1] : NULL;
}

static size_t half(const struct walk *walk, uint32_t address) {
    return (address - walk->flow->code->flash->addr) / 2;
}

/* Does the instruction load a distance from r9? */
static bool is_distance(const struct rp_flow *flow, const struct rp_insn *insn, uint32_t at) {
    uint32_t place = insn->kind == RP_INSN_LITERAL ? insn->target : at;
    if (insn->kind != RP_INSN_LITERAL && insn->kind != RP_INSN_MOVW && insn->kind != RP_INSN_MOVT)
        return false;
    return rp_words_have(&flow->distances, place);
}

/* ---- faults, calls, uses ---- */

static void add_fault(struct walk *walk, const struct rp_r9_fault *fault) {
    const struct rp_flow *flow = walk->flow;
    for (size_t i = 0; i < flow->faults.count; i++)
        if (flow->faults.items[i].at == fault->at && flow->faults.items[i].kind == fault->kind)
            return;
    *RP_PUSH(walk->arena, &walk->flow->faults) = *fault;
}

static void add_call(struct walk *walk, struct rp_function *from, uint32_t target, bool own) {
    struct rp_function *to = rp_flow_function(walk->flow, target);
    if (from != NULL && to != NULL)
        *RP_PUSH(walk->arena, &walk->flow->calls) = (struct rp_call){from, to, own};
}

/* Does r9 have another value than on entry? */
static bool is_own(const struct rp_regs *regs) {
    return regs->reg[RP_REG_BASE].kind != RP_VALUE_BASE;
}

/*
 * Is this longjmp? It loads the stack pointer and all registers that a function has to preserve, r9
 * among them, from memory where setjmp has stored them.
 */
static bool restores_all(const struct walk *walk, const struct rp_regs *regs) {
    enum { KEPT = 0x0FF0 }; /* r4 to r11 */
    struct rp_insn insn = rp_code_insn(walk->flow->code, regs->reg[RP_REG_BASE].n);
    return insn.kind == RP_INSN_LOAD_LIST && insn.n != RP_REG_SP && (insn.writes & KEPT) == KEPT &&
           (regs->reg[RP_REG_SP].kind == RP_VALUE_ANY ||
            regs->reg[RP_REG_SP].kind == RP_VALUE_NEAR_SP ||
            regs->reg[RP_REG_SP].kind == RP_VALUE_LOADED);
}

/* The function is left, by a return or a tail call. */
static void leave(struct walk *walk, uint32_t at, const struct rp_regs *regs) {
    const struct rp_value *base = &regs->reg[RP_REG_BASE];
    bool is_unknown = base->kind == RP_VALUE_ANY || base->kind == RP_VALUE_NEAR_SP;
    if (is_own(regs) && !restores_all(walk, regs))
        add_fault(walk, &(struct rp_r9_fault){
                            .kind = RP_R9_LEAVES, .at = at, .written = is_unknown ? base->n : 0});
}

static void take_use(struct walk *walk, struct rp_function *function, uint32_t at,
                     const struct rp_regs_use *use, const struct rp_regs *before) {
    bool of_r9 = use->bad && use->other == RP_REG_BASE;
    if (function != NULL)
        function->needs = function->needs || use->base || use->good;
    if (use->bad)
        add_fault(walk, &(struct rp_r9_fault){.kind = RP_R9_OTHER_BASE,
                                              .at = at,
                                              .written = of_r9 ? before->reg[RP_REG_BASE].n : 0,
                                              .reg = use->other});
    if (use->lost)
        *RP_PUSH(walk->arena, &walk->lost) = at;
}

/* ---- where execution continues ---- */

static void go(struct walk *walk, uint32_t target, const struct rp_regs *regs) {
    if ((rp_code_mark(walk->flow->code, target) & RP_CODE_START) == 0)
        return;
    struct known **slot = &walk->known[half(walk, target)];
    bool changed = *slot == NULL;
    if (changed) {
        *slot = rp_alloc(walk->arena, 1, sizeof **slot);
        (*slot)->regs = *regs;
    } else {
        changed = rp_regs_join(&(*slot)->regs, regs);
    }
    if (changed && !(*slot)->queued) {
        (*slot)->queued = true;
        *RP_PUSH(walk->arena, &walk->work) = target;
    }
}

/*
 * In a section that computes no addresses of code, a jump to an address from memory leads to a
 * label whose address is taken, because that word has a relocation.
 */
static bool follow_labels(struct walk *walk, uint32_t at, const struct rp_regs *regs) {
    const struct rp_linkmap *map = walk->flow->code->map;
    const struct rp_contribution *part = rp_linkmap_find(map, at);
    bool any = false;
    if (part == NULL || (walk->sections[part - map->items] & SECTION_NEAR) != 0)
        return false;
    walk->sections[part - map->items] |= SECTION_JUMPS;
    for (size_t i = 0; i < walk->flow->functions.count; i++) {
        const struct rp_function *label = &walk->flow->functions.items[i];
        if (label->is_label && label->address_taken && label->start - part->addr < part->size) {
            go(walk, label->start, regs);
            any = true;
        }
    }
    return any;
}

static void enter(struct walk *walk, struct rp_function *function) {
    struct rp_regs regs;
    if (function->entered)
        return;
    function->entered = true;
    rp_regs_enter(&regs);
    go(walk, function->start, &regs);
}

static bool frame_is_gone(const struct rp_regs *regs) {
    const struct rp_value *sp = &regs->reg[RP_REG_SP];
    return sp->kind == RP_VALUE_STACK && sp->n == 0;
}

static void branch(struct walk *walk, struct rp_function *function, uint32_t at, uint32_t target,
                   const struct rp_regs *regs) {
    bool inside = function != NULL && target >= function->start && target < function->end;
    struct rp_function *to = rp_flow_function(walk->flow, target);
    if (!inside && to != NULL && to->start == target && frame_is_gone(regs)) {
        leave(walk, at, regs); /* a tail call */
        add_call(walk, function, target, false);
        enter(walk, to);
    } else {
        if (!inside) /* into another function, whose needs then count for this one */
            add_call(walk, function, target, false);
        go(walk, target, regs);
    }
}

/* The properties of the section at an address; outside known sections, the worst. */
static uint8_t section_of(const struct walk *walk, uint32_t at) {
    const struct rp_linkmap *map = walk->flow->code->map;
    const struct rp_contribution *part = rp_linkmap_find(map, at);
    return part != NULL ? walk->sections[part - map->items] : SECTION_WRITES_R9 | SECTION_NEAR;
}

/* Any function of the section may be called. */
static void call_section(struct walk *walk, struct rp_function *function, bool own) {
    const struct rp_linkmap *map = walk->flow->code->map;
    const struct rp_contribution *part =
        function != NULL ? rp_linkmap_find(map, function->start) : NULL;
    for (size_t i = 0; part != NULL && i < walk->flow->functions.count; i++) {
        uint32_t start = walk->flow->functions.items[i].start;
        if (start - part->addr < part->size)
            add_call(walk, function, start, own);
    }
}

static void call_by_pointer(struct rp_function *function, struct rp_regs *regs) {
    if (function != NULL)
        *(is_own(regs) ? &function->by_pointer_own : &function->by_pointer) = true;
    rp_regs_call(regs);
}

/*
 * A jump to a computed address, which `to` holds. If the stack pointer and lr are those of the
 * entry, it may be a tail call of a function whose address is taken. Otherwise it stays in its
 * section, where r9 has to be that of the entry everywhere, because the target is unknown. If lr
 * has changed, labels are followed; it may still be a tail call without a frame or, with a frame
 * and an lr that was set for it, a call that returns to one of the labels.
 */
static void jump_anywhere(struct walk *walk, struct rp_function *function, uint32_t at,
                          const struct rp_regs *regs, const struct rp_value *to) {
    uint8_t section = section_of(walk, at);
    uint8_t lr = regs->reg[RP_REG_LINK].kind;
    bool tail =
        to != NULL && frame_is_gone(regs) && lr == RP_VALUE_LINK && (section & SECTION_NEAR) == 0;
    bool in_frame = regs->reg[RP_REG_SP].kind == RP_VALUE_STACK && !frame_is_gone(regs);
    if (is_own(regs) && !in_frame) {
        leave(walk, at, regs);
        return;
    }
    bool labels = !tail && (in_frame || (section & SECTION_WRITES_R9) != 0) && to != NULL &&
                  to->kind == RP_VALUE_LOADED && follow_labels(walk, at, regs);
    if (labels && in_frame && lr != RP_VALUE_LINK && lr != RP_VALUE_RETURNED) {
        struct rp_regs after = *regs;
        call_by_pointer(function, &after);
        (void)follow_labels(walk, at, &after);
    }
    if (labels && in_frame)
        return;
    if (!labels && (is_own(regs) || (!tail && (section & SECTION_WRITES_R9) != 0)))
        add_fault(walk, &(struct rp_r9_fault){.kind = RP_R9_JUMP, .at = at});
    for (unsigned reg = 0; reg < 15; reg++)
        if (regs->reg[reg].kind == RP_VALUE_DISTANCE)
            *RP_PUSH(walk->arena, &walk->lost) = at;
    if (function != NULL)
        function->by_pointer = true;
    if (!tail && !labels)
        call_section(walk, function, false);
}

static void table(struct walk *walk, uint32_t at, const struct rp_insn *insn,
                  struct rp_function *function, const struct rp_regs *regs) {
    const struct rp_code *code = walk->flow->code;
    const struct rp_code_table of = rp_code_table(code, insn, at);
    uint32_t end = function != NULL ? function->end : at + 4;
    if (of.width == 0)
        jump_anywhere(walk, function, at, regs, NULL);
    for (uint32_t entry = of.start; of.width != 0 && entry < end && end - entry >= of.width &&
                                    (rp_code_mark(code, entry & ~1u) & RP_CODE_START) == 0;
         entry += of.width)
        go(walk, rp_code_entry(code, &of, entry), regs);
}

static void jump(struct walk *walk, struct rp_function *function, uint32_t at,
                 const struct rp_insn *insn, const struct rp_regs *regs) {
    /* bx rN, bxaut, mov pc, rN, ldr pc and pop {pc} have the address in a register; add pc, rN
       not */
    bool loads = insn->kind == RP_INSN_LOAD_LIST || insn->kind == RP_INSN_LOAD ||
                 insn->kind == RP_INSN_INDEXED || insn->kind == RP_INSN_LITERAL;
    bool adds = insn->kind == RP_INSN_ADD;
    const struct rp_value *to = adds ? NULL
                                     : &regs->reg[loads             ? RP_REG_PC
                                                  : insn->size == 4 ? insn->n
                                                                    : insn->m];
    bool returns = !adds && to->kind == RP_VALUE_LINK;
    if (returns || (is_own(regs) && restores_all(walk, regs)))
        leave(walk, at, regs);
    else
        jump_anywhere(walk, function, at, regs, to);
}

static void call(struct walk *walk, struct rp_function *function, uint32_t at,
                 const struct rp_insn *insn, struct rp_regs *regs) {
    if (insn->flow == RP_FLOW_CALL) {
        add_call(walk, function, insn->target, is_own(regs));
        rp_regs_call(regs);
        return;
    }
    if ((section_of(walk, at) & SECTION_NEAR) != 0)
        call_section(walk, function, is_own(regs)); /* perhaps by an address from the pc */
    call_by_pointer(function, regs);
}

/* The same instruction, as a constant if it loads a literal. */
static struct rp_insn with_literal(const struct rp_code *code, const struct rp_insn *insn) {
    struct rp_insn out = *insn;
    uint32_t at = insn->target - code->flash->addr;
    if (insn->kind == RP_INSN_LITERAL && code->flash->contents != NULL && at < code->flash->size &&
        code->flash->size - at >= 4) {
        out.kind = RP_INSN_CONSTANT;
        out.imm = (int32_t)rp_get_le32(code->flash->contents + at);
    }
    return out;
}

/* Applies one instruction; false: execution does not reach the next one. */
static bool step(struct walk *walk, uint32_t at, const struct rp_insn *insn, struct rp_regs *regs) {
    struct rp_function *function = rp_flow_function(walk->flow, at);
    struct rp_regs before = *regs;
    bool distance = is_distance(walk->flow, insn, at);
    struct rp_insn known = distance ? *insn : with_literal(walk->flow->code, insn);
    struct rp_regs_use use = rp_regs_apply(regs, &known, at, distance);
    walk->visited[half(walk, at)] = 1;
    take_use(walk, function, at, &use, &before);
    switch ((enum rp_insn_flow)insn->flow) {
    case RP_FLOW_BRANCH:
    case RP_FLOW_BRANCH_IF:
        branch(walk, function, at, insn->target, regs);
        return insn->flow == RP_FLOW_BRANCH_IF;
    case RP_FLOW_CALL:
    case RP_FLOW_CALL_REG:
        call(walk, function, at, insn, regs);
        return true;
    case RP_FLOW_TABLE:
        table(walk, at, insn, function, regs);
        return false;
    case RP_FLOW_JUMP:
        jump(walk, function, at, insn, regs);
        return false;
    case RP_FLOW_STOP:
        return false;
    case RP_FLOW_NEXT:
        break;
    }
    return true;
}

/* May an instruction in an IT block change the flags that the next ones depend on? */
static bool may_set_flags(const struct rp_insn *insn) {
    uint32_t high = insn->code >> 8;
    if (insn->size == 2) /* CMP, CMN, TST; other 16-bit instructions then leave the flags alone */
        return (high & 0xF8) == 0x28 || high == 0x42 || high == 0x45;
    if ((insn->code & 0xEC000000) == 0xEC000000) /* of FPU and MVE, only VMRS and MRC */
        return (insn->code & 0xEF10F010) == 0xEE10F010;
    return insn->kind == RP_INSN_OTHER;
}

/*
 * Follows an IT block twice, for either outcome of the condition. After an instruction that may set
 * flags, each of the others may be executed or not. Returns the address after the block; *on:
 * execution reaches it.
 */
static uint32_t it_block(struct walk *walk, uint32_t at, const struct rp_insn *it,
                         struct rp_regs *regs, bool *on) {
    struct rp_regs outcomes[2] = {*regs, *regs}; /* the condition holds, or not */
    bool open[2] = {true, true}, mixed = false;
    unsigned count = rp_insn_it_count(it);
    walk->visited[half(walk, at)] = 1;
    at += 2;
    for (unsigned i = 0; i < count; i++) {
        struct rp_insn insn = rp_code_insn(walk->flow->code, at);
        unsigned outcome = rp_insn_it_then(it, i) && !mixed ? 0 : 1;
        if (insn.size == 0)
            break;
        if (mixed) {
            outcomes[0] = outcomes[1];
            if (step(walk, at, &insn, &outcomes[1]))
                rp_regs_join(&outcomes[1], &outcomes[0]);
            else
                outcomes[1] = outcomes[0];
        } else if (open[outcome]) {
            open[outcome] = step(walk, at, &insn, &outcomes[outcome]);
        }
        if (!mixed && i + 1 < count && may_set_flags(&insn)) {
            mixed = true;
            if (!open[1])
                outcomes[1] = outcomes[0];
            else if (open[0])
                rp_regs_join(&outcomes[1], &outcomes[0]);
            open[1] = open[0] || open[1];
            open[0] = false;
        }
        walk->visited[half(walk, at)] = 1;
        at += insn.size;
    }
    *on = open[0] || open[1];
    *regs = open[0] ? outcomes[0] : outcomes[1];
    if (open[0] && open[1])
        rp_regs_join(regs, &outcomes[1]);
    return at;
}

/* Is this a call, or filling after one? */
static bool may_not_return(const struct rp_insn *insn, bool called) {
    bool call = insn->flow == RP_FLOW_CALL || insn->flow == RP_FLOW_CALL_REG;
    return call || (called && rp_insn_is_filling(insn));
}

static void run(struct walk *walk, uint32_t at) {
    struct known *known = walk->known[half(walk, at)];
    struct rp_regs regs = known->regs;
    uint32_t start = at;
    bool on = true, called = false; /* the function called last may not return */
    known->queued = false;
    while (on) {
        uint8_t mark = rp_code_mark(walk->flow->code, at);
        struct rp_insn insn = rp_code_insn(walk->flow->code, at);
        bool apart = at != start && (mark & RP_CODE_APART) != 0;
        const struct rp_function *next = rp_flow_function(walk->flow, at);
        bool ends = called && next != NULL && next->start == at && !next->is_label;
        if (insn.size == 0 || apart || ends)
            return;
        if (at != start && next != NULL && next->start == at)
            add_call(walk, rp_flow_function(walk->flow, at - 2), at, false);
        if (at != start && (mark & RP_CODE_TARGET) != 0) {
            go(walk, at, &regs);
            return;
        }
        called = may_not_return(&insn, called);
        if (insn.kind == RP_INSN_IT) {
            at = it_block(walk, at, &insn, &regs, &on);
        } else {
            on = step(walk, at, &insn, &regs);
            at += insn.size;
        }
    }
}

static void drain(struct walk *walk) {
    while (walk->work.count != 0)
        run(walk, walk->work.items[--walk->work.count]);
}

/* ---- whole functions ---- */

/* Code that no branch leads to may be entered in unknown ways, with the registers of a call. */
static void visit_rest(struct walk *walk, const struct rp_function *function) {
    for (uint32_t at = function->start; at < function->end; at += 2) {
        struct rp_regs regs;
        if ((rp_code_mark(walk->flow->code, at) & RP_CODE_START) == 0 ||
            walk->visited[half(walk, at)] != 0)
            continue;
        struct rp_insn insn = rp_code_insn(walk->flow->code, at);
        if (rp_insn_is_filling(&insn)) /* what follows it is entered separately, if at all */
            continue;
        rp_regs_enter(&regs);
        go(walk, at, &regs);
        drain(walk);
    }
}

/*
 * Calls of a function that does not touch r9, and so passes it on unchanged; also to the next
 * function, if execution runs into it.
 */
static void take_calls(struct walk *walk, struct rp_function *function) {
    const struct rp_code *code = walk->flow->code;
    bool on = false, called = false;
    for (uint32_t at = function->start; at < function->end; at += 2) {
        uint8_t mark = rp_code_mark(code, at);
        if ((mark & RP_CODE_START) == 0)
            continue;
        struct rp_insn insn = rp_code_insn(code, at);
        called = may_not_return(&insn, called);
        on = !called && (on || !rp_insn_is_filling(&insn)) &&
             ((mark & RP_CODE_MAYBE) != 0 || insn.flow == RP_FLOW_NEXT ||
              insn.flow == RP_FLOW_BRANCH_IF);
        if ((mark & RP_CODE_FLOW) == 0)
            continue;
        bool outside = insn.target < function->start || insn.target >= function->end;
        bool pops = insn.kind == RP_INSN_LOAD_LIST || insn.kind == RP_INSN_LOAD;
        bool returns = (pops && insn.n == RP_REG_SP) || (insn.size == 2 && insn.m == RP_REG_LINK);
        if (insn.flow == RP_FLOW_CALL ||
            ((insn.flow == RP_FLOW_BRANCH || insn.flow == RP_FLOW_BRANCH_IF) && outside))
            add_call(walk, function, insn.target, false);
        else if (insn.flow == RP_FLOW_CALL_REG || (insn.flow == RP_FLOW_JUMP && !returns))
            function->by_pointer = true;
    }
    if (on && (rp_code_mark(code, function->end) & RP_CODE_APART) == 0)
        add_call(walk, function, function->end, false);
}

/* Has the function to be followed, because r9 or a distance from it occurs? */
static bool touches(const struct walk *walk, const struct rp_function *function) {
    const struct rp_flow *flow = walk->flow;
    if ((section_of(walk, function->start) & SECTION_WRITES_R9) != 0)
        return true;
    for (uint32_t at = function->start; at < function->end; at += 2) {
        uint8_t mark = rp_code_mark(flow->code, at);
        if ((mark & RP_CODE_R9) != 0)
            return true;
        if ((mark & RP_CODE_VALUE) == 0)
            continue;
        struct rp_insn insn = rp_code_insn(flow->code, at);
        if (is_distance(flow, &insn, at))
            return true;
    }
    return false;
}

/*
 * Marks the distances that the instruction at an address reads. Returns whether it reads one
 * without loading it as a literal.
 */
static bool read_distances(const struct rp_flow *flow, uint32_t at, bool *read) {
    struct rp_insn insn = rp_code_insn(flow->code, at);
    uint32_t bytes = insn.kind == RP_INSN_NEAR ? 8 : 4;
    bool found = false;
    if (insn.kind != RP_INSN_LITERAL && insn.kind != RP_INSN_NEAR && insn.kind != RP_INSN_ADDRESS)
        return false;
    for (uint32_t place = insn.target; place - insn.target < bytes; place += 4) {
        size_t i = rp_words_find(&flow->distances, place);
        if (i < flow->distances.count && flow->distances.items[i] == place)
            found = read[i] = true;
    }
    return found && insn.kind != RP_INSN_LITERAL;
}

/*
 * Adds readers of distances that are not loaded as literals: LDRD, an address made by ADR or, in an
 * unknown way, the function before the distance.
 */
static void add_unread(struct walk *walk) {
    const struct rp_flow *flow = walk->flow;
    const struct rp_section *flash = flow->code->flash;
    bool *read = rp_alloc(walk->arena, flow->distances.count + 1, sizeof *read);
    for (uint32_t at = flash->addr; at < flash->addr + flash->size; at += 2)
        if (flow->distances.count != 0 && read_distances(flow, at, read))
            *RP_PUSH(walk->arena, &walk->lost) = at;
    for (size_t i = 0; i < flow->distances.count; i++) {
        uint32_t place = flow->distances.items[i];
        const struct rp_contribution *part = rp_linkmap_find(flow->code->map, place);
        const struct rp_function *function = rp_flow_function(flow, place);
        if (!read[i] && (rp_code_mark(flow->code, place) & RP_CODE_START) == 0 && part != NULL &&
            function != NULL && function->start >= part->addr)
            *RP_PUSH(walk->arena, &walk->lost) = function->start;
    }
}

static void read_sections(struct walk *walk) {
    const struct rp_code *code = walk->flow->code;
    walk->sections = rp_alloc(walk->arena, code->map->count + 1, 1);
    for (size_t i = 0; i < code->map->count; i++)
        for (uint32_t at = (code->map->items[i].addr + 1) & ~1u;
             at - code->map->items[i].addr < code->map->items[i].size; at += 2) {
            uint8_t mark = rp_code_mark(code, at);
            if ((mark & RP_CODE_START) == 0)
                continue;
            bool writes =
                (mark & RP_CODE_R9) != 0 && (rp_code_insn(code, at).writes >> RP_REG_BASE & 1) != 0;
            const uint8_t *bytes = code->flash->contents + (at - code->flash->addr);
            uint32_t first = (uint32_t)(bytes[0] | bytes[1] << 8) & 0xFF78;
            bool near =
                ((mark & RP_CODE_VALUE) != 0 && rp_code_insn(code, at).kind == RP_INSN_ADDRESS) ||
                first == 0x4478 || first == 0x4678; /* add rN, pc; mov rN, pc */
            walk->sections[i] |=
                (uint8_t)((writes ? SECTION_WRITES_R9 : 0) | (near ? SECTION_NEAR : 0));
        }
}

void rp_flow_follow(struct rp_flow *flow, struct rp_arena *arena) {
    size_t halves = flow->code->flash->size / 2 + 1;
    struct walk walk = {.flow = flow, .arena = arena};
    walk.known = rp_alloc(arena, halves, sizeof *walk.known);
    walk.visited = rp_alloc(arena, halves, 1);
    read_sections(&walk);
    for (size_t i = 0; i < flow->functions.count; i++) {
        struct rp_function *function = &flow->functions.items[i];
        function->touches = touches(&walk, function);
        if (!function->touches)
            take_calls(&walk, function);
        else if (function->entered) {
            function->entered = false;
            enter(&walk, function);
        }
    }
    drain(&walk);
    /* a label that no jump in its section leads to is called through its address */
    for (size_t i = 0; i < flow->functions.count; i++) {
        struct rp_function *label = &flow->functions.items[i];
        if (label->touches && label->is_label && label->address_taken &&
            (section_of(&walk, label->start) & SECTION_JUMPS) == 0)
            enter(&walk, label);
    }
    drain(&walk);
    for (size_t i = 0; i < flow->functions.count; i++)
        if (flow->functions.items[i].touches)
            visit_rest(&walk, &flow->functions.items[i]);
    add_unread(&walk);
    /* an unknown use is a fault if the function does not use r9 at all */
    for (size_t i = 0; i < walk.lost.count; i++) {
        const struct rp_function *function = rp_flow_function(flow, walk.lost.items[i]);
        if (function != NULL && !function->needs)
            add_fault(&walk, &(struct rp_r9_fault){.kind = RP_R9_LOST, .at = walk.lost.items[i]});
    }
}
