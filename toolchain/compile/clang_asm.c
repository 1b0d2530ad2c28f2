/* SPDX-License-Identifier: Apache-2.0 */
/* Moves constants in clang's assembly: see clang_asm.h. */
#include "toolchain/compile/clang_asm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/section_name.h"

/* ---- lines and words ---- */

struct span {
    const char *at;
    size_t len;
};

static bool next_line(const char **text, struct span *line) {
    if (**text == '\0')
        return false;
    *line = (struct span){*text, strcspn(*text, "\n")};
    *text += line->len + ((*text)[line->len] == '\n');
    return true;
}

/* Skips a fixed text at the front. */
static bool skip(struct span *rest, const char *text) {
    size_t len = strlen(text);
    if (rest->len < len || memcmp(rest->at, text, len) != 0)
        return false;
    *rest = (struct span){rest->at + len, rest->len - len};
    return true;
}

static struct span take_name(struct span *rest) {
    struct span name = {rest->at, 0};
    while (name.len < rest->len && (isalnum((unsigned char)rest->at[name.len]) ||
                                    strchr("_.$", rest->at[name.len]) != NULL))
        name.len++;
    *rest = (struct span){rest->at + name.len, rest->len - name.len};
    return name;
}

static bool same(struct span a, struct span b) {
    return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

/* NAME: alone on a line */
static bool is_label(struct span line, struct span *name) {
    *name = take_name(&line);
    return name->len != 0 && line.len == 1 && line.at[0] == ':';
}

/* .section .rodata.NAME,"a",%progbits; "aw" for a variable that an attribute puts there */
static bool is_rodata(struct span line, const char *flags, struct span *name) {
    if (!skip(&line, "\t.section\t.rodata."))
        return false;
    *name = take_name(&line);
    return name->len != 0 && skip(&line, flags) && skip(&line, ",%progbits") && line.len == 0;
}

static bool is_constants(struct span line, struct span *name) {
    return is_rodata(line, ",\"a\"", name);
}

static bool is_section(struct span line) {
    return skip(&line, "\t.section\t") || (skip(&line, "\t.text") && line.len == 0) ||
           (skip(&line, "\t.data") && line.len == 0) || (skip(&line, "\t.bss") && line.len == 0);
}

/* .long NAME, with or without a number added */
static bool is_word(struct span line) {
    if (!skip(&line, "\t.long\t") || take_name(&line).len == 0)
        return false;
    for (size_t i = 0; i < line.len; i++)
        if (!isdigit((unsigned char)line.at[i]) && (i != 0 || strchr("+-", line.at[i]) == NULL))
            return false;
    return true;
}

/* ---- the list ---- */

enum { ANY_UNIT = -1 };

static int compare_to(const struct rp_asm_constant *constant, struct span name, long long unit) {
    int order = strncmp(constant->name, name.at, name.len);
    if (order == 0 && constant->name[name.len] != '\0')
        order = 1;
    long long own = constant->global ? ANY_UNIT : (long long)constant->unit;
    return order != 0 ? order : (own > unit) - (own < unit);
}

static int compare(const void *a, const void *b) {
    const struct rp_asm_constant *y = b;
    return compare_to(a, (struct span){y->name, strlen(y->name)},
                      y->global ? ANY_UNIT : (long long)y->unit);
}

void rp_asm_sort(struct rp_asm_constants *all) {
    if (all->count != 0)
        qsort(all->items, all->count, sizeof *all->items, compare);
}

static struct rp_asm_constant *find_for(const struct rp_asm_constants *all, struct span name,
                                        long long unit) {
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_to(&all->items[middle], name, unit);
        if (order == 0)
            return &all->items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

struct rp_asm_constant *rp_asm_find(const struct rp_asm_constants *all, const char *name,
                                    size_t len, size_t unit) {
    struct rp_asm_constant *own = find_for(all, (struct span){name, len}, (long long)unit);
    return own != NULL ? own : find_for(all, (struct span){name, len}, ANY_UNIT);
}

/* ---- what a unit defines ---- */

/* clang puts the name of the function and a dot before the name of a static variable. */
static bool is_chosen(const struct rp_asm_constant *constant, const struct rp_asm_choice *choice) {
    const char *prefix = choice->weights_prefix != NULL ? choice->weights_prefix : "";
    const char *at = strstr(constant->name, prefix);
    bool named = at != NULL && (at == constant->name || at[-1] == '.');
    return constant->table ||
           (named && choice->weights_threshold != 0 && constant->size >= choice->weights_threshold);
}

/* Reads one line in the section of a constant. */
static void read_constant(struct rp_asm_constant *constant, struct span line) {
    struct span name = {constant->name, strlen(constant->name)}, found;
    bool word = is_word(line);
    if (is_label(line, &found) && !same(found, name))
        constant->fixed = true; /* its section contains something else */
    if (skip(&line, "\t.long\t") && line.len != 0 && !isdigit((unsigned char)line.at[0]) &&
        line.at[0] != '-') {
        constant->table = true;
        constant->fixed = constant->fixed || !word; /* a distance, which would change */
    }
    if (skip(&line, "\t.globl\t") && same(line, name))
        constant->global = true;
    if (skip(&line, "\t.size\t") && same(take_name(&line), name) && skip(&line, ", "))
        constant->size = strtoull(line.at, NULL, 0);
}

void rp_asm_import(struct rp_asm_constants *all, struct rp_arena *arena, const char *name) {
    *RP_PUSH(arena, all) = (struct rp_asm_constant){.name = name, .global = true, .apart = true};
}

/*
 * Variables among the constants: the names of the section, which is moved as a whole, and of its
 * contents. globl: the name that was declared last.
 */
static bool read_apart(struct rp_asm_constants *all, struct rp_arena *arena, struct span line,
                       size_t unit, struct span *globl) {
    struct span name;
    bool begins = is_rodata(line, ",\"aw\"", &name);
    if (skip(&line, "\t.globl\t"))
        *globl = line;
    if (begins || is_label(line, &name))
        *RP_PUSH(arena, all) =
            (struct rp_asm_constant){.name = rp_strndup(arena, name.at, name.len),
                                     .unit = unit,
                                     .global = !begins && same(name, *globl),
                                     .apart = true};
    return begins;
}

void rp_asm_collect(struct rp_asm_constants *all, struct rp_arena *arena, const char *text,
                    size_t unit, const struct rp_asm_choice *choice) {
    struct rp_asm_constant now = {0};
    struct span line, name, globl = {0};
    bool apart = false;
    for (;;) {
        bool more = next_line(&text, &line);
        if (now.name != NULL && (!more || is_section(line))) {
            if (is_chosen(&now, choice))
                *RP_PUSH(arena, all) = now;
            now.name = NULL;
        }
        if (!more)
            return;
        apart = apart && !is_section(line);
        if (apart || is_section(line))
            apart = read_apart(all, arena, line, unit, &globl) || apart;
        if (is_constants(line, &name))
            now = (struct rp_asm_constant){.name = rp_strndup(arena, name.at, name.len),
                                           .unit = unit};
        else if (now.name != NULL)
            read_constant(&now, line);
    }
}

/* ---- sections that an author named ---- */

/* .section NAME,"a",%progbits */
static bool is_authored(struct span line) {
    char name[256];
    if (!skip(&line, "\t.section\t"))
        return false;
    struct span found = take_name(&line);
    snprintf(name, sizeof name, "%.*s", (int)found.len, found.at);
    return found.len < sizeof name && skip(&line, ",\"a\",%progbits") && line.len == 0 &&
           rp_section_name_is_free(name);
}

/* clang writes .type of a constant, then .section unless it is that of the constant before. */
void rp_asm_part(struct rp_buf *out, const char *text) {
    struct span line, name = {0};
    bool inside = false;
    while (next_line(&text, &line)) {
        struct span rest = line;
        bool typed = skip(&rest, "\t.type\t");
        if (typed)
            name = take_name(&rest);
        typed = typed && skip(&rest, ",%object");
        bool begins = is_authored(line) && name.len != 0;
        inside = begins || (inside && !is_section(line));
        if (!begins)
            rp_buf_printf(out, "%.*s\n", (int)line.len, line.at);
        if (begins || (inside && typed))
            rp_buf_printf(out, "\t.section\t.rodata.%.*s,\"a\",%%progbits\n", (int)name.len,
                          name.at);
    }
}

/* ---- references ---- */

/* A movw of the lower half of an address or distance, or a movt of the upper half. */
struct move {
    struct span reg, name, label;
    bool high;
};

/* "movw REG, :lower16:" or "movt REG, :upper16:" */
static bool take_half(struct span *line, struct move *move) {
    move->high = skip(line, "\tmovt\t");
    if (!move->high && !skip(line, "\tmovw\t"))
        return false;
    move->reg = take_name(line);
    return skip(line, move->high ? ", :upper16:" : ", :lower16:");
}

/* … (NAME-(LABEL+4)) */
static bool is_move(struct span line, struct move *move) {
    if (!take_half(&line, move) || !skip(&line, "("))
        return false;
    move->name = take_name(&line);
    if (!skip(&line, "-("))
        return false;
    move->label = take_name(&line);
    return skip(&line, "+4))") && line.len == 0;
}

/* … NAME(sbrel) */
static bool is_distance(struct span line, struct move *move) {
    if (!take_half(&line, move))
        return false;
    move->name = take_name(&line);
    return skip(&line, "(sbrel)") && line.len == 0;
}

/* A MOVW and MOVT pair that is not complete yet: from the first of them to the label of the ADD. */
struct pair {
    struct rp_asm_constant *constant;
    struct span reg, label;
    bool halves[2];
};

struct pairs {
    struct pair *items;
    size_t count;
    size_t capacity;
};

static struct pair *pair_at(struct pairs *list, struct span label) {
    for (size_t i = list->count; i-- > 0;)
        if (same(list->items[i].label, label))
            return &list->items[i];
    return NULL;
}

static void begin_pair(struct pairs *list, struct rp_arena *arena, struct rp_asm_constant *constant,
                       const struct move *move) {
    struct pair *pair = pair_at(list, move->label);
    if (pair == NULL) {
        pair = RP_PUSH(arena, list);
        *pair = (struct pair){.constant = constant, .reg = move->reg, .label = move->label};
    }
    if (pair->constant != constant || pair->halves[move->high] || !same(pair->reg, move->reg))
        constant->fixed = pair->constant->fixed = true;
    pair->halves[move->high] = true;
}

/* At a label, the next instruction completes the address. */
static void end_pair(struct pairs *list, struct pair *pair, const char *rest) {
    struct span line = {rest, strcspn(rest, "\n")};
    bool adds = skip(&line, "\tadd\t") && same(take_name(&line), pair->reg) &&
                skip(&line, ", pc") && line.len == 0; /* add REG, pc */
    if (!adds || !pair->halves[0] || !pair->halves[1])
        pair->constant->fixed = true;
    *pair = list->items[--list->count];
}

static bool is_harmless(struct span line) {
    static const char *const heads[] = {
        "\t.type\t",  "\t.size\t",  "\t.globl\t", "\t.p2align", "\t.addrsig_sym ", "\t.section\t",
        "\t.ascii\t", "\t.asciz\t", "\t.file\t",  "\t.ident\t", "\t.loc\t",        "\t.cfi_"};
    struct span ignored;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct span rest = line;
        if (skip(&rest, heads[i]))
            return true;
    }
    return is_label(line, &ignored);
}

static void fix_all(struct rp_asm_constants *all, struct span line, size_t unit) {
    while (line.len != 0) {
        struct span name = take_name(&line);
        struct rp_asm_constant *constant = rp_asm_find(all, name.at, name.len, unit);
        if (name.len != 0 && constant != NULL && !constant->apart)
            constant->fixed = true;
        if (line.len != 0)
            line = (struct span){line.at + 1, line.len - 1};
    }
}

void rp_asm_check(struct rp_asm_constants *all, const char *text, size_t unit) {
    struct rp_arena arena = {0};
    struct pairs pairs = {0};
    struct span line, name;
    bool in_data = false, in_debug = false;
    while (next_line(&text, &line)) {
        struct move move;
        struct pair *pair = NULL;
        if (is_section(line)) {
            struct span rest = line;
            in_debug = skip(&rest, "\t.section\t.debug");
            in_data = skip(&rest, "\t.section\t.rodata") || skip(&rest, "\t.section\t.data") ||
                      skip(&rest, "\t.data");
        }
        if (in_debug)
            continue;
        struct rp_asm_constant *constant =
            is_move(line, &move) ? rp_asm_find(all, move.name.at, move.name.len, unit) : NULL;
        if (constant != NULL)
            begin_pair(&pairs, &arena, constant, &move);
        else if (is_label(line, &name) && (pair = pair_at(&pairs, name)) != NULL)
            end_pair(&pairs, pair, text);
        else if (!(in_data && is_word(line)) && !is_harmless(line))
            fix_all(all, line, unit);
    }
    for (size_t i = 0; i < pairs.count; i++)
        pairs.items[i].constant->fixed = true;
    rp_arena_release(&arena);
}

/* ---- rewriting ---- */

static int width(struct span span) {
    return (int)span.len;
}

static void put_words(struct rp_buf *out, const struct rp_strings *words) {
    for (size_t i = 0; i < words->count; i++)
        rp_buf_printf(out,
                      "\t.section\t.data.rp_at.%s,\"aw\",%%progbits\n"
                      "\t.p2align\t2\n\t.type\trp_at.%s,%%object\n"
                      "rp_at.%s:\n\t.long\t%s\n\t.size\trp_at.%s, 4\n",
                      words->items[i], words->items[i], words->items[i], words->items[i],
                      words->items[i]);
}

/* The instruction after the label reads the address from RAM, or already has it. */
static void put_add(struct rp_buf *out, const struct pair *pair) {
    if (pair->constant->table)
        rp_buf_printf(out, "\tadd\t%.*s, r9\n", width(pair->reg), pair->reg.at);
    else
        rp_buf_printf(out, "\tldr.w\t%.*s, [r9, %.*s]\n", width(pair->reg), pair->reg.at,
                      width(pair->reg), pair->reg.at);
}

static void put_move(struct rp_buf *out, const struct move *move, bool table) {
    rp_buf_printf(out, "\tmov%c\t%.*s, :%s16:%s%.*s(sbrel)\n", move->high ? 't' : 'w',
                  width(move->reg), move->reg.at, move->high ? "upper" : "lower",
                  table ? "" : "rp_at.", width(move->name), move->name.at);
}

/* Afterwards the register holds the distance from r9, as before. */
static void put_distance(struct rp_buf *out, const struct move *move) {
    int len = width(move->reg);
    const char *reg = move->reg.at;
    put_move(out, move, false);
    if (move->high)
        rp_buf_printf(out, "\tldr.w\t%.*s, [r9, %.*s]\n\tsub.w\t%.*s, %.*s, r9\n", len, reg, len,
                      reg, len, reg, len, reg);
}

void rp_asm_rewrite(struct rp_buf *out, const struct rp_asm_constants *all, struct rp_arena *arena,
                    const char *text, size_t unit) {
    struct pairs pairs = {0};
    struct rp_strings words = {0};
    struct span line, name;
    bool begun = false;
    while (next_line(&text, &line)) {
        struct move move;
        struct pair *pair = NULL;
        begun = begun || is_label(line, &name);
        /* without the .fpu before all code, which would override the command line: with it,
           the assembler refuses vectors of floats for Cortex-M55 */
        if (!begun && skip(&line, "\t.fpu\t"))
            continue;
        bool distance = is_distance(line, &move), moves = distance || is_move(line, &move);
        bool constants = !moves && is_constants(line, &name);
        if (moves)
            name = move.name;
        struct rp_asm_constant *constant =
            moves || constants ? rp_asm_find(all, name.at, name.len, unit) : NULL;
        if (constant != NULL && (constant->fixed || (distance && !constant->apart)))
            constant = NULL;
        if (moves && constant != NULL && !constant->table &&
            !rp_strings_have(&words, constant->name))
            rp_strings_push(arena, &words, constant->name);
        if (distance && constant != NULL) {
            put_distance(out, &move);
        } else if (moves && constant != NULL) {
            begin_pair(&pairs, arena, constant, &move);
            put_move(out, &move, constant->table);
        } else if (constant != NULL && constant->table && constant->unit == unit) {
            rp_buf_printf(out, "\t.section\t.data.rel.ro.%s,\"aw\",%%progbits\n", constant->name);
        } else {
            rp_buf_append(out, line.at, line.len);
            rp_buf_puts(out, "\n");
            if (is_label(line, &name) && (pair = pair_at(&pairs, name)) != NULL) {
                put_add(out, pair);
                (void)next_line(&text, &line);
                *pair = pairs.items[--pairs.count];
            }
        }
    }
    put_words(out, &words);
}
