/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/tensors/assess, compare, record and text: outputs and what they should be. */
#include "tests/unit/unit.h"

#include <math.h>
#include <unistd.h>

#include "cli/tensors/assess.h"
#include "cli/tensors/record.h"
#include "cli/tensors/text.h"

static struct rp_tensor scores = {.name = "scores",
                                  .shape = {1, 3},
                                  .rank = 2,
                                  .quantised = true,
                                  .scale = 0.5,
                                  .zero_point = -1};
static struct rp_samples outputs[2];
static const struct rp_tolerance none;

/* Two outputs of two inferences: an int8 vector, and bytes of which nothing is known. */
static struct rp_assessment assessment_of(const void *vector) {
    scores.dtype = rp_dtype_find("int8");
    outputs[0] = (struct rp_samples){.tensor = &scores, .bytes = {vector, 6}, .count = 2};
    outputs[1] = (struct rp_samples){.bytes = {(const uint8_t *)"abcd", 4}, .count = 2};
    return (struct rp_assessment){.inputs = "seed 1", .outputs = outputs, .count = 1};
}

static void differences_are_in_the_units_of_the_file(void **state) {
    struct unit *u = *state;
    struct rp_assessment got = assessment_of("\1\2\3\4\5\6");
    struct rp_assess_options options = {0};
    rp_strings_push(&u->arena, &options.expected, unit_text(u, "w.csv", "1,2,3\n4,6,6\n"));
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    assert_int_equal(got.expected[0].different, 1);
    assert_int_equal(got.expected[0].first, 1);
    assert_true(got.expected[0].largest == 1);           /* a step of the quantised values */
    assert_true(got.expected[0].agreement == 0.5);       /* the first one of equals */
    assert_true(got.expected[0].figures.mae == 0.5 / 6); /* real numbers */
    assert_true(got.expected[0].figures.mean == 0.5 / 6);
    REFUSED(u, rp_assess_judge(&got, &u->err), RP_E_VERIFY,
            "output 0 differs from the expected one by 1, 0 is allowed");
    options.tolerance = "1";
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    ACCEPTED(u, rp_assess_judge(&got, &u->err));
    unit_text(u, "w.csv", "1.0,1.5,2.1\n2.5,3.0,3.5\n");
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    assert_int_equal(got.expected[0].different, 0); /* quantised, they are the same */
    assert_true(fabs(got.expected[0].largest - 0.1) < 1e-12);
    options.tolerance = NULL;
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    ACCEPTED(u, rp_assess_judge(&got, &u->err));
}

static void a_nan_is_not_close_to_anything(void **state) {
    struct unit *u = *state;
    struct rp_tensor tensor = {
        .name = "y", .dtype = rp_dtype_find("float32"), .shape = {2}, .rank = 1};
    const float got[] = {NAN, 1}, want[] = {1, 1};
    const struct rp_samples a = {.tensor = &tensor, .bytes = {(const uint8_t *)got, 8}, .count = 1};
    const struct rp_samples b = {
        .tensor = &tensor, .bytes = {(const uint8_t *)want, 8}, .count = 1};
    struct rp_compared compared = rp_compare_samples(&u->arena, &a, &b, &none);
    assert_true(isinf(compared.largest));
    compared = rp_compare_samples(&u->arena, &a, &a, &none);
    assert_true(compared.largest == 0 && compared.different == 0);
}

static void what_does_not_fit_is_refused(void **state) {
    struct unit *u = *state;
    struct rp_assessment got = assessment_of("\1\2\3\4\5\6");
    static const char *const wrong[] = {"x",     "-1",  "nan", "inf", "+INFINITY",
                                        "1e999", "0x1", " 1",  "1 ",  ""};
    struct rp_assess_options options = {0};
    double tolerance;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const char *said = rp_format(&u->arena, "'%s'", wrong[i]);
        options.tolerance = wrong[i];
        REFUSED(u, rp_assess_tolerance(&options, &tolerance, &u->err), RP_E_USAGE, said);
        REFUSED(u, rp_assess_possible(&options, NULL, &u->err), RP_E_USAGE, said);
    }
    options.tolerance = "1.5e-3";
    ACCEPTED(u, rp_assess_tolerance(&options, &tolerance, &u->err));
    assert_true(tolerance == 1.5e-3);
    options =
        (struct rp_assess_options){.labels = unit_text(u, "l.txt", "0 1"), .labels_output = 1};
    REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_USAGE, "has 1 output");
    got.count = 2;
    REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_USAGE, "only the runtime knows");
    rp_strings_push(&u->arena, &options.expected, unit_text(u, "w.csv", "1,2,3\n"));
    REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_USAGE, "given 1 times");
    got.count = 1;
    REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_INPUT,
            "holds 1 outputs, there are 2 inputs");
}

