/* SPDX-License-Identifier: Apache-2.0 */
/* Initialisers: arrays of numbers, rows of tables, and the values of their members. */
#ifndef RP_TOOLCHAIN_NPU_VALUE_H
#define RP_TOOLCHAIN_NPU_VALUE_H

#include "toolchain/cread/expr.h"
#include "toolchain/npu/reader.h"

enum { RP_ATON_MEMBERS_MAX = 32 };

/* What a row says of one member: tokens in reader->row. */
struct rp_aton_member {
    unsigned line;
    const struct rp_ctoken *tokens;
    size_t count; /* 0: the member is missing */
};

struct rp_aton_row {
    unsigned line;
    struct rp_aton_member members[RP_ATON_MEMBERS_MAX];
};

/*
 * From the = of "type name[] =" in head to after the ;. Arrays of anything but numbers are skipped.
 */
bool rp_aton_read_array(struct rp_aton_reader *reader, struct rp_aton_arrays *arrays);
/* To be called before arrays are looked up. Two of the same name are an error. */
bool rp_aton_sort_arrays(const struct rp_aton_reader *reader, const struct rp_aton_arrays *arrays);

/* How the rows of a table are read. */
struct rp_aton_rows {
    const char *const *names; /* of the members that matter, RP_ATON_MEMBERS_MAX at most */
    size_t count;
    bool (*take)(struct rp_aton_reader *reader, const struct rp_aton_row *row, void *context);
    void *context;
};
/* From the = of "type name[] =" to after the ;. Members of other names are passed over. */
bool rp_aton_read_rows(struct rp_aton_reader *reader, const struct rp_aton_rows *table);

/* Moves past that operator; any other token is an error. */
bool rp_aton_expect(struct rp_aton_reader *reader, const char *text);
/* The value of a member; a missing one is 0 without a label. */
bool rp_aton_value(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                   struct rp_cvalue *out);
/* A number of 32 bits, signed or unsigned; missing: the value of a missing member. */
bool rp_aton_integer(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                     int64_t missing, int64_t *out);
bool rp_aton_flag(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                  bool *out);
/* A plain name; NULL for NULL, 0 and a missing member. */
bool rp_aton_name(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                  const char **out);
/* Adjacent string constants as one; NULL for NULL, 0 and a missing member. */
bool rp_aton_string(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                    const char **out);
/* The array that a member names; NULL: it names none. */
bool rp_aton_member_array(const struct rp_aton_reader *reader, const struct rp_aton_member *member,
                          bool real, const struct rp_aton_array **out);

#endif
