/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs that are not what this tool packages, and what their owner can do with them. */
#ifndef RP_TOOLCHAIN_DIALECTS_FOREIGN_H
#define RP_TOOLCHAIN_DIALECTS_FOREIGN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/file.h"

/* What makes code of a model that TVM's graph executor would run. */
#define RP_HINT_TVM_AOT                                                                            \
    "generate it again with tvmc compile --target=c --runtime=crt --executor=aot "                 \
    "--executor-aot-interface-api=c --executor-aot-unpacked-api=1 "                                \
    "--pass-config tir.disable_vectorize=1 --output-format=mlf"

/*
 * A model file of a training framework, by its first bytes and the end of its name: RP_E_DIALECT
 * says what it is and how it becomes C. true: it is not such a file.
 */
bool rp_check_foreign(const char *path, const struct rp_bytes *file, struct rp_error *err);

/*
 * Code that calls a run-time or a device instead of computing with tensors, and models in arrays
 * for an interpreter: RP_E_DIALECT says what it is and how it becomes code that can be packaged.
 */
bool rp_check_foreign_code(const char *path, const char *text, struct rp_error *err);

/*
 * Code around a Neural-ART network, such as the vendor's stai_<network>.c, which has the API of
 * the same name: it instantiates a network that another file defines.
 */
bool rp_is_npu_wrapper(const char *text);

/* Does the text declare something that only C++ has, outside comments and strings? */
bool rp_is_cplusplus_text(const char *text);

#endif
