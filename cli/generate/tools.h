/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that make an image, for its stamp: this one, the drivers, and what is behind these.
 */
#ifndef RP_CLI_GENERATE_TOOLS_H
#define RP_CLI_GENERATE_TOOLS_H

#include "cli/generate/around.h"
#include "cli/generate/generation.h"
#include "cli/generate/known.h"

/*
 * Those that are found by their names, and this one, as a text: where they were found, and where
 * that is without links, since a driver looks for its parts beside itself.
 */
const char *rp_tools_text(struct rp_known *known, const struct rp_generate_options *options);
/* Where the generator of a model file is found, and a line end; "": none is asked for. */
const char *rp_tools_generator(struct rp_arena *arena, const struct rp_generate_options *options);
/* Adds their paths. */
void rp_tools_find(struct rp_arena *arena, const struct rp_generate_options *options,
                   struct rp_strings *paths);
/*
 * Adds what the drivers start and load (cc1, collect2, lto1, the plugin, as, ld, files of specs),
 * where they look for it, and the names that they look for. NULL, or why that is not known.
 */
const char *rp_tools_behind(struct rp_generation *run, struct rp_around *around);

#endif
