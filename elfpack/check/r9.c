/* SPDX-License-Identifier: Apache-2.0 */
/* Who writes r9, and who needs it in the meantime: see r9.h. */
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
    struct rp_words taken; /* addresses of code that the image takes */
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

/* A label inside a function, as assembly and jump tables have, is a function of its own. */
static void take_address(struct graph *graph, uint32_t word) {
    if ((rp_code_mark(graph->code, word & ~UINT32_C(1)) & RP_CODE_START) != 0)
        *RP_PUSH(graph->arena, &graph->taken) = word & ~UINT32_C(1);
}

static void mark_taken(struct graph *graph) {
    for (size_t i = 0; i < graph->taken.count; i++) {
        struct rp_function *function = rp_flow_function(&graph->flow, graph->taken.items[i]);
        function->address_taken = true;
        function->entered = function->entered || !function->is_label;
    }
}

static bool is_distance(uint32_t type) {
    return type == R_ARM_GOT32 || type == R_ARM_SBREL32 || type == R_ARM_THM_MOVW_BREL_NC ||
           type == R_ARM_THM_MOVW_BREL || type == R_ARM_THM_MOVT_BREL;
}

static void read_relocs(struct graph *graph) {
    const struct rp_elf *elf = graph->layout->parts.elf;
    const struct rp_section *flash = graph->layout->parts.flash;
    for (size_t i = 0; i < elf->reloc_count; i++) {
        const struct rp_reloc *reloc = &elf->relocs[i];
        if (&elf->sections[reloc->section] != flash || reloc->place - flash->addr > flash->size - 4)
            continue;
        if (is_distance(reloc->type))
            *RP_PUSH(graph->arena, &graph->flow.distances) = reloc->place;
        else if (reloc->type == R_ARM_THM_MOVW_PREL_NC || reloc->type == R_ARM_REL32)
            take_address(graph, elf->symbols[reloc->symbol].value);
    }
    rp_words_sort(&graph->flow.distances);
}

/* In the linked file, the GOT's word of an import leads to the stub that goes through it. */
static bool is_set_later(const struct rp_layout *layout, uint32_t address) {
    bool found = false;
    for (size_t i = 0; i < layout->words.fixups.count; i++)
        found = found || layout->words.fixups.items[i].where == address;
    return found;
}

/* Words that hold addresses: in the data, in the GOT, and in code that gets patched. */
static void read_words(struct graph *graph) {
    const struct rp_layout *layout = graph->layout;
    for (size_t i = 0; i < layout->words.rel.count; i++) {
        uint32_t offset = layout->words.rel.items[i] - layout->parts.data->addr;
        if (offset <= layout->parts.data->size - 4)
            take_address(graph, rp_get_le32(layout->parts.data->contents + offset));
    }
    for (uint32_t at = layout->parts.bounds.got_start; at < layout->parts.bounds.got_end; at += 4)
        if (!is_set_later(layout, layout->parts.data->addr + at))
            take_address(graph, rp_get_le32(layout->parts.data->contents + at));
    for (size_t i = 0; i < layout->words.fixups.count; i++)
        take_address(graph, layout->words.fixups.items[i].target);
}

/* ADR of a function. */
static void read_near(struct graph *graph) {
    const struct rp_section *flash = graph->layout->parts.flash;
    for (uint32_t at = flash->addr; at < flash->addr + flash->size; at += 2) {
        if ((rp_code_mark(graph->code, at) & RP_CODE_VALUE) == 0)
            continue;
        struct rp_insn insn = rp_code_insn(graph->code, at);
        if (insn.kind == RP_INSN_ADDRESS)
            take_address(graph, insn.target | 1);
    }
}

/* ---- ways ---- */

/* A step on the way from a function that has a value of its own in r9. */
struct way {
    const struct rp_function *function;
    const struct way *from;
};

struct queue {
    struct way *items;
    size_t count;
    bool *reached; /* by index */
    bool pointers; /* functions whose address is taken are in the queue */
};

static void reach(const struct graph *graph, struct queue *queue,
                  const struct rp_function *function, const struct way *from) {
    size_t index = (size_t)(function - graph->flow.functions.items);
    if (queue->reached[index])
        return;
    queue->reached[index] = true;
    queue->items[queue->count++] = (struct way){function, from};
}

static void reach_pointers(const struct graph *graph, struct queue *queue, const struct way *from) {
    for (size_t i = 0; !queue->pointers && i < graph->flow.functions.count; i++)
        if (graph->flow.functions.items[i].address_taken)
            reach(graph, queue, &graph->flow.functions.items[i], from);
    queue->pointers = true;
}

static struct queue make_queue(const struct graph *graph) {
    size_t room = graph->flow.functions.count + 1;
    return (struct queue){rp_alloc(graph->arena, room, sizeof(struct way)), 0,
                          rp_alloc(graph->arena, room, 1), false};
}

