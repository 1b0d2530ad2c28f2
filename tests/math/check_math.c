// SPDX-License-Identifier: Apache-2.0
/*
 * Compares every function of runtime/math, compiled for the host, with a correctly rounded
 * reference: the host's double function rounded to float, and MPFR where that is too close to a
 * rounding boundary to tell; MPFR alone for the double functions.
 *
 * usage: check_math [--sample | --all] [--threads N] [function...]
 *   --sample  a stratified sample, some seconds (the default)
 *   --all     every float for the functions of one float, a larger sample for the others
 *
 * Prints one line per function: the largest error in ulp of the exact result and where, and how
 * often the result is not the correctly rounded one. A violation (error above the limit of the
 * function, wrong special value, wrong sign of zero, signaling NaN) is printed and counted; the
 * exit status is then 1. The last line is "N passed, N failed", in functions.
 *
 * Build: cc -std=c11 -O2 -ffp-contract=off -fno-builtin check_math.c check_samples.c -lmpfr -lm
 * -lpthread
 */
#define _POSIX_C_SOURCE 200809L
#include "check_math.h"

#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/math/functions.h"
#include "renamed.h"

enum { SHOWN = 5, MAX_THREADS = 16, PRECISION = 200 };

static const double LIMIT_ULP = 0.75;

enum kind { FLOAT, DOUBLE, LONG };

/* One function under test; the member that kind and arity name is set. */
struct function {
    const char *name;
    int arity;
    enum kind kind;
    union {
        float (*float_1)(float);
        float (*float_2)(float, float);
        double (*double_1)(double);
        double (*double_2)(double, double);
        long (*long_1)(float);
    } ours;
};

// clang-format off
#define ROW_FLOAT_1  .float_1
#define ROW_FLOAT_2  .float_2
#define ROW_DOUBLE_1 .double_1
#define ROW_DOUBLE_2 .double_2
#define ROW_LONG_1   .long_1
#define ROW(name, arity, kind) {#name, arity, kind, {ROW_##kind##_##arity = our_##name}},
// clang-format on

static const struct function functions[] = {RP_MATH_FUNCTIONS(ROW) RP_MATH_BASELINE(ROW)};

typedef int (*big_1)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int (*big_2)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/* The reference of a function. Without an MPFR function, the double one is exact. */
struct reference {
    const char *name;
    double (*double_1)(double);
    big_1 big_1;
    double (*double_2)(double, double);
    big_2 big_2;
    bool exact; /* the result must be the correctly rounded one */
};

static double divide(double x, double y) {
    return x / y;
}

static const struct reference references[] = {
    {"__aeabi_ddiv", NULL, NULL, NULL, mpfr_div, true},
    {"__aeabi_fdiv", NULL, NULL, divide, mpfr_div, true},
    {"acosf", acos, mpfr_acos, NULL, NULL, false},
    {"acoshf", acosh, mpfr_acosh, NULL, NULL, false},
    {"asinf", asin, mpfr_asin, NULL, NULL, false},
    {"asinhf", asinh, mpfr_asinh, NULL, NULL, false},
    {"atan2f", NULL, NULL, atan2, mpfr_atan2, false},
    {"atanf", atan, mpfr_atan, NULL, NULL, false},
    {"atanhf", atanh, mpfr_atanh, NULL, NULL, false},
    {"cosf", cos, mpfr_cos, NULL, NULL, false},
    {"coshf", cosh, mpfr_cosh, NULL, NULL, false},
    {"erfcf", erfc, mpfr_erfc, NULL, NULL, false},
    {"erff", erf, mpfr_erf, NULL, NULL, false},
    {"exp", NULL, mpfr_exp, NULL, NULL, false},
    {"exp2f", exp2, mpfr_exp2, NULL, NULL, false},
    {"expf", exp, mpfr_exp, NULL, NULL, false},
    {"expm1f", expm1, mpfr_expm1, NULL, NULL, false},
    {"fmod", NULL, NULL, NULL, mpfr_fmod, true},
    {"fmodf", NULL, NULL, fmod, NULL, true},
    {"hypotf", NULL, NULL, hypot, mpfr_hypot, true},
    {"log", NULL, mpfr_log, NULL, NULL, false},
    {"log10", NULL, mpfr_log10, NULL, NULL, false},
    {"log10f", log10, mpfr_log10, NULL, NULL, false},
    {"log1pf", log1p, mpfr_log1p, NULL, NULL, false},
    {"log2", NULL, mpfr_log2, NULL, NULL, false},
    {"log2f", log2, mpfr_log2, NULL, NULL, false},
    {"logf", log, mpfr_log, NULL, NULL, false},
    {"lrintf", rint, NULL, NULL, NULL, true},
    {"nearbyintf", rint, NULL, NULL, NULL, true},
    {"pow", NULL, NULL, NULL, mpfr_pow, false},
    {"powf", NULL, NULL, pow, mpfr_pow, false},
    {"rint", NULL, mpfr_rint, NULL, NULL, true},
    {"rintf", rint, NULL, NULL, NULL, true},
    {"sinf", sin, mpfr_sin, NULL, NULL, false},
    {"sinhf", sinh, mpfr_sinh, NULL, NULL, false},
    {"sqrt", NULL, mpfr_sqrt, NULL, NULL, true},
    {"sqrtf", sqrt, mpfr_sqrt, NULL, NULL, true},
    {"tanf", tan, mpfr_tan, NULL, NULL, false},
    {"tanh", NULL, mpfr_tanh, NULL, NULL, false},
    {"tanhf", tanh, mpfr_tanh, NULL, NULL, false},
};

