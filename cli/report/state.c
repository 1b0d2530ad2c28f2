/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of a model that keep their values from run to run, as a note: see state.h. */
#include "cli/report/state.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/grid.h"
#include "base/path.h"
#include "cli/report/table.h"

enum { SHOWN = 8 };

struct variables {
    struct rp_symbol const **items;
    size_t count;
    size_t capacity;
    uint64_t bytes;
};

/*
 * Does it come from one of the model's own sources (their units come first), not from a library or
 * the tool?
 */
static bool is_own(const struct rp_package *package, const struct rp_contribution *from) {
    size_t own = rp_package_model_units(package);
    for (size_t i = 0; from != NULL && from->member == NULL && i < own; i++)
        if (strcmp(from->file, rp_package_source_of(
                                   package, rp_format(package->arena, "obj/%03zu.o", i + 1))) == 0)
            return true;
    return false;
}

static bool is_variable(const struct rp_package *package, const struct rp_symbol *symbol) {
    const struct rp_contribution *from = rp_linkmap_find(&package->linked.map, symbol->value);
    /* constants that hold addresses are in the data, but nothing writes them */
    return symbol->type == STT_OBJECT && symbol->size != 0 && is_own(package, from) &&
           !rp_has_prefix(from->section, ".data.rel.ro");
}

static int larger_first(const void *a, const void *b) {
    const struct rp_symbol *x = *(const struct rp_symbol *const *)a,
                           *y = *(const struct rp_symbol *const *)b;
    return x->size != y->size ? (x->size > y->size ? -1 : 1) : strcmp(x->name, y->name);
}

static void find(const struct rp_package *package, const char *const sections[],
                 struct variables *out) {
    for (size_t i = 0; i < package->linked.elf.symbol_count; i++) {
        const struct rp_symbol *symbol = &package->linked.elf.symbols[i];
        const struct rp_section *section = rp_symbol_section(&package->linked.elf, symbol);
        bool there = section != NULL && (strcmp(section->name, sections[0]) == 0 ||
                                         strcmp(section->name, sections[1]) == 0);
        if (!there || !is_variable(package, symbol))
            continue;
        *RP_PUSH(package->arena, out) = symbol;
        out->bytes += symbol->size;
    }
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, larger_first);
}

/* The name in the source: gcc appends a number to the name of a function's static variable. */
static int name_len(const char *name) {
    const char *dot = strrchr(name, '.');
    bool numbered = dot != NULL && dot != name && dot[1] != '\0' &&
                    strspn(dot + 1, "0123456789") == strlen(dot + 1);
    return (int)(numbered ? (size_t)(dot - name) : strlen(name));
}

static void put(struct rp_buf *out, struct rp_arena *arena, const struct variables *list,
                const char *where) {
    for (size_t i = 0; i < list->count && i < SHOWN; i++)
        rp_buf_printf(out, "%s'%.*s' (%s bytes)", i == 0 ? "" : ", ",
                      name_len(list->items[i]->name), list->items[i]->name,
                      rp_commas(arena, list->items[i]->size));
    if (list->count > SHOWN)
        rp_buf_printf(out, " and %zu more", list->count - SHOWN);
    rp_buf_printf(out, " in %s", where);
}

void rp_report_state(const struct rp_package *package, struct rp_diagnostics *notes) {
    struct variables ram = {0}, acts = {0};
    struct rp_buf text = {.arena = package->arena};
    if (!package->model.dialect->plain_functions)
        return;
    find(package, (const char *const[]){".data", ".bss"}, &ram);
    find(package, (const char *const[]){".acts", ".acts"}, &acts);
    if (ram.count + acts.count == 0)
        return;
    rp_buf_puts(&text, "what the model writes here is still there at the next run: ");
    if (ram.count != 0)
        put(&text, package->arena, &ram, "the RAM of the instance");
    if (ram.count != 0 && acts.count != 0)
        rp_buf_puts(&text, "; ");
    if (acts.count != 0)
        put(&text, package->arena, &acts, "the activations");
    const struct rp_symbol *first = ram.count != 0 ? ram.items[0] : acts.items[0];
    struct rp_diagnostic *note =
        rp_diagnose(package->arena, notes, "RP1061", rp_strdup(package->arena, text.data));
    note->symbol = rp_strndup(package->arena, first->name, (size_t)name_len(first->name));
    note->hint =
        acts.count != 0
            ? "if these are scratch buffers, ignore this. If the model keeps state between runs "
              "(an RNN), each instance has its own: in the RAM it has its initial values "
              "when the image is loaded, in the activations it is 0 at each init, and lost "
              "when the firmware uses that memory between runs (--acts-threshold 0 keeps "
              "all of it in the RAM)"
            : "if these are scratch buffers, ignore this. If the model keeps state between "
              "runs (an RNN), each instance has its own, with its initial values when the "
              "image is loaded";
}
