/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the linker's map: see linkmap.h. */
#include "elfpack/elf/linkmap.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "elfpack/elf/sorted.h"

void rp_linkmap_origin(struct rp_arena *arena, const char *text, const char **file,
                       const char **member) {
    size_t len = strlen(text);
    const char *open = rp_path_member(text);
    if (open == NULL) {
        *file = rp_strdup(arena, text);
        *member = NULL;
        return;
    }
    *file = rp_strndup(arena, text, (size_t)(open - text));
    *member = rp_strndup(arena, open + 1, len - (size_t)(open - text) - 2);
}

bool rp_linkmap_hex(const char **at, uint64_t *value) {
    const char *p = *at + strspn(*at, " ");
    if (strncmp(p, "0x", 2) != 0)
        return false;
    char *end;
    *value = strtoull(p, &end, 16);
    *at = end;
    return end != p + 2;
}

/* " .text.f 0x20000100 0x64 obj/001.o"; a long name has its own line. */
static void parse_contribution(struct rp_linkmap *map, struct rp_arena *arena, const char *line,
                               const char **pending) {
    const char *at = line;
    const char *name = *pending;
    *pending = NULL;
    if (line[0] == ' ' && line[1] != ' ' && line[1] != '*' && line[1] != '\0') {
        size_t len = strcspn(line + 1, " ");
        name = rp_strndup(arena, line + 1, len);
        at = line + 1 + len;
        if (*at == '\0') {
            *pending = name;
            return;
        }
    } else if (name == NULL || line[0] != ' ') {
        return;
    }
    uint64_t addr, size;
    if (!rp_linkmap_hex(&at, &addr) || !rp_linkmap_hex(&at, &size) || (uint32_t)size == 0 ||
        *at != ' ')
        return;
    struct rp_contribution *item = RP_PUSH(arena, map);
    *item =
        (struct rp_contribution){.section = name, .addr = (uint32_t)addr, .size = (uint32_t)size};
    rp_linkmap_origin(arena, at + strspn(at, " "), &item->file, &item->member);
}

/*
 * lld: "20000060 20000060 4 2 obj/001.o:(.text.f)". Input sections are indented by eight blanks,
 * symbols by sixteen.
 */
static void parse_lld(struct rp_linkmap *map, struct rp_arena *arena, const char *line) {
    char *at = NULL;
    unsigned long long addr = strtoull(line, &at, 16);
    (void)strtoull(at, &at, 16);
    unsigned long long size = strtoull(at, &at, 16);
    (void)strtoul(at, &at, 10);
    size_t len = strlen(at);
    const char *name = at + 9, *section = NULL;
    if (len < 10 || strspn(at, " ") != 9 || at[len - 1] != ')' || size == 0)
        return;
    for (const char *next = strstr(name, ":("); next != NULL; next = strstr(next + 1, ":("))
        section = next;
    if (section == NULL)
        return;
    struct rp_contribution *item = RP_PUSH(arena, map);
    *item = (struct rp_contribution){
        .section = rp_strndup(arena, section + 2, strlen(section) - 3),
        .addr = (uint32_t)addr,
        .size = (uint32_t)size,
    };
    rp_linkmap_origin(arena, rp_strndup(arena, name, (size_t)(section - name)), &item->file,
                      &item->member);
}

/* "libm.a(wf_exp.o)", then, after blanks on the same or the next line, "obj/002.o (expf)". */
static void parse_included(struct rp_linkmap *map, struct rp_arena *arena, const char *line,
                           const char **pending) {
    const char *reason = line + strspn(line, " ");
    if (line[0] != ' ' && line[0] != '\0') {
        const char *gap = strstr(line, ")  ");
        *pending = gap != NULL ? rp_strndup(arena, line, (size_t)(gap + 1 - line))
                               : rp_strdup(arena, line);
        if (gap == NULL)
            return;
        reason = gap + 1 + strspn(gap + 1, " ");
    }
    const char *open = strrchr(reason, '(');
    if (*pending == NULL || open == NULL || open == reason || !rp_has_suffix(open, ")"))
        return;
    struct rp_included *included = RP_PUSH(arena, &map->included);
    rp_linkmap_origin(arena, *pending, &included->archive, &included->member);
    included->symbol = rp_strndup(arena, open + 1, strlen(open) - 2);
    included->wanted_by = rp_strndup(arena, reason, (size_t)(open - reason) - 1);
    *pending = NULL;
}

static int compare_addr(const void *a, const void *b) {
    const struct rp_contribution *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Drops members that were taken, but then collected as garbage. */
static void drop_collected(struct rp_linkmap *map, struct rp_arena *arena) {
    struct rp_strings placed = {0};
    size_t kept = 0;
    for (size_t i = 0; i < map->count; i++)
        if (map->items[i].member != NULL)
            rp_strings_push(arena, &placed,
                            rp_format(arena, "%s\n%s", map->items[i].file, map->items[i].member));
    rp_strings_sort(&placed);
    for (size_t i = 0; i < map->included.count; i++) {
        const struct rp_included *included = &map->included.items[i];
        if (included->member != NULL &&
            rp_strings_have_sorted(&placed,
                                   rp_format(arena, "%s\n%s", included->archive, included->member)))
            map->included.items[kept++] = *included;
    }
    map->included.count = kept;
}

void rp_linkmap_parse(struct rp_linkmap *map, struct rp_arena *arena, const char *text) {
    enum { OTHER, INCLUDED, PLACED, LLD } part = OTHER;
    const char *pending = NULL;
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        const char *line = rp_strndup(arena, text, len);
        if (rp_has_prefix(line, "Archive member included"))
            part = INCLUDED;
        else if (rp_has_prefix(line, "Linker script and memory map"))
            part = PLACED;
        else if (rp_has_prefix(line, "     VMA      LMA"))
            part = LLD;
        else if (part == LLD)
            parse_lld(map, arena, line);
        else if ((line[0] != ' ' && rp_has_suffix(line, "sections")) || /* "Discarded input …" */
                 rp_has_prefix(line, "Memory Configuration"))
            part = OTHER;
        else if (part == INCLUDED)
            parse_included(map, arena, line, &pending);
        else if (part == PLACED)
            parse_contribution(map, arena, line, &pending);
        text += len + (text[len] == '\n');
    }
    if (map->count != 0)
        qsort(map->items, map->count, sizeof *map->items, compare_addr);
    drop_collected(map, arena);
}

/* Orders an item before or after an address. */
static int compare_start(const void *addr, const void *item) {
    return ((const struct rp_contribution *)item)->addr > *(const uint32_t *)addr ? -1 : 1;
}

const struct rp_contribution *rp_linkmap_find(const struct rp_linkmap *map, uint32_t addr) {
    const struct rp_contribution *items = map->items;
    size_t next = rp_lower_bound(&addr, items, map->count, sizeof *items, compare_start);
    return next != 0 && addr - items[next - 1].addr < items[next - 1].size ? &items[next - 1]
                                                                           : NULL;
}

char *rp_contribution_origin(struct rp_arena *arena, const struct rp_contribution *from) {
    return from->member != NULL ? rp_format(arena, "%s(%s)", rp_path_base(from->file), from->member)
                                : rp_strdup(arena, from->file);
}
