/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/layout and elfpack/culprit on linked files built in memory: the good case
 * word by word, and each way in which a file cannot become an image.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/elf/culprit.h"
#include "elfpack/insn/static_base.h"
#include "elfpack/image/layout.h"
#include "tests/unit/sample.h"

enum { ABS32 = 2, REL32 = 3, THM_CALL = 10, GOT_BREL = 26, MOVT_ABS = 48, TLS_LE32 = 108 };

static const char map_text[] = "Linker script and memory map\n"
                               " .text.entry    0x20000064 0x20 obj/001.o\n"
                               " .data.table    0x80000000 0x10 /lib/libx.a(table.o)\n";

static bool make(struct unit *u, const struct sample *s, struct rp_layout *layout) {
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &u->arena, map_text);
    return rp_layout_make(
        layout, &u->arena,
        &(struct rp_linked){.elf = &s->elf, .map = &map, .format = &rp_format_cortex_m}, &u->err);
}

static void assert_fixup(const struct rp_fixup *fixup, uint32_t where, uint32_t target) {
    assert_int_equal(fixup->where, where);
    assert_int_equal(fixup->target, target);
}

static void lays_out_the_sample(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    ACCEPTED(u, make(u, &s, &l));
    assert_int_equal(l.parts.header.flags, SAMPLE_FLAGS);
    assert_int_equal(l.parts.header.entries[RELOC_ENTRY_RUN], 0x20000065);
    assert_int_equal(l.parts.header.entries[RELOC_ENTRY_CTX], 0x80000010);
    assert_int_equal(l.tables.fixups_at, 0x8C);
    assert_int_equal(l.parts.bounds.ro_size, 0x90 + 3 * 8);
    assert_int_equal(l.parts.bounds.data_end, 0x48);
    assert_int_equal(l.parts.bounds.got_start, 0x48);
    assert_int_equal(l.parts.bounds.got_end, 0x58);
    assert_int_equal(l.parts.bounds.bss_start, 0x58);
    assert_int_equal(l.parts.bounds.bss_end, 0x72);
    assert_int_equal(l.parts.bounds.weights_size, 40);
    assert_int_equal(l.parts.bounds.acts_size, 64);
    assert_int_equal(l.words.got_used, 3);
    assert_int_equal(rp_parts_ram_xip(&l.parts), 0x74);
    assert_int_equal(rp_parts_ram_copy(&l.parts), 0x74 + 0xA8);
    assert_int_equal(l.culprits.count, 0);
    sample_free(&s);
}

/* Sorted and unique, without the weak word, the entry vector and debug information. */
static void lists_words_to_rebase_and_to_set(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    ACCEPTED(u, make(u, &s, &l));
    assert_int_equal(l.words.rel.count, 3);
    assert_int_equal(l.words.rel.items[0], 0x80000000);
    assert_int_equal(l.words.rel.items[1], 0x8000000C);
    assert_int_equal(l.words.rel.items[2], 0x80000024);
    assert_int_equal(l.words.fixups.count, 3);
    assert_fixup(&l.words.fixups.items[0], 0x80000004, 0x40000008);
    assert_fixup(&l.words.fixups.items[1], 0x80000008, 0xA0000010);
    assert_fixup(&l.words.fixups.items[2], 0x8000004C, 0x40000000);
    assert_int_equal(l.words.nulled.count, 0);
    sample_free(&s);
}

static void counts_types(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    static const struct rp_type_count want[] = {{"R_ARM_ABS32", 0, 6},
                                                {"R_ARM_GOT_BREL", 4, 0},
                                                {"R_ARM_REL32", 1, 0},
                                                {"R_ARM_THM_CALL", 1, 0}};
    sample_make(&s);
    ACCEPTED(u, make(u, &s, &l));
    assert_int_equal(l.by_type.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(l.by_type.items[i].type, want[i].type);
        assert_int_equal(l.by_type.items[i].flash, want[i].flash);
        assert_int_equal(l.by_type.items[i].ram, want[i].ram);
    }
    sample_free(&s);
}

