/* SPDX-License-Identifier: Apache-2.0 */
/* Names of installed code: see scopes.h. */
#include "cli/profile/scopes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elfpack/elf/sorted.h"

/* ---- symbols that name code ---- */

struct named {
    uint32_t start, size;
    unsigned rank; /* among names of one address, the lowest is shown */
    const char *name;
};

struct named_list {
    struct named *items;
    size_t count;
    size_t capacity;
};

enum { RANK_FUNCTION = 0, RANK_LOCAL_FUNCTION = 1, RANK_LABEL = 2, RANK_LOCAL_LABEL = 3 };

static int by_start(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Assembly may have labels without a type. Mapping symbols ($t, $d) are no names. */
static bool names_code(const struct rp_elf *elf, const struct rp_symbol *symbol) {
    const struct rp_section *section = rp_symbol_section(elf, symbol);
    bool has_type = symbol->type == STT_FUNC || symbol->type == STT_NOTYPE;
    return has_type && section != NULL && (section->flags & SHF_EXECINSTR) != 0 &&
           symbol->name[0] != '\0' && symbol->name[0] != '$';
}

static void collect(const struct rp_scopes *scopes, const struct rp_elf *elf,
                    const struct rp_code_part *part, struct named_list *list) {
    for (size_t i = 0; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        uint32_t start = (symbol->value & ~UINT32_C(1)) - part->linked;
        if (!names_code(elf, symbol) || start >= part->size)
            continue;
        unsigned rank = (symbol->type == STT_FUNC ? RANK_FUNCTION : RANK_LABEL) +
                        (symbol->bind == STB_LOCAL ? 1u : 0u);
        *RP_PUSH(scopes->arena, list) = (struct named){start, symbol->size, rank, symbol->name};
    }
    if (list->count != 0)
        qsort(list->items, list->count, sizeof *list->items, by_start);
}

/*
 * Leaves out further names of an address, labels inside a function, and local labels behind a name
 * without a size, which is a function of assembly that they are in.
 */
static void drop_labels(struct named_list *list) {
    size_t kept = 0;
    uint32_t end = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct named one = list->items[i];
        const struct named *last = kept != 0 ? &list->items[kept - 1] : NULL;
        bool again = last != NULL && last->start == one.start;
        bool inside = one.rank >= RANK_LABEL && one.start < end;
        bool behind = one.rank == RANK_LOCAL_LABEL && last != NULL && last->size == 0;
        if (again && last->size == 0)
            list->items[kept - 1].size = one.size;
        if (!again && !inside && !behind)
            list->items[kept++] = one;
        if (one.rank < RANK_LABEL && one.start + one.size > end)
            end = one.start + one.size;
    }
    list->count = kept;
}

/* ---- ranges ---- */

static uint32_t add_scope(struct rp_scopes *scopes, const char *name, uint32_t start,
                          const struct rp_code_part *part) {
    *RP_PUSH(scopes->arena, &scopes->list) = (struct rp_scope){
        .name = rp_strdup(scopes->arena, name), /* the linked file will be closed */
        .start = start,
        .parent = RP_NO_SCOPE,
        .in_image = part->in_image};
    return (uint32_t)scopes->list.count - 1;
}

static void add_range(struct rp_scopes *scopes, uint32_t start, uint32_t scope) {
    *RP_PUSH(scopes->arena, &scopes->ranges) = (struct rp_scope_range){start, scope};
}

/* Function in which others begin: its scope, and the offset of its end. */
struct outer {
    uint32_t scope, end;
};

/* Code between offsets that no function begins at: the rest of an outer one, then what has no name.
 */
static void add_gap(struct rp_scopes *scopes, const struct rp_code_part *part, uint32_t start,
                    uint32_t end, const struct outer *outer) {
    if (start < outer->end && start < end) {
        add_range(scopes, part->address + start, outer->scope);
        start = outer->end;
    }
    if (start >= end)
        return;
    const char *name = rp_format(scopes->arena, "0x%08x", part->linked + start);
    uint32_t at = part->address + start;
    add_range(scopes, at, add_scope(scopes, name, at, part));
}

/* A name without a size reaches to the next name. */
static void add_ranges(struct rp_scopes *scopes, const struct rp_code_part *part,
                       const struct named_list *list) {
    struct outer outer = {RP_NO_SCOPE, 0};
    uint32_t at = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct named *one = &list->items[i];
        uint32_t start = part->address + one->start;
        uint32_t next = i + 1 < list->count ? list->items[i + 1].start : part->size;
        uint32_t room = next - one->start;
        add_gap(scopes, part, at, one->start, &outer);
        uint32_t scope = add_scope(scopes, one->name, start, part);
        add_range(scopes, start, scope);
        at = one->size != 0 && one->size < room ? one->start + one->size : next;
        if (one->size > room && one->start + one->size > outer.end)
            outer = (struct outer){scope, one->start + one->size};
    }
    add_gap(scopes, part, at, part->size, &outer);
    add_range(scopes, part->address + part->size, RP_NO_SCOPE);
}

