/* SPDX-License-Identifier: Apache-2.0 */
/* Judges whether objects can be part of an image: see member.h. */
#include "elfpack/insn/member.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elfpack/insn/insn.h"
#include "elfpack/elf/reloc.h"
#include "elfpack/elf/scan.h"

/* A symbol that an object defines or needs. */
struct mention {
    const char *name, *member;
    size_t order; /* position in the file */
    bool defines, weak;
};

struct context {
    struct rp_members *members;
    struct rp_arena *arena;
    struct {
        struct mention *items;
        size_t count;
        size_t capacity;
    } mentions;
};

static void add_reason(const struct context *context, struct rp_member *member, const char *text,
                       const char *what) {
    const char *reason = rp_format(context->arena, "%s (%s)", text, what);
    if (!rp_strings_have(&member->reasons, reason))
        rp_strings_push(context->arena, &member->reasons, reason);
}

/* Judges what the link would do with a relocation, wherever its target may be. */
static void judge_reloc(const struct context *context, struct rp_member *member,
                        const struct rp_reloc *reloc, bool writable) {
    const char *why, *name = rp_reloc_name(reloc->type);
    enum rp_action action = rp_reloc_classify(
        RP_CONV_GOT, reloc->type, writable ? RP_SEG_RAM : RP_SEG_FLASH, RP_SEG_FLASH, &why);
    bool half = reloc->type == R_ARM_THM_MOVW_ABS_NC || reloc->type == R_ARM_THM_MOVT_ABS;
    if (action == RP_ACT_PATCH && !half && reloc->place % 4 != 0)
        add_reason(context, member, "a pointer that is not 4-aligned", name);
    else if (action == RP_ACT_PATCH)
        member->words += !half;
    else if (action == RP_ACT_TLS)
        add_reason(context, member, "thread-local data", name);
    else if (action == RP_ACT_UNKNOWN)
        add_reason(context, member, "an unknown relocation",
                   rp_reloc_text(context->arena, reloc->type));
    else
        add_reason(context, member, why != NULL ? why : "relocation", name);
}

static void judge_relocs(const struct context *context, struct rp_member *member,
                         const struct rp_elf *elf) {
    uint32_t low = 0, high = 0;
    for (size_t i = 0; i < elf->reloc_count; i++) {
        const struct rp_reloc *reloc = &elf->relocs[i];
        if (!rp_scan_is_culprit(RP_CONV_GOT, elf, reloc))
            continue;
        bool writable = (elf->sections[reloc->section].flags & SHF_WRITE) != 0;
        judge_reloc(context, member, reloc, writable);
        low += reloc->type == R_ARM_THM_MOVW_ABS_NC;
        high += reloc->type == R_ARM_THM_MOVT_ABS;
    }
    member->pairs = low;
    if (low != high)
        add_reason(context, member, "half of an address without the other half",
                   rp_reloc_name(low > high ? R_ARM_THM_MOVW_ABS_NC : R_ARM_THM_MOVT_ABS));
}

/* Is there code at the offset, by the last mapping symbol before it? */
static bool is_code(const struct rp_elf *elf, uint32_t section, uint32_t offset) {
    uint32_t best = 0;
    bool code = true;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        const char *name = symbol->name;
        if (symbol->section == section && name[0] == '$' && (name[1] == 't' || name[1] == 'd') &&
            (name[2] == '\0' || name[2] == '.') && symbol->value <= offset &&
            symbol->value >= best) {
            best = symbol->value;
            code = name[1] == 't';
        }
    }
    return code;
}

/* A function ends where the next one starts. */
static uint32_t function_end(const struct rp_elf *elf, uint32_t index, uint32_t start,
                             uint32_t end) {
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        uint32_t other = symbol->value & ~UINT32_C(1);
        if (symbol->section == index && symbol->type == STT_FUNC && other > start && other < end)
            end = other;
    }
    return end;
}

