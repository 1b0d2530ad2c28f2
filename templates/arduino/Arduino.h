/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for Arduino's core, for models that include <Arduino.h> for integer types and
 * mathematics: the last folder that is searched, so a real core given with -I comes first. What
 * belongs to a board (pins, Serial, String, delay) is missing.
 */
#ifndef RP_ARDUINO_H
#define RP_ARDUINO_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* constants are in the same address space as everything else */
#define PROGMEM
#define PGM_P               const char *
#define PSTR(text)          (text)
#define F(text)             (text)
#define pgm_read_byte(at)   (*(const uint8_t *)(at))
#define pgm_read_word(at)   (*(const uint16_t *)(at))
#define pgm_read_dword(at)  (*(const uint32_t *)(at))
#define pgm_read_float(at)  (*(const float *)(at))
#define pgm_read_ptr(at)    (*(const void *const *)(at))
#define memcpy_P            memcpy

#ifndef PI
#define PI 3.1415926535897932384626433832795
#endif
#define HALF_PI 1.5707963267948966192313216916398
#define TWO_PI  6.283185307179586476925286766559

#define constrain(value, low, high)                                                                \
    ((value) < (low) ? (low) : ((value) > (high) ? (high) : (value)))
#define sq(x)      ((x) * (x))
#define radians(x) ((x) * (PI / 180))
#define degrees(x) ((x) * (180 / PI))

#ifdef __cplusplus
template <typename A, typename B> constexpr auto min(const A &a, const B &b) -> decltype(b < a ? b : a) {
    return b < a ? b : a;
}
template <typename A, typename B> constexpr auto max(const A &a, const B &b) -> decltype(a < b ? b : a) {
    return a < b ? b : a;
}
#else
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif

typedef uint8_t byte;
typedef bool boolean;
typedef unsigned int word;

#endif
