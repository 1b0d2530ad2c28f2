/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/dialects/glow_header: the contents of bundle headers, and contradictions
 * in them.
 */
#include "tests/unit/unit.h"

#include "toolchain/dialects/glow_header.h"

static struct rp_glow glow;

static bool parse(struct unit *u, const char *text) {
    size_t len = strlen(text);
    char *exact = unit_exact(text, len);
    const struct rp_glow_text source = {"toy.h", exact, len};
    bool ok = rp_glow_parse(&glow, &u->arena, &source, &u->err) && rp_glow_check(&glow, &u->err);
    free(exact);
    return ok;
}

#define SIZES                                                                                      \
    "#define TOY_CONSTANT_MEM_SIZE 128 // bytes\n#define TOY_MUTABLE_MEM_SIZE (2 * 64u)\n"         \
    "# define TOY_ACTIVATIONS_MEM_SIZE /* none */ 0\n#define TOY_MEM_ALIGN 64\n"
#define ENTRY  "void Toy(uint8_t *constantWeight, uint8_t *, uint8_t *activations);\n"
#define TENSOR "//   Name: \"%s\"\n//   Type: %s\n//   Offset: %u (bytes)\n"

static void reads_everything(void **state) {
    struct unit *u = *state;
    ACCEPTED(u,
             parse(u, "/* Glow Tools version: 1.2\n * Name: \"y\"\n * Type: float\n"
                      " * Shape: [1, 4]\n * Size: 4 (elements)\n * Size: 16 (bytes)\n */\n"
                      "//   Name: \"x\"\n//   Type: i8[S:0.5 O:-3][-1.0,1.0]<2 x 3>\n"
                      "//   Offset: 0 (bytes)\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                      "#define TOY_x 0\n#define TOY_y 64\n" SIZES ENTRY "#ifdef x\n}\n#endif\n"));
    assert_string_equal(glow.prefix, "TOY");
    assert_string_equal(glow.entry, "Toy");
    assert_string_equal(glow.version, "1.2");
    assert_false(glow.returns_int);
    assert_int_equal(glow.constant_size, 128);
    assert_int_equal(glow.mutable_size, 128);
    assert_int_equal(glow.activations_size, 0);
    assert_int_equal(glow.align, 64);
    assert_int_equal(glow.tensors.count, 2);
    const struct rp_glow_tensor *x = &glow.tensors.items[0], *y = &glow.tensors.items[1];
    assert_string_equal(x->tensor.name, "x");
    assert_string_equal(x->tensor.dtype->name, "int8");
    assert_int_equal(x->tensor.zero_point, -3);
    assert_true(x->tensor.quantised && x->tensor.scale > 0.49 && x->tensor.scale < 0.51);
    assert_int_equal(x->size, 6);
    assert_int_equal(y->offset, 64);
    assert_int_equal(y->size, 16);
    assert_int_equal(y->tensor.shape[1], 4);
}

static bool two(struct unit *u, const char *first, const char *second) {
    return parse(u, rp_format(&u->arena, TENSOR TENSOR "%s", first, "float<4>", 0u, second,
                              "float<4>", 64u, SIZES ENTRY));
}

static void directs_by_names(void **state) {
    struct unit *u = *state;
    const struct {
        const char *first, *second;
        bool ok;
    } cases[] = {
        {"data", "softmax", true}, {"a", "b", true},        {"acceleration", "Identity", true},
        {"Identity", "x", false},  {"x", "Input_1", false}, {"softmax", "data", false},
        {"data", "image", false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ACCEPTED(u, two(u, cases[i].first, cases[i].second));
        if (!cases[i].ok) {
            REFUSED(u, rp_glow_direct(&glow, &u->err), RP_E_ENTRY, "which tensors are inputs");
            continue;
        }
        ACCEPTED(u, rp_glow_direct(&glow, &u->err));
        assert_int_equal(glow.tensors.items[0].direction, RP_GLOW_INPUT);
        assert_int_equal(glow.tensors.items[1].direction, RP_GLOW_OUTPUT);
    }
}

static void takes_offsets_from_macros_alone(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, parse(u, "#define TOY_b 64\n#define TOY_a 0\n#define TOYS 9\n" SIZES ENTRY));
    assert_int_equal(glow.tensors.count, 2);
    assert_string_equal(glow.tensors.items[0].tensor.name, "a");
    assert_null(glow.tensors.items[0].type);
    assert_null(glow.tensors.items[0].tensor.dtype);
}

static void refuses_what_contradicts(void **state) {
    struct unit *u = *state;
    const char *const cases[][2] = {
        {"", "CONSTANT_MEM_SIZE"},
        {SIZES, "names no tensor"},
        {SIZES "#define TOY_x 0\n", "uint8_t *constantWeight"},
        {SIZES "#define TOY_x 200\n" ENTRY, "TOY_x"},
        {SIZES "#define TOY_x 0\n#define TOY_x 4\n" ENTRY, "is 4 here and 0 in line 5"},
        {SIZES "#define TOY_x 0\n" ENTRY "int b(uint8_t *, uint8_t *, uint8_t *);", "two bundles"},
        {SIZES "// Name: \"a b\"\n" ENTRY, "identifier"},
        {SIZES "// Name: \"a\"\n// Type: float<0>\n" ENTRY, "not understood"},
        {SIZES "// Name: \"a\"\n// Type: float<4 x>\n" ENTRY, "not understood"},
        {SIZES "// Name: \"a\"\n// Type: ui8[S:0.5 O:-1][0,1]<4>\n" ENTRY, "not understood"},
        {SIZES "// Name: \"a\"\n// Type: float<4>\n// Size: four (bytes)\n" ENTRY,
         "not understood"},
        {SIZES "// Name: \"a\"\n// Type: float<4>\n" ENTRY, "no offset"},
        {SIZES "// Name: \"a\"\n// Type: float<4>\n// Offset: 120 (bytes)\n" ENTRY, "does not fit"},
        {SIZES "/* never", "not closed"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, parse(u, cases[i][0]), RP_E_INPUT, cases[i][1]);
    REFUSED(u, parse(u, SIZES "#define X_CONSTANT_MEM_SIZE 1\n"), RP_E_INPUT, "two bundles");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_everything),
        UNIT(directs_by_names),
        UNIT(takes_offsets_from_macros_alone),
        UNIT(refuses_what_contradicts),
    };
    return RUN(tests);
}
