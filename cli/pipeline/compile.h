/* SPDX-License-Identifier: Apache-2.0 */
/* The second step: the workspace, and the objects of all units in it. */
#ifndef RP_CLI_PIPELINE_COMPILE_H
#define RP_CLI_PIPELINE_COMPILE_H

#include "cli/pipeline/package.h"

/*
 * Creates the workspace and compiles. is_static: without position independence. RP_NEEDS_SOURCES,
 * RP_NEEDS_R9, RP_NEEDS_PATCHES, or RP_FAILED: RP_E_TOOL_OLD, RP_E_COMPILE, and what the dialect
 * refuses.
 */
struct rp_verdict rp_package_compile(struct rp_package *package, bool is_static,
                                     struct rp_error *err);

#endif
