/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of cli/tensors/figures, classes and value. The wanted figures were worked out by hand,
 * or in fractions, where no rounding can hide a mistake.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "cli/tensors/classes.h"
#include "cli/tensors/figures.h"
#include "cli/tensors/value.h"

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-14 * fmax(1, fabs(want))))
        fail_msg("%.17g, not %.17g", got, want);
}

static void figures_are_those_of_fractions(void **state) {
    (void)state;
    const double reference[] = {0.25, -1.5, 7, 0, 0.625}, output[] = {0.5, -1.5, 6.5, 0.125, 1};
    struct rp_closeness got;
    /* errors 0, 0, 1, -2: squares 5; of the output 45, of the reference 30, and 5 around its mean
     */
    rp_closeness_of(&got, (const double[]){1, 2, 3, 4}, (const double[]){1, 2, 2, 6}, 4);
    near(got.rmse, sqrt(1.25));
    near(got.mae, 0.75);
    near(got.l2r, 1.0 / 3);
    near(got.mean, -0.25);
    near(got.std, sqrt(4.75 / 3));
    near(got.nse, 0.25);
    near(got.cos, 35 / sqrt(30 * 45));
    rp_closeness_of(&got, reference, output, 5);
    near(got.rmse, 0.30618621784789726227);
    near(got.mae, 0.25);
    near(got.l2r, 0.10120476051401879374);
    near(got.mean, -0.05);
    near(got.std, 0.33773140215265740078);
    near(got.nse, 0.99139414802065404475);
    near(got.cos, 0.99704243616298677360);
}

/* Small errors of large numbers, and many small numbers after a large one. */
static void sums_lose_nothing(void **state) {
    struct unit *u = *state;
    enum { MANY = 1 << 20 };
    double reference[8], output[8];
    struct rp_closeness got;
    for (int i = 0; i < 8; i++) {
        reference[i] = 0x1p40 + i;
        output[i] = reference[i] + (i % 2 == 0 ? 0x1p-10 : -0x1p-10);
    }
    rp_closeness_of(&got, reference, output, 8);
    near(got.rmse, 0.0009765625);
    near(got.mean, 0);
    near(got.std, 0.00104398922622040775);
    near(got.nse, 0.99999984105428059856);
    assert_true(got.cos <= 1);
    double *a = rp_alloc(&u->arena, MANY, sizeof *a), *b = rp_alloc(&u->arena, MANY, sizeof *b);
    a[0] = 0x1p60;
    for (size_t i = 1; i < MANY; i++)
        a[i] = 1;
    rp_closeness_of(&got, a, b, MANY);
    near(got.mae, (0x1p60 + MANY - 1) / MANY);
    assert_true(got.mean * MANY == 0x1p60 + MANY); /* a plain sum stays at 2^60 */
}

static void undefined_figures_are_nan(void **state) {
    (void)state;
    const double zeros[3] = {0}, ones[] = {1, 1, 1};
    struct rp_closeness got;
    rp_closeness_of(&got, ones, ones, 3);
    near(got.rmse, 0);
    near(got.cos, 1);
    assert_true(isnan(got.nse)); /* the reference does not vary */
    rp_closeness_of(&got, zeros, zeros, 3);
    assert_true(isnan(got.l2r) && isnan(got.cos) && isnan(got.nse) && got.std == 0);
    rp_closeness_of(&got, ones, ones, 1);
    assert_true(isnan(got.std) && isnan(got.nse) && got.mae == 0);
    rp_closeness_of(&got, ones, ones, 0);
    assert_true(isnan(got.rmse) && isnan(got.mae) && isnan(got.mean));
    rp_closeness_of(&got, (const double[]){NAN, 1, INFINITY}, (const double[]){NAN, 1, INFINITY},
                    3);
    assert_true(got.rmse == 0 && got.cos == 1);
    rp_closeness_of(&got, (const double[]){NAN, 1}, (const double[]){0, 1}, 2);
    assert_true(isnan(got.rmse) && isnan(got.cos));
}

/* ---- values ---- */

static const struct rp_dtype *type(const char *name) {
    return rp_dtype_find(name);
}

