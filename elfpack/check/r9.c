/* SPDX-License-Identifier: Apache-2.0 */
/* Checks who writes r9 and who needs it in the meantime: see r9.h. */
#include "elfpack/check/r9.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "elfpack/insn/r9_flow.h"

enum { SHOWN_MAX = 8 };

struct graph {
    const struct rp_layout *layout;
    struct rp_arena *arena;
    const struct rp_code *code;
    struct rp_flow flow;
    struct rp_words taken; /* addresses of code that the image contains */
};

/* ---- functions ---- */

static int compare_functions(const void *a, const void *b) {
    const struct rp_function *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void add_start(struct graph *graph, struct rp_function function) {
    if ((rp_code_mark(graph->code, function.start) & RP_CODE_START) != 0)
        *RP_PUSH(graph->arena, &graph->flow.functions) = function;
}

/*
 * A function begins at a symbol of a function or a global label, at the target of a call, and where
 * the code of an input section begins.
 */
static void find_functions(struct graph *graph) {
    const struct rp_elf *elf = graph->layout->parts.elf;
    const struct rp_section *flash = graph->layout->parts.flash;
    for (size_t i = 0; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        bool global = symbol->bind != STB_LOCAL;
        if (symbol->section != SHN_UNDEF && symbol->section != RP_SECTION_ABS &&
            (symbol->type == STT_FUNC || (symbol->type == STT_NOTYPE && global)))
            add_start(graph, (struct rp_function){.start = symbol->value & ~UINT32_C(1),
                                                  .entered = global});
    }
    for (size_t i = 0; i < graph->code->map->count; i++)
        add_start(graph, (struct rp_function){.start = graph->code->map->items[i].addr});
    for (uint32_t at = flash->addr; at < flash->addr + flash->size; at += 2) {
        if ((rp_code_mark(graph->code, at) & RP_CODE_FLOW) == 0)
            continue;
        struct rp_insn insn = rp_code_insn(graph->code, at);
        if (insn.flow == RP_FLOW_CALL)
            add_start(graph, (struct rp_function){
                                 .start = insn.target, .entered = true, .is_label = true});
    }
}

static void sort_functions(struct graph *graph) {
    struct rp_function *items = graph->flow.functions.items;
    size_t count = 0;
    if (graph->flow.functions.count == 0)
        return;
    qsort(items, graph->flow.functions.count, sizeof *items, compare_functions);
    for (size_t i = 0; i < graph->flow.functions.count; i++) {
        if (count != 0 && items[count - 1].start == items[i].start) {
            items[count - 1].entered = items[count - 1].entered || items[i].entered;
            items[count - 1].is_label = items[count - 1].is_label && items[i].is_label;
        } else {
            items[count++] = items[i];
        }
    }
    for (size_t i = 0; i < count; i++)
        items[i].end = i + 1 < count
                           ? items[i + 1].start
                           : graph->layout->parts.flash->addr + graph->layout->parts.flash->size;
    graph->flow.functions.count = count;
}

/* ---- addresses of functions ---- */

/* A label inside a function, as in assembly and jump tables, counts as a function. */
static void take_address(struct graph *graph, uint32_t word) {
    if ((rp_code_mark(graph->code, word & ~UINT32_C(1)) & RP_CODE_START) != 0)
        *RP_PUSH(graph->arena, &graph->taken) = word & ~UINT32_C(1);
}

static void read_relocs(struct graph *graph) {
    const struct rp_elf *elf = graph->layout->parts.elf;
    const struct rp_section *flash = graph->layout->parts.flash;
    for (size_t i = 0; i < elf->reloc_count; i++) {
        const struct rp_reloc *reloc = &elf->relocs[i];
        if (&elf->sections[reloc->section] != flash || reloc->place - flash->addr > flash->size - 4)
            continue;
        uint32_t type = reloc->type;
        if (type == R_ARM_GOT32 || type == R_ARM_SBREL32 || type == R_ARM_THM_MOVW_BREL_NC ||
            type == R_ARM_THM_MOVW_BREL || type == R_ARM_THM_MOVT_BREL)
            *RP_PUSH(graph->arena, &graph->flow.distances) = reloc->place;
        else if (type == R_ARM_THM_MOVW_PREL_NC || type == R_ARM_REL32)
            take_address(graph, elf->symbols[reloc->symbol].value);
    }
    rp_words_sort(&graph->flow.distances);
}

/* Words that hold addresses: in the data, in the GOT, and in code that is patched. */
static void read_words(struct graph *graph) {
    const struct rp_layout *layout = graph->layout;
    for (size_t i = 0; i < layout->words.rel.count; i++) {
        uint32_t offset = layout->words.rel.items[i] - layout->parts.data->addr;
        if (offset <= layout->parts.data->size - 4)
            take_address(graph, rp_get_le32(layout->parts.data->contents + offset));
    }
    for (uint32_t at = layout->parts.bounds.got_start; at < layout->parts.bounds.got_end; at += 4) {
        bool fixed_up =
            false; /* the linked word of an import leads to the stub that uses the word */
        for (size_t i = 0; i < layout->words.fixups.count && !fixed_up; i++)
            fixed_up = layout->words.fixups.items[i].where == layout->parts.data->addr + at;
        if (!fixed_up)
            take_address(graph, rp_get_le32(layout->parts.data->contents + at));
    }
    for (size_t i = 0; i < layout->words.fixups.count; i++)
        take_address(graph, layout->words.fixups.items[i].target);
}

/* Addresses that ADR instructions compute. */
static void read_adr(struct graph *graph) {
    const struct rp_section *flash = graph->layout->parts.flash;
    for (uint32_t at = flash->addr; at < flash->addr + flash->size; at += 2) {
        if ((rp_code_mark(graph->code, at) & RP_CODE_VALUE) == 0)
            continue;
        struct rp_insn insn = rp_code_insn(graph->code, at);
        if (insn.kind == RP_INSN_ADDRESS)
            take_address(graph, insn.target | 1);
    }
}

/* ---- chains of calls ---- */

/* A function in a chain of calls that begins where r9 has another value. */
struct chain {
    const struct rp_function *function;
    const struct chain *caller; /* NULL: the first */
};

struct queue {
    struct chain *items;
    size_t count;
    bool *reached; /* by index of the function */
    bool pointers; /* functions whose address is taken have been added */
};

static void reach(const struct graph *graph, struct queue *queue,
                  const struct rp_function *function, const struct chain *caller) {
    size_t index = (size_t)(function - graph->flow.functions.items);
    if (queue->reached[index])
        return;
    queue->reached[index] = true;
    queue->items[queue->count++] = (struct chain){function, caller};
}

static void reach_pointers(const struct graph *graph, struct queue *queue,
                           const struct chain *caller) {
    for (size_t i = 0; !queue->pointers && i < graph->flow.functions.count; i++)
        if (graph->flow.functions.items[i].address_taken)
            reach(graph, queue, &graph->flow.functions.items[i], caller);
    queue->pointers = true;
}

static struct queue make_queue(const struct graph *graph) {
    size_t room = graph->flow.functions.count + 1;
    return (struct queue){rp_alloc(graph->arena, room, sizeof(struct chain)), 0,
                          rp_alloc(graph->arena, room, 1), false};
}

/*
 * Breadth first, from the functions in the queue: the shortest chain to one that needs r9, or NULL.
 */
static const struct chain *follow(const struct graph *graph, struct queue *queue) {
    const struct rp_flow *flow = &graph->flow;
    for (size_t next = 0; next < queue->count; next++) {
        const struct chain *at = queue->items + next;
        if (at->function->needs)
            return at;
        for (size_t i = 0; i < flow->calls.count; i++)
            if (flow->calls.items[i].from == at->function && !flow->calls.items[i].own)
                reach(graph, queue, flow->calls.items[i].to, at);
        if (at->function->by_pointer)
            reach_pointers(graph, queue, at);
    }
    return NULL;
}

/* The shortest chain from a function that calls with another r9, or NULL. */
static const struct chain *find_chain(const struct graph *graph) {
    const struct rp_flow *flow = &graph->flow;
    struct queue queue = make_queue(graph);
    for (size_t i = 0; i < flow->calls.count; i++)
        if (flow->calls.items[i].own) {
            struct chain *first = rp_alloc(graph->arena, 1, sizeof *first);
            first->function = flow->calls.items[i].from;
            reach(graph, &queue, flow->calls.items[i].to, first);
        }
    for (size_t i = 0; i < flow->functions.count; i++)
        if (flow->functions.items[i].by_pointer_own) {
            struct chain *first = rp_alloc(graph->arena, 1, sizeof *first);
            first->function = &flow->functions.items[i];
            reach_pointers(graph, &queue, first);
        }
    return follow(graph, &queue);
}

static void put_chain(struct rp_buf *out, const struct graph *graph, const struct chain *last) {
    if (last->caller != NULL) {
        put_chain(out, graph, last->caller);
        rp_buf_puts(out, " -> ");
    }
    rp_buf_puts(out, rp_code_function(graph->code, graph->arena, last->function->start));
}

/*
 * By index: does the function, or one that it calls, need the r9 that it was entered with?
 * *pointed: one whose address is taken does.
 */
static const bool *find_needy(const struct graph *graph, bool *pointed) {
    const struct rp_flow *flow = &graph->flow;
    bool *needy = rp_alloc(graph->arena, flow->functions.count + 1, 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < flow->functions.count; i++) {
            const struct rp_function *function = &flow->functions.items[i];
            if (!needy[i] && (function->needs || (function->by_pointer && *pointed)))
                needy[i] = changed = true;
            if (!*pointed && needy[i] && function->address_taken)
                *pointed = changed = true;
        }
        for (size_t i = 0; i < flow->calls.count; i++) {
            const struct rp_call *call = &flow->calls.items[i];
            size_t from = (size_t)(call->from - flow->functions.items);
            if (!call->own && !needy[from] && needy[call->to - flow->functions.items])
                needy[from] = changed = true;
        }
    }
    return needy;
}

