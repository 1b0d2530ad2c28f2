/* SPDX-License-Identifier: Apache-2.0 */
/* A file as a C array (docs/FORMAT.md, "C files"). */
#ifndef RP_ELFPACK_IMAGE_C_ARRAY_H
#define RP_ELFPACK_IMAGE_C_ARRAY_H

#include <stdbool.h>

#include "base/error.h"

/* The beginning of the C files that this tool writes. */
#define RP_MADE_BY "/* Made by relocpack"

struct rp_c_array {
    const char *path;      /* of the file to turn into an array */
    const char *c_path;    /* to write */
    const char *header;    /* for #include: defines the macros and declares the function */
    const char *size;      /* macro: size of the file in bytes */
    const char *alignment; /* macro, bytes */
    const char *getter;    /* head of the function that returns the array's address */
    bool as_number;        /* the getter returns a uintptr_t, as with the Neural-ART tools */
};

/*
 * Writes the C source. RP_E_INPUT: the file cannot be read; RP_E_NO_SPACE, RP_E_SYSTEM: the source
 * cannot be written.
 */
bool rp_c_array_write(const struct rp_c_array *array, struct rp_error *err);

#endif
