/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names whose address clang's code cannot compute. With -fropi -frwpi, clang takes every variable
 * for a part of the image's RAM, and every constant for a part of its read-only memory. Labels of
 * relative pools, and blobs in the params, are in neither. A word that holds such an address is
 * right, because the loader rebases it. So wherever code of the network uses these names, they are
 * replaced with text that reads the address from a word.
 *
 * In: C text that is not preprocessed; out: the same text with these names replaced in the bodies
 * of functions. They stay where the address has to be constant: at file scope, and in declarations
 * with static, extern, typedef or _Thread_local inside functions. A macro that contains such a name
 * gets a twin, rp_code_<macro>, which code uses instead. A static variable that is set to such an
 * address is refused, because clang would put its value into the code; arrays and structs are
 * accepted.
 */
#ifndef RP_TOOLCHAIN_NPU_REWRITE_H
#define RP_TOOLCHAIN_NPU_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "toolchain/npu/network.h"

struct rp_npu_name {
    const char *name;
    size_t len;
    const char *instead; /* its replacement in code */
    const char *behind;  /* put after its definition, on the same line; NULL: nothing */
    bool is_macro;
};

/* A hash table: zero-initialise. */
struct rp_npu_names {
    struct rp_npu_name *slots;
    size_t count;
    size_t room;
};

/* Adds a new name. The strings have to live as long as the table. */
void rp_npu_names_add(struct rp_npu_names *names, struct rp_arena *arena,
                      const struct rp_npu_name *name);
/* NULL: there is no such name. */
const struct rp_npu_name *rp_npu_names_find(const struct rp_npu_names *names, const char *name,
                                            size_t len);

/*
 * Appends the text to out, with the names replaced. Macros that contain one are added to names, for
 * the files that include this one. Lines keep their numbers: where one is inserted, #line follows.
 * The time is linear in the text. RP_E_INPUT "path:line: …": the text is not C (cread/token.h),
 * brackets do not match, or the use of a name is not clear.
 */
bool rp_npu_rewrite(struct rp_buf *out, struct rp_npu_names *names, struct rp_arena *arena,
                    const struct rp_aton_text *text, struct rp_error *err);

#endif
