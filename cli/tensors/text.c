/* SPDX-License-Identifier: Apache-2.0 */
/* An assessment as tables: see text.h. */
#include "cli/tensors/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/tensors/reference.h"

enum { CLASSES_MAX = 20, MISTAKES_MAX = 20 };

static void put_number(struct rp_buf *out, double value) {
    if (isnan(value))
        rp_buf_printf(out, " %11s", "n.a.");
    else
        rp_buf_printf(out, " %11.5g", value);
}

static void put_tensor(struct rp_buf *out, const struct rp_samples *samples) {
    const struct rp_tensor *tensor = samples->tensor;
    if (tensor == NULL)
        return;
    rp_buf_printf(out, "  %s, %u x %s ", rp_printable(out->arena, tensor->name), samples->count,
                  tensor->dtype->name);
    for (unsigned i = 0; i < tensor->rank; i++)
        rp_buf_printf(out, "%s%u", i == 0 ? "" : "x", tensor->shape[i]);
}

static void put_compared(struct rp_buf *out, const struct rp_compared *compared, size_t index,
                         const struct rp_samples *got) {
    const struct rp_closeness *figures = &compared->figures;
    rp_buf_printf(out, "%6zu  ", index);
    if (compared->different == 0)
        rp_buf_printf(out, "%-18s", "bit-exact");
    else if (compared->has_values && compared->beyond == 0)
        rp_buf_printf(out, "%-18s", "within tolerance");
    else
        rp_buf_printf(out, "%-18s",
                      rp_format(out->arena, "%u of %u differ", compared->different, got->count));
    put_number(out, compared->has_values ? compared->largest : NAN);
    if (compared->has_values && isfinite(compared->agreement))
        rp_buf_printf(out, " %8.2f %%", 100 * compared->agreement);
    else
        rp_buf_printf(out, " %10s", "n.a.");
#define X(figure) put_number(out, compared->has_values ? figures->figure : NAN);
    RP_CLOSENESS(X)
#undef X
    put_tensor(out, got);
    rp_buf_puts(out, "\n");
}

static void put_table(struct rp_buf *out, const struct rp_assessment *assessment, const char *title,
                      const struct rp_compared *list) {
    if (list == NULL)
        return;
    rp_buf_printf(out, "\n%s\n%6s  %-18s %11s %10s", title, "output", "inferences", "largest",
                  "acc");
#define X(figure) rp_buf_printf(out, " %11s", #figure);
    RP_CLOSENESS(X)
#undef X
    rp_buf_puts(out, "  tensor\n");
    for (size_t i = 0; i < assessment->count; i++)
        put_compared(out, &list[i], i, &assessment->outputs[i]);
}

static void put_reference(struct rp_buf *out, const struct rp_assessment *assessment) {
    const struct rp_reference *reference = assessment->reference;
    size_t equal = 0;
    for (size_t i = 0; i < reference->sets.count; i++)
        equal += rp_reference_wrong(assessment, i) == assessment->count;
    put_table(
        out, assessment,
        rp_format(out->arena,
                  "against the reference: %zu of %zu data set%s equal, by %g + %g * |reference|",
                  equal, reference->sets.count, reference->sets.count == 1 ? "" : "s",
                  reference->tolerance.absolute, reference->tolerance.relative),
        assessment->against);
}

/* ---- classes ---- */

/* Rows are labels, columns are what the model says. */
static void put_matrix(struct rp_buf *out, const struct rp_confusion *confusion) {
    size_t next = 0;
    rp_buf_printf(out, "%6s", "");
    for (uint32_t class = 0; class < confusion->classes; class ++)
        rp_buf_printf(out, " %5u", class);
    for (uint32_t label = 0; label < confusion->classes; label++) {
        rp_buf_printf(out, "\n%6u", label);
        for (uint32_t class = 0; class < confusion->classes; class ++) {
            const struct rp_confusion_cell *cell = &confusion->cells.items[next];
            bool here =
                next < confusion->cells.count && cell->label == label && cell->class == class;
            rp_buf_printf(out, " %5s",
                          here ? rp_format(out->arena, "%llu", (unsigned long long)cell->count)
                               : ".");
            next += here;
        }
    }
    rp_buf_puts(out, "\n");
}

/* The most frequent mistakes first. */
static int by_mistakes(const void *a, const void *b) {
    const struct rp_confusion_cell *x = a, *y = b;
    bool x_right = x->label == x->class, y_right = y->label == y->class;
    if (x_right != y_right)
        return x_right ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->label != y->label ? (x->label > y->label) - (x->label < y->label)
                                : (x->class > y->class) - (x->class < y->class);
}

static void put_mistakes(struct rp_buf *out, const struct rp_confusion *confusion) {
    size_t count = confusion->cells.count;
    struct rp_confusion_cell *cells = rp_alloc(out->arena, count, sizeof *cells);
    memcpy(cells, confusion->cells.items, count * sizeof *cells);
    qsort(cells, count, sizeof *cells, by_mistakes);
    for (size_t i = 0; i < count && i < MISTAKES_MAX && cells[i].label != cells[i].class; i++)
        rp_buf_printf(out, "%6u taken for %u: %llu times\n", cells[i].label, cells[i].class,
                      (unsigned long long)cells[i].count);
}

static void put_confusion(struct rp_buf *out, const struct rp_confusion *confusion) {
    rp_buf_printf(out, "\nlabels of output %zu: %llu of %llu right, accuracy %.2f %%\n",
                  confusion->output, (unsigned long long)confusion->right,
                  (unsigned long long)confusion->total,
                  100 * (double)confusion->right / (double)confusion->total);
    if (confusion->classes <= CLASSES_MAX)
        put_matrix(out, confusion);
    else
        put_mistakes(out, confusion);
}

void rp_assessment_text(struct rp_buf *out, const struct rp_assessment *assessment) {
    put_table(out, assessment, "against the expected outputs", assessment->expected);
    put_table(out, assessment, "against the outputs of the other run", assessment->other);
    if (assessment->reference != NULL)
        put_reference(out, assessment);
    if (assessment->confusion != NULL)
        put_confusion(out, assessment->confusion);
}
