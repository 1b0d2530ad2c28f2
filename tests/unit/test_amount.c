/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/report/amount: what limits mean in bytes, also where products overflow. */
#include "cli/amount.h"
#include "tests/unit/unit.h"

static void limits(void **state) {
    static const struct {
        const char *text;
        uint64_t base, limit;
    } cases[] = {{"0", 9, 0},
                 {"4K", 9, 4096},
                 {"50%", 9, 4},
                 {"100%", 12345, 12345},
                 {"0.001%", 100000, 1},
                 {"0.0019%", 100000, 1},
                 {"250%", 1000, 2500},
                 {"+0", 9, 9},
                 {"+1K", 9, 1033},
                 {"+2.5%", 1000, 1025},
                 {"+50%", 0, 0},
                 {"999999999%", UINT64_MAX, UINT64_MAX},
                 {"+1", UINT64_MAX, UINT64_MAX},
                 {"+100%", UINT64_MAX / 2 + 1, UINT64_MAX},
                 {"99.999%", UINT64_MAX, 18446559606268814519u}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_amount amount;
        assert_true(rp_amount_parse(cases[i].text, &amount));
        assert_int_equal(rp_amount_limit(&amount, cases[i].base), cases[i].limit);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(limits)};
    return RUN(tests);
}
