/* SPDX-License-Identifier: Apache-2.0 */
/* Naming what stands in the way of an image: see culprit.h. */
#include "elfpack/elf/culprit.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"

enum { SHOWN_MAX = 12 };

/* Does the relocation, which lies outside callee, refer to it? */
static bool refers_to(const struct rp_elf *elf, const struct rp_reloc *reloc,
                      const struct rp_symbol *callee) {
    const struct rp_symbol *target = &elf->symbols[reloc->symbol];
    uint32_t start = callee->value & ~UINT32_C(1);
    bool inside = reloc->place >= start && reloc->place - start < callee->size;
    return !inside && target->value == callee->value && target->section == callee->section &&
           (target == callee || target->type == STT_FUNC);
}

/* One step on the way from a culprit up to the user's code. */
struct caller {
    const struct rp_symbol *symbol;
    uint32_t place;             /* of the reference to what it calls */
    const struct caller *calls; /* NULL: the culprit's own holder */
};

struct callers {
    struct caller **items;
    size_t count;
    size_t capacity;
};

static bool known(const struct callers *list, const struct rp_symbol *symbol) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->symbol == symbol)
            return true;
    return false;
}

static struct caller *add_caller(struct callers *list, struct rp_arena *arena,
                                 const struct rp_symbol *symbol, uint32_t place,
                                 const struct caller *calls) {
    struct caller *fresh = rp_alloc(arena, 1, sizeof *fresh);
    *fresh = (struct caller){symbol, place, calls};
    *RP_PUSH(arena, list) = fresh;
    return fresh;
}

/* Breadth first: finds the shortest way to code outside archives; else the last function found. */
static const struct caller *find_way(const struct rp_elf *elf, struct rp_arena *arena,
                                     const struct rp_linkmap *map, const struct rp_symbol *holder) {
    struct callers list = {0};
    add_caller(&list, arena, holder, 0, NULL);
    for (size_t next = 0; next < list.count; next++)
        for (size_t i = 0; i < elf->reloc_count; i++) {
            if (!refers_to(elf, &elf->relocs[i], list.items[next]->symbol))
                continue;
            uint32_t place = elf->relocs[i].place;
            const struct rp_symbol *symbol = rp_elf_symbol_at(elf, place);
            if (symbol == NULL || known(&list, symbol))
                continue;
            const struct caller *found = add_caller(&list, arena, symbol, place, list.items[next]);
            const struct rp_contribution *from = rp_linkmap_find(map, place);
            if (from != NULL && from->member == NULL)
                return found;
        }
    return list.items[list.count - 1];
}

/* "expf (libm.a(wf_exp.o)) <- softmax (model.c)" */
static void put_way(struct rp_buf *out, struct rp_arena *arena, const struct rp_linkmap *map,
                    const struct caller *way) {
    if (way->calls == NULL)
        return;
    put_way(out, arena, map, way->calls);
    const struct rp_contribution *from = rp_linkmap_find(map, way->place);
    rp_buf_printf(out, "%s%s", way->calls->calls == NULL ? ", called by " : " <- ",
                  way->symbol->name);
    if (from != NULL)
        rp_buf_printf(out, " (%s)", rp_contribution_origin(arena, from));
}

void rp_culprit_put_callers(struct rp_buf *out, struct rp_arena *arena, const struct rp_elf *elf,
                            const struct rp_linkmap *map, uint32_t addr) {
    const struct rp_symbol *holder = rp_elf_symbol_at(elf, addr);
    if (holder != NULL)
        put_way(out, arena, map, find_way(elf, arena, map, holder));
}

static void put_culprit(struct rp_buf *out, struct rp_arena *arena, const struct rp_elf *elf,
                        const struct rp_linkmap *map, const struct rp_culprit *culprit) {
    const struct rp_symbol *holder = rp_elf_symbol_at(elf, culprit->place);
    const struct rp_contribution *from = rp_linkmap_find(map, culprit->place);
    const char *type = rp_reloc_name(culprit->type);
    rp_buf_puts(out, "\n  ");
    if (culprit->action == RP_ACT_UNDEFINED)
        rp_buf_printf(out, "'%s' needed by ", culprit->target);
    rp_buf_puts(out, holder != NULL && holder->name[0] != '\0' ? holder->name : "?");
    if (from != NULL)
        rp_buf_printf(out, " in section %s of %s", from->section,
                      rp_contribution_origin(arena, from));
    if (culprit->action != RP_ACT_UNDEFINED)
        rp_buf_printf(out, ": %s%s%s%s%s", culprit->why != NULL ? culprit->why : "relocation",
                      culprit->type != 0 && type != NULL ? ", " : "",
                      culprit->type != 0 && type != NULL ? type : "",
                      culprit->target[0] != '\0' ? " to " : "", culprit->target);
    if (culprit->action == RP_ACT_UNKNOWN)
        rp_buf_printf(out, " (type %u)", culprit->type);
    rp_culprit_put_callers(out, arena, elf, map, culprit->place);
}