static void leaves_words_to_the_vendors_runtime(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    const struct rp_linked linked = {.elf = &s.elf,
                                     .map = &(struct rp_linkmap){0},
                                     .format = &rp_format_cortex_m,
                                     .weights_by_call = true};
    sample_make(&s);
    ACCEPTED(u, rp_layout_make(&l, &u->arena, &linked, &u->err));
    assert_int_equal(l.words.fixups.count, 0);
    assert_int_equal(l.words.nulled.count, 3);
    assert_fixup(&l.words.nulled.items[2], 0x8000004C, 0x40000000);
    assert_int_equal(l.parts.bounds.ro_size, 0x90);
    s.symbols[Y_FIXUPS].name = "other"; /* no boot code is needed then */
    ACCEPTED(u, rp_layout_make(&l, &u->arena, &linked, &u->err));
    assert_int_equal(l.tables.fixups_at, 0);
    sample_free(&s);
}

/* Without weights, activations, bss: the parts are optional, and so is the boot code. */
static void does_without_optional_parts(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    s.sections[S_BSS].size = s.sections[S_WEIGHTS].size = s.sections[S_ACTS].size = 0;
    s.symbols[Y_FIXUPS].name = "other";
    for (size_t i = 0; i < s.elf.reloc_count; i++) /* w and a become the table */
        if (s.relocs[i].symbol == Y_W || s.relocs[i].symbol == Y_A)
            s.relocs[i].symbol = Y_TABLE;
    unit_put32(s.data + 4, 0x80000004);
    unit_put32(s.data + 8, 0x80000058); /* one past the end of RAM is an address, too */
    unit_put32(s.data + SAMPLE_GOT + 4, 0x80000000);
    ACCEPTED(u, make(u, &s, &l));
    assert_int_equal(l.words.fixups.count, 0);
    assert_int_equal(l.words.rel.count, 5);
    assert_int_equal(l.parts.bounds.bss_end, 0x58);
    assert_int_equal(l.parts.bounds.weights_size + l.parts.bounds.acts_size, 0);
    sample_free(&s);
}

static void refuses_sections_without_a_place(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *name;
        enum rp_error_id id;
    } cases[] = {{".mystery", RP_E_ORPHAN},
                 {".text", RP_E_ORPHAN},
                 {".ARM.exidx", RP_E_ORPHAN},
                 {".init_array", RP_E_INIT_ARRAY},
                 {".tdata", RP_E_TLS}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        sample_section(&s, cases[i].name, SHF_ALLOC);
        REFUSED(u, make(u, &s, &l), cases[i].id, "12 bytes");
        s.sections[S_EXTRA].flags = 0; /* not loaded: no matter */
        ACCEPTED(u, make(u, &s, &l));
        sample_free(&s);
    }
}

static void refuses_missing_or_misplaced_sections(void **state) {
    struct unit *u = *state;
    struct rp_layout l;
    struct sample s;
    for (unsigned i = S_FLASH; i <= S_RAM; i++) {
        sample_make(&s);
        s.sections[i].size = 0;
        REFUSED(u, make(u, &s, &l), RP_E_ELF, s.sections[i].name);
        sample_free(&s);
        sample_make(&s);
        s.sections[i].contents = NULL;
        REFUSED(u, make(u, &s, &l), RP_E_ELF, "missing or damaged");
        s.sections[i].type = SHT_NOBITS; /* has no bytes that could be in the file */
        REFUSED(u, make(u, &s, &l), RP_E_ELF, "missing or damaged");
        sample_free(&s);
    }
    sample_make(&s);
    s.sections[S_WEIGHTS].contents = NULL;
    REFUSED(u, make(u, &s, &l), RP_E_ELF, ".weights");
    sample_free(&s);
}

