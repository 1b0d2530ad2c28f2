/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of cli/generate/around.h and known.h: whatever may be read in the place of a file
 * changes the text, and nothing else does.
 */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/generate/around.h"

/* "a/x.h" was read in the second of two folders; "y.h" and "../z.h" were looked for. */
static const char *text_of(struct unit *u) {
    struct rp_around around = {.arena = &u->arena};
    struct rp_buf text = {.arena = &u->arena};
    struct rp_known known;
    rp_known_begin(&known, &u->arena);
    RP_PUSH_WORDS(&u->arena, &around.searched, unit_path(u, "first/in"), unit_path(u, "second"));
    rp_strings_push(&u->arena, &around.read, unit_path(u, "second/a/x.h"));
    RP_PUSH_WORDS(&u->arena, &around.ends, "y.h", "../z.h", unit_path(u, "abs.h"));
    rp_strings_push(&u->arena, &around.wrote, unit_path(u, "second/y.h"));
    assert_null(rp_around_describe(&text, &around, &known, NULL, NULL));
    return rp_buf_text(&text);
}

static void begin(struct unit *u) {
    ACCEPTED(u, rp_make_dirs(unit_path(u, "first/in"), &u->err));
    ACCEPTED(u, rp_make_dirs(unit_path(u, "second/a"), &u->err));
    unit_text(u, "second/a/x.h", "");
}

static void sees_what_comes_first(void **state) {
    struct unit *u = *state;
    static const char *const comes[] = {"first/in/x.h",     "second/x.h",    "first/in/y.h",
                                        "second/y.h.gch",   "first/z.h",     "abs.h",
                                        "second/a/x.h.gch", "first/in/a/x.h"};
    static const char *const others[] = {"second/a/y.h", "first/x.h", "second/b/x.h",
                                         "second/y.h" /* an output */};
    begin(u);
    const char *before = text_of(u);
    for (size_t i = 0; i < COUNT(comes); i++) {
        ACCEPTED(u, rp_make_dirs(unit_path(u, "first/in/a"), &u->err));
        unit_text(u, comes[i], "");
        assert_string_not_equal(text_of(u), before);
        assert_int_equal(unlink(unit_path(u, comes[i])), 0);
        assert_string_equal(text_of(u), before);
    }
    ACCEPTED(u, rp_make_dirs(unit_path(u, "second/b"), &u->err));
    for (size_t i = 0; i < COUNT(others); i++) {
        unit_text(u, others[i], "");
        assert_string_equal(text_of(u), before);
    }
}

static void follows_links(void **state) {
    struct unit *u = *state;
    begin(u);
    unit_text(u, "one.h", "");
    unit_text(u, "two.h", "");
    ACCEPTED(u, rp_make_dirs(unit_path(u, "other/in"), &u->err));
    assert_int_equal(symlink("../one.h", unit_path(u, "second/x.h")), 0);
    const char *before = text_of(u);
    assert_int_equal(unlink(unit_path(u, "second/x.h")), 0);
    assert_int_equal(symlink("../two.h", unit_path(u, "second/x.h")), 0);
    assert_string_not_equal(text_of(u), before);
    before = text_of(u);
    assert_int_equal(unlink(unit_path(u, "two.h")), 0); /* a link to nothing */
    assert_string_not_equal(text_of(u), before);
    before = text_of(u);
    assert_int_equal(rename(unit_path(u, "first"), unit_path(u, "was_first")), 0);
    assert_int_equal(symlink("other", unit_path(u, "first")), 0); /* in the middle of a path */
    assert_string_not_equal(text_of(u), before);
    before = text_of(u);
    assert_int_equal(unlink(unit_path(u, "first")), 0);
    assert_string_not_equal(text_of(u), before);
}

/* With one known for many, the order in which stamps are looked at does not matter. */
static void shares_what_is_known(void **state) {
    struct unit *u = *state;
    struct rp_known known;
    const char *texts[2][3] = {{0}};
    begin(u);
    unit_text(u, "first/in/x.h", "");
    unit_text(u, "second/x.h", "");
    rp_known_begin(&known, &u->arena);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3; i++) {
            struct rp_around around = {.arena = &u->arena};
            struct rp_buf text = {.arena = &u->arena};
            int which = round == 0 ? i : 2 - i;
            if (which != 0)
                rp_strings_push(&u->arena, &around.searched, unit_path(u, "second"));
            if (which != 1)
                rp_strings_push(&u->arena, &around.searched, unit_path(u, "first/in"));
            rp_strings_push(&u->arena, &around.ends, "x.h");
            assert_null(rp_around_describe(&text, &around, &known, NULL, NULL));
            texts[round][which] = rp_buf_text(&text);
        }
    for (int i = 0; i < 3; i++)
        assert_string_equal(texts[0][i], texts[1][i]);
    assert_string_not_equal(texts[0][0], texts[0][2]);
}

