/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/buf: growth, termination, little-endian words, alignment. */
#include "tests/unit/unit.h"

#include "base/buf.h"

static void appends_and_terminates(void **state) {
    struct unit *u = *state;
    struct rp_buf buf = {.arena = &u->arena};
    for (unsigned i = 0; i < 3000; i++) {
        unsigned char byte = (unsigned char)i;
        rp_buf_append(&buf, &byte, 1);
        assert_int_equal(buf.len, i + 1);
        assert_int_equal(buf.data[buf.len], 0);
    }
    for (unsigned i = 0; i < 3000; i++)
        assert_int_equal((unsigned char)buf.data[i], (unsigned char)i);
}

/*
 * The first growth ends at 256: tests lengths around it and around its doubles, with text and its 0
 * in bounds.
 */
static void grows_at_every_length(void **state) {
    struct unit *u = *state;
    for (size_t len = 0; len < 1100; len++) {
        struct rp_buf whole = {.arena = &u->arena}, parts = {.arena = &u->arena};
        char *text = malloc(len + 1);
        assert_non_null(text);
        memset(text, 'x', len);
        text[len] = '\0';
        rp_buf_append(&whole, text, len);
        rp_buf_printf(&parts, "%s", text);
        rp_buf_puts(&parts, text);
        assert_int_equal(whole.len, len);
        assert_int_equal(parts.len, 2 * len);
        assert_int_equal(strlen(parts.data), 2 * len);
        assert_string_equal(whole.data, text);
        free(text);
    }
}

static void keeps_zero_bytes(void **state) {
    struct unit *u = *state;
    struct rp_buf buf = {.arena = &u->arena};
    rp_buf_append(&buf, "a\0b", 3);
    rp_buf_append(&buf, NULL, 0);
    assert_int_equal(buf.len, 3);
    assert_memory_equal(buf.data, "a\0b", 4);
}

static void prints(void **state) {
    struct unit *u = *state;
    struct rp_buf buf = {.arena = &u->arena};
    rp_buf_printf(&buf, "%s", "");
    assert_string_equal(buf.data, "");
    rp_buf_printf(&buf, "%u %s", 42u, "bytes");
    rp_buf_printf(&buf, "%5000d", 1);
    assert_int_equal(buf.len, 8 + 5000);
    assert_memory_equal(buf.data, "42 bytes  ", 10);
}

static void writes_words_little_endian(void **state) {
    static const unsigned char want[] = {0x4E, 0x42, 0x49, 0x4E, 0xFF, 0xFF,
                                         0xFF, 0xFF, 1,    0,    0,    0x80};
    struct unit *u = *state;
    struct rp_buf buf = {.arena = &u->arena};
    rp_buf_le32(&buf, 0x4E49424E);
    rp_buf_le32(&buf, UINT32_MAX);
    rp_buf_le32(&buf, 0x80000001);
    assert_int_equal(buf.len, sizeof want);
    assert_memory_equal(buf.data, want, sizeof want);
}

static void reads_words_at_any_address(void **state) {
    (void)state;
    unsigned char *bytes = unit_exact("\1\2\3\4\xF5\xF6\xF7\xF8", 8);
    assert_int_equal(rp_get_le32(bytes), 0x04030201);
    assert_int_equal(rp_get_le32(bytes + 3), 0xF7F6F504);
    assert_int_equal(rp_get_le32(bytes + 4), 0xF8F7F6F5);
    rp_put_le32(bytes + 1, 0xA1B2C3D4);
    assert_memory_equal(bytes, "\1\xD4\xC3\xB2\xA1\xF6\xF7\xF8", 8);
    free(bytes);
}

static void aligns(void **state) {
    struct unit *u = *state;
    for (size_t align = 1; align <= 64; align *= 2)
        for (size_t start = 0; start < 70; start++) {
            struct rp_buf buf = {.arena = &u->arena};
            for (size_t i = 0; i < start; i++)
                rp_buf_append(&buf, "-", 1);
            rp_buf_align(&buf, align, 0xEE);
            assert_int_equal(buf.len % align, 0);
            assert_true(buf.len >= start && buf.len - start < align);
            for (size_t i = 0; i < buf.len; i++)
                assert_int_equal((unsigned char)buf.data[i], i < start ? '-' : 0xEE);
        }
}

/* RFC 4180; and no cell is a formula. */
static void quotes_cells(void **state) {
    struct unit *u = *state;
    struct rp_buf buf = {.arena = &u->arena};
    rp_buf_csv(&buf, "a \"b\", c");
    rp_buf_csv(&buf, "");
    rp_buf_csv(&buf, "=1+1");
    assert_string_equal(rp_buf_text(&buf), "\"a \"\"b\"\", c\"\"\"\"'=1+1\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(appends_and_terminates),
        UNIT(grows_at_every_length),
        UNIT(keeps_zero_bytes),
        UNIT(prints),
        UNIT(writes_words_little_endian),
        cmocka_unit_test(reads_words_at_any_address),
        UNIT(aligns),
        UNIT(quotes_cells),
    };
    return RUN(tests);
}
