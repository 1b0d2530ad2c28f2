/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state in which the files of this folder read network.c: where they are in its text, and what
 * has been understood so far.
 */
#ifndef RP_TOOLCHAIN_NPU_READER_H
#define RP_TOOLCHAIN_NPU_READER_H

#include "toolchain/cread/source.h"
#include "toolchain/model.h"
#include "toolchain/npu/network.h"

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
    struct rp_csource source;
    struct rp_aton *out;
    struct rp_ctokens words; /* of the last directive */
    bool in_rows;            /* here an #else is refused: both alternatives would be read as rows */
    bool after_version;      /* between the directive that compares versions and its #error */
    unsigned unknown_version;      /* line of the first one that is not understood, or 0 */
    unsigned left_out;             /* open conditions, counted from an #if 0 */
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

/* The start of a text. */
struct rp_csource rp_aton_open(struct rp_arena *arena, const struct rp_aton_text *text,
                               struct rp_error *err);
/* Sets RP_E_ATON with "path:line: " in front; always false. */
#define rp_aton_fail(reader, ...) rp_csource_fail(&(reader)->source, RP_E_ATON, __VA_ARGS__)
/* The text of a token. */
char *rp_aton_word(const struct rp_csource *source, const struct rp_ctoken *token);
/* The type of numbers with this name in C, such as "uint8_t" or "float"; NULL for any other. */
const struct rp_dtype *rp_aton_number_type(const char *name);

#endif
