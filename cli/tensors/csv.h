/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in text: one sample a line, separated by commas or blanks. Empty lines and lines that
 * begin with # are skipped. The point is a point whatever the locale says: the program sets none.
 */
#ifndef RP_CLI_TENSORS_CSV_H
#define RP_CLI_TENSORS_CSV_H

#include "base/buf.h"
#include "base/file.h"
#include "cli/tensors/numbers.h"

/*
 * Reads a text. RP_E_INPUT names the line of what is no number, of a number beyond 64 bits, or of
 * a line with more or fewer numbers than the first one.
 */
bool rp_csv_parse(struct rp_arena *arena, const char *path, const struct rp_bytes *text,
                  struct rp_numbers *out, struct rp_error *err);
/* Appends a sample as a line. Floats have as many digits as it takes to read the same again. */
void rp_csv_line(struct rp_buf *out, const struct rp_tensor *tensor, const uint8_t *data);

#endif
