/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/document: kinds, versions, and the limits of members. */
#include "tests/unit/unit.h"

#include "cli/document.h"

static bool is_read(struct unit *unit, const char *text) {
    struct rp_json *root =
        rp_document_read(&unit->arena, unit_text(unit, "r.json", text), &unit->err);
    rp_json_free(root);
    return root != NULL;
}

static void kinds_have_a_member_each(void **state) {
    struct unit *unit = *state;
    static const struct {
        const char *text;
        enum rp_document_kind kind;
    } rows[] = {
        {"{\"schema_version\":3,\"memory\":{}}", RP_DOCUMENT_REPORT},
        {"{\"runs\":[]}", RP_DOCUMENT_VERIFY},
        {"{\"images\":[]}", RP_DOCUMENT_RUN},
        {"{\"nodes\":[]}", RP_DOCUMENT_PROFILE},
        {"{\"memory\":5,\"runs\":{},\"images\":1,\"nodes\":\"x\"}", RP_DOCUMENT_OTHER},
        {"[]", RP_DOCUMENT_OTHER},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_json *root =
            rp_document_read(&unit->arena, unit_text(unit, "r.json", rows[i].text), &unit->err);
        assert_non_null(root);
        assert_int_equal(rp_document_kind_of(root), rows[i].kind);
        rp_json_free(root);
    }
    REFUSED(unit,
            rp_document_read_report(&unit->arena, unit_text(unit, "r.json", "{\"runs\":[]}"),
                                    &unit->err) != NULL,
            RP_E_INPUT, "is not a report of generate");
}

static void versions_are_known(void **state) {
    struct unit *unit = *state;
    static const char *const refused[] = {
        "{\"memory\":{}}",
        "{\"schema_version\":1,\"memory\":{}}",
        "{\"schema_version\":99,\"memory\":{}}",
        "{\"schema_version\":\"3\",\"memory\":{}}",
        "{\"schema_version\":2,\"runs\":[]}",
    };
    for (size_t i = 0; i < COUNT(refused); i++)
        REFUSED(unit, is_read(unit, refused[i]), RP_E_INPUT, "schema_version is not");
    ACCEPTED(unit, is_read(unit, "{\"schema_version\":2,\"memory\":{}}"));
    ACCEPTED(unit, is_read(unit, "{\"schema_version\":99}")); /* something else */
}

/* Members of a report, alone in it. said: NULL: it is accepted. */
static void members_have_limits(void **state) {
    struct unit *unit = *state;
#define HASH "0123456789abcdef0123456789abcdef"
    static const struct {
        const char *member, *said;
    } rows[] = {
        {"\"size_bytes\":4294967295", NULL},
        {"\"size_bytes\":-1", "size_bytes is not a whole number from 0 to 4294967295"},
        {"\"size_bytes\":4294967296", "size_bytes is not"},
        {"\"size_bytes\":1.5", "size_bytes is not"},
        {"\"image\":{\"sections\":[{\"size_bytes\":-7}]}", "image.sections.size_bytes is not"},
        {"\"device\":{\"free_bytes\":-7}", NULL},
        {"\"relocations\":{\"compact\":{\"saved_bytes\":-7}}", NULL},
        {"\"relocations\":{\"by_type\":{\"R_ARM_NONE\":-1}}", "relocations.by_type.R_ARM_NONE"},
        {"\"relocations\":{\"got_entries\":9007199254740991}", NULL},
        {"\"relocations\":{\"got_entries\":9007199254740992}", "relocations.got_entries is not"},
        {"\"relocations\":{\"r9_reserved_in\":[\"m.c\"]}", NULL},
        {"\"x\":{\"memory\":\"AXISRAM\"}", NULL},
        {"\"run_instructions\":4611686018427387904", "run_instructions is not a whole number"},
        {"\"inferences\":[5,-1]", "inferences is not"},
        {"\"run\":{\"wall_s\":0.25,\"x\":-1}", NULL},
        {"\"entries\":{\"run\":\"0x20000481\"}", NULL},
        {"\"shape\":[1,8]", NULL},
        {"\"shape\":[1,8.5]", "shape is not"},
        {"\"zero_point\":-2147483649", "zero_point is not"},
        {"\"sha256\":\"" HASH HASH "\"", NULL},
        {"\"sha256\":[\"" HASH HASH "\",\"" HASH "\"]", "sha256 is not"},
        {"\"sha256\":\"" HASH HASH "0\"", "sha256 is not a SHA-256"},
        {"\"sha256\":\"0123456789ABCDEF0123456789abcdef" HASH "\"", "sha256 is not a SHA-256"},
        {"\"build_id\":\"" HASH "\"", NULL},
        {"\"build_id\":\"zz\"", "build_id is not a build id"},
        {"\"started\":\"2024-02-29T23:59:60Z\"", NULL},
        {"\"started\":\"2026-02-29T00:00:00Z\"", "started is not a time"},
        {"\"started\":\"9999-99-99T99:99:99Z\"", "started is not a time"},
        {"\"started\":\"2026-00-01T00:00:00Z\"", "started is not a time"},
        {"\"started\":\"2026-01-31T24:00:00Z\"", "started is not a time"},
        {"\"started\":\"2026-01-31T00:00:00Zx\"", "started is not a time"},
        {"\"started\":20260131", "started is not a time"},
        {"\"labels\":{\"sha256\":\"x\",\"run\":\"-1\"}", NULL},
    };
#undef HASH
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *text =
            rp_format(&unit->arena, "{\"schema_version\":3,\"memory\":{},%s}", rows[i].member);
        if (rows[i].said == NULL)
            ACCEPTED(unit, is_read(unit, text));
        else
            REFUSED(unit, is_read(unit, text), RP_E_INPUT, rows[i].said);
    }
    REFUSED(unit, is_read(unit, "{\"schema_version\":3,\"memory\":{\"flash\":-5}}"), RP_E_INPUT,
            "memory.flash is not");
    REFUSED(unit, is_read(unit, "{\"schema_version\":3,\"memory\":{\"flash\":[]}}"), RP_E_INPUT,
            "memory.flash is not");
    REFUSED(unit, is_read(unit, "{\"schema_version\":3,\"memory\":{\"static\":{\"ram\":-5}}}"),
            RP_E_INPUT, "memory.static.ram is not");
    ACCEPTED(unit, is_read(unit, "{\"schema_version\":3,\"memory\":{\"static\":{\"delta_ram\":-5,"
                                 "\"ram\":4294967295}}}"));
}

/* Readers look for the section of each use and symbol, so there are not arbitrarily many. */
static void lists_have_limits(void **state) {
    struct unit *unit = *state;
    static const char *const names[] = {"use", "sections"};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t rows = 256; rows <= 257; rows++) {
            char *text = rp_alloc(&unit->arena, 2000, 1), *at = text;
            at += sprintf(at, "{\"schema_version\":3,\"memory\":{},\"%s\":[{}", names[i]);
            for (size_t k = 1; k < rows; k++)
                at = stpcpy(at, ",{}");
            strcpy(at, "]}");
            if (rows == 256)
                ACCEPTED(unit, is_read(unit, text));
            else
                REFUSED(unit, is_read(unit, text), RP_E_INPUT, "a list of at most 256 rows");
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(kinds_have_a_member_each),
        UNIT(versions_are_known),
        UNIT(members_have_limits),
        UNIT(lists_have_limits),
    };
    return RUN(tests);
}