static void find_wrong(const struct graph *graph, struct rp_words *wrong) {
    const struct rp_flow *flow = &graph->flow;
    bool pointed = false;
    const bool *needy = find_needy(graph, &pointed);
    for (size_t i = 0; i < flow->faults.count; i++)
        *RP_PUSH(graph->arena, wrong) = flow->faults.items[i].at;
    for (size_t i = 0; i < flow->calls.count; i++)
        if (flow->calls.items[i].own && needy[flow->calls.items[i].to - flow->functions.items])
            *RP_PUSH(graph->arena, wrong) = flow->calls.items[i].from->start;
    for (size_t i = 0; i < flow->functions.count; i++)
        if (flow->functions.items[i].by_pointer_own && pointed)
            *RP_PUSH(graph->arena, wrong) = flow->functions.items[i].start;
}

static bool check_chains(const struct graph *graph, struct rp_error *err) {
    struct rp_buf text = {.arena = graph->arena};
    const struct chain *chain = find_chain(graph);
    if (chain == NULL)
        return true;
    put_chain(&text, graph, chain);
    rp_fail(
        err, RP_E_R9,
        "a function that uses r9 for another purpose may call one that finds its data by r9:\n  %s",
        text.data);
    while (chain->caller != NULL)
        chain = chain->caller;
    rp_fail_symbol(err, rp_code_label(graph->code, chain->function->start));
    return rp_hint(err, "compile the first function with -ffixed-r9%s",
                   graph->layout->copy_helps
                       ? ", or use -r copy-only, with which the model's own C code needs no r9"
                       : "");
}

