/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of C as two readers understand them: decl_type.c from the text, dwarf.c from what the
 * compiler says of its own work. What a reader does not understand is RP_CTYPE_UNKNOWN, or a count
 * of 0: it says nothing and contradicts nothing. Everything lives in the command's arena.
 */
#ifndef RP_TOOLCHAIN_CPARSE_TYPE_H
#define RP_TOOLCHAIN_CPARSE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "toolchain/model.h"

enum rp_ctype_kind {
    RP_CTYPE_UNKNOWN,
    RP_CTYPE_VOID,
    RP_CTYPE_NUMBER, /* dtype */
    RP_CTYPE_ENUM,   /* dtype: the integer that it is stored as; NULL: not known */
    RP_CTYPE_OTHER,  /* no element of a tensor: half precision, complex, vectors */
    RP_CTYPE_RECORD, /* struct, union, class */
    RP_CTYPE_POINTER,
    RP_CTYPE_ARRAY,
    RP_CTYPE_FUNCTION
};

struct rp_ctype;

struct rp_cparam {
    const char *name; /* "" when it has none */
    const struct rp_ctype *type;
};

struct rp_ctype {
    enum rp_ctype_kind kind;
    const struct rp_dtype *dtype;
    const char *name; /* as it is written: "float", "struct pair"; NULL for derived types */
    bool is_const;
    bool is_byte;              /* char, unsigned char: memory of any kind */
    uint64_t count;            /* ARRAY: elements; 0: not known */
    const char *counted_by;    /* ARRAY: the parameter that is its count; NULL: none is */
    const struct rp_ctype *of; /* POINTER, ARRAY: what it is of; FUNCTION: what it returns */
    const struct rp_cparam *params;
    size_t param_count;
    bool params_unknown; /* FUNCTION: "()", which is not a definition */
    bool variadic;
};

/* A function or variable at file scope. */
struct rp_declared {
    const char *name;
    const char *file; /* where; the compiler's reading has no folder */
    unsigned line;    /* 0: not known */
    const struct rp_ctype *type;
    bool is_static;
    bool is_definition;
    bool is_weak;
};

struct rp_declared_list {
    struct rp_declared *items;
    size_t count;
    size_t capacity;
};

/* What nothing is known of. */
extern const struct rp_ctype rp_ctype_unknown;

/* type with const added: for an array, to its elements. */
const struct rp_ctype *rp_ctype_as_const(struct rp_arena *arena, const struct rp_ctype *type);
/* Is it const, or are its elements? */
bool rp_ctype_is_const(const struct rp_ctype *type);
/* An array's elements, through all of its dimensions; any other type itself. */
const struct rp_ctype *rp_ctype_element(const struct rp_ctype *type);
/* As C writes the declaration of name, which may be "". */
char *rp_ctype_text(struct rp_arena *arena, const struct rp_ctype *type, const char *name);
/*
 * Can both be readings of one declaration? What one of them does not know agrees with anything, and
 * const is not compared. An array and a pointer agree where a parameter is either.
 */
bool rp_ctype_agree(const struct rp_ctype *a, const struct rp_ctype *b);
/* What both readings, which agree, know together; const is what one of them says is const. */
const struct rp_ctype *rp_ctype_merge(struct rp_arena *arena, const struct rp_ctype *text,
                                      const struct rp_ctype *compiler);

#endif
