/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/tensors/file, npy and csv: what comes in, what goes out, what is refused. */
#include "tests/unit/unit.h"

#include <math.h>

#include "cli/tensors/file.h"
#include "cli/tensors/value.h"

static struct rp_tensor tensor_of(const char *dtype, uint32_t a, uint32_t b) {
    return (struct rp_tensor){
        .name = "x", .dtype = rp_dtype_find(dtype), .shape = {1, a, b}, .rank = 3};
}

static struct rp_tensor quantised(const char *dtype, uint32_t elements) {
    struct rp_tensor tensor = tensor_of(dtype, 1, elements);
    tensor.quantised = true;
    tensor.scale = 0.5;
    tensor.zero_point = -3;
    return tensor;
}

/* An .npy file with this header text, which is padded as NumPy does, and zeros as data. */
static char *npy(struct unit *u, const char *header, size_t data) {
    struct rp_buf file = {.arena = &u->arena};
    size_t len = strlen(header) + 1;
    const uint8_t fixed[] = {0x93, 'N', 'U', 'M',          'P',
                             'Y',  1,   0,   (uint8_t)len, (uint8_t)(len >> 8)};
    rp_buf_append(&file, fixed, sizeof fixed);
    rp_buf_printf(&file, "%s\n", header);
    rp_buf_append(&file, rp_alloc(&u->arena, data + 1, 1), data);
    return unit_write(u, "x.npy", file.data, file.len);
}
#define HEADER(descr, order, shape)                                                                \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"

static void reads_npy(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = tensor_of("float32", 2, 3);
    struct rp_samples got;
    static const char *const shapes[] = {"(4, 2, 3)",    "(4, 1, 2, 3)", "(4, 6)", "(24,)",
                                         "(2, 2, 2, 3)", "(4, 2, 3, 1)", "(1, 24)"};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const char *header = rp_format(&u->arena, HEADER("'<f4'", "False", "%s"), shapes[i]);
        ACCEPTED(u, rp_tensor_read(&u->arena, npy(u, header, 96), &tensor, &got, &u->err));
        assert_int_equal(got.count, 4);
        assert_int_equal(got.bytes.size, 96);
        assert_null(got.real);
    }
    ACCEPTED(u, rp_tensor_read(&u->arena, npy(u, HEADER("'<f4'", "False", "(2, 3)"), 24), &tensor,
                               &got, &u->err));
    assert_int_equal(got.count, 1);
    ACCEPTED(u, rp_tensor_read(&u->arena, npy(u, HEADER("'<f4'", "False", "(9, 9)"), 324), NULL,
                               &got, &u->err));
    assert_int_equal(got.bytes.size, 324);
}

