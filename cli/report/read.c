/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a report back: see read.h. */
#include "cli/report/read.h"

#include "base/file.h"
#include "cli/report/json.h"

enum { REPORT_MAX = 64 << 20 };

bool rp_report_read(struct rp_arena *arena, const char *path, struct rp_source_options *source,
                    bool *has_paths, struct rp_error *err) {
    struct rp_bytes text;
    if (!rp_file_read(arena, path, REPORT_MAX, &text, err))
        return false;
    struct rp_json *root = rp_json_parse((const char *)text.data, text.size, path, err);
    if (root == NULL)
        return false;
    int64_t version = 0; /* the member run has not changed since version 1 */
    bool readable =
        rp_json_integer(rp_json_member(root, "schema_version"), 1, RP_REPORT_SCHEMA, &version);
    const struct rp_json *run = rp_json_member(root, "run");
    *has_paths = run != NULL;
    run = run != NULL ? run : rp_json_member(root, "choices");
    if (readable && run != NULL)
        rp_run_read(arena, run, source);
    rp_json_free(root);
    return readable ||
           rp_fail(err, RP_E_INPUT,
                   "'%s' is not a report that this version reads: schema_version is not 1 to %d",
                   path, RP_REPORT_SCHEMA);
}
