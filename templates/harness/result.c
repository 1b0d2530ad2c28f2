/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the results of a plan: see result.h. A record whose length differs from its announced
 * length is a failure.
 */
#include "result.h"

#include "host.h"

static struct {
    uint32_t left;    /* bytes of the record's payload still to come */
    uint32_t padding; /* bytes behind it */
    bool failed;
} result;

bool result_open(void) {
    result.failed = !host_open();
    return !result.failed;
}

static void write_all(const void *data, uint32_t size) {
    if (!result.failed && size != 0)
        result.failed = !host_write(data, size);
}

void result_begin(enum harness_record type, uint32_t payload_bytes) {
    const uint32_t head[2] = {(uint32_t)type, payload_bytes};
    result.left = payload_bytes;
    result.padding = (0u - payload_bytes) & 3u;
    write_all(head, sizeof head);
}

void result_bytes(const void *data, uint32_t size) {
    if (size > result.left) {
        result.failed = true;
        return;
    }
    result.left -= size;
    write_all(data, size);
}

void result_word(uint32_t word) {
    result_bytes(&word, sizeof word);
}

void result_end(void) {
    static const uint8_t zeros[4];
    if (result.left != 0)
        result.failed = true;
    write_all(zeros, result.padding);
}

bool result_close(void) {
    return host_close() && !result.failed;
}
