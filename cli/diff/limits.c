/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of growth: see limits.h. */
#include "cli/diff/limits.h"

#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"

static bool read_limit(struct rp_limit *limit, struct rp_arena *arena, const char *text) {
    size_t len = strcspn(text, "=");
    if (len == 0 || text[len] == '\0')
        return false;
    *limit = (struct rp_limit){.name = rp_strndup(arena, text, len), .text = text + len + 1};
    return rp_amount_parse(limit->text, &limit->growth) && limit->growth.is_growth;
}

/* An item that is empty is one that somebody forgot: it would limit nothing. */
bool rp_limits_read(struct rp_limits *limits, struct rp_arena *arena,
                    const struct rp_strings *items, struct rp_error *err) {
    static const char blanks[] = " \t";
    for (size_t i = 0; i < items->count; i++) {
        for (const char *at = items->items[i]; at != NULL;) {
            at += strspn(at, blanks);
            size_t whole = strcspn(at, ","), len = whole;
            while (len != 0 && strchr(blanks, at[len - 1]) != NULL)
                len--;
            const char *item = rp_strndup(arena, at, len);
            if (!read_limit(RP_PUSH(arena, limits), arena, item)) {
                rp_fail(err, RP_E_USAGE, "--fail-on '%s': '%s' is not KEY=+SIZE or KEY=+N%%",
                        items->items[i], item);
                return rp_hint(err, "for example --fail-on flash=+2%%,ram_xip=+512");
            }
            at = at[whole] == ',' ? at + whole + 1 : NULL;
        }
    }
    return true;
}

static bool is_figure(const struct rp_change *change) {
    const struct rp_fact *any = change->new != NULL ? change->new : change->old;
    return any->group <= RP_FACT_TIME && any->text == NULL;
}

static bool is_named(const struct rp_change *change, const char *name) {
    const struct rp_fact *any = change->new != NULL ? change->new : change->old;
    return is_figure(change) && strcmp(any->name, name) == 0;
}

static bool is_exceeded(const struct rp_limit *limit, const struct rp_change *change) {
    int64_t old = rp_number_of(change->old), new = rp_number_of(change->new);
    struct rp_amount by = {.in_percent = limit->growth.in_percent, .number = limit->growth.number};
    return new > old &&
           (uint64_t) new - (uint64_t)old > rp_amount_limit(&by, old > 0 ? (uint64_t)old : 0);
}

void rp_limits_check(struct rp_limits *limits, const struct rp_diff *diff,
                     struct rp_excesses *excesses) {
    for (size_t i = 0; i < limits->count; i++)
        for (size_t k = 0; k < diff->count; k++) {
            const struct rp_change *change = &diff->items[k];
            if (!is_named(change, limits->items[i].name))
                continue;
            limits->items[i].used = true;
            if (change->new == NULL)
                limits->items[i].gone = diff->new->path;
            if (is_exceeded(&limits->items[i], change))
                *RP_PUSH(diff->arena, excesses) =
                    (struct rp_excess){diff, &limits->items[i], change};
        }
}

bool rp_limits_used(const struct rp_limits *limits, const struct rp_diff *any,
                    struct rp_error *err) {
    struct rp_buf known = {.arena = any->arena};
    for (size_t i = 0; i < any->count; i++)
        if (is_figure(&any->items[i]))
            rp_buf_printf(
                &known, "%s%s", known.len != 0 ? " " : "",
                (any->items[i].new != NULL ? any->items[i].new : any->items[i].old)->name);
    for (size_t i = 0; i < limits->count; i++) {
        const char *name = limits->items[i].name;
        if (limits->items[i].used)
            continue;
        rp_fail(err, RP_E_USAGE, "--fail-on: there is no figure '%s'; there are: %s", name,
                known.len != 0 ? known.data : "none");
        return rp_hint_nearest(err, name, "", known.len != 0 ? known.data : "");
    }
    return true;
}

bool rp_limits_hold(const struct rp_limits *limits, size_t compared, struct rp_error *err) {
    if (limits->count != 0 && compared == 0)
        return rp_fail(
            err, RP_E_INPUT,
            "--fail-on: no report of the one folder has the path of one of the other, so "
            "nothing was compared");
    for (size_t i = 0; i < limits->count; i++)
        if (limits->items[i].gone != NULL)
            return rp_fail(
                err, RP_E_INPUT,
                "--fail-on %s=%s: '%s' does not have this figure any more, so its growth "
                "is not known",
                limits->items[i].name, limits->items[i].text, limits->items[i].gone);
    return true;
}
