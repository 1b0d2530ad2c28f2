/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read network.c share; private to toolchain/aton*.c. */
#ifndef RP_TOOLCHAIN_NPU_READ_H
#define RP_TOOLCHAIN_NPU_READ_H

#include "toolchain/npu/network.h"
#include "toolchain/cparse/expr.h"
#include "toolchain/cparse/token.h"

enum {
    RP_ATON_HEAD_MAX = 512, /* tokens of a declaration, initialiser and body left out */
    RP_ATON_ROW_MAX = 1024, /* tokens of the known members of a table's row */
    RP_ATON_MEMBERS_MAX = 32
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

/* "used size of pool N", which stands in a comment of its own. */
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
    bool in_rows;        /* alternatives (#else) would be read as rows that all exist */
    void (*see)(struct rp_aton_reader *reader, const struct rp_ctoken *directive); /* or NULL */
    bool after_version; /* the directive that compares versions has been read, its #error not */
    unsigned unknown_version; /* line of the first one that is not understood, or 0 */
    unsigned left_out;        /* conditions that are open from an #if 0 on */
    struct rp_ctoken *head;
    size_t head_count;
    struct rp_ctoken *row;         /* RP_ATON_ROW_MAX */
    struct rp_aton_arrays arrays;  /* of numbers, of the function that is being read */
    struct rp_aton_arrays globals; /* those at file scope */
    struct {
        struct rp_aton_declared *items;
        size_t count, capacity;
    } used;
    struct {
        struct rp_aton_label *items;
        size_t count, capacity;
    } labels;
    bool has_table[RP_ATON_TABLES]; /* its function has been read */
    bool has_epochs;
};

/* What a row says of one member: tokens in reader->row. */
struct rp_aton_member {
    unsigned line;
    const struct rp_ctoken *tokens;
    size_t count; /* 0: it is not there */
};

struct rp_aton_row {
    unsigned line;
    struct rp_aton_member members[RP_ATON_MEMBERS_MAX];
};

/* Sets RP_E_ATON with "path:line: " in front; always false. */
bool rp_aton_fail(const struct rp_aton_reader *reader, unsigned line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- aton_read.c ---- */
void rp_aton_reader_init(struct rp_aton_reader *reader, struct rp_arena *arena,
                         const struct rp_aton_text *text, struct rp_error *err);
/* Moves to the next token of code; comments and directives on the way are taken in. */
bool rp_aton_advance(struct rp_aton_reader *reader);
/*
 * Reads into head up to, not including, the ; = { or } that ends a declaration or statement; that
 * is then the current token (or RP_CTOKEN_END).
 */
bool rp_aton_read_head(struct rp_aton_reader *reader);
/* The token of head in front of the first [ or (; NULL when there is none. */
const struct rp_ctoken *rp_aton_head_name(const struct rp_aton_reader *reader, const char *open);
bool rp_aton_head_has(const struct rp_aton_reader *reader, const char *word);
/*
 * Passes over { … } from its opening brace on, to the token behind. The words that are called, f (,
 * are given to see when it is not NULL.
 */
bool rp_aton_skip_braces(struct rp_aton_reader *reader,
                         void (*see)(struct rp_aton_reader *reader, const struct rp_ctoken *word));
/* Passes over an initialiser, from behind the = to behind the ;. */
bool rp_aton_skip_initializer(struct rp_aton_reader *reader);
char *rp_aton_word(const struct rp_aton_reader *reader, const struct rp_ctoken *token);

/* ---- aton_comment.c ---- */
/* Takes in what a comment says. */
bool rp_aton_comment(struct rp_aton_reader *reader, const struct rp_ctoken *comment);
/* Puts used sizes and labels to the pools. */
bool rp_aton_finish_pools(struct rp_aton_reader *reader);

/* ---- aton_value.c ---- */
/* From the = of "type name[] =" in head, to behind the ;. Other types than numbers: skipped. */
bool rp_aton_read_array(struct rp_aton_reader *reader, struct rp_aton_arrays *arrays);
/* Before arrays are looked up; an error when two have the same name. */
bool rp_aton_sort_arrays(const struct rp_aton_reader *reader, const struct rp_aton_arrays *arrays);

/* How the rows of a table are read. */
struct rp_aton_rows {
    const char *const *names; /* of the members that matter, RP_ATON_MEMBERS_MAX at most */
    size_t count;
    bool (*take)(struct rp_aton_reader *reader, const struct rp_aton_row *row, void *context);
    void *context;
};
/* From the = of "type name[] =" to behind the ;. Members of other names are passed over. */
bool rp_aton_read_rows(struct rp_aton_reader *reader, const struct rp_aton_rows *table);

/* Moves over that operator; an error when it is another token. */
bool rp_aton_expect(struct rp_aton_reader *reader, const char *text);
/* The tokens as they stand in the text, cut for a message. */
const char *rp_aton_shown(const struct rp_aton_reader *reader, const struct rp_ctoken *tokens,
                          size_t count);
/* What a member says; when it is not there, 0 without a label. */
bool rp_aton_value(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                   struct rp_cvalue *out);
/* A number of 32 bits, signed or unsigned; missing when it is not there. */
bool rp_aton_integer(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                     int64_t missing, int64_t *out);
bool rp_aton_flag(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                  bool *out);
/* A plain name; NULL for NULL, 0, and when it is not there. */
bool rp_aton_name(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                  const char **out);
/* Adjacent string constants as one; NULL for NULL, 0, and when it is not there. */
bool rp_aton_string(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                    const char **out);
/* The array that a member names; NULL when it names none. */
bool rp_aton_member_array(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                          bool real, const struct rp_aton_array **out);

/* ---- aton_table.c ---- */
/* The body of a function that returns a table, from its { to behind the }. */
bool rp_aton_read_buffers(struct rp_aton_reader *reader, enum rp_aton_table table);
bool rp_aton_read_epochs(struct rp_aton_reader *reader);

#endif