static void refuses_parts_that_are_too_large(void **state) {
    struct unit *u = *state;
    static const unsigned parts[] = {S_FLASH, S_RAM, S_BSS, S_WEIGHTS, S_ACTS};
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        s.sections[parts[i]].size = 0x10000000;
        REFUSED(u, make(u, &s, &l), RP_E_TOO_LARGE, "256 MiB");
        sample_free(&s);
        sample_make(&s);
        s.sections[parts[i]].addr ^= 0x10000000; /* in no segment */
        REFUSED(u, make(u, &s, &l), RP_E_TOO_LARGE, s.sections[parts[i]].name);
        sample_free(&s);
    }
}

static void refuses_a_misplaced_got(void **state) {
    struct unit *u = *state;
    /* symbol, addend */
    static const struct {
        unsigned symbol;
        uint32_t by;
    } cases[] = {{Y_DATA_END, 4},  {Y_GOT_START, (uint32_t)-4}, {Y_GOT_START, 0x14},
                 {Y_GOT_START, 2}, {Y_GOT_END, (uint32_t)-4},   {Y_GOT_END, 4}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        s.symbols[cases[i].symbol].value += cases[i].by;
        REFUSED(u, make(u, &s, &l), RP_E_GOT_LAYOUT, "is not the end of .data");
        s.symbols[cases[i].symbol].value = 0x20000048;
        REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "did not define");
        s.symbols[cases[i].symbol].name = "lost";
        REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "did not define");
        sample_free(&s);
    }
}

/* The literal of an instruction has to lead to the GOT word of its symbol. */
static void refuses_got_offsets_that_lead_elsewhere(void **state) {
    struct unit *u = *state;
    static const uint32_t offsets[] = {0x4C, 0x44, 0x58, 0x49, 0, 0x80000048, UINT32_MAX};
    for (size_t i = 0; i < COUNT(offsets); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        unit_put32(s.flash + 0x74, offsets[i]);
        REFUSED(u, make(u, &s, &l), RP_E_GOT_LAYOUT, "and not to 'table'");
        sample_free(&s);
    }
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    unit_put32(s.data + SAMPLE_GOT + 8, 0x20000064); /* without the Thumb bit */
    REFUSED(u, make(u, &s, &l), RP_E_GOT_LAYOUT, "and not to 'entry'");
    sample_free(&s);
}

/* The right bytes, but across two words: no loader would rebase them. */
static void refuses_unaligned_got_offsets(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    unit_put32(s.data + SAMPLE_GOT + 1, 0x20000065);
    unit_put32(s.flash + 0x70, SAMPLE_GOT + 1);
    REFUSED(u, make(u, &s, &l), RP_E_GOT_LAYOUT, "offset 0x49 at 0x20000070");
    sample_free(&s);
}

static void refuses_got_words_without_a_symbol(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    unit_put32(s.data + SAMPLE_GOT + 12, 0x80000004);
    s.elf.relocs[7].symbol = Y_NULL; /* the weak one: now nobody speaks for the word */
    s.elf.relocs[7].type = 0;
    REFUSED(u, make(u, &s, &l), RP_E_GOT_LAYOUT, "no symbol");
    sample_free(&s);
    sample_make(&s);
    unit_put32(s.data + SAMPLE_GOT, 1234);
    s.elf.relocs[4].symbol = Y_NUMBER;
    REFUSED(u, make(u, &s, &l), RP_E_GOT_LAYOUT, "(number), which is not an address");
    sample_free(&s);
}

/* ---- clang's code, which finds its data by distances from r9 ---- */

enum { SBREL32 = 9, MOVW_BREL_NC = 87, MOVT_BREL = 88, MOVW_BREL = 89, ARM_MOVW_BREL_NC = 84 };
enum { AT = 0x68 }; /* of the instruction or word, in .flash */

