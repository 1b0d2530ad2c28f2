/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/scan on objects and archives written byte by byte. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/elf/scan.h"
#include "runtime/format/reloc_format.h"
#include "tests/unit/elf_builder.h"

enum { RO = SHF_ALLOC, RX = SHF_ALLOC | SHF_EXECINSTR, RW = SHF_ALLOC | SHF_WRITE };

static char *write_elf(struct unit *u, const char *name, const struct elf_builder *eb) {
    struct rp_buf out = {.arena = &u->arena};
    eb_write(eb, &out);
    char *path = unit_write(u, name, out.data, out.len);
    return path;
}

static char *write_archive(struct unit *u, const char *name, const char *member,
                           const struct elf_builder *eb) {
    struct rp_buf object = {.arena = &u->arena}, out = {.arena = &u->arena};
    eb_write(eb, &object);
    ar_begin(&out);
    ar_member(&out, member, object.data, object.len);
    char *path = unit_write(u, name, out.data, out.len);
    return path;
}

static void sections_of_many_kinds(struct elf_builder *eb) {
    eb_begin(eb, ET_REL);
    eb_section(eb, ".rodata.big", SHT_PROGBITS, RO, 256);
    eb_section(eb, ".rodata.small", SHT_PROGBITS, RO, 255);
    eb_section(eb, ".rodata", SHT_PROGBITS, RO, 512); /* not of one object */
    eb_section(eb, ".rodata.str", SHT_PROGBITS, RO | SHF_MERGE | SHF_STRINGS, 512);
    unsigned pointers = eb_section(eb, ".rodata.pointers", SHT_PROGBITS, RO, 512);
    eb_section(eb, ".text.big", SHT_PROGBITS, RX, 512);
    eb_section(eb, ".data.big", SHT_PROGBITS, RW, 512);
    eb_section(eb, ".bss.big", SHT_NOBITS, RW, 1024);
    eb_section(eb, ".bss.small", SHT_NOBITS, RW, 1023);
    eb_section(eb, ".bss", SHT_NOBITS, RW, 4096);
    eb_section(eb, ".debug_x", SHT_PROGBITS, 0, 4096);
    eb->sections[1].align = 16;
    eb_reloc(eb, pointers, 0, 3, eb_symbol(eb, "f", STT_FUNC, 6, 1));
}

/* An author's name counts for nothing: the flags and the contents of the section do. */
static void takes_authored_sections(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_scan scan = {0};
    struct rp_scan_options options = {
        .large = true, .weights_threshold = 256, .acts_threshold = 256};
    eb_begin(&eb, ET_REL);
    unsigned flash = eb_section(&eb, ".ExternalFlashSection", SHT_PROGBITS, RO, 256);
    eb_section(&eb, ".sdram", SHT_NOBITS, RW, 256);
    eb_section(&eb, "itcm", SHT_PROGBITS, RX, 256);
    eb_section(&eb, ".plt", SHT_PROGBITS, RO, 256);
    eb_section(&eb, ".odd*", SHT_PROGBITS, RO, 256);
    eb_section(&eb, ".linked", SHT_PROGBITS, RO | SHF_LINK_ORDER, 256);
    eb_symbol(&eb, "a", STT_OBJECT, flash, 1);
    eb.symbols[eb.symbol_count - 1].size = 100;
    ACCEPTED(u, rp_scan_file(&scan, &u->arena, write_elf(u, "a.o", &eb), &options, &u->err));
    assert_int_equal(scan.large.count, 2);
    assert_string_equal(scan.large.items[0].section, ".ExternalFlashSection");
    assert_string_equal(scan.large.items[1].section, ".sdram");
    assert_true(scan.large.items[1].zero);
    assert_int_equal(scan.authored.names.count, 2);
    assert_true(scan.authored.names.items[0].constants);
    assert_true(scan.authored.names.items[1].zeros);
    assert_true(rp_authored_is_placed(&scan.authored, ".sdram"));
    assert_false(rp_authored_is_placed(&scan.authored, ".plt"));
}

static void finds_large_arrays(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_scan scan = {0};
    struct rp_scan_options options = {
        .large = true, .weights_threshold = 256, .acts_threshold = 1024};
    sections_of_many_kinds(&eb);
    char *path = write_elf(u, "a.o", &eb);
    ACCEPTED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err));
    assert_int_equal(scan.members, 1);
    assert_int_equal(scan.large.count, 2);
    const struct rp_large *first = &scan.large.items[0], *second = &scan.large.items[1];
    assert_string_equal(first->section, ".rodata.big");
    assert_string_equal(first->object, path);
    assert_int_equal(first->size, 256);
    assert_int_equal(first->align, 16);
    assert_false(first->zero);
    assert_string_equal(second->section, ".bss.big");
    assert_int_equal(second->size, 1024);
    assert_true(second->zero);
}