/* ---- faults inside functions ---- */

static void put_fault(struct rp_buf *out, const struct graph *graph,
                      const struct rp_r9_fault *fault) {
    const char *at = rp_code_place(graph->code, graph->arena, fault->at);
    const char *written =
        fault->written != 0 ? rp_code_place(graph->code, graph->arena, fault->written) : NULL;
    switch (fault->kind) {
    case RP_R9_LEAVES:
        rp_buf_printf(
            out,
            "\n  %s returns, or jumps to another function, without restoring r9, which is "
            "written at %s",
            at, written != NULL ? written : "an unknown place");
        break;
    case RP_R9_JUMP:
        rp_buf_printf(
            out,
            "\n  %s jumps to a computed address, and its section changes r9, so the value "
            "of r9 at the target is unknown",
            at);
        break;
    case RP_R9_OTHER_BASE:
        rp_buf_printf(out, "\n  %s adds an offset of the GOT or of a variable to r%u", at,
                      (unsigned)fault->reg);
        if (written != NULL)
            rp_buf_printf(out, ", which has a value of its own since %s", written);
        break;
    case RP_R9_LOST:
        rp_buf_printf(out,
                      "\n  %s uses an offset of the GOT or of a variable in a way that is not "
                      "understood, and its function does not use r9",
                      at);
        break;
    }
}

