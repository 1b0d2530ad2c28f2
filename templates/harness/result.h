/* SPDX-License-Identifier: Apache-2.0 */
/* Writes result.bin, record by record (plan.h, "result.bin"), through host.h. */
#ifndef HARNESS_RESULT_H
#define HARNESS_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "part.h"
#include "plan.h"

PART bool result_open(void);
/* Starts a record whose payload has the given size; exactly that much must follow. */
PART void result_begin(enum harness_record type, uint32_t payload_bytes);
PART void result_word(uint32_t word);
PART void result_bytes(const void *data, uint32_t size);
/* Pads the record. */
PART void result_end(void);
/* False if anything since result_open failed. */
PART bool result_close(void);

#endif