/* Breadth first, from the functions in the queue: finds the first that needs r9, or NULL. */
static const struct way *follow(const struct graph *graph, struct queue *queue) {
    const struct rp_flow *flow = &graph->flow;
    for (size_t next = 0; next < queue->count; next++) {
        const struct way *at = queue->items + next;
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

/* From the functions that are called with another r9. */
static const struct way *find_way(const struct graph *graph) {
    const struct rp_flow *flow = &graph->flow;
    struct queue queue = make_queue(graph);
    for (size_t i = 0; i < flow->calls.count; i++)
        if (flow->calls.items[i].own) {
            struct way *first = rp_alloc(graph->arena, 1, sizeof *first);
            first->function = flow->calls.items[i].from;
            reach(graph, &queue, flow->calls.items[i].to, first);
        }
    for (size_t i = 0; i < flow->functions.count; i++)
        if (flow->functions.items[i].by_pointer_own) {
            struct way *first = rp_alloc(graph->arena, 1, sizeof *first);
            first->function = &flow->functions.items[i];
            reach_pointers(graph, &queue, first);
        }
    return follow(graph, &queue);
}

/* From those whose address is taken: the one that comes first, or NULL. */
static const char *find_pointed(const struct graph *graph) {
    struct queue queue = make_queue(graph);
    reach_pointers(graph, &queue, NULL);
    const struct way *way = follow(graph, &queue);
    while (way != NULL && way->from != NULL)
        way = way->from;
    return way != NULL ? rp_code_function(graph->code, graph->arena, way->function->start) : NULL;
}

static void put_way(struct rp_buf *out, const struct graph *graph, const struct way *way) {
    if (way->from != NULL) {
        put_way(out, graph, way->from);
        rp_buf_puts(out, " -> ");
    }
    rp_buf_puts(out, rp_code_function(graph->code, graph->arena, way->function->start));
}

/* By index: functions that need r9 as it was on entry, themselves or for what they call. */
static const bool *find_needy(const struct graph *graph, bool *pointed) {
    const struct rp_flow *flow = &graph->flow;
    bool *needy = rp_alloc(graph->arena, flow->functions.count + 1, 1);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < flow->functions.count; i++) {
            const struct rp_function *function = &flow->functions.items[i];
            if (!needy[i] && (function->needs || (function->by_pointer && *pointed)))
                needy[i] = again = true;
            if (!*pointed && needy[i] && function->address_taken)
                *pointed = again = true;
        }
        for (size_t i = 0; i < flow->calls.count; i++) {
            const struct rp_call *call = &flow->calls.items[i];
            size_t from = (size_t)(call->from - flow->functions.items);
            if (!call->own && !needy[from] && needy[call->to - flow->functions.items])
                needy[from] = again = true;
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

static bool check_ways(const struct graph *graph, struct rp_error *err) {
    struct rp_buf text = {.arena = graph->arena};
    const struct way *way = find_way(graph);
    if (way == NULL)
        return true;
    put_way(&text, graph, way);
    rp_fail(err, RP_E_R9,
            "a function that uses r9 for itself may call one that finds its data by r9:\n  %s",
            text.data);
    while (way->from != NULL)
        way = way->from;
    rp_fail_symbol(err, rp_code_label(graph->code, way->function->start));
    return rp_hint(err, "compile the first one with -ffixed-r9%s",
                   graph->layout->copy_helps
                       ? ", or give -r copy-only, with which the model's own C code needs no r9"
                       : "");
}

/* ---- single functions ---- */

static void put_fault(struct rp_buf *out, const struct graph *graph,
                      const struct rp_r9_fault *fault) {
    const char *at = rp_code_place(graph->code, graph->arena, fault->at);
    const char *written =
        fault->written != 0 ? rp_code_place(graph->code, graph->arena, fault->written) : NULL;
    switch (fault->kind) {
    case RP_R9_LEAVES:
        rp_buf_printf(out,
                      "\n  %s returns, or goes to another function, without the r9 that it was "
                      "entered with; r9 is written at %s",
                      at, written != NULL ? written : "a place that is not known");
        break;
    case RP_R9_JUMP:
        rp_buf_printf(out,
                      "\n  %s jumps to an address that it computes, and its section changes r9, so "
                      "what r9 is at the target is not known",
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
                      "\n  %s does something with an offset of the GOT or of a variable that is "
                      "not understood, and its function does not use r9",
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
            "r9 holds the address of the image's data, and this code uses it differently:%s",
            text.data);
    rp_fail_symbol(err, rp_code_label(graph->code, graph->flow.faults.items[0].at));
    if (leaves)
        return rp_hint(err,
                       "compile it with -ffixed-r9; assembly saves r9 on the stack and restores "
                       "it before it returns");
    return rp_hint(err,
                   "compile it with -msingle-pic-base -mpic-register=r9, or with clang's -frwpi");
}

bool rp_r9_check(const struct rp_layout *layout, struct rp_arena *arena, const struct rp_code *code,
                 struct rp_r9_found *found, struct rp_error *err) {
    struct graph graph = {.layout = layout, .arena = arena, .code = code, .flow = {.code = code}};
    find_functions(&graph);
    read_relocs(&graph);
    read_words(&graph);
    read_near(&graph);
    for (size_t i = 0; i < graph.taken.count; i++)
        add_start(&graph, (struct rp_function){.start = graph.taken.items[i], .is_label = true});
    sort_functions(&graph);
    mark_taken(&graph);
    rp_flow_follow(&graph.flow, arena);
    *found = (struct rp_r9_found){.pointed = find_pointed(&graph)};
    find_wrong(&graph, &found->wrong);
    return check_faults(&graph, err) && check_ways(&graph, err);
}
