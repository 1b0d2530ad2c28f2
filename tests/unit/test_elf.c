/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/elf and elfpack/attributes on files written byte by byte: contents,
 * archives, every strict prefix, every damaged byte, and hostile indices.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/elf/elf.h"
#include "elfpack/elf/attributes.h"
#include "tests/unit/elf_builder.h"

enum { TEXT = 1, DATA = 2, BSS = 3 };

static void sample(struct elf_builder *eb) {
    static const uint8_t text[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    eb_begin(eb, ET_REL);
    eb_section(eb, ".text.f", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 8);
    eb->sections[TEXT].data = text;
    eb_section(eb, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 4);
    eb_section(eb, ".bss.z", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 4096);
    eb->sections[BSS].align = 16;
    unsigned f = eb_symbol(eb, "f", STT_FUNC, TEXT, 1);
    eb->symbols[f].size = 8;
    unsigned g = eb_symbol(eb, "g", STT_NOTYPE, SHN_UNDEF, 0);
    eb_symbol(eb, "number", STT_NOTYPE, SHN_ABS, 42);
    eb_reloc(eb, TEXT, 4, 10, g);
    eb_reloc(eb, DATA, 0, 2, f);
}

static char *write_elf(struct unit *u, const char *name, const struct elf_builder *eb) {
    struct rp_buf out = {.arena = &u->arena};
    eb_write(eb, &out);
    char *path = unit_write(u, name, out.data, out.len);
    return path;
}

static void reads_objects(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_elf elf;
    sample(&eb);
    eb.symbols[1].bind = STB_LOCAL;
    ACCEPTED(u, rp_elf_open(&elf, &u->arena, write_elf(u, "a.o", &eb), &u->err));
    assert_int_equal(elf.type, ET_REL);
    const struct rp_section *text = rp_elf_section(&elf, ".text.f");
    assert_ptr_equal(text, &elf.sections[TEXT]);
    assert_int_equal(text->size, 8);
    assert_int_equal(text->flags, SHF_ALLOC | SHF_EXECINSTR);
    assert_memory_equal(text->contents, "\1\2\3\4\5\6\7\10", 8);
    assert_int_equal(text->file_offset, 52);
    const struct rp_section *bss = rp_elf_section(&elf, ".bss.z");
    assert_int_equal(bss->size, 4096);
    assert_int_equal(bss->align, 16);
    assert_null(bss->contents);
    assert_null(rp_elf_section(&elf, ".none"));
    rp_elf_close(&elf);
    rp_elf_close(&elf);
}

static void reads_symbols_and_relocations(void **state) {
    struct unit *u = *state;
    for (int rela = 0; rela < 2; rela++) {
        struct elf_builder eb;
        struct rp_elf elf;
        sample(&eb);
        eb.rela = rela;
        eb.relocs[0].addend = -4;
        ACCEPTED(u, rp_elf_open(&elf, &u->arena, write_elf(u, "a.o", &eb), &u->err));
        assert_int_equal(elf.symbol_count, 4);
        const struct rp_symbol *f = rp_elf_symbol(&elf, "f");
        assert_int_equal(f->value, 1);
        assert_int_equal(f->size, 8);
        assert_int_equal(f->type, STT_FUNC);
        assert_int_equal(f->bind, STB_GLOBAL);
        assert_ptr_equal(rp_symbol_section(&elf, f), rp_elf_section(&elf, ".text.f"));
        assert_null(rp_elf_symbol(&elf, "g")); /* not defined */
        const struct rp_symbol *number = rp_elf_symbol(&elf, "number");
        assert_int_equal(number->section, RP_SECTION_ABS);
        assert_null(rp_symbol_section(&elf, number));
        assert_int_equal(elf.reloc_count, 2);
        assert_int_equal(elf.relocs[0].place, 4);
        assert_int_equal(elf.relocs[0].type, 10);
        assert_int_equal(elf.relocs[0].section, TEXT);
        assert_string_equal(elf.symbols[elf.relocs[0].symbol].name, "g");
        assert_int_equal(elf.relocs[0].addend, rela ? -4 : 0);
        assert_int_equal(elf.relocs[1].section, DATA);
        rp_elf_close(&elf);
    }
}

static void refuses_other_files(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_elf elf;
    REFUSED(u, rp_elf_open(&elf, &u->arena, unit_path(u, "no"), &u->err), RP_E_INPUT, "/no'");
    char *path = unit_text(u, "text", "int main(void);\n");
    REFUSED(u, rp_elf_open(&elf, &u->arena, path, &u->err), RP_E_ELF, "not an ELF file");
    path = unit_text(u, "empty", "");
    REFUSED(u, rp_elf_open(&elf, &u->arena, path, &u->err), RP_E_ELF, "not an ELF file");
    REFUSED(u, rp_elf_open(&elf, &u->arena, u->dir, &u->err), RP_E_ELF, "ELF");
    sample(&eb);
    eb.machine = EM_386;
    REFUSED(u, rp_elf_open(&elf, &u->arena, write_elf(u, "x86", &eb), &u->err), RP_E_ELF, "Arm");
    sample(&eb);
    eb.type = ET_CORE;
    REFUSED(u, rp_elf_open(&elf, &u->arena, write_elf(u, "core", &eb), &u->err), RP_E_ELF,
            "neither an object nor a linked file");
    sample(&eb);
    eb.data = ELFDATA2MSB;
    assert_false(rp_elf_open(&elf, &u->arena, write_elf(u, "be", &eb), &u->err));
    assert_int_equal(u->err.id, RP_E_ELF);
}

static void refuses_indices_that_lead_nowhere(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_elf elf;
    sample(&eb);
    eb.relocs[0].symbol = 77;
    REFUSED(u, rp_elf_open(&elf, &u->arena, write_elf(u, "a", &eb), &u->err), RP_E_ELF,
            "a relocation refers to a symbol or section");
    sample(&eb);
    eb.symbols[1].section = 99;
    REFUSED(u, rp_elf_open(&elf, &u->arena, write_elf(u, "b", &eb), &u->err), RP_E_ELF,
            "a symbol refers to a section");
}

/* Opens a file and reads everything in it, so that ASan sees a read out of bounds. */
static bool open_and_touch(struct unit *u, const char *path) {
    struct rp_elf elf;
    struct rp_arena arena = {0};
    size_t sum = 0;
    bool ok = rp_elf_open(&elf, &arena, path, &u->err);
    if (ok) {
        for (size_t i = 0; i < elf.section_count; i++) {
            sum += strlen(elf.sections[i].name);
            for (size_t k = 0; elf.sections[i].contents != NULL && k < elf.sections[i].size; k++)
                sum += elf.sections[i].contents[k];
        }
        for (size_t i = 0; i < elf.symbol_count; i++)
            sum += strlen(elf.symbols[i].name);
        for (size_t i = 0; i < elf.reloc_count; i++)
            sum += strlen(elf.symbols[elf.relocs[i].symbol].name) +
                   strlen(elf.sections[elf.relocs[i].section].name);
        struct rp_attributes attributes = rp_attributes_read(&elf);
        assert_true(attributes.cpu_arch >= -1 || sum != 0);
        rp_elf_close(&elf);
    } else {
        assert_int_equal(u->err.id, RP_E_ELF);
        u->err = (struct rp_error){0};
    }
    rp_arena_release(&arena);
    return ok;
}

/* The section headers are at the end, so no strict prefix has them all. */
static void refuses_every_prefix(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_buf out = {.arena = &u->arena};
    sample(&eb);
    eb_write(&eb, &out);
    for (size_t size = 0; size < out.len; size++)
        assert_false(open_and_touch(u, unit_write(u, "cut", out.data, size)));
    assert_true(open_and_touch(u, unit_write(u, "whole", out.data, out.len)));
}

/* Whatever byte is damaged, the file is refused or read within its bounds. */
static void survives_every_damaged_byte(void **state) {
    struct unit *u = *state;
    static const uint8_t changes[] = {0x01, 0x80, 0xFF};
    struct elf_builder eb;
    struct rp_buf out = {.arena = &u->arena};
    uint8_t attributes[64];
    sample(&eb);
    size_t size = eb_attributes(attributes, 13, 'M', 6, 1);
    unsigned at = eb_section(&eb, ".ARM.attributes", SHT_ARM_ATTRIBUTES, 0, (uint32_t)size);
    eb.sections[at].data = attributes;
    eb_write(&eb, &out);
    size_t refused = 0;
    for (size_t i = 0; i < out.len; i++)
        for (size_t k = 0; k < COUNT(changes); k++) {
            out.data[i] = (char)(out.data[i] ^ changes[k]);
            refused += !open_and_touch(u, unit_write(u, "bad", out.data, out.len));
            out.data[i] = (char)(out.data[i] ^ changes[k]);
        }
    assert_true(refused > 16); /* at least what the identification bytes say */
}

struct visits {
    char names[4][16];
    unsigned count;
    unsigned stop_at;
};

static bool visit(const struct rp_elf *elf, void *context, struct rp_error *err) {
    struct visits *visits = context;
    if (visits->count == visits->stop_at)
        return rp_fail(err, RP_E_TLS, "stopped");
    snprintf(visits->names[visits->count++], sizeof visits->names[0], "%s",
             elf->member != NULL ? elf->member : "-");
    assert_non_null(rp_elf_symbol(elf, "f"));
    return true;
}

static void visits_archive_members(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_buf object = {.arena = &u->arena}, archive = {.arena = &u->arena};
    struct visits visits = {.stop_at = 9};
    sample(&eb);
    eb_write(&eb, &object);
    ar_begin(&archive);
    ar_member(&archive, "one.o", object.data, object.len);
    ar_member(&archive, "notes.txt", "odd", 3);
    ar_member(&archive, "two.o", object.data, object.len);
    char *path = unit_write(u, "lib.a", archive.data, archive.len);
    ACCEPTED(u, rp_elf_each(&u->arena, path, visit, &visits, &u->err));
    assert_int_equal(visits.count, 2);
    assert_string_equal(visits.names[0], "one.o");
    assert_string_equal(visits.names[1], "two.o");
    visits = (struct visits){.stop_at = 1};
    REFUSED(u, rp_elf_each(&u->arena, path, visit, &visits, &u->err), RP_E_TLS, "stopped");
    visits = (struct visits){.stop_at = 9};
    path = unit_write(u, "a.o", object.data, object.len);
    ACCEPTED(u, rp_elf_each(&u->arena, path, visit, &visits, &u->err));
    assert_string_equal(visits.names[0], "-");
    path = unit_text(u, "text", "no archive");
    REFUSED(u, rp_elf_each(&u->arena, path, visit, &visits, &u->err), RP_E_ELF, "archive");
}

/* Long names are in a table; they may have slashes, and offsets may lead out of it. */
static void names_members_by_a_table(void **state) {
    static const char table[] = "models/one//a.o/\nmodels/two.o/\nrest";
    static const char *const names[] = {"/0", "/17", "/31", "a/b.o"};
    static const char *const want[] = {"models/one//a.o", "models/two.o", "rest", "a/b.o"};
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_buf object = {.arena = &u->arena}, archive = {.arena = &u->arena};
    struct visits visits = {.stop_at = 9};
    sample(&eb);
    eb_write(&eb, &object);
    ar_begin(&archive);
    ar_member(&archive, "/", table, strlen(table) + 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ar_member(&archive, names[i], object.data, object.len);
    char *path = unit_write(u, "lib.a", archive.data, archive.len);
    ACCEPTED(u, rp_elf_each(&u->arena, path, visit, &visits, &u->err));
    assert_int_equal(visits.count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < visits.count; i++)
        assert_string_equal(visits.names[i], want[i]);
    for (size_t i = 0; i < 2; i++) {
        struct rp_buf bad = {.arena = &u->arena};
        rp_buf_append(&bad, archive.data, archive.len);
        ar_member(&bad, i == 0 ? "/36" : "/99999999999", object.data, object.len);
        path = unit_write(u, "bad.a", bad.data, bad.len);
        REFUSED(u, rp_elf_each(&u->arena, path, visit, &visits, &u->err), RP_E_ELF, "name");
    }
}

/*
 * A damaged member is named; an archive that is cut off in a member is not read as a shorter one.
 */
static void names_damaged_members(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_buf object = {.arena = &u->arena}, archive = {.arena = &u->arena};
    struct visits visits = {.stop_at = 9};
    sample(&eb);
    eb.machine = EM_386;
    eb_write(&eb, &object);
    ar_begin(&archive);
    ar_member(&archive, "x86.o", object.data, object.len);
    char *path = unit_write(u, "lib.a", archive.data, archive.len);
    REFUSED(u, rp_elf_each(&u->arena, path, visit, &visits, &u->err), RP_E_ELF, "lib.a(x86.o): ");
    path = unit_write(u, "cut.a", archive.data, archive.len - object.len / 2);
    assert_false(rp_elf_each(&u->arena, path, visit, &visits, &u->err));
    assert_int_equal(u->err.id, RP_E_ELF);
}

static struct rp_attributes attributes_of(struct unit *u, const uint8_t *bytes, size_t size) {
    uint8_t *exact = unit_exact(bytes, size);
    struct rp_section sections[2] = {
        {.name = ""},
        {.name = ".ARM.attributes", .size = (uint32_t)size, .contents = size != 0 ? exact : NULL}};
    struct rp_elf elf = {.sections = sections, .section_count = 2};
    struct rp_attributes got = rp_attributes_read(&elf);
    (void)u;
    free(exact);
    return got;
}

static void reads_attributes(void **state) {
    struct unit *u = *state;
    uint8_t bytes[64];
    size_t size = eb_attributes(bytes, 21, 'M', 8, 1);
    struct rp_attributes got = attributes_of(u, bytes, size);
    assert_int_equal(got.cpu_arch, 21);
    assert_int_equal(got.cpu_profile, 'M');
    assert_int_equal(got.fp_arch, 8);
    assert_int_equal(got.vfp_args, 1);
    struct rp_elf none = {0};
    got = rp_attributes_read(&none);
    assert_int_equal(got.cpu_arch, -1);
    assert_int_equal(got.vfp_args, -1);
}

/*
 * Cut off anywhere, or with any byte changed, attributes are read within bounds; those of other
 * vendors do not count.
 */
static void bounds_attributes(void **state) {
    struct unit *u = *state;
    uint8_t bytes[64];
    size_t size = eb_attributes(bytes, 13, 'M', 6, 1);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(attributes_of(u, bytes, cut).vfp_args, -1);
    for (size_t i = 0; i < size; i++)
        for (unsigned value = 0; value < 256; value++) {
            uint8_t old = bytes[i];
            bytes[i] = (uint8_t)value;
            assert_true(attributes_of(u, bytes, size).cpu_arch >= -1);
            bytes[i] = old;
        }
    memcpy(bytes + 5, "gnuuu", 5);
    assert_int_equal(attributes_of(u, bytes, size).cpu_arch, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_objects),          UNIT(reads_symbols_and_relocations),
        UNIT(refuses_other_files),    UNIT(refuses_indices_that_lead_nowhere),
        UNIT(refuses_every_prefix),   UNIT(survives_every_damaged_byte),
        UNIT(visits_archive_members), UNIT(names_members_by_a_table),
        UNIT(names_damaged_members),  UNIT(reads_attributes),
        UNIT(bounds_attributes),
    };
    return RUN(tests);
}
