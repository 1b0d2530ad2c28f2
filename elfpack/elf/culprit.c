/* SPDX-License-Identifier: Apache-2.0 */
/* Describes relocations that cannot be moved: see culprit.h. */
#include "elfpack/elf/culprit.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"

enum { SHOWN_MAX = 12 };

/* A function in the chain of calls from the user's code to a culprit. */
struct caller {
    const struct rp_symbol *symbol;
    uint32_t place;             /* of the reference to the function that it calls */
    const struct caller *calls; /* NULL: symbol contains the culprit */
};

struct callers {
    struct caller **items;
    size_t count;
    size_t capacity;
};

static struct caller *add_caller(struct callers *list, struct rp_arena *arena,
                                 const struct rp_symbol *symbol, uint32_t place,
                                 const struct caller *calls) {
    struct caller *caller = rp_alloc(arena, 1, sizeof *caller);
    *caller = (struct caller){symbol, place, calls};
    *RP_PUSH(arena, list) = caller;
    return caller;
}

/* Breadth first: the shortest chain from code outside archives, else the last function found. */
static const struct caller *find_chain(const struct rp_elf *elf, struct rp_arena *arena,
                                       const struct rp_linkmap *map,
                                       const struct rp_symbol *holder) {
    struct callers list = {0};
    add_caller(&list, arena, holder, 0, NULL);
    for (size_t next = 0; next < list.count; next++)
        for (size_t i = 0; i < elf->reloc_count; i++) {
            const struct rp_symbol *callee = list.items[next]->symbol;
            const struct rp_symbol *target = &elf->symbols[elf->relocs[i].symbol];
            uint32_t place = elf->relocs[i].place, start = callee->value & ~UINT32_C(1);
            bool inside = place >= start && place - start < callee->size;
            if (inside || target->value != callee->value || target->section != callee->section ||
                (target != callee && target->type != STT_FUNC))
                continue; /* not a call of callee from elsewhere */
            const struct rp_symbol *symbol = rp_elf_symbol_at(elf, place);
            bool known = symbol == NULL;
            for (size_t k = 0; k < list.count && !known; k++)
                known = list.items[k]->symbol == symbol;
            if (known)
                continue;
            const struct caller *found = add_caller(&list, arena, symbol, place, list.items[next]);
            const struct rp_contribution *from = rp_linkmap_find(map, place);
            if (from != NULL && from->member == NULL)
                return found;
        }
    return list.items[list.count - 1];
}

/* "expf (libm.a(wf_exp.o)) <- softmax (model.c)" */
static void put_chain(struct rp_buf *out, struct rp_arena *arena, const struct rp_linkmap *map,
                      const struct caller *caller) {
    if (caller->calls == NULL)
        return;
    put_chain(out, arena, map, caller->calls);
    const struct rp_contribution *from = rp_linkmap_find(map, caller->place);
    rp_buf_printf(out, "%s%s", caller->calls->calls == NULL ? ", called by " : " <- ",
                  caller->symbol->name);
    if (from != NULL)
        rp_buf_printf(out, " (%s)", rp_contribution_origin(arena, from));
}

void rp_culprit_put_callers(struct rp_buf *out, struct rp_arena *arena, const struct rp_elf *elf,
                            const struct rp_linkmap *map, uint32_t addr) {
    const struct rp_symbol *holder = rp_elf_symbol_at(elf, addr);
    if (holder != NULL)
        put_chain(out, arena, map, find_chain(elf, arena, map, holder));
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

/* What a message is about. */
struct blame {
    struct rp_arena *arena;
    const struct rp_culprits *culprits;
    const struct rp_parts *parts;
    const struct rp_linkmap *map;
};

/* One line for each function and target is enough, even if ten literals of the function differ. */
static bool is_repeated(const struct blame *with, size_t index) {
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
        if (with->culprits->items[i].action != action || is_repeated(with, i))
            continue;
        if (action == RP_ACT_UNDEFINED || count < SHOWN_MAX)
            put_culprit(out, with->arena, with->parts->elf, with->map, &with->culprits->items[i]);
        count++;
    }
    if (action != RP_ACT_UNDEFINED && count > SHOWN_MAX)
        rp_buf_printf(out, "\n  ... and %zu more", count - SHOWN_MAX);
    return count;
}

/* printf and malloc lead to _write and _sbrk, which an image cannot have. */
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

/* Does an undefined name begin with one of these words, which NULL ends? */
static bool wants_one_of(const struct blame *with, const char *const words[]) {
    for (size_t i = 0; i < with->culprits->count; i++)
        for (size_t k = 0; words[k] != NULL; k++)
            if (with->culprits->items[i].action == RP_ACT_UNDEFINED &&
                rp_has_prefix(with->culprits->items[i].target, words[k]))
                return true;
    return false;
}

static const char *undefined_hint(const struct blame *with) {
    /* called by C++ code although its author wrote no call */
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
        return "an image cannot unwind a stack: compile without -fexceptions, -funwind-tables "
               "and -fasynchronous-unwind-tables";
    if (wants_one_of(with, keil))
        return "Arm Compiler (Keil) compiled it for its own library: use the archive that the "
               "vendor provides for gcc, or compile the sources";
    if (wants_one_of(with, iar))
        return "IAR's compiler compiled it for its own library: use the archive that the vendor "
               "provides for gcc, or compile the sources";
    if (wants_one_of(with, heap))
        return "malloc takes its memory from an operating system: give the model memory of its own "
               "with --heap SIZE, and keep printf and the like, which want more of it, out";
    if (from_c_library(with))
        return "the C library needs an operating system: keep printf, malloc, assert and files out "
               "of the model";
    return with->parts->format->undefined_hint;
}

static const char *pic_hint(const struct rp_culprits *culprits) {
    bool pointers = true, patchable = true; /* are all of them? */
    for (size_t i = 0; i < culprits->count; i++) {
        pointers = pointers && culprits->items[i].is_pointer;
        patchable = patchable && culprits->items[i].patchable;
    }
    if (pointers)
        return "a loader moves only pointers that lie at a multiple of 4 and point into the part "
               "of their variable: keep them out of packed structs, let them point into their "
               "array, or set them at run time";
    return patchable ? "compile it with -fpic -msingle-pic-base -mpic-register=r9 "
                       "-mno-pic-data-is-text-relative, use the _PIC build of the archive, keep "
                       "the function out of the model, or give -r copy-only: the image then "
                       "patches this code and works in COPY mode only"
                     : "compile it with -fpic -msingle-pic-base -mpic-register=r9 "
                       "-mno-pic-data-is-text-relative, use the _PIC build of the archive, or keep "
                       "the function out of the model";
}

/* Attaches the undefined symbol, or the function or table at fault, to the error. */
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
        rp_fail(err, RP_E_RELOC_UNKNOWN, "unknown type of relocation:%s", list.data);
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