static struct rp_json *record_of(struct unit *u, const struct rp_assessment *assessment) {
    struct rp_json *root = rp_json_object();
    rp_record_put(root, &u->arena, assessment);
    return root;
}

static char *write_record(struct unit *u, const struct rp_assessment *assessment) {
    struct rp_json *root = record_of(u, assessment);
    char *text = rp_json_print(root);
    char *path = unit_text(u, "other.json", text);
    free(text);
    rp_json_free(root);
    return path;
}

static void runs_are_compared_by_their_hashes(void **state) {
    struct unit *u = *state;
    struct rp_assessment other = assessment_of("\1\2\3\4\5\6");
    struct rp_assess_options options = {0};
    other.count = 2;
    options.compare = write_record(u, &other);
    struct rp_assessment got = assessment_of("\1\2\3\4\5\6");
    got.count = 2;
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    assert_int_equal(got.other[0].different + got.other[1].different, 0);
    assert_false(got.other[0].has_values);
    ACCEPTED(u, rp_assess_judge(&got, &u->err));
    got.outputs[0].bytes.data = (const uint8_t *)"\1\2\3\4\5\7";
    got.outputs[1].bytes.data = (const uint8_t *)"abcx";
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    assert_int_equal(got.other[0].different, 1);
    assert_int_equal(got.other[1].first, 1);
    options.tolerance = "9";
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    REFUSED(u, rp_assess_judge(&got, &u->err), RP_E_VERIFY, "inference 2 differs");
}

static void saved_values_give_figures(void **state) {
    struct unit *u = *state;
    struct rp_assessment other = assessment_of("\1\2\3\4\5\6");
    struct rp_assess_options options = {0};
    char *saved = unit_text(u, "saved.csv", "1,2,3\n4,5,6\n");
    other.outputs[0].path = saved;
    options.compare = write_record(u, &other);
    struct rp_assessment got = assessment_of("\1\2\3\4\5\10");
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    assert_true(got.other[0].has_values && got.other[0].largest == 2);
    REFUSED(u, rp_assess_judge(&got, &u->err), RP_E_VERIFY, "by 2, 0 is allowed");
    options.tolerance = "2";
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    ACCEPTED(u, rp_assess_judge(&got, &u->err));
    unit_text(u, "saved.csv", "1,2,3\n4,5,7\n");
    REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_INPUT,
            "does not hold the values of output 0");
    unit_text(u, "saved.csv", "1,2,3\n");
    REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_INPUT,
            "does not hold the values of output 0");
    assert_int_equal(unlink(saved), 0);
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    assert_false(got.other[0].has_values);
}

static void other_json_is_refused(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"{}", "it has no inputs and outputs"},
        {"[1]", "it has no inputs and outputs"},
        {"{\"inputs\": 1, \"outputs\": []}", "it has no inputs and outputs"},
        {"{\"inputs\": \"seed 1\", \"outputs\": {}}", "it has no inputs and outputs"},
        {"{\"inputs\": \"seed 2\", \"outputs\": []}", "is of other inputs: seed 2, here: seed 1"},
        {"{\"inputs\": \"seed 1\", \"outputs\": []}", "has 0 outputs, the model has 1"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [7]}", "another number of inferences"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"sha256\": \"ab\"}]}", "another number"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"sha256\": [1]}]}", "another number"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"sha256\": [\"\", 1]}]}", "is no text"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"dtype\": \"int16\", \"sha256\": [\"\", "
         "\"\"]}]}",
         "is of another type"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"shape\": [1, 4], \"sha256\": [\"\", "
         "\"\"]}]}",
         "has another shape"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"shape\": [1], \"sha256\": [\"\", "
         "\"\"]}]}",
         "has another shape"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"shape\": [3, 3, 1], \"sha256\": [\"\", "
         "\"\"]}]}",
         "has another shape"},
        {"{\"inputs\": \"seed 1\", \"outputs\": [{\"shape\": 3, \"sha256\": [\"\", "
         "\"\"]}]}",
         "has another shape"}};
    struct rp_assess_options options = {0};
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct rp_assessment got = assessment_of("\1\2\3\4\5\6");
        options.compare = unit_text(u, "bad.json", bad[i].text);
        REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_INPUT, bad[i].part);
    }
    struct rp_assessment got = assessment_of("\1\2\3\4\5\6");
    options.compare = unit_text(u, "bad.json", "{");
    REFUSED(u, rp_assess(&got, &u->arena, &options, &u->err), RP_E_MANIFEST, "bad.json");
}