static bool check_faults(const struct graph *graph, struct rp_error *err) {
    struct rp_buf text = {.arena = graph->arena};
    size_t count = graph->flow.faults.count;
    bool leaves = false;
    if (count == 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        leaves = leaves || graph->flow.faults.items[i].kind == RP_R9_LEAVES ||
                 graph->flow.faults.items[i].kind == RP_R9_JUMP;
        if (i < SHOWN_MAX)
            put_fault(&text, graph, &graph->flow.faults.items[i]);
    }
    if (count > SHOWN_MAX)
        rp_buf_printf(&text, "\n  and %zu more", count - SHOWN_MAX);
    rp_fail(err, RP_E_R9,
            "r9 holds the address of the image's data, but this code uses it differently:%s",
            text.data);
    rp_fail_symbol(err, rp_code_label(graph->code, graph->flow.faults.items[0].at));
    if (leaves)
        return rp_hint(err,
                       "compile it with -ffixed-r9; in assembly, save r9 on the stack and restore "
                       "it before the return");
    return rp_hint(err,
                   "compile it with -msingle-pic-base -mpic-register=r9, or with clang's -frwpi");
}

bool rp_r9_check(const struct rp_layout *layout, struct rp_arena *arena, const struct rp_code *code,
                 struct rp_r9_found *found, struct rp_error *err) {
    struct graph graph = {.layout = layout, .arena = arena, .code = code, .flow = {.code = code}};
    find_functions(&graph);
    read_relocs(&graph);
    read_words(&graph);
    read_adr(&graph);
    for (size_t i = 0; i < graph.taken.count; i++)
        add_start(&graph, (struct rp_function){.start = graph.taken.items[i], .is_label = true});
    sort_functions(&graph);
    for (size_t i = 0; i < graph.taken.count; i++) {
        struct rp_function *function = rp_flow_function(&graph.flow, graph.taken.items[i]);
        function->address_taken = true;
        function->entered = function->entered || !function->is_label;
    }
    rp_flow_follow(&graph.flow, arena);
    struct queue pointers = make_queue(&graph);
    reach_pointers(&graph, &pointers, NULL);
    const struct chain *pointed = follow(&graph, &pointers);
    while (pointed != NULL && pointed->caller != NULL)
        pointed = pointed->caller;
    *found = (struct rp_r9_found){
        .pointed =
            pointed != NULL ? rp_code_function(code, arena, pointed->function->start) : NULL};
    find_wrong(&graph, &found->wrong);
    return check_faults(&graph, err) && check_chains(&graph, err);
}
