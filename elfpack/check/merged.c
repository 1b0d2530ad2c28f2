/* SPDX-License-Identifier: Apache-2.0 */
/* Checks merged strings and constants: see merged.h. */
#include "elfpack/check/merged.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* ---- strings and constants ---- */

static bool is_zero(const uint8_t *bytes, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/*
 * The string or constant that begins at start; size 0 when there is none. Linkers add the
 * terminator that the last string may lack.
 */
static struct rp_entity entity_from(const struct rp_section *section, uint32_t start) {
    uint32_t unit = section->entsize, end = start;
    bool is_string = (section->flags & SHF_STRINGS) != 0;
    struct rp_entity entity = {.is_string = is_string};
    if (section->contents == NULL || start > section->size || section->size - start < unit)
        return entity;
    entity.bytes = section->contents + start;
    if (is_string)
        while (section->size - end >= unit && !is_zero(section->contents + end, unit))
            end += unit;
    uint32_t left = section->size - end;
    entity.size = left >= unit || is_string ? end + unit - start : 0;
    entity.missing = left < unit ? unit - left : 0;
    return entity;
}

static int byte_of(const struct rp_entity *entity, uint32_t at) {
    return at < entity->size - entity->missing ? entity->bytes[at] : 0;
}

static int compare_entities(const void *a, const void *b) {
    const struct rp_entity *x = a, *y = b;
    uint32_t size = x->size < y->size ? x->size : y->size;
    uint32_t missing = x->missing > y->missing ? x->missing : y->missing;
    uint32_t at = size > missing ? size - missing : 0;
    int order = memcmp(x->bytes, y->bytes, at);
    for (; order == 0 && at < size; at++)
        order = byte_of(x, at) - byte_of(y, at);
    return order != 0 ? order : x->size < y->size ? -1 : x->size > y->size;
}

static void add_entities(struct rp_merged *merged, struct rp_arena *arena,
                         const struct rp_section *section) {
    for (uint32_t at = 0; at < section->size;) {
        struct rp_entity entity = entity_from(section, at);
        if (entity.size == 0)
            return;
        *RP_PUSH(arena, &merged->entities) = entity;
        at += entity.size;
    }
}

/* ---- pools ---- */

static void add_pool(struct rp_merged *merged, const struct rp_link_inputs *inputs,
                     const struct rp_placed *placed) {
    const struct rp_section *output = rp_elf_section(inputs->linked, placed->output);
    uint32_t at = output != NULL ? placed->addr - output->addr : 0;
    for (size_t i = 0; i < merged->pools.count; i++)
        if (merged->pools.items[i].placed == placed)
            return;
    if (output == NULL || output->contents == NULL || (output->flags & SHF_ALLOC) == 0 ||
        at > output->size || placed->size > output->size - at)
        return;
    *RP_PUSH(inputs->arena, &merged->pools) =
        (struct rp_pool){placed->addr, placed->size, output->contents + at, placed};
}

/* lld puts all merged sections of one kind into a section "<internal>". */
static void add_section(struct rp_merged *merged, const struct rp_link_inputs *inputs,
                        const struct rp_input_section *input) {
    const struct rp_placed_list *placed = &inputs->map.placed;
    add_entities(merged, inputs->arena, input->section);
    if (input->placed != NULL && input->placed->size != 0)
        add_pool(merged, inputs, input->placed);
    for (size_t i = 0; inputs->map.lld && i < placed->count; i++)
        if (placed->items[i].kind == RP_PLACED_INPUT && placed->items[i].size != 0 &&
            strcmp(placed->items[i].file, "<internal>") == 0)
            add_pool(merged, inputs, &placed->items[i]);
}

void rp_merged_find(struct rp_merged *merged, const struct rp_link_inputs *inputs) {
    *merged = (struct rp_merged){0};
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const struct rp_input_object *object = &inputs->objects.items[i];
        for (size_t k = 1; k < object->elf->section_count; k++)
            if (object->sections[k].state == RP_INPUT_PLACED &&
                rp_input_is_merged(&object->sections[k]))
                add_section(merged, inputs, &object->sections[k]);
    }
    if (merged->entities.count != 0)
        qsort(merged->entities.items, merged->entities.count, sizeof *merged->entities.items,
              compare_entities);
}