/* MOVW (0xF240) or MOVT (0xF2C0) of a constant, encodings T3 and T1: two half-words. */
static uint32_t move(uint32_t opcode, uint32_t constant) {
    uint32_t first = opcode | (constant >> 11 & 1) << 10 | constant >> 12;
    return first | ((constant >> 8 & 7) << 12 | 3 << 8 | (constant & 0xFF)) << 16;
}

static bool make_clang(struct unit *u, const struct sample *s, enum rp_convention convention,
                       struct rp_layout *layout) {
    struct rp_linkmap map = {0};
    rp_linkmap_parse(&map, &u->arena, map_text);
    return rp_layout_make(
        layout, &u->arena,
        &(struct rp_linked){
            .elf = &s->elf, .map = &map, .format = &rp_format_cortex_m, .convention = convention},
        &u->err);
}

/* One relocation of the word at AT to a symbol of the sample, or to one of 128 KiB (Y_EXTRA). */
static bool make_distance(struct unit *u, uint32_t type, uint32_t symbol, uint32_t word) {
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    s.symbols[sample_symbol(&s, "far", S_BSS, 0x80023458)].size = 0x20000;
    unit_put32(s.flash + AT, word);
    sample_reloc(&s, S_FLASH, 0x20000000 + AT, type, symbol);
    bool ok = make_clang(u, &s, RP_CONV_STATIC_BASE, &l);
    if (ok) { /* the writer takes off what GNU ld puts into a MOVT: the RAM segment's address */
        rp_static_base_apply(&l.words.based, (char *)s.flash);
        assert_int_equal(s.flash[AT], type == MOVT_BREL ? word & 0xF7 : word & 0xFF);
    }
    sample_free(&s);
    return ok;
}

static void follows_distances_from_the_base(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned type, symbol;
        uint32_t word; /* for SBREL32; otherwise the constant of the instruction */
        bool right;
    } cases[] = {
        {MOVW_BREL_NC, Y_BUFFER, 0x58, true},   {MOVW_BREL, Y_BUFFER, 0x58, true},
        {MOVW_BREL_NC, Y_BUFFER, 0x72, true},   {MOVW_BREL_NC, Y_BUFFER, 0x73, false},
        {MOVW_BREL_NC, Y_BUFFER, 0x57, false},  {MOVW_BREL_NC, Y_TABLE, 0, true},
        {MOVW_BREL_NC, Y_TABLE, 0xFFFF, false}, {MOVT_BREL, Y_BUFFER, 0, true},
        {MOVT_BREL, Y_BUFFER, 1, false},        {MOVT_BREL, Y_BUFFER, 0x8000, true},
        {MOVW_BREL_NC, Y_EXTRA, 0x3458, true},  {MOVW_BREL_NC, Y_EXTRA, 0x3457, true},
        {MOVT_BREL, Y_EXTRA, 2, true},          {MOVT_BREL, Y_EXTRA, 4, true},
        {MOVT_BREL, Y_BUFFER, 0x8001, false},   {MOVT_BREL, Y_EXTRA, 0x8002, true},
        {MOVT_BREL, Y_EXTRA, 1, false},         {MOVT_BREL, Y_EXTRA, 5, false},
        {SBREL32, Y_BUFFER, 0x58, true},        {SBREL32, Y_BUFFER, 0x72, true},
        {SBREL32, Y_BUFFER, 0x73, false},       {SBREL32, Y_BUFFER, 0x57, false},
        {SBREL32, Y_BUFFER, 0x80000058, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t opcode = cases[i].type == MOVT_BREL ? 0xF2C0 : 0xF240;
        uint32_t word = cases[i].type == SBREL32 ? cases[i].word : move(opcode, cases[i].word);
        bool ok = make_distance(u, cases[i].type, cases[i].symbol, word);
        if (ok != cases[i].right)
            fail_msg("case %zu: %s", i, ok ? "accepted" : u->err.message);
        if (!ok)
            REFUSED(u, false, RP_E_GOT_LAYOUT, "at 0x20000068 has the distance");
    }
    REFUSED(u, make_distance(u, ARM_MOVW_BREL_NC, Y_BUFFER, 0), RP_E_RELOC_UNKNOWN, "'buffer'");
    REFUSED(u, make_distance(u, MOVW_BREL_NC, Y_W, 0), RP_E_NOT_PIC, "something that is not data");
}

