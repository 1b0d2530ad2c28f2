/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files by which make and ninja run the jobs of a batch. Neither of them, and no shell, reads
 * text from the user other than the words of --wrap and the path of this program, which are quoted:
 * the options of a cell are in its response file, and names of cells are plain.
 */
#ifndef RP_CLI_BATCH_RECIPES_H
#define RP_CLI_BATCH_RECIPES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

#define RP_RECIPES_ARGS  "cell.args"
#define RP_RECIPES_MAKE  "Makefile"
#define RP_RECIPES_GOALS ".goals"
#define RP_RECIPES_GOAL  "goals" /* not the name of a file that make reads, and would make first */

/* The words, a line each, as --options-file reads them. */
void rp_recipes_words(struct rp_buf *out, const struct rp_strings *words);
/* Writes a file of the batch, unless it has that text already. RP_E_SYSTEM, RP_E_NO_SPACE. */
bool rp_recipes_put(struct rp_arena *arena, const char *path, const struct rp_buf *text,
                    struct rp_error *err);
/*
 * Writes Makefile and build.ninja into the folder output. names: of the cells. wrap: words in front
 * of each command. A file of that name which no batch wrote is left alone: RP_E_FOREIGN.
 * RP_E_USAGE: a word has a line end, which neither of the two can take. RP_E_SYSTEM, RP_E_NO_SPACE.
 */
bool rp_recipes_write(struct rp_arena *arena, const char *output, const struct rp_strings *names,
                      const struct rp_strings *wrap, struct rp_error *err);
/*
 * Writes the makefile RP_RECIPES_GOALS, whose goal RP_RECIPES_GOAL makes these cells: a command
 * line has no room for many. RP_E_FOREIGN, RP_E_SYSTEM, RP_E_NO_SPACE.
 */
bool rp_recipes_write_goals(struct rp_arena *arena, const char *output,
                            const struct rp_strings *names, struct rp_error *err);

#endif
