/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names whose address clang's code cannot have. With -fropi -frwpi it takes every variable for a
 * part of the image's RAM, and every constant for a part of its read-only memory; the labels of
 * relative pools, and blobs in the params, are in neither. A word that holds such an address is
 * right, because the loader rebases it. So in the network's files other text takes the place of
 * these names wherever code uses them: text that gets the address from a word.
 *
 * In: C text that is not preprocessed; out: the same text with these names replaced in the bodies
 * of functions. They stay in what has to be constant: at file scope, and in declarations with
 * static, extern, typedef or _Thread_local inside functions. A macro that holds such a name gets a
 * second one of the name rp_code_<macro>, which code uses instead. A static variable that is set to
 * such an address is refused: clang would put its value in code; arrays and structs are taken.
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
    const char *instead; /* what stands for it in code */
    const char *behind;  /* what is put behind its definition, on the same line; NULL: nothing */
    bool is_macro;
};

/* A hash table: zero-initialise. */
struct rp_npu_names {
    struct rp_npu_name *slots;
    size_t count;
    size_t room;
};

/* Adds a name that is not there; the strings have to live as long as the table. */
void rp_npu_names_add(struct rp_npu_names *names, struct rp_arena *arena,
                      const struct rp_npu_name *name);
/* NULL: it is not there. */
const struct rp_npu_name *rp_npu_names_find(const struct rp_npu_names *names, const char *name,
                                            size_t len);

/*
 * Appends the text to out, the names replaced; macros that hold one are added to names, for the
 * files that include this one. Lines keep their numbers, by #line where one is inserted. Linear in
 * the text. RP_E_INPUT "path:line: …": it is not C (see ctoken.h), brackets do not match, or what a
 * name is used for cannot be told.
 */
bool rp_npu_rewrite(struct rp_buf *out, struct rp_npu_names *names, struct rp_arena *arena,
                    const struct rp_aton_text *text, struct rp_error *err);

#endif
