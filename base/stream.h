/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outputs that are written to and cannot be replaced: the standard output, FIFOs and character
 * devices. Each is opened once and stays open until the program ends, because a reader takes a
 * close for the end.
 */
#ifndef RP_BASE_STREAM_H
#define RP_BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Does this name the standard output: "-", or what leads to the same pipe, terminal or file? */
bool rp_stream_is_stdout(const char *path);
/* Is it the standard output, or does it lead to anything else that is no regular file? */
bool rp_stream_is(const char *path);
/*
 * Waits for a reader until a signal comes. RP_E_SYSTEM, also when the reader has gone, then for
 * each later write as well; RP_E_USAGE for a block device.
 */
bool rp_stream_write(const char *path, const char *text, size_t size, struct rp_error *err);

#endif
