/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function definitions of preprocessed C (of C++: those at file scope): names, parameters with
 * their array dimensions. A real tokenizer, linear in the input; bodies and initialisers are passed
 * over by counting braces. Dimensions are integer constant expressions.
 */
#ifndef RP_TOOLCHAIN_CPARSE_DECL_H
#define RP_TOOLCHAIN_CPARSE_DECL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/cparse/type.h"
#include "toolchain/model.h"

struct rp_param {
    const char *name;             /* "" when it has none */
    const struct rp_dtype *dtype; /* NULL: not a type that a tensor can have */
    const char *type;             /* spelling, for messages */
    bool is_const;
    bool is_pointer;    /* array or pointer */
    bool is_record;     /* struct or union, or a pointer to one */
    bool dims_complete; /* every dimension is written */
    uint32_t shape[RP_RANK_MAX];
    unsigned rank;
};

struct rp_function {
    const char *name;
    const char *file;
    unsigned line;
    const struct rp_ctype *type; /* unknown when the declarator is not understood */
    bool is_static;
    bool is_weak;
    bool is_mangled; /* C++, and not extern "C" */
    bool returns_void;
    const struct rp_dtype *returns; /* NULL: nothing, or not a number */
    struct rp_param *params;
    size_t param_count;
};

struct rp_functions {
    struct rp_function *items;
    size_t count;
    size_t capacity;
    struct rp_declared_list declared; /* all functions and variables, declarations among them */
};

struct rp_c_text {
    const char *text;
    size_t len;
    const char *path; /* until a line marker says otherwise */
    bool cplusplus;   /* extern "C" blocks; other functions have mangled names */
};

/*
 * Function definitions in text (preprocessed, with # line markers), system headers left out.
 * RP_E_INPUT with file and line when the text is not C at file scope: an unclosed brace, string
 * or comment.
 */
bool rp_cdecl_functions(struct rp_arena *arena, const struct rp_c_text *text,
                        struct rp_functions *out, struct rp_error *err);

#endif
