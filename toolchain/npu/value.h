/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in network.c: arrays of numbers, and the members of a row. What is asked for and is not as
 * it has to be sets an error. The first error stays, so a row is read as a whole before its error
 * is looked at.
 */
#ifndef RP_TOOLCHAIN_NPU_VALUE_H
#define RP_TOOLCHAIN_NPU_VALUE_H

#include "toolchain/cread/expr.h"
#include "toolchain/cread/init.h"
#include "toolchain/npu/reader.h"

/*
 * Reads an array, from the = of "type name[] =" in head to after the ;. Arrays of anything but
 * numbers are passed over.
 */
bool rp_aton_read_array(struct rp_aton_reader *reader, struct rp_aton_arrays *arrays);
/* To be called before arrays are looked up. Two of the same name are an error. */
bool rp_aton_sort_arrays(const struct rp_aton_reader *reader, const struct rp_aton_arrays *arrays);

/* { .member = value, … } */
struct rp_aton_row {
    const struct rp_aton_reader *reader;
    unsigned line;
    struct rp_cinit *items; /* its members */
    size_t count, capacity;
};

/* Is the member there? Two of the same name, or one without a value, are an error. */
bool rp_aton_member(const struct rp_aton_row *row, const char *name, struct rp_cinit *out);
/* A number, a label, or both; 0 without a label for a missing member. */
struct rp_cvalue rp_aton_value(const struct rp_aton_row *row, const char *name);
/* A number of 32 bits, signed or unsigned; missing: the value of a missing member. */
int64_t rp_aton_integer(const struct rp_aton_row *row, const char *name, int64_t missing);
/* A plain name; NULL for NULL, 0 and a missing member. */
const char *rp_aton_name(const struct rp_aton_row *row, const char *name);
/* The same of a value that is not a member. */
const char *rp_aton_name_of(const struct rp_aton_reader *reader, const struct rp_cinit *value);
/* Adjacent string constants as one; NULL for NULL, 0 and a missing member. */
const char *rp_aton_string(const struct rp_aton_row *row, const char *name);
/* The array that a member names; NULL: it names none. */
const struct rp_aton_array *rp_aton_member_array(const struct rp_aton_row *row, const char *name,
                                                 bool real);

#endif