static void obeys_thresholds(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    static const struct {
        bool large;
        uint32_t weights, acts;
        size_t count;
    } cases[] = {{false, 1, 1, 0},  {true, 0, 0, 0},    {true, 257, 0, 0},
                 {true, 255, 0, 2}, {true, 0, 1025, 0}, {true, 1, 1, 4}};
    sections_of_many_kinds(&eb);
    char *path = write_elf(u, "a.o", &eb);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_scan scan = {0};
        struct rp_scan_options options = {.large = cases[i].large,
                                          .weights_threshold = cases[i].weights,
                                          .acts_threshold = cases[i].acts};
        ACCEPTED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err));
        assert_int_equal(scan.large.count, cases[i].count);
    }
}

/* Kernels in archives keep their tables: only the model's own objects are searched. */
static void leaves_archives_their_constants(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_scan scan = {0};
    struct rp_scan_options options = {.large = true, .weights_threshold = 1, .acts_threshold = 1};
    sections_of_many_kinds(&eb);
    ACCEPTED(
        u, rp_scan_file(&scan, &u->arena, write_archive(u, "l.a", "m.o", &eb), &options, &u->err));
    assert_int_equal(scan.members, 1);
    assert_int_equal(scan.large.count, 0);
}

static void collects_symbols(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_scan scan = {0};
    struct rp_scan_options options = {0};
    eb_begin(&eb, ET_REL);
    unsigned text = eb_section(&eb, ".text", SHT_PROGBITS, RX, 8);
    eb_symbol(&eb, "defined", STT_FUNC, text, 1);
    eb.symbols[eb_symbol(&eb, "local", STT_FUNC, text, 1)].bind = STB_LOCAL;
    eb_symbol(&eb, "expf", STT_NOTYPE, SHN_UNDEF, 0);
    eb.symbols[eb_symbol(&eb, "maybe", STT_NOTYPE, SHN_UNDEF, 0)].bind = STB_WEAK;
    eb.symbols[eb_symbol(&eb, "weakly", STT_FUNC, text, 1)].bind = STB_WEAK;
    ACCEPTED(u, rp_scan_file(&scan, &u->arena, write_elf(u, "a.o", &eb), &options, &u->err));
    assert_int_equal(scan.wanted.count, 1);
    assert_true(rp_strings_have(&scan.wanted, "expf"));
    assert_int_equal(scan.defined.count, 2);
    assert_true(rp_strings_have(&scan.defined, "defined"));
    assert_true(rp_strings_have(&scan.defined, "weakly"));
    assert_false(rp_strings_have(&scan.defined, "local"));
    scan = (struct rp_scan){0}; /* a member is only taken when it is wanted */
    ACCEPTED(
        u, rp_scan_file(&scan, &u->arena, write_archive(u, "l.a", "m.o", &eb), &options, &u->err));
    assert_int_equal(scan.defined.count, 0);
    assert_int_equal(scan.wanted.count, 1);
}

/*
 * A member without culprits can be used as it is; one with a culprit does not count as a
 * definition.
 */
static void counts_clean_members_as_definitions(void **state) {
    struct unit *u = *state;
    struct rp_scan_options options = {.culprits = true};
    for (int culprit = 0; culprit < 2; culprit++) {
        struct elf_builder eb;
        struct rp_scan scan = {0};
        eb_begin(&eb, ET_REL);
        unsigned text = eb_section(&eb, ".text", SHT_PROGBITS, RX, 8);
        unsigned f = eb_symbol(&eb, "f", STT_FUNC, text, 1);
        eb_reloc(&eb, text, 4, culprit ? 2 : 3, f);
        ACCEPTED(u, rp_scan_file(&scan, &u->arena, write_archive(u, "l.a", "m.o", &eb), &options,
                                 &u->err));
        assert_int_equal(rp_strings_have(&scan.defined, "f"), !culprit);
    }
}

