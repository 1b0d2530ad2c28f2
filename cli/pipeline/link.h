/* SPDX-License-Identifier: Apache-2.0 */
/* The third step: the linked ELF file and its map, and the layout of the image. */
#ifndef RP_CLI_PIPELINE_LINK_H
#define RP_CLI_PIPELINE_LINK_H

#include "cli/pipeline/package.h"

/*
 * Adds the math functions that the objects need, places large arrays, links, and lays out.
 * RP_NEEDS_SOURCES, RP_WRONG_R9, or RP_FAILED: RP_E_LINK, and what place.h refuses.
 */
struct rp_verdict rp_package_link(struct rp_package *package, struct rp_error *err);
/*
 * Where no object holds nothing but code for link-time optimisation, the linker takes the machine
 * code that was checked; of an object with both, it would leave out what is only there.
 */
void rp_package_leave_lto(struct rp_package *package);
/* Reads the linked file and the linker's map. */
bool rp_package_open_linked(struct rp_package *package, struct rp_error *err);

#endif
