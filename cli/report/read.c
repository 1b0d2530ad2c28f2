/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a report back: see read.h. */
#include "cli/report/read.h"

#include <string.h>

#include "base/path.h"
#include "cli/document.h"

bool rp_report_read(struct rp_report_use *use, struct rp_arena *arena,
                    struct rp_source_options *source, struct rp_error *err) {
    struct rp_json *root = rp_document_read_report(arena, use->path, err);
    use->is_read = root != NULL;
    if (!use->is_read)
        return false;
    const struct rp_json *run = rp_json_member(root, "run");
    const struct rp_json *image = rp_json_member(root, "image");
    const char *build_id = rp_json_text(rp_json_member(image, "integrity"), "build_id", NULL);
    int64_t code_bytes = 0;
    (void)rp_json_integer(rp_json_member(image, "code_bytes"), 0, UINT32_MAX, &code_bytes);
    use->code_bytes = (uint32_t)code_bytes;
    use->build_id = build_id != NULL ? rp_strdup(arena, build_id) : NULL;
    use->has_paths = run != NULL;
    run = run != NULL ? run : rp_json_member(root, "choices");
    bool ok = run == NULL || rp_run_read(use, arena, run, source, err);
    rp_json_free(root);
    return ok;
}

static bool is_other(const struct rp_json *input, const char *path) {
    const char *name = rp_json_text(input, "path", NULL);
    const char *hash = rp_json_text(input, "sha256", NULL);
    char now[2 * RELOC_SHA256_BYTES + 1];
    struct rp_sum sum;
    if (name == NULL || hash == NULL || strcmp(name, rp_path_base(path)) != 0 ||
        !rp_sum_file(path, &sum, NULL))
        return false;
    rp_hex(now, sum.sha256, sizeof sum.sha256);
    return strcmp(now, hash) != 0;
}

const char *rp_report_changed(struct rp_arena *arena, const char *path,
                              const struct rp_strings *files) {
    const char *changed = NULL;
    struct rp_json *root = rp_document_read(arena, path, NULL);
    const struct rp_json *input = rp_json_first(rp_json_member(root, "inputs"));
    for (size_t i = 0; i < files->count && input != NULL && changed == NULL; i++) {
        changed = is_other(input, files->items[i]) ? files->items[i] : NULL;
        input = rp_json_next(input);
    }
    rp_json_free(root);
    return changed;
}
