/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/tensors/onnx_pb, pairing and reference: test vectors of ONNX. */
#include "tests/unit/model_builder.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <sys/stat.h>

#include "cli/tensors/file.h"
#include "cli/tensors/reference.h"
#include "cli/tensors/value.h"

enum { DIMS = 1, TYPE = 2, FLOATS = 4, INT32S = 5, INT64S = 7, NAME = 8, RAW = 9, DOUBLES = 10 };
enum { UINT64S = 11, EXTERNAL = 13, LOCATION = 14 };
enum { FLOAT32 = 1, UINT8, INT8, UINT16, INT16, INT32, INT64, STRING, BOOL, FLOAT16, FLOAT64 };
enum { UINT32 = 12, UINT64, BFLOAT16 = 16, INT4 = 22 };

/* Begins a tensor of shape [1, elements]. */
static struct rp_buf begin(struct unit *u, unsigned type, unsigned elements) {
    struct rp_buf out = {.arena = &u->arena};
    pb_number(&out, DIMS, 1);
    pb_number(&out, DIMS, elements);
    pb_number(&out, TYPE, type);
    return out;
}

static char *put(struct unit *u, const char *name, const struct rp_buf *tensor) {
    return unit_write(u, name, tensor->data, tensor->len);
}

static char *raw(struct unit *u, unsigned type, unsigned elements, const void *bytes, size_t size) {
    struct rp_buf out = begin(u, type, elements);
    pb_bytes(&out, RAW, bytes, size);
    return put(u, "x.pb", &out);
}

static void reads(struct unit *u, const char *path, const char *dtype, double a, double b) {
    struct rp_tensor tensor = {.name = "x", .dtype = rp_dtype_find(dtype), .shape = {2}, .rank = 1};
    struct rp_samples got;
    ACCEPTED(u, rp_tensor_read(&u->arena, path, &tensor, &got, &u->err));
    assert_int_equal(got.count, 1);
    assert_true(rp_value_get(tensor.dtype, got.bytes.data) == a);
    assert_true(rp_value_get(tensor.dtype, got.bytes.data + tensor.dtype->size_bytes) == b);
}

static void raw_data_of_all_types(void **state) {
    struct unit *u = *state;
    reads(u, raw(u, FLOAT32, 2, (const float[]){1.5F, -2}, 8), "float32", 1.5, -2);
    reads(u, raw(u, FLOAT64, 2, (const double[]){1.5, -2}, 16), "float64", 1.5, -2);
    reads(u, raw(u, INT8, 2, "\xFF\x7F", 2), "int8", -1, 127);
    reads(u, raw(u, UINT8, 2, "\xFF\x7F", 2), "uint8", 255, 127);
    reads(u, raw(u, INT16, 2, "\xFE\xFF\0\x80", 4), "int16", -2, -32768);
    reads(u, raw(u, UINT16, 2, "\xFE\xFF\0\x80", 4), "uint16", 65534, 32768);
    reads(u, raw(u, INT32, 2, (const int32_t[]){-3, 4}, 8), "int32", -3, 4);
    reads(u, raw(u, UINT32, 2, (const int32_t[]){-1, 4}, 8), "uint32", 4294967295.0, 4);
    reads(u, raw(u, INT64, 2, (const int64_t[]){-3, 4}, 16), "int64", -3, 4);
    reads(u, raw(u, UINT64, 2, (const int64_t[]){3, 4}, 16), "uint64", 3, 4);
    reads(u, raw(u, BOOL, 2, "\1\0", 2), "bool", 1, 0);
}

/* The field that holds the numbers depends on the type; they may be packed or not. */
static void typed_fields(void **state) {
    struct unit *u = *state;
    static const struct {
        unsigned type, field;
        const char *dtype;
        int64_t a, b;
    } rows[] = {{INT8, INT32S, "int8", -128, 5},      {UINT8, INT32S, "uint8", 200, 5},
                {INT16, INT32S, "int16", -300, 5},    {UINT16, INT32S, "uint16", 60000, 5},
                {INT32, INT32S, "int32", -70000, 5},  {BOOL, INT32S, "bool", 1, 0},
                {INT64, INT64S, "int64", -70000, 5},  {UINT32, UINT64S, "uint32", 3000000000, 5},
                {UINT64, UINT64S, "uint64", 70000, 5}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_buf one = begin(u, rows[i].type, 2), packed = begin(u, rows[i].type, 2);
        struct rp_buf list = {.arena = &u->arena};
        pb_number(&one, rows[i].field, (uint64_t)rows[i].a);
        pb_number(&one, rows[i].field, (uint64_t)rows[i].b);
        pb_varint(&list, (uint64_t)rows[i].a);
        pb_varint(&list, (uint64_t)rows[i].b);
        pb_message(&packed, rows[i].field, &list);
        reads(u, put(u, "one.pb", &one), rows[i].dtype, (double)rows[i].a, (double)rows[i].b);
        reads(u, put(u, "packed.pb", &packed), rows[i].dtype, (double)rows[i].a, (double)rows[i].b);
    }
    struct rp_buf floats = begin(u, FLOAT32, 2), doubles = begin(u, FLOAT64, 2);
    pb_float(&floats, FLOATS, 0.25F);
    pb_float(&floats, FLOATS, -INFINITY);
    pb_bytes(&doubles, DOUBLES, (const double[]){0.25, 1e300}, 16);
    reads(u, put(u, "f.pb", &floats), "float32", 0.25, -INFINITY);
    reads(u, put(u, "d.pb", &doubles), "float64", 0.25, 1e300);
}

