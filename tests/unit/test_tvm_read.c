/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/dialects/tvm_read and base/tar: facts in TVM's code, archives that are
 * cut.
 */
#include "tests/unit/unit.h"

#include "base/tar.h"
#include "toolchain/dialects/tvm_read.h"

/* Reads an exact copy, so that a read past the end is noticed. */
static bool read_text(struct unit *u, const char *text, size_t len, struct rp_tvm_code *code) {
    char *exact = unit_exact(text, len);
    const struct rp_mlf_file file = {"n.h", {(const uint8_t *)exact, len}};
    *code = (struct rp_tvm_code){0};
    bool ok = rp_tvm_read(code, &u->arena, &file, &u->err);
    free(exact);
    return ok;
}

static const char HEADER[] =
    "#ifndef X\n#define TVMGEN_M_A_SIZE 12 // bytes\n#define TVMGEN_M_B_SIZE (0x10u)\n"
    "#define TVMGEN_M_C_SIZE OTHER\n#  define TVMGEN_M_D_SIZE 99999999999\n"
    "struct tvmgen_m_inputs { void* a; uint8_t *b; /* c */ };\nstruct tvmgen_m_outputs;\n"
    "TVM_DLL int32_t tvmgen_m_run(struct tvmgen_m_inputs* in, struct tvmgen_m_outputs* out);\n"
    "int32_t tvmgen_m___tvm_main__(void*, const int8_t* x) { return tvmgen_m_run(0, 0); }\n"
    "void *f(void) { return TVMBackendAllocWorkspace(1, 0, 16, 0, 8); }\n"
    "int32_t tvmgen_m_fused_run_x(int a);\nint32_t tvmgen_m_run;\n#endif\n";

static void reads_a_header(void **state) {
    struct unit *u = *state;
    struct rp_tvm_code code;
    ACCEPTED(u, read_text(u, HEADER, strlen(HEADER), &code));
    assert_int_equal(rp_tvm_find_size(&code, "TVMGEN_M_A_SIZE"), 12);
    assert_int_equal(rp_tvm_find_size(&code, "TVMGEN_M_B_SIZE"), 16);
    assert_int_equal(code.sizes.count, 2);
    const struct rp_tvm_struct *in = rp_tvm_find_struct(&code, "tvmgen_m_inputs");
    assert_non_null(in);
    assert_int_equal(in->members.count, 2);
    assert_string_equal(in->members.items[1], "b");
    assert_null(rp_tvm_find_struct(&code, "tvmgen_m_outputs"));
    assert_int_equal(code.functions.count, 2);
    const struct rp_tvm_function *run = &code.functions.items[0], *inner = run + 1;
    assert_false(run->defined);
    assert_int_equal(run->line, 8);
    assert_string_equal(run->items[1].type, "struct tvmgen_m_outputs *");
    assert_string_equal(run->items[1].name, "out");
    assert_true(inner->defined);
    assert_string_equal(inner->items[0].type, "void *");
    assert_string_equal(inner->items[0].name, "");
    assert_string_equal(inner->items[1].type, "const int8_t *");
    assert_int_equal(code.allocations, 1);
}

static void refuses_other_structs(void **state) {
    struct unit *u = *state;
    struct rp_tvm_code code;
    static const char *const texts[] = {
        "struct tvmgen_m_inputs { int a; };",      "struct tvmgen_m_inputs { void **a; };",
        "struct tvmgen_m_inputs { void *a[2]; };", "struct tvmgen_m_inputs { void *a, *b; };",
        "struct tvmgen_m_inputs { ; };",           "struct tvmgen_m_inputs { void *a;"};
    for (size_t i = 0; i < COUNT(texts); i++)
        REFUSED(u, read_text(u, texts[i], strlen(texts[i]), &code), RP_E_INPUT,
                "n.h:1: struct tvmgen_m_inputs");
}

