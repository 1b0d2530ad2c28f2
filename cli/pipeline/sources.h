/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources of a folder (--source DIR) are compiled when something needs them: a source of which
 * another object wants a name, or that may define a name which another one defines, so that the
 * linker finds what it would find among all of them. A source that is not needed is like a member
 * of an archive: what it has in special sections is not in the image.
 */
#ifndef RP_CLI_PIPELINE_SOURCES_H
#define RP_CLI_PIPELINE_SOURCES_H

#include "cli/pipeline/package.h"

/*
 * Before the dialect's plan: decides which sources wait. None does in a dry run, and when something
 * in the flags is not followed. RP_E_INPUT when a source cannot be read.
 */
bool rp_sources_offer(struct rp_package *package, struct rp_error *err);
/* Do any wait? */
bool rp_sources_wait(const struct rp_package *package);
/* All of them are needed. */
void rp_sources_take_all(struct rp_package *package);
/*
 * Behind the compilation: *more is set when the objects and libraries need sources that waited.
 * These do not wait any longer.
 */
bool rp_sources_need(struct rp_package *package, bool *more, struct rp_error *err);
/*
 * Behind a link: the same for all names that are in the linked file, its libraries' included. Have
 * sources been found that it needs?
 */
bool rp_sources_miss(struct rp_package *package, const struct rp_elf *linked);

#endif