static int range_order(const void *a, const void *b) {
    const struct rp_scope_range *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->scope == y->scope ? 0 : x->scope > y->scope ? -1 : 1; /* RP_NO_SCOPE first */
}

static void sort_ranges(struct rp_scopes *scopes) {
    qsort(scopes->ranges.items, scopes->ranges.count, sizeof *scopes->ranges.items, range_order);
}

void rp_scopes_add(struct rp_scopes *scopes, const struct rp_elf *elf,
                   const struct rp_code_part *part) {
    struct named_list list = {0};
    *RP_PUSH(scopes->arena, &scopes->parts) = *part;
    collect(scopes, elf, part, &list);
    drop_labels(&list);
    add_ranges(scopes, part, &list);
    sort_ranges(scopes);
}

/* ---- questions ---- */

static int is_behind(const void *key, const void *item) {
    const uint32_t *address = key;
    const struct rp_scope_range *range = item;
    return range->start <= *address ? 1 : -1;
}

/* The last range that begins at or before the address; SIZE_MAX: none. */
static size_t range_of(const struct rp_scopes *scopes, uint32_t address) {
    return rp_lower_bound(&address, scopes->ranges.items, scopes->ranges.count,
                          sizeof *scopes->ranges.items, is_behind) -
           1;
}

uint32_t rp_scope_at(const struct rp_scopes *scopes, uint32_t address) {
    size_t at = range_of(scopes, address);
    return at != SIZE_MAX ? scopes->ranges.items[at].scope : RP_NO_SCOPE;
}

uint32_t rp_scope_function(const struct rp_scopes *scopes, uint32_t scope) {
    while (scope != RP_NO_SCOPE && scopes->list.items[scope].parent != RP_NO_SCOPE)
        scope = scopes->list.items[scope].parent;
    return scope;
}

uint32_t rp_scope_named(const struct rp_scopes *scopes, const char *name) {
    for (size_t i = 0; i < scopes->list.count; i++) {
        const struct rp_scope *scope = &scopes->list.items[i];
        if (scope->in_image && scope->parent == RP_NO_SCOPE && strcmp(scope->name, name) == 0)
            return (uint32_t)i;
    }
    return RP_NO_SCOPE;
}

const struct rp_code_part *rp_code_part_at(const struct rp_scopes *scopes, uint32_t address) {
    for (size_t i = 0; i < scopes->parts.count; i++)
        if (address - scopes->parts.items[i].address < scopes->parts.items[i].size)
            return &scopes->parts.items[i];
    return NULL;
}

/* ---- inlined copies ---- */

/* Makes a range begin at the address, and returns its index. */
static size_t split_at(struct rp_scopes *scopes, uint32_t address) {
    size_t at = range_of(scopes, address);
    if (at != SIZE_MAX && scopes->ranges.items[at].start == address)
        return at;
    add_range(scopes, address, at != SIZE_MAX ? scopes->ranges.items[at].scope : RP_NO_SCOPE);
    struct rp_scope_range *items = scopes->ranges.items, added = items[scopes->ranges.count - 1];
    size_t to = at == SIZE_MAX ? 0 : at + 1;
    memmove(&items[to + 1], &items[to], (scopes->ranges.count - 1 - to) * sizeof *items);
    items[to] = added;
    return to;
}

/*
 * Only what is still in the expected parent becomes the copy's: debug information may contradict
 * itself, and the function may have been discarded.
 */
static void cover(struct rp_scopes *scopes, const struct rp_code_part *part,
                  struct rp_inlined_piece piece, uint32_t outer, uint32_t scope) {
    uint32_t start = piece.start - part->linked, end = piece.end - part->linked;
    if (start >= end || end > part->size)
        return;
    size_t first = split_at(scopes, part->address + start);
    size_t last = split_at(scopes, part->address + end);
    for (size_t i = first; i < last; i++) {
        struct rp_scope_range *range = &scopes->ranges.items[i];
        struct rp_scope *copy = &scopes->list.items[scope];
        uint32_t parent = outer != RP_NO_SCOPE ? outer : rp_scope_function(scopes, range->scope);
        if (range->scope == RP_NO_SCOPE || range->scope != parent)
            continue;
        if (copy->parent == RP_NO_SCOPE) {
            copy->parent = parent;
            copy->start = range->start;
            copy->in_image = part->in_image;
        }
        if (copy->parent == parent)
            range->scope = scope;
    }
}

void rp_scopes_inline(struct rp_scopes *scopes, const struct rp_inlined *copies, size_t count) {
    const struct rp_code_part part = scopes->parts.items[scopes->parts.count - 1];
    uint32_t *ids = rp_alloc(scopes->arena, count + 1, sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        const struct rp_inlined *copy = &copies[i];
        ids[i] = add_scope(scopes, copy->name, part.address, &part);
        scopes->list.items[ids[i]].in_image = false; /* until it is found to be there */
        for (size_t k = 0; k < copy->count; k++)
            cover(scopes, &part, copy->pieces[k],
                  copy->parent < i ? ids[copy->parent] : RP_NO_SCOPE, ids[i]);
    }
}
