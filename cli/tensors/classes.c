/* SPDX-License-Identifier: Apache-2.0 */
/* Classes: see classes.h. */
#include "cli/tensors/classes.h"

#include <math.h>
#include <stdlib.h>

#include "cli/tensors/value.h"

struct rp_scores rp_scores_of(const struct rp_samples *samples) {
    const struct rp_tensor *tensor = samples->tensor;
    uint64_t elements = rp_tensor_elements(tensor);
    unsigned wide = 0;
    for (unsigned i = 0; i < tensor->rank; i++)
        wide += tensor->shape[i] > 1;
    uint32_t width = wide > 1 ? tensor->shape[tensor->rank - 1] : (uint32_t)elements;
    return (struct rp_scores){samples, width, width > 1 ? width : 2,
                              elements / width * samples->count};
}

uint32_t rp_scores_class(const struct rp_scores *scores, uint64_t index) {
    const struct rp_tensor *tensor = scores->samples->tensor;
    uint32_t step = tensor->dtype->size_bytes, found = 0;
    const uint8_t *at = scores->samples->bytes.data + index * scores->width * step;
    double best = rp_value_real(tensor, at);
    if (scores->width == 1)
        return best > 0.5;
    for (uint32_t i = 1; i < scores->width && !isnan(best); i++) {
        double value = rp_value_real(tensor, at + (size_t)i * step);
        if (value > best || isnan(value)) {
            best = value;
            found = i;
        }
    }
    return found;
}

/* ---- labels ---- */

/* A row with one 1, the rest 0. */
static bool one_hot(const struct rp_numbers *numbers, uint64_t first, uint32_t classes,
                    uint32_t *out) {
    uint32_t ones = 0, others = 0;
    for (uint32_t i = 0; i < classes; i++) {
        double value =
            rp_value_get(numbers->dtype, numbers->data + (first + i) * numbers->dtype->size_bytes);
        if (value == 1) {
            ones++;
            *out = i;
        } else
            others += value != 0;
    }
    return ones == 1 && others == 0;
}

bool rp_labels_read(struct rp_arena *arena, const char *path, const struct rp_scores *scores,
                    uint32_t **out, struct rp_error *err) {
    struct rp_numbers numbers = {.dtype = rp_dtype_find("uint8")};
    if (!rp_numbers_read(arena, path, &numbers, err))
        return false;
    bool rows =
        numbers.count / scores->classes == scores->count && numbers.count % scores->classes == 0;
    if (!rows && numbers.count != scores->count)
        return rp_fail(err, RP_E_INPUT,
                       "'%s' has %llu numbers: %llu labels are needed, or as many rows of %u", path,
                       (unsigned long long)numbers.count, (unsigned long long)scores->count,
                       scores->classes);
    *out = rp_alloc(arena, scores->count, sizeof **out);
    for (uint64_t i = 0; i < scores->count; i++) {
        if (rows && !one_hot(&numbers, i * scores->classes, scores->classes, &(*out)[i]))
            return rp_fail(err, RP_E_INPUT, "'%s': row %llu is not a 1 among zeros", path,
                           (unsigned long long)i + 1);
        if (rows)
            continue;
        double label = rp_value_get(numbers.dtype, numbers.data + i * numbers.dtype->size_bytes);
        if (!(label >= 0 && label < scores->classes && label == floor(label)))
            return rp_fail(err, RP_E_INPUT, "'%s': label %llu, %g, is no class from 0 to %u", path,
                           (unsigned long long)i + 1, label, scores->classes - 1);
        (*out)[i] = (uint32_t)label;
    }
    return true;
}

/* ---- how often they agree ---- */

static int by_key(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void rp_confusion_of(struct rp_confusion *out, struct rp_arena *arena,
                     const struct rp_scores *scores, const uint32_t *labels) {
    uint64_t *keys = rp_alloc(arena, scores->count, sizeof *keys);
    *out = (struct rp_confusion){.classes = scores->classes, .total = scores->count};
    for (uint64_t i = 0; i < scores->count; i++)
        keys[i] = (uint64_t)labels[i] << 32 | rp_scores_class(scores, i);
    qsort(keys, scores->count, sizeof *keys, by_key);
    for (uint64_t i = 0; i < scores->count; i++) {
        if (i == 0 || keys[i] != keys[i - 1])
            *RP_PUSH(arena, &out->cells) =
                (struct rp_confusion_cell){(uint32_t)(keys[i] >> 32), (uint32_t)keys[i], 0};
        struct rp_confusion_cell *cell = &out->cells.items[out->cells.count - 1];
        cell->count++;
        out->right += cell->label == cell->class;
    }
}
