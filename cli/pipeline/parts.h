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
/* Adds our own mathematical functions that the objects refer to and nobody else defines. */
void rp_package_add_math(struct rp_package *package);
/*
 * Adds malloc and its like over the memory that --heap names. RP_E_USAGE: the image is a Neural-ART
 * one, or the model defines one of these functions itself.
 */
bool rp_package_add_heap(struct rp_package *package, struct rp_error *err);
/*
 * Writes what the linker script includes: weights.ld, acts.ld and data.ld. RP_E_WEIGHTS when the
 * arrays or the weights file are not what the generated code declares.
 */
bool rp_package_write_parts(struct rp_package *package, struct rp_error *err);
/* st-ai: of all large constants, keeps only the array that holds the weights. RP_E_WEIGHTS. */
bool rp_keep_weights_array(struct rp_package *package, struct rp_error *err);
/* Are the weights in a file rather than in a compiled array? */
bool rp_takes_weights_file(const struct rp_package *package);
/*
 * Takes the weights from their file: sets linked.weights, and appends to weights what weights.ld
 * needs. RP_E_WEIGHTS.
 */
bool rp_use_weights_file(struct rp_package *package, struct rp_buf *weights, struct rp_error *err);

#endif