static void refuses_constructors_and_tls(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *name;
        uint32_t flags, size;
        enum rp_error_id id; /* 0: no error */
    } cases[] = {{".init_array", RW, 4, RP_E_INIT_ARRAY},
                 {".init_array.00100", RW, 4, RP_E_INIT_ARRAY},
                 {".preinit_array", RW, 4, RP_E_INIT_ARRAY},
                 {".fini_array", RW, 4, RP_E_INIT_ARRAY},
                 {".ctors", RW, 4, RP_E_INIT_ARRAY},
                 {".dtors.1", RW, 4, RP_E_INIT_ARRAY},
                 {".tdata", RW | SHF_TLS, 4, RP_E_TLS},
                 {".anything", RW | SHF_TLS, 4, RP_E_TLS},
                 {".init_array", RW, 0, 0},
                 {".init_array", 0, 4, 0},
                 {".data.init_array", RW, 4, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct elf_builder eb;
        struct rp_scan scan = {0};
        struct rp_scan_options options = {0};
        eb_begin(&eb, ET_REL);
        eb_section(&eb, cases[i].name, SHT_PROGBITS, cases[i].flags, cases[i].size);
        char *path = write_archive(u, "l.a", "bad.o", &eb);
        if (cases[i].id == 0) {
            ACCEPTED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err));
            continue;
        }
        REFUSED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err), cases[i].id,
                "l.a(bad.o): section '.");
        options.shown = "model.c";
        REFUSED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err), cases[i].id,
                "model.c(bad.o)");
        options.constructors_ok = true;
        ACCEPTED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err));
    }
}

/* Tag_CPU_arch, profile and Tag_ABI_VFP_args against the part number of the target. */
static void checks_the_abi(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned arch, profile, vfp_args;
        uint32_t cpuid, float_abi;
        const char *refused; /* NULL: accepted */
    } cases[] = {
        {13, 'M', 1, RELOC_CPUID_M4, RELOC_FLOAT_HARD, NULL},
        {13, 'M', 1, RELOC_CPUID_M7, RELOC_FLOAT_HARD, NULL},
        {13, 'M', 1, RELOC_CPUID_M33, RELOC_FLOAT_HARD, NULL},
        {13, 'M', 0, RELOC_CPUID_M3, RELOC_FLOAT_SOFT, "is compiled for Armv"},
        {10, 'M', 0, RELOC_CPUID_M3, RELOC_FLOAT_SOFT, NULL},
        {11, 'M', 0, RELOC_CPUID_M3, RELOC_FLOAT_SOFT, NULL},
        {11, 'M', 0, RELOC_CPUID_M0, RELOC_FLOAT_SOFT, NULL},
        {12, 'M', 0, RELOC_CPUID_M0P, RELOC_FLOAT_SOFT, NULL},
        {8, 'M', 0, RELOC_CPUID_M0, RELOC_FLOAT_SOFT, "is compiled for a classic"},
        {10, 'M', 0, RELOC_CPUID_M0, RELOC_FLOAT_SOFT, "the target is Cortex-M0:"},
        {10, 'M', 0, RELOC_CPUID_M23, RELOC_FLOAT_SOFT, "the target is Cortex-M23:"},
        {16, 'M', 0, RELOC_CPUID_M0P, RELOC_FLOAT_SOFT, "the target is Cortex-M0+:"},
        {11, 'M', 0, RELOC_CPUID_M23, RELOC_FLOAT_SOFT, NULL},
        {16, 'M', 0, RELOC_CPUID_M23, RELOC_FLOAT_SOFT, NULL},
        {17, 'M', 0, RELOC_CPUID_M23, RELOC_FLOAT_SOFT, "is compiled for Armv"},
        {21, 'M', 1, RELOC_CPUID_M85, RELOC_FLOAT_HARD, NULL},
        {21, 'M', 1, RELOC_CPUID_M52, RELOC_FLOAT_HARD, NULL},
        {17, 'M', 1, RELOC_CPUID_M33, RELOC_FLOAT_HARD, NULL},
        {17, 'M', 1, RELOC_CPUID_M7, RELOC_FLOAT_HARD, "is compiled for Armv"},
        {16, 'M', 1, RELOC_CPUID_M55, RELOC_FLOAT_HARD, NULL},
        {21, 'M', 1, RELOC_CPUID_M55, RELOC_FLOAT_HARD, NULL},
        {21, 'M', 1, RELOC_CPUID_M33, RELOC_FLOAT_HARD, "is compiled for Armv"},
        {14, 'A', 1, RELOC_CPUID_M55, RELOC_FLOAT_HARD, "is compiled for Armv"},
        {10, 'A', 1, RELOC_CPUID_M4, RELOC_FLOAT_HARD, "application profile"},
        {10, 'R', 1, RELOC_CPUID_M4, RELOC_FLOAT_HARD, "real-time profile"},
        {13, 'M', 0, RELOC_CPUID_M4, RELOC_FLOAT_HARD, "core registers, but the target in VFP"},
        {10, 'M', 1, RELOC_CPUID_M3, RELOC_FLOAT_SOFT, "VFP registers, but the target in core"},
        {13, 'M', 3, RELOC_CPUID_M4, RELOC_FLOAT_HARD, NULL},
        {13, 'M', 3, RELOC_CPUID_M4, RELOC_FLOAT_SOFT, NULL},
        {99, 'A', 2, 0, RELOC_FLOAT_SOFT, NULL}, /* any core is fine */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t bytes[64];
        struct elf_builder eb;
        struct rp_scan scan = {0};
        struct rp_scan_options options = {.core = rp_core_of_part(cases[i].cpuid),
                                          .float_abi = cases[i].float_abi};
        eb_begin(&eb, ET_REL);
        unsigned fp_arch = cases[i].float_abi == RELOC_FLOAT_SOFT && cases[i].arch != 13 ? 0 : 6;
        size_t size =
            eb_attributes(bytes, cases[i].arch, cases[i].profile, fp_arch, cases[i].vfp_args);
        unsigned at = eb_section(&eb, ".ARM.attributes", SHT_ARM_ATTRIBUTES, 0, (uint32_t)size);
        eb.sections[at].data = bytes;
        char *path = write_elf(u, "a.o", &eb);
        if (cases[i].refused == NULL)
            ACCEPTED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err));
        else
            REFUSED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err), RP_E_ABI_MISMATCH,
                    cases[i].refused);
    }
}

