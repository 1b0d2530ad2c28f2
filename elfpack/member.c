/* SPDX-License-Identifier: Apache-2.0 */
/* Whether objects can be part of an image: see member.h. */
#include "elfpack/member.h"

#include <elf.h>

#include "elfpack/reloc.h"
#include "elfpack/scan.h"
#include "elfpack/thumb.h"

struct context {
    struct rp_members *members;
    struct rp_arena *arena;
};

static void add_reason(const struct context *context, struct rp_member *member, const char *text,
                       const char *what) {
    const char *reason = rp_format(context->arena, "%s (%s)", text, what);
    if (!rp_strings_have(&member->reasons, reason))
        rp_strings_push(context->arena, &member->reasons, reason);
}

/* What the link would do with it, wherever its target will be. */
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
        add_reason(context, member, "a relocation that is not understood",
                   rp_format(context->arena, "type %u", reloc->type));
    else
        add_reason(context, member, why != NULL ? why : "relocation", name);
}

static void judge_relocs(const struct context *context, struct rp_member *member,
                         const struct rp_elf *elf) {
    uint32_t low = 0, high = 0;
    for (size_t i = 0; i < elf->reloc_count; i++) {
        const struct rp_reloc *reloc = &elf->relocs[i];
        if (!rp_scan_is_impure(RP_CONV_GOT, elf, reloc))
            continue;
        bool writable = (elf->sections[reloc->section].flags & SHF_WRITE) != 0;
        judge_reloc(context, member, reloc, writable);
        low += reloc->type == R_ARM_THM_MOVW_ABS_NC;
        high += reloc->type == R_ARM_THM_MOVT_ABS;
    }
    member->pairs = low;
    if (low != high)
        add_reason(context, member, "half of an address without the other",
                   rp_reloc_name(low > high ? R_ARM_THM_MOVW_ABS_NC : R_ARM_THM_MOVT_ABS));
}

static void judge_code(struct rp_member *member, const struct rp_elf *elf) {
    for (size_t i = 1; i < elf->symbol_count && !member->keeps_r9; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        const struct rp_section *section = rp_symbol_section(elf, symbol);
        uint32_t start = symbol->value & ~UINT32_C(1);
        if (symbol->type != STT_FUNC || section == NULL || section->contents == NULL)
            continue;
        start -= elf->type == ET_REL ? 0 : section->addr;
        if (start > section->size || symbol->size > section->size - start)
            continue;
        struct rp_thumb_use use = rp_thumb_read(section->contents + start, symbol->size);
        member->keeps_r9 = use.saves_r9 && (use.calls || use.by_pointer);
    }
}

static bool visit(const struct rp_elf *elf, void *opaque, struct rp_error *err) {
    const struct context *context = opaque;
    struct rp_member *member = RP_PUSH(context->arena, context->members);
    *member = (struct rp_member){0};
    (void)err;
    if (elf->member != NULL)
        member->name = rp_strdup(context->arena, elf->member);
    for (size_t i = 1; i < elf->section_count; i++) {
        const char *unfit = rp_scan_unfit(&elf->sections[i], NULL);
        if (unfit != NULL)
            add_reason(context, member, unfit, elf->sections[i].name);
    }
    judge_relocs(context, member, elf);
    judge_code(member, elf);
    if (member->reasons.count != 0)
        member->fit = RP_FIT_NOT;
    else if (member->words != 0 || member->pairs != 0)
        member->fit = RP_FIT_COPY_ONLY;
    return true;
}

bool rp_members_read(struct rp_members *members, struct rp_arena *arena, const char *path,
                     struct rp_error *err) {
    struct context context = {members, arena};
    return rp_elf_each(arena, path, visit, &context, err);
}
