/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/validate: an object, a map and a linked file of it, byte by byte; then each
 * of them spoiled in every way that a linker or a script could.
 */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/validate.h"
#include "tests/unit/elf_builder.h"

enum { GO = 0x10, F = 0x20, STRINGS = 0x24, FLASH_BYTES = 0x30, DATA_BYTES = 0x10 };
enum { A = SHF_ALLOC, X = SHF_EXECINSTR, W = SHF_WRITE, MS = SHF_MERGE | SHF_STRINGS };
enum { ABS32 = 2, REL32 = 3, THM_CALL = 10, GOT_BREL = 26 };

static const char MAP[] =
    "Discarded input sections\n\n .text.gone      0x00000000        0x4 a.o\n\n"
    "Linker script and memory map\n\nLOAD a.o\n\n"
    ".flash          0x20000000       0x30\n"
    "                0x20000000        0x4 LONG 0x4e49424e\n"
    " *fill*         0x20000004        0xc \n"
    " .text.go       0x20000010       0x10 a.o\n"
    " .text.f        0x20000020        0x4 a.o\n"
    " .rodata.str1.1\n                0x20000024        0xc a.o\n"
    "                                 0x12 (size before relaxing)\n\n"
    ".data           0x80000000       0x10\n"
    " .data.p        0x80000000        0x8 a.o\n"
    " .got           0x80000008        0x8 a.o\n"
    "                0x80000010                _rp_got_end = .\n\n"
    ".bss            0x80000010        0x8\n"
    " .bss.v         0x80000010        0x8 a.o\n"
    "OUTPUT(image.elf elf32-littlearm)\n";

/* The one object, the linked file and the map, to be spoiled before check(). */
struct link {
    struct elf_builder object, elf;
    uint8_t go[16], f[4], p[8], strings[18], gone[4];
    uint8_t flash[FLASH_BYTES], data[DATA_BYTES];
    const char *map;
    bool own;
};

enum { S_GO = 1, S_F, S_P, S_V, S_STRINGS, S_GONE };
enum { Y_F = 1, Y_V, Y_GO, Y_TEXT, Y_GONE };

static void make_object(struct link *l) {
    struct elf_builder *eb = &l->object;
    static const uint8_t go[] = {0xFF, 0xF7, 0xFE, 0xFF, 0x00, 0xBF, 0x00, 0xBF};
    eb_begin(eb, ET_REL);
    memcpy(l->go, go, sizeof go);
    memcpy(l->f, "\x70\x47\x00\xBF", 4);
    l->p[4] = 4;
    memcpy(l->strings, "hello\0world\0hello", 18);
    eb->sections[eb_section(eb, ".text.go", SHT_PROGBITS, A | X, sizeof l->go)].data = l->go;
    eb->sections[eb_section(eb, ".text.f", SHT_PROGBITS, A | X, sizeof l->f)].data = l->f;
    eb->sections[eb_section(eb, ".data.p", SHT_PROGBITS, A | W, sizeof l->p)].data = l->p;
    eb_section(eb, ".bss.v", SHT_NOBITS, A | W, 8);
    unsigned at = eb_section(eb, ".rodata.str1.1", SHT_PROGBITS, A | MS, sizeof l->strings);
    eb->sections[at].data = l->strings;
    eb->sections[at].entsize = eb->sections[at].align = 1;
    eb->sections[eb_section(eb, ".text.gone", SHT_PROGBITS, A | X, sizeof l->gone)].data = l->gone;
    eb_symbol(eb, "f", STT_FUNC, S_F, 1);
    eb_symbol(eb, "v", STT_OBJECT, S_V, 0);
    eb_symbol(eb, "go", STT_FUNC, S_GO, 1);
    eb_symbol(eb, "text", STT_NOTYPE, S_STRINGS, 6);
    eb_symbol(eb, "gone", STT_FUNC, S_GONE, 1);
    eb_reloc(eb, S_GO, 0, THM_CALL, Y_F);
    eb_reloc(eb, S_GO, 8, GOT_BREL, Y_V);
    eb_reloc(eb, S_GO, 12, REL32, Y_TEXT);
    eb_reloc(eb, S_P, 0, ABS32, Y_F);
    eb_reloc(eb, S_P, 4, ABS32, Y_V);
}

