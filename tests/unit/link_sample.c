/* SPDX-License-Identifier: Apache-2.0 */
/* An object, its map and the linked file: see link_sample.h. */
#include "tests/unit/link_sample.h"

#include <elf.h>

enum { A = SHF_ALLOC, X = SHF_EXECINSTR, W = SHF_WRITE, MS = SHF_MERGE | SHF_STRINGS };
enum { ABS32 = 2, REL32 = 3, THM_CALL = 10, GOT_BREL = 26, MOVW_ABS = 47, MOVT_ABS = 48 };

static const char MAP[] =
    "Discarded input sections\n\n .text.gone      0x00000000        0x4 a.o\n\n"
    "Linker script and memory map\n\nLOAD a.o\n\n"
    ".weights        0x40000000        0x8\n"
    " .rodata.w      0x40000000        0x8 a.o\n\n"
    ".flash          0x20000000       0x9c\n"
    "                0x20000000        0x4 LONG 0x4e49424e\n"
    " *fill*         0x20000004       0x30 \n"
    " .entries       0x20000034       0x30 a.o\n"
    " *fill*         0x20000064        0xc \n"
    " .text.go       0x20000070       0x10 a.o\n"
    " .text.f        0x20000080        0x4 a.o\n"
    " .rodata.str1.1\n                0x20000084        0xc a.o\n"
    "                                 0x12 (size before relaxing)\n"
    " .text.abs      0x20000090        0x8 a.o\n"
    " .rp_fixups     0x20000098        0x4 a.o\n\n"
    ".data           0x80000000       0x1c\n"
    " .data.p        0x80000000        0x8 a.o\n"
    " .got           0x80000008        0x8 a.o\n"
    "                0x80000010                _rp_got_end = .\n"
    " .ctx           0x80000010        0x8 a.o\n"
    " .data.to_w     0x80000018        0x4 a.o\n\n"
    ".bss            0x8000001c        0x8\n"
    " .bss.v         0x8000001c        0x8 a.o\n"
    "OUTPUT(image.elf elf32-littlearm)\n";

/* One section of a builder, with size bytes or zeros. */
static unsigned add(struct elf_builder *eb, const char *name, uint32_t flags, const void *bytes,
                    uint32_t size) {
    unsigned at = eb_section(eb, name, SHT_PROGBITS, flags, size);
    eb->sections[at].data = bytes;
    return at;
}

static void make_sections(struct link_sample *l) {
    struct elf_builder *eb = &l->object;
    eb_begin(eb, ET_REL);
    add(eb, ".text.go", A | X, l->go, sizeof l->go);
    add(eb, ".text.f", A | X, l->f, sizeof l->f);
    add(eb, ".data.p", A | W, l->p, sizeof l->p);
    eb_section(eb, ".bss.v", SHT_NOBITS, A | W, LINK_BSS);
    unsigned at = add(eb, ".rodata.str1.1", A | MS, l->strings, sizeof l->strings);
    eb->sections[at].entsize = eb->sections[at].align = 1;
    add(eb, ".text.gone", A | X, l->gone, sizeof l->gone);
    add(eb, ".entries", A, NULL, 48);
    add(eb, ".text.abs", A | X, l->abs, sizeof l->abs);
    add(eb, ".rp_fixups", A, NULL, 4);
    add(eb, ".ctx", A | W, NULL, 8);
    add(eb, ".data.to_w", A | W, NULL, 4);
    add(eb, ".rodata.w", A, l->weights, sizeof l->weights);
}

static void make_object(struct link_sample *l) {
    struct elf_builder *eb = &l->object;
    static const uint8_t go[] = {0xFF, 0xF7, 0xFE, 0xFF, 0x00, 0xBF, 0x00, 0xBF};
    memcpy(l->go, go, sizeof go);
    memcpy(l->f, "\x70\x47\x00\xBF", 4);
    l->p[4] = 4;
    memcpy(l->strings, "hello\0world\0hello", 18);
    memcpy(l->abs, "\x40\xF2\x00\x01\xC0\xF2\x00\x01", 8); /* movw r1, #0; movt r1, #0 */
    memcpy(l->weights, "weights", 8);
    make_sections(l);
    eb_symbol(eb, "f", STT_FUNC, LS_F, 1);
    eb_symbol(eb, "v", STT_OBJECT, LS_V, 0);
    eb_symbol(eb, "go", STT_FUNC, LS_GO, 1);
    eb_symbol(eb, "text", STT_NOTYPE, LS_STRINGS, 6);
    eb_symbol(eb, "gone", STT_FUNC, LS_GONE, 1);
    eb_symbol(eb, "ctx", STT_OBJECT, LS_CTX, 0);
    eb_symbol(eb, "w", STT_OBJECT, LS_W, 0);
    eb_symbol(eb, "_rp_fixups", STT_OBJECT, LS_FIXUPS, 0);
    eb_reloc(eb, LS_GO, 0, THM_CALL, LY_F);
    eb_reloc(eb, LS_GO, 8, GOT_BREL, LY_V);
    eb_reloc(eb, LS_GO, 12, REL32, LY_TEXT);
    eb_reloc(eb, LS_P, 0, ABS32, LY_F);
    eb_reloc(eb, LS_P, 4, ABS32, LY_V);
    eb_reloc(eb, LS_TO_W, 0, ABS32, LY_W);
    eb_reloc(eb, LS_ABS, 0, MOVW_ABS, LY_V);
    eb_reloc(eb, LS_ABS, 4, MOVT_ABS, LY_V);
    for (unsigned i = 0; i < 12; i++)
        eb_reloc(eb, LS_ENTRIES, 4 * i, ABS32, i < 11 ? LY_GO : LY_CTX);
}

