/* SPDX-License-Identifier: Apache-2.0 */
/* Finds instructions, and those that the core lacks: see code.h. */
#include "elfpack/insn/code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"

enum { KEPT_MAX = 100, SHOWN_MAX = 12 };

struct mapping {
    uint32_t address;
    char kind; /* 't', 'd', 'a' */
    size_t order;
};

struct reading {
    struct rp_code *code;
    struct rp_arena *arena;
    uint32_t families;
    struct {
        struct mapping *items;
        size_t count;
        size_t capacity;
    } mappings;           /* sorted by address; of several at one address, the last counts */
    struct rp_words work; /* addresses from which the code has yet to be followed */
};

/* ---- marks ---- */

static uint8_t *mark_at(const struct rp_code *code, uint32_t address) {
    uint32_t offset = address - code->flash->addr;
    return (offset & 1) == 0 && offset < code->flash->size ? &code->marks[offset / 2] : NULL;
}

uint8_t rp_code_mark(const struct rp_code *code, uint32_t address) {
    const uint8_t *mark = mark_at(code, address);
    return mark != NULL ? *mark : 0;
}

static void set_mark(const struct rp_code *code, uint32_t address, uint8_t bits) {
    uint8_t *mark = mark_at(code, address);
    if (mark != NULL)
        *mark |= bits;
}

/* Orders a function before or after an address. */
static int compare_start(const void *address, const void *symbol) {
    const struct rp_symbol *function = *(const struct rp_symbol *const *)symbol;
    return (function->value & ~UINT32_C(1)) > *(const uint32_t *)address ? -1 : 1;
}

/* Are both addresses in one function of known size, and target not at its start? */
static bool is_inside(const struct rp_code *code, uint32_t address, uint32_t target) {
    size_t next = rp_lower_bound(&address, code->sized, code->sized_count, sizeof *code->sized,
                                 compare_start);
    if (next == 0)
        return false;
    const struct rp_symbol *function = code->sized[next - 1];
    uint32_t start = function->value & ~UINT32_C(1);
    return address - start < function->size && target - start < function->size && target != start;
}

static const struct rp_code_case *case_at(const struct rp_code *code, uint32_t address) {
    for (size_t i = 0; i < code->cases.count; i++)
        if (code->cases.items[i].address == address)
            return &code->cases.items[i];
    return NULL;
}

static struct rp_insn read_insn(const struct rp_code *code, uint32_t address, uint32_t end) {
    uint32_t offset = address - code->flash->addr;
    struct rp_insn insn = rp_insn_read(code->flash->contents + offset, end - address, address);
    if (insn.flow == RP_FLOW_CALL && case_at(code, insn.target) != NULL)
        insn.flow = RP_FLOW_TABLE;
    else if (insn.flow == RP_FLOW_CALL && is_inside(code, address, insn.target))
        insn.flow = RP_FLOW_BRANCH;
    return insn;
}

struct rp_code_table rp_code_table(const struct rp_code *code, const struct rp_insn *insn,
                                   uint32_t address) {
    const struct rp_code_case *by_call = case_at(code, insn->target);
    struct rp_code_table table = {.start = address + 4};
    if (by_call != NULL) {
        table.width = by_call->width;
        table.is_signed = by_call->is_signed;
        if (table.width == 4)
            table.start = (table.start + 3) & ~UINT32_C(3);
    } else if ((insn->code >> 16 & 15) == 15) {
        table.width = (insn->code & 0x10) != 0 ? 2 : 1;
    }
    return table;
}

uint32_t rp_code_entry(const struct rp_code *code, const struct rp_code_table *table,
                       uint32_t entry) {
    const uint8_t *at = code->flash->contents + (entry - code->flash->addr);
    uint32_t value = 0;
    for (uint32_t i = 0; i < table->width; i++)
        value |= (uint32_t)at[i] << (8 * i);
    if (table->width == 4) /* in bytes */
        return table->start + value;
    uint32_t sign = UINT32_C(1) << (8 * table->width - 1);
    return table->start + 2 * (table->is_signed ? (value ^ sign) - sign : value);
}

static uint32_t flash_end(const struct rp_code *code) {
    return code->flash->addr + code->flash->size;
}

struct rp_insn rp_code_insn(const struct rp_code *code, uint32_t address) {
    if ((rp_code_mark(code, address) & RP_CODE_START) == 0)
        return (struct rp_insn){0};
    return read_insn(code, address, flash_end(code));
}

void rp_code_set_apart(struct rp_code *code, uint32_t address) {
    set_mark(code, address, RP_CODE_APART);
}

