/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware that an image imports. */
#ifndef RP_CLI_PIPELINE_IMPORTS_H
#define RP_CLI_PIPELINE_IMPORTS_H

#include "cli/pipeline/package.h"

/* Fills in input.offers from the firmware of --import-from. RP_E_ELF, RP_E_INPUT. */
bool rp_host_imports_offered(struct rp_package *package, struct rp_error *err);
/* The names that the user gave, and those that the firmware offers; the scan of the objects looks
 * for them. */
const struct rp_strings *rp_host_import_names(struct rp_package *package);
/*
 * After the scan: which of them are wanted, which need a stub; adds the unit with both, and sets
 * linked.imports. RP_E_USAGE when the model has a symbol itself that the user named; what is only
 * offered gives way.
 */
bool rp_host_imports_settle(struct rp_package *package, struct rp_error *err);

#endif