/* ---- references ---- */

bool rp_merged_is_at(const struct rp_merged *merged, const struct rp_input_section *input,
                     uint32_t offset, uint32_t address) {
    const struct rp_section *section = input->section;
    if (offset >= section->size)
        return false;
    uint32_t unit = section->entsize, start = offset / unit * unit;
    if ((section->flags & SHF_STRINGS) != 0 && section->contents != NULL)
        while (start >= unit && !is_zero(section->contents + start - unit, unit))
            start -= unit;
    /* the alignment that start has in the original section, at most that of the section */
    uint32_t align = section->align != 0 ? section->align : 1, own = start & (0u - start);
    align = own != 0 && own < align ? own : align;
    struct rp_entity entity = entity_from(section, start);
    uint32_t present = entity.size - entity.missing;
    address -= offset - start;
    for (size_t i = 0; entity.size != 0 && i < merged->pools.count; i++) {
        const struct rp_pool *pool = &merged->pools.items[i];
        uint32_t at = address - pool->addr;
        if (at <= pool->size && entity.size <= pool->size - at &&
            memcmp(pool->bytes + at, entity.bytes, present) == 0 &&
            is_zero(pool->bytes + at + present, entity.missing))
            return address % align == 0;
    }
    return false;
}

bool rp_merged_next(const struct rp_merged *merged, const struct rp_input_section *input,
                    uint32_t offset, uint32_t after, uint32_t *address) {
    bool found = false;
    for (size_t i = 0; i < merged->pools.count; i++) {
        const struct rp_pool *pool = &merged->pools.items[i];
        for (uint32_t at = 0; at < pool->size; at++)
            if (pool->addr + at > after && (!found || pool->addr + at < *address) &&
                rp_merged_is_at(merged, input, offset, pool->addr + at)) {
                *address = pool->addr + at;
                found = true;
                break;
            }
    }
    return found;
}

/* ---- whole pools ---- */

/*
 * The number of bytes at the start of the pool that consist of known strings, or known constants of
 * `unit` bytes, and zeros between them.
 */
static uint32_t covered(const struct rp_merged *merged, const struct rp_pool *pool, uint32_t unit,
                        bool strings) {
    uint32_t at = 0;
    while (at < pool->size) {
        uint32_t size = unit;
        if (strings) {
            uint32_t end = at;
            while (pool->size - end >= unit && !is_zero(pool->bytes + end, unit))
                end += unit;
            size = pool->size - end >= unit ? end + unit - at : 0;
        }
        const struct rp_entity wanted = {.bytes = pool->bytes + at, .size = size};
        if (size != 0 && size <= pool->size - at &&
            bsearch(&wanted, merged->entities.items, merged->entities.count, sizeof wanted,
                    compare_entities) != NULL)
            at += size;
        else if (pool->bytes[at] == 0)
            at++;
        else
            break;
    }
    return at;
}

bool rp_merged_check(const struct rp_merged *merged, struct rp_error *err) {
    for (size_t i = 0; i < merged->pools.count; i++) {
        const struct rp_pool *pool = &merged->pools.items[i];
        uint32_t best = 0;
        for (uint32_t unit = 1; unit <= 32 && best < pool->size; unit *= 2)
            for (int strings = 0; strings < 2; strings++) {
                uint32_t end = covered(merged, pool, unit, strings != 0);
                best = end > best ? end : best;
            }
        if (best < pool->size)
            return rp_fail(err, RP_E_LINK_CHECK,
                           "the merged strings or constants '%s' at 0x%08x: the byte 0x%02x at "
                           "0x%08x comes from no object",
                           pool->placed->section, pool->addr, pool->bytes[best], pool->addr + best);
    }
    return true;
}
