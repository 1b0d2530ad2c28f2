/* SPDX-License-Identifier: Apache-2.0 */
/* Who may call what needs r9 while it is in use: see r9.h. */
#include "elfpack/r9.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "elfpack/thumb.h"

struct function {
    const struct rp_symbol *symbol;
    uint32_t start, end; /* FLASH segment addresses */
    bool saves_r9;       /* so it may use it */
    bool by_pointer;     /* calls through a register */
    bool needs_r9;       /* to find its data: by the GOT, or by distances from r9 */
    bool address_taken;
    const struct function *caller; /* on the way from one that saves r9; itself: that one */
};

struct call {
    struct function *from, *to;
};

struct graph {
    const struct rp_layout *layout;
    struct {
        struct function *items;
        size_t count;
        size_t capacity;
    } functions; /* sorted by start */
    struct {
        struct call *items;
        size_t count;
        size_t capacity;
    } calls; /* sorted by from */
};

static uint32_t half_at(const struct graph *graph, uint32_t address) {
    const uint8_t *at = graph->layout->flash->contents + (address & RELOC_OFFSET_MASK);
    return at[0] | (uint32_t)at[1] << 8;
}

static uint32_t word_at(const struct graph *graph, uint32_t address) {
    return half_at(graph, address) | half_at(graph, address + 2) << 16;
}

/* ---- functions ---- */