/* ---- one instruction ---- */

static void add_stranger(const struct reading *reading, uint32_t address,
                         const struct rp_insn *insn, bool unmarked) {
    struct rp_code *code = reading->code;
    if (++code->stranger_count <= KEPT_MAX)
        *RP_PUSH(reading->arena, &code->strangers) = (struct rp_stranger){address, *insn, unmarked};
}

/* Marks an instruction and what it refers to. */
static void take_insn(const struct reading *reading, uint32_t address, struct rp_insn *insn,
                      bool conditional, bool unmarked) {
    const struct rp_code *code = reading->code;
    bool target = insn->flow == RP_FLOW_BRANCH || insn->flow == RP_FLOW_BRANCH_IF ||
                  insn->flow == RP_FLOW_CALL;
    bool value = insn->kind == RP_INSN_LITERAL || insn->kind == RP_INSN_ADDRESS ||
                 insn->kind == RP_INSN_MOVW || insn->kind == RP_INSN_MOVT;
    bool r9 = ((insn->reads | insn->writes) >> 9 & 1) != 0;
    set_mark(code, address,
             (uint8_t)(RP_CODE_START | (conditional ? RP_CODE_MAYBE : 0) | (r9 ? RP_CODE_R9 : 0) |
                       (insn->flow != RP_FLOW_NEXT ? RP_CODE_FLOW : 0) |
                       (value ? RP_CODE_VALUE : 0)));
    if (target)
        set_mark(code, insn->target, RP_CODE_TARGET);
    if (insn->kind == RP_INSN_LITERAL || insn->kind == RP_INSN_NEAR ||
        insn->kind == RP_INSN_ADDRESS) {
        set_mark(code, insn->target, RP_CODE_LITERAL);
        if (insn->kind != RP_INSN_ADDRESS)
            set_mark(code, insn->target + 2, RP_CODE_LITERAL);
    }
    if (target && mark_at(code, insn->target) == NULL)
        insn->family = RP_FAMILY_OUTSIDE;
    if ((reading->families >> insn->family & 1) == 0)
        add_stranger(reading, address, insn, unmarked);
}

/* May the next instruction be executed after this one? */
static bool continues(const struct rp_insn *insn) {
    return insn->flow == RP_FLOW_NEXT || insn->flow == RP_FLOW_BRANCH_IF ||
           insn->flow == RP_FLOW_CALL || insn->flow == RP_FLOW_CALL_REG;
}

uint32_t rp_code_bytes(const struct rp_code *code) {
    uint32_t bytes = 0, at = code->flash->addr;
    bool reached = false; /* from the previous instruction */
    while (code->marks != NULL && at < flash_end(code)) {
        const uint8_t mark = rp_code_mark(code, at);
        const struct rp_insn insn = rp_code_insn(code, at);
        reached = reached || (mark & RP_CODE_TARGET) != 0;
        if (insn.size == 0)
            reached = false;
        else if (reached || !rp_insn_is_filling(&insn)) {
            bytes += insn.size;
            reached = continues(&insn) || (mark & RP_CODE_MAYBE) != 0;
        }
        at += insn.size != 0 ? insn.size : 2;
    }
    return bytes;
}

/* ---- code by mapping symbols ---- */

/*
 * The end of the table after the jump at address. Its entries lead past the table or to before the
 * jump, so the table ends at or before the nearest target.
 */
static uint32_t table_end(const struct rp_code *code, uint32_t address, const struct rp_insn *insn,
                          uint32_t end) {
    const struct rp_code_table table = rp_code_table(code, insn, address);
    uint32_t at = table.start, nearest = end;
    while (table.width != 0 && at < nearest && nearest - at >= table.width) {
        uint32_t to = rp_code_entry(code, &table, at);
        if (to > at && to < nearest)
            nearest = to;
        at += table.width;
    }
    return nearest < end ? nearest : end;
}

/* What the last instruction of a stretch does: ends, calls, or continues with the next one. */
enum after { AFTER_END, AFTER_CALL, AFTER_NEXT };

