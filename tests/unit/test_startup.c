/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/startup: constructors of archive members that are in the image. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/image/layout.h"
#include "elfpack/elf/startup.h"
#include "tests/unit/elf_builder.h"
#include "tests/unit/sample.h"

enum { ENTRY = 0x20000064 };

/* One section of a member. */
struct extra {
    const char *name;
    uint32_t flags, size;
};

static void put_member(struct rp_buf *archive, const char *name, const struct extra *extra) {
    struct elf_builder eb;
    struct rp_buf object = {.arena = archive->arena};
    eb_begin(&eb, ET_REL);
    eb_section(&eb, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 8);
    eb_section(&eb, extra->name, SHT_PROGBITS, extra->flags, extra->size);
    eb_write(&eb, &object);
    ar_member(archive, name, object.data, object.len);
}

/* lib.a(bad.o) has the section, lib.a(good.o) does not. The image has these parts. */
static bool check(struct unit *u, const struct extra *extra, struct rp_contribution *parts,
                  size_t count) {
    static const struct extra plain = {".data", SHF_ALLOC | SHF_WRITE, 4};
    struct rp_buf archive = {.arena = &u->arena};
    struct sample s;
    struct rp_layout layout;
    const struct rp_linkmap map = {.items = parts, .count = count};
    ar_begin(&archive);
    put_member(&archive, "good.o", &plain);
    put_member(&archive, "bad.o", extra);
    char *path = unit_write(u, "lib.a", archive.data, archive.len);
    for (size_t i = 0; i < count; i++)
        if (parts[i].member != NULL)
            parts[i].file = path;
    sample_make(&s);
    assert_true(rp_layout_make(
        &layout, &u->arena,
        &(struct rp_linked){.elf = &s.elf, .map = &map, .format = &rp_format_cortex_m}, &u->err));
    bool ok = rp_startup_check(&s.elf, &u->arena, &map, &u->err);
    sample_free(&s);
    return ok;
}

static void refuses_constructors_in_use(void **state) {
    struct unit *u = *state;
    enum { A = SHF_ALLOC | SHF_WRITE };
    static const struct {
        struct extra extra;
        const char *part; /* NULL: taken */
        enum rp_error_id id;
    } cases[] = {
        {{".init_array", A, 4}, "section '.init_array' holds constructors", RP_E_INIT_ARRAY},
        {{".ctors.65535", A, 4}, "section '.ctors.65535' holds constructors", RP_E_INIT_ARRAY},
        {{".fini_array", A, 4}, "section '.fini_array'", RP_E_INIT_ARRAY},
        {{".tdata", A | SHF_TLS, 4}, "section '.tdata' holds thread-local", RP_E_TLS},
        {{".init_array", A, 0}},
        {{".init_array", 0, 4}},
        {{".data.x", A, 4}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_contribution part = {".text", ENTRY, 32, "", "bad.o"};
        if (cases[i].part == NULL) {
            ACCEPTED(u, check(u, &cases[i].extra, &part, 1));
            continue;
        }
        REFUSED(u, check(u, &cases[i].extra, &part, 1), cases[i].id, cases[i].part);
        REFUSED(u, check(u, &cases[i].extra, &part, 1), cases[i].id, "lib.a(bad.o): ");
        REFUSED(u, check(u, &cases[i].extra, &part, 1), cases[i].id,
                "the image uses 'entry' of this");
    }
}

/* Only what is in the image counts. The message names code rather than data of a member. */
static void asks_what_is_in_the_image(void **state) {
    struct unit *u = *state;
    static const struct extra extra = {".init_array", SHF_ALLOC | SHF_WRITE, 4};
    struct rp_contribution other[] = {{".text", ENTRY, 32, "", "good.o"}};
    ACCEPTED(u, check(u, &extra, other, COUNT(other)));
    struct rp_contribution object[] = {{".text", ENTRY, 32, "bad.o", NULL}};
    ACCEPTED(u, check(u, &extra, object, COUNT(object)));
    struct rp_contribution attributes[] = {{".ARM.attributes", 0, 32, "", "bad.o"},
                                           {".text", ENTRY, 32, "", "good.o"}};
    ACCEPTED(u, check(u, &extra, attributes, COUNT(attributes)));
    struct rp_contribution both[] = {{".text", ENTRY, 32, "", "good.o"},
                                     {".rodata", 0x20000084, 5, "", "bad.o"},
                                     {".data", 0x80000000, 16, "", "bad.o"}};
    REFUSED(u, check(u, &extra, both, COUNT(both)), RP_E_INIT_ARRAY,
            "the image uses 'name' of this");
    struct rp_contribution first[] = {{".ARM.attributes", 0, 32, "", "bad.o"},
                                      {".rodata", 0x20000084, 5, "", "bad.o"}};
    REFUSED(u, check(u, &extra, first, COUNT(first)), RP_E_INIT_ARRAY,
            "the image uses 'name' of this");
    struct rp_contribution late[] = {{".rodata", 0x20000060, 4, "", "bad.o"},
                                     {".text", ENTRY, 32, "", "bad.o"}};
    REFUSED(u, check(u, &extra, late, COUNT(late)), RP_E_INIT_ARRAY,
            "the image uses 'entry' of this");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(refuses_constructors_in_use),
        UNIT(asks_what_is_in_the_image),
    };
    return RUN(tests);
}
