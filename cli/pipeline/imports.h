/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware that an image imports. */
#ifndef RP_CLI_PIPELINE_IMPORTS_H
#define RP_CLI_PIPELINE_IMPORTS_H

#include "cli/pipeline/package.h"

/* The names that the user gave; the scan of the objects looks for them. */
const struct rp_strings *rp_host_import_names(struct rp_package *package);
/*
 * After the scan: which of them are wanted, which need a stub; adds the unit with both, and sets
 * linked.imports. RP_E_USAGE when the model has the symbol itself.
 */
bool rp_host_imports_settle(struct rp_package *package, struct rp_error *err);

#endif
