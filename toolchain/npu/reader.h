/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state in which the files of this folder read network.c: the current token, the declaration or
 * row around it, and what has been understood so far.
 */
#ifndef RP_TOOLCHAIN_NPU_READER_H
#define RP_TOOLCHAIN_NPU_READER_H

#include "toolchain/cread/token.h"
#include "toolchain/npu/network.h"

enum {
    RP_ATON_HEAD_MAX = 512, /* tokens of a declaration without initialiser and body */
    RP_ATON_ROW_MAX = 1024  /* tokens of the known members of a table's row */
};

struct rp_aton_array {
    const char *name;
    unsigned line;
    bool is_real;
    struct rp_aton_integers integers;
    struct rp_aton_reals reals;
};

struct rp_aton_arrays {
    struct rp_aton_array *items;
    size_t count, capacity;
};

/* The used size of a pool, which stands in a comment of its own. */
struct rp_aton_declared {
    unsigned id;
    unsigned line;
    uint64_t bytes;
};

struct rp_aton_label {
    const char *name;
    unsigned line;
    uint64_t bytes;
};

struct rp_aton_reader {
    struct rp_clexer lexer;
    struct rp_ctoken token; /* the current one; never a comment or directive */
    struct rp_arena *arena;
    struct rp_error *err;
    struct rp_aton *out; /* NULL: what comments and directives say does not matter */
    bool in_rows;        /* here an #else is refused: both alternatives would be read as rows */
    void (*see)(struct rp_aton_reader *reader, const struct rp_ctoken *directive); /* or NULL */
    bool after_version;       /* between the directive that compares versions and its #error */
    unsigned unknown_version; /* line of the first one that is not understood, or 0 */
    unsigned left_out;        /* open conditions, counted from an #if 0 */
    struct rp_ctoken *head;
    size_t head_count;
    struct rp_ctoken *row;         /* RP_ATON_ROW_MAX */
    struct rp_aton_arrays arrays;  /* of numbers, in the function being read */
    struct rp_aton_arrays globals; /* those at file scope */
    struct {
        struct rp_aton_declared *items;
        size_t count, capacity;
    } used;
    struct {
        struct rp_aton_label *items;
        size_t count, capacity;
    } labels;
    bool has_table[RP_ATON_TABLES]; /* its function was read */
    bool has_epochs;
};

void rp_aton_reader_init(struct rp_aton_reader *reader, struct rp_arena *arena,
                         const struct rp_aton_text *text, struct rp_error *err);
/* Sets RP_E_ATON with "path:line: " in front; always false. */
bool rp_aton_fail(const struct rp_aton_reader *reader, unsigned line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
char *rp_aton_word(const struct rp_aton_reader *reader, const struct rp_ctoken *token);

#endif
