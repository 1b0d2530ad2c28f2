/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/model.h, build/series.h, calls/calls.h and calls/glue.h. */
#include "tests/unit/unit.h"

#include "runtime/format/reloc_format.h"
#include "toolchain/dialect.h"
#include "toolchain/calls/entry.h"
#include "toolchain/calls/manifest.h"
#include "toolchain/calls/calls.h"
#include "toolchain/calls/glue.h"
#include "toolchain/compile/series.h"

static void knows_dtypes(void **state) {
    (void)state;
    static const struct {
        const char *name, *c_type;
        uint32_t size;
        bool is_float, is_signed;
    } cases[] = {{"float32", "float", 4, true, true},  {"float64", "double", 8, true, true},
                 {"int8", "int8_t", 1, false, true},   {"uint8", "uint8_t", 1, false, false},
                 {"int16", "int16_t", 2, false, true}, {"uint16", "uint16_t", 2, false, false},
                 {"int32", "int32_t", 4, false, true}, {"uint32", "uint32_t", 4, false, false},
                 {"int64", "int64_t", 8, false, true}, {"uint64", "uint64_t", 8, false, false},
                 {"bool", "_Bool", 1, false, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_dtype *dtype = rp_dtype_find(cases[i].name);
        assert_non_null(dtype);
        assert_ptr_equal(dtype, rp_dtype_find(cases[i].c_type));
        assert_string_equal(dtype->name, cases[i].name);
        assert_int_equal(dtype->size_bytes, cases[i].size);
        assert_int_equal(dtype->is_float, cases[i].is_float);
        assert_int_equal(dtype->is_signed, cases[i].is_signed);
    }
}

static void refuses_other_types(void **state) {
    static const char *const names[] = {"",     "half", "Float",      "float32 ",
                                        "int9", "void", "long double"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        assert_null(rp_dtype_find(names[i]));
}

static void counts_elements(void **state) {
    struct rp_tensor tensor = {.dtype = rp_dtype_find("int16"), .shape = {1, 28, 28, 3}, .rank = 4};
    (void)state;
    assert_int_equal(rp_tensor_elements(&tensor), 28 * 28 * 3);
    assert_int_equal(rp_tensor_bytes(&tensor), 28 * 28 * 3 * 2);
    tensor.rank = 0;
    assert_int_equal(rp_tensor_elements(&tensor), 1);
    tensor.rank = 2;
    tensor.shape[0] = tensor.shape[1] = UINT32_MAX; /* more than 32 bits */
    assert_true(rp_tensor_elements(&tensor) == UINT64_C(0xFFFFFFFE00000001));
}

/* ---- series ---- */

static void finds_targets(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *series, *mcu, *want;
        uint32_t cpuid;
    } cases[] = {{"stm32h7", NULL, "stm32h7", RELOC_CPUID_M7},
                 {"STM32H7", NULL, "stm32h7", RELOC_CPUID_M7},
                 {"h7", NULL, "stm32h7", RELOC_CPUID_M7},
                 {"N6", NULL, "stm32n6", RELOC_CPUID_M55},
                 {"l4", NULL, "stm32l4", RELOC_CPUID_M4},
                 {"l4r", NULL, "stm32l4r", RELOC_CPUID_M4},
                 {"stm32u5", NULL, "stm32u5", RELOC_CPUID_M33},
                 {"nRF52840", NULL, "nrf52840", RELOC_CPUID_M4},
                 {"rp2350", NULL, "rp2350", RELOC_CPUID_M33},
                 {"imxrt1060", NULL, "imxrt1060", RELOC_CPUID_M7},
                 {"ensemble", NULL, "ensemble", RELOC_CPUID_M55},
                 {"stm32f0", NULL, "stm32f0", RELOC_CPUID_M0},
                 {"g0", NULL, "stm32g0", RELOC_CPUID_M0P},
                 {"wb0", NULL, "stm32wb0", RELOC_CPUID_M0P},
                 {"rp2040", NULL, "rp2040", RELOC_CPUID_M0P},
                 {"ra2l1", NULL, "ra2l1", RELOC_CPUID_M23},
                 {"ra8m1", NULL, "ra8m1", RELOC_CPUID_M85},
                 {NULL, "cortex-m3", "cortex-m3", RELOC_CPUID_M3},
                 {NULL, "m55", "cortex-m55", RELOC_CPUID_M55},
                 {NULL, "M33", "cortex-m33", RELOC_CPUID_M33}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_target *target = rp_target_find(cases[i].series, cases[i].mcu, &u->err);
        ACCEPTED(u, target != NULL);
        assert_string_equal(target->series, cases[i].want);
        assert_int_equal(target->core->part, cases[i].cpuid);
    }
}

static void refuses_unknown_targets(void **state) {
    struct unit *u = *state;
    static const char *const names[] = {"",      "stm32",        "stm32h",   "h77",
                                        "m7",    "cortex-m7",    "stm32h7 ", "nrf",
                                        "52840", "stm32nrf52840"};
    for (size_t i = 0; i < COUNT(names); i++)
        REFUSED(u, rp_target_find(names[i], NULL, &u->err) != NULL, RP_E_USAGE, "unknown --target");
    REFUSED(u, rp_target_find(NULL, "h7", &u->err) != NULL, RP_E_USAGE, "unknown --mcu 'h7'");
    struct rp_error near = {0}, other = {0};
    assert_null(rp_target_find("stm32x4", NULL, &near));
    CONTAINS(near.message, "unknown --target 'stm32x4'");
    CONTAINS(near.hint, "did you mean stm32f4, stm32g4 or stm32l4? relocpack targets lists all");
    assert_null(rp_target_find(NULL, "cortex-a53", &other));
    CONTAINS(other.hint, "images are for Cortex-M cores");
}

/* Flags follow from the row, and rows are consistent. */
static void gives_flags(void **state) {
    struct unit *u = *state;
    size_t count = 0;
    for (const struct rp_target *t; (t = rp_target_at(count)) != NULL; count++) {
        struct rp_strings flags = {0};
        rp_target_flags(t, &u->arena, &flags);
        assert_int_equal(flags.count, t->fpu != NULL ? 4 : 3);
        bool as_m55 = strcmp(t->core->name, "M52") == 0 || strcmp(t->core->name, "M85") == 0;
        assert_string_equal(flags.items[0],
                            rp_format(&u->arena, "-mcpu=%s", as_m55 ? "cortex-m55" : t->core->cpu));
        assert_string_equal(flags.items[1], "-mthumb");
        assert_string_equal(flags.items[2],
                            t->fpu != NULL ? "-mfloat-abi=hard" : "-mfloat-abi=soft");
        assert_int_equal(t->float_abi, t->fpu != NULL ? RELOC_FLOAT_HARD : RELOC_FLOAT_SOFT);
        assert_int_equal(strcasecmp(t->core->cpu, rp_format(&u->arena, "cortex-%s", t->core->name)),
                         0);
        assert_true(strlen(t->series) <= 13 && t->source[0] != '\0'); /* a column's width */
        assert_int_equal(strcmp(t->vendor, "Arm") == 0, strncmp(t->series, "cortex-", 7) == 0);
        for (size_t i = 0; i < count; i++) {
            assert_string_not_equal(rp_target_at(i)->series, t->series);
            if (strcmp(rp_target_at(i)->vendor, t->vendor) == 0) /* a vendor's are together */
                assert_string_equal(rp_target_at(count - 1)->vendor, t->vendor);
        }
    }
    assert_true(count >= 50);
    assert_null(rp_target_at(SIZE_MAX));
}

/* ---- glue ---- */

static char *glue_of(struct unit *u, const char *spec, const struct rp_tensor *quantised) {
    struct rp_model model = {.c_name = "net"};
    struct rp_build_options options = {0};
    struct rp_build build = {.arena = &u->arena,
                             .options = &options,
                             .workspace = {.arena = &u->arena, .dir = u->dir},
                             .dir = u->dir};
    ACCEPTED(u, rp_entry_parse(&model, &u->arena, spec, &u->err));
    if (quantised != NULL)
        rp_model_add_argument(&model, &u->arena, true, quantised);
    ACCEPTED(u, rp_glue_c_write(&model, &build, 0x20085C24, &u->err));
    return unit_slurp(u, "model_glue.h", NULL);
}

/* Calls around the run, buffers of the model, numbers, a result, as one expression each. */
static void writes_calls(void **state) {
    struct unit *u = *state;
    struct rp_model model = {0};
    char *json = unit_text(u, "calls.json",
                           "{\"sources\":[\"a.c\"],\"init\":\"up(2) -> "
                           "1\",\"destroy\":\"down\",\"entry\":\"f(x, 4, b) -> "
                           "y\",\"inputs\":[{\"name\":\"x\",\"dtype\":\"int8\",\"shape\":[4]},{"
                           "\"name\":\"w\",\"dtype\":"
                           "\"float\",\"shape\":[2,3],\"get\":\"where(1)\"}],\"outputs\":[{"
                           "\"name\":\"b\",\"dtype\":\"int8\","
                           "\"shape\":[4]},{\"name\":\"y\",\"dtype\":\"int16\",\"shape\":[1]},{"
                           "\"name\":\"v\",\"dtype\":"
                           "\"int8\",\"shape\":[5],\"at\":\"var\"}]}");
    ACCEPTED(u, rp_manifest_load(&model, &u->arena, json, &u->err));
    const struct rp_calls calls = rp_calls_by_name(&model, &u->arena);
    assert_string_equal(calls.run, "rp_model_run(in, out)");
    assert_string_equal(calls.init, "rp_model_init()");
    assert_string_equal(calls.destroy, "rp_model_destroy()");
    CONTAINS(calls.declarations, "int rp_model_init(void) {\n    return (up(2) == 1);\n}\n");
    CONTAINS(calls.declarations, "void rp_model_destroy(void) {\n    down();\n}\n");
    CONTAINS(calls.declarations, "return rp_copy(where(1), rp_in[1], 24u) && "
                                 "(*(int16_t *)rp_out[1] = f(rp_in[0], 4, rp_out[0]), 1) && "
                                 "rp_copy(rp_out[2], (void *)&var, 5u);\n");
    CONTAINS(calls.declarations, "extern int16_t f(void *, __typeof__(4), void *);\n");
    CONTAINS(calls.declarations,
             "extern __typeof__(1) up(__typeof__(2));\nextern void down(void);");
    CONTAINS(calls.declarations, "extern void * where(__typeof__(1));\nextern char var[];\n");
}

static void writes_glue(void **state) {
    struct unit *u = *state;
    char *text = glue_of(u, "run(out:int8[10], in:float[1,28,28,3], in:bool[5])", NULL);
    CONTAINS(text, "#define RP_NAMES \"net\" \"\\0\" \"run\" \"\\0\" \"relocpack\"\n");
    CONTAINS(text, "#define RP_SIGNATURE_AT 4\n#define RP_TOOL_AT 8\n");
    CONTAINS(text, "#define RP_FLAGS 0x20085c24u\n");
    CONTAINS(text, "extern void run(void *, void *, void *);\n");
    CONTAINS(text, "return (run(rp_out[0], rp_in[0], rp_in[1]), 1);\n");
    CONTAINS(text, "#define RP_CALL(in, out) (rp_model_run(in, out))\n");
    /* batch, channel, width, height: the innermost dimension is the channel; then for each sign
       << 31 | type << 25 | bits << 15 | no fraction << 8 | words from its shape to the names */
    CONTAINS(text, "#define RP_WORDS 1, 3, 28, 28, 1, 5, 1, 1, 10, 1, 1, "
                   "0x8210400c, 0x06044009, 0x84044007\n"); /* float32, bool, int8 */
    assert_null(strstr(text, "rp_shapes"));
}

/* Fewer than three, more than 255 words, and scales: the buffers are in the file. */
static void writes_tables(void **state) {
    struct unit *u = *state;
    char *text = glue_of(u, "run(out:int8[10], in:float[1,28,28,3])", NULL);
    CONTAINS(text, "rp_shapes[] = {1, 3, 28, 28, 1, 10, 1, 1};");
    CONTAINS(text, "{0x00821040, NULL, NULL, 0, 2352u, {1, 4, (ai_shape_dimension *)rp_shapes + "
                   "0}}"); /* float32 */
    CONTAINS(text, "{0x00840440, NULL, NULL, 0, 10u, {1, 4, (ai_shape_dimension *)rp_shapes + "
                   "4}}"); /* int8 */
    CONTAINS(glue_of(u, "run(out:bool[5])", NULL), "{0x00060440, NULL, NULL, 0, 5u");
    struct rp_tensor quantised = {
        .dtype = rp_dtype_find("int8"), .shape = {4}, .rank = 1, .quantised = true, .scale = 1};
    CONTAINS(glue_of(u, "run(in:float[1], out:float[2])", &quantised), "#define RP_INPUT_TABLE ");
    const char *spec = "run(out:float[3,5,7]";
    for (unsigned count = 2; count < 60; count++) {
        spec = rp_format(&u->arena, "%s, in:float[3,5,%u]", spec, 100 + count);
        text = glue_of(u, rp_format(&u->arena, "%s)", spec), NULL);
        bool is_made = count >= 3 && 5 * count <= 255; /* a shape and a word for each */
        assert_int_equal(strstr(text, "#define RP_WORDS ") != NULL, is_made);
        assert_int_equal(strstr(text, "#define RP_INPUT_TABLE ") == NULL, is_made);
    }
}

static void writes_high_ranks(void **state) {
    struct unit *u = *state;
    char *text = glue_of(u, "run(in:float[1,2,3,4,5,6,7,8], out:float[2,3])", NULL);
    /* 24 is 4 * 3 * 2 */
    CONTAINS(text, "rp_shapes[] = {1, 8, 7, 6, 5, 24, 1, 3, 2, 1};");
    CONTAINS(text, "{1, 6, (ai_shape_dimension *)rp_shapes + 0}");
    CONTAINS(text, "{1, 4, (ai_shape_dimension *)rp_shapes + 6}");
    /* all have one rank where create makes them */
    text = glue_of(u, "run(in:float[2,3,4,5], in:float[2,3], out:float[6,5,4,3])", NULL);
    CONTAINS(text, "#define RP_WORDS 1, 5, 4, 3, 2, 1, 3, 2, 1, 1, 3, 4, 5, 6, "
                   "0x8210400f, 0x8210400b, 0x82104008\n");
}

/* Every scale has to be a C float constant, which "1f" is not. */
static void writes_quantisation(void **state) {
    struct unit *u = *state;
    static const struct {
        double scale;
        const char *want;
    } cases[] = {{0.0625, "= 0.0625000000f;"},
                 {1, "= 1.00000000f;"},
                 {1e10, "= 1.00000000e+10f;"},
                 {256, "= 256.000000f;"},
                 {1e-20, "e-20f;"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_tensor tensor = {.dtype = rp_dtype_find("int8"),
                                   .shape = {4},
                                   .rank = 1,
                                   .quantised = true,
                                   .scale = cases[i].scale,
                                   .zero_point = -7};
        char *text = glue_of(u, "run(out:float[1])", &tensor);
        CONTAINS(text, "rp_scale_out1 = ");
        CONTAINS(text, cases[i].want);
        CONTAINS(text, "static const ai_i8 rp_zero_out1 = -7;");
        CONTAINS(text, "AI_BUFFER_META_FLAG_ZEROPOINT_S8");
        CONTAINS(text, "&rp_meta_out1");
    }
    struct rp_tensor wide = {
        .dtype = rp_dtype_find("int16"), .shape = {4}, .rank = 1, .quantised = true, .scale = 1};
    assert_null(strstr(glue_of(u, "run(out:float[1])", &wide), "rp_scale"));
}

static void writes_models_without_inputs(void **state) {
    struct unit *u = *state;
    char *text = glue_of(u, "run(out:float[1])", NULL);
    CONTAINS(text, "#define RP_INPUT_TABLE {0}\n");
    struct rp_model model = {0};
    struct rp_build_options options = {.dry_run = true};
    struct rp_build build = {.arena = &u->arena,
                             .options = &options,
                             .workspace = {.arena = &u->arena},
                             .dir = "/nowhere"};
    ACCEPTED(u,
             rp_glue_c_write(&model, &build, 0, &u->err)); /* nothing is known: nothing written */
    model.entry.name = "f";
    model.c_name = "f";
    REFUSED(u, rp_glue_c_write(&model, &build, 0, &u->err), RP_E_SYSTEM, "/nowhere");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(knows_dtypes),
        UNIT(refuses_other_types),
        UNIT(counts_elements),
        UNIT(finds_targets),
        UNIT(refuses_unknown_targets),
        UNIT(gives_flags),
        UNIT(writes_calls),
        UNIT(writes_glue),
        UNIT(writes_tables),
        UNIT(writes_high_ranks),
        UNIT(writes_quantisation),
        UNIT(writes_models_without_inputs),
    };
    return RUN(tests);
}