static void distances(void **state) {
    (void)state;
    const uint8_t a[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}, b[8] = {0};
    assert_true(rp_distance(NAN, NAN) == 0 && rp_distance(INFINITY, INFINITY) == 0);
    assert_true(isinf(rp_distance(NAN, 0)) && isinf(rp_distance(0, NAN)));
    assert_true(isinf(rp_distance(-INFINITY, INFINITY)));
    assert_true(rp_value_distance(type("int8"), a, b) == 1);
    assert_true(rp_value_distance(type("uint8"), a, b) == 255);
    assert_true(rp_value_distance(type("int64"), a, b) == 0x1p63);
    const uint8_t c[8] = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F};
    assert_true(rp_value_distance(type("int64"), a, c) == 1); /* as doubles they are the same */
    assert_true(rp_value_distance(type("uint64"), c, a) == 1);
}

static int64_t quantised(const char *dtype, double scale, int32_t zero, double real) {
    const struct rp_tensor tensor = {
        .dtype = type(dtype), .quantised = true, .scale = scale, .zero_point = zero};
    uint8_t at[8] = {0};
    assert_true(rp_value_quantise(&tensor, real, at));
    return rp_value_integer(tensor.dtype, at);
}

static void quantising_rounds_to_even_and_saturates(void **state) {
    (void)state;
    uint8_t at[8];
    const struct rp_tensor tensor = {
        .dtype = type("int8"), .quantised = true, .scale = 0.5, .zero_point = 1};
    assert_int_equal(quantised("int8", 0.5, 0, 0.25), 0);
    assert_int_equal(quantised("int8", 0.5, 0, 0.75), 2);
    assert_int_equal(quantised("int8", 0.5, 1, 0.25), 1); /* rounded before the zero point */
    assert_int_equal(quantised("int8", 0.5, 0, -0.75), -2);
    assert_int_equal(quantised("int8", 0.5, -128, 1e9), 127);
    assert_int_equal(quantised("int8", 0.5, -128, -1e-9), -128);
    assert_int_equal(quantised("uint8", 0.5, 10, -6), 0);
    assert_int_equal(quantised("uint8", 0.5, 10, INFINITY), 255);
    assert_int_equal(quantised("int16", 1, 0, -40000), -32768);
    assert_int_equal(quantised("int64", 1, 0, 1e300), INT64_MAX);
    assert_int_equal(quantised("int64", 1, 0, -1e300), INT64_MIN);
    assert_int_equal((uint64_t)quantised("uint64", 1, 0, 0x1p63), UINT64_C(1) << 63);
    assert_false(rp_value_quantise(&tensor, NAN, at));
    at[0] = 0xFE;
    near(rp_value_real(&tensor, at), -1.5);
}

static void values_that_do_not_fit(void **state) {
    (void)state;
    uint8_t at[8];
    assert_true(rp_value_put_integer(type("int8"), -128, at) && at[0] == 0x80);
    assert_false(rp_value_put_integer(type("int8"), -129, at));
    assert_false(rp_value_put_integer(type("int8"), 128, at));
    assert_true(rp_value_put_integer(type("uint16"), 65535, at));
    assert_false(rp_value_put_integer(type("uint16"), -1, at));
    assert_true(rp_value_put_integer(type("bool"), 1, at));
    assert_false(rp_value_put_integer(type("bool"), 2, at));
    assert_true(rp_value_put_integer(type("int64"), INT64_MIN, at));
    assert_true(rp_value_put(type("float32"), 3.4028234663852886e38, at));
    assert_false(rp_value_put(type("float32"), 3.4028236e38, at));
    assert_true(rp_value_put(type("float32"), -INFINITY, at));
    assert_true(rp_value_get(type("float32"), at) == -INFINITY);
}

/* ---- classes ---- */

static struct rp_scores scores_of(struct unit *u, const struct rp_tensor *tensor,
                                  const float *values, uint32_t count) {
    struct rp_samples *samples = rp_alloc(&u->arena, 1, sizeof *samples);
    *samples = (struct rp_samples){.tensor = tensor, .count = count};
    samples->bytes = (struct rp_bytes){(const uint8_t *)values, count * rp_tensor_bytes(tensor)};
    return rp_scores_of(samples);
}

