/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the objects of a package define and refer to: large constants and zeroed arrays, which
 * become weights and activations, and mathematical functions.
 */
#ifndef RP_CLI_PIPELINE_PARTS_H
#define RP_CLI_PIPELINE_PARTS_H

#include "cli/pipeline/package.h"

/* Reads all objects and archives into linked.scan. RP_E_ENTRY: the entry is missing. */
bool rp_package_scan(struct rp_package *package, struct rp_error *err);
/*
 * Adds our own functions: mathematical ones that the objects refer to and nobody else defines, and
 * malloc and its like over the memory that --heap names. RP_E_USAGE: the image is a Neural-ART one,
 * the size is out of range, or the model defines or imports malloc, calloc, realloc or free.
 */
bool rp_package_add_functions(struct rp_package *package, struct rp_error *err);
/*
 * Writes what the linker script includes: weights.ld, acts.ld and data.ld. RP_E_WEIGHTS when the
 * arrays or the weights file are not what the generated code declares.
 */
bool rp_package_write_parts(struct rp_package *package, struct rp_error *err);
/*
 * After the scan: are the weights in a file (linked.weights) or in compiled arrays? Of these, only
 * those that hold weights stay in linked.scan. RP_E_WEIGHTS: they are not what the generated code
 * declares; RP_E_USAGE: --weights would not be used.
 */
bool rp_package_find_weights(struct rp_package *package, struct rp_error *err);

#endif
