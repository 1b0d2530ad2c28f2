/* SPDX-License-Identifier: Apache-2.0 */
/* How much a figure may be: "4K", "50%", "+512", "+2%". Pure. */
#ifndef RP_CLI_AMOUNT_H
#define RP_CLI_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

struct rp_amount {
    bool is_growth;  /* "+": above what the figure was before */
    bool in_percent; /* of the whole; of what the figure was before */
    uint64_t number; /* bytes, or thousandths of a per cent */
};

/* [+]SIZE or [+]N[.N]%, as rp_parse_size reads sizes; false: text is none of them. */
bool rp_amount_parse(const char *text, struct rp_amount *out);
/*
 * The largest value within the amount; base is the whole, or what the figure was before, and counts
 * for nothing with a plain SIZE. UINT64_MAX when that is too large for a number.
 */
uint64_t rp_amount_limit(const struct rp_amount *amount, uint64_t base);

#endif
