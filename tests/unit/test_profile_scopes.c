/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/profile/scopes: names of installed code. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "cli/profile/scopes.h"

enum { LINKED = 0x20000000, AT = 0x60001000, SIZE = 0x100 };

static const uint8_t bytes[SIZE];
static struct rp_section sections[] = {
    {.name = ""},
    {.name = ".flash", .flags = SHF_ALLOC | SHF_EXECINSTR, .addr = LINKED, .size = SIZE},
    {.name = ".data", .flags = SHF_ALLOC | SHF_WRITE, .addr = 0x80000000, .size = SIZE},
};

#define FUNCTION(symbol, start, bytes)                                                             \
    {                                                                                              \
        .name = (symbol), .value = LINKED + (start) + 1, .size = (bytes), .type = STT_FUNC,        \
        .bind = STB_GLOBAL, .section = 1                                                           \
    }
#define LABEL(symbol, start, binding)                                                              \
    {                                                                                              \
        .name = (symbol), .value = LINKED + (start), .type = STT_NOTYPE, .bind = (binding),        \
        .section = 1                                                                               \
    }

static struct rp_scopes scopes_of(struct unit *u, struct rp_symbol *symbols, size_t count) {
    struct rp_scopes scopes = {.arena = &u->arena};
    const struct rp_elf elf = {.sections = sections,
                               .section_count = COUNT(sections),
                               .symbols = symbols,
                               .symbol_count = count};
    const struct rp_code_part part = {AT, SIZE, LINKED, bytes, true};
    rp_scopes_add(&scopes, &elf, &part);
    return scopes;
}

static const char *name_at(const struct rp_scopes *scopes, uint32_t offset) {
    uint32_t scope = rp_scope_at(scopes, AT + offset);
    return scope != RP_NO_SCOPE ? scopes->list.items[scope].name : "(nothing)";
}

static void functions_have_their_bytes(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {FUNCTION("second", 0x40, 0x20), FUNCTION("first", 0x10, 0x20),
                                  LABEL("$t", 0x40, STB_LOCAL), LABEL("loop", 0x44, STB_LOCAL),
                                  LABEL("middle", 0x48, STB_GLOBAL)};
    struct rp_scopes scopes = scopes_of(u, symbols, COUNT(symbols));
    assert_string_equal(name_at(&scopes, 0x0E), "0x20000000");
    assert_string_equal(name_at(&scopes, 0x10), "first");
    assert_string_equal(name_at(&scopes, 0x2E), "first");
    assert_string_equal(name_at(&scopes, 0x30), "0x20000030");
    assert_string_equal(name_at(&scopes, 0x40), "second");
    assert_string_equal(name_at(&scopes, 0x5E), "second");
    assert_string_equal(name_at(&scopes, 0xFE), "0x20000060");
    assert_string_equal(name_at(&scopes, SIZE), "(nothing)");
    assert_string_equal(name_at(&scopes, (uint32_t)-2), "(nothing)");
    uint32_t first = rp_scope_named(&scopes, "first");
    assert_int_equal(scopes.list.items[first].start, AT + 0x10);
    assert_int_equal(rp_scope_function(&scopes, first), first);
    assert_int_equal(rp_scope_named(&scopes, "third"), RP_NO_SCOPE);
    assert_non_null(rp_code_part_at(&scopes, AT + SIZE - 1));
    assert_null(rp_code_part_at(&scopes, AT + SIZE));
    assert_null(rp_code_part_at(&scopes, AT - 1));
}

/* Of several names of one address a global function's is shown, then by the alphabet. */
static void aliases_have_one_name(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {LABEL("label", 0x10, STB_GLOBAL), FUNCTION("zeta", 0x10, 0),
                                  FUNCTION("alpha", 0x10, 0x20), FUNCTION("after", 0x30, 2)};
    struct rp_symbol local = FUNCTION("a_local", 0x10, 0x20);
    local.bind = STB_LOCAL;
    struct rp_symbol all[] = {symbols[0], symbols[1], symbols[2], symbols[3], local};
    struct rp_scopes scopes = scopes_of(u, all, COUNT(all));
    assert_string_equal(name_at(&scopes, 0x10), "alpha");
    assert_string_equal(name_at(&scopes, 0x2E), "alpha");
    assert_string_equal(name_at(&scopes, 0x30), "after");
}

/* Assembly without types and sizes: up to the next name that is not a label in it. */
static void names_without_a_size_reach_to_the_next(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {LABEL("kernel", 0x10, STB_GLOBAL), LABEL("loop", 0x14, STB_LOCAL),
                                  LABEL("done", 0x18, STB_LOCAL), LABEL("other", 0x20, STB_GLOBAL),
                                  FUNCTION("typed", 0x40, 8)};
    struct rp_scopes scopes = scopes_of(u, symbols, COUNT(symbols));
    assert_string_equal(name_at(&scopes, 0x14), "kernel");
    assert_string_equal(name_at(&scopes, 0x1E), "kernel");
    assert_string_equal(name_at(&scopes, 0x20), "other");
    assert_string_equal(name_at(&scopes, 0x3E), "other");
    assert_string_equal(name_at(&scopes, 0x48), "0x20000048");
}

static void functions_may_begin_in_others(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {FUNCTION("outer", 0x10, 0x40), FUNCTION("inner", 0x20, 0x08)};
    struct rp_scopes scopes = scopes_of(u, symbols, COUNT(symbols));
    assert_string_equal(name_at(&scopes, 0x1E), "outer");
    assert_string_equal(name_at(&scopes, 0x20), "inner");
    assert_string_equal(name_at(&scopes, 0x28), "outer");
    assert_string_equal(name_at(&scopes, 0x4E), "outer");
    assert_string_equal(name_at(&scopes, 0x50), "0x20000050");
}