static void refuses_npy(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = tensor_of("float32", 2, 3);
    struct rp_samples got;
    static const struct {
        const char *header;
        size_t data;
        const char *part;
    } bad[] = {
        {HEADER("'>f4'", "False", "(2, 3)"), 24, "dtype '>f4' is not supported"},
        {HEADER("'<f2'", "False", "(2, 3)"), 12, "dtype '<f2' is not supported"},
        {HEADER("[('a', '<f4')]", "False", "(2, 3)"), 24, "is not supported"},
        {HEADER("'<f4", "False", "(2, 3)"), 24, "is not supported"},
        {HEADER("'<f4'", "True", "(2, 3)"), 24, "Fortran order"},
        {HEADER("'<f4'", "False", "(3, 2)"), 24, "has shape 3x2, tensor 'x' has 1x2x3"},
        {HEADER("'<f4'", "False", "(4, 3, 2)"), 96, "has shape 4x3x2"},
        {HEADER("'<f4'", "False", "(3, 4, 2)"), 96, "has shape 3x4x2"},
        {HEADER("'<f4'", "False", "(2, 3)"), 20, "6 elements of 4 bytes, 20 bytes follow"},
        {HEADER("'<f4'", "False", "(2, 3)"), 25, "25 bytes follow"},
        {HEADER("'<f4'", "False", "(5,)"), 20, "20 bytes of data, tensor 'x' has 24"},
        {HEADER("'<f4'", "False", "(0, 2, 3)"), 0, "no data"},
        {HEADER("'<f4'", "False", "(-2, 3)"), 24, "no usable shape"},
        {HEADER("'<f4'", "False", "2, 3"), 24, "the .npy header is not {'descr'"},
        {HEADER("'<f4'", "False", "(2, 3"), 24, "the .npy header is not {'descr'"},
        {HEADER("'<f4'", "False", "(2 3)"), 24, "no usable shape"},
        {HEADER("'<f4'", "Falsey", "(2, 3)"), 24, "Fortran order"},
        {HEADER("'<f4'", "False", "(2, 3), 'shape': (3, 2)"), 24,
         "the .npy header is not {'descr'"},
        {HEADER("'<f4'", "False, 'x': \"'fortran_order': True\"", "(2, 3)"), 24, "header is not"},
        {"{'x': \"'fortran_order': False\", 'descr': '<f4', 'fortran_order': True, 'shape': (2, "
         "3)}",
         24, "the .npy header is not {'descr'"},
        {HEADER("'<f4'", "False", "(2, 3)") "x", 24, "the .npy header is not {'descr'"},
        {HEADER("'<f4'", "False", "(4294967296, 4294967296, 2, 3)"), 24, "no usable shape"},
        {HEADER("'<f4'", "False", "(99999999999999999999999,)"), 24, "24 bytes follow"},
        {HEADER("'<f4'", "False", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2,3)"), 24, "no usable shape"},
        {HEADER("'<i4'", "False", "(2, 3)"), 24, "has dtype int32, tensor 'x' has float32"},
        {HEADER("'<f8'", "False", "(2, 3)"), 48, "has dtype float64, tensor 'x' has float32"},
        {"{'shape': (2, 3)}", 24, "the .npy header is not {'descr'"},
        {"", 24, "the .npy header is not {'descr'"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        REFUSED(
            u,
            rp_tensor_read(&u->arena, npy(u, bad[i].header, bad[i].data), &tensor, &got, &u->err),
            RP_E_INPUT, bad[i].part);
    static const struct {
        const char *bytes;
        size_t size;
        const char *part;
    } broken[] = {{"", 0, "it is no .npy"},
                  {"\x93NUMPX\1\0\0\0\0\0", 12, "it is no .npy"},
                  {"\x93NUMPY\1\0\0\0", 10, "it is no .npy"},
                  {"\x93NUMPY\4\0\0\0\0\0", 12, "version"},
                  {"\x93NUMPY\1\0\xFF\xFF{}", 12, "cut off"},
                  {"\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12, "cut off"}};
    for (size_t i = 0; i < COUNT(broken); i++) {
        char *path = unit_write(u, "b.npy", broken[i].bytes, broken[i].size);
        REFUSED(u, rp_tensor_read(&u->arena, path, &tensor, &got, &u->err), RP_E_INPUT,
                broken[i].part);
    }
}

static double number(const struct rp_samples *samples, size_t i) {
    const struct rp_dtype *dtype = samples->tensor->dtype;
    return rp_value_get(dtype, samples->bytes.data + i * dtype->size_bytes);
}

static void reads_text(void **state) {
    struct unit *u = *state;
    struct rp_tensor floats = tensor_of("float32", 1, 3), bytes = tensor_of("int8", 1, 3);
    struct rp_samples got;
    static const char *const same[] = {"1,-2,3\n4,5,6\n", "1 -2\t3\r\n\r\n4 , 5 , 6",
                                       "\xEF\xBB\xBF# x, y, z\n +1, -2 ,3 \n#4,4\n4,5,6\n\n",
                                       "1,-2,3\n4,5,6"};
    for (size_t i = 0; i < COUNT(same); i++) {
        char *path = unit_text(u, "x.csv", same[i]);
        for (size_t k = 0; k < 2; k++) {
            const struct rp_tensor *tensor = k == 0 ? &floats : &bytes;
            ACCEPTED(u, rp_tensor_read(&u->arena, path, tensor, &got, &u->err));
            assert_int_equal(got.count, 2);
            assert_true(number(&got, 1) == -2 && number(&got, 5) == 6);
        }
    }
    ACCEPTED(u, rp_tensor_read(&u->arena, unit_text(u, "r.csv", "1e-3,-inf,NaN"), &floats, &got,
                               &u->err));
    assert_true(number(&got, 0) == (double)1e-3F && isinf(number(&got, 1)) &&
                isnan(number(&got, 2)));
    struct rp_tensor wide = tensor_of("int64", 1, 2);
    ACCEPTED(u, rp_tensor_read(&u->arena,
                               unit_text(u, "w.csv", "9223372036854775807,-9223372036854775808"),
                               &wide, &got, &u->err));
    assert_int_equal(rp_value_integer(wide.dtype, got.bytes.data), INT64_MAX);
    assert_int_equal(rp_value_integer(wide.dtype, got.bytes.data + 8), INT64_MIN);
}

static void refuses_text(void **state) {
    struct unit *u = *state;
    struct rp_tensor floats = tensor_of("float32", 1, 3), bytes = tensor_of("int8", 1, 3);
    struct rp_samples got;
    static const struct {
        const char *text, *part;
    } bad[] = {{"1,2\n3,4\n", "has 2 numbers a line, tensor 'x' has 3"},
               {"1,2\n3\n", "line 2 has 1 numbers, the first one has 2"},
               {"1,2,3\n\n1,2,3,4\n", "line 3 has 4 numbers"},
               {"1,,3\n", "line 1: '' is not a number: one is missing"},
               {"1,2,\n", "one is missing"},
               {"1;2;3\n", "'1;2;3' is not a number"},
               {"1,2,0x3\n", "'0x3'"},
               {"1,2,3f\n", "'3f'"},
               {"1,2,--3\n", "'--3'"},
               {"1,2,1e999\n", "'1e999'"},
               {"1,2,infinity\n", "'infinity'"},
               {"1,2,nan(1)\n", "'nan(1)'"},
               {"1,2,.\n", "'.'"},
               {"1,2,99999999999999999999\n", "that 64 bits can hold"},
               {"a,b,c\n1,2,3\n", "line 1: 'a'"},
               {"1,2,333333333333333333333333333333333333333333333333333333333333333333333333\n",
                "is not a number"},
               {"# nothing\n\n", "it holds no data"},
               {"", "it holds no data"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char *path = unit_text(u, "x.csv", bad[i].text);
        REFUSED(u, rp_tensor_read(&u->arena, path, &floats, &got, &u->err), RP_E_INPUT,
                bad[i].part);
        REFUSED(u, rp_tensor_read(&u->arena, path, NULL, &got, &u->err), RP_E_INPUT,
                "only the runtime");
    }
    char *zero = unit_write(u, "x.csv", "1,2,3\0,4\n", 9);
    REFUSED(u, rp_tensor_read(&u->arena, zero, &floats, &got, &u->err), RP_E_INPUT, "not a number");
    REFUSED(u, rp_tensor_read(&u->arena, unit_text(u, "x.csv", "1,2,128"), &bytes, &got, &u->err),
            RP_E_INPUT, "number 3, 128, is none that int8 can hold");
    REFUSED(u, rp_tensor_read(&u->arena, unit_text(u, "x.csv", "1,2,0.5"), &bytes, &got, &u->err),
            RP_E_INPUT, "has real numbers, tensor 'x' has int8");
    REFUSED(u, rp_tensor_read(&u->arena, unit_text(u, "x.csv", "1,2,1e39"), &floats, &got, &u->err),
            RP_E_INPUT, "none that float32 can hold");
}

static void real_numbers_are_quantised(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = quantised("int8", 3), plain = tensor_of("int8", 1, 3);
    struct rp_samples got;
    const float values[] = {0.5F, -1, 100};
    struct rp_buf file = {.arena = &u->arena};
    char *text = unit_text(u, "r.csv", "0.5,-1,100\n");
    char *array = npy(u, HEADER("'<f4'", "False", "(1, 3)"), 0);
    size_t size;
    rp_buf_append(&file, unit_slurp(u, "x.npy", &size), 0);
    rp_buf_append(&file, unit_slurp(u, "x.npy", &size), size);
    rp_buf_append(&file, values, sizeof values);
    array = unit_write(u, "x.npy", file.data, file.len);
    const char *const paths[] = {text, array};
    for (size_t i = 0; i < 2; i++) {
        ACCEPTED(u, rp_tensor_read(&u->arena, paths[i], &tensor, &got, &u->err));
        assert_true(number(&got, 0) == -2 && number(&got, 1) == -5 && number(&got, 2) == 127);
        assert_true(got.real[0] == 0.5 && got.real[2] == 100);
        REFUSED(u, rp_tensor_read(&u->arena, paths[i], &plain, &got, &u->err), RP_E_INPUT,
                "tensor 'x' has int8");
    }
    ACCEPTED(
        u, rp_tensor_read(&u->arena, unit_text(u, "w.csv", "-2,-5,127\n"), &tensor, &got, &u->err));
    assert_true(number(&got, 0) == -2 && number(&got, 2) == 127); /* whole: as they are stored */
    assert_null(got.real);
    REFUSED(u,
            rp_tensor_read(&u->arena, unit_text(u, "n.csv", "0.5,nan,1\n"), &tensor, &got, &u->err),
            RP_E_INPUT, "number 2, nan, is none that int8 can hold");
}

static void raw_bytes(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = tensor_of("int16", 1, 3);
    struct rp_samples got;
    ACCEPTED(u, rp_tensor_read(&u->arena, unit_write(u, "x.bin", "abcdefghijkl", 12), &tensor, &got,
                               &u->err));
    assert_int_equal(got.count, 2);
    assert_memory_equal(got.bytes.data, "abcdefghijkl", 12);
    REFUSED(u,
            rp_tensor_read(&u->arena, unit_write(u, "x.bin", "abcdefghijk", 11), &tensor, &got,
                           &u->err),
            RP_E_INPUT, "11 bytes, which is not a whole number of int16 values");
    REFUSED(u, rp_tensor_read(&u->arena, unit_write(u, "x.bin", "abcd", 4), &tensor, &got, &u->err),
            RP_E_INPUT, "4 bytes of data, tensor 'x' has 6");
    REFUSED(u, rp_tensor_read(&u->arena, unit_write(u, "x.bin", "", 0), &tensor, &got, &u->err),
            RP_E_INPUT, "no data");
}

/* What is written is read as the same bytes, in each form, for each type. */
static void round_trips(void **state) {
    struct unit *u = *state;
    static const char *const types[] = {"float32", "float64", "int8",  "uint8",  "int16", "uint16",
                                        "int32",   "uint32",  "int64", "uint64", "bool"};
    static const char *const names[] = {"y.npy", "y.csv", "y.txt", "y.bin"};
    uint8_t bytes[2 * 3 * 8];
    for (size_t i = 0; i < COUNT(types); i++) {
        struct rp_tensor tensor = tensor_of(types[i], 1, 3);
        size_t size = 2 * rp_tensor_bytes(&tensor);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)(strcmp(types[i], "bool") == 0 ? k % 2 : 0x35 + 41 * k);
        for (size_t k = 7; strcmp(types[i], "uint64") == 0 && k < size; k += 8)
            bytes[k] &= 0x7F;       /* text goes up to 2^63 - 1 */
        if (tensor.dtype->is_float) /* -0, which is no whole number */
            memset(bytes, 0, tensor.dtype->size_bytes - 1),
                bytes[tensor.dtype->size_bytes - 1] = 0x80;
        struct rp_samples samples = {.tensor = &tensor, .bytes = {bytes, size}, .count = 2}, got;
        for (size_t k = 0; k < COUNT(names); k++) {
            struct rp_buf file = {.arena = &u->arena};
            ACCEPTED(u, rp_tensor_format(&file, names[k], &samples, &u->err));
            char *path = unit_write(u, names[k], file.data, file.len);
            ACCEPTED(u, rp_tensor_read(&u->arena, path, &tensor, &got, &u->err));
            assert_int_equal(got.count, 2);
            assert_int_equal(got.bytes.size, size);
            assert_memory_equal(got.bytes.data, bytes, size);
        }
    }
}

static void writes_what_numpy_writes(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = tensor_of("float32", 1, 2);
    const float values[] = {1, -0.1F};
    struct rp_samples samples = {
        .tensor = &tensor, .bytes = {(const uint8_t *)values, sizeof values}, .count = 1};
    struct rp_buf array = {.arena = &u->arena}, text = {.arena = &u->arena}, raw = text;
    ACCEPTED(u, rp_tensor_format(&array, "a.npy", &samples, &u->err));
    assert_int_equal(array.len, 128 + sizeof values); /* a header in multiples of 64 */
    assert_memory_equal(array.data,
                        "\x93NUMPY\1\0v\0{'descr': '<f4', 'fortran_order': False, "
                        "'shape': (1, 1, 1, 2,), }  ",
                        72);
    assert_int_equal(array.data[127], '\n');
    ACCEPTED(u, rp_tensor_format(&text, "a.csv", &samples, &u->err));
    assert_string_equal(text.data, "1,-0.100000001\n");
    samples.tensor = NULL;
    ACCEPTED(u, rp_tensor_format(&raw, "a.bin", &samples, &u->err));
    assert_memory_equal(raw.data, values, sizeof values);
    REFUSED(u, rp_tensor_format(&raw, "a.npy", &samples, &u->err), RP_E_USAGE, "only the runtime");
    REFUSED(u, rp_tensor_format(&raw, "a.csv", &samples, &u->err), RP_E_USAGE, "only the runtime");
}

/* Numbers of another type are stored as the tensor has them, or refused. */
static void converts_raw_inputs(void **state) {
    struct unit *u = *state;
    struct rp_tensor floats = tensor_of("float32", 1, 4), small = quantised("int8", 4),
                     plain = tensor_of("int8", 1, 4);
    const char *bytes = unit_write(u, "x.raw", "\x00\x01\x10\x7f", 4);
    struct rp_samples got = {.tensor = &floats, .path = bytes, .raw = rp_dtype_find("uint8")};
    ACCEPTED(u, rp_input_read(&u->arena, &got, &u->err));
    assert_int_equal(got.count, 1);
    assert_float_equal(rp_value_get(floats.dtype, got.bytes.data + 12), 127, 0);
    const float reals[] = {0, 1, -2, 0.5f};
    const char *real = unit_write(u, "y.raw", reals, sizeof reals);
    got = (struct rp_samples){.tensor = &small, .path = real, .raw = rp_dtype_find("float32")};
    ACCEPTED(u, rp_input_read(&u->arena, &got, &u->err));
    assert_memory_equal(got.bytes.data, "\xfd\xff\xf9\xfe", 4);
    got = (struct rp_samples){.tensor = &plain, .path = real, .raw = rp_dtype_find("float32")};
    REFUSED(u, rp_input_read(&u->arena, &got, &u->err), RP_E_INPUT, "tensor 'x' has int8");
    got = (struct rp_samples){.tensor = &plain,
                              .path = unit_write(u, "z.raw", "\x00\x01\x10\x80", 4),
                              .raw = rp_dtype_find("uint8")};
    REFUSED(u, rp_input_read(&u->arena, &got, &u->err), RP_E_INPUT, "none that int8 can hold");
}

/* Floats far from anything that a model takes are asked about; a few of them are not. */
static void asks_about_bytes_for_floats(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = tensor_of("float32", 1, 8);
    float some[8] = {1, 2, 3, 4, 5, 6, 1e-30f, 1e30f};
    struct rp_samples got = {.tensor = &tensor, .path = unit_write(u, "x.raw", some, 32)};
    ACCEPTED(u, rp_input_read(&u->arena, &got, &u->err));
    some[0] = 1e-35f;
    got = (struct rp_samples){.tensor = &tensor, .path = unit_write(u, "y.raw", some, 32)};
    REFUSED(u, rp_input_read(&u->arena, &got, &u->err), RP_E_INPUT, "hardly numbers");
    got = (struct rp_samples){.tensor = &tensor, .path = got.path, .raw = rp_dtype_find("float32")};
    ACCEPTED(u, rp_input_read(&u->arena, &got, &u->err));
    got = (struct rp_samples){.tensor = &tensor, .path = unit_write(u, "z.raw", some, 8)};
    struct rp_error err = {0};
    assert_false(rp_input_read(&u->arena, &got, &err));
    assert_non_null(strstr(err.message, "8 bytes of data"));
    assert_non_null(strstr(err.hint, "--input-type TYPE"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_npy),
        UNIT(refuses_npy),
        UNIT(reads_text),
        UNIT(refuses_text),
        UNIT(real_numbers_are_quantised),
        UNIT(raw_bytes),
        UNIT(round_trips),
        UNIT(writes_what_numpy_writes),
        UNIT(converts_raw_inputs),
        UNIT(asks_about_bytes_for_floats),
    };
    return RUN(tests);
}