/* Instructions that a core lacks would only fault at run time. */
static void refuses_other_fpus(void **state) {
    struct unit *u = *state;
    const struct {
        unsigned fp_arch; /* 6: VFPv4-D16, 8: FPv5 */
        uint32_t cpuid;
        bool refused;
    } cases[] = {
        {6, RELOC_CPUID_M0, true},   {6, RELOC_CPUID_M23, true}, {8, RELOC_CPUID_M85, false},
        {0, RELOC_CPUID_M3, false},  {6, RELOC_CPUID_M3, true},  {6, RELOC_CPUID_M4, false},
        {8, RELOC_CPUID_M4, true},   {8, RELOC_CPUID_M7, false}, {6, RELOC_CPUID_M7, false},
        {8, RELOC_CPUID_M33, false}, {9, RELOC_CPUID_M55, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t bytes[64];
        struct elf_builder eb;
        struct rp_scan scan = {0};
        struct rp_scan_options options = {.core = rp_core_of_part(cases[i].cpuid),
                                          .float_abi = RELOC_FLOAT_SOFT};
        eb_begin(&eb, ET_REL);
        bool v6 = cases[i].cpuid == RELOC_CPUID_M0 || cases[i].cpuid == RELOC_CPUID_M23;
        size_t size = eb_attributes(bytes, v6 ? 11 : 10, 'M', cases[i].fp_arch, 3);
        unsigned at = eb_section(&eb, ".ARM.attributes", SHT_ARM_ATTRIBUTES, 0, (uint32_t)size);
        eb.sections[at].data = bytes;
        char *path = write_elf(u, "a.o", &eb);
        if (!cases[i].refused)
            ACCEPTED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err));
        else
            REFUSED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err), RP_E_ABI_MISMATCH,
                    "floating-point instructions");
    }
}

static void takes_objects_without_attributes(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_scan scan = {0};
    struct rp_scan_options options = {.core = &rp_cores[RP_CORE_M4], .float_abi = RELOC_FLOAT_HARD};
    eb_begin(&eb, ET_REL);
    ACCEPTED(u, rp_scan_file(&scan, &u->arena, write_elf(u, "a.o", &eb), &options, &u->err));
}

static void assert_culprit(const struct rp_object_culprit *got,
                           const struct rp_object_culprit *want) {
    assert_string_equal(got->section, want->section);
    assert_string_equal(got->symbol, want->symbol);
    assert_string_equal(got->type, want->type);
    assert_string_equal(got->target, want->target);
    assert_string_equal(got->member, want->member);
    assert_int_equal(got->count, want->count);
}