/* Names below a folder that --source names; of hidden ones sources only, which it takes as well. */
static void lists_roots(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *path;
        bool counts;
    } comes[] = {
        {"root/a.h", true},        {"root/b/c.c", true},     {"root/.hidden.c", true},
        {"root/.git/x/k.c", true}, {"root/.git/x/k", false}, {"root/.a.c.swp", false},
    };
    ACCEPTED(u, rp_make_dirs(unit_path(u, "root/.git/x"), &u->err));
    ACCEPTED(u, rp_make_dirs(unit_path(u, "root/b"), &u->err));
    const char *before = NULL;
    for (size_t i = 0; i <= COUNT(comes); i++) {
        struct rp_around around = {.arena = &u->arena};
        struct rp_buf text = {.arena = &u->arena};
        struct rp_known known;
        rp_known_begin(&known, &u->arena);
        rp_strings_push(&u->arena, &around.roots, unit_path(u, "root"));
        assert_null(rp_around_describe(&text, &around, &known, NULL, NULL));
        if (i != 0 && comes[i - 1].counts)
            assert_string_not_equal(rp_buf_text(&text), before);
        else if (i != 0)
            assert_string_equal(rp_buf_text(&text), before);
        before = rp_buf_text(&text);
        if (i < COUNT(comes))
            unit_text(u, comes[i].path, "");
    }
}

/* Files in it may be found by those who know their names. */
static void says_what_cannot_be_listed(void **state) {
    struct unit *u = *state;
    struct rp_around around = {.arena = &u->arena};
    struct rp_buf text = {.arena = &u->arena};
    struct rp_known known;
    const char *loop = unit_path(u, "loop");
    assert_int_equal(symlink("loop", loop), 0);
    rp_known_begin(&known, &u->arena);
    rp_strings_push(&u->arena, &around.searched, loop);
    assert_string_equal(rp_around_describe(&text, &around, &known, NULL, NULL), loop);
    around.searched = (struct rp_strings){0};
    rp_strings_push(&u->arena, &around.roots, loop);
    assert_string_equal(rp_around_describe(&text, &around, &known, NULL, NULL), loop);
}

static void knows_when_a_time_can_be_trusted(void **state) {
    (void)state;
    const struct timespec moment = {.tv_sec = 100, .tv_nsec = 5};
    static const struct {
        struct timespec changed;
        bool settled;
    } cases[] = {
        {{100, 4}, true},  {{100, 5}, false}, {{100, 6}, false}, {{99, 999999999}, true},
        {{101, 1}, false}, {{100, 0}, false}, {{99, 0}, false},  {{98, 0}, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(rp_known_is_settled(&cases[i].changed, &moment), cases[i].settled);
}

static void knows_contents(void **state) {
    struct unit *u = *state;
    struct rp_known known;
    rp_known_begin(&known, &u->arena);
    unit_text(u, "x", "abc");
    assert_int_equal(link(unit_path(u, "x"), unit_path(u, "y")), 0);
    const char *sum = rp_known_sum(&known, unit_path(u, "x"));
    assert_string_equal(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_ptr_equal(rp_known_sum(&known, unit_path(u, "y")), sum); /* not read again */
    assert_string_equal(rp_known_sum(&known, unit_path(u, "none")), "-");
    assert_int_equal(rp_known_file(&known, unit_path(u, "none"))->kind, '-');
    assert_int_equal(rp_known_file(&known, unit_path(u, "."))->kind, 'd');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(sees_what_comes_first), UNIT(follows_links),
        UNIT(shares_what_is_known),  UNIT(knows_when_a_time_can_be_trusted),
        UNIT(lists_roots),           UNIT(says_what_cannot_be_listed),
        UNIT(knows_contents),
    };
    return RUN(tests);
}
