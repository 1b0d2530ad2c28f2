/* SPDX-License-Identifier: Apache-2.0 */
/* The third step: the linked ELF file and its map, and where all of it goes in the image. */
#ifndef RP_CLI_PIPELINE_LINK_H
#define RP_CLI_PIPELINE_LINK_H

#include "cli/pipeline/package.h"

/* Adds our math functions for what the objects want, places large arrays, links, lays out. */
bool rp_package_link(struct rp_package *package, struct rp_error *err);
/* Reads the linked file and the linker's map. */
bool rp_package_open_linked(struct rp_package *package, struct rp_error *err);

#endif
