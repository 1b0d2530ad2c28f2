/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outputs that are written to and never replaced: the standard output, FIFOs and character devices.
 * Each is opened once and stays open until the program ends, because closing it would end the
 * reader's input.
 */
#ifndef RP_BASE_STREAM_H
#define RP_BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Is this the standard output: "-", or a path to the same pipe, terminal or file? */
bool rp_stream_is_stdout(const char *path);
/* Is it the standard output, or a path to anything else that is not a regular file? */
bool rp_stream_is(const char *path);
/*
 * Writes size bytes, and waits for a reader until a signal comes. RP_E_SYSTEM: this failed, perhaps
 * because the reader has gone; then every later write fails as well. RP_E_NO_SPACE. RP_E_USAGE: it
 * is a block device.
 */
bool rp_stream_write(const char *path, const char *text, size_t size, struct rp_error *err);

#endif
