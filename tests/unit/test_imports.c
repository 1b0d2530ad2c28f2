/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/calls/imports.h: the user's text, and the assembly made from it. */
#include "tests/unit/unit.h"

#include "toolchain/calls/imports.h"

static bool reads(struct unit *u, struct rp_model *model, const char *first, const char *second) {
    *model = (struct rp_model){0};
    u->err = (struct rp_error){0};
    rp_strings_push(&u->arena, &model->imports.specs, first);
    if (second != NULL)
        rp_strings_push(&u->arena, &model->imports.specs, second);
    return rp_imports_read(model, &u->arena, &u->err);
}

static void reads_names_and_versions(void **state) {
    struct unit *u = *state;
    struct rp_model model;
    ACCEPTED(u, reads(u, &model, "_hmw", "f9@4294967295"));
    assert_int_equal(model.imports.count, 2);
    assert_string_equal(model.imports.items[0].name, "_hmw");
    assert_int_equal(model.imports.items[0].version, 0);
    assert_string_equal(model.imports.items[1].name, "f9");
    assert_int_equal(model.imports.items[1].version, UINT32_MAX);
    ACCEPTED(u, reads(u, &model, "a@7", "a@7"));
    assert_int_equal(model.imports.count, 1);
}

static void refuses_what_is_none(void **state) {
    struct unit *u = *state;
    struct rp_model model;
    static const char *const bad[] = {"",     "@",    "@1",       "9a",   "a-b",          "a b",
                                      "a\"",  "a@",   "a@x",      "a@-1", "a@4294967296", "a@1@2",
                                      "a@ 1", "a@1 ", "\xc3\xa4", "a\n"};
    for (size_t i = 0; i < COUNT(bad); i++)
        REFUSED(u, reads(u, &model, bad[i], NULL), RP_E_USAGE, "is not NAME");
    REFUSED(u, reads(u, &model, "a@1", "a"), RP_E_USAGE, "versions 1 and 0");
}

static void takes_so_many(void **state) {
    struct unit *u = *state;
    struct rp_model model = {0};
    for (unsigned i = 0; i < 256; i++)
        rp_strings_push(&u->arena, &model.imports.specs, rp_format(&u->arena, "x%u", i));
    ACCEPTED(u, rp_imports_read(&model, &u->arena, &u->err));
    rp_strings_push(&u->arena, &model.imports.specs, "one_more");
    model.imports.count = 0;
    REFUSED(u, rp_imports_read(&model, &u->arena, &u->err), RP_E_USAGE, "256 symbols at most");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_names_and_versions),
        UNIT(refuses_what_is_none),
        UNIT(takes_so_many),
    };
    return RUN(tests);
}