/* Decodes [start, end) instruction by instruction. */
static enum after sweep(struct reading *reading, uint32_t start, uint32_t end, bool unmarked) {
    const struct rp_code *code = reading->code;
    enum after after = AFTER_NEXT;
    unsigned conditional = 0;
    for (uint32_t at = start; at < end;) {
        if (unmarked && (rp_code_mark(code, at) & RP_CODE_LITERAL) != 0) {
            at += 2;
            continue;
        }
        struct rp_insn insn = read_insn(code, at, end);
        bool maybe = conditional != 0;
        take_insn(reading, at, &insn, maybe, unmarked);
        conditional -= conditional != 0;
        if (insn.kind == RP_INSN_IT && insn.family != RP_FAMILY_NONE)
            conditional = rp_insn_it_count(&insn);
        bool nop = rp_insn_is_filling(&insn);
        bool call = insn.flow == RP_FLOW_CALL || insn.flow == RP_FLOW_CALL_REG;
        if (!nop || after == AFTER_NEXT)
            after = !maybe && !continues(&insn) ? AFTER_END : call ? AFTER_CALL : AFTER_NEXT;
        at = unmarked && insn.flow == RP_FLOW_TABLE ? table_end(code, at, &insn, end)
                                                    : at + (insn.size != 0 ? insn.size : 2);
    }
    return after;
}

/* Bytes of one kind, between mapping symbols. */
struct stretch {
    uint32_t start, end;
    char kind;     /* as of struct mapping */
    bool unmarked; /* no mapping symbol says the kind */
    bool last;     /* in its input section */
    bool gap;      /* between two input sections */
};

static void take_stretch(struct reading *reading, const struct stretch *stretch,
                         struct rp_words *ends) {
    if (stretch->kind == 'a') {
        struct rp_insn insn = {.size = 4, .family = RP_FAMILY_ARM};
        uint32_t offset = stretch->start - reading->code->flash->addr;
        if (stretch->end - stretch->start >= 4)
            insn.code = rp_get_le32(reading->code->flash->contents + offset);
        add_stranger(reading, stretch->start, &insn, false);
    } else if (stretch->kind == 't') {
        enum after after = sweep(reading, stretch->start, stretch->end, stretch->unmarked);
        if (!stretch->last && after == AFTER_NEXT)
            *RP_PUSH(reading->arena, ends) = stretch->end;
        else if (stretch->last && after == AFTER_NEXT && !stretch->unmarked && !stretch->gap)
            *RP_PUSH(reading->arena, &reading->code->open_ends) = stretch->end;
    }
}

/* Is it code, by its name or a function in it? */
static bool is_text(const struct rp_elf *elf, const struct rp_contribution *part) {
    if (rp_has_prefix(part->section, ".text") || rp_has_prefix(part->section, ".gnu.linkonce.t") ||
        rp_has_prefix(part->section, ".glue"))
        return true;
    for (size_t i = 0; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        if (symbol->type == STT_FUNC && symbol->section != SHN_UNDEF &&
            (symbol->value & ~UINT32_C(1)) - part->addr < part->size)
            return true;
    }
    return false;
}