/* What the message is about. */
struct blame {
    struct rp_arena *arena;
    const struct rp_culprits *culprits;
    const struct rp_parts *parts;
    const struct rp_linkmap *map;
};

/* One line for each holder and target is enough: ten literals of one function say the same. */
static bool said_before(const struct blame *with, size_t index) {
    const struct rp_culprit *now = &with->culprits->items[index];
    for (size_t i = 0; i < index; i++) {
        const struct rp_culprit *before = &with->culprits->items[i];
        if (before->action == now->action && strcmp(before->target, now->target) == 0 &&
            rp_elf_symbol_at(with->parts->elf, before->place) ==
                rp_elf_symbol_at(with->parts->elf, now->place))
            return true;
    }
    return false;
}

static enum rp_action gravest(const struct rp_culprits *culprits) {
    static const enum rp_action order[] = {RP_ACT_UNDEFINED, RP_ACT_TLS, RP_ACT_UNKNOWN,
                                           RP_ACT_NOT_PIC};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (size_t i = 0; i < culprits->count; i++)
            if (culprits->items[i].action == order[k])
                return order[k];
    return RP_ACT_NOTHING;
}

static size_t list_culprits(struct rp_buf *out, const struct blame *with, enum rp_action action) {
    size_t count = 0;
    for (size_t i = 0; i < with->culprits->count; i++) {
        if (with->culprits->items[i].action != action || said_before(with, i))
            continue;
        if (action == RP_ACT_UNDEFINED || count < SHOWN_MAX)
            put_culprit(out, with->arena, with->parts->elf, with->map, &with->culprits->items[i]);
        count++;
    }
    if (action != RP_ACT_UNDEFINED && count > SHOWN_MAX)
        rp_buf_printf(out, "\n  ... and %zu more", count - SHOWN_MAX);
    return count;
}

/* printf and malloc end up in _write and _sbrk, which nobody can supply. */
static bool from_c_library(const struct blame *with) {
    for (size_t i = 0; i < with->culprits->count; i++) {
        const struct rp_contribution *from =
            rp_linkmap_find(with->map, with->culprits->items[i].place);
        if (with->culprits->items[i].action == RP_ACT_UNDEFINED && from != NULL &&
            from->member != NULL && rp_has_suffix(from->file, "/libc.a"))
            return true;
    }
    return false;
}

/* Does an undefined name begin with one of the words? The last word is NULL. */
static bool wants_one_of(const struct blame *with, const char *const words[]) {
    for (size_t i = 0; i < with->culprits->count; i++)
        for (size_t k = 0; words[k] != NULL; k++)
            if (with->culprits->items[i].action == RP_ACT_UNDEFINED &&
                rp_has_prefix(with->culprits->items[i].target, words[k]))
                return true;
    return false;
}

