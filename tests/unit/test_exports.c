/* SPDX-License-Identifier: Apache-2.0 */
/* What a firmware offers to images, as the table in its ELF file has it. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "base/file.h"
#include "elfpack/elf/exports.h"
#include "runtime/format/reloc_format.h"
#include "tests/unit/elf_builder.h"

enum { TABLE = 0x1000, NAMES = 0x1018, CODE = 0x2000, ROWS = 2 };

/* Two rows, then their names: "f", version 3, a function; "data", any version. */
struct firmware {
    struct elf_builder eb;
    uint8_t bytes[0x20];
    unsigned table, function, variable; /* symbols */
};

static void put_row(uint8_t *at, uint32_t name, uint32_t version, uint32_t address) {
    rp_put_le32(at, name);
    rp_put_le32(at + 4, version);
    rp_put_le32(at + 8, address);
}

static void make(struct firmware *firmware, uint16_t type) {
    struct elf_builder *eb = &firmware->eb;
    memset(firmware, 0, sizeof *firmware);
    eb_begin(eb, type);
    put_row(firmware->bytes, NAMES, 3, CODE + 1);
    put_row(firmware->bytes + 12, NAMES + 2, 0, CODE + 8);
    memcpy(firmware->bytes + (NAMES - TABLE), "f\0data", 7);
    unsigned rodata = eb_section(eb, ".rodata", SHT_PROGBITS, SHF_ALLOC, sizeof firmware->bytes);
    eb->sections[rodata].addr = TABLE;
    eb->sections[rodata].data = firmware->bytes;
    unsigned text = eb_section(eb, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16);
    eb->sections[text].addr = CODE;
    firmware->table = eb_symbol(eb, "relocpack_exports", STT_OBJECT, rodata, TABLE);
    eb->symbols[firmware->table].size = 12 * ROWS;
    firmware->function = eb_symbol(eb, "f", STT_FUNC, text, CODE + 1);
    eb->symbols[firmware->function].size = 6;
    firmware->variable = eb_symbol(eb, "data", STT_OBJECT, text, CODE + 8);
}

static bool reads(struct unit *u, const struct firmware *firmware, struct rp_exports *exports) {
    struct rp_elf elf;
    struct rp_buf file = {.arena = &u->arena};
    eb_write(&firmware->eb, &file);
    const char *path = unit_path(u, "fw.elf");
    ACCEPTED(u, rp_file_write(path, file.data, file.len, &u->err));
    ACCEPTED(u, rp_elf_open(&elf, &u->arena, path, &u->err));
    memset(exports, 0, sizeof *exports);
    bool ok = rp_exports_read(exports, &u->arena, &elf, &u->err);
    rp_elf_close(&elf);
    return ok;
}

static void reads_rows(void **state) {
    struct unit *u = *state;
    struct firmware firmware;
    struct rp_exports exports;
    make(&firmware, ET_EXEC);
    ACCEPTED(u, reads(u, &firmware, &exports));
    assert_int_equal(exports.count, ROWS);
    assert_string_equal(exports.items[0].name, "f");
    assert_int_equal(exports.items[0].version, 3);
    assert_int_equal(exports.items[0].address, CODE + 1);
    assert_int_equal(exports.items[0].size, 6);
    assert_true(exports.items[0].is_function);
    assert_string_equal(exports.items[1].name, "data");
    assert_int_equal(exports.items[1].version, 0);
    assert_false(exports.items[1].is_function);
}

static void refused(struct unit *u, const struct firmware *firmware, const char *said) {
    struct rp_exports exports;
    REFUSED(u, reads(u, firmware, &exports), RP_E_ELF, said);
}

static void refuses_what_does_not_hold_together(void **state) {
    struct unit *u = *state;
    struct firmware firmware;
    make(&firmware, ET_REL);
    refused(u, &firmware, "not a linked firmware");
    make(&firmware, ET_EXEC);
    firmware.eb.symbols[firmware.table].name = "other";
    refused(u, &firmware, "exports nothing");
    make(&firmware, ET_EXEC);
    firmware.eb.symbols[firmware.table].section = SHN_UNDEF;
    refused(u, &firmware, "exports nothing");
    static const uint32_t sizes[] = {11, 13, 36, 0xFFFFFFFC};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        make(&firmware, ET_EXEC);
        firmware.eb.symbols[firmware.table].size = sizes[i];
        refused(u, &firmware, "is not a table");
    }
    make(&firmware, ET_EXEC);
    firmware.eb.symbols[firmware.table].value = 0x3000;
    refused(u, &firmware, "is not a table");
    static const uint32_t names[] = {0, TABLE - 1, TABLE + 0x20, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        make(&firmware, ET_EXEC);
        rp_put_le32(firmware.bytes, names[i]);
        refused(u, &firmware, "row 0");
    }
    make(&firmware, ET_EXEC); /* a name that does not end in the section */
    memset(firmware.bytes + (NAMES - TABLE) + 2, 'x', 6);
    refused(u, &firmware, "row 1");
    make(&firmware, ET_EXEC);
    rp_put_le32(firmware.bytes + 8, CODE + 3);
    refused(u, &firmware, "'f' at 0x00002003");
    make(&firmware, ET_EXEC);
    firmware.eb.symbols[firmware.function].section = SHN_UNDEF;
    refused(u, &firmware, "'f'");
    make(&firmware, ET_EXEC);
    put_row(firmware.bytes + 12, NAMES, 4, CODE + 1);
    refused(u, &firmware, "'f' twice");
}

static void compares_float_abis(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned args; /* Tag_ABI_VFP_args */
        uint32_t image;
        bool fits;
    } cases[] = {{0, RELOC_FLOAT_SOFT, true}, {0, RELOC_FLOAT_HARD, false},
                 {1, RELOC_FLOAT_HARD, true}, {1, RELOC_FLOAT_SOFT, false},
                 {3, RELOC_FLOAT_HARD, true}, {3, RELOC_FLOAT_SOFT, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct firmware firmware;
        struct rp_buf file = {.arena = &u->arena};
        struct rp_elf elf;
        uint8_t attributes[64];
        make(&firmware, ET_EXEC);
        unsigned at = eb_section(&firmware.eb, ".ARM.attributes", SHT_ARM_ATTRIBUTES, 0,
                                 (uint32_t)eb_attributes(attributes, 13, 'M', 6, cases[i].args));
        firmware.eb.sections[at].data = attributes;
        eb_write(&firmware.eb, &file);
        ACCEPTED(u, rp_file_write(unit_path(u, "fw.elf"), file.data, file.len, &u->err));
        ACCEPTED(u, rp_elf_open(&elf, &u->arena, unit_path(u, "fw.elf"), &u->err));
        bool fits = rp_exports_check_abi(&elf, cases[i].image, &u->err);
        assert_int_equal(fits, cases[i].fits);
        u->err = (struct rp_error){0};
        rp_elf_close(&elf);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(reads_rows), UNIT(refuses_what_does_not_hold_together),
                                       UNIT(compares_float_abis)};
    return RUN(tests);
}