static int compare_mappings(const void *a, const void *b) {
    const struct mapping *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Takes one input section, or the gap between two. */
static void take_part(struct reading *reading, const struct rp_contribution *part,
                      struct rp_words *ends) {
    const struct mapping *mappings = reading->mappings.items;
    uint32_t end = part->addr + part->size;
    const struct mapping first = {.address = part->addr};
    size_t count = reading->mappings.count;
    size_t i = rp_lower_bound(&first, mappings, count, sizeof first, compare_mappings);
    bool any = i < count && mappings[i].address < end;
    if (!any || mappings[i].address != part->addr) {
        bool text = part->section != NULL && is_text(reading->code->elf, part);
        const struct stretch stretch = {.start = part->addr,
                                        .end = any ? mappings[i].address : end,
                                        .kind = text ? 't' : 'd',
                                        .unmarked = true,
                                        .last = !any};
        take_stretch(reading, &stretch, ends);
    }
    for (; i < count && mappings[i].address < end; i++) {
        if (i + 1 < count && mappings[i + 1].address == mappings[i].address)
            continue;
        bool last = i + 1 == count || mappings[i + 1].address >= end;
        const struct stretch stretch = {.start = mappings[i].address,
                                        .end = last ? end : mappings[i + 1].address,
                                        .kind = mappings[i].kind,
                                        .last = last,
                                        .gap = part->section == NULL};
        take_stretch(reading, &stretch, ends);
    }
}

/* ---- code found by following branches ---- */

/* Follows the code from an address on until it ends, jumps away or reaches known code. */
static void walk(struct reading *reading, uint32_t at) {
    const struct rp_code *code = reading->code;
    unsigned conditional = 0;
    while (mark_at(code, at) != NULL && (rp_code_mark(code, at) & RP_CODE_START) == 0) {
        struct rp_insn insn = read_insn(code, at, flash_end(code));
        bool maybe = conditional != 0;
        take_insn(reading, at, &insn, maybe, false);
        conditional -= conditional != 0;
        if (insn.family == RP_FAMILY_NONE)
            return;
        if (insn.kind == RP_INSN_IT)
            conditional = rp_insn_it_count(&insn);
        if (insn.flow == RP_FLOW_BRANCH || insn.flow == RP_FLOW_BRANCH_IF ||
            insn.flow == RP_FLOW_CALL)
            *RP_PUSH(reading->arena, &reading->work) = insn.target;
        if (!maybe && !continues(&insn))
            return;
        at += insn.size;
    }
}

/* ---- the whole image ---- */

static int compare_strangers(const void *a, const void *b) {
    const struct rp_stranger *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static void add_case(const struct reading *reading, const struct rp_symbol *symbol) {
    static const struct {
        const char *name;
        uint8_t width;
        bool is_signed;
    } names[] = {
        {"sqi", 1, true}, {"uqi", 1, false}, {"shi", 2, true}, {"uhi", 2, false}, {"si", 4, false}};
    const char *prefix = "__gnu_thumb1_case_";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (rp_has_prefix(symbol->name, prefix) &&
            strcmp(symbol->name + strlen(prefix), names[i].name) == 0)
            *RP_PUSH(reading->arena, &reading->code->cases) = (struct rp_code_case){
                symbol->value & ~UINT32_C(1), names[i].width, names[i].is_signed};
}

static int compare_sized(const void *a, const void *b) {
    const struct rp_symbol *x = *(const struct rp_symbol *const *)a;
    const struct rp_symbol *y = *(const struct rp_symbol *const *)b;
    return x->value < y->value ? -1 : x->value > y->value;
}

static void find_mappings(struct reading *reading) {
    const struct rp_code *code = reading->code;
    reading->code->sized =
        rp_alloc(reading->arena, code->elf->symbol_count + 1, sizeof *reading->code->sized);
    for (size_t i = 0; i < code->elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &code->elf->symbols[i];
        uint32_t address = symbol->value & ~UINT32_C(1);
        if (address - code->flash->addr >= code->flash->size || symbol->section == SHN_UNDEF)
            continue;
        if (symbol->type == STT_FUNC)
            set_mark(code, address, RP_CODE_TARGET);
        if (symbol->type == STT_FUNC && symbol->size != 0)
            reading->code->sized[reading->code->sized_count++] = symbol;
        add_case(reading, symbol);
        const char *name = symbol->name;
        if (symbol->type == STT_NOTYPE && name[0] == '$' &&
            (name[1] == 't' || name[1] == 'd' || name[1] == 'a') &&
            (name[2] == '\0' || name[2] == '.'))
            *RP_PUSH(reading->arena, &reading->mappings) = (struct mapping){address, name[1], i};
    }
    if (code->sized_count != 0)
        qsort(reading->code->sized, code->sized_count, sizeof *code->sized, compare_sized);
    if (reading->mappings.count != 0)
        qsort(reading->mappings.items, reading->mappings.count, sizeof *reading->mappings.items,
              compare_mappings);
}

void rp_code_read(struct rp_code *code, struct rp_arena *arena, uint32_t families) {
    const struct rp_section *flash = code->flash;
    const struct rp_linkmap *map = code->map;
    struct reading reading = {.code = code, .arena = arena, .families = families};
    struct rp_words ends = {0};
    if (flash->contents == NULL)
        return;
    code->marks = rp_alloc(arena, flash->size / 2 + 1, 1);
    find_mappings(&reading);
    uint32_t done = flash->addr;
    for (size_t i = 0; i <= map->count; i++) {
        struct rp_contribution part = {.addr = flash_end(code)}, gap = {.addr = done};
        if (i < map->count)
            part = map->items[i];
        if (part.addr < done || part.addr > flash_end(code) ||
            part.size > flash_end(code) - part.addr)
            continue;
        gap.size = part.addr - done;
        if (gap.size != 0)
            take_part(&reading, &gap, &ends);
        if (part.size != 0)
            take_part(&reading, &part, &ends);
        done = part.addr + part.size;
    }
    for (size_t i = 0; i < ends.count; i++) /* data after code is executed, unless code reads it */
        if ((rp_code_mark(code, ends.items[i]) & RP_CODE_LITERAL) == 0)
            *RP_PUSH(arena, &reading.work) = ends.items[i];
    for (uint32_t at = flash->addr; at < flash_end(code); at += 2)
        if ((rp_code_mark(code, at) & (RP_CODE_TARGET | RP_CODE_START)) == RP_CODE_TARGET)
            *RP_PUSH(arena, &reading.work) = at;
    while (reading.work.count != 0)
        walk(&reading, reading.work.items[--reading.work.count]);
    if (code->strangers.count != 0)
        qsort(code->strangers.items, code->strangers.count, sizeof *code->strangers.items,
              compare_strangers);
}

/* ---- messages ---- */

/* The nearest label at or before the address in the same input section, or NULL. */
static const struct rp_symbol *label_of(const struct rp_code *code, uint32_t address) {
    const struct rp_contribution *part = rp_linkmap_find(code->map, address);
    const struct rp_symbol *best = NULL;
    for (size_t i = 0; i < code->elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &code->elf->symbols[i];
        uint32_t start = symbol->value & ~UINT32_C(1);
        bool named = symbol->type == STT_FUNC || symbol->type == STT_NOTYPE;
        if (!named || symbol->section == SHN_UNDEF || symbol->section == RP_SECTION_ABS ||
            symbol->name[0] == '$' || symbol->name[0] == '\0' || start > address ||
            strncmp(symbol->name, "_rp_", 4) == 0 || /* a mark of the linker script */
            (part != NULL && start < part->addr))
            continue;
        if (best == NULL || start > (best->value & ~UINT32_C(1)) ||
            (start == (best->value & ~UINT32_C(1)) && best->type != STT_FUNC))
            best = symbol;
    }
    return best;
}

const char *rp_code_label(const struct rp_code *code, uint32_t address) {
    const struct rp_symbol *label = label_of(code, address);
    return label != NULL ? label->name : "";
}

static char *name_place(const struct rp_code *code, struct rp_arena *arena, uint32_t address,
                        bool offset) {
    const struct rp_contribution *part = rp_linkmap_find(code->map, address);
    const struct rp_symbol *label = label_of(code, address);
    const char *origin = part != NULL ? rp_contribution_origin(arena, part) : "the link";
    const char *name = label != NULL ? label->name : part != NULL ? part->section : "the image";
    uint32_t start = label != NULL  ? label->value & ~UINT32_C(1)
                     : part != NULL ? part->addr
                                    : code->flash->addr;
    return offset ? rp_format(arena, "%s + 0x%X (%s)", name, address - start, origin)
                  : rp_format(arena, "%s (%s)", name, origin);
}

char *rp_code_function(const struct rp_code *code, struct rp_arena *arena, uint32_t address) {
    return name_place(code, arena, address, false);
}

char *rp_code_place(const struct rp_code *code, struct rp_arena *arena, uint32_t address) {
    return name_place(code, arena, address, true);
}

static void put_stranger(struct rp_buf *out, struct rp_arena *arena, const struct rp_code *code,
                         const struct rp_stranger *stranger, const char *text) {
    const struct rp_insn *insn = &stranger->insn;
    rp_buf_printf(out, "\n  %s: ", rp_code_place(code, arena, stranger->address));
    if (text[0] != '\0')
        rp_buf_printf(out, "'%s'", text);
    else
        rp_buf_printf(out, insn->size == 4 ? "instruction %04x %04x" : "instruction %04x",
                      insn->size == 4 ? insn->code >> 16 : insn->code, insn->code & 0xFFFF);
    bool needs = insn->family != RP_FAMILY_NONE && insn->family != RP_FAMILY_OUTSIDE;
    rp_buf_printf(out, ": %s%s", needs ? "needs " : "",
                  rp_family_text((enum rp_family)insn->family));
    if (stranger->unmarked)
        rp_buf_puts(out, ", or data: the object has no mapping symbols ($t, $d) to tell");
}

bool rp_code_check(const struct rp_code *code, struct rp_arena *arena,
                   const struct rp_code_words *words, struct rp_error *err) {
    struct rp_buf list = {.arena = arena};
    if (code->stranger_count == 0)
        return true;
    for (size_t i = 0; i < code->strangers.count && i < SHOWN_MAX; i++)
        put_stranger(&list, arena, code, &code->strangers.items[i],
                     i < words->texts.count ? words->texts.items[i] : "");
    if (code->stranger_count > SHOWN_MAX)
        rp_buf_printf(&list, "\n  and %zu more", code->stranger_count - SHOWN_MAX);
    rp_fail(err, RP_E_INSTRUCTION, "the code has %zu instruction%s that %s cannot run:%s",
            code->stranger_count, code->stranger_count == 1 ? "" : "s", words->core, list.data);
    rp_fail_symbol(err, rp_code_label(code, code->strangers.items[0].address));
    return rp_hint(err, "%s", words->hint);
}