static int compare_functions(const void *a, const void *b) {
    const struct function *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void find_functions(struct graph *graph, struct rp_arena *arena) {
    const struct rp_elf *elf = graph->layout->elf;
    uint32_t end = graph->layout->flash->addr + graph->layout->flash->size;
    for (size_t i = 0; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        uint32_t start = symbol->value & ~UINT32_C(1);
        if (symbol->type != STT_FUNC || start < graph->layout->flash->addr || start >= end)
            continue;
        uint32_t size = symbol->size < end - start ? symbol->size : end - start;
        *RP_PUSH(arena, &graph->functions) =
            (struct function){.symbol = symbol, .start = start, .end = start + size};
    }
    if (graph->functions.count != 0)
        qsort(graph->functions.items, graph->functions.count, sizeof *graph->functions.items,
              compare_functions);
}

/* The last function that starts at or before address, if address is in it. */
static struct function *function_at(const struct graph *graph, uint32_t address) {
    size_t low = 0, high = graph->functions.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (graph->functions.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    struct function *found = &graph->functions.items[low - 1];
    return address < found->end || address == found->start ? found : NULL;
}

static void read_code(const struct graph *graph, struct function *function) {
    const uint8_t *code = graph->layout->flash->contents + (function->start & RELOC_OFFSET_MASK);
    struct rp_thumb_use use = rp_thumb_read(code, function->end - function->start);
    function->saves_r9 = use.saves_r9;
    function->by_pointer = use.by_pointer;
}

/* ---- calls ---- */

static void add_call(struct graph *graph, struct rp_arena *arena, struct function *from,
                     struct function *to) {
    if (from != NULL && to != NULL && from != to)
        *RP_PUSH(arena, &graph->calls) = (struct call){from, to};
}

static void take_address(const struct graph *graph, uint32_t word) {
    struct function *function = (word & 1) != 0 ? function_at(graph, word & ~UINT32_C(1)) : NULL;
    if (function != NULL && function->start == (word & ~UINT32_C(1)))
        function->address_taken = true;
}

static bool needs_r9(uint32_t type) {
    return type == R_ARM_GOT32 || type == R_ARM_SBREL32 || type == R_ARM_THM_MOVW_BREL_NC ||
           type == R_ARM_THM_MOVW_BREL || type == R_ARM_THM_MOVT_BREL;
}

static void read_relocs(struct graph *graph, struct rp_arena *arena) {
    const struct rp_elf *elf = graph->layout->elf;
    const struct rp_section *flash = graph->layout->flash;
    for (size_t i = 0; i < elf->reloc_count; i++) {
        const struct rp_reloc *reloc = &elf->relocs[i];
        if (&elf->sections[reloc->section] != flash || reloc->place - flash->addr > flash->size - 4)
            continue;
        struct function *from = function_at(graph, reloc->place);
        bool conditional = reloc->type == R_ARM_THM_JUMP19;
        if (needs_r9(reloc->type) && from != NULL)
            from->needs_r9 = true;
        else if (reloc->type == R_ARM_THM_MOVW_PREL_NC || reloc->type == R_ARM_REL32)
            take_address(graph, elf->symbols[reloc->symbol].value);
        else if (reloc->type == R_ARM_THM_PC22 || reloc->type == R_ARM_THM_JUMP24 || conditional)
            add_call(graph, arena, from,
                     function_at(graph, rp_thumb_branch(word_at(graph, reloc->place), reloc->place,
                                                        conditional)));
    }
}

/* Words that hold addresses: in the data, the GOT, and in code that gets patched. */
static void read_words(const struct graph *graph) {
    const struct rp_layout *layout = graph->layout;
    for (size_t i = 0; i < layout->rel.count; i++) {
        uint32_t offset = layout->rel.items[i] - layout->data->addr;
        if (offset <= layout->data->size - 4)
            take_address(graph, rp_get_le32(layout->data->contents + offset));
    }
    for (uint32_t at = layout->got_start; at < layout->got_end; at += 4)
        take_address(graph, rp_get_le32(layout->data->contents + at));
    for (size_t i = 0; i < layout->fixups.count; i++)
        take_address(graph, layout->fixups.items[i].target);
}

static int compare_calls(const void *a, const void *b) {
    const struct call *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void sort_calls(struct graph *graph) {
    if (graph->calls.count != 0)
        qsort(graph->calls.items, graph->calls.count, sizeof *graph->calls.items, compare_calls);
}

static size_t first_call(const struct graph *graph, const struct function *from) {
    size_t low = 0, high = graph->calls.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (graph->calls.items[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- ways ---- */

struct queue {
    struct function **items;
    size_t count;
};

static void reach(struct queue *queue, struct function *function, const struct function *caller) {
    if (function->caller != NULL)
        return;
    function->caller = caller;
    queue->items[queue->count++] = function;
}

/* Breadth first from all functions that save r9: the first that needs it, or NULL. */
static const struct function *find_way(const struct graph *graph, struct rp_arena *arena) {
    struct queue queue = {rp_alloc(arena, graph->functions.count + 1, sizeof *queue.items), 0};
    bool any_pointer = false;
    for (size_t i = 0; i < graph->functions.count; i++)
        if (graph->functions.items[i].saves_r9)
            reach(&queue, &graph->functions.items[i], &graph->functions.items[i]);
    for (size_t next = 0; next < queue.count; next++) {
        struct function *at = queue.items[next];
        if (at->needs_r9 && at->caller != at)
            return at;
        for (size_t i = first_call(graph, at);
             i < graph->calls.count && graph->calls.items[i].from == at; i++)
            reach(&queue, graph->calls.items[i].to, at);
        for (size_t i = 0; at->by_pointer && !any_pointer && i < graph->functions.count; i++)
            if (graph->functions.items[i].address_taken)
                reach(&queue, &graph->functions.items[i], at);
        any_pointer = any_pointer || at->by_pointer;
    }
    return NULL;
}

static void put_way(struct rp_buf *out, struct rp_arena *arena, const struct rp_linkmap *map,
                    const struct function *function) {
    const struct rp_contribution *from = rp_linkmap_find(map, function->start);
    if (function->caller != function) {
        put_way(out, arena, map, function->caller);
        rp_buf_puts(out, " -> ");
    }
    rp_buf_printf(out, "%s", function->symbol->name);
    if (from != NULL)
        rp_buf_printf(out, " (%s)", rp_contribution_origin(arena, from));
}

bool rp_r9_check(const struct rp_layout *layout, struct rp_arena *arena,
                 const struct rp_linkmap *map, struct rp_error *err) {
    struct graph graph = {.layout = layout};
    struct rp_buf way = {0};
    bool any = false;
    find_functions(&graph, arena);
    for (size_t i = 0; i < graph.functions.count; i++) {
        read_code(&graph, &graph.functions.items[i]);
        any = any || graph.functions.items[i].saves_r9;
    }
    if (!any)
        return true;
    read_relocs(&graph, arena);
    read_words(&graph);
    sort_calls(&graph);
    const struct function *found = find_way(&graph, arena);
    if (found == NULL)
        return true;
    put_way(&way, arena, map, found);
    rp_fail(err, RP_E_R9,
            "a function that uses r9 for itself may call one that finds its data by "
            "r9:\n  %s",
            way.data);
    rp_buf_release(&way);
    while (found->caller != NULL && found->caller != found)
        found = found->caller;
    rp_fail_symbol(err, found->symbol->name);
    return rp_hint(err, "compile the first one with -ffixed-r9");
}
