/* SPDX-License-Identifier: Apache-2.0 */
/* --debug: the files for a debugger. */
#ifndef RP_CLI_GENERATE_DEBUG_H
#define RP_CLI_GENERATE_DEBUG_H

#include "cli/generate/generation.h"

/* The script begins with this. */
#define RP_GDB_MADE_BY "# Made by relocpack"

/* Names in the output folder. */
struct rp_debug_names {
    const char *image, *elf, *script;
};

/*
 * Stages the ELF file and the GDB commands, once the image is staged. The errors of rp_debug_write.
 */
bool rp_generation_write_debug(struct rp_generation *run, const struct rp_debug_names *names,
                               struct rp_error *err);

#endif