static void collects_what_is_not_position_independent(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_scan scan = {0};
    struct rp_scan_options options = {.culprits = true};
    eb_begin(&eb, ET_REL);
    unsigned text = eb_section(&eb, ".text.f", SHT_PROGBITS, RX, 64);
    unsigned data = eb_section(&eb, ".data.p", SHT_PROGBITS, RW, 8);
    unsigned exidx = eb_section(&eb, ".ARM.exidx.text.f", SHT_ARM_EXIDX, RO, 8);
    unsigned debug = eb_section(&eb, ".debug_info", SHT_PROGBITS, 0, 8);
    unsigned f = eb_symbol(&eb, "f", STT_FUNC, text, 1);
    unsigned g = eb_symbol(&eb, "g", STT_FUNC, text, 33);
    unsigned anchor = eb_symbol(&eb, "", STT_SECTION, data, 0);
    eb.symbols[f].size = eb.symbols[g].size = 32;
    eb_reloc(&eb, text, 28, 2, anchor); /* two literals of f, one of g */
    eb_reloc(&eb, text, 24, 2, anchor);
    eb_reloc(&eb, text, 60, 2, f);
    eb_reloc(&eb, text, 4, 250, f);
    eb_reloc(&eb, text, 8, 10, g);  /* a call: fine */
    eb_reloc(&eb, text, 12, 26, f); /* a GOT offset: fine */
    eb_reloc(&eb, data, 0, 2, f);   /* a pointer in data: fine */
    eb_reloc(&eb, exidx, 0, 2, f);  /* dropped by the link */
    eb_reloc(&eb, debug, 0, 2, f);  /* not loaded */
    ACCEPTED(
        u, rp_scan_file(&scan, &u->arena, write_archive(u, "l.a", "m.o", &eb), &options, &u->err));
    static const struct rp_object_culprit want[] = {
        {"", "m.o", ".text.f", "f", "R_ARM_ABS32", ".data.p", 2},
        {"", "m.o", ".text.f", "g", "R_ARM_ABS32", "f", 1},
        {"", "m.o", ".text.f", "f", "type 250", "f", 1}};
    assert_int_equal(scan.culprits.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        assert_culprit(&scan.culprits.items[i], &want[i]);
}

static void refuses_other_files(void **state) {
    struct unit *u = *state;
    struct rp_scan scan = {0};
    struct rp_scan_options options = {0};
    char *path = unit_text(u, "x.o", "no object");
    REFUSED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err), RP_E_ELF, "x.o");
    REFUSED(u, rp_scan_file(&scan, &u->arena, unit_path(u, "no"), &options, &u->err), RP_E_INPUT,
            "no");
}

/* Names that are looked for, and those of them that a branch leads to. */
static void finds_imports(void **state) {
    struct unit *u = *state;
    struct elf_builder eb;
    struct rp_scan scan = {0};
    struct rp_strings names = {0};
    const struct rp_scan_options options = {.imports = &names};
    eb_begin(&eb, ET_REL);
    unsigned text = eb_section(&eb, ".text.f", SHT_PROGBITS, RX, 64);
    eb_reloc(&eb, text, 0, R_ARM_THM_PC22, eb_symbol(&eb, "called", STT_NOTYPE, SHN_UNDEF, 0));
    eb_reloc(&eb, text, 4, 30, eb_symbol(&eb, "jumped_to", STT_NOTYPE, SHN_UNDEF, 0));
    eb_reloc(&eb, text, 8, 26, eb_symbol(&eb, "value", STT_NOTYPE, SHN_UNDEF, 0));
    eb_reloc(&eb, text, 12, R_ARM_THM_PC22, eb_symbol(&eb, "other", STT_NOTYPE, SHN_UNDEF, 0));
    eb.symbols[eb_symbol(&eb, "weak", STT_NOTYPE, SHN_UNDEF, 0)].bind = STB_WEAK;
    eb_symbol(&eb, "own", STT_FUNC, text, 1);
    static const char *const wanted[] = {"called", "jumped_to", "value", "weak", "own", "absent"};
    for (size_t i = 0; i < COUNT(wanted); i++)
        rp_strings_push(&u->arena, &names, wanted[i]);
    char *path = write_elf(u, "a.o", &eb);
    for (int twice = 0; twice < 2; twice++)
        ACCEPTED(u, rp_scan_file(&scan, &u->arena, path, &options, &u->err));
    assert_int_equal(scan.imported.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(rp_strings_have(&scan.imported, wanted[i]));
    assert_int_equal(scan.called.count, 2);
    assert_true(rp_strings_have(&scan.called, "called"));
    assert_true(rp_strings_have(&scan.called, "jumped_to"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(takes_authored_sections),
        UNIT(finds_large_arrays),
        UNIT(obeys_thresholds),
        UNIT(leaves_archives_their_constants),
        UNIT(collects_symbols),
        UNIT(counts_clean_members_as_definitions),
        UNIT(refuses_constructors_and_tls),
        UNIT(checks_the_abi),
        UNIT(refuses_other_fpus),
        UNIT(takes_objects_without_attributes),
        UNIT(collects_what_is_not_position_independent),
        UNIT(refuses_other_files),
        UNIT(finds_imports),
    };
    return RUN(tests);
}
