/* SPDX-License-Identifier: Apache-2.0 */
/* The third step: the linked ELF file and its map, and the layout of the image. */
#ifndef RP_CLI_PIPELINE_LINK_H
#define RP_CLI_PIPELINE_LINK_H

#include "cli/pipeline/package.h"

/* Adds the math functions that the objects need, places large arrays, links, and lays out. */
bool rp_package_link(struct rp_package *package, struct rp_error *err);
/* Reads the linked file and the linker's map. */
bool rp_package_open_linked(struct rp_package *package, struct rp_error *err);

#endif
