/* SPDX-License-Identifier: Apache-2.0 */
/* QEMU's log of execution: see execution.h. */
#include "cli/profile/execution.h"

#include <string.h>

#include "elfpack/insn/insn.h"

/* The emulator gives the address of an instruction in its page, or all of it. */
enum { PLACE_IN_PAGE = 0x3FF };

static bool fail(struct rp_execution *log, const char *what) {
    log->wrong = what;
    return false;
}

/* ---- text ---- */

static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* Reads a hexadecimal number and moves *at behind it. */
static uint64_t read_hex(const char **at) {
    uint64_t value = 0;
    const char *c = *at;
    if (c[0] == '0' && c[1] == 'x')
        c += 2;
    for (unsigned digit; (digit = digit_of(*c)) < 16; c++)
        value = value << 4 | digit;
    *at = c;
    return value;
}

/* ---- blocks ---- */

static bool is_wide(const uint8_t *at) {
    return at[1] >> 3 >= 0x1D; /* 0b11101, 0b11110, 0b11111: 32 bits */
}

/* The address of the index-th instruction from start; 0: it leads out of the code that is known. */
static uint32_t address_of(const struct rp_code_part *part, uint32_t start, uint32_t index) {
    uint32_t at = start - part->address;
    for (; index != 0; index--) {
        if (at > part->size || part->size - at < 2)
            return 0;
        at += is_wide(part->bytes + at) ? 4 : 2;
    }
    return at <= part->size ? part->address + at : 0;
}

/* Fills in the scopes that a block goes through. */
static void find_runs(struct rp_execution *log, struct rp_block *block,
                      const struct rp_code_part *part) {
    const struct rp_scopes *scopes = log->calls->scopes;
    block->runs = rp_alloc(log->calls->arena, block->count, sizeof *block->runs);
    block->run_count = 0;
    for (uint32_t i = 0, at = block->start; i < block->count; i++, at = address_of(part, at, 1)) {
        uint32_t scope = rp_scope_at(scopes, at);
        struct rp_block_run *last = block->runs + block->run_count - 1;
        if (block->run_count == 0 || last->scope != scope) {
            last = block->runs + block->run_count++;
            *last = (struct rp_block_run){at, 0, scope, rp_scope_function(scopes, scope)};
        }
        last->count++;
    }
}

static bool make_block(struct rp_execution *log, struct rp_block *block, uint32_t start) {
    const struct rp_code_part *part = rp_code_part_at(log->calls->scopes, start);
    uint32_t count = log->translated;
    uint32_t last = part != NULL && count != 0 ? address_of(part, start, count - 1) : 0;
    uint32_t end = last != 0 ? address_of(part, last, 1) : 0;
    if (end == 0)
        return fail(log, count == 0 ? "a block is executed that was not translated"
                                    : "a block is executed where no code is");
    struct rp_insn insn = rp_insn_read(part->bytes + (last - part->address),
                                       part->size - (last - part->address), last);
    *block = (struct rp_block){.start = start,
                               .end = end,
                               .count = count,
                               .flow = insn.flow,
                               .is_gate = start - log->gate < log->gate_size,
                               .known_in = RP_NO_FRAME};
    find_runs(log, block, part);
    return true;
}

/* ---- blocks by their place ---- */