static void halves_become_floats(void **state) {
    struct unit *u = *state;
    static const struct {
        uint16_t bits;
        double half, brain;
    } rows[] = {{0x3C00, 1, 0x1p-7},
                {0xC000, -2, -2},
                {0x7BFF, 65504, 0x1.FEp120},
                {0x0001, 0x1p-24, 0x1p-133},
                {0x03FF, 0x1.FF8p-15, 0x1.FFCp-120},
                {0x0400, 0x1p-14, 0x1p-119},
                {0x8000, 0, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint8_t bytes[] = {0, 0, (uint8_t)rows[i].bits, (uint8_t)(rows[i].bits >> 8)};
        struct rp_tensor tensor = {
            .name = "x", .dtype = rp_dtype_find("float32"), .shape = {2}, .rank = 1};
        struct rp_samples got;
        ACCEPTED(u,
                 rp_tensor_read(&u->arena, raw(u, FLOAT16, 2, bytes, 4), &tensor, &got, &u->err));
        assert_true(rp_value_get(tensor.dtype, got.bytes.data + 4) == rows[i].half);
        ACCEPTED(u,
                 rp_tensor_read(&u->arena, raw(u, BFLOAT16, 2, bytes, 4), &tensor, &got, &u->err));
        if (i != 3 && i != 4) /* those that float32 has as subnormal numbers are in the row */
            assert_true(isfinite(rp_value_get(tensor.dtype, got.bytes.data + 4)));
    }
    reads(u, raw(u, FLOAT16, 2, "\0\x7C\0\xFC", 4), "float32", INFINITY, -INFINITY);
    reads(u, raw(u, BFLOAT16, 2, "\xC0\x3F\0\xC0", 4), "float32", 1.5, -2);
    struct rp_buf typed = begin(u, FLOAT16, 2);
    pb_number(&typed, INT32S, 0x3E00);
    pb_number(&typed, INT32S, 0xC000);
    reads(u, put(u, "t.pb", &typed), "float32", 1.5, -2);
}

static void scalars_and_zeros(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = {
        .name = "x", .dtype = rp_dtype_find("float32"), .shape = {1}, .rank = 1};
    struct rp_samples got;
    struct rp_buf scalar = {.arena = &u->arena};
    pb_number(&scalar, TYPE, FLOAT32);
    pb_float(&scalar, FLOATS, 7);
    ACCEPTED(u, rp_tensor_read(&u->arena, put(u, "s.pb", &scalar), &tensor, &got, &u->err));
    assert_true(rp_value_get(tensor.dtype, got.bytes.data) == 7);
    REFUSED(u, rp_tensor_read(&u->arena, raw(u, FLOAT32, 0, "", 0), &tensor, &got, &u->err),
            RP_E_INPUT, "no data");
}

static void refuses_what_is_no_tensor(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = {
        .name = "x", .dtype = rp_dtype_find("float32"), .shape = {2}, .rank = 1};
    struct rp_samples got;
    static const struct {
        unsigned type, dim;
        size_t size;
        const char *part;
    } rows[] = {{FLOAT32, 2, 7, "7 bytes where its type and shape need 8"},
                {FLOAT32, 3, 8, "8 bytes where its type and shape need 12"},
                {STRING, 2, 8, "its type, number 8 of ONNX"},
                {14, 2, 8, "its type, number 14"},
                {INT4, 2, 1, "its type, number 22"},
                {99, 2, 8, "its type, number 99"},
                {0, 2, 8, "it is not a tensor"},
                {INT32, 2, 8, "has dtype int32, tensor 'x' has float32"},
                {FLOAT64, 2, 16, "has dtype float64"}};
    for (size_t i = 0; i < COUNT(rows); i++)
        REFUSED(u,
                rp_tensor_read(&u->arena,
                               raw(u, rows[i].type, rows[i].dim, "0123456789abcdef", rows[i].size),
                               &tensor, &got, &u->err),
                RP_E_INPUT, rows[i].part);
    static const int64_t dims[] = {-2, INT64_MAX, INT64_MIN, 1LL << 62};
    for (size_t i = 0; i < COUNT(dims); i++) {
        struct rp_buf out = begin(u, FLOAT32, 4);
        pb_number(&out, DIMS, (uint64_t)dims[i]);
        pb_bytes(&out, RAW, "01234567", 8);
        REFUSED(u, rp_tensor_read(&u->arena, put(u, "x.pb", &out), &tensor, &got, &u->err),
                RP_E_INPUT, "impossible shape");
    }
    struct rp_buf many = begin(u, FLOAT32, 2), part = {.arena = &u->arena}, entry = part;
    for (unsigned i = 0; i < 7; i++)
        pb_number(&many, DIMS, 1);
    pb_bytes(&many, RAW, "01234567", 8);
    REFUSED(u, rp_tensor_read(&u->arena, put(u, "x.pb", &many), &tensor, &got, &u->err), RP_E_INPUT,
            "more than 8 dimensions");
    struct rp_buf sequence = begin(u, FLOAT32, 2);
    pb_number(&part, TYPE, FLOAT32);
    pb_message(&sequence, 3, &part);
    REFUSED(u, rp_tensor_read(&u->arena, put(u, "x.pb", &sequence), &tensor, &got, &u->err),
            RP_E_INPUT, "it is not a tensor: a sequence");
    struct rp_buf outside = begin(u, FLOAT32, 2);
    pb_text(&entry, 1, "location");
    pb_text(&entry, 2, "w.bin");
    pb_message(&outside, EXTERNAL, &entry);
    pb_number(&outside, LOCATION, 1);
    REFUSED(u, rp_tensor_read(&u->arena, put(u, "x.pb", &outside), &tensor, &got, &u->err),
            RP_E_INPUT, "in another file, 'w.bin'");
    char *lfs = unit_text(u, "x.pb", "version https://git-lfs.github.com/spec/v1\n");
    REFUSED(u, rp_tensor_read(&u->arena, lfs, &tensor, &got, &u->err), RP_E_INPUT, "Git LFS");
    REFUSED(u, rp_tensor_read(&u->arena, unit_text(u, "x.pb", ""), &tensor, &got, &u->err),
            RP_E_INPUT, "it is empty");
}

/* Each strict prefix of a tensor is refused. */
static void truncated(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = {
        .name = "x", .dtype = rp_dtype_find("int16"), .shape = {2}, .rank = 1};
    struct rp_samples got;
    struct rp_buf out = begin(u, INT16, 2);
    pb_text(&out, NAME, "x");
    pb_bytes(&out, RAW, "abcd", 4);
    for (size_t size = 0; size < out.len; size++)
        REFUSED(u,
                rp_tensor_read(&u->arena, unit_write(u, "x.pb", out.data, size), &tensor, &got,
                               &u->err),
                RP_E_INPUT, "x.pb");
    ACCEPTED(u, rp_tensor_read(&u->arena, put(u, "x.pb", &out), &tensor, &got, &u->err));
}

/* ---- sets ---- */

static void vector(struct unit *u, const char *name, const char *tensor, float value) {
    struct rp_buf out = begin(u, FLOAT32, 1);
    pb_text(&out, NAME, tensor);
    pb_bytes(&out, RAW, &value, 4);
    put(u, name, &out);
}

static char *folder(struct unit *u, const char *name) {
    char *path = unit_path(u, name);
    assert_int_equal(mkdir(path, 0777), 0);
    return path;
}

static struct rp_tensors tensors_of(struct unit *u, const char *const *names, size_t count) {
    struct rp_tensors out = {0};
    for (size_t i = 0; i < count; i++)
        *RP_PUSH(&u->arena, &out) = (struct rp_tensor){
            .name = names[i], .dtype = rp_dtype_find("float32"), .shape = {1}, .rank = 1};
    return out;
}

static void finds_sets_in_their_order(void **state) {
    struct unit *u = *state;
    struct rp_reference found;
    REFUSED(u, rp_reference_find(&found, &u->arena, unit_path(u, "."), &u->err), RP_E_INPUT,
            "no test vectors");
    static const char *const names[] = {"10", "2", "0"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char *set = rp_format(&u->arena, "test_data_set_%s", names[i]);
        folder(u, set);
        vector(u, rp_format(&u->arena, "%s/input_0.pb", set), "a", 1);
        vector(u, rp_format(&u->arena, "%s/output_0.pb", set), "b", 1);
    }
    unit_text(u, "test_data_set_3", "a file\n");
    ACCEPTED(u, rp_reference_find(&found, &u->arena, unit_path(u, "."), &u->err));
    assert_int_equal(found.sets.count, 3);
    assert_non_null(strstr(found.sets.items[1].dir, "test_data_set_2"));
    assert_non_null(strstr(found.sets.items[2].dir, "test_data_set_10"));
    vector(u, "test_data_set_2/input_2.pb", "c", 1);
    REFUSED(u, rp_reference_find(&found, &u->arena, unit_path(u, "."), &u->err), RP_E_INPUT,
            "but no input_1");
    vector(u, "test_data_set_2/input_1.pb", "c", 1);
    REFUSED(u, rp_reference_find(&found, &u->arena, unit_path(u, "."), &u->err), RP_E_INPUT,
            "has 1 inputs");
    unit_text(u, "test_data_set_0/output_0.npy", "");
    REFUSED(u, rp_reference_find(&found, &u->arena, unit_path(u, "."), &u->err), RP_E_INPUT,
            "has both");
    folder(u, "test_data_set_");
    REFUSED(u, rp_reference_find(&found, &u->arena, unit_path(u, "."), &u->err), RP_E_INPUT,
            "has no vectors");
    folder(u, "set");
    vector(u, "set/output_0.pb", "b", 1);
    ACCEPTED(u, rp_reference_find(&found, &u->arena, unit_path(u, "set"), &u->err));
    struct rp_tensors one = tensors_of(u, (const char *const[]){"a"}, 1), none = {0};
    assert_non_null(rp_reference_inputs(&found, &u->arena, &none, &u->err));
    REFUSED(u, rp_reference_inputs(&found, &u->arena, &one, &u->err) != NULL, RP_E_INPUT,
            "the image has 1 input, the reference 0");
    vector(u, "set/input_5000.pb", "b", 1);
    REFUSED(u, rp_reference_find(&found, &u->arena, unit_path(u, "set"), &u->err), RP_E_INPUT,
            "more than 1000 vectors");
}

static void names_decide_where_all_have_one(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *vectors[2], *tensors[2];
        float first; /* the value that the first tensor gets */
        const char *part;
    } rows[] = {{{"a", "b"}, {"a", "b"}, 0, NULL},
                {{"a", "b"}, {"b", "a"}, 1, NULL},
                {{"x.1", "y:0"}, {"tensor_y_0", "tensor_x_1"}, 1, NULL},
                {{"a", "b"}, {"p", "q"}, 0, NULL},
                {{"a", "b"}, {"a", "q"}, 0, NULL},
                {{"", ""}, {"b", "a"}, 0, NULL},
                {{"a", "a"}, {"a", "b"}, 0, NULL},
                {{"a", "b"}, {"q", "a"}, 0, "has the name of"},
                {{"a", "b"}, {"a", NULL}, 0, "the image has 1 input, the reference 2"}};
    folder(u, "set");
    vector(u, "set/output_0.pb", "b", 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_reference found;
        for (size_t k = 0; k < 2; k++)
            vector(u, rp_format(&u->arena, "set/input_%zu.pb", k), rows[i].vectors[k], (float)k);
        struct rp_tensors tensors =
            tensors_of(u, rows[i].tensors, rows[i].tensors[1] != NULL ? 2 : 1);
        ACCEPTED(u, rp_reference_find(&found, &u->arena, unit_path(u, "set"), &u->err));
        if (rows[i].part != NULL) {
            REFUSED(u, rp_reference_inputs(&found, &u->arena, &tensors, &u->err) != NULL,
                    RP_E_INPUT, rows[i].part);
            continue;
        }
        struct rp_samples *got = rp_reference_inputs(&found, &u->arena, &tensors, &u->err);
        assert_non_null(got);
        assert_int_equal(found.vectors[0].used, 2);
        assert_true(rp_value_get(tensors.items[0].dtype, got[0].bytes.data) ==
                    (double)rows[i].first);
    }
}