static void classes_as_argmax_has_them(void **state) {
    struct unit *u = *state;
    const struct rp_tensor vector = {.dtype = type("float32"), .shape = {1, 3, 1}, .rank = 3};
    const struct rp_tensor map = {.dtype = type("float32"), .shape = {2, 3}, .rank = 2};
    const struct rp_tensor one = {.dtype = type("float32"), .shape = {1, 1}, .rank = 2};
    const float values[] = {1, 2, 2, -1, -3, -2, 5, NAN, NAN, 0, 0, 0.5F};
    struct rp_scores scores = scores_of(u, &vector, values, 4);
    assert_int_equal(scores.classes, 3);
    assert_int_equal(scores.count, 4);
    const uint32_t want[] = {1, 0, 1, 2};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(rp_scores_class(&scores, i), want[i]);
    scores = scores_of(u, &map, values, 2); /* a class for each position of the map */
    assert_int_equal(scores.count, 4);
    assert_int_equal(rp_scores_class(&scores, 3), 2);
    const float binary[] = {0.5F, 0.51F, -1};
    scores = scores_of(u, &one, binary, 3);
    assert_int_equal(scores.classes, 2);
    assert_int_equal(rp_scores_class(&scores, 0), 0);
    assert_int_equal(rp_scores_class(&scores, 1), 1);
    assert_int_equal(rp_scores_class(&scores, 2), 0);
}

static void labels_and_confusion(void **state) {
    struct unit *u = *state;
    const struct rp_tensor vector = {.dtype = type("float32"), .shape = {3}, .rank = 1};
    const float values[] = {9, 0, 0, 0, 9, 0, 0, 0, 9, 0, 9, 0};
    struct rp_scores scores = scores_of(u, &vector, values, 4); /* says 0, 1, 2, 1 */
    const char *const same[] = {"0\n2\n2\n1\n", "0 2 2 1", "1,0,0\n0,0,1\n0,0,1\n0,1,0\n",
                                "# class\r\n0.0\r\n2\r\n2e0\r\n1\r\n"};
    uint32_t *labels;
    struct rp_confusion confusion;
    for (size_t i = 0; i < COUNT(same); i++) {
        char *path = unit_text(u, "labels.csv", same[i]);
        ACCEPTED(u, rp_labels_read(&u->arena, path, &scores, &labels, &u->err));
        rp_confusion_of(&confusion, &u->arena, &scores, labels);
        assert_int_equal(confusion.right, 3);
        assert_int_equal(confusion.total, 4);
        assert_int_equal(confusion.cells.count, 4);
        assert_int_equal(confusion.cells.items[2].label, 2);
        assert_int_equal(confusion.cells.items[2].class, 1);
        assert_int_equal(confusion.cells.items[2].count, 1);
    }
    char *raw = unit_write(u, "labels.bin", "\0\2\2\1", 4);
    ACCEPTED(u, rp_labels_read(&u->arena, raw, &scores, &labels, &u->err));
    assert_int_equal(labels[3], 1);
    static const struct {
        const char *text, *part;
    } bad[] = {{"0\n1\n2\n", "has 3 numbers: 4 labels"},
               {"0\n1\n3\n1\n", "label 3, 3"},
               {"0\n1\n-1\n1\n", "label 3, -1"},
               {"0\n1\n0.5\n1\n", "label 3, 0.5"},
               {"0\n1\nnan\n1\n", "label 3, nan"},
               {"0\n1\ncat\n1\n", "'cat' is not a number"},
               {"", "no data"},
               {"1,0,0\n0,1,1\n1,0,0\n1,0,0\n", "row 2"},
               {"1,0,0\n0,0,0\n1,0,0\n1,0,0\n", "row 2"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char *path = unit_text(u, "bad.txt", bad[i].text);
        REFUSED(u, rp_labels_read(&u->arena, path, &scores, &labels, &u->err), RP_E_INPUT,
                bad[i].part);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(figures_are_those_of_fractions),
        UNIT(sums_lose_nothing),
        UNIT(undefined_figures_are_nan),
        UNIT(distances),
        UNIT(quantising_rounds_to_even_and_saturates),
        UNIT(values_that_do_not_fit),
        UNIT(classes_as_argmax_has_them),
        UNIT(labels_and_confusion),
    };
    return RUN(tests);
}
