/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/field: bytes as GNU as wrote them, and as GNU ld linked them. */
#include "tests/unit/unit.h"

#include "elfpack/check/field.h"

#define SYMBOL UINT32_C(0x8000ABCC)
enum { FUNCTION = 0x20123456, LITERAL = 0x2000014C, NEAR = 0x2000014A };

struct vector {
    uint32_t type; /* R_ARM_* */
    uint32_t place;
    uint32_t target;
    bool thumb;
    uint8_t size;
    uint8_t object[4];
    uint8_t linked[4];
};

static const struct vector vectors[] = {
    {10, 0x20000100, FUNCTION, 1, 4, {0xFF, 0xF7, 0xFE, 0xFF}, {0x23, 0xF1, 0xA9, 0xF9}},
    {30, 0x20000104, FUNCTION, 1, 4, {0xFF, 0xF7, 0xFE, 0xBF}, {0x23, 0xF1, 0xA7, 0xB9}},
    {51, 0x20000108, 0x20000150, 1, 4, {0x7F, 0xF4, 0xFE, 0xAF}, {0x40, 0xF0, 0x22, 0x80}},
    {47, 0x2000010C, SYMBOL, 0, 4, {0x40, 0xF2, 0x04, 0x01}, {0x4A, 0xF6, 0xD0, 0x31}},
    {48, 0x20000110, SYMBOL, 0, 4, {0xC0, 0xF2, 0x04, 0x01}, {0xC8, 0xF2, 0x00, 0x01}},
    {47, 0x20000114, FUNCTION, 1, 4, {0x40, 0xF2, 0x00, 0x02}, {0x43, 0xF2, 0x57, 0x42}},
    {49, 0x20000118, SYMBOL, 0, 4, {0x40, 0xF2, 0x04, 0x03}, {0x4A, 0xF6, 0xB8, 0x23}},
    {50, 0x2000011C, SYMBOL, 0, 4, {0xC0, 0xF2, 0x04, 0x03}, {0xC6, 0xF2, 0x00, 0x03}},
    {54, 0x20000120, LITERAL, 0, 4, {0x5F, 0xF8, 0x04, 0x40}, {0xDF, 0xF8, 0x28, 0x40}},
    {11, 0x20000124, LITERAL, 0, 2, {0x01, 0x4D}, {0x0B, 0x4D}},
    {102, 0x20000126, NEAR, 0, 2, {0xFF, 0xE7}, {0x11, 0xE0}},
    {103, 0x20000128, NEAR, 0, 2, {0xFF, 0xD1}, {0x10, 0xD1}},
    {53, 0x2000012A, LITERAL, 0, 4, {0x0F, 0xF2, 0x02, 0x06}, {0x0F, 0xF2, 0x26, 0x06}},
    {52, 0x2000012E, NEAR, 0, 2, {0x00, 0xB1}, {0x70, 0xB1}},
    {2, 0x20000132, SYMBOL, 0, 4, {8, 0, 0, 0}, {0xD4, 0xAB, 0x00, 0x80}},
    {2, 0x20000136, FUNCTION, 1, 4, {0, 0, 0, 0}, {0x57, 0x34, 0x12, 0x20}},
    {3, 0x2000013A, SYMBOL, 0, 4, {0, 0, 0, 0}, {0x92, 0xAA, 0x00, 0x60}},
    {3, 0x2000013E, FUNCTION, 1, 4, {2, 0, 0, 0}, {0x1B, 0x33, 0x12, 0x00}},
    {5, 0x20000142, 0x45, 0, 2, {0, 0}, {0x45, 0x00}},
    {8, 0x20000144, 0x45, 0, 1, {3}, {0x48}},
    {42, 0x20000146, FUNCTION, 1, 4, {0, 0, 0, 0x80}, {0x11, 0x33, 0x12, 0x80}},
};

static uint32_t value_of(const struct vector *v) {
    uint32_t place = rp_field_rounds_place(v->type) ? v->place & ~3u : v->place;
    uint32_t value = (v->target + (uint32_t)rp_field_addend(v->type, v->object)) | v->thumb;
    return rp_field_kind(v->type) == RP_FIELD_PC ? value - place : value;
}

static void puts_what_the_linker_puts(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(vectors); i++) {
        const struct vector *v = &vectors[i];
        uint8_t bytes[4];
        assert_int_equal(rp_field_size(v->type), v->size);
        memcpy(bytes, v->object, sizeof bytes);
        assert_true(rp_field_put(v->type, bytes, value_of(v)));
        assert_memory_equal(bytes, v->linked, v->size);
    }
}

/* The old contents of the field do not matter; the rest of the instruction stays. */
static void changes_the_field_only(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(vectors); i++) {
        const struct vector *v = &vectors[i];
        uint8_t bytes[4];
        memcpy(bytes, v->linked, sizeof bytes);
        assert_true(rp_field_put(v->type, bytes, value_of(v)));
        assert_memory_equal(bytes, v->linked, v->size);
    }
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    static const struct {
        uint32_t type;
        int64_t last; /* that fits, and the step to the next */
        int64_t step;
    } cases[] = {
        {10, (1 << 24) - 2, 2},
        {10, -(1 << 24), -2},
        {30, (1 << 24) - 2, 2},
        {51, (1 << 20) - 2, 2},
        {51, -(1 << 20), -2},
        {102, (1 << 11) - 2, 2},
        {102, -(1 << 11), -2},
        {103, (1 << 8) - 2, 2},
        {103, -(1 << 8), -2},
        {52, (1 << 7) - 2, 2},
        {52, 0, -2},
        {11, 1020, 4},
        {11, 0, -4},
        {11, 4, 1},
        {54, 4095, 1},
        {54, -4095, -1},
        {53, 4095, 1},
        {53, -4095, -1},
        {5, 65535, 1},
        {5, -32768, -1},
        {8, 255, 1},
        {8, -128, -1},
        {42, (1 << 30) - 1, 1},
        {42, -(1 << 30), -1},
        {89, 65535, 1},
        {89, 0, -1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t bytes[4] = {0};
        assert_true(rp_field_put(cases[i].type, bytes, (uint32_t)cases[i].last));
        assert_false(rp_field_put(cases[i].type, bytes, (uint32_t)(cases[i].last + cases[i].step)));
    }
}

static void knows_what_it_knows(void **state) {
    (void)state;
    static const uint32_t marks[] = {0, 40, 100, 101},
                          unknown[] = {1, 4, 13, 97, 104, 132, 136, 255};
    static const uint32_t branches[] = {10, 30, 51, 52, 102, 103};
    for (size_t i = 0; i < COUNT(marks); i++) {
        assert_int_equal(rp_field_kind(marks[i]), RP_FIELD_NONE);
        assert_int_equal(rp_field_size(marks[i]), 0);
    }
    for (size_t i = 0; i < COUNT(unknown); i++)
        assert_int_equal(rp_field_kind(unknown[i]), RP_FIELD_UNKNOWN);
    for (uint32_t type = 0; type < 256; type++) {
        bool branch = false;
        for (size_t i = 0; i < COUNT(branches); i++)
            branch = branch || branches[i] == type;
        assert_int_equal(rp_field_is_branch(type), branch);
        assert_true(rp_field_size(type) <= RP_FIELD_MAX);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(puts_what_the_linker_puts),
        UNIT(changes_the_field_only),
        UNIT(refuses_what_does_not_fit),
        UNIT(knows_what_it_knows),
    };
    return RUN(tests);
}