/* Does the function both write r9 and call others? */
static bool keeps_r9(const struct rp_elf *elf, uint32_t index, uint32_t start, uint32_t end) {
    const struct rp_section *section = &elf->sections[index];
    bool writes = false, calls = false;
    for (uint32_t at = start; at < end;) {
        struct rp_insn insn = rp_insn_read(section->contents + at, end - at, at);
        bool marked = (insn.writes >> 9 & 1) != 0 || insn.flow == RP_FLOW_CALL ||
                      insn.flow == RP_FLOW_CALL_REG;
        if (marked && is_code(elf, index, at)) {
            writes = writes || (insn.writes >> 9 & 1) != 0;
            calls = calls || insn.flow == RP_FLOW_CALL || insn.flow == RP_FLOW_CALL_REG;
        }
        at += insn.size != 0 ? insn.size : end - at;
    }
    return writes && calls;
}

static void judge_code(struct rp_member *member, const struct rp_elf *elf) {
    for (size_t i = 1; i < elf->symbol_count && !member->keeps_r9; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        const struct rp_section *section = rp_symbol_section(elf, symbol);
        uint32_t start = symbol->value & ~UINT32_C(1);
        if (symbol->type != STT_FUNC || section == NULL || section->contents == NULL)
            continue;
        start -= elf->type == ET_REL ? 0 : section->addr;
        if (start < section->size)
            member->keeps_r9 = keeps_r9(elf, symbol->section, start,
                                        function_end(elf, symbol->section, start, section->size));
    }
}

static void mention_symbols(struct context *context, const struct rp_elf *elf, const char *member) {
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        size_t order = context->mentions.count;
        if (symbol->bind == STB_LOCAL || symbol->name[0] == '\0')
            continue;
        *RP_PUSH(context->arena, &context->mentions) =
            (struct mention){rp_strdup(context->arena, symbol->name), member, order,
                             symbol->section != SHN_UNDEF, symbol->bind == STB_WEAK};
    }
}

/* By name, definitions first, then in the order of the file. */
static int by_name(const void *one, const void *other) {
    const struct mention *a = one, *b = other;
    int names = strcmp(a->name, b->name);
    if (names != 0 || a->defines != b->defines)
        return names != 0 ? names : (int)b->defines - (int)a->defines;
    return (a->order > b->order) - (a->order < b->order);
}

static void list_undefined(struct context *context) {
    struct mention *items = context->mentions.items;
    size_t count = context->mentions.count, end;
    if (count != 0)
        qsort(items, count, sizeof *items, by_name);
    for (size_t i = 0; i < count; i = end) {
        struct rp_undefined found = {.symbol = items[i].name, .weak = true};
        for (end = i; end < count && strcmp(items[end].name, found.symbol) == 0; end++) {
            found.weak = found.weak && items[end].weak;
            if (items[end].member != NULL)
                rp_strings_push(context->arena, &found.members, items[end].member);
        }
        if (!items[i].defines)
            *RP_PUSH(context->arena, &context->members->undefined) = found;
    }
}

static bool visit(const struct rp_elf *elf, void *opaque, struct rp_error *err) {
    struct context *context = opaque;
    struct rp_member *member = RP_PUSH(context->arena, context->members);
    *member = (struct rp_member){0};
    (void)err;
    if (elf->member != NULL)
        member->name = rp_strdup(context->arena, elf->member);
    for (size_t i = 1; i < elf->section_count; i++) {
        const char *holds = rp_scan_section_culprit(&elf->sections[i], NULL);
        if (holds != NULL)
            add_reason(context, member, holds, elf->sections[i].name);
    }
    judge_relocs(context, member, elf);
    judge_code(member, elf);
    mention_symbols(context, elf, member->name);
    if (member->reasons.count != 0)
        member->fit = RP_FIT_NOT;
    else if (member->words != 0 || member->pairs != 0)
        member->fit = RP_FIT_COPY_ONLY;
    return true;
}

bool rp_members_read(struct rp_members *members, struct rp_arena *arena, const char *path,
                     struct rp_error *err) {
    struct context context = {.members = members, .arena = arena};
    if (!rp_elf_each(arena, path, visit, &context, err))
        return false;
    list_undefined(&context);
    return true;
}