static const char *undefined_hint(const struct blame *with) {
    /* what C++ code calls without the author writing a call */
    static const char *const cplusplus[] = {
        "__cxa_",       "_Zn",          "_Zd",   "_ZSt",   "_ZNSt",
        "_ZTVN10__cxx", "__dso_handle", "__gxx", "_ZNKSt", NULL};
    static const char *const unwinder[] = {"__exidx_", NULL};
    static const char *const heap[] = {"_sbrk", NULL};
    static const char *const keil[] = {"Lib$$Request$$", "__ARM_", "__hardfp_", "__2printf",
                                       "Image$$",        "__rt_",  NULL};
    static const char *const iar[] = {"__iar_", "?", NULL};
    if (wants_one_of(with, cplusplus))
        return "an image has no C++ runtime: keep new, delete, exceptions and the standard library "
               "out of the model";
    if (wants_one_of(with, unwinder))
        return "nothing in an image unwinds a stack: compile without -fexceptions, -funwind-tables "
               "and -fasynchronous-unwind-tables";
    if (wants_one_of(with, keil))
        return "it was compiled by Arm Compiler (Keil) for that compiler's own library: use the "
               "archive that its maker has for gcc, or compile its sources";
    if (wants_one_of(with, iar))
        return "it was compiled by IAR's compiler for that compiler's own library: use the archive "
               "that its maker has for gcc, or compile its sources";
    if (wants_one_of(with, heap))
        return "malloc takes its memory from an operating system: give the model memory of its own "
               "with --heap SIZE";
    if (from_c_library(with))
        return "the C library wants an operating system: keep printf, malloc, assert and files out "
               "of the model";
    if (with->parts->format == RP_FORMAT_NEURAL_ART)
        return "name the archive that has it with --runtime-lib; such an image calls nothing of "
               "the firmware's but the functions of its runtime";
    return "add the source that defines it, or the archive with --runtime-lib; what the firmware "
           "is to supply is named with --import NAME";
}

static const char *pic_hint(const struct rp_culprits *culprits) {
    bool pointers = true, patchable = true; /* all of them */
    for (size_t i = 0; i < culprits->count; i++) {
        pointers = pointers && culprits->items[i].is_pointer;
        patchable = patchable && culprits->items[i].patchable;
    }
    if (pointers)
        return "a loader moves pointers that lie at a multiple of 4 and lead into the part of "
               "their variable: keep them out of packed structs, let them lead into their array, "
               "or set them at run time";
    return patchable ? "compile it with -fpic -msingle-pic-base -mpic-register=r9 "
                       "-mno-pic-data-is-text-relative, use the _PIC build of the archive, keep "
                       "the function out of the model, or give -r copy-only: the image then "
                       "patches this code and works in COPY mode only"
                     : "compile it with -fpic -msingle-pic-base -mpic-register=r9 "
                       "-mno-pic-data-is-text-relative, use the _PIC build of the archive, or keep "
                       "the function out of the model";
}

/* Tells the error the undefined symbol, or the function or table at fault. */
static void name_first(const struct blame *with, enum rp_action action, struct rp_error *err) {
    for (size_t i = 0; i < with->culprits->count; i++) {
        const struct rp_culprit *culprit = &with->culprits->items[i];
        if (culprit->action != action)
            continue;
        const struct rp_symbol *holder = rp_elf_symbol_at(with->parts->elf, culprit->place);
        const struct rp_contribution *from = rp_linkmap_find(with->map, culprit->place);
        rp_fail_symbol(err, action == RP_ACT_UNDEFINED ? culprit->target
                            : holder != NULL           ? holder->name
                                                       : "");
        rp_fail_in(err, from != NULL ? from->file : "", 0);
        return;
    }
}

bool rp_culprits_fail(const struct rp_culprits *culprits, struct rp_arena *arena,
                      const struct rp_parts *parts, const struct rp_linkmap *map,
                      struct rp_error *err) {
    const struct blame with = {arena, culprits, parts, map};
    struct rp_buf list = {.arena = arena};
    enum rp_action action = gravest(culprits);
    size_t count = list_culprits(&list, &with, action);
    switch (action) {
    case RP_ACT_UNDEFINED:
        rp_fail(err, RP_E_UNDEFINED, "%zu undefined symbol reference%s:%s", count,
                count == 1 ? "" : "s", list.data);
        rp_hint(err, "%s", undefined_hint(&with));
        break;
    case RP_ACT_TLS:
        rp_fail(err, RP_E_TLS, "thread-local data cannot be part of an image:%s", list.data);
        break;
    case RP_ACT_UNKNOWN:
        rp_fail(err, RP_E_RELOC_UNKNOWN, "relocation type not understood:%s", list.data);
        break;
    case RP_ACT_NOTHING:
    case RP_ACT_REL:
    case RP_ACT_FIXUP:
    case RP_ACT_GOT:
    case RP_ACT_BASE:
    case RP_ACT_PATCH:
    case RP_ACT_NOT_PIC:
        rp_fail(err, RP_E_NOT_PIC, "not position-independent:%s", list.data);
        rp_hint(err, "%s", pic_hint(culprits));
        break;
    }
    name_first(&with, action, err);
    return false;
}