/* A model whose second input has an initialiser, and whose third one nothing uses. */
static void inputs_that_need_no_vector(void **state) {
    struct unit *u = *state;
    static const char *const one[] = {"x"};
    struct rp_buf file = {.arena = &u->arena}, graph = file, weight = file;
    struct rp_buf node = onnx_node(&u->arena, "Add", "x w", "y");
    struct rp_reference found;
    pb_message(&graph, 1, &node);
    pb_number(&weight, DIMS, 1);
    pb_number(&weight, TYPE, FLOAT32);
    pb_text(&weight, NAME, "w");
    pb_bytes(&weight, RAW, "\0\0\0\0", 4);
    pb_message(&graph, 5, &weight);
    onnx_value(&graph, 11, "w", FLOAT32, "1");
    onnx_value(&graph, 11, "unused", FLOAT32, "1");
    onnx_value(&graph, 11, "x", FLOAT32, "1");
    onnx_value(&graph, 12, "y", FLOAT32, "1");
    onnx_model(&file, &graph);
    char *model = unit_write(u, "model.onnx", file.data, file.len);
    folder(u, "test_data_set_0");
    vector(u, "test_data_set_0/input_0.pb", "w", 1);
    vector(u, "test_data_set_0/input_1.pb", "unused", 2);
    vector(u, "test_data_set_0/input_2.pb", "x", 3);
    vector(u, "test_data_set_0/output_0.pb", "y", 4);
    struct rp_tensors tensors = tensors_of(u, one, 1);
    ACCEPTED(u, rp_reference_find(&found, &u->arena, model, &u->err));
    struct rp_samples *got = rp_reference_inputs(&found, &u->arena, &tensors, &u->err);
    assert_non_null(got);
    assert_true(rp_value_get(tensors.items[0].dtype, got[0].bytes.data) == 3);
    REFUSED(u, rp_reference_find(&found, &u->arena, unit_text(u, "m.onnx", "no"), &u->err),
            RP_E_INPUT, "m.onnx");
    struct rp_buf tflite = {.arena = &u->arena};
    tflite_sample(&tflite);
    char *other = unit_write(u, "m.tflite", tflite.data, tflite.len);
    REFUSED(u, rp_reference_find(&found, &u->arena, other, &u->err), RP_E_INPUT,
            "come without test vectors");
}

