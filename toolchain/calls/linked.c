/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the linker: see linked.h. */
#include "toolchain/calls/linked.h"

#include <string.h>

#include "base/buf.h"
#include "base/path.h"

/* ---- names ---- */

static void add_name(struct rp_arena *arena, struct rp_strings *names, const char *name) {
    if (name != NULL && !rp_strings_have(names, name))
        rp_strings_push(arena, names, name);
}

struct rp_strings rp_linked_names(const struct rp_model *model, struct rp_arena *arena) {
    const struct rp_tensors *lists[] = {&model->inputs, &model->outputs};
    struct rp_strings names = {0};
    add_name(arena, &names, model->entry.called);
    add_name(arena, &names, model->entry.typed_by);
    add_name(arena, &names, model->entry.init.name);
    add_name(arena, &names, model->entry.destroy.name);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            add_name(arena, &names, lists[k]->items[i].get.name);
            add_name(arena, &names, lists[k]->items[i].at);
        }
    /* for the compiler's reading, which has names for the linker only */
    const struct rp_declared_list *list = model->entry.declared;
    for (size_t i = 0; model->code.is_header && list != NULL && i < list->count; i++)
        if (list->items[i].linked != NULL && rp_strings_have(&names, list->items[i].name))
            add_name(arena, &names, list->items[i].linked);
    return names;
}

static char *where(struct rp_arena *arena, const struct rp_declared *declared) {
    return rp_format(arena, "%s:%u", declared->file, declared->line);
}

static bool fail_label(struct rp_arena *arena, const struct rp_declared *found, const char *what,
                       struct rp_error *err) {
    rp_fail(err, RP_E_DECLARED, "%s: '%s' has the name '%s' for the linker, %s",
            where(arena, found), found->name, rp_declared_linked(found), what);
    rp_fail_in(err, found->file, found->line);
    rp_fail_symbol(err, found->name);
    return rp_hint(err, "call it from a function without a label");
}

/* A label __asm__("x") decides, whatever else has the name that it hides. */
static bool take(const struct rp_declared_list *list, struct rp_arena *arena, const char **name,
                 struct rp_error *err) {
    const struct rp_declared *found = NULL;
    for (size_t i = 0; *name != NULL && i < list->count; i++) {
        const struct rp_declared *item = &list->items[i];
        if (strcmp(item->name, *name) == 0 && !item->is_static &&
            (found == NULL || item->is_definition > found->is_definition))
            found = item;
    }
    if (found == NULL)
        return true;
    const char *linked = rp_declared_linked(found);
    if (found->linked != NULL && !rp_is_c_name(linked))
        return fail_label(arena, found, "which is not a name of C", err);
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_declared *other = &list->items[i];
        if (other->is_definition && !other->is_static && strcmp(other->name, found->name) != 0 &&
            strcmp(rp_declared_linked(other), linked) == 0)
            return fail_label(
                arena, found,
                rp_format(arena, "and so has '%s' (%s)", other->name, where(arena, other)), err);
    }
    *name = linked;
    return true;
}

bool rp_linked_take(struct rp_model *model, struct rp_arena *arena, struct rp_error *err) {
    const struct rp_declared_list *list = model->entry.declared;
    struct rp_model_entry *entry = &model->entry;
    struct rp_tensors *tensors[] = {&model->inputs, &model->outputs};
    if (list == NULL || model->code.is_header)
        return true;
    bool ok = take(list, arena, &entry->name, err) && take(list, arena, &entry->called, err) &&
              take(list, arena, &entry->init.name, err) &&
              take(list, arena, &entry->destroy.name, err);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; ok && i < tensors[k]->count; i++)
            ok = take(list, arena, &tensors[k]->items[i].get.name, err) &&
                 take(list, arena, &tensors[k]->items[i].at, err);
    return ok;
}

/* ---- inline functions ---- */

/*
 * The definition of which no object may have the code: C++ has to use it, C has to see a
 * declaration without inline, or with extern, in the same text. NULL: some text emits it, or none
 * defines it.
 */
static const struct rp_declared *find_inline(const struct rp_declared_list *list,
                                             const char *name) {
    const struct rp_declared *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct rp_declared *item = &list->items[i];
        bool emitted = !item->is_inline;
        if (!item->is_definition || item->is_static || strcmp(rp_declared_linked(item), name) != 0)
            continue;
        for (size_t k = 0; k < list->count && !emitted && !item->is_cplusplus; k++)
            emitted = list->items[k].unit == item->unit && !list->items[k].is_inline &&
                      strcmp(list->items[k].name, item->name) == 0;
        if (emitted)
            return NULL;
        found = found != NULL ? found : item;
    }
    return found;
}

bool rp_linked_emit(const struct rp_model *model, struct rp_build *build, struct rp_error *err) {
    const struct rp_strings names = rp_linked_names(model, build->arena);
    struct rp_buf *texts = rp_alloc(build->arena, build->units.count + 1, sizeof *texts);
    bool ok = true;
    if (model->entry.declared == NULL || model->code.is_header)
        return true;
    for (size_t i = 0; i < names.count; i++) {
        const struct rp_declared *found = find_inline(model->entry.declared, names.items[i]);
        if (found == NULL || found->unit == 0)
            continue;
        texts[found->unit - 1].arena = build->arena;
        rp_buf_printf(&texts[found->unit - 1],
                      found->is_cplusplus ? "extern \"C\" decltype(%s) %s __attribute__((used));\n"
                                          : "extern __typeof__(%s) %s;\n",
                      found->name, found->name);
    }
    for (size_t i = 0; ok && i < build->units.count; i++)
        ok = texts[i].len == 0 || rp_build_complete(build, &build->units.items[i], &texts[i], err);
    return ok;
}
