/* SPDX-License-Identifier: Apache-2.0 */
/* Amounts: see amount.h. */
#include "cli/amount.h"

#include <ctype.h>
#include <string.h>

#include "cli/options.h"

enum { WHOLE = 100 * 1000 }; /* thousandths of a per cent */

/* "2%", "0.5%" */
static bool read_percent(const char *text, uint64_t *thousandths) {
    uint64_t value = 0, unit = 1000;
    size_t digits = 0;
    for (; isdigit((unsigned char)*text) && digits < 9; text++, digits++)
        value = value * 10 + (uint64_t)(*text - '0');
    if (digits == 0)
        return false;
    if (*text == '.' && isdigit((unsigned char)text[1]))
        for (text++; isdigit((unsigned char)*text) && unit > 1; text++, unit /= 10)
            value = value * 10 + (uint64_t)(*text - '0');
    *thousandths = value * unit;
    return strcmp(text, "%") == 0;
}

bool rp_amount_parse(const char *text, struct rp_amount *out) {
    unsigned bytes = 0;
    *out = (struct rp_amount){.is_growth = text[0] == '+'};
    text += out->is_growth;
    out->in_percent = read_percent(text, &out->number);
    if (out->in_percent)
        return true;
    bool is_size = rp_parse_size(text, &bytes);
    out->number = bytes;
    return is_size;
}

/* base * number / WHOLE, without the overflow of the product */
static bool share(uint64_t base, uint64_t number, uint64_t *out) {
    uint64_t most, rest;
    if (__builtin_mul_overflow(base / WHOLE, number, &most) ||
        __builtin_mul_overflow(base % WHOLE, number, &rest))
        return false;
    return !__builtin_add_overflow(most, rest / WHOLE, out);
}

uint64_t rp_amount_limit(const struct rp_amount *amount, uint64_t base) {
    uint64_t limit = amount->number;
    bool fits = !amount->in_percent || share(base, amount->number, &limit);
    if (fits && amount->is_growth)
        fits = !__builtin_add_overflow(limit, base, &limit);
    return fits ? limit : UINT64_MAX;
}
