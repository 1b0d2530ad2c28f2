/* SPDX-License-Identifier: Apache-2.0 */
/* Makes code take the address of the GOT from r9: see got_base.h. */
#include "elfpack/insn/got_base.h"

#include <elf.h>

#include "base/buf.h"
#include "base/file.h"
#include "elfpack/elf/elf.h"
#include "elfpack/insn/insn.h"

/* Armv7-M ARM, A7.7.4 ADD (register) T2 with Rm = pc; A7.7.77 MOV (register) T1 with Rm = r9. */
enum { ADD_PC = 0x4478, MOV_R9 = 0x4648, DESTINATION = 0x87, TO_R9 = 0x81 };

struct object {
    struct rp_arena *arena;
    const struct rp_elf *elf;
    struct rp_edits edits;
};

/* Adds an edit of some bytes at an offset in the file. */
static void put(struct object *object, uint64_t offset, uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        *RP_PUSH(object->arena, &object->edits) =
            (struct rp_edit){offset + i, (uint8_t)(value >> 8 * i)};
}

/* The first stretch of code at or after `from` in the section; false: there is none. */
static bool next_code(const struct object *object, const struct rp_section *code, uint32_t from,
                      uint32_t *start, uint32_t *end) {
    *start = *end = code->size;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < object->elf->symbol_count; i++) {
            const struct rp_symbol *symbol = &object->elf->symbols[i];
            uint32_t value = symbol->value;
            bool mapping = symbol->name[0] == '$' && symbol->type == STT_NOTYPE &&
                           rp_symbol_section(object->elf, symbol) == code;
            if (mapping && pass == 0 && symbol->name[1] == 't' && value >= from && value < *start)
                *start = value;
            if (mapping && pass == 1 && symbol->name[1] != 't' && value > *start && value < *end)
                *end = value;
        }
    return *start < code->size;
}

struct place {
    uint32_t literal, add; /* offsets in the section */
    unsigned reg;          /* destination of the ADD */
    uint32_t load;         /* the instruction that reads the literal, and its size; 0: none yet */
    unsigned load_size;
};

/*
 * Does the instruction, which may read the literal or lie between that and the ADD, fit the
 * pattern?
 */
static bool fits(struct place *place, const struct rp_insn *insn, uint32_t at) {
    bool near = insn->kind == RP_INSN_NEAR || insn->kind == RP_INSN_LITERAL ||
                insn->kind == RP_INSN_ADDRESS;
    bool list = insn->kind == RP_INSN_LOAD_LIST || insn->kind == RP_INSN_STORE_LIST;
    bool pair = insn->kind == RP_INSN_LOAD_PAIR && insn->n == 15; /* LDRD relative to pc */
    uint32_t target = pair ? ((at + 4) & ~3u) + (uint32_t)insn->imm : insn->target;
    uint32_t bytes = insn->kind == RP_INSN_NEAR || pair ? 8 : 4;
    if ((near || pair) && (place->literal - target < bytes || target - place->literal < 4)) {
        bool good = insn->kind == RP_INSN_LITERAL && insn->target == place->literal &&
                    insn->d == place->reg && place->load_size == 0 && at < place->add;
        place->load = at;
        place->load_size = insn->size;
        return good;
    }
    bool between = place->load_size != 0 && at > place->load && at < place->add;
    bool uses =
        ((insn->reads | insn->writes) >> place->reg & 1) != 0 || (list && insn->n == place->reg);
    return !between || !uses;
}

/*
 * Is the literal read once, before the ADD and into its register, which nothing touches in between?
 * A second reader would find 0 there.
 */
static bool is_of_gcc(const struct object *object, const struct rp_section *code,
                      struct place *place) {
    uint32_t start, end = 0;
    while (next_code(object, code, end, &start, &end))
        for (uint32_t at = start; at < end;) {
            struct rp_insn insn = rp_insn_read(code->contents + at, end - at, at);
            if (insn.size == 0 || !fits(place, &insn, at))
                return false;
            at += insn.size;
        }
    return place->load_size != 0;
}

/*
 * Edits one place. entry: offset of the relocation in the file. The literal holds the distance from
 * the instruction + 4 to itself; it becomes 0. If the register is r9 itself, loading the literal
 * would destroy its value, so that instruction becomes NOP.W.
 */
static bool take(struct object *object, const struct rp_section *code, uint32_t literal,
                 uint64_t entry) {
    bool inside = literal <= code->size && code->size - literal >= 4 && code->contents != NULL;
    uint32_t at = inside ? literal - rp_get_le32(code->contents + literal) - 4 : 0;
    inside = inside && at <= code->size && code->size - at >= 2;
    uint32_t insn = inside ? (uint32_t)(code->contents[at] | code->contents[at + 1] << 8) : 0;
    uint32_t destination = insn & DESTINATION;
    struct place place = {
        .literal = literal, .add = at, .reg = (destination & 7) | (destination >> 4 & 8)};
    if (insn != (ADD_PC | destination) || !is_of_gcc(object, code, &place))
        return false;
    if (destination == TO_R9 && place.load_size == 4)
        put(object, code->file_offset + place.load, 0x8000F3AF, 4);
    put(object, code->file_offset + at, MOV_R9 | destination, 2);
    put(object, code->file_offset + literal, 0, 4);
    put(object, entry + 4, R_ARM_NONE, 1); /* the lowest byte of r_info */
    return true;
}

bool rp_got_base_take(struct rp_arena *arena, const char *path, const char **other,
                      struct rp_error *err) {
    struct rp_elf elf;
    if (!rp_elf_open(&elf, arena, path, err))
        return false;
    struct object object = {.arena = arena, .elf = &elf};
    *other = NULL;
    for (size_t i = 0; *other == NULL && i < elf.section_count; i++) {
        const struct rp_section *rel = &elf.sections[i];
        if (rel->type != SHT_REL || rel->contents == NULL || rel->info >= elf.section_count ||
            (elf.sections[rel->info].flags & SHF_ALLOC) ==
                0) /* debug information may have one, too */
            continue;
        const struct rp_section *code = &elf.sections[rel->info];
        for (uint32_t at = 0; *other == NULL && rel->size - at >= 8; at += 8) {
            uint32_t literal = rp_get_le32(rel->contents + at);
            if (rel->contents[at + 4] == R_ARM_GOTPC &&
                !take(&object, code, literal, rel->file_offset + at))
                *other = rp_format(arena, "%s+0x%x", code->name, literal);
        }
    }
    rp_elf_close(&elf);
    return *other != NULL || rp_file_edit(arena, path, &object.edits, err);
}