static void fill_linked(struct link_sample *l) {
    static const uint8_t go[] = {0x00, 0xF0, 0x06, 0xF8, 0x00, 0xBF, 0x00, 0xBF,
                                 8,    0,    0,    0,    0x0E, 0,    0,    0};
    static const uint32_t data[] = {0x20000081, 0x80000020, 0x8000001C, 0, 0, 0, 0x40000000};
    memcpy(l->flash, "NBIN", 4);
    for (unsigned i = 0; i < 12; i++)
        unit_put32(l->flash + LINK_ENTRIES + 4 * i, i < 11 ? 0x20000071 : 0x80000010);
    memcpy(l->flash + LINK_GO, go, sizeof go);
    memcpy(l->flash + LINK_F, l->f, 4);
    memcpy(l->flash + LINK_STRINGS, "hello\0world", 12);
    memcpy(l->flash + LINK_ABS, "\x40\xF2\x1C\x01\xC8\xF2\x00\x01", 8);
    for (size_t i = 0; i < COUNT(data); i++)
        unit_put32(l->data + 4 * i, data[i]);
}

static void make_linked(struct link_sample *l) {
    struct elf_builder *eb = &l->elf;
    fill_linked(l);
    eb_begin(eb, ET_EXEC);
    eb->sections[add(eb, ".flash", A | X, l->flash, LINK_FLASH)].addr = 0x20000000;
    eb->sections[add(eb, ".data", A | W, l->data, LINK_DATA)].addr = 0x80000000;
    eb->sections[eb_section(eb, ".bss", SHT_NOBITS, A | W, LINK_BSS)].addr = 0x8000001C;
    eb->sections[add(eb, ".weights", A, l->weights, LINK_WEIGHTS)].addr = 0x40000000;
    eb_symbol(eb, "f", STT_FUNC, 1, 0x20000081);
    eb_symbol(eb, "v", STT_OBJECT, 3, 0x8000001C);
    eb_symbol(eb, "go", STT_FUNC, 1, 0x20000071);
    eb_symbol(eb, "_rp_got_end", STT_NOTYPE, 2, 0x80000010);
    eb_symbol(eb, "ctx", STT_OBJECT, 2, 0x80000010);
    eb_symbol(eb, "w", STT_OBJECT, 4, 0x40000000);
    eb_symbol(eb, "_rp_fixups", STT_OBJECT, 1, 0x20000098);
}

void link_sample_make(struct link_sample *l) {
    *l = (struct link_sample){.map = MAP, .linked = {.fd = -1}};
    make_object(l);
    make_linked(l);
}

bool link_sample_check(struct link_sample *l, struct unit *u) {
    struct rp_buf object = {.arena = &u->arena}, linked = {.arena = &u->arena};
    eb_write(&l->object, &object);
    eb_write(&l->elf, &linked);
    unit_write(u, "a.o", object.data, object.len);
    const char *path = unit_write(u, "image.elf", linked.data, linked.len);
    const struct rp_link_object objects[] = {{"a.o", "model.c", l->own}};
    assert_true(rp_elf_open(&l->linked, &u->arena, path, &u->err));
    const struct rp_link_spec spec = {.inputs = {.linked = &l->linked,
                                                 .map_text = l->map,
                                                 .dir = u->dir,
                                                 .objects = objects,
                                                 .object_count = 1},
                                      .format = &rp_checked_cortex_m};
    bool ok = rp_link_check(&l->link, &u->arena, &spec, &u->err);
    return ok &&
           (l->link.undefined == NULL || rp_fail(&u->err, RP_E_UNDEFINED, "%s", l->link.undefined));
}

void link_sample_close(struct link_sample *l) {
    rp_link_close(&l->link);
    rp_elf_close(&l->linked);
}
