/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in for Arduino's core, for models that include <Arduino.h> for integer types and
 * mathematics: searched where no real core was given with -I. What belongs to a board (pins,
 * Serial, String, delay) is missing, and so is what cores differ in, such as the type word.
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

#include <avr/pgmspace.h>

#ifndef PI
#define PI 3.1415926535897932384626433832795
#endif
#define HALF_PI 1.5707963267948966192313216916398
#define TWO_PI  6.283185307179586476925286766559
#define DEG_TO_RAD 0.017453292519943295769236907684886
#define RAD_TO_DEG 57.295779513082320876798154814105
#define EULER   2.718281828459045235360287471352

#define constrain(value, low, high)                                                                \
    ((value) < (low) ? (low) : ((value) > (high) ? (high) : (value)))
#define sq(x)      ((x) * (x))
#define radians(x) ((x) * DEG_TO_RAD)
#define degrees(x) ((x) * RAD_TO_DEG)
#define lowByte(value)  ((uint8_t)((value) & 0xFF))
#define highByte(value) ((uint8_t)((value) >> 8))
#define bit(n) (1UL << (n))
#define bitRead(value, n)  (((value) >> (n)) & 1)
#define bitSet(value, n)   ((value) |= 1UL << (n))
#define bitClear(value, n) ((value) &= ~(1UL << (n)))
#define bitWrite(value, n, is) ((is) ? bitSet(value, n) : bitClear(value, n))

#ifdef __cplusplus
template <typename A, typename B> constexpr auto min(const A &a, const B &b) -> decltype(b < a ? b : a) {
    return b < a ? b : a;
}
template <typename A, typename B> constexpr auto max(const A &a, const B &b) -> decltype(a < b ? b : a) {
    return a < b ? b : a;
}
#else
#undef abs
#define abs(x)    ((x) > 0 ? (x) : -(x)) /* of floats as well: C has one for int alone */
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif

typedef uint8_t byte;
typedef bool boolean;

#endif
