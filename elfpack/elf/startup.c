/* SPDX-License-Identifier: Apache-2.0 */
/* Finds constructors of archive members that are used: see startup.h. */
#include "elfpack/elf/startup.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "elfpack/elf/culprit.h"
#include "elfpack/elf/scan.h"

struct context {
    const struct rp_elf *elf; /* the linked file */
    struct rp_arena *arena;
    const struct rp_linkmap *map;
    const char *archive;
};

/* Is it in the image? The map also lists build attributes and the like. */
static bool is_in_image(const struct rp_elf *elf, const struct rp_contribution *part) {
    return rp_elf_section_at(elf, part->addr, 1) != NULL;
}

/* The first part of the member in the image, preferably code. */
static const struct rp_contribution *find_part(const struct context *context, const char *member) {
    const struct rp_contribution *found = NULL;
    for (size_t i = 0; i < context->map->count; i++) {
        const struct rp_contribution *part = &context->map->items[i];
        if (part->member == NULL || strcmp(part->file, context->archive) != 0 ||
            strcmp(part->member, member) != 0 || !is_in_image(context->elf, part))
            continue;
        if (found == NULL ||
            (rp_has_prefix(part->section, ".text") && !rp_has_prefix(found->section, ".text")))
            found = part;
    }
    return found;
}

static bool refuse(const struct context *context, const struct rp_elf *elf,
                   const struct rp_section *section, struct rp_error *err) {
    enum rp_error_id id;
    const char *holds = rp_scan_section_culprit(section, &id);
    const struct rp_contribution *part = holds != NULL ? find_part(context, elf->member)
                                                       : NULL; /* slow: it searches the whole map */
    if (part == NULL)
        return true;
    struct rp_buf callers = {.arena = context->arena};
    const struct rp_symbol *symbol = rp_elf_symbol_at(context->elf, part->addr);
    rp_culprit_put_callers(&callers, context->arena, context->elf, context->map, part->addr);
    rp_fail(err, id, "%s: section '%s' holds %s, and the image uses '%s' of this member%s",
            rp_contribution_origin(context->arena, part), section->name, holds,
            symbol != NULL ? symbol->name : part->section, callers.len != 0 ? callers.data : "");
    rp_hint(err, "keep what is called there out of the model, or replace it by a source without "
                 "constructors");
    return rp_fail_in(err, context->archive, 0);
}

static bool visit(const struct rp_elf *elf, void *opaque, struct rp_error *err) {
    const struct context *context = opaque;
    for (size_t i = 1; elf->member != NULL && i < elf->section_count; i++)
        if (!refuse(context, elf, &elf->sections[i], err))
            return false;
    return true;
}

bool rp_startup_check(const struct rp_elf *elf, struct rp_arena *arena,
                      const struct rp_linkmap *map, struct rp_error *err) {
    struct rp_strings seen = {0};
    for (size_t i = 0; i < map->count; i++) {
        const struct rp_contribution *part = &map->items[i];
        if (part->member == NULL || rp_strings_have(&seen, part->file))
            continue;
        struct rp_strings members = {0};
        for (size_t k = i; k < map->count; k++)
            if (map->items[k].member != NULL && strcmp(map->items[k].file, part->file) == 0 &&
                is_in_image(elf, &map->items[k]))
                rp_strings_push(arena, &members, map->items[k].member);
        struct context context = {elf, arena, map, part->file};
        const struct rp_elf_visitor visitor = {visit, &context};
        rp_strings_push(arena, &seen, part->file);
        if (members.count != 0 && !rp_elf_each_of(arena, part->file, &members, &visitor, err))
            return false;
    }
    return true;
}