static void tables_and_json(void **state) {
    struct unit *u = *state;
    struct rp_assessment got = assessment_of("\1\2\3\4\5\6");
    struct rp_assess_options options = {.labels = unit_text(u, "l.txt", "2\n1\n")};
    struct rp_buf text = {.arena = &u->arena};
    rp_strings_push(&u->arena, &options.expected, unit_text(u, "w.csv", "1,2,3\n4,5,6\n"));
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    rp_assessment_text(&text, &got);
    CONTAINS(text.data, "bit-exact");
    CONTAINS(text.data, "scores, 2 x int8 1x3");
    CONTAINS(text.data, "1 of 2 right, accuracy 50.00 %");
    CONTAINS(text.data, "     1     .     .     1\n     2     .     .     1\n");
    struct rp_json *root = record_of(u, &got);
    const struct rp_json *expected = rp_json_first(rp_json_member(root, "expected"));
    assert_true(rp_json_number(rp_json_member(expected, "rmse")) == 0);
    assert_true(rp_json_number(rp_json_member(expected, "nse")) == 1);
    const struct rp_json *labels = rp_json_member(root, "labels");
    assert_true(rp_json_number(rp_json_member(labels, "accuracy")) == 0.5);
    assert_int_equal(rp_json_count(rp_json_member(labels, "confusion")), 2);
    rp_json_free(root);
    got = assessment_of("\1\1\1\1\1\1");
    unit_text(u, "w.csv", "1,1,1\n1,1,1\n"); /* a constant reference: nse is not defined */
    text.len = 0;
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    rp_assessment_text(&text, &got);
    CONTAINS(text.data, " n.a. ");
    root = record_of(u, &got);
    expected = rp_json_first(rp_json_member(root, "expected"));
    assert_null(rp_json_member(expected, "nse"));
    assert_non_null(rp_json_member(expected, "mae"));
    rp_json_free(root);
}

/* With many classes, a matrix would not be readable. */
static void many_classes_are_folded(void **state) {
    struct unit *u = *state;
    enum { CLASSES = 50, SAMPLES = 60 };
    struct rp_tensor tensor = {
        .name = "y", .dtype = rp_dtype_find("uint8"), .shape = {CLASSES}, .rank = 1};
    uint8_t *bytes = rp_alloc(&u->arena, SAMPLES, CLASSES);
    struct rp_buf labels = {.arena = &u->arena}, text = labels;
    for (int i = 0; i < SAMPLES; i++) {
        bytes[i * CLASSES + (i < 3 ? 49 : i % CLASSES)] = 1;
        rp_buf_printf(&labels, "%d\n", i < 3 ? 7 : i < 5 ? 8 : i % CLASSES);
    }
    struct rp_samples samples = {
        .tensor = &tensor, .bytes = {bytes, SAMPLES * CLASSES}, .count = SAMPLES};
    struct rp_assessment got = {.inputs = "seed 1", .outputs = &samples, .count = 1};
    struct rp_assess_options options = {.labels = unit_text(u, "l.txt", labels.data)};
    ACCEPTED(u, rp_assess(&got, &u->arena, &options, &u->err));
    rp_assessment_text(&text, &got);
    CONTAINS(text.data, "55 of 60 right, accuracy 91.67 %\n     7 taken for 49: 3 times\n"
                        "     8 taken for 3: 1 times\n     8 taken for 4: 1 times\n");
    assert_null(strstr(text.data, " . "));
}

static void saves_all_files_or_none(void **state) {
    struct unit *u = *state;
    struct rp_assessment got = assessment_of("\1\2\3\4\5\6");
    struct rp_assess_options options = {0};
    struct rp_strings inputs = {0};
    size_t size;
    rp_strings_push(&u->arena, &options.saved, unit_path(u, "a.csv"));
    ACCEPTED(u, rp_assess_save(&got, &u->arena, &options, &inputs, &u->err));
    assert_string_equal(unit_slurp(u, "a.csv", &size), "1,2,3\n4,5,6\n");
    got.outputs[0].bytes.data = (const uint8_t *)"\6\5\4\3\2\1";
    rp_strings_push(&u->arena, &options.saved, unit_path(u, "b.npy"));
    REFUSED(u, rp_assess_save(&got, &u->arena, &options, &inputs, &u->err), RP_E_USAGE,
            "no output 1");
    got.count = 2;
    REFUSED(u, rp_assess_save(&got, &u->arena, &options, &inputs, &u->err), RP_E_USAGE,
            "only the runtime");
    options.saved.count = 1;
    rp_strings_push(&u->arena, &inputs, unit_path(u, "a.csv"));
    REFUSED(u, rp_assess_save(&got, &u->arena, &options, &inputs, &u->err), RP_E_USAGE, "a.csv");
    assert_string_equal(unit_slurp(u, "a.csv", &size), "1,2,3\n4,5,6\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(differences_are_in_the_units_of_the_file),
        UNIT(a_nan_is_not_close_to_anything),
        UNIT(what_does_not_fit_is_refused),
        UNIT(runs_are_compared_by_their_hashes),
        UNIT(saved_values_give_figures),
        UNIT(other_json_is_refused),
        UNIT(tables_and_json),
        UNIT(many_classes_are_folded),
        UNIT(saves_all_files_or_none),
    };
    return RUN(tests);
}
