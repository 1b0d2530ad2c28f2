/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A secure firmware's services for models of the non-secure side (loader_secure.c), as the latter
 * calls them (loader_nonsecure.c). Each returns 0 or more, or a negative code: the loader's, or one
 * of these.
 */
#ifndef LOADER_SECURE_H
#define LOADER_SECURE_H

#include <stdint.h>

enum {
    SECURE_E_POINTER = -1000, /* not all of it is the caller's memory */
    SECURE_E_SIZE = -1001,    /* an image that is larger than what is kept for it */
    SECURE_E_NUMBER = -1002,  /* no instance has this number */
    SECURE_E_FULL = -1003,
    SECURE_E_RUN = -1004,
    SECURE_E_BUSY = -1005 /* called from an interrupt of a service */
};

struct secure_load {
    const void *image;
    uint32_t image_size;
};

struct secure_run {
    const int32_t *input; /* IMAGE_ELEMENTS each */
    int32_t *output;
};

/* Returns the number of a new instance. */
int32_t secure_load(const struct secure_load *request);
int32_t secure_run(uint32_t number, const struct secure_run *request);
int32_t secure_destroy(uint32_t number);
/* Addresses to be refused (RAM, an image in flash), and the count of the secure side's failures. */
uint32_t secure_ram(void);
uint32_t secure_rom(void);
uint32_t secure_failures(void);

#endif
