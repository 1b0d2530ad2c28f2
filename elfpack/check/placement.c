/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the linker's map to the letter: see placement.h. */
#include "elfpack/check/placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "elfpack/elf/linkmap.h"

enum { COLUMN = 16, SYMBOL_GAP = 16 }; /* GNU ld: column of addresses; blanks before a symbol */

enum part { PART_OTHER, PART_MEMBERS, PART_DISCARDED, PART_MEMORY };

struct reading {
    struct rp_placements *map;
    struct rp_arena *arena;
    enum part part;
    bool memory;         /* the memory map has begun */
    const char *output;  /* output section */
    const char *pending; /* an input section whose address is on the next line, or a pattern */
    bool bare;           /* the previous line was an output section without an address */
};

/* ---- for both linkers ---- */

static void add_member(struct rp_placements *map, struct rp_arena *arena, const char *archive,
                       const char *member) {
    for (size_t i = 0; map->lld && i < map->members.count; i++)
        if (strcmp(map->members.items[i].member, member) == 0 &&
            strcmp(map->members.items[i].archive, archive) == 0)
            return;
    *RP_PUSH(arena, &map->members) =
        (struct rp_archive_member){.archive = archive, .member = member};
}

/* "sym = expression", perhaps in PROVIDE, HIDDEN or PROVIDE_HIDDEN. "." is not a symbol. */
static void note_assignment(const struct reading *reading, const char *text) {
    static const char *const wrappers[] = {"PROVIDE_HIDDEN (", "PROVIDE (", "HIDDEN ("};
    for (size_t i = 0; i < sizeof wrappers / sizeof wrappers[0]; i++)
        if (rp_has_prefix(text, wrappers[i]))
            text += strlen(wrappers[i]);
    size_t len = strcspn(text, " ");
    if (len != 0 && !(len == 1 && text[0] == '.') && strncmp(text + len, " = ", 3) == 0)
        rp_strings_push(reading->arena, &reading->map->assigned,
                        rp_strndup(reading->arena, text, len));
}

