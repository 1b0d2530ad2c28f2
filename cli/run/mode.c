/* SPDX-License-Identifier: Apache-2.0 */
/* --mode: see mode.h. */
#include "cli/run/mode.h"

#include <stddef.h>
#include <string.h>

#include "base/nearest.h"

#define AT(member) offsetof(struct rp_run_mode, member)
/* usbc chooses a firmware of the vendor's: here there is only one. */
static const struct {
    const char *word;
    size_t member;
} words[] = {
    {"xip", AT(xip)},           {"copy", AT(copy)},
    {"no-flash", AT(is_there)}, {"no-overlay", AT(no_overlay)},
    {"no-run", AT(no_run)},     {"ext", AT(external)},
    {"usbc", AT(has_usbc)},
};

static bool read_word(struct rp_run_mode *mode, const char *word, struct rp_error *err) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i].word) == 0) {
            *(bool *)((char *)mode + words[i].member) = true;
            return true;
        }
    rp_fail(err, RP_E_USAGE,
            "unknown --mode \'%s\'; there are: xip copy no-flash no-overlay no-run ext usbc", word);
    return rp_hint_nearest(err, word, "", "xip copy no-flash no-overlay no-run ext usbc");
}

bool rp_run_read_mode(struct rp_run *run, struct rp_error *err) {
    const struct rp_run_options *options = run->options;
    for (size_t i = 0; i < options->modes.count; i++)
        if (options->modes.items[i][0] != '\0' &&
            !read_word(&run->mode, options->modes.items[i], err))
            return false;
    run->mode.no_overlay = run->mode.no_overlay || options->placed.no_overlay;
    return !(run->mode.xip && run->mode.copy) ||
           rp_fail(err, RP_E_USAGE, "--mode: xip and copy exclude each other");
}
