/* SPDX-License-Identifier: Apache-2.0 */
/* Classes: which one an output says, which one a label says, and how often they agree. */
#ifndef RP_CLI_TENSORS_CLASSES_H
#define RP_CLI_TENSORS_CLASSES_H

#include "cli/tensors/file.h"

/*
 * How an output says classes: all its elements are one vector of scores or, when more than one of
 * its dimensions is above 1, each row of the last one is, as in segmentation. An output of one
 * element says class 1 above 0.5, else 0.
 */
struct rp_scores {
    const struct rp_samples *samples;
    uint32_t width;   /* scores of a vector */
    uint32_t classes; /* at least 2 */
    uint64_t count;   /* vectors in all samples */
};
struct rp_scores rp_scores_of(const struct rp_samples *samples);
/*
 * The class that vector number index says: the first of the largest scores, or of the NaNs, as
 * numpy.argmax has it.
 */
uint32_t rp_scores_class(const struct rp_scores *scores, uint64_t index);

/*
 * Reads one label for each vector: class numbers from 0, or rows with a 1 in the label's place; in
 * an .npy, in text, or as raw bytes. RP_E_INPUT when there are more or fewer, or one is no class.
 */
bool rp_labels_read(struct rp_arena *arena, const char *path, const struct rp_scores *scores,
                    uint32_t **out, struct rp_error *err);

/* So many vectors with this label were said to be of this class. */
struct rp_confusion_cell {
    uint32_t label, class;
    uint64_t count;
};

struct rp_confusion {
    const char *path; /* of the labels */
    size_t output;    /* which one they are about */
    uint32_t classes;
    uint64_t right, total;
    struct { /* those that are not 0, by label, then by class */
        struct rp_confusion_cell *items;
        size_t count;
        size_t capacity;
    } cells;
};

void rp_confusion_of(struct rp_confusion *out, struct rp_arena *arena,
                     const struct rp_scores *scores, const uint32_t *labels);

#endif