/* Words of code that hold an address are rebased where the code is copied to. */
static void lists_words_in_copied_code(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    unit_put32(s.flash + AT, 0x8000005C);
    sample_reloc(&s, S_FLASH, 0x20000000 + AT, ABS32, Y_BUFFER);
    REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "read-only memory");
    ACCEPTED(u, make_clang(u, &s, RP_CONV_NPU_BASE, &l));
    assert_int_equal(l.words.text_patches, 1);
    assert_int_equal(l.words.rel.count, 4);
    assert_int_equal(l.words.rel.items[0], 0x20000000 + AT);
    unit_put32(s.flash + AT, 0x800000FC);
    REFUSED(u, make_clang(u, &s, RP_CONV_NPU_BASE, &l), RP_E_NOT_PIC, "leads out of the part");
    sample_free(&s);
}

/* The message has every undefined name, with function, section and object that need it. */
static void names_all_undefined_symbols(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    uint32_t one = sample_symbol(&s, "missing_one", SHN_UNDEF, 0);
    uint32_t two = sample_symbol(&s, "missing_two", SHN_UNDEF, 0);
    sample_reloc(&s, S_FLASH, 0x2000006C, THM_CALL, one);
    sample_reloc(&s, S_RAM, 0x80000004, ABS32, two);
    sample_reloc(&s, S_FLASH, 0x2000006E, THM_CALL, one); /* the same again: said once */
    assert_false(make(u, &s, &l));
    CONTAINS(u->err.message, "2 undefined symbol references:");
    CONTAINS(u->err.message, "'missing_one' needed by entry in section .text.entry of obj/001.o");
    CONTAINS(u->err.message, "'missing_two' needed by table in section .data.table of "
                             "libx.a(table.o)");
    assert_non_null(u->err.hint);
    REFUSED(u, false, RP_E_UNDEFINED, "missing_one");
    sample_free(&s);
}

static void refuses_an_undefined_entry(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    s.relocs[0].symbol = sample_symbol(&s, "net_create", SHN_UNDEF, 0);
    REFUSED(u, make(u, &s, &l), RP_E_UNDEFINED, "'net_create' needed by");
    sample_free(&s);
}

/* A relocation that is refused, its error and a phrase of the message. */
static void refuses_each_culprit(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned section, type, symbol;
        uint32_t place;
        enum rp_error_id id;
        const char *part;
    } cases[] = {
        {S_FLASH, TLS_LE32, Y_TABLE, 0x2000006C, RP_E_TLS, "R_ARM_TLS_LE32 to table"},
        {S_FLASH, 57, Y_TABLE, 0x2000006C, RP_E_RELOC_UNKNOWN, "(type 57)"},
        {S_FLASH, 255, Y_TABLE, 0x2000006C, RP_E_RELOC_UNKNOWN, "(type 255)"},
        {S_FLASH, ABS32, Y_TABLE, 0x2000006C, RP_E_NOT_PIC,
         "read-only memory, R_ARM_ABS32 to table"},
        {S_FLASH, ABS32, Y_ENTRY, 0x20000064, RP_E_NOT_PIC, "entry in section .text.entry"},
        {S_FLASH, MOVT_ABS, Y_W, 0x2000006C, RP_E_NOT_PIC, "R_ARM_THM_MOVT_ABS to w"},
        {S_FLASH, REL32, Y_TABLE, 0x2000006C, RP_E_NOT_PIC, "move apart"},
        {S_FLASH, REL32, Y_W, 0x2000006C, RP_E_NOT_PIC, "move apart"},
        {S_FLASH, THM_CALL, Y_NUMBER, 0x2000006C, RP_E_NOT_PIC, "fixed address"},
        {S_WEIGHTS, ABS32, Y_TABLE, 0x40000000, RP_E_NOT_PIC, "absolute address in the weights"},
        {S_RAM, REL32, Y_ENTRY, 0x80000000, RP_E_NOT_PIC, "move apart"},
        {S_FLASH, 96, Y_TABLE, 0x2000006C, RP_E_NOT_PIC, "distance from code to the GOT"},
        {S_FLASH, 9, Y_TABLE, 0x2000006C, RP_E_NOT_PIC, "another static base"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        sample_reloc(&s, cases[i].section, cases[i].place, cases[i].type, cases[i].symbol);
        REFUSED(u, make(u, &s, &l), cases[i].id, cases[i].part);
        assert_int_equal(l.culprits.count, 1);
        sample_free(&s);
    }
}

