/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which units may use r9 as an ordinary register. In an image, r9 holds the address of the GOT when
 * a function is entered. Where gcc reserves it for that (-msingle-pic-base), loops of kernels are
 * slower by a register. So units are compiled without, and each function takes the address from r9
 * once (elfpack/insn/got_base.h). That is wrong in a function that has a value of its own in r9
 * when it calls one that needs it, which the check of the linked file finds (elfpack/check/r9.h).
 * Then functions of ours that the model calls get the address of what they need, if that is
 * possible. If it is not, or is not enough, r9 is kept in the units that do something wrong with
 * it, and last in all. The check of the linked file has the last word each time.
 */
#ifndef RP_CLI_PIPELINE_R9_H
#define RP_CLI_PIPELINE_R9_H

#include <stdbool.h>

#include "cli/pipeline/package.h"

/* Is there anything to choose? Not for clang, vendors' kernels, and code that is patched. */
bool rp_package_may_free_r9(const struct rp_package *package);
/* Before anything is compiled: reserves r9 in the units of decided.keep_r9. */
void rp_package_keep_r9(struct rp_package *package);
/* Before anything is compiled: puts the header of dialect->handed in front of decided.hands. */
void rp_package_hand(struct rp_package *package);
/*
 * Has the objects take the address of the GOT from r9. *units: NULL, or the units that have to keep
 * it instead, by position, since they compute the address in another way; RP_E_NOT_PIC if one does
 * so with r9 kept.
 */
bool rp_package_take_r9(struct rp_package *package, const bool **units, struct rp_error *err);
/*
 * After a link whose r9 is wrong: next becomes what is decided then. r9 is kept in the units that
 * did something wrong, too; after three such rounds, or if none is new, in all. Where handing over
 * may be enough, that is tried instead, and *fallback is the rest. False: all have kept it.
 */
bool rp_package_mend_r9(struct rp_package *package, struct rp_decisions *next,
                        const struct rp_decisions **fallback);
/* The sources in which r9 is reserved, as file names without folders; none where it never is free.
 */
void rp_package_r9_sources(const struct rp_package *package, struct rp_strings *sources);

#endif
