/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of C, as two readers understand them: decl_type.c reads the source text, dwarf.c the
 * compiler's debug information. What a reader does not understand is RP_CTYPE_UNKNOWN, or a count
 * of 0, and contradicts nothing. Everything lives in the command's arena.
 */
#ifndef RP_TOOLCHAIN_CREAD_TYPE_H
#define RP_TOOLCHAIN_CREAD_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "toolchain/model.h"

enum rp_ctype_kind {
    RP_CTYPE_UNKNOWN,
    RP_CTYPE_VOID,
    RP_CTYPE_NUMBER, /* dtype */
    RP_CTYPE_ENUM,   /* dtype: the integer that stores it; NULL when not known */
    RP_CTYPE_OTHER,  /* cannot be in a tensor: half precision, complex, vectors */
    RP_CTYPE_RECORD, /* struct, union, class */
    RP_CTYPE_POINTER,
    RP_CTYPE_ARRAY,
    RP_CTYPE_FUNCTION
};

struct rp_ctype;

struct rp_cparam {
    const char *name; /* "" when it has none */
    const struct rp_ctype *type;
    const char *label; /* of the assembler, in a declaration: name __asm__("label"); or NULL */
};

struct rp_ctype {
    enum rp_ctype_kind kind;
    const struct rp_dtype *dtype;
    const char *name; /* as written: "float", "struct pair"; NULL for derived types */
    bool is_const;
    bool is_byte;           /* char or unsigned char, which may be memory of any kind */
    uint64_t size_bytes;    /* RECORD: 0 when not known */
    uint64_t count;         /* ARRAY: number of elements; 0 when not known */
    const char *counted_by; /* ARRAY: the parameter that is its count, or NULL */
    const char *unread;     /* ARRAY: its count as written, where it is not understood; or NULL */
    const struct rp_ctype *of; /* POINTER, ARRAY: target or element; FUNCTION: return type */
    const struct rp_cparam *params;
    size_t param_count;
    bool params_unknown; /* FUNCTION: declared with "()" */
    bool variadic;
};

/* A function or variable at file scope. */
struct rp_declared {
    const char *name;
    const char *linked; /* its name for the linker, where a label gives it another; or NULL */
    const char *file;   /* the compiler's reading gives no folder */
    unsigned line;      /* 0: not known */
    const struct rp_ctype *type;
    bool is_static;
    bool is_definition;
    bool is_weak;
    bool is_inline;    /* in C, not extern */
    bool is_cplusplus; /* the source is */
    unsigned unit;     /* that was read; 0: not known */
    bool has_pcs; /* __attribute__((pcs(…))): it may take its arguments in other registers; with
                     name "": some function may */
};

struct rp_declared_list {
    struct rp_declared *items;
    size_t count;
    size_t capacity;
};

/* Its name for the linker. */
const char *rp_declared_linked(const struct rp_declared *declared);

/* A type of which nothing is known. */
extern const struct rp_ctype rp_ctype_unknown;

/* The type with const added; to its elements if it is an array. */
const struct rp_ctype *rp_ctype_as_const(struct rp_arena *arena, const struct rp_ctype *type);
/* Is it const, or are its elements const? */
bool rp_ctype_is_const(const struct rp_ctype *type);
/* The elements of an array, through all its dimensions; any other type itself. */
const struct rp_ctype *rp_ctype_element(const struct rp_ctype *type);
/*
 * The type in which callers pass a parameter of a function without a prototype, defined as
 * f(a) float a; { }: a float as double. Smaller integers go into a register either way.
 */
const struct rp_ctype *rp_ctype_promoted(struct rp_arena *arena, const struct rp_ctype *type);
/* The declaration of name, which may be "", as C writes it. */
char *rp_ctype_text(struct rp_arena *arena, const struct rp_ctype *type, const char *name);
/*
 * Can both be readings of the same declaration? What one reader does not know agrees with anything,
 * and const is not compared. For a parameter, an array agrees with a pointer.
 */
bool rp_ctype_agree(const struct rp_ctype *a, const struct rp_ctype *b);
/* What two readings that agree know together. It is const when one of them says so. */
const struct rp_ctype *rp_ctype_merge(struct rp_arena *arena, const struct rp_ctype *text,
                                      const struct rp_ctype *compiler);

#endif