/* The gravest culprit decides: undefined, thread-local, unknown, not position-independent. */
static void reports_the_gravest(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    sample_reloc(&s, S_FLASH, 0x2000006C, ABS32, Y_TABLE);
    REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "");
    sample_reloc(&s, S_FLASH, 0x2000006C, 57, Y_TABLE);
    REFUSED(u, make(u, &s, &l), RP_E_RELOC_UNKNOWN, "");
    sample_reloc(&s, S_FLASH, 0x2000006C, TLS_LE32, Y_TABLE);
    REFUSED(u, make(u, &s, &l), RP_E_TLS, "");
    sample_reloc(&s, S_FLASH, 0x2000006C, THM_CALL, sample_symbol(&s, "gone", SHN_UNDEF, 0));
    REFUSED(u, make(u, &s, &l), RP_E_UNDEFINED, "1 undefined symbol reference:");
    sample_free(&s);
}

static void refuses_long_branch_stubs(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    uint32_t stub = sample_symbol(&s, "__helper_veneer", S_FLASH, 0x20000081);
    s.symbols[stub].type = STT_FUNC;
    ACCEPTED(u, make(u, &s, &l)); /* it leads to no function */
    sample_symbol(&s, "helper", S_FLASH, 0x20000091);
    REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "long-branch stub of the linker to __helper_veneer");
    sample_free(&s);
}

static void refuses_duplicate_words(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    sample_reloc(&s, S_RAM, 0x8000000C, ABS32, Y_TABLE);
    REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "two relocations for the word at 0x8000000c");
    sample_free(&s);
    sample_make(&s);
    sample_reloc(&s, S_RAM, 0x80000004, ABS32, Y_W);
    REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "two fix-ups for the word at 0x80000004");
    sample_free(&s);
}

/* Loaders refuse a REL entry that is not aligned, so the packer has to. */
static void refuses_unaligned_pointers(void **state) {
    struct unit *u = *state;
    for (uint32_t by = 1; by < 4; by++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        unit_put32(s.data + 0x2C + by, 0x20000084);
        sample_reloc(&s, S_RAM, 0x8000002C + by, ABS32, Y_NAME);
        REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "not 4-aligned");
        unit_put32(s.data + 0x2C + by, 0x40000000);
        s.relocs[SAMPLE_RELOCS].symbol = Y_W;
        REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "not 4-aligned");
        sample_free(&s);
    }
}

/* A word that the loader rebases has to stay in its part and to lie where words can be. */
static void refuses_words_that_lead_elsewhere(void **state) {
    struct unit *u = *state;
    static const uint32_t words[] = {0, 1, 0x200000A9, 0x80000073, 0x40000000, 0x50000000};
    for (size_t i = 0; i < COUNT(words); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        unit_put32(s.data + 0x0C, words[i]);
        REFUSED(u, make(u, &s, &l), RP_E_NOT_PIC, "leads out of the part");
        sample_free(&s);
    }
    static const uint32_t places[] = {0x80000048, 0x80000054, 0x80000058,
                                      0x80000060, 0x8FFFFFFC, 0};
    for (size_t i = 0; i < COUNT(places); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        sample_reloc(&s, S_RAM, places[i], ABS32, Y_TABLE);
        REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "cannot hold the address");
        sample_free(&s);
    }
}

