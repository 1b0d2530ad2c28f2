/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets: the input as a file, and conditions that must hold. */
#ifndef RP_TESTS_FUZZ_FUZZ_H
#define RP_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names the condition that does not hold: the compiler merges all calls of abort() into one. */
#define require(condition) require_that((condition), #condition)
static inline void require_that(bool holds, const char *condition) {
    if (holds)
        return;
    (void)fprintf(stderr, "does not hold: %s\n", condition);
    abort();
}

/* Makes a file in memory; path is its name. Close the descriptor. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[32]) {
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    require(fd >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t put = write(fd, data + done, size - done);
        require(put > 0);
        done += (size_t)put;
    }
    (void)snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

/* A failure has an id of the table and a text; a success has neither. */
static inline void require_error(bool ok, const struct rp_error *err) {
    require(ok == (err->id == 0));
    require(ok || (rp_error_lookup((int)err->id) != NULL && err->message[0] != '\0'));
    rp_error_texts_release(); /* a fuzzer goes on */
}

#endif
