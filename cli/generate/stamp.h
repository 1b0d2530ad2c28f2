/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stamps: what files were made from, so that nothing is made again whose options, tools, inputs and
 * outputs are as they were, and in whose place nothing else would be read now. Contents are
 * compared: a file with the identity that it had is not read, any other is. A stamp is a list of
 * lines: kind, SHA-256, identity, path.
 */
#ifndef RP_CLI_GENERATE_STAMP_H
#define RP_CLI_GENERATE_STAMP_H

#include "cli/facts/memory.h"
#include "cli/generate/generation.h"
#include "cli/generate/known.h"

/* What a stamp should be of. */
struct rp_stamp {
    const struct rp_generate_options *options;
    const char *path;
    const char *dir; /* from which relative paths of the options count; NULL: the current folder */
};

/*
 * Is everything that a stamp lists as it was? One that is missing or damaged is not current. known:
 * of all stamps that are looked at in this moment. memory: gets what the report says, in known's
 * arena; or NULL.
 */
bool rp_stamp_is_current(const struct rp_stamp *stamp, struct rp_known *known,
                         struct rp_memory_figures *memory);
/* Before anything is read: takes down options and time. To be called once, with --stamp only. */
void rp_stamp_begin(struct rp_generation *run, struct rp_known *known);
/*
 * Adds the stamp to the outputs, all of which have to be staged. There is none, and so the next run
 * makes everything again, when a budget is exceeded, when an output is no file, when it is not
 * known what was read, and when an input, or something that would be read in its place, was changed
 * since the run began. inputs: absolute paths; report: the JSON text. RP_E_SYSTEM, RP_E_NO_SPACE.
 */
bool rp_stamp_add(struct rp_generation *run, const struct rp_strings *inputs, const char *report,
                  struct rp_error *err);

#endif
