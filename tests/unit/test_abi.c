/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/abi: how build attributes of objects differ, and when that matters. */
#include "tests/unit/unit.h"

#include "elfpack/elf/abi.h"

/* No attribute is stated. */
static const struct rp_attributes SILENT = {
    .vfp_args = -1, .enum_size = -1, .wchar_size = -1, .fp16_format = -1, .r9_use = -1};

static void add(struct unit *u, struct rp_abi_objects *objects, const char *name,
                const char *member, struct rp_attributes attributes) {
    const char *shown = member != NULL ? rp_format(&u->arena, "%s(%s)", name, member) : name;
    *RP_PUSH(&u->arena, objects) =
        (struct rp_abi_object){shown, rp_format(&u->arena, "/lib/%s", name), member, attributes};
}

/* Two objects that each state one property. */
static struct rp_diagnostics compare(struct unit *u, size_t offset, int a, int b) {
    struct rp_attributes first = SILENT, second = SILENT;
    struct rp_abi_objects objects = {0};
    struct rp_diagnostics out = {0};
    const struct rp_linkmap map = {0};
    memcpy((char *)&first + offset, &a, sizeof a);
    memcpy((char *)&second + offset, &b, sizeof b);
    add(u, &objects, "a.c", NULL, first);
    add(u, &objects, "b.c", NULL, second);
    rp_abi_compare(&out, &u->arena, &objects, &map);
    return out;
}

static void compares_each_property(void **state) {
    struct unit *u = *state;
    static const struct {
        size_t offset;
        int a, b; /* differ */
        int none; /* a value that goes with both */
        const char *id, *severity, *first, *second;
    } cases[] = {
        {offsetof(struct rp_attributes, enum_size), 1, 2, 0, "RP1020", "warning",
         "a.c has enums as small", "b.c has enums of 32 bits"},
        {offsetof(struct rp_attributes, wchar_size), 2, 4, 0, "RP1021", "note",
         "a.c has a wchar_t of 2", "b.c has a wchar_t of 4"},
        {offsetof(struct rp_attributes, fp16_format), 1, 2, 0, "RP1022", "warning", "IEEE 754",
         "b.c has __fp16 in Arm's alternative"},
        {offsetof(struct rp_attributes, r9_use), 1, 2, 0, "RP1023", "warning",
         "a.c has r9 as the address of the data", "thread-local"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_diagnostics out = compare(u, cases[i].offset, cases[i].a, cases[i].b);
        assert_int_equal(out.count, 1);
        assert_string_equal(out.items[0].id, cases[i].id);
        assert_string_equal(out.items[0].severity, cases[i].severity);
        CONTAINS(out.items[0].message, cases[i].first);
        CONTAINS(out.items[0].message, cases[i].second);
        assert_int_equal(compare(u, cases[i].offset, cases[i].a, cases[i].a).count, 0);
        assert_int_equal(compare(u, cases[i].offset, cases[i].none, cases[i].b).count, 0);
        assert_int_equal(compare(u, cases[i].offset, cases[i].a, -1).count, 0);
    }
    /* enums have one more value: 3 says that none is visible outside */
    assert_int_equal(compare(u, offsetof(struct rp_attributes, enum_size), 1, 3).count, 0);
    /* attributes that the scan checks are not compared */
    assert_int_equal(compare(u, offsetof(struct rp_attributes, vfp_args), 0, 1).count, 0);
}

static void counts_the_others(void **state) {
    struct unit *u = *state;
    struct rp_attributes one = SILENT, two = SILENT;
    struct rp_abi_objects objects = {0};
    struct rp_diagnostics out = {0};
    const struct rp_linkmap map = {0};
    one.enum_size = 1;
    two.enum_size = 2;
    add(u, &objects, "silent.c", NULL, SILENT);
    add(u, &objects, "a.c", NULL, one);
    add(u, &objects, "b.c", NULL, two);
    add(u, &objects, "c.c", NULL, one);
    add(u, &objects, "d.c", NULL, two);
    add(u, &objects, "e.c", NULL, two);
    rp_abi_compare(&out, &u->arena, &objects, &map);
    assert_int_equal(out.count, 1);
    CONTAINS(out.items[0].message, "a.c has enums as small");
    CONTAINS(out.items[0].message, ", but b.c (and 2 more) has enums of 32");
}

/* Only members that were linked count; the map may have another path to their archive. */
static void asks_the_map_for_members(void **state) {
    struct unit *u = *state;
    struct rp_attributes one = SILENT, two = SILENT;
    struct rp_abi_objects objects = {0};
    struct rp_contribution part = {".text", 0x20000064, 8, "../x/libm.a", "other.o"};
    const struct rp_linkmap map = {.items = &part, .count = 1};
    one.enum_size = 1;
    two.enum_size = 2;
    add(u, &objects, "a.c", NULL, one);
    add(u, &objects, "libm.a", "m.o", two);
    static const struct {
        const char *file, *member;
        size_t count;
    } cases[] = {
        {"../x/libm.a", "other.o", 0},
        {"../x/libn.a", "m.o", 0},
        {"../x/m.o", NULL, 0},
        {"../x/libm.a", "m.o", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_diagnostics out = {0};
        part.file = cases[i].file;
        part.member = cases[i].member;
        rp_abi_compare(&out, &u->arena, &objects, &map);
        assert_int_equal(out.count, cases[i].count);
        if (out.count != 0)
            CONTAINS(out.items[0].message, "libm.a(m.o) has enums of 32 bits");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(compares_each_property),
        UNIT(counts_the_others),
        UNIT(asks_the_map_for_members),
    };
    return RUN(tests);
}