/* "LONG 0x4e49424e"; the line has the size as well. */
static bool is_data(const char *text, const char **number) {
    static const char *const words[] = {"BYTE ", "SHORT ", "LONG ", "QUAD ", "SQUAD "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (rp_has_prefix(text, words[i])) {
            *number = text + strlen(words[i]);
            return true;
        }
    return false;
}

static struct rp_placed *push_placed(const struct reading *reading, enum rp_placed_kind kind,
                                     uint64_t addr, uint64_t size) {
    struct rp_placed *placed = RP_PUSH(reading->arena, &reading->map->placed);
    *placed = (struct rp_placed){.kind = kind,
                                 .output = reading->output,
                                 .addr = (uint32_t)addr,
                                 .size = (uint32_t)size,
                                 .discarded = reading->part == PART_DISCARDED};
    return placed;
}

/* ---- GNU ld: the memory map ---- */

/* " name 0xaddr 0xsize file"; the name may be on the previous line. */
static bool read_contribution(struct reading *reading, const char *name, const char *at) {
    uint64_t addr, size;
    if (!rp_linkmap_hex(&at, &addr) || !rp_linkmap_hex(&at, &size) || at[0] != ' ' ||
        at[1] == '\0' || addr > UINT32_MAX || size > UINT32_MAX)
        return false;
    if (strcmp(name, "*fill*") == 0) {
        push_placed(reading, RP_PLACED_FILL, addr, size);
        return true;
    }
    struct rp_placed *placed = push_placed(reading, RP_PLACED_INPUT, addr, size);
    placed->section = name;
    rp_linkmap_origin(reading->arena, at + 1, &placed->file, &placed->member);
    return true;
}

/* One blank, then *fill*, a section or a pattern of the script. */
static bool read_input_line(struct reading *reading, const char *line) {
    static const char fill[] = " *fill* ";
    if (rp_has_prefix(line, fill)) { /* address and size; a pattern may follow */
        const char *at = line + strlen(fill);
        uint64_t addr, size;
        if (!rp_linkmap_hex(&at, &addr) || !rp_linkmap_hex(&at, &size) || addr > UINT32_MAX ||
            size > UINT32_MAX || strspn(at, " 0123456789abcdefABCDEF") != strlen(at))
            return false;
        push_placed(reading, RP_PLACED_FILL, addr, size);
        return true;
    }
    size_t len = strcspn(line + 1, " ");
    const char *name = rp_strndup(reading->arena, line + 1, len);
    const char *at = line + 1 + len;
    reading->pending = NULL;
    if (*at != '\0' && read_contribution(reading, name, at))
        return true;
    /* a long name on its own line, or a pattern, which ends in a parenthesis */
    reading->pending = line + 1;
    return *at == '\0' || rp_has_suffix(line, ")");
}

/* Sixteen blanks, then an address: the rest of a section, data, a symbol or an assignment. */
static bool read_address_line(struct reading *reading, const char *line) {
    const char *at = line + COLUMN, *number, *name = reading->pending;
    uint64_t addr, size, value;
    if (!rp_linkmap_hex(&at, &addr))
        return false;
    if (strcmp(at, " (size before relaxing)") == 0) /* of a merged section */
        return true;
    if (strspn(at, " ") >= SYMBOL_GAP) {
        if (name != NULL && !rp_has_suffix(name, ")"))
            return false; /* a section without an address */
        note_assignment(reading, at + strspn(at, " "));
        return true;
    }
    reading->pending = NULL;
    if (!rp_linkmap_hex(&at, &size) || *at != ' ' || addr > UINT32_MAX)
        return false;
    if (is_data(at + 1, &number)) {
        if (!rp_linkmap_hex(&number, &value))
            return false;
        push_placed(reading, RP_PLACED_DATA, addr, size)->value = value;
        return true;
    }
    return name != NULL && read_contribution(reading, name, line + COLUMN);
}

/* In column 0: an output section. Its address follows, is on the next line or is missing. */
static bool read_output_line(struct reading *reading, const char *line) {
    static const char *const plain[] = {"LOAD ", "START GROUP", "END GROUP", "OUTPUT(",
                                        "/DISCARD/"};
    reading->pending = NULL;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (rp_has_prefix(line, plain[i])) {
            if (i == 0)
                rp_strings_push(reading->arena, &reading->map->loaded, line + strlen(plain[0]));
            return true;
        }
    size_t len = strcspn(line, " ");
    const char *at = line + len;
    uint64_t addr, size;
    reading->output = rp_strndup(reading->arena, line, len);
    reading->bare = *at == '\0';
    return reading->bare || (rp_linkmap_hex(&at, &addr) && rp_linkmap_hex(&at, &size) &&
                             (*at == '\0' || rp_has_prefix(at, " load address 0x")));
}

/* Is it the line with the address and size of an output section that has a long name? */
static bool is_output_address(const char *line) {
    const char *at = line + COLUMN;
    uint64_t addr, size;
    return rp_linkmap_hex(&at, &addr) && strspn(at, " ") < SYMBOL_GAP &&
           rp_linkmap_hex(&at, &size) && (*at == '\0' || rp_has_prefix(at, " load address 0x"));
}

static bool read_memory_line(struct reading *reading, const char *line) {
    static const char blanks[] = "                ";
    bool bare = reading->bare;
    reading->bare = false;
    if (line[0] == '\0')
        return true;
    if (line[0] != ' ')
        return read_output_line(reading, line);
    if (line[1] != ' ')
        return read_input_line(reading, line);
    if (!rp_has_prefix(line, blanks))
        return false;
    if (rp_has_prefix(line + COLUMN, "[!provide]"))
        return true;
    if (bare && is_output_address(line))
        return true;
    return read_address_line(reading, line);
}

/* ---- GNU ld: archive members and headings ---- */

/* "libm.a(wf_exp.o)"; the reason, "obj/001.o (expf)", follows after blanks or on the next line. */
static void read_member_line(const struct reading *reading, const char *line) {
    const char *gap = strstr(line, ")  "), *archive, *member;
    const char *reason = line[0] == ' ' ? line : gap;
    if (line[0] == '\0')
        return;
    const char *text =
        gap != NULL ? rp_strndup(reading->arena, line, (size_t)(gap + 1 - line)) : line;
    if (line[0] != ' ') {
        rp_linkmap_origin(reading->arena, text, &archive, &member);
        if (member != NULL)
            add_member(reading->map, reading->arena, archive, member);
    }
    const char *open = reason != NULL ? strrchr(reason, '(') : NULL;
    if (open == NULL || !rp_has_suffix(open, ")") || reading->map->members.count == 0)
        return;
    struct rp_archive_member *last = &reading->map->members.items[reading->map->members.count - 1];
    reason += reason == gap;
    reason += strspn(reason, " ");
    last->symbol = rp_strndup(reading->arena, open + 1, strlen(open) - 2);
    if (open - reason > 1)
        last->wanted_by = rp_strndup(reading->arena, reason, (size_t)(open - reason) - 1);
}

static bool is_heading(struct reading *reading, const char *line) {
    static const struct {
        const char *text;
        enum part part;
    } headings[] = {
        {"Archive member included to satisfy reference by file (symbol)", PART_MEMBERS},
        {"As-needed library included to satisfy reference by file (symbol)", PART_OTHER},
        {"Allocating common symbols", PART_OTHER},
        {"Discarded input sections", PART_DISCARDED},
        {"There are no discarded input sections", PART_OTHER},
        {"Memory Configuration", PART_OTHER},
        {"Linker script and memory map", PART_MEMORY},
    };
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (strcmp(line, headings[i].text) == 0) {
            reading->part = headings[i].part;
            reading->memory = reading->memory || reading->part == PART_MEMORY;
            reading->pending = NULL;
            return true;
        }
    return false;
}

static bool read_gnu_line(struct reading *reading, const char *line) {
    if (reading->part != PART_MEMORY && is_heading(reading, line))
        return true;
    switch (reading->part) {
    case PART_MEMBERS:
        read_member_line(reading, line);
        return true;
    case PART_DISCARDED:
    case PART_MEMORY:
        return read_memory_line(reading, line);
    case PART_OTHER:
        break;
    }
    return true;
}

/* ---- lld: rows of output sections, input sections and symbols, which differ by indentation ----
 */

static const char LLD_HEAD[] = "     VMA      LMA     Size Align Out     In      Symbol";

/* "file:(section)"; the file is "<internal>" for sections that lld made. */
static bool read_lld_input(struct reading *reading, const char *text, uint64_t addr,
                           uint64_t size) {
    const char *colon = NULL;
    for (const char *at = strstr(text, ":("); at != NULL; at = strstr(at + 1, ":("))
        colon = at;
    if (colon == NULL || !rp_has_suffix(text, ")"))
        return false;
    struct rp_placed *placed = push_placed(reading, RP_PLACED_INPUT, addr, size);
    placed->section = rp_strndup(reading->arena, colon + 2, strlen(colon) - 3);
    rp_linkmap_origin(reading->arena, rp_strndup(reading->arena, text, (size_t)(colon - text)),
                      &placed->file, &placed->member);
    if (placed->member != NULL)
        add_member(reading->map, reading->arena, placed->file, placed->member);
    return true;
}

static bool read_lld_statement(struct reading *reading, const char *text, uint64_t addr,
                               uint64_t size) {
    const char *number;
    if (is_data(text, &number)) {
        char *end;
        number += strspn(number, "( ");
        uint64_t value = strtoull(number, &end, 0);
        push_placed(reading, RP_PLACED_DATA, addr, size)->value = value;
        return end != number && strcmp(end, " )") == 0;
    }
    note_assignment(reading, text);
    return strstr(text, " = ") != NULL || strstr(text, " += ") != NULL;
}

static bool read_lld_line(struct reading *reading, const char *line) {
    enum { IN = 8, SYMBOL = 16 };
    char *end;
    uint64_t numbers[4];
    const char *at = line;
    if (line[0] == '\0')
        return true;
    for (size_t i = 0; i < 4; i++, at = end) {
        numbers[i] = strtoull(at, &end, i == 3 ? 10 : 16);
        if (end == at || numbers[i] > UINT32_MAX)
            return false;
    }
    if (*at++ != ' ')
        return false;
    size_t depth = strspn(at, " ");
    if (depth == SYMBOL)
        return true;
    if (depth != 0 && depth != IN)
        return false;
    at += depth;
    if (depth == 0 && strstr(at, " = ") == NULL && strchr(at, ' ') == NULL) {
        reading->output = at;
        return true;
    }
    return (depth == IN && read_lld_input(reading, at, numbers[0], numbers[2])) ||
           read_lld_statement(reading, at, numbers[0], numbers[2]);
}

int rp_placed_compare(const void *a, const void *b) {
    const struct rp_placed *x = *(const struct rp_placed *const *)a;
    const struct rp_placed *y = *(const struct rp_placed *const *)b;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x < y ? -1 : x > y;
}

bool rp_placements_read(struct rp_placements *map, struct rp_arena *arena, const char *text,
                        struct rp_error *err) {
    struct reading reading = {.map = map, .arena = arena, .output = ""};
    unsigned number = 1;
    *map = (struct rp_placements){.lld = rp_has_prefix(text, LLD_HEAD)};
    if (map->lld) {
        reading.part = PART_MEMORY;
        text += strcspn(text, "\n");
        text += *text == '\n';
        number++;
    }
    for (; *text != '\0'; number++) {
        size_t len = strcspn(text, "\n");
        const char *line = rp_strndup(arena, text, len);
        if (!(map->lld ? read_lld_line : read_gnu_line)(&reading, line))
            return rp_fail(err, RP_E_LINK_CHECK,
                           "line %u of the linker's map is not understood: '%.200s'", number, line);
        text += len + (text[len] == '\n');
    }
    return map->lld || reading.memory ||
           rp_fail(err, RP_E_LINK_CHECK, "the linker's map has no memory map");
}