/* Where a block is, or is to be put. */
static struct rp_block_slot *slot_of(const struct rp_execution *log, uint64_t place,
                                     uint32_t start) {
    size_t mask = log->slot_count - 1;
    size_t at = (size_t)((place ^ start) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (log->slots[at].block != NULL &&
           (log->slots[at].place != place || log->slots[at].block->start != start))
        at = (at + 1) & mask;
    return &log->slots[at];
}

static void make_room(struct rp_execution *log) {
    struct rp_block_slot *old = log->slots;
    size_t count = log->slot_count;
    if (log->used < count / 2)
        return;
    log->slot_count = count != 0 ? 2 * count : 1024;
    log->slots = rp_alloc(log->calls->arena, log->slot_count, sizeof *log->slots);
    for (size_t i = 0; i < count; i++)
        if (old[i].block != NULL)
            *slot_of(log, old[i].place, old[i].block->start) = old[i];
}

/* What was just translated replaces what was in its place before. */
static struct rp_block *find_block(struct rp_execution *log, uint64_t place, uint32_t start) {
    make_room(log);
    struct rp_block_slot *slot = slot_of(log, place, start);
    if (slot->block != NULL && log->translated == 0)
        return slot->block;
    struct rp_block *block = rp_alloc(log->calls->arena, 1, sizeof *block);
    if (((log->translated_at ^ start) & PLACE_IN_PAGE) != 0)
        log->translated = 0;
    if (!make_block(log, block, start))
        return NULL;
    log->translated = 0;
    log->used += slot->block == NULL;
    *slot = (struct rp_block_slot){place, block};
    return block;
}

/* ---- lines ---- */

static bool flush(struct rp_execution *log) {
    struct rp_block *block = log->pending;
    log->pending = NULL;
    if (block == NULL)
        return true;
    log->blocks++;
    return rp_calls_block(log->calls, block);
}

/* "Trace 0: 0x7f25d803b8c0 [00800408/00009974/00000010/ff020200] name": the second is the pc. */
static bool take_trace(struct rp_execution *log, const char *line) {
    if (!flush(log))
        return false;
    const char *at = strstr(line, ": ");
    if (at == NULL)
        return fail(log, "a line of it is not understood");
    at += 2;
    uint64_t place = read_hex(&at);
    if (at[0] != ' ' || at[1] != '[')
        return fail(log, "a line of it is not understood");
    at += 2;
    (void)read_hex(&at);
    if (*at++ != '/')
        return fail(log, "a line of it is not understood");
    log->pending = find_block(log, place, (uint32_t)read_hex(&at));
    return log->pending != NULL;
}

/* Executed up to the instruction at that address. */
static bool take_rewound(struct rp_execution *log, uint32_t until) {
    struct rp_block *whole = log->pending;
    if (whole == NULL)
        return true;
    const struct rp_code_part *part = rp_code_part_at(log->calls->scopes, whole->start);
    uint32_t count = 0, at = whole->start;
    while (count < whole->count && at != until && at != 0) {
        at = address_of(part, at, 1);
        count++;
    }
    log->pending = NULL;
    if (at != until)
        return fail(log, "a block is left where it has no instruction");
    if (count == 0)
        return true;
    log->pending = rp_alloc(log->calls->arena, 1, sizeof *log->pending);
    uint32_t before = log->translated;
    log->translated = count;
    bool ok = make_block(log, log->pending, whole->start);
    log->translated = before;
    return ok;
}

static bool take_line(struct rp_execution *log, const char *line) {
    static const char instruction[] = " ---- ";
    static const char stopped[] = "Stopped execution of TB chain before ";
    static const char rewound[] = "cpu_io_recompile: rewound execution of TB to ";
    if (line[0] == 'T' && strncmp(line, "Trace ", 6) == 0)
        return take_trace(log, line);
    if (strncmp(line, instruction, sizeof instruction - 1) == 0) {
        const char *at = line + sizeof instruction - 1;
        if (log->translated++ == 0)
            log->translated_at = (uint32_t)read_hex(&at);
    } else if (strcmp(line, "OP:") == 0)
        log->translated = 0;
    else if (strncmp(line, stopped, sizeof stopped - 1) == 0)
        log->pending = NULL;
    else if (strncmp(line, rewound, sizeof rewound - 1) == 0) {
        const char *at = line + sizeof rewound - 1;
        return take_rewound(log, (uint32_t)read_hex(&at));
    }
    return true;
}

/* Lines are looked at where they are, but for the one that a piece ends in. */
bool rp_execution_take(struct rp_execution *log, const char *bytes, size_t size) {
    const char *end = bytes + size;
    bool ok = log->wrong == NULL;
    log->bytes += size;
    while (ok && bytes != end) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t len = (size_t)((stop != NULL ? stop : end) - bytes);
        size_t room = RP_EXECUTION_LINE_MAX - 1 - log->line_len;
        memcpy(log->line + log->line_len, bytes, len < room ? len : room);
        log->line_len += len < room ? len : room;
        bytes += len + (stop != NULL);
        if (stop == NULL)
            break;
        log->line[log->line_len] = '\0';
        log->line_len = 0;
        ok = take_line(log, log->line);
    }
    return ok;
}

bool rp_execution_end(struct rp_execution *log) {
    return log->wrong == NULL && flush(log);
}
