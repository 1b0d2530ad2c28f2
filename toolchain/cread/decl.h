/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the function definitions of preprocessed C, and of C++ also those in namespaces and classes
 * ("a::b::f"): their names, and their parameters with array dimensions. Dimensions may be integer
 * constant expressions. Bodies and initialisers are skipped by counting braces. The time is linear
 * in the length of the text.
 */
#ifndef RP_TOOLCHAIN_CREAD_DECL_H
#define RP_TOOLCHAIN_CREAD_DECL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/cread/type.h"
#include "toolchain/model.h"

struct rp_param {
    const char *name;             /* "" when it has none */
    const struct rp_dtype *dtype; /* NULL when no tensor can have the type */
    const char *type;             /* spelling, for messages */
    bool is_const;
    bool is_pointer;    /* array or pointer */
    bool is_record;     /* struct or union, or a pointer to one */
    bool dims_complete; /* every dimension is given and known */
    const char *unread; /* a dimension as written that is not understood, or NULL */
    uint32_t shape[RP_RANK_MAX];
    unsigned rank;
};

struct rp_function {
    const char *name;
    const char *linked; /* as in rp_declared */
    const char *file;
    unsigned line;
    const struct rp_ctype *type; /* of kind unknown when the declarator is not understood */
    bool is_static;              /* of a member: it needs no object */
    bool is_weak;
    bool is_mangled; /* C++, and not extern "C" */
    bool is_member;  /* of a class */
    bool returns_void;
    const struct rp_dtype *returns; /* NULL when it returns nothing, or no number */
    struct rp_param *params;
    size_t param_count;
};

struct rp_functions {
    struct rp_function *items;
    size_t count;
    size_t capacity;
    struct rp_declared_list declared; /* all functions and variables, with mere declarations */
    struct rp_strings namespaces;     /* C++: "a", "a::b" */
};

struct rp_c_text {
    const char *text;
    size_t len;
    const char *path; /* until a line marker says otherwise */
    bool cplusplus;   /* functions outside extern "C" have mangled names */
};

/*
 * Reads preprocessed text with # line markers. Functions in system headers are left out. RP_E_INPUT
 * with file and line when a brace, string or comment is not closed.
 */
bool rp_cdecl_functions(struct rp_arena *arena, const struct rp_c_text *text,
                        struct rp_functions *out, struct rp_error *err);

#endif
