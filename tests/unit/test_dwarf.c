/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/calls/dwarf.h: this program is compiled with -g and reads itself. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "base/file.h"
#include "tests/unit/elf_builder.h"
#include "toolchain/calls/dwarf.h"

typedef float real;
typedef real row[7];
enum small { LOW, HIGH = 200 } __attribute__((packed));

float dwarf_cells[3][4];
const short dwarf_fixed = 4;
_Bool dwarf_flag;
extern int dwarf_outside;

/* Declared here, so that the compiler does not miss prototypes. */
void dwarf_entry(const row *x, float y[10], const signed char *z, long long n);
unsigned char *dwarf_get(const void *from, char *to, double by);
int dwarf_more(const char *format, ...);
enum small dwarf_graded(struct unit *u, float **rows, void (*call)(int), const long double *c);

void dwarf_entry(const row *x, float y[10], const signed char *z, long long n) {
    y[0] = x[0][0] + (float)z[0] + (float)n;
}

unsigned char *dwarf_get(const void *from, char *to, double by) {
    return from == NULL && by > 0 ? (unsigned char *)to : NULL;
}

int dwarf_more(const char *format, ...) {
    return format[0];
}

enum small dwarf_graded(struct unit *u, float **rows, void (*call)(int), const long double *c) {
    return u != NULL && rows != NULL && call != NULL && c != NULL ? HIGH : LOW;
}

static struct rp_declared_list read_self(struct unit *u, const char *path) {
    struct rp_declared_list found = {0};
    struct rp_strings names = {0};
    RP_PUSH_WORDS(&u->arena, &names, "dwarf_entry", "dwarf_get", "dwarf_more", "dwarf_graded",
                  "dwarf_cells", "dwarf_fixed", "dwarf_flag", "dwarf_outside", "hidden");
    rp_dwarf_read(&u->arena, path, &names, &found);
    return found;
}

static int hidden;

static void reads_what_the_compiler_says(void **state) {
    struct unit *u = *state;
    static const char *const want[][2] = {
        {"dwarf_entry", "void dwarf_entry(real (*x)[7], float *y, const signed char *z, "
                        "long long int n)"},
        {"dwarf_get", "unsigned char *dwarf_get(const void *from, char *to, double by)"},
        {"dwarf_more", "int dwarf_more(const char *format, ...)"},
        {"dwarf_graded", "enum small dwarf_graded(struct unit *u, float **rows, void (*call)(int), "
                         "const long double *c)"},
        {"dwarf_cells", "float dwarf_cells[3][4]"},
        {"dwarf_fixed", "const short int dwarf_fixed"},
        {"dwarf_flag", "_Bool dwarf_flag"},
        {"hidden", "int hidden"},
    };
    struct rp_declared_list found = read_self(u, "/proc/self/exe");
    hidden++;
    assert_int_equal(found.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        const struct rp_declared *item = NULL;
        for (size_t k = 0; k < found.count; k++)
            item = strcmp(found.items[k].name, want[i][0]) == 0 ? &found.items[k] : item;
        assert_non_null(item);
        const char *text = rp_ctype_text(&u->arena, item->type, item->name);
        /* each compiler has its own names of integers, and gcc loses the const of a named array */
        const char *other =
            strstr(text, "long long n") != NULL || strstr(text, "short dwarf") != NULL ? text
                                                                                       : want[i][1];
        if (strstr(text, "const real (*x)[7]") == NULL && strcmp(other, text) != 0)
            assert_string_equal(text, want[i][1]);
        assert_string_equal(item->file, "test_dwarf.c");
        assert_true(item->line != 0 && item->is_definition);
        assert_int_equal(item->is_static, strcmp(item->name, "hidden") == 0);
        if (strcmp(item->name, "dwarf_graded") == 0)
            assert_string_equal(item->type->of->dtype->name, "uint8");
    }
}

/* A file that is not ELF, cut off or damaged says nothing, and is not read past its end. */
static void says_nothing_of_damaged_files(void **state) {
    struct unit *u = *state;
    struct rp_bytes whole;
    ACCEPTED(u, rp_file_read(&u->arena, "/proc/self/exe", SIZE_MAX, &whole, &u->err));
    const char *path = unit_path(u, "cut");
    assert_int_equal(read_self(u, unit_path(u, "missing")).count, 0);
    for (size_t i = 0; i < 12; i++) {
        size_t len = i < 6 ? i * 64 : whole.size / 12 * i;
        ACCEPTED(u, rp_file_write(path, whole.data, len, &u->err));
        (void)read_self(u, path);
    }
    uint8_t *copy = rp_alloc(&u->arena, whole.size, 1);
    for (size_t i = 1; i < 12; i++) {
        memcpy(copy, whole.data, whole.size);
        for (size_t at = i * 1009; at < whole.size; at += 4099 * i)
            copy[at] = (uint8_t)(copy[at] ^ (0x11 * i));
        ACCEPTED(u, rp_file_write(path, copy, whole.size, &u->err));
        (void)read_self(u, path);
    }
}

/*
 * A variable is a function whose eight parameters are such functions: 8 to the power of 23 types.
 */
static void ends_with_types_without_end(void **state) {
    struct unit *u = *state;
    static const uint8_t abbreviations[] = {1, 0x11, 1, 0,    0,             /* compile_unit */
                                            2, 0x15, 1, 0,    0,             /* subroutine_type */
                                            3, 0x05, 0, 0x49, 0x13, 0,    0, /* formal_parameter */
                                            4, 0x34, 0, 0x03, 0x08, 0x49, 0x13, /* variable */
                                            0, 0,    0};
    uint8_t entries[80] = {0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 1, 2};
    uint32_t at = 13;
    for (unsigned i = 0; i < 8; i++, at += 5) {
        entries[at] = 3;
        unit_put32(entries + at + 1, 12);
    }
    memcpy(entries + at, "\0\4hidden", 9);
    unit_put32(entries + at + 9, 12);
    unit_put32(entries, at + 14 - 4);
    struct elf_builder eb;
    struct rp_buf out = {.arena = &u->arena};
    eb_begin(&eb, ET_REL);
    unsigned section = eb_section(&eb, ".debug_abbrev", SHT_PROGBITS, 0, sizeof abbreviations);
    eb.sections[section].data = abbreviations;
    section = eb_section(&eb, ".debug_info", SHT_PROGBITS, 0, at + 14);
    eb.sections[section].data = entries;
    eb_write(&eb, &out);
    struct rp_declared_list found = read_self(u, unit_write(u, "a.o", out.data, out.len));
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].type->kind, RP_CTYPE_FUNCTION);
    assert_int_equal(found.items[0].type->param_count, 8);
    assert_int_equal(found.items[0].type->params[0].type->kind, RP_CTYPE_FUNCTION);
    assert_int_equal(found.items[0].type->params[7].type->kind, RP_CTYPE_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_what_the_compiler_says),
        UNIT(says_nothing_of_damaged_files),
        UNIT(ends_with_types_without_end),
    };
    return RUN(tests);
}
