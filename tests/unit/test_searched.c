/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/compile/searched.h: whatever changes in a folder tree changes the text.
 */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "toolchain/compile/searched.h"

static bool text_of(struct unit *u, struct rp_buf *names) {
    *names = (struct rp_buf){.arena = &u->arena};
    return rp_searched_names(names, unit_path(u, "d"));
}

static void lists_a_tree(void **state) {
    struct unit *u = *state;
    static const char want[] = "\0fa\nb\0da b\0fa b/c.h\0-gone\0dlink\0flink/c.h";
    struct rp_buf names;
    assert_true(text_of(u, &names)); /* no such folder */
    assert_int_equal(names.len, 1);
    ACCEPTED(u, rp_make_dirs(unit_path(u, "d/a b"), &u->err));
    unit_text(u, "d/a\nb", "");
    unit_text(u, "d/a b/c.h", "");
    assert_int_equal(symlink("nowhere", unit_path(u, "d/gone")), 0);
    assert_int_equal(symlink("a b", unit_path(u, "d/link")), 0);
    assert_true(text_of(u, &names));
    assert_int_equal(names.len, sizeof want);
    assert_memory_equal(names.data, want, sizeof want);
}

static void sees_each_change(void **state) {
    struct unit *u = *state;
    struct rp_buf before, after;
    ACCEPTED(u, rp_make_dirs(unit_path(u, "d/sub"), &u->err));
    unit_text(u, "d/x.h", "1");
    assert_int_equal(symlink("y.h", unit_path(u, "d/link.h")), 0);
    assert_true(text_of(u, &before));
    unit_text(u, "d/x.h", "2"); /* contents are compared by others */
    assert_true(text_of(u, &after));
    assert_int_equal(after.len, before.len);
    assert_memory_equal(after.data, before.data, after.len);
    unit_text(u, "d/sub/x.h", "");
    assert_true(text_of(u, &after));
    assert_true(after.len != before.len);
    assert_int_equal(unlink(unit_path(u, "d/sub/x.h")), 0);
    unit_text(u, "y.h", "");
    assert_int_equal(rename(unit_path(u, "y.h"), unit_path(u, "d/y.h")), 0);
    assert_int_equal(unlink(unit_path(u, "d/x.h")), 0); /* as many names; link.h is a file now */
    assert_true(text_of(u, &after));
    assert_int_equal(after.len, before.len);
    assert_true(memcmp(after.data, before.data, after.len) != 0);
}

static void gives_up(void **state) {
    struct unit *u = *state;
    struct rp_buf names;
    ACCEPTED(u, rp_make_dirs(unit_path(u, "d/sub"), &u->err));
    assert_int_equal(symlink("..", unit_path(u, "d/sub/up")), 0); /* a circle: it ends */
    assert_true(text_of(u, &names));
    for (unsigned i = 0; i <= RP_SEARCHED_MAX; i++)
        unit_text(u, rp_format(&u->arena, "d/%u", i), "");
    assert_false(text_of(u, &names));
    unit_text(u, "file", "");
    names = (struct rp_buf){.arena = &u->arena};
    assert_false(rp_searched_names(&names, unit_path(u, "file"))); /* it is no folder */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(lists_a_tree),
        UNIT(sees_each_change),
        UNIT(gives_up),
    };
    return RUN(tests);
}