/* One thread's work on one function, and what it found. */
struct check {
    const struct function *function;
    const struct reference *reference;
    mpfr_t x, y, exact;
    uint64_t tested;
    uint64_t misrounded;
    uint64_t violations;
    double max_ulp;
    uint64_t worst[2];
    /* the part of all floats that this thread tests: first, first + threads, ... */
    uint32_t part;
    uint32_t parts;
};

static float float_of(uint64_t bits) {
    return rp_float((uint32_t)bits);
}

static double double_of(uint64_t bits) {
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t bits_of(double d) {
    uint64_t bits;

    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static void violation(struct check *c, const uint64_t *args, uint64_t got, uint64_t want,
                      double ulp) {
    int digits = c->function->kind == DOUBLE ? 16 : 8;

    if (++c->violations > SHOWN) {
        return;
    }
    printf("FAIL %s(0x%0*llX", c->function->name, digits, (unsigned long long)args[0]);
    if (c->function->arity == 2) {
        printf(", 0x%0*llX", digits, (unsigned long long)args[1]);
    }
    printf(") got 0x%0*llX want 0x%0*llX, %.4f ulp\n", digits, (unsigned long long)got, digits,
           (unsigned long long)want, ulp);
}

/* Judge a result that is no NaN, `ulp` away from the exact value. */
static void judge(struct check *c, const uint64_t *args, uint64_t got, uint64_t want, double ulp) {
    uint64_t sign = c->function->kind == DOUBLE ? (uint64_t)1 << 63 : RP_SIGN;
    bool wrong_zero = ((got | want) & ~sign) == 0 && got != want;

    if (got != want) {
        ++c->misrounded;
    }
    if (ulp > c->max_ulp) {
        c->max_ulp = ulp;
        c->worst[0] = args[0];
        c->worst[1] = args[1];
    }
    if (wrong_zero || !(ulp <= LIMIT_ULP) || (c->reference->exact && got != want)) {
        violation(c, args, got, want, ulp);
    }
}

/* ---- float functions ------------------------------------------------------------------------- */

/* The correctly rounded float, through MPFR. */
static float round_big(struct check *c, double x, double y) {
    mpfr_set_d(c->x, x, MPFR_RNDN);
    mpfr_set_d(c->y, y, MPFR_RNDN);
    if (c->function->arity == 1) {
        c->reference->big_1(c->exact, c->x, MPFR_RNDN);
    } else {
        c->reference->big_2(c->exact, c->x, c->y, MPFR_RNDN);
    }
    return mpfr_get_flt(c->exact, MPFR_RNDN);
}

/* The unit in the last place of a float result near r. */
static double float_ulp(double r) {
    uint64_t exponent = bits_of(r) >> 52 & 0x7FF; /* biased by 1023 */

    return exponent < 1023 - 126 ? 0x1p-149 : double_of((exponent - 23) << 52);
}

static void check_float(struct check *c, const uint64_t *args) {
    const struct function *f = c->function;
    double x = (double)float_of(args[0]);
    double y = f->arity == 2 ? (double)float_of(args[1]) : 0;
    float got = f->arity == 1 ? f->ours.float_1(float_of(args[0]))
                              : f->ours.float_2(float_of(args[0]), float_of(args[1]));
    double r = f->arity == 1 ? c->reference->double_1(x) : c->reference->double_2(x, y);
    float want = (float)(r * (1 - 0x1p-50));

    ++c->tested;
    if (isnan(r)) {
        if (!isnan(got) || (rp_bits(got) & 0x00400000u) == 0) {
            violation(c, args, rp_bits(got), RP_NAN, 0);
        }
        return;
    }
    if (rp_bits(want) != rp_bits((float)(r * (1 + 0x1p-50)))) {
        want = c->reference->big_1 || c->reference->big_2 ? round_big(c, x, y) : (float)r;
    }
    if (rp_bits(got) == rp_bits(want) && (isinf(want) || rp_bits(got) << 1 == 0)) {
        return;
    }
    if (isinf(r)) {
        violation(c, args, rp_bits(got), rp_bits(want), INFINITY);
        return;
    }
    judge(c, args, rp_bits(got), rp_bits(want),
          fabs((isinf(got) ? copysign(0x1p128, (double)got) : (double)got) - r) / float_ulp(r));
}

static void check_long(struct check *c, const uint64_t *args) {
    float x = float_of(args[0]);
    long got = c->function->ours.long_1(x);
    long want = 0;

    ++c->tested;
    if (x >= 0x1p63f || x < -0x1p63f) {
        want = (long)((~0ul >> 1) + (x < 0));
    } else if (!isnan(x)) {
        want = (long)rint((double)x);
    }
    if (got != want) {
        violation(c, args, (uint64_t)got, (uint64_t)want, INFINITY);
    }
}

/* ---- double functions ------------------------------------------------------------------------ */

/* |got - exact| in units in the last place of exact; inf stands for 2^1024. */
static double double_error(struct check *c, double got) {
    mpfr_exp_t exponent = mpfr_zero_p(c->exact) ? -2000 : mpfr_get_exp(c->exact);

    if (isinf(got)) {
        mpfr_set_ui_2exp(c->x, 1, 1024, MPFR_RNDN);
        mpfr_setsign(c->x, c->x, got < 0, MPFR_RNDN);
    } else {
        mpfr_set_d(c->x, got, MPFR_RNDN);
    }
    mpfr_sub(c->x, c->x, c->exact, MPFR_RNDN);
    mpfr_mul_2si(c->x, c->x, exponent < -1021 ? 1074 : 53 - exponent, MPFR_RNDN);
    return fabs(mpfr_get_d(c->x, MPFR_RNDN));
}

static void check_double(struct check *c, const uint64_t *args) {
    const struct function *f = c->function;
    double x = double_of(args[0]);
    double y = double_of(args[1]);
    double got = f->arity == 1 ? f->ours.double_1(x) : f->ours.double_2(x, y);
    double want;

    ++c->tested;
    (void)round_big(c, x, y);
    want = mpfr_get_d(c->exact, MPFR_RNDN);
    if (isnan(want)) {
        if (!isnan(got) || (bits_of(got) >> 51 & 1) == 0) {
            violation(c, args, bits_of(got), bits_of(want), 0);
        }
        return;
    }
    if (bits_of(got) == bits_of(want) && (isinf(want) || bits_of(got) << 1 == 0)) {
        return;
    }
    judge(c, args, bits_of(got), bits_of(want),
          isnan(got) || mpfr_inf_p(c->exact) ? INFINITY : double_error(c, got));
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void check_arguments(void *context, uint64_t x, uint64_t y) {
    struct check *c = context;
    uint64_t args[2] = {x, y};

    switch (c->function->kind) {
    case FLOAT:
        check_float(c, args);
        break;
    case DOUBLE:
        check_double(c, args);
        break;
    case LONG:
        check_long(c, args);
        break;
    }
}

static void *check_every_float(void *context) {
    struct check *c = context;
    uint64_t bits;

    mpfr_inits2(PRECISION, c->x, c->y, c->exact, (mpfr_ptr)0);
    for (bits = c->part; bits >> 32 == 0; bits += c->parts) {
        check_arguments(c, bits, 0);
    }
    mpfr_clears(c->x, c->y, c->exact, (mpfr_ptr)0);
    return NULL;
}

static void check_sample(struct check *c, unsigned density) {
    const struct function *f = c->function;

    mpfr_inits2(PRECISION, c->x, c->y, c->exact, (mpfr_ptr)0);
    if (f->kind == DOUBLE) {
        sample_doubles(f->name, f->arity, density, check_arguments, c);
    } else if (f->arity == 2) {
        sample_float_pairs(f->name, density, check_arguments, c);
    } else {
        sample_floats(check_arguments, c);
    }
    mpfr_clears(c->x, c->y, c->exact, (mpfr_ptr)0);
}

static void merge(struct check *sum, const struct check *part) {
    sum->tested += part->tested;
    sum->misrounded += part->misrounded;
    sum->violations += part->violations;
    if (part->max_ulp > sum->max_ulp) {
        sum->max_ulp = part->max_ulp;
        memcpy(sum->worst, part->worst, sizeof sum->worst);
    }
}

/* Every float, shared between threads; their findings are added up in c. */
static bool check_all(struct check *c, uint32_t threads) {
    struct check parts[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    uint32_t started;
    uint32_t i;

    for (started = 0; started < threads; ++started) {
        parts[started] = *c;
        parts[started].part = started;
        parts[started].parts = threads;
        if (pthread_create(&ids[started], NULL, check_every_float, &parts[started]) != 0) {
            break;
        }
    }
    for (i = 0; i < started; ++i) {
        pthread_join(ids[i], NULL);
        merge(c, &parts[i]);
    }
    return started == threads;
}

static void print_line(const struct check *c) {
    int digits = c->function->kind == DOUBLE ? 16 : 8;

    printf("%-10s max %.4f ulp at %0*llX", c->function->name, c->max_ulp, digits,
           (unsigned long long)c->worst[0]);
    if (c->function->arity == 2) {
        printf(" %0*llX", digits, (unsigned long long)c->worst[1]);
    }
    printf(", %llu of %llu misrounded, %llu violations\n", (unsigned long long)c->misrounded,
           (unsigned long long)c->tested, (unsigned long long)c->violations);
    fflush(stdout);
}

struct options {
    bool all;
    uint32_t threads;
    char **names; /* none: every function */
    int name_count;
};

static bool wanted(const struct options *o, const char *name) {
    int i;

    for (i = 0; i < o->name_count; ++i) {
        if (strcmp(o->names[i], name) == 0) {
            return true;
        }
    }
    return o->name_count == 0;
}

static bool check_function(const struct function *f, const struct options *o) {
    struct check c = {.function = f};
    bool complete = true;
    size_t i;

    for (i = 0; i < sizeof references / sizeof references[0]; ++i) {
        if (strcmp(references[i].name, f->name) == 0) {
            c.reference = &references[i];
        }
    }
    if (!c.reference) {
        printf("FAIL %s: no reference function\n", f->name);
        return false;
    }
    if (o->all && f->arity == 1 && f->kind != DOUBLE) {
        complete = check_all(&c, o->threads);
    } else {
        check_sample(&c, o->all ? 20 : 1);
    }
    print_line(&c);
    return complete && c.tested != 0 && c.violations == 0;
}

static bool parse(struct options *o, int argc, char **argv) {
    int i;

    o->threads = 2;
    for (i = 1; i < argc && argv[i][0] == '-'; ++i) {
        if (strcmp(argv[i], "--all") == 0) {
            o->all = true;
        } else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            o->threads = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--sample") != 0) {
            return false;
        }
    }
    o->names = argv + i;
    o->name_count = argc - i;
    return o->threads >= 1 && o->threads <= MAX_THREADS;
}

int main(int argc, char **argv) {
    struct options o = {0};
    int passed = 0;
    int failed = 0;
    size_t i;

    if (!parse(&o, argc, argv)) {
        fprintf(stderr, "usage: check_math [--sample | --all] [--threads N] [function...]\n");
        return 2;
    }
    for (i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        if (!wanted(&o, functions[i].name)) {
            continue;
        }
        if (check_function(&functions[i], &o)) {
            ++passed;
        } else {
            ++failed;
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
