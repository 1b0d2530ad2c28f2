/* SPDX-License-Identifier: Apache-2.0 */
/* Names of figures: see figures.h. */
#include "cli/figures.h"

#include <string.h>

const char *rp_figure_key(enum rp_figure figure) {
    static const char *const keys[] = {
#define X(id, key, label, memory) key,
#include "cli/figures.def"
#undef X
    };
    return keys[figure];
}

const char *rp_figure_label(enum rp_figure figure) {
    static const char *const labels[] = {
#define X(id, key, label, memory) label,
#include "cli/figures.def"
#undef X
    };
    return labels[figure];
}

enum rp_figure_memory rp_figure_memory(enum rp_figure figure) {
    static const enum rp_figure_memory memories[] = {
#define X(id, key, label, memory) RP_IN_##memory,
#include "cli/figures.def"
#undef X
    };
    return memories[figure];
}

enum rp_figure rp_figure_find(const char *key) {
    int figure = 0;
    while (figure < RP_FIGURES && strcmp(rp_figure_key((enum rp_figure)figure), key) != 0)
        figure++;
    return (enum rp_figure)figure;
}

enum rp_figure rp_figure_without_acts(enum rp_figure figure) {
    return figure == RP_FIGURE_TOTAL_RAM_XIP    ? RP_FIGURE_RAM_XIP
           : figure == RP_FIGURE_TOTAL_RAM_COPY ? RP_FIGURE_RAM_COPY
                                                : figure;
}

const char *rp_figure_keys(void) {
    static const char keys[] =
#define X(id, key, label, memory) " " key
#include "cli/figures.def"
#undef X
        ;
    return keys + 1;
}