/* Headers of two generations are refused, whichever has more members; one header twice is not. */
static void refuses_two_generations(void **state) {
    struct unit *u = *state;
    struct rp_tvm_code code;
    static const char pair[] = "struct tvmgen_m_inputs { void *a; void *b; };\n",
                      first[] = "struct tvmgen_m_inputs { void *a; };\n",
                      swapped[] = "struct tvmgen_m_inputs { void *b; void *a; };\n";
    static const char *const others[][2] = {{pair, first}, {first, pair}, {pair, swapped}};
    const char *same = rp_format(&u->arena, "%s%s", pair, pair);
    ACCEPTED(u, read_text(u, same, strlen(same), &code));
    assert_int_equal(code.structs.count, 1);
    for (size_t i = 0; i < COUNT(others); i++) {
        const char *text = rp_format(&u->arena, "%s%s", others[i][0], others[i][1]);
        REFUSED(u, read_text(u, text, strlen(text), &code), RP_E_INPUT,
                "n.h:2: struct tvmgen_m_inputs is there twice, with other members");
    }
}

/* However it is cut: an answer, no crash. */
static void takes_any_prefix(void **state) {
    struct unit *u = *state;
    struct rp_tvm_code code;
    for (size_t len = 0; len < strlen(HEADER); len++) {
        (void)read_text(u, HEADER, len, &code);
        u->err.id = 0;
    }
}

static void reads_the_text_of_a_model(void **state) {
    struct unit *u = *state;
    static const char text[] = "type L {\n}\ndef @main(%a:0: Tensor[(1, 2), int8] /* x */, %b: "
                               "Tensor[(3), bfloat16], %c: float32) -> Tensor[(4,), float32] {\n"
                               "  %d: Tensor[(5), int8]\n}\n";
    struct rp_tensor tensor = {0};
    assert_true(rp_tvm_relay(&u->arena, text, "a_0", &tensor));
    assert_int_equal(tensor.rank, 2);
    assert_int_equal(rp_tensor_bytes(&tensor), 2);
    tensor = (struct rp_tensor){0};
    assert_true(rp_tvm_relay(&u->arena, text, NULL, &tensor));
    assert_int_equal(rp_tensor_bytes(&tensor), 16);
    static const char *const unknown[] = {"b", "c", "d", "e"};
    for (size_t i = 0; i < COUNT(unknown); i++)
        assert_false(rp_tvm_relay(&u->arena, text, unknown[i], &tensor));
    for (size_t len = 0; len < strlen(text); len++) {
        tensor = (struct rp_tensor){0};
        (void)rp_tvm_relay(&u->arena, rp_strndup(&u->arena, text, len), "a_0", &tensor);
    }
}

/* ---- archives ---- */

static bool all(const char *name) {
    (void)name;
    return true;
}

/* A ustar archive of one file, "a", of three bytes, with the two blocks that end it. */
static size_t one_file(uint8_t tar[2048]) {
    unsigned sum = 0;
    memset(tar, 0, 2048);
    memcpy(tar, "a", 1);
    memcpy(tar + 100, "0000644", 7);
    memcpy(tar + 124, "00000000003", 11);
    memcpy(tar + 136, "00000000000", 11);
    memcpy(tar + 148, "        ", 8);
    memcpy(tar + 156, "0ustar", 1);
    memcpy(tar + 257, "ustar\00000", 8);
    for (size_t i = 0; i < 512; i++)
        sum += tar[i];
    snprintf((char *)tar + 148, 8, "%06o", sum);
    memcpy(tar + 512, "xyz", 3);
    return 2048;
}

static void reads_an_archive(void **state) {
    struct unit *u = *state;
    uint8_t bytes[2048];
    struct rp_tar tar = {0};
    size_t size = one_file(bytes);
    ACCEPTED(u, rp_tar_read(&tar, &u->arena, unit_write(u, "a.tar", bytes, size), all, &u->err));
    assert_int_equal(tar.count, 1);
    assert_string_equal(tar.items[0].name, "a");
    assert_string_equal((const char *)tar.items[0].bytes.data, "xyz");
    /* any cut that takes a byte of file or header; one of the two empty blocks may be missing */
    for (size_t cut = 0; cut <= 1024; cut += cut < 16 || cut > 1008 ? 1 : 31) {
        tar = (struct rp_tar){0};
        REFUSED(u, rp_tar_read(&tar, &u->arena, unit_write(u, "a.tar", bytes, cut), all, &u->err),
                RP_E_INPUT, "a.tar");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_a_header),   UNIT(refuses_other_structs),     UNIT(refuses_two_generations),
        UNIT(takes_any_prefix), UNIT(reads_the_text_of_a_model), UNIT(reads_an_archive)};
    return RUN(tests);
}