/* Symbols of data, of other sections and beyond the part name no code. */
static void other_symbols_are_left_out(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {FUNCTION("object", 0x10, 4), FUNCTION("data", 0x20, 4),
                                  FUNCTION("beyond", SIZE, 4), FUNCTION("", 0x30, 4)};
    symbols[0].type = STT_OBJECT;
    symbols[1].section = 2;
    struct rp_scopes scopes = scopes_of(u, symbols, COUNT(symbols));
    assert_int_equal(scopes.list.count, 1);
    assert_string_equal(name_at(&scopes, 0x30), "0x20000000");
}

static void parts_do_not_mix(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {FUNCTION("here", 0, SIZE)};
    struct rp_scopes scopes = scopes_of(u, symbols, 1);
    const struct rp_elf elf = {.sections = sections,
                               .section_count = COUNT(sections),
                               .symbols = symbols,
                               .symbol_count = 1};
    const struct rp_code_part behind = {AT + SIZE, SIZE, LINKED, bytes, false};
    rp_scopes_add(&scopes, &elf, &behind);
    uint32_t a = rp_scope_at(&scopes, AT + SIZE - 2), b = rp_scope_at(&scopes, AT + SIZE);
    assert_int_not_equal(a, b);
    assert_true(scopes.list.items[a].in_image && !scopes.list.items[b].in_image);
    assert_int_equal(rp_scope_named(&scopes, "here"), a);
}

static void inlined_copies_are_in_functions(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {FUNCTION("f", 0x10, 0x40), FUNCTION("g", 0x50, 0x20)};
    struct rp_scopes scopes = scopes_of(u, symbols, COUNT(symbols));
    const struct rp_inlined_piece a[] = {{LINKED + 0x14, LINKED + 0x24},
                                         {LINKED + 0x30, LINKED + 0x34}};
    const struct rp_inlined_piece b[] = {{LINKED + 0x18, LINKED + 0x1C}};
    const struct rp_inlined_piece c[] = {{LINKED + 0x60, LINKED + 0x70}};
    const struct rp_inlined copies[] = {
        {"a", SIZE_MAX, a, 2}, {"b", 0, b, 1}, {"a", SIZE_MAX, c, 1}};
    rp_scopes_inline(&scopes, copies, COUNT(copies));
    static const char *const want[] = {"f", "a", "b", "a", "f", "a", "f", "g", "a"};
    static const uint32_t at[] = {0x12, 0x16, 0x18, 0x1C, 0x24, 0x32, 0x34, 0x50, 0x60};
    for (size_t i = 0; i < COUNT(at); i++)
        assert_string_equal(name_at(&scopes, at[i]), want[i]);
    uint32_t inner = rp_scope_at(&scopes, AT + 0x18), outer = rp_scope_at(&scopes, AT + 0x14);
    assert_int_equal(scopes.list.items[inner].parent, outer);
    assert_int_equal(rp_scope_function(&scopes, inner), rp_scope_named(&scopes, "f"));
    assert_int_equal(scopes.list.items[outer].start, AT + 0x14);
    assert_int_equal(rp_scope_at(&scopes, AT + 0x32), outer);
    assert_int_not_equal(rp_scope_at(&scopes, AT + 0x60), outer);
    assert_int_equal(rp_scope_named(&scopes, "a"), RP_NO_SCOPE); /* no function of its own */
}

/* Debug information of discarded functions, or that contradicts itself, changes nothing else. */
static void wrong_copies_cover_nothing(void **state) {
    struct unit *u = *state;
    struct rp_symbol symbols[] = {FUNCTION("f", 0x10, 0x40), FUNCTION("g", 0x50, 0x20)};
    struct rp_scopes scopes = scopes_of(u, symbols, COUNT(symbols));
    const struct rp_inlined_piece nowhere[] = {{0, 0x40},
                                               {LINKED + 0x20, LINKED + 0x10},
                                               {LINKED + 0xF0, LINKED + SIZE + 2},
                                               {UINT32_MAX - 1, 4}};
    const struct rp_inlined_piece across[] = {{LINKED + 0x40, LINKED + 0x60}};
    const struct rp_inlined_piece in_g[] = {{LINKED + 0x52, LINKED + 0x54}};
    const struct rp_inlined copies[] = {{"nowhere", SIZE_MAX, nowhere, COUNT(nowhere)},
                                        {"across", SIZE_MAX, across, 1},
                                        {"child of nowhere", 0, in_g, 1},
                                        {"child of itself", 3, in_g, 1}};
    rp_scopes_inline(&scopes, copies, COUNT(copies));
    assert_string_equal(name_at(&scopes, 0x3E), "f");
    assert_string_equal(name_at(&scopes, 0x40), "across");
    assert_string_equal(name_at(&scopes, 0x50), "g"); /* the first function's copy only */
    assert_string_equal(name_at(&scopes, 0x52), "child of itself");
    assert_string_equal(name_at(&scopes, 0xF0), "0x20000070");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(functions_have_their_bytes),
        UNIT(aliases_have_one_name),
        UNIT(names_without_a_size_reach_to_the_next),
        UNIT(functions_may_begin_in_others),
        UNIT(other_symbols_are_left_out),
        UNIT(parts_do_not_mix),
        UNIT(inlined_copies_are_in_functions),
        UNIT(wrong_copies_cover_nothing),
    };
    return RUN(tests);
}