/* ---- tolerances ---- */

static void near_is_what_the_runner_of_onnx_says(void **state) {
    struct unit *u = *state;
    static const struct {
        double got, want;
        bool far;
    } rows[] = {{1, 1, false},
                {1.00099, 1, false},
                {1.0012, 1, true},
                {-1000.9, -1000, false},
                {1001.1, 1000, true},
                {1e-7, 0, false},
                {1.1e-7, 0, true},
                {(double)NAN, (double)NAN, false},
                {(double)NAN, 1, true},
                {1, (double)NAN, true},
                {(double)INFINITY, (double)INFINITY, false},
                {1, (double)INFINITY, true},
                {(double)-INFINITY, (double)INFINITY, true},
                {-1.7e308, 1.7e308, true}};
    const struct rp_tolerance tolerance = {RP_REFERENCE_ATOL, RP_REFERENCE_RTOL};
    struct rp_tensor tensor = {
        .name = "y", .dtype = rp_dtype_find("float64"), .shape = {1}, .rank = 1};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct rp_samples got = {
            .tensor = &tensor, .bytes = {(const uint8_t *)&rows[i].got, 8}, .count = 1};
        const struct rp_samples want = {
            .tensor = &tensor, .bytes = {(const uint8_t *)&rows[i].want, 8}, .count = 1};
        struct rp_compared compared = rp_compare_samples(&u->arena, &got, &want, &tolerance);
        assert_int_equal(compared.beyond, rows[i].far);
        assert_int_equal(compared.far[0], rows[i].far);
    }
    const int32_t a[] = {1000000, 5}, b[] = {1000001, 5}; /* integers are exact */
    tensor.dtype = rp_dtype_find("int32");
    tensor.shape[0] = 2;
    const struct rp_samples got = {.tensor = &tensor, .bytes = {(const uint8_t *)a, 8}, .count = 1};
    const struct rp_samples want = {
        .tensor = &tensor, .bytes = {(const uint8_t *)b, 8}, .count = 1};
    assert_int_equal(rp_compare_samples(&u->arena, &got, &want, &tolerance).beyond, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(raw_data_of_all_types),      UNIT(typed_fields),
        UNIT(halves_become_floats),       UNIT(scalars_and_zeros),
        UNIT(refuses_what_is_no_tensor),  UNIT(truncated),
        UNIT(finds_sets_in_their_order),  UNIT(names_decide_where_all_have_one),
        UNIT(inputs_that_need_no_vector), UNIT(near_is_what_the_runner_of_onnx_says),
    };
    return RUN(tests);
}
