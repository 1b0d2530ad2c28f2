/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between two reports: see compare.h. */
#include "cli/facts/compare.h"

#include <stdlib.h>
#include <string.h>

int64_t rp_number_of(const struct rp_fact *fact) {
    return fact != NULL ? fact->number : 0;
}

bool rp_is_changed(const struct rp_change *change) {
    const struct rp_fact *old = change->old, *new = change->new;
    if (old == NULL || new == NULL || (old->text == NULL) != (new->text == NULL))
        return true;
    return old->text != NULL ? strcmp(old->text, new->text) != 0 : old->number != new->number;
}

/* ---- pairs ---- */

/* Group, name, place. */
static int by_key(const struct rp_fact *a, const struct rp_fact *b) {
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    int names = strcmp(a->name, b->name);
    return names != 0 ? names : strcmp(a->where, b->where);
}

/* Facts stand in one array, so their addresses are their order. */
static int in_order(const void *a, const void *b) {
    const struct rp_fact *const *x = a, *const *y = b;
    int keys = by_key(*x, *y);
    return keys != 0 ? keys : *x < *y ? -1 : *x > *y;
}

static const struct rp_fact **sorted(struct rp_arena *arena, const struct rp_facts *facts) {
    const struct rp_fact **list = rp_alloc(arena, facts->count + 1, sizeof *list);
    for (size_t i = 0; i < facts->count; i++)
        list[i] = &facts->items[i];
    if (facts->count != 0)
        qsort(list, facts->count, sizeof *list, in_order);
    return list;
}

static bool have_group(const struct rp_facts *facts, enum rp_fact_group group) {
    for (size_t i = 0; i < facts->count; i++)
        if (facts->items[i].group == group)
            return true;
    return false;
}

/*
 * Is a fact that only one side has worth showing? An image has no symbols, and only some reports
 * have a profile: what one side does not tell of is neither new nor gone.
 */
static void find_one_sided(const struct rp_diff *diff, bool shown[RP_FACT_GROUPS]) {
    for (int i = 0; i < RP_FACT_GROUPS; i++) {
        enum rp_fact_group group = (enum rp_fact_group)i;
        bool is_optional = group == RP_FACT_SYMBOLS || group == RP_FACT_LAYERS ||
                           group == RP_FACT_FUNCTIONS || group == RP_FACT_SECTIONS;
        bool tell = !is_optional || (have_group(diff->old, group) && have_group(diff->new, group));
        shown[i] = tell && diff->old->source == diff->new->source;
    }
}

static void pair(struct rp_diff *out) {
    const struct rp_fact **old = sorted(out->arena, out->old), **new = sorted(out->arena, out->new);
    bool one_sided[RP_FACT_GROUPS];
    find_one_sided(out, one_sided);
    for (; *old != NULL || *new != NULL;) { /* both end with NULL */
        int keys = *old == NULL ? 1 : *new == NULL ? -1 : by_key(*old, *new);
        const struct rp_fact *any = keys <= 0 ? *old : *new;
        const struct rp_change change = {keys <= 0 ? *old : NULL, keys >= 0 ? *new : NULL};
        if ((keys == 0 || one_sided[any->group]) &&
            (any->group <= RP_FACT_TIME || rp_is_changed(&change)))
            *RP_PUSH(out->arena, out) = change;
        old += keys <= 0;
        new += keys >= 0;
    }
}

/* ---- symbols with other names ---- */

/* Place and size, then the order in the report. */
static int by_shape(const void *a, const void *b) {
    const struct rp_change *const *x = a, *const *y = b;
    const struct rp_fact *p = (*x)->old != NULL ? (*x)->old : (*x)->new;
    const struct rp_fact *q = (*y)->old != NULL ? (*y)->old : (*y)->new;
    int places = strcmp(p->where, q->where);
    if (places != 0 || p->number != q->number)
        return places != 0 ? places : p->number < q->number ? -1 : 1;
    return p < q ? -1 : p > q;
}

static size_t collect(struct rp_diff *out, bool gone, struct rp_change **list) {
    size_t count = 0;
    for (size_t i = 0; i < out->count; i++) {
        struct rp_change *change = &out->items[i];
        const struct rp_fact *only = gone ? change->old : change->new;
        if (only != NULL && (gone ? change->new : change->old) == NULL &&
            only->group == RP_FACT_SYMBOLS && only->number != 0)
            list[count++] = change;
    }
    if (count != 0)
        qsort(list, count, sizeof *list, by_shape);
    return count;
}

static void find_renamed(struct rp_diff *out) {
    struct rp_change **gone = rp_alloc(out->arena, out->count + 1, sizeof *gone);
    struct rp_change **added = rp_alloc(out->arena, out->count + 1, sizeof *added);
    size_t left = collect(out, true, gone), right = collect(out, false, added);
    for (size_t i = 0, k = 0; i < left && k < right;) {
        const struct rp_fact *old = gone[i]->old, *new = added[k]->new;
        int places = strcmp(old->where, new->where);
        bool same = places == 0 && old->number == new->number;
        bool first = places != 0 ? places < 0 : old->number < new->number;
        if (same) {
            added[k]->old = old;
            gone[i]->old = NULL; /* empty: taken out below */
        }
        i += same || first;
        k += same || !first;
    }
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i].old != NULL || out->items[i].new != NULL)
            out->items[kept++] = out->items[i];
    out->count = kept;
}

/* ---- order ---- */

static int64_t growth(const struct rp_change *change) {
    return llabs((long long)(rp_number_of(change->new) - rp_number_of(change->old)));
}

/* Groups in their order; symbols and functions by growth; the rest as in the reports. */
static int for_readers(const void *a, const void *b) {
    const struct rp_change *x = a, *y = b;
    const struct rp_fact *p = x->new != NULL ? x->new : x->old;
    const struct rp_fact *q = y->new != NULL ? y->new : y->old;
    if (p->group != q->group)
        return p->group < q->group ? -1 : 1;
    bool by_growth = p->group == RP_FACT_SYMBOLS || p->group == RP_FACT_FUNCTIONS;
    int64_t left = growth(x), right = growth(y);
    if (by_growth && left != right)
        return left > right ? -1 : 1;
    if (by_growth)
        return by_key(p, q);
    if ((x->new != NULL) != (y->new != NULL)) /* what is gone comes last */
        return x->new != NULL ? -1 : 1;
    return p < q ? -1 : p > q;
}

void rp_diff_make(struct rp_diff *out, const struct rp_facts *old, const struct rp_facts *new) {
    *out = (struct rp_diff){.arena = new->arena, .old = old, .new = new};
    pair(out);
    find_renamed(out);
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, for_readers);
}