static void refuses_bad_vectors(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned word;
        uint32_t value;
    } cases[] = {{13, 0},          {13, 0x20000064}, {14, 0x20000063},
                 {20, 0x20000091}, {23, 0x80000065}, {24, 0x20000065},
                 {24, 0x80000011}, {24, 0x80000018}, {24, 0x8FFFFFFC}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sample s;
        struct rp_layout l;
        sample_make(&s);
        unit_put32(s.flash + 4 * cases[i].word, cases[i].value);
        REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "of the entry vector");
        sample_free(&s);
    }
}

static void refuses_fixups_without_a_table(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    s.symbols[Y_FIXUPS].name = "other";
    REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "no boot code to set 3 words");
    s.symbols[Y_FIXUPS].name = "_rp_fixups";
    s.symbols[Y_FIXUPS].value -= 4;
    REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "not at the end of .flash");
    sample_free(&s);
}

static void refuses_overlapping_bss(void **state) {
    struct unit *u = *state;
    struct sample s;
    struct rp_layout l;
    sample_make(&s);
    s.sections[S_BSS].addr -= 4;
    REFUSED(u, make(u, &s, &l), RP_E_INTERNAL, "overlap");
    s.sections[S_BSS].addr += 12; /* a gap before it counts as bss */
    s.symbols[Y_BUFFER].value += 8;
    ACCEPTED(u, make(u, &s, &l));
    assert_int_equal(l.parts.bounds.bss_start, 0x58);
    assert_int_equal(l.parts.bounds.bss_end, 0x7A);
    sample_free(&s);
}

static void finds_the_holder(void **state) {
    struct sample s;
    (void)state;
    sample_make(&s);
    assert_ptr_equal(rp_elf_symbol_at(&s.elf, 0x20000064), &s.symbols[Y_ENTRY]);
    assert_ptr_equal(rp_elf_symbol_at(&s.elf, 0x20000083), &s.symbols[Y_ENTRY]);
    assert_ptr_equal(rp_elf_symbol_at(&s.elf, 0x20000084), &s.symbols[Y_NAME]);
    assert_ptr_equal(rp_elf_symbol_at(&s.elf, 0x8000000F), &s.symbols[Y_TABLE]);
    assert_null(rp_elf_symbol_at(&s.elf, 0x20000063));
    sample_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(lays_out_the_sample),
        UNIT(lists_words_to_rebase_and_to_set),
        UNIT(counts_types),
        UNIT(leaves_words_to_the_vendors_runtime),
        UNIT(does_without_optional_parts),
        UNIT(refuses_sections_without_a_place),
        UNIT(refuses_missing_or_misplaced_sections),
        UNIT(refuses_parts_that_are_too_large),
        UNIT(refuses_a_misplaced_got),
        UNIT(refuses_got_offsets_that_lead_elsewhere),
        UNIT(refuses_unaligned_got_offsets),
        UNIT(refuses_got_words_without_a_symbol),
        UNIT(follows_distances_from_the_base),
        UNIT(lists_words_in_copied_code),
        UNIT(names_all_undefined_symbols),
        UNIT(refuses_an_undefined_entry),
        UNIT(refuses_each_culprit),
        UNIT(reports_the_gravest),
        UNIT(refuses_long_branch_stubs),
        UNIT(refuses_duplicate_words),
        UNIT(refuses_unaligned_pointers),
        UNIT(refuses_words_that_lead_elsewhere),
        UNIT(refuses_bad_vectors),
        UNIT(refuses_fixups_without_a_table),
        UNIT(refuses_overlapping_bss),
        UNIT(finds_the_holder),
    };
    return RUN(tests);
}