static void make_linked(struct link *l) {
    struct elf_builder *eb = &l->elf;
    static const uint8_t go[] = {0x00, 0xF0, 0x06, 0xF8, 0x00, 0xBF, 0x00, 0xBF,
                                 8,    0,    0,    0,    0x0E, 0,    0,    0};
    static const uint8_t data[] = {0x21, 0, 0, 0x20, 0x14, 0, 0, 0x80, 0x10, 0, 0, 0x80};
    memcpy(l->flash, "NBIN", 4);
    memcpy(l->flash + GO, go, sizeof go);
    memcpy(l->flash + F, l->f, 4);
    memcpy(l->flash + STRINGS, "hello\0world", 12);
    memcpy(l->data, data, sizeof data);
    eb_begin(eb, ET_EXEC);
    static const struct {
        const char *name;
        uint32_t type, flags, addr, size;
    } rows[] = {{".flash", SHT_PROGBITS, A | X, 0x20000000, FLASH_BYTES},
                {".data", SHT_PROGBITS, A | W, 0x80000000, DATA_BYTES},
                {".bss", SHT_NOBITS, A | W, 0x80000010, 8}};
    const uint8_t *bytes[] = {l->flash, l->data, NULL};
    for (size_t i = 0; i < COUNT(rows); i++) {
        unsigned at = eb_section(eb, rows[i].name, rows[i].type, rows[i].flags, rows[i].size);
        eb->sections[at].addr = rows[i].addr;
        eb->sections[at].data = bytes[i];
    }
    eb_symbol(eb, "f", STT_FUNC, 1, 0x20000021);
    eb_symbol(eb, "v", STT_OBJECT, 3, 0x80000010);
    eb_symbol(eb, "go", STT_FUNC, 1, 0x20000011);
    eb_symbol(eb, "_rp_got_end", STT_NOTYPE, 2, 0x80000010);
}

static void make(struct link *l) {
    *l = (struct link){.map = MAP};
    make_object(l);
    make_linked(l);
}

static bool check(struct unit *u, const struct link *l) {
    struct rp_buf object = {0}, linked = {0};
    struct rp_elf elf = {.fd = -1};
    struct rp_link link;
    eb_write(&l->object, &object);
    eb_write(&l->elf, &linked);
    unit_write(u, "a.o", object.data, object.len);
    const char *path = unit_write(u, "image.elf", linked.data, linked.len);
    const struct rp_link_object objects[] = {{"a.o", "model.c", l->own}};
    assert_true(rp_elf_open(&elf, &u->arena, path, &u->err));
    const struct rp_link_spec spec = {.inputs = {.linked = &elf,
                                                 .map_text = l->map,
                                                 .dir = u->dir,
                                                 .objects = objects,
                                                 .object_count = 1},
                                      .format = RP_FORMAT_CORTEX_M};
    bool ok = rp_link_check(&link, &u->arena, &spec, &u->err);
    ok = ok && (link.undefined == NULL || rp_fail(&u->err, RP_E_UNDEFINED, "%s", link.undefined));
    rp_link_close(&link);
    rp_elf_close(&elf);
    rp_buf_release(&object);
    rp_buf_release(&linked);
    return ok;
}

static void takes_what_is_right(void **state) {
    struct unit *u = *state;
    struct link l;
    make(&l);
    ACCEPTED(u, check(u, &l));
}

/* The same with addends of their own, as RELA has them. */
static void takes_explicit_addends(void **state) {
    struct unit *u = *state;
    struct link l;
    make(&l);
    l.object.rela = 1;
    l.object.relocs[0].addend = -4;
    l.object.relocs[4].addend = 4;
    ACCEPTED(u, check(u, &l));
    l.object.relocs[4].addend = 0;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "R_ARM_ABS32 to 'v' makes 10 00 00 80");
}

static void sees_every_byte(void **state) {
    struct unit *u = *state;
    for (unsigned i = 0; i < FLASH_BYTES + DATA_BYTES; i++) {
        struct link l;
        make(&l);
        (i < FLASH_BYTES ? l.flash : l.data - FLASH_BYTES)[i] ^= 0x11;
        assert_false(check(u, &l));
        assert_int_equal(u->err.id, RP_E_LINK_CHECK);
        u->err = (struct rp_error){0};
    }
}

static void names_section_object_and_bytes(void **state) {
    struct unit *u = *state;
    struct link l;
    make(&l);
    l.flash[GO + 5] = 0xBE;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "section '.text.go' of model.c, offset 0x5 (address 0x20000015): the object has bf 00 "
            "bf, the linked file has be 00 bf");
    make(&l);
    l.data[0] = 0x20; /* the Thumb bit */
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "section '.data.p' of model.c, offset 0x0 (address 0x80000000): R_ARM_ABS32 to 'f' "
            "makes 21 00 00 20, the linked file has 20 00 00 20");
    make(&l);
    l.data[8] = 0x14;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "the word of the GOT at 0x80000008");
    make(&l);
    l.flash[GO + 8] = 12;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "word of the GOT at 0x8000000c");
    make(&l);
    l.flash[GO + 12] = 0x08;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "does not lead to that string or constant");
    make(&l);
    l.flash[8] = 1;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is of no object");
    make(&l);
    l.data[13] = 1;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "and nothing refers to it");
}

/* One text of the map replaced by another. */
static void spoil_map(struct unit *u, struct link *l, const char *from, const char *to) {
    const char *at = strstr(l->map, from);
    assert_non_null(at);
    l->map = rp_format(&u->arena, "%.*s%s%s", (int)(at - l->map), l->map, to, at + strlen(from));
}

