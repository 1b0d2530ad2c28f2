/* SPDX-License-Identifier: Apache-2.0 */
/* A linked firmware that runs images. */
#ifndef RP_CLI_HARNESS_FIRMWARE_H
#define RP_CLI_HARNESS_FIRMWARE_H

#include "toolchain/build/harness.h"

struct rp_firmware {
    const char *path;
    uint32_t entry;
    struct rp_area area; /* all memory that it takes */
};

/*
 * Measures the memory that the file linked by build takes. Sections that are not allocated are not
 * loaded. RP_E_ELF, RP_E_INPUT.
 */
bool rp_firmware_look(struct rp_firmware *firmware, struct rp_build *build, struct rp_error *err);

#endif
