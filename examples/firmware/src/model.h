/* SPDX-License-Identifier: Apache-2.0 */
/* The model as this firmware knows it: one number in, one out. Which image it is may change. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Is it a whole image, made for this core? Installs nothing. */
bool model_check(const uint8_t *image, uint32_t length);
/* Installs the image in place (XIP). 0, or why not: a code of the loader, or MODEL_... */
enum { MODEL_OTHER_TENSORS = 1, MODEL_TOO_LARGE, MODEL_NOT_READY };
int32_t model_load(const uint8_t *image, uint32_t length);
/* NULL before the first load. */
const char *model_name(void);
bool model_run(float x, float *y);

#endif
