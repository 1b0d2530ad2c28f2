// SPDX-License-Identifier: Apache-2.0
/*
 * The functions of the position-independent math library: function NAME is defined by NAME.c. The
 * second list has those that only Armv6-M and Armv8-M Baseline need: libgcc's are not
 * position-independent there.
 *
 * X(name, arity, kind): kind FLOAT is float NAME(float[, float]), DOUBLE the same in double, and
 * LONG is long NAME(float).
 */
#ifndef RP_MATH_FUNCTIONS_H
#define RP_MATH_FUNCTIONS_H

// clang-format off
#define RP_MATH_FUNCTIONS(X) \
    X(acosf,       1, FLOAT) \
    X(acoshf,      1, FLOAT) \
    X(asinf,       1, FLOAT) \
    X(asinhf,      1, FLOAT) \
    X(atan2f,      2, FLOAT) \
    X(atanf,       1, FLOAT) \
    X(atanhf,      1, FLOAT) \
    X(cosf,        1, FLOAT) \
    X(coshf,       1, FLOAT) \
    X(erfcf,       1, FLOAT) \
    X(erff,        1, FLOAT) \
    X(exp,         1, DOUBLE) \
    X(exp2f,       1, FLOAT) \
    X(expf,        1, FLOAT) \
    X(expm1f,      1, FLOAT) \
    X(fmod,        2, DOUBLE) \
    X(fmodf,       2, FLOAT) \
    X(hypotf,      2, FLOAT) \
    X(log,         1, DOUBLE) \
    X(log10,       1, DOUBLE) \
    X(log10f,      1, FLOAT) \
    X(log1pf,      1, FLOAT) \
    X(log2,        1, DOUBLE) \
    X(log2f,       1, FLOAT) \
    X(logf,        1, FLOAT) \
    X(lrintf,      1, LONG) \
    X(nearbyintf,  1, FLOAT) \
    X(pow,         2, DOUBLE) \
    X(powf,        2, FLOAT) \
    X(rint,        1, DOUBLE) \
    X(rintf,       1, FLOAT) \
    X(sinf,        1, FLOAT) \
    X(sinhf,       1, FLOAT) \
    X(sqrt,        1, DOUBLE) \
    X(sqrtf,       1, FLOAT) \
    X(tanf,        1, FLOAT) \
    X(tanh,        1, DOUBLE) \
    X(tanhf,       1, FLOAT)

#define RP_MATH_BASELINE(X) \
    X(__aeabi_ddiv, 2, DOUBLE) \
    X(__aeabi_fdiv, 2, FLOAT)
// clang-format on

#endif
