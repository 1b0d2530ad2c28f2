/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit XML: see junit.h. */
#include "cli/report/ci/junit.h"

#include <string.h>

#include "base/printable.h"
#include "cli/version.h"

/*
 * XML 1.0 cannot hold control characters and U+FFFE, U+FFFF, in no spelling: they become \xNN, as
 * on a terminal. Line ends and tabs are written as numbers, which are not changed in an attribute.
 */
static void put_xml(struct rp_buf *out, struct rp_arena *arena, const char *text) {
    static const char special[] = "&<>\"'\n\t";
    const char *shown = rp_printable_lines(arena, text);
    for (const char *at = shown; *at != '\0'; at++) {
        if (strncmp(at, "\xEF\xBF\xBE", 3) == 0 || strncmp(at, "\xEF\xBF\xBF", 3) == 0) {
            rp_buf_puts(out, at[2] == '\xBE' ? "\\xEF\\xBF\\xBE" : "\\xEF\\xBF\\xBF");
            at += 2;
        } else
            rp_buf_printf(out, strchr(special, *at) != NULL ? "&#%u;" : "%c", (unsigned char)*at);
    }
}

static void put_attribute(struct rp_buf *out, struct rp_arena *arena, const char *name,
                          const char *value) {
    rp_buf_printf(out, " %s=\"", name);
    put_xml(out, arena, value);
    rp_buf_puts(out, "\"");
}

/* "name=value" */
static void put_properties(struct rp_buf *out, struct rp_arena *arena,
                           const struct rp_strings *properties) {
    rp_buf_puts(out, "      <properties>\n");
    for (size_t i = 0; i < properties->count; i++) {
        size_t len = strcspn(properties->items[i], "=");
        rp_buf_puts(out, "        <property");
        put_attribute(out, arena, "name", rp_strndup(arena, properties->items[i], len));
        put_attribute(out, arena, "value", properties->items[i] + len + 1);
        rp_buf_puts(out, "/>\n");
    }
    rp_buf_puts(out, "      </properties>\n");
}

static void put_case(struct rp_buf *out, struct rp_arena *arena, const struct rp_case *one) {
    rp_buf_puts(out, "    <testcase");
    put_attribute(out, arena, "classname", one->group);
    put_attribute(out, arena, "name", one->name);
    rp_buf_puts(out, ">\n");
    if (one->properties.count != 0)
        put_properties(out, arena, &one->properties);
    if (one->failure != NULL) {
        rp_buf_puts(out, "      <failure");
        put_attribute(out, arena, "message", one->failure);
        rp_buf_puts(out, "/>\n");
    }
    rp_buf_puts(out, "    </testcase>\n");
}

/* What was compared and is wrong is a failure. What kept the command from comparing is an error. */
static bool is_failure(const struct rp_outcome *outcome) {
    return outcome->status == RP_EXIT_VERIFY || outcome->status == RP_EXIT_BUDGET;
}

static void put_command(struct rp_buf *out, const struct rp_outcome *outcome) {
    struct rp_arena *arena = outcome->arena;
    const struct rp_error *failure = outcome->failure;
    const char *kind = is_failure(outcome) ? "failure" : "error";
    rp_buf_puts(out, "    <testcase");
    put_attribute(out, arena, "classname", "relocpack");
    put_attribute(out, arena, "name", outcome->command->name);
    rp_buf_printf(out, " time=\"%.3f\"", outcome->seconds);
    if (outcome->status == 0) {
        rp_buf_puts(out, "/>\n");
        return;
    }
    rp_buf_printf(out, ">\n      <%s", kind);
    const char *message =
        failure->id != 0 ? failure->message : rp_format(arena, "exit code %d", outcome->status);
    put_attribute(out, arena, "message", message);
    put_attribute(out, arena, "type",
                  failure->id != 0 ? rp_format(arena, "RP%d", (int)failure->id) : "exit");
    rp_buf_puts(out, ">");
    put_xml(out, arena, message);
    if (failure->hint != NULL)
        put_xml(out, arena, rp_format(arena, "\nhint: %s", failure->hint));
    rp_buf_printf(out, "</%s>\n    </testcase>\n", kind);
}

void rp_junit_write(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                    struct rp_buf *out) {
    struct rp_arena *arena = outcome->arena;
    const struct rp_cases *cases = &outcome->diagnosed->cases;
    (void)all;
    size_t failures = outcome->status != 0 && is_failure(outcome);
    size_t errors = outcome->status != 0 && !is_failure(outcome);
    for (size_t i = 0; i < cases->count; i++)
        failures += cases->items[i].failure != NULL;
    const char *totals =
        rp_format(arena, "tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\"",
                  cases->count + 1, failures, errors, outcome->seconds);
    rp_buf_printf(out,
                  RP_JUNIT_START " %s>\n  <testsuite name=\"relocpack %s\" %s skipped=\"0\">\n"
                                 "    <properties>\n      <property name=\"version\" "
                                 "value=\"%s\"/>\n    </properties>\n",
                  totals, outcome->command->name, totals, RP_VERSION);
    for (size_t i = 0; i < cases->count; i++)
        put_case(out, arena, &cases->items[i]);
    put_command(out, outcome);
    rp_buf_puts(out, "    <system-err>");
    for (size_t i = 0; i < outcome->diagnosed->list.count; i++) {
        const struct rp_diagnostic *note = &outcome->diagnosed->list.items[i];
        put_xml(out, arena,
                rp_format(arena, "%s %s: %s\n", note->severity, note->id, note->message));
    }
    rp_buf_puts(out, "</system-err>\n  </testsuite>\n</testsuites>\n");
}
