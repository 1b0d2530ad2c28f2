/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the figures of a model's memory: see figures.def. */
#ifndef RP_CLI_FIGURES_H
#define RP_CLI_FIGURES_H

#include <stdbool.h>

enum rp_figure {
#define X(id, key, label, memory) RP_FIGURE_##id,
#include "cli/figures.def"
#undef X
    RP_FIGURES
};
enum {
    RP_FIGURES_MAIN = RP_FIGURE_ACTS + 1,       /* these sum a model up */
    RP_FIGURES_REPORTED = RP_FIGURE_EXT_RAM + 1 /* these are in reports */
};

enum rp_figure_memory { RP_IN_FLASH, RP_IN_RAM, RP_IN_EXT_RAM };

/* "ram_xip" */
const char *rp_figure_key(enum rp_figure figure);
/* "RAM, XIP mode" */
const char *rp_figure_label(enum rp_figure figure);
enum rp_figure_memory rp_figure_memory(enum rp_figure figure);
/* The figure with that key, or RP_FIGURES. */
enum rp_figure rp_figure_find(const char *key);
/* What a total sums up with the activations; any other figure is returned as it is. */
enum rp_figure rp_figure_without_acts(enum rp_figure figure);
/* All keys, with blanks between them. */
const char *rp_figure_keys(void);

#endif
