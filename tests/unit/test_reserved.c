/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/reserved: names read from a script and an object, and who may not use them.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/elf/reserved.h"
#include "tests/unit/elf_builder.h"

static const char SCRIPT[] = "SECTIONS\n{\n    .flash 0x20000000 :\n    {\n"
                             "        KEEP(*(.rp_vector))\n"
                             "        KEEP(*(.wild.*))\n"
                             "        KEEP(*(.two .names))\n"
                             "        *(.text)\n"
                             "        . = 52; /* KEEP */\n"
                             "        script_end = .;\n"
                             "        PROVIDE(provided = .);\n"
                             "    }\n}\n";

static void reads_scripts(void **state) {
    struct unit *u = *state;
    struct rp_reserved reserved = {0};
    rp_reserved_add_script(&reserved, &u->arena, SCRIPT);
    assert_int_equal(reserved.sections.count, 1);
    assert_string_equal(reserved.sections.items[0], ".rp_vector");
    assert_int_equal(reserved.symbols.count, 2);
    assert_string_equal(reserved.symbols.items[0], "script_end");
    assert_string_equal(reserved.symbols.items[1], "provided");
}

/* Writes the object of these tests, or an archive with it twice; returns the path. */
static char *write_object(struct unit *u, const char *name, const struct elf_builder *eb,
                          const char *member) {
    struct rp_buf object = {.arena = &u->arena}, out = {.arena = &u->arena};
    eb_write(eb, &object);
    if (member != NULL) {
        ar_begin(&out);
        ar_member(&out, member, object.data, object.len);
    } else {
        rp_buf_append(&out, object.data, object.len);
    }
    char *path = unit_write(u, name, out.data, out.len);
    return path;
}

/* The glue owns rp_entry, _rp_table and a variable in the vector, but not helper and weak. */
static void make_reserved(struct unit *u, struct rp_reserved *reserved) {
    struct elf_builder eb;
    eb_begin(&eb, ET_REL);
    unsigned text = eb_section(&eb, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 8);
    unsigned vector = eb_section(&eb, ".rp_vector", SHT_PROGBITS, SHF_ALLOC, 8);
    eb_symbol(&eb, "rp_entry", STT_FUNC, text, 1);
    eb_symbol(&eb, "_rp_table", STT_OBJECT, text, 4);
    eb_symbol(&eb, "vector", STT_OBJECT, vector, 0);
    eb_symbol(&eb, "helper", STT_FUNC, text, 1);
    eb_symbol(&eb, "rp_wanted", STT_NOTYPE, SHN_UNDEF, 0);
    eb.symbols[eb_symbol(&eb, "rp_local", STT_FUNC, text, 1)].bind = STB_LOCAL;
    eb.symbols[eb_symbol(&eb, "rp_weak", STT_FUNC, text, 1)].bind = STB_WEAK;
    *reserved = (struct rp_reserved){0};
    rp_reserved_add_script(reserved, &u->arena, SCRIPT);
    char *path = write_object(u, "glue.o", &eb, NULL);
    assert_true(rp_reserved_add_object(reserved, &u->arena, path, &u->err));
    assert_true(rp_reserved_add_object(reserved, &u->arena, path, &u->err)); /* no name twice */
}

static void reads_objects(void **state) {
    struct unit *u = *state;
    static const char *const want[] = {"script_end", "provided", "rp_entry", "_rp_table", "vector"};
    struct rp_reserved reserved;
    make_reserved(u, &reserved);
    assert_int_equal(reserved.symbols.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        assert_string_equal(reserved.symbols.items[i], want[i]);
    REFUSED(u, rp_reserved_add_object(&reserved, &u->arena, unit_path(u, "gone.o"), &u->err),
            RP_E_INPUT, "gone.o");
}

static void refuses_symbols(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *name;
        uint8_t bind;
        uint16_t section;
        const char *refused; /* or NULL */
    } cases[] = {
        {"rp_entry", STB_GLOBAL, 1, "defines"},
        {"rp_entry", STB_WEAK, 1, "defines"},
        {"rp_entry", STB_GLOBAL, SHN_COMMON, "defines"},
        {"script_end", STB_GLOBAL, SHN_ABS, "defines"},
        {"_rp_anything", STB_GLOBAL, 1, "defines"}, /* the prefix is reserved */
        {"_GLOBAL_OFFSET_TABLE_", STB_GLOBAL, 1, "defines"},
        {"vector", STB_GLOBAL, 1, "defines"},
        {"rp_entry", STB_GLOBAL, SHN_UNDEF, "refers to"},
        {"rp_entry", STB_LOCAL, 1, NULL},
        {"_GLOBAL_OFFSET_TABLE_", STB_GLOBAL, SHN_UNDEF, NULL},
        {"script_end", STB_GLOBAL, SHN_UNDEF, NULL}, /* labels of pools are such */
        {"rp_mine", STB_GLOBAL, 1, NULL},
        {"rp_mine", STB_GLOBAL, SHN_UNDEF, NULL},
        {"rp_weak", STB_GLOBAL, 1, NULL},
        {"helper", STB_GLOBAL, 1, NULL},
    };
    struct rp_reserved reserved;
    make_reserved(u, &reserved);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct elf_builder eb;
        eb_begin(&eb, ET_REL);
        eb_section(&eb, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 8);
        eb_symbol(&eb, "first", STT_FUNC, 1, 1);
        unsigned at = eb_symbol(&eb, cases[i].name, STT_NOTYPE, cases[i].section, 4);
        eb.symbols[at].bind = cases[i].bind;
        const struct rp_reserved_user user = {.path = write_object(u, "model.o", &eb, NULL),
                                              .shown = "model.c"};
        if (cases[i].refused != NULL)
            REFUSED(u, rp_reserved_check(&reserved, &u->arena, &user, &u->err), RP_E_RESERVED,
                    rp_format(&u->arena, "model.c: it %s the symbol '%s'", cases[i].refused,
                              cases[i].name));
        else
            ACCEPTED(u, rp_reserved_check(&reserved, &u->arena, &user, &u->err));
    }
}

static void refuses_sections(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *name, *allowed;
        uint32_t flags, size;
        bool refused;
    } cases[] = {
        {".rp_vector", NULL, SHF_ALLOC, 4, true},
        {".rp_vector", ".other", SHF_ALLOC, 4, true},
        {".rp_vector", ".rp_vector", SHF_ALLOC, 4, false},
        {".rp_vector", NULL, SHF_ALLOC, 0, false},
        {".rp_vector", NULL, 0, 4, false}, /* not a part of the program */
        {".text", NULL, SHF_ALLOC, 4, false},
    };
    struct rp_reserved reserved;
    make_reserved(u, &reserved);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct elf_builder eb;
        eb_begin(&eb, ET_REL);
        eb_section(&eb, cases[i].name, SHT_PROGBITS, cases[i].flags, cases[i].size);
        const struct rp_reserved_user user = {.path = write_object(u, "lib.a", &eb, "m.o"),
                                              .shown = "lib.a",
                                              .allowed = cases[i].allowed};
        if (cases[i].refused)
            REFUSED(u, rp_reserved_check(&reserved, &u->arena, &user, &u->err), RP_E_RESERVED,
                    "lib.a(m.o): it defines the section '.rp_vector'");
        else
            ACCEPTED(u, rp_reserved_check(&reserved, &u->arena, &user, &u->err));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_scripts),
        UNIT(reads_objects),
        UNIT(refuses_symbols),
        UNIT(refuses_sections),
    };
    return RUN(tests);
}
