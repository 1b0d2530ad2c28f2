/* SPDX-License-Identifier: Apache-2.0 */
/* The address of the GOT, from r9: see got_base.h. */
#include "elfpack/got_base.h"

#include <elf.h>

#include "base/buf.h"
#include "base/file.h"
#include "elfpack/elf.h"
#include "elfpack/insn.h"

/* Armv7-M ARM, A7.7.4 ADD (register) T2 with Rm = pc; A7.7.77 MOV (register) T1 with Rm = r9. */
enum { ADD_PC = 0x4478, MOV_R9 = 0x4648, DESTINATION = 0x87, TO_R9 = 0x81 };

struct object {
    struct rp_arena *arena;
    const struct rp_elf *elf;
    const char *shown;
    struct rp_edits edits;
};

static void put(struct object *object, uint64_t offset, uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        *RP_PUSH(object->arena, &object->edits) =
            (struct rp_edit){offset + i, (uint8_t)(value >> 8 * i)};
}

/* Where the code that goes on at `at` begins, behind data or at the section's start. */
static uint32_t code_start(const struct object *object, const struct rp_section *code,
                           uint32_t at) {
    uint32_t start = 0;
    for (size_t i = 0; i < object->elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &object->elf->symbols[i];
        if (symbol->name[0] == '$' && symbol->name[1] == 't' && symbol->value <= at &&
            symbol->value > start && rp_symbol_section(object->elf, symbol) == code)
            start = symbol->value;
    }
    return start;
}

/*
 * When r9 itself is the register, loading the literal would lose what is in it: that becomes NOP.W.
 * If the load is not found, the check of the linked file shows what is lost.
 */
static void keep_r9(struct object *object, const struct rp_section *code, uint32_t at,
                    uint32_t literal) {
    struct rp_insn insn;
    for (uint32_t load = code_start(object, code, at); load < at; load += insn.size) {
        insn = rp_insn_read(code->contents + load, code->size - load, load);
        if (insn.size == 0)
            return;
        if (insn.kind == RP_INSN_LITERAL && insn.d == 9 && insn.size == 4 && insn.target == literal)
            put(object, code->file_offset + load, 0x8000F3AF, 4);
    }
}

/*
 * entry: offset in the file of the relocation; its literal holds the distance from itself to the
 * instruction, counted from 4 behind it. The literal becomes 0.
 */
static bool take(struct object *object, const struct rp_section *code, uint32_t literal,
                 uint64_t entry, struct rp_error *err) {
    bool inside = literal <= code->size && code->size - literal >= 4 && code->contents != NULL;
    uint32_t at = inside ? literal - rp_get_le32(code->contents + literal) - 4 : 0;
    inside = inside && at <= code->size && code->size - at >= 2;
    uint32_t insn = inside ? (uint32_t)(code->contents[at] | code->contents[at + 1] << 8) : 0;
    uint32_t destination = insn & DESTINATION;
    if (insn != (ADD_PC | destination))
        return rp_fail(err, RP_E_NOT_PIC,
                       "'%s': the address of the GOT at %s+0x%x is not computed as gcc does it",
                       object->shown, code->name, literal);
    if (destination == TO_R9)
        keep_r9(object, code, at, literal);
    put(object, code->file_offset + at, MOV_R9 | destination, 2);
    put(object, code->file_offset + literal, 0, 4);
    put(object, entry + 4, R_ARM_NONE, 1); /* the lowest byte of r_info */
    return true;
}

bool rp_got_base_take(struct rp_arena *arena, const char *path, const char *shown,
                      struct rp_error *err) {
    struct rp_elf elf;
    if (!rp_elf_open(&elf, arena, path, err))
        return false;
    struct object object = {.arena = arena, .elf = &elf, .shown = shown};
    bool ok = true;
    for (size_t i = 0; ok && i < elf.section_count; i++) {
        const struct rp_section *rel = &elf.sections[i];
        if (rel->type != SHT_REL || rel->contents == NULL || rel->info >= elf.section_count ||
            (elf.sections[rel->info].flags & SHF_ALLOC) == 0) /* debug information may name it */
            continue;
        for (uint32_t at = 0; ok && rel->size - at >= 8; at += 8)
            if (rel->contents[at + 4] == R_ARM_GOTPC)
                ok = take(&object, &elf.sections[rel->info], rp_get_le32(rel->contents + at),
                          rel->file_offset + at, err);
    }
    rp_elf_close(&elf);
    return ok && rp_file_edit(arena, path, &object.edits, err);
}
