// SPDX-License-Identifier: Apache-2.0
/*
 * Every function of runtime/math in one translation unit, as our_NAME, next to the host's own NAME.
 */
#ifndef RP_TEST_MATH_RENAMED_H
#define RP_TEST_MATH_RENAMED_H

// clang-format off
#define __aeabi_ddiv our___aeabi_ddiv
#include "../../runtime/math/__aeabi_ddiv.c"
#undef __aeabi_ddiv
#define __aeabi_fdiv our___aeabi_fdiv
#include "../../runtime/math/__aeabi_fdiv.c"
#undef __aeabi_fdiv
#define acosf our_acosf
#include "../../runtime/math/acosf.c"
#undef acosf
#define acoshf our_acoshf
#include "../../runtime/math/acoshf.c"
#undef acoshf
#define asinf our_asinf
#include "../../runtime/math/asinf.c"
#undef asinf
#define asinhf our_asinhf
#include "../../runtime/math/asinhf.c"
#undef asinhf
#define atan2f our_atan2f
#include "../../runtime/math/atan2f.c"
#undef atan2f
#define atanf our_atanf
#include "../../runtime/math/atanf.c"
#undef atanf
#define atanhf our_atanhf
#include "../../runtime/math/atanhf.c"
#undef atanhf
#define cosf our_cosf
#include "../../runtime/math/cosf.c"
#undef cosf
#define coshf our_coshf
#include "../../runtime/math/coshf.c"
#undef coshf
#define erfcf our_erfcf
#include "../../runtime/math/erfcf.c"
#undef erfcf
#define erff our_erff
#include "../../runtime/math/erff.c"
#undef erff
#define exp our_exp
#include "../../runtime/math/exp.c"
#undef exp
#define exp2f our_exp2f
#include "../../runtime/math/exp2f.c"
#undef exp2f
#define expf our_expf
#include "../../runtime/math/expf.c"
#undef expf
#define expm1f our_expm1f
#include "../../runtime/math/expm1f.c"
#undef expm1f
#define fmod our_fmod
#include "../../runtime/math/fmod.c"
#undef fmod
#define fmodf our_fmodf
#include "../../runtime/math/fmodf.c"
#undef fmodf
#define hypotf our_hypotf
#include "../../runtime/math/hypotf.c"
#undef hypotf
#define log our_log
#include "../../runtime/math/log.c"
#undef log
#define log10 our_log10
#include "../../runtime/math/log10.c"
#undef log10
#define log10f our_log10f
#include "../../runtime/math/log10f.c"
#undef log10f
#define log1pf our_log1pf
#include "../../runtime/math/log1pf.c"
#undef log1pf
#define log2 our_log2
#include "../../runtime/math/log2.c"
#undef log2
#define log2f our_log2f
#include "../../runtime/math/log2f.c"
#undef log2f
#define logf our_logf
#include "../../runtime/math/logf.c"
#undef logf
#define lrintf our_lrintf
#include "../../runtime/math/lrintf.c"
#undef lrintf
#define nearbyintf our_nearbyintf
#include "../../runtime/math/nearbyintf.c"
#undef nearbyintf
#define pow our_pow
#include "../../runtime/math/pow.c"
#undef pow
#define powf our_powf
#include "../../runtime/math/powf.c"
#undef powf
#define rint our_rint
#include "../../runtime/math/rint.c"
#undef rint
#define rintf our_rintf
#include "../../runtime/math/rintf.c"
#undef rintf
#define sinf our_sinf
#include "../../runtime/math/sinf.c"
#undef sinf
#define sinhf our_sinhf
#include "../../runtime/math/sinhf.c"
#undef sinhf
#define sqrt our_sqrt
#include "../../runtime/math/sqrt.c"
#undef sqrt
#define sqrtf our_sqrtf
#include "../../runtime/math/sqrtf.c"
#undef sqrtf
#define tanf our_tanf
#include "../../runtime/math/tanf.c"
#undef tanf
#define tanh our_tanh
#include "../../runtime/math/tanh.c"
#undef tanh
#define tanhf our_tanhf
#include "../../runtime/math/tanhf.c"
#undef tanhf
// clang-format on

#endif