static void sees_what_the_map_hides(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *from, *to, *part;
    } cases[] = {
        {" .text.f        0x20000020        0x4 a.o\n", "", "'.text.f' (4 bytes) was lost"},
        {" .text.gone      0x00000000        0x4 a.o\n", "", "'.text.gone' (4 bytes) was lost"},
        {".text.gone      0x00000000        0x4", ".text.gone      0x00000000        0x8",
         "has 4 bytes, the linker discarded 8"},
        {" .text.f        0x20000020        0x4 a.o\n",
         " .text.f        0x20000020        0x4 a.o\n .text.f        0x20000020        0x4 a.o\n",
         "placed twice"},
        {".text.f        0x20000020        0x4", ".text.f        0x20000020        0x2",
         "has 4 bytes"},
        {".text.f        0x20000020", ".text.f        0x80000020", "and somewhere else in the"},
        {".data.p        0x80000000", ".data.p        0x20000000", "is writable"},
        {".data.p        0x80000000", ".data.p        0xa0000000", "holds an address"},
        {".bss.v         0x80000010", ".bss.v         0x80000014",
         "'v' of model.c is at 0x80000014"},
        {"LOAD a.o", "LOAD b.o", "did not load its object 'a.o'"},
        {" .text.f ", " .text.g ", "was lost"},
        {"OUTPUT(", " .text.stub     0x2000002c        0x4 linker stubs\nOUTPUT(",
         "a stub of the linker"},
        {"LONG 0x4e49424e", "LONG 0x4e49424f", "where the linker script puts"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct link l;
        make(&l);
        spoil_map(u, &l, cases[i].from, cases[i].to);
        REFUSED(u, check(u, &l), RP_E_LINK_CHECK, cases[i].part);
    }
}

static void refuses_what_cannot_be_there(void **state) {
    struct unit *u = *state;
    struct link l;
    make(&l); /* contents in a part without */
    l.object.sections[S_V].type = SHT_PROGBITS;
    l.object.sections[S_V].data = "\0\0\0\5\0\0\0";
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "has contents, 0x05 at offset 0x3");
    make(&l); /* an address in a part without */
    l.object.sections[S_V].type = SHT_PROGBITS;
    eb_reloc(&l.object, S_V, 4, ABS32, Y_F);
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "holds an address at offset 0x4");
    make(&l); /* zeros may be */
    l.object.sections[S_V].type = SHT_PROGBITS;
    ACCEPTED(u, check(u, &l));
    make(&l); /* a branch to data */
    l.object.sections[S_F].flags = A;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is a branch to something that is not code");
    make(&l); /* a variable in read-only memory, and the entry vector's own */
    l.object.sections[S_F].flags = A | X | W;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is writable, and there it could not be written");
    l.own = true;
    ACCEPTED(u, check(u, &l));
    make(&l);
    l.object.sections[S_P].flags = A | W | SHF_TLS;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is thread-local");
    make(&l);
    l.object.relocs[0].type = 97;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "R_ARM_GOT_BREL12 cannot be computed once more");
    make(&l);
    l.object.relocs[4].place = 2;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "in another one's field");
    make(&l); /* code in the RAM, by its flags; but a variable may be called so */
    l.object.sections[S_P].flags = A | W | X;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "is code, which cannot run from there");
    eb_symbol(&l.object, "p", STT_OBJECT, S_P, 0);
    eb_symbol(&l.elf, "p", STT_OBJECT, 2, 0x80000000);
    ACCEPTED(u, check(u, &l));
    make(&l);
    l.object.relocs[0].symbol = Y_GONE;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK,
            "'gone' leads into a section that the linker discarded");
    make(&l);
    l.object.symbols[Y_V].name = "_rp_got_end";
    REFUSED(u, check(u, &l), RP_E_RESERVED, "which the linker script does");
    make(&l);
    l.object.sections[S_GONE].name = ".got";
    REFUSED(u, check(u, &l), RP_E_RESERVED, "the linker's own to make");
    make(&l);
    l.elf.symbols[1].value += 2;
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "'f' of model.c is at 0x20000021");
}

static void tells_undefined_symbols(void **state) {
    struct unit *u = *state;
    struct link l;
    make(&l);
    l.object.symbols[Y_F].section = 0;
    l.elf.symbols[1].name = "other";
    REFUSED(u, check(u, &l), RP_E_UNDEFINED, "f");
    l.object.symbols[Y_F].bind = STB_WEAK; /* a branch to it is a no-op, its address is 0 */
    memset(l.data, 0, 4);
    memcpy(l.flash + GO, "\xAF\xF3\x00\x80", 4);
    ACCEPTED(u, check(u, &l));
    memcpy(l.flash + GO, "\x00\xF0\x00\xF8", 4);
    ACCEPTED(u, check(u, &l));
    memcpy(l.flash + GO, "\x00\xF0\x02\xF8", 4);
    REFUSED(u, check(u, &l), RP_E_LINK_CHECK, "R_ARM_THM_CALL to 'f'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(takes_what_is_right),     UNIT(takes_explicit_addends),
        UNIT(sees_every_byte),         UNIT(names_section_object_and_bytes),
        UNIT(sees_what_the_map_hides), UNIT(refuses_what_cannot_be_there),
        UNIT(tells_undefined_symbols),
    };
    return RUN(tests);
}
